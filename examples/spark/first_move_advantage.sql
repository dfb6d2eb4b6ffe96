-- SPDX-License-Identifier: MIT
-- Counts games, and half points of White, by mean rating, for players within 100 points.
SELECT (white_rating + black_rating) // 400 * 200 AS rating, count(*),
       sum(CASE result WHEN '1-0' THEN 2 WHEN '0-1' THEN 0 ELSE 1 END)
FROM games WHERE result <> '*' AND abs(white_rating - black_rating) <= 100 GROUP BY 1 ORDER BY 1
