/* SPDX-License-Identifier: MIT */
/* Measures the sizes, fall-backs, correctness and speed of a codec on a batch of games. Speeds use processor time, not
 * wall-clock time, and many complete games at once. */
#include "encodings/survey.h"

#include <math.h>
#include <time.h>

double survey_seconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double survey_speed(uint64_t count, double seconds)
{
    return seconds > 0 ? (double)count / seconds / 1e6 : 0;
}

/* ---- codes of games ---- */

/* Codes of the games of a batch. The code of game n is from offsets[n] to offsets[n + 1]; `held` says which games
 * could be encoded. */
typedef struct strings {
    uint8_t *bytes;
    size_t *offsets;
    bool *held;
    stamma_move *decoded;
    size_t code_bits;
} strings;

static strings strings_for(const survey_batch *batch)
{
    size_t longest = STAMMA_CODEC_GAME_SIZE(batch->move_count) + 32 * batch->game_count;
    strings s = {survey_resize(NULL, longest, 1), survey_resize(NULL, batch->game_count + 1, sizeof(size_t)),
                 survey_resize(NULL, batch->game_count + 1, sizeof(bool)),
                 survey_resize(NULL, batch->move_count + 1, sizeof(stamma_move)), 0};
    return s;
}

static void strings_free(strings *s)
{
    free(s->bytes);
    free(s->offsets);
    free(s->held);
    free(s->decoded);
}

static void encode_all(const stamma_codec *codec, const survey_batch *batch, strings *s)
{
    size_t at = 0;
    s->code_bits = 0;
    for (size_t n = 0; n < batch->game_count; n++) {
        const survey_game *game = &batch->games[n];
        size_t size = 0, bits = 0;
        s->offsets[n] = at;
        s->held[n] = !stamma_codec_encode_game(codec, &game->start, batch->moves + game->first, game->plies,
                                               s->bytes + at, STAMMA_CODEC_GAME_SIZE(game->plies), &size, &bits);
        at += size;
        s->code_bits += bits;
    }
    s->offsets[batch->game_count] = at;
}

static bool decode_all(const stamma_codec *codec, const survey_batch *batch, strings *s)
{
    bool exact = true;
    for (size_t n = 0; n < batch->game_count; n++) {
        const survey_game *game = &batch->games[n];
        size_t plies = 0;
        if (s->held[n])
            exact = !stamma_codec_decode_game(codec, &game->start, s->bytes + s->offsets[n],
                                              s->offsets[n + 1] - s->offsets[n], s->decoded + game->first, game->plies,
                                              &plies) &&
                    plies == game->plies && exact;
    }
    return exact;
}

static bool came_back(const survey_batch *batch, const strings *s)
{
    for (size_t n = 0; n < batch->game_count; n++) {
        const survey_game *game = &batch->games[n];
        if (s->held[n] &&
            memcmp(s->decoded + game->first, batch->moves + game->first, game->plies * sizeof *batch->moves) != 0)
            return false;
    }
    return true;
}

static void add_sizes(survey_tally *t, const survey_batch *batch, const strings *s)
{
    for (size_t n = 0; n < batch->game_count; n++) {
        uint64_t plies = batch->games[n].plies;
        t->games += s->held[n];
        t->plies += s->held[n] ? plies : 0;
        t->unsupported_games += !s->held[n];
        t->unsupported_plies += s->held[n] ? 0 : plies;
    }
    t->code_bits += s->code_bits;
    t->string_bits += 8 * (uint64_t)s->offsets[batch->game_count];
}

static void measure_games(survey_tally *t, const survey_batch *batch, unsigned passes)
{
    strings s = strings_for(batch);
    double encode = INFINITY, decode = INFINITY;
    for (unsigned pass = 0; pass < passes; pass++) {
        double start = survey_seconds();
        encode_all(t->codec, batch, &s);
        double middle = survey_seconds();
        bool decoded = decode_all(t->codec, batch, &s);
        double end = survey_seconds();
        encode = fmin(encode, middle - start);
        decode = fmin(decode, end - middle);
        t->exact = t->exact && decoded && came_back(batch, &s);
    }
    t->encode_seconds += encode;
    t->decode_seconds += decode;
    add_sizes(t, batch, &s);
    strings_free(&s);
}

/* ---- codes that do not identify a move: move by move ---- */

/* Returns whether `code` is right for `move`: it decodes to the move, or to one of several moves that share it, or it
 * is a flag with the value that the move has on the board. */
static bool answers(const stamma_codec *codec, const stamma_position *position, stamma_move move, stamma_code code,
                    const stamma_position *after)
{
    stamma_move back = STAMMA_MOVE_NULL;
    stamma_error error = stamma_codec_decode(codec, position, code, &back);
    if (error == STAMMA_ERROR_UNSUPPORTED)
        return (code.value != 0) == stamma_position_in_check(after);
    return error == STAMMA_ERROR_AMBIGUOUS || (error == STAMMA_OK && back == move);
}

static void encode_partial(survey_tally *t, const survey_batch *batch, stamma_code *codes)
{
    for (size_t n = 0; n < batch->game_count; n++) {
        stamma_position position = batch->games[n].start;
        for (size_t at = batch->games[n].first, end = at + batch->games[n].plies; at < end; at++) {
            codes[at].bits = 0;
            (void)stamma_codec_encode(t->codec, &position, batch->moves[at], &codes[at]);
            stamma_position_make(&position, batch->moves[at], &position);
        }
    }
}

