-- Counts moves, and blunders of 2 pawns or more, by remaining time in steps of 30 seconds.
SELECT clock // 30000 * 30 AS seconds, count(*) AS moves, sum((loss >= 200)::int) AS blunders
FROM (SELECT clock, (lag(evaluation) OVER (PARTITION BY game ORDER BY ply) - evaluation::int)
             * CASE WHEN ply % 2 = 1 THEN 1 ELSE -1 END AS loss FROM plies)
WHERE clock IS NOT NULL AND loss IS NOT NULL GROUP BY 1 ORDER BY 1
