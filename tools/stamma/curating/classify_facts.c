/* SPDX-License-Identifier: MIT */
/* Finds the opening of a game, and the result that its final position proves. */
#include "curating/classify.h"

/* Positions of the library's table have at most this number of plies. */
enum { OWN_PLIES = 28 };

bool classify_is_unknown(stamma_text tag)
{
    size_t n = 0;
    while (n < tag.size && memchr("?-.*", tag.data[n], 4))
        n++;
    return n == tag.size;
}

/* Compares the first three characters of ECO codes. */
static bool is_same_code(stamma_text a, stamma_text b)
{
    return a.size >= 3 && b.size >= 3 && memcmp(a.data, b.data, 3) == 0;
}

/* Plays the game and finds its openings. Stores the final position. */
static void play(classify_facts *facts, const eco_file *eco, const stamma_archive_game *game, stamma_position *position)
{
    const stamma_position start = stamma_position_start();
    const stamma_text code = stamma_archive_game_tag(game, stamma_text_of("ECO"));
    const size_t limit = game->no_start || !stamma_position_equal(&start, &game->start) ? 0
                         : eco->text                                                    ? eco->plies
                                                                                        : OWN_PLIES;
    *position = game->start;
    for (size_t n = 0; n < game->ply_count; n++) {
        stamma_position_make(position, game->moves[n], position);
        const eco_name name = n < limit ? eco_file_find(eco, position) : (eco_name){{NULL, 0}, {NULL, 0}};
        if (name.code.data)
            facts->opening = name;
        facts->has_tag_code |= name.code.data && is_same_code(name.code, code);
    }
    if (!facts->complete && game->ply_count < limit) /* the next position may have another opening */
        facts->opening = (eco_name){{NULL, 0}, {NULL, 0}};
}

static void prove(classify_facts *facts, const stamma_position *position)
{
    const stamma_status status = stamma_position_status(position, NULL, 0);
    if (status == STAMMA_STATUS_CHECKMATE)
        facts->proved = position->side == STAMMA_WHITE ? STAMMA_RESULT_BLACK : STAMMA_RESULT_WHITE;
    if (status == STAMMA_STATUS_STALEMATE)
        facts->proved = STAMMA_RESULT_DRAW;
    if (facts->proved || status == STAMMA_STATUS_INSUFFICIENT_MATERIAL)
        facts->status = status;
}

classify_facts classify_collect(const eco_file *eco, const stamma_archive_game *game)
{
    classify_facts facts = {.complete = !game->no_start &&
                                        (game->reason == STAMMA_REASON_NONE || game->reason == STAMMA_REASON_LAYOUT)};
    stamma_position final;
    play(&facts, eco, game, &final);
    if (facts.complete)
        prove(&facts, &final);
    facts.tag = stamma_result_read(stamma_archive_game_tag(game, stamma_text_of("Result")));
    facts.marker = stamma_result_read(game->result);
    return facts;
}
