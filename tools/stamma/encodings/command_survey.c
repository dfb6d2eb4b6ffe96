/* SPDX-License-Identifier: MIT */
/* stamma survey: measures encodings on real games. */
#include "encodings/survey.h"

static const char about[] =
    "Measures encodings on the games of PGN files, which may be compressed with gzip, bzip2, xz,\n"
    "zstd or zip; FILE may be - for standard input. Only main lines are measured, as far as their\n"
    "moves are legal.\n\n"
    "For each encoding of moves, prints bits per ply, with and without the number of plies that\n"
    "each encoded game contains; plies and games that need the code's fall-back; speeds of\n"
    "encoding and decoding in million plies a second, including the moves made on a board; and\n"
    "whether all moves were decoded correctly. For each encoding of positions, measured on the\n"
    "positions after each ply, prints the mean, median and maximum number of bits; positions\n"
    "that cannot be encoded; million positions a second; and whether all positions were decoded\n"
    "correctly (\"partial\": the code does not represent everything).\n\n"
    "--json prints an object a line for each encoding. For encodings of moves: codec, games,\n"
    "plies, bits_per_ply, bits_per_ply_with_count, fallback_plies, fallback_games, fallbacks\n"
    "(reason, plies, games), fallback_plies_both_sides, fallback_plies_rest_of_game (counts if\n"
    "the fall-back of one side applied to both, and to the end of the game), unsupported_plies,\n"
    "unsupported_games, encode_mplies_s, decode_mplies_s, exact (true, false or \"partial\"); for\n"
    "legal-index also most_legal_moves, most_legal_moves_fen, plies_above_64,\n"
    "information_bits_per_ply; for tarrasch pawn_captures_by_swaps; for tojot and tojot-mixed\n"
    "most_classes. For encodings of positions: codec, games, positions, bits_per_position,\n"
    "bits_median, bits_most, unsupported_positions, encode_mpositions_s, decode_mpositions_s,\n"
    "exact.";

enum { PASSES_MAX = 1000 };

typedef struct survey {
    survey_tally *tallies;
    size_t count;
    survey_position_tally *of_positions;
    size_t position_count;
    survey_positions positions;
    unsigned passes;
} survey;

static void take_batch(void *context, const survey_batch *batch)
{
    survey *s = context;
    for (size_t n = 0; n < s->count; n++)
        survey_measure(&s->tallies[n], batch, s->passes);
    for (size_t n = 0; n < s->position_count; n++)
        survey_measure_positions(&s->of_positions[n], batch, s->passes);
    if (s->count > 0)
        survey_count(s->tallies, s->count, &s->positions, batch);
}

/* ---- which codecs ---- */

static void add_codec(survey *s, const stamma_codec *codec)
{
    s->tallies = survey_resize(s->tallies, s->count + 1, sizeof *s->tallies);
    s->tallies[s->count++] = (survey_tally){.codec = codec, .info = stamma_codec_describe(codec), .exact = true};
}

static void add_position_codec(survey *s, const stamma_position_codec *codec)
{
    s->of_positions = survey_resize(s->of_positions, s->position_count + 1, sizeof *s->of_positions);
    survey_position_tally *t = &s->of_positions[s->position_count++];
    *t = (survey_position_tally){.codec = codec, .info = stamma_position_codec_describe(codec), .exact = true};
}

/* Adds the encoding with this name, or all encodings of a group. */
static bool add_named(survey *s, stamma_text name)
{
    const stamma_codec *codec = stamma_codec_find(name);
    const stamma_position_codec *of_positions = stamma_position_codec_find(name);
    bool all = tool_text_is(name, "all"), moves = all || tool_text_is(name, "moves"),
         positions = all || tool_text_is(name, "positions");
    if (codec)
        add_codec(s, codec);
    else if (of_positions)
        add_position_codec(s, of_positions);
    for (size_t n = 0; moves && (codec = stamma_codec_at(n)) != NULL; n++)
        add_codec(s, codec);
    for (size_t n = 0; positions && (of_positions = stamma_position_codec_at(n)) != NULL; n++)
        add_position_codec(s, of_positions);
    return stamma_codec_find(name) || stamma_position_codec_find(name) || moves || positions;
}

