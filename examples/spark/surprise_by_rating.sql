-- SPDX-License-Identifier: MIT
-- Computes the mean information of a move in bits, by rating of White: high for surprising moves.
SELECT rating, count(*) AS moves, round(avg(bits), 3) AS bits
FROM (SELECT white_rating // 200 * 200 AS rating, unnest(bits)::double AS bits FROM games WHERE white_rating IS NOT NULL)
WHERE bits IS NOT NULL AND NOT isnan(bits) GROUP BY 1 ORDER BY 1
