/* SPDX-License-Identifier: MIT */
/* Facts about a game of an archive: values of its tags, its result, and why it was kept as text. */
#include "block/block.h"

stamma_text stamma_archive_game_tag(const stamma_archive_game *game, stamma_text name)
{
    for (size_t i = 0; game && name.data && i < game->tag_count; i++) {
        const stamma_tag *tag = &game->tags[i];
        if (tag->name.size == name.size && memcmp(tag->name.data, name.data, name.size) == 0)
            return tag->value;
    }
    return (stamma_text){NULL, 0};
}

stamma_result stamma_archive_game_result(const stamma_archive_game *game)
{
    if (!game)
        return STAMMA_RESULT_UNKNOWN;
    return stamma_result_of_game(stamma_archive_game_tag(game, stamma_text_of("Result")), game->result);
}

const char *stamma_archive_reason_text(stamma_archive_reason reason)
{
    switch (reason) {
    case STAMMA_REASON_NONE: return "typed";
    case STAMMA_REASON_BAD_FEN: return "the FEN tag is not a legal position";
    case STAMMA_REASON_VARIANT: return "a variant of chess";
    case STAMMA_REASON_SYNTAX: return "text that is no PGN";
    case STAMMA_REASON_ILLEGAL_MOVE: return "illegal move";
    case STAMMA_REASON_AMBIGUOUS_MOVE: return "ambiguous move";
    case STAMMA_REASON_DEPTH: return "variations nested too deep";
    case STAMMA_REASON_SIZE: return "game too large for one piece";
    case STAMMA_REASON_LAYOUT: return "unusual layout or spelling";
    case STAMMA_REASON_UNSUPPORTED: return "more legal moves than the move code holds";
    case STAMMA_REASON_INEXACT: return "an error in stamma; please report it";
    case STAMMA_REASON_COUNT: break;
    }
    return "unknown reason";
}