static bool decode_partial(const survey_tally *t, const survey_batch *batch, const stamma_code *codes)
{
    bool exact = true;
    for (size_t n = 0; n < batch->game_count; n++) {
        stamma_position position = batch->games[n].start, after;
        for (size_t at = batch->games[n].first, end = at + batch->games[n].plies; at < end; at++) {
            stamma_position_make(&position, batch->moves[at], &after);
            if (codes[at].bits != 0)
                exact = answers(t->codec, &position, batch->moves[at], codes[at], &after) && exact;
            position = after;
        }
    }
    return exact;
}

static void measure_moves(survey_tally *t, const survey_batch *batch, unsigned passes)
{
    stamma_code *codes = survey_resize(NULL, batch->move_count + 1, sizeof *codes);
    double encode = INFINITY, decode = INFINITY;
    for (unsigned pass = 0; pass < passes; pass++) {
        double start = survey_seconds();
        encode_partial(t, batch, codes);
        double middle = survey_seconds();
        t->exact = decode_partial(t, batch, codes) && t->exact;
        encode = fmin(encode, middle - start);
        decode = fmin(decode, survey_seconds() - middle);
    }
    t->encode_seconds += encode;
    t->decode_seconds += decode;
    t->games += batch->game_count;
    for (size_t n = 0; n < batch->move_count; n++) {
        t->plies += codes[n].bits != 0;
        t->unsupported_plies += codes[n].bits == 0;
        t->code_bits += codes[n].bits;
        t->string_bits += codes[n].bits;
    }
    free(codes);
}

void survey_measure(survey_tally *tally, const survey_batch *batch, unsigned passes)
{
    if (tally->info.is_partial)
        measure_moves(tally, batch, passes);
    else
        measure_games(tally, batch, passes);
}

/* ---- positions ---- */

static void count_fallback(survey_tally *t, const char *text, uint64_t game)
{
    survey_reason *reason = t->reasons;
    while (reason < t->reasons + t->reason_count && strcmp(reason->text, text) != 0)
        reason++;
    if (reason == t->reasons + SURVEY_REASONS)
        reason--; /* no codec has this many reasons */
    else if (reason == t->reasons + t->reason_count)
        t->reasons[t->reason_count++].text = text;
    reason->plies++;
    reason->games += reason->last_game != game;
    reason->last_game = game;
    t->fallback_plies++;
    t->fallback_games += t->last_fallback_game != game;
    t->last_fallback_game = game;
}

static void count_legal_moves(survey_positions *s, const stamma_position *position)
{
    size_t moves = stamma_legal_moves_count(position);
    s->above_64 += moves > 64;
    s->information += log2((double)moves);
    if (moves > s->most_moves) {
        s->most_moves = moves;
        s->most_position = *position;
    }
}

/* Counts classes of pieces. The king and an odd knight are one class where `tojot` has two. */
static void count_classes(survey_positions *s, const stamma_position *position)
{
    uint64_t knights = position->by_color[position->side] & position->by_type[STAMMA_KNIGHT];
    unsigned classes[2] = {stamma_tojot_classes(position), 0}, odd = 0;
    for (; knights; knights &= knights - 1)
        odd ^= 1;
    classes[1] = classes[0] - odd;
    for (unsigned n = 0; n < 2; n++)
        if (classes[n] > s->most_classes[n])
            s->most_classes[n] = classes[n];
}

/* Counts how many pawns a pawn's number passes, at most seven. */
static void count_swaps(survey_positions *s, const stamma_position *position, stamma_move move)
{
    bool pawn = (stamma_position_piece(position, stamma_move_from(move)) & 7) == STAMMA_PAWN;
    if (pawn && stamma_move_is_capture(move) && !stamma_move_is_promotion(move))
        s->swaps[stamma_tarrasch_swaps(position, move) % SURVEY_SWAPS]++;
}

/* Counts fall-backs. `other` is the position with the other side to move. */
static void count_fallbacks(survey_tally *t, const stamma_position *position, const stamma_position *other,
                            uint64_t game)
{
    const char *reason = stamma_codec_fallback(t->codec, position);
    bool both = reason || stamma_codec_fallback(t->codec, other);
    if (reason)
        count_fallback(t, reason, game);
    if (both)
        t->last_reason_game = game;
    t->fallback_both += both;
    t->fallback_rest += t->last_reason_game == game;
}

void survey_count(survey_tally *tallies, size_t count, survey_positions *positions, const survey_batch *batch)
{
    for (size_t n = 0; n < batch->game_count; n++) {
        const survey_game *game = &batch->games[n];
        stamma_position position = game->start;
        positions->games++;
        for (size_t at = game->first; at < game->first + game->plies; at++) {
            stamma_position other;
            stamma_position_make(&position, STAMMA_MOVE_NULL, &other);
            positions->plies++;
            positions->null_moves += batch->moves[at] == STAMMA_MOVE_NULL;
            if (batch->moves[at] != STAMMA_MOVE_NULL)
                count_legal_moves(positions, &position);
            count_classes(positions, &position);
            count_swaps(positions, &position, batch->moves[at]);
            for (size_t codec = 0; codec < count; codec++)
                count_fallbacks(&tallies[codec], &position, &other, positions->games);
            stamma_position_make(&position, batch->moves[at], &position);
        }
    }
}
