-- SPDX-License-Identifier: MIT
-- Counts moves, and blunders of 2 pawns or more, by remaining time in steps of 30 seconds.
SELECT clock_ms // 30000 * 30 AS seconds, count(*) AS moves, sum((loss >= 200)::int) AS blunders
FROM (SELECT clock_ms, (lag(value) OVER (PARTITION BY game ORDER BY ply) - value)
             * CASE WHEN ply % 2 = 1 THEN 1 ELSE -1 END AS loss
      FROM (SELECT *, coalesce(eval_cp::int, 10000 * sign(mate)::int) AS value FROM plies))
WHERE clock_ms IS NOT NULL AND loss IS NOT NULL GROUP BY 1 ORDER BY 1
