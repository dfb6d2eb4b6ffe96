/* SPDX-License-Identifier: MIT */
/* Reads players' ratings, result and date from a game's tags, and finds a position in a game. */
#include "stats/stats.h"

uint32_t stamma_date_number(stamma_text value)
{
    stamma_date date = {0};
    return stamma_date_read(value, &date) ? date.year * 10000u + date.month * 100u + date.day : 0;
}

game_summary stamma_game_summary_of(const stamma_archive_game *game)
{
    game_summary s = {{(uint16_t)stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of("WhiteElo"))),
                       (uint16_t)stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of("BlackElo")))},
                      stamma_archive_game_result(game),
                      stamma_date_number(stamma_archive_game_tag(game, stamma_text_of("Date")))};
    if (s.date == 0)
        s.date = stamma_date_number(stamma_archive_game_tag(game, stamma_text_of("UTCDate")));
    return s;
}

size_t stamma_game_find_position(const stamma_archive_game *game, const stamma_position *wanted, stamma_position *p)
{
    *p = game->start;
    if (game->no_start)
        return SIZE_MAX;
    for (size_t ply = 0;; ply++) {
        if (STAMMA_UNLIKELY(p->key == wanted->key) && stamma_position_equal(p, wanted))
            return ply;
        if (ply == game->ply_count)
            return SIZE_MAX;
        stamma_position_make(p, game->moves[ply], p);
    }
}

/* ---- texts ---- */

bool stamma_tag_text(stamma_text value, buffer *utf8)
{
    utf8->size = 0;
    stamma_utf8_add(value, true, utf8);
    return !utf8->failed;
}
