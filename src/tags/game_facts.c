/* SPDX-License-Identifier: MIT */
/* Produces tag values that follow from the game (clause 15.6). */
#include "tags/tags.h"

static stamma_text fen_of(const stamma_position *position, unsigned fields, char out[STAMMA_FEN_SIZE])
{
    size_t size = stamma_fen_write(position, STAMMA_FEN_STANDARD, out, STAMMA_FEN_SIZE), end = 0;
    for (unsigned blanks = 0; end < size; end++)
        if (out[end] == ' ' && ++blanks == fields)
            break;
    return (stamma_text){out, end};
}

static stamma_text number_of(uint32_t number, char out[STAMMA_FEN_SIZE])
{
    return (stamma_text){out, (size_t)(digits_write(number, 1, out) - out)};
}

stamma_text stamma_game_text(const game_facts *game, unsigned fact, char out[STAMMA_FEN_SIZE])
{
    const stamma_text none = {NULL, 0};
    switch (fact) { /* plans with other facts are refused */
    case FACT_CODE: return game->opening ? stamma_opening_code(game->opening) : none;
    case FACT_NAME: return game->opening ? stamma_opening_name(game->opening) : none;
    case FACT_FEN: return fen_of(&game->end, 6, out);
    case FACT_FEN_FIELDS: return fen_of(&game->end, 4, out);
    case FACT_PLIES: return number_of(game->plies, out);
    default: return game->plies > 0 ? number_of(game->plies - 1, out) : none; /* FACT_PLIES_LESS */
    }
}
