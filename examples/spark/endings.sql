-- SPDX-License-Identifier: MIT
-- Counts the games that reach an ending without queens, with at most seven pieces, by these pieces.
SELECT pieces, count(*) FROM (SELECT DISTINCT game, array_to_string(piece_counts, ' ') AS pieces FROM plies
    WHERE list_sum(piece_counts::int[]) <= 7 AND piece_counts[5] + piece_counts[11] = 0)
GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20
