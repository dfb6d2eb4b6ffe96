/* SPDX-License-Identifier: MIT */
/* Measures encodings of positions on the positions after each ply: sizes, correctness and speed. */
#include "encodings/survey.h"

#include <math.h>

/* Positions of a batch and their codes. */
typedef struct positions {
    stamma_position *all;
    stamma_position_code *codes;
    size_t count;
} positions;

static positions positions_of(const survey_batch *batch)
{
    positions p = {survey_resize(NULL, batch->move_count + 1, sizeof *p.all),
                   survey_resize(NULL, batch->move_count + 1, sizeof *p.codes), batch->move_count};
    for (size_t n = 0; n < batch->game_count; n++) {
        stamma_position position = batch->games[n].start;
        for (size_t at = batch->games[n].first, end = at + batch->games[n].plies; at < end; at++) {
            stamma_position_make(&position, batch->moves[at], &position);
            p.all[at] = position;
        }
    }
    return p;
}

static void encode_all(const stamma_position_codec *codec, positions *p)
{
    for (size_t n = 0; n < p->count; n++)
        if (stamma_position_encode(codec, &p->all[n], &p->codes[n]))
            p->codes[n].bits = 0;
}

/* Returns whether all codes decode to their positions. */
static bool decode_all(const survey_position_tally *t, const positions *p)
{
    bool exact = true;
    for (size_t n = 0; n < p->count; n++) {
        stamma_position back, expected = p->all[n];
        if (p->codes[n].bits == 0)
            continue;
        if (!t->info.is_text)
            expected = stamma_position_coded(&expected);
        exact = stamma_position_decode(t->codec, &p->codes[n], &back) == STAMMA_OK &&
                memcmp(&back, &expected, sizeof back) == 0 && exact;
    }
    return exact;
}

void survey_measure_positions(survey_position_tally *t, const survey_batch *batch, unsigned passes)
{
    positions p = positions_of(batch);
    double encode = INFINITY, decode = INFINITY;
    for (unsigned pass = 0; pass < passes; pass++) {
        double start = survey_seconds();
        encode_all(t->codec, &p);
        double middle = survey_seconds();
        if (!t->info.is_partial)
            t->exact = decode_all(t, &p) && t->exact;
        encode = fmin(encode, middle - start);
        decode = fmin(decode, survey_seconds() - middle);
    }
    t->encode_seconds += encode;
    t->decode_seconds += t->info.is_partial ? 0 : decode;
    t->games += batch->game_count;
    for (size_t n = 0; n < p.count; n++) {
        t->unsupported += p.codes[n].bits == 0;
        t->positions += p.codes[n].bits != 0;
        t->by_bits[p.codes[n].bits] += p.codes[n].bits != 0;
    }
    free(p.all);
    free(p.codes);
}

/* ---- printing ---- */

static double mean_of(const survey_position_tally *t)
{
    double sum = 0;
    for (size_t bits = 0; bits <= SURVEY_BITS; bits++)
        sum += (double)bits * (double)t->by_bits[bits];
    return t->positions ? sum / (double)t->positions : 0;
}

/* Returns the size that a number of positions does not exceed: half of them for the median, all for the maximum. */
static size_t size_of_share(const survey_position_tally *t, uint64_t positions)
{
    uint64_t sum = 0;
    size_t bits = 0;
    while (bits < SURVEY_BITS && (sum += t->by_bits[bits]) < positions)
        bits++;
    return t->positions ? bits : 0;
}

static void print_row(const survey_position_tally *t)
{
    char number[TOOL_NUMBER_SIZE];
    printf("%-24s %8.3f %8zu %8zu %9s %8.2f ", t->info.name, mean_of(t), size_of_share(t, (t->positions + 1) / 2),
           size_of_share(t, t->positions), tool_number(t->unsupported, number),
           survey_speed(t->positions, t->encode_seconds));
    if (t->info.is_partial)
        printf("%8s  partial\n", "-");
    else
        printf("%8.2f  %s\n", survey_speed(t->positions, t->decode_seconds), t->exact ? "yes" : "NO");
}

void survey_print_positions(const survey_position_tally *tallies, size_t count)
{
    char number[2][TOOL_NUMBER_SIZE];
    printf("%s games, %s positions after their plies\n", tool_number(tallies->games, number[0]),
           tool_number(tallies->positions + tallies->unsupported, number[1]));
    printf("\n%-24s %8s %8s %8s %9s %8s %8s  exact\n%-24s %8s %8s %8s %9s %8s %8s\n", "", "bits:", "", "", "not",
           "encode", "decode", "", "mean", "median", "most", "held", "M/s", "M/s");
    for (size_t n = 0; n < count; n++)
        print_row(&tallies[n]);
}

void survey_print_position_json(const survey_position_tally *t)
{
    tool_json_open(NULL, '{');
    tool_json_string("codec", t->info.name);
    tool_json_number("games", t->games);
    tool_json_number("positions", t->positions);
    tool_json_real("bits_per_position", mean_of(t), 4);
    tool_json_number("bits_median", size_of_share(t, (t->positions + 1) / 2));
    tool_json_number("bits_most", size_of_share(t, t->positions));
    tool_json_number("unsupported_positions", t->unsupported);
    tool_json_real("encode_mpositions_s", survey_speed(t->positions, t->encode_seconds), 3);
    tool_json_real("decode_mpositions_s", survey_speed(t->positions, t->decode_seconds), 3);
    if (t->info.is_partial)
        tool_json_string("exact", "partial");
    else
        tool_json_bool("exact", t->exact);
    tool_json_close('}');
    tool_json_end();
}
