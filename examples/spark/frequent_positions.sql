-- SPDX-License-Identifier: MIT
-- Lists the twenty most frequent positions after ply 16.
SELECT count(*) AS times, min(fen) AS fen FROM plies WHERE ply > 16 GROUP BY key ORDER BY 1 DESC, 2 LIMIT 20
