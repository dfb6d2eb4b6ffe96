/* SPDX-License-Identifier: MIT */
/* Describes a code part by part. The codec's `explain` function writes the code again, or its bits, and names each
 * group of bits. Descriptions therefore agree with the code. */
#include "encodings/position_codes.h"

static explanation explanation_for(void (*take)(void *context, const stamma_code_part *part), void *context)
{
    explanation e = {.take = take, .context = context};
    return e;
}

static stamma_error explain_move(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                 explanation *e)
{
    const char *reason = codec->fallback ? codec->fallback(codec, position) : NULL;
    stamma_error error = STAMMA_OK;
    e->out = (bit_writer){e->bytes, 8 * sizeof e->bytes, 0, false};
    if (!codec->write)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (!stamma_codec_may_play(position, move))
        return STAMMA_ERROR_ILLEGAL;
    if (move == STAMMA_MOVE_NULL && !codec->has_null)
        return STAMMA_ERROR_UNSUPPORTED;
    error = codec->write(codec, position, move, &e->out);
    if (error != STAMMA_OK)
        return error;
    if (move == STAMMA_MOVE_NULL)
        EXPLAIN(e, "null move");
    else if (reason)
        EXPLAIN(e, "fall-back for %s: %s", reason, codec->fallback_means);
    else
        e->out.size = 0, codec->explain(codec, position, move, e);
    return STAMMA_OK;
}

stamma_error stamma_codec_explain(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                  void (*take)(void *context, const stamma_code_part *part), void *context)
{
    if (!codec || !position || !take)
        return STAMMA_ERROR_BAD_ARGUMENT;
    explanation e = explanation_for(take, context);
    return explain_move(codec, position, move, &e);
}

static stamma_error explain_plies(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                                  size_t plies, explanation *e)
{
    stamma_position position = *start;
    for (size_t n = 0; n < plies; n++) {
        bool listed = moves[n] == STAMMA_MOVE_NULL && !codec->has_null && !stamma_position_in_check(&position);
        stamma_error error = listed ? STAMMA_OK : explain_move(codec, &position, moves[n], e);
        if (error != STAMMA_OK)
            return error;
        if (codec->info.is_text)
            stamma_explain_bits(e, ' ', 8, "blank");
        stamma_position_make(&position, moves[n], &position);
    }
    return STAMMA_OK;
}

stamma_error stamma_codec_explain_game(const stamma_codec *codec, const stamma_position *start,
                                       const stamma_move *moves, size_t plies,
                                       void (*take)(void *context, const stamma_code_part *part), void *context)
{
    if (!codec || !start || (plies > 0 && !moves) || !take)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (codec->info.is_partial)
        return STAMMA_ERROR_UNSUPPORTED;
    explanation e = explanation_for(take, context);
    stamma_game_explain_front(moves, plies, codec->has_null, &e);
    return codec->explain_game ? codec->explain_game(codec, start, moves, plies, &e)
                               : explain_plies(codec, start, moves, plies, &e);
}

stamma_error stamma_position_explain(const stamma_position_codec *codec, const stamma_position *position,
                                     void (*take)(void *context, const stamma_code_part *part), void *context)
{
    stamma_position_code code;
    stamma_error error = take ? stamma_position_encode(codec, position, &code) : STAMMA_ERROR_BAD_ARGUMENT;
    if (error != STAMMA_OK)
        return error;
    explanation e = explanation_for(take, context);
    stamma_position coded = codec->info.is_text ? *position : stamma_position_coded(position);
    e.out = (bit_writer){e.bytes, 8 * sizeof e.bytes, 0, false};
    return codec->write(codec, &coded, &e.out, &e);
}
