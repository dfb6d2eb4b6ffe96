-- SPDX-License-Identifier: MIT
-- Counts games by speed, and those that ended by time.
SELECT speed, count(*), sum(coalesce(termination = 'Time forfeit', false)::int)
FROM games WHERE speed IS NOT NULL GROUP BY 1 ORDER BY 1
