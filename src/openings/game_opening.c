/* SPDX-License-Identifier: MIT */
/* Returns the ECO code and the opening of a game: from its tags, otherwise of the opening that was played. */
#include "openings/openings.h"

static stamma_text tag_value(const stamma_archive_game *game, stamma_text name)
{
    for (size_t n = 0; n < game->tag_count; n++)
        if (text_equal(game->tags[n].name, name))
            return game->tags[n].value;
    return (stamma_text){NULL, 0};
}

/* Returns the number of the opening that was played; 0: none. */
static unsigned opening_of(const stamma_archive_game *game)
{
    const stamma_position start = stamma_position_start();
    const bool usual = !game->no_start && stamma_position_equal(&start, &game->start);
    return usual && game->moves ? stamma_opening_find(game->moves, game->ply_count) : 0;
}

/* Returns the value of a tag if it is known, otherwise a text of the opening that was played. */
static stamma_text find_text(const stamma_archive_game *game, const char *tag, stamma_text (*text)(unsigned number),
                             bool *derived)
{
    const stamma_text value = game ? tag_value(game, stamma_text_of(tag)) : (stamma_text){NULL, 0};
    const unsigned number = game && !opening_is_known(value) ? opening_of(game) : 0;
    if (derived)
        *derived = number > 0;
    return number > 0 ? text(number) : opening_is_known(value) ? value : (stamma_text){NULL, 0};
}

stamma_text stamma_archive_game_eco(const stamma_archive_game *game, bool *derived)
{
    return find_text(game, "ECO", stamma_opening_code, derived);
}

stamma_text stamma_archive_game_opening(const stamma_archive_game *game, bool *derived)
{
    return find_text(game, "Opening", stamma_opening_name, derived);
}
