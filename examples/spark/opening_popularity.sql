-- SPDX-License-Identifier: MIT
-- Counts games of openings by month and by rating of White.
SELECT strftime(date, '%Y-%m') AS month, white_rating // 200 * 200 AS rating, opening, count(*)
FROM games WHERE white_rating IS NOT NULL AND date IS NOT NULL AND opening IS NOT NULL
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
