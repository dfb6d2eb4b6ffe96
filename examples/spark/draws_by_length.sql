-- SPDX-License-Identifier: MIT
-- Counts games and draws by number of moves, in steps of ten.
SELECT plies // 20 * 10 AS moves, count(*), sum((result = '1/2-1/2')::int) FROM games GROUP BY 1 ORDER BY 1