/* Adds the encodings in a comma-separated list, in its order. NULL: all encodings of moves. */
static bool choose(survey *s, const char *names)
{
    for (const char *at = names ? names : "moves"; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        stamma_text name = {at, strcspn(at, ",")};
        if (!add_named(s, name)) {
            tool_say("--codec", "there is no encoding \"%.*s\"; stamma encode --list prints them", (int)name.size,
                     name.data);
            return false;
        }
    }
    return true;
}

/* ---- printing ---- */

static double per_ply(uint64_t bits, uint64_t plies)
{
    return plies ? (double)bits / (double)plies : 0;
}

static void print_positions_json(const survey_positions *p)
{
    char fen[STAMMA_FEN_SIZE] = "";
    if (p->most_moves > 0)
        (void)stamma_fen_write(&p->most_position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    tool_json_number("most_legal_moves", p->most_moves);
    tool_json_string("most_legal_moves_fen", fen);
    tool_json_number("plies_above_64", p->above_64);
    tool_json_real("information_bits_per_ply",
                   p->plies > p->null_moves ? p->information / (double)(p->plies - p->null_moves) : 0, 4);
}

static void print_swaps_json(const survey_positions *p)
{
    tool_json_open("pawn_captures_by_swaps", '[');
    for (size_t n = 0; n < SURVEY_SWAPS; n++)
        tool_json_number(NULL, p->swaps[n]);
    tool_json_close(']');
}

/* Prints how often the number of a capturing pawn passes 0, 1, 2 ... other numbers, up to the maximum. */
static void print_swaps(const survey_positions *p)
{
    char number[TOOL_NUMBER_SIZE];
    size_t most = SURVEY_SWAPS;
    while (most > 1 && p->swaps[most - 1] == 0)
        most--;
    printf("    capturing pawns change numbers with");
    for (size_t n = 0; n < most; n++)
        printf("%s %zu: %s", n ? "," : "", n, tool_number(p->swaps[n], number));
    putchar('\n');
}

static void print_object(const survey_tally *t, const survey_positions *positions)
{
    tool_json_open(NULL, '{');
    tool_json_string("codec", t->info.name);
    tool_json_number("games", t->games);
    tool_json_number("plies", t->plies);
    tool_json_real("bits_per_ply", per_ply(t->code_bits, t->plies), 4);
    tool_json_real("bits_per_ply_with_count", per_ply(t->string_bits, t->plies), 4);
    tool_json_number("fallback_plies", t->fallback_plies);
    tool_json_number("fallback_games", t->fallback_games);
    tool_json_open("fallbacks", '[');
    for (size_t n = 0; n < t->reason_count; n++) {
        tool_json_open(NULL, '{');
        tool_json_string("reason", t->reasons[n].text);
        tool_json_number("plies", t->reasons[n].plies);
        tool_json_number("games", t->reasons[n].games);
        tool_json_close('}');
    }
    tool_json_close(']');
    tool_json_number("fallback_plies_both_sides", t->fallback_both);
    tool_json_number("fallback_plies_rest_of_game", t->fallback_rest);
    tool_json_number("unsupported_plies", t->unsupported_plies);
    tool_json_number("unsupported_games", t->unsupported_games);
    tool_json_real("encode_mplies_s", survey_speed(t->plies, t->encode_seconds), 2);
    tool_json_real("decode_mplies_s", survey_speed(t->plies, t->decode_seconds), 2);
    if (t->info.is_partial && t->exact)
        tool_json_string("exact", "partial");
    else
        tool_json_bool("exact", t->exact);
    if (strcmp(t->info.name, "legal-index") == 0)
        print_positions_json(positions);
    if (strcmp(t->info.name, "tarrasch") == 0)
        print_swaps_json(positions);
    if (strcmp(t->info.name, "tojot") == 0)
        tool_json_number("most_classes", positions->most_classes[0]);
    if (strcmp(t->info.name, "tojot-mixed") == 0)
        tool_json_number("most_classes", positions->most_classes[1]);
    tool_json_close('}');
    tool_json_end();
}

static void print_row(const survey_tally *t, const survey_positions *positions)
{
    char plies[TOOL_NUMBER_SIZE], games[TOOL_NUMBER_SIZE];
    printf("%-24s %8.3f %8.3f %9s %7s %8.1f %8.1f  %s\n", t->info.name, per_ply(t->code_bits, t->plies),
           per_ply(t->string_bits, t->plies), tool_number(t->fallback_plies, plies),
           tool_number(t->fallback_games, games), survey_speed(t->plies, t->encode_seconds),
           survey_speed(t->plies, t->decode_seconds),
           !t->exact            ? "NO"
           : t->info.is_partial ? "partial"
                                : "yes");
    for (size_t n = 0; n < t->reason_count; n++)
        printf("    %s: %s plies, %s games\n", t->reasons[n].text, tool_number(t->reasons[n].plies, plies),
               tool_number(t->reasons[n].games, games));
    if (t->fallback_both > 0)
        printf("    %s plies if for both sides, %s if to the end of the game\n", tool_number(t->fallback_both, plies),
               tool_number(t->fallback_rest, games));
    if (t->unsupported_plies > 0)
        printf("    not held: %s plies, %s games\n", tool_number(t->unsupported_plies, plies),
               tool_number(t->unsupported_games, games));
    if (strcmp(t->info.name, "tarrasch") == 0)
        print_swaps(positions);
}

static void print_table(const survey *s)
{
    char number[2][TOOL_NUMBER_SIZE], fen[STAMMA_FEN_SIZE];
    const survey_positions *p = &s->positions;
    uint64_t moves = p->plies - p->null_moves;
    printf("%s games, %s plies", tool_number(p->games, number[0]), tool_number(p->plies, number[1]));
    if (p->null_moves > 0)
        printf(", of which %s null moves", tool_number(p->null_moves, number[0]));
    if (p->most_moves > 0) {
        (void)stamma_fen_write(&p->most_position, STAMMA_FEN_STANDARD, fen, sizeof fen);
        printf("; legal moves: mean of log2 %.3f, more than 64 in %.4f %%, at most %zu:\n%s\n",
               p->information / (double)moves, 100 * (double)p->above_64 / (double)moves, p->most_moves, fen);
    } else {
        putchar('\n');
    }
    printf("\n%-24s %8s %8s %9s %7s %8s %8s  exact\n%-24s %8s %8s %9s %7s %8s %8s\n", "", "bits", "with", "fall-back",
           "in", "encode", "decode", "", "a ply", "count", "plies", "games", "M/s", "M/s");
    for (size_t n = 0; n < s->count; n++)
        print_row(&s->tallies[n], p);
}

static int print(const survey *s, bool json)
{
    bool exact = true;
    for (size_t n = 0; n < s->count; n++) {
        exact = exact && s->tallies[n].exact;
        if (json)
            print_object(&s->tallies[n], &s->positions);
    }
    for (size_t n = 0; n < s->position_count; n++) {
        exact = exact && s->of_positions[n].exact;
        if (json)
            survey_print_position_json(&s->of_positions[n]);
    }
    if (!json && s->count > 0)
        print_table(s);
    if (!json && s->count > 0 && s->position_count > 0)
        putchar('\n');
    if (!json && s->position_count > 0)
        survey_print_positions(s->of_positions, s->position_count);
    return exact ? TOOL_DONE : TOOL_ERROR;
}

int tool_survey(int argc, char **argv)
{
    const char *names = NULL;
    uint64_t passes = 3;
    bool json = false;
    const tool_option options[] = {
        {.name = "codec",
         .value = "NAME,...",
         .help = "only these encodings, or a group: moves (the default), positions,\nall",
         .text = &names},
        {.name = "passes",
         .value = "N",
         .help = "measure each speed N times and print the fastest; default 3",
         .number = &passes},
        {.name = "json", .help = "print a JSON object for each encoding, one a line", .flag = &json},
    };
    const tool_usage usage = {"survey", "FILE...", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (passes < 1 || passes > PASSES_MAX) {
        tool_say("--passes", "%" PRIu64 " is not a number from 1 to %d", passes, PASSES_MAX);
        return TOOL_ERROR;
    }
    survey s = {.passes = (unsigned)passes};
    survey_batch batch = {0};
    bool done = choose(&s, names);
    for (int n = 0; done && n < operands; n++)
        done = survey_read(argv[n], &batch, take_batch, &s);
    status = done ? print(&s, json) : TOOL_ERROR;
    survey_batch_free(&batch);
    free(s.tallies);
    free(s.of_positions);
    return status;
}
