/* SPDX-License-Identifier: MIT */
/* stamma repair: writes the undamaged parts of an archive to a new archive. */
#include "shared/tool.h"
#include "threads/worker_threads.h"

static const char about[] = "Copies every sound block of ARCHIVE, unchanged, to a new archive, OUT. Each block is\n"
                            "unpacked to check it. Blocks are found even if headers or commits are damaged, or if\n"
                            "blocks were moved. Blocks of an interrupted append are kept. Standard error lists each\n"
                            "damaged place. ARCHIVE must be a file; it is not changed.\n\n"
                            "Of a damaged block, everything is saved that does not depend on the damage: games that\n"
                            "are exactly those that were packed, and games without a part, such as tags without moves\n"
                            "or moves without comments. A game that is not exact begins with a tag that names what is\n"
                            "missing, such as [StammaRepair \"without moves\"], or is \"unconfirmed\": whole, but a\n"
                            "checksum that it shares with damaged data cannot confirm it. Names of tags that may be\n"
                            "damaged are listed as well: [StammaRepair \"without moves; unconfirmed Termination\"].\n"
                            "To list these games: stamma find --tag StammaRepair=* OUT\n\n"
                            "The exit status is 0 if OUT contains everything that was packed, and 2 if something is\n"
                            "missing or may be missing. OUT is a valid archive in both cases.";

typedef struct repairing {
    tool_file file;
    tool_output *output;
    tool_progress progress;
    bool quiet;
    bool json;
    bool verbose;
    bool exact_only;
    bool listing;                               /* the list of games is open in the JSON object */
    uint64_t block;                             /* the damaged block, of which these are the games so far: */
    uint64_t salvaged[STAMMA_SALVAGE_LOST + 1]; /* by state */
} repairing;

static const char *const states[] = {"exact", "unconfirmed", "incomplete", "lost"};

static bool read_archive(void *context, uint64_t offset, void *bytes, size_t size)
{
    repairing *r = context;
    const bool right = tool_file_read_at(&r->file, offset, bytes, size);
    tool_progress_show(&r->progress, r->file.offset, r->file.offset);
    return right;
}

static void take_damage(void *context, const stamma_archive_damage *damage)
{
    const repairing *r = context;
    if (r->json)
        tool_damage_put(damage);
    else
        tool_damage_say(r->file.name, damage);
}

/* ---- games of damaged blocks ---- */

static const struct {
    unsigned part;
    const char *word;
} parts[] = {{STAMMA_GAME_TAGS, "tags"},         {STAMMA_GAME_MOVES, "moves"}, {STAMMA_GAME_VARIATIONS, "variations"},
             {STAMMA_GAME_COMMENTS, "comments"}, {STAMMA_GAME_NAGS, "nags"},   {STAMMA_GAME_RESULT, "result"},
             {STAMMA_GAME_TEXT, "text"}};

static void put_salvage(repairing *r, const stamma_archive_salvage *games)
{
    if (!r->listing) {
        tool_json_close(']');
        tool_json_open("games", '[');
    }
    r->listing = true;
    tool_json_open(NULL, '{');
    tool_json_number("block", games->block);
    tool_json_number("first_game", games->first_game);
    tool_json_number("last_game", games->last_game);
    tool_json_number("games", games->games);
    tool_json_string("state", states[games->state]);
    tool_json_open("missing", '[');
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++)
        if (games->missing & parts[n].part)
            tool_json_string(NULL, parts[n].word);
    tool_json_close(']');
    tool_json_close('}');
}

/* Prints a line about games with the same result. */
static void say_salvage(const repairing *r, const stamma_archive_salvage *games)
{
    tool_message_begin(r->file.name);
    (void)fprintf(stderr, "block %" PRIu64, games->block);
    if (games->first_game > 0)
        (void)fprintf(stderr, ", games %" PRIu64 " to %" PRIu64, games->first_game, games->last_game);
    (void)fprintf(stderr, ": %s", states[games->state]);
    for (size_t n = 0, words = 0; n < sizeof parts / sizeof *parts; n++)
        if (games->missing & parts[n].part)
            (void)fprintf(stderr, "%s%s", words++ == 0 ? ", without " : ", ", parts[n].word);
    (void)fputc('\n', stderr);
}

/* Prints a line about all games of the block. */
static void say_block(repairing *r)
{
    char number[TOOL_NUMBER_SIZE];
    if (r->block == 0)
        return;
    tool_message_begin(r->file.name);
    (void)fprintf(stderr, "block %" PRIu64 ": games saved", r->block);
    for (size_t n = 0; n <= STAMMA_SALVAGE_LOST; n++)
        (void)fprintf(stderr, "%s%s %s", n == 0 ? ": " : ", ", tool_number(r->salvaged[n], number), states[n]);
    (void)fputc('\n', stderr);
    memset(r->salvaged, 0, sizeof r->salvaged);
    r->block = 0;
}

static bool take_salvage(void *context, const stamma_archive_salvage *games)
{
    repairing *r = context;
    if (r->json) {
        put_salvage(r, games);
        return true;
    }
    if (games->block != r->block)
        say_block(r);
    r->block = games->block;
    r->salvaged[games->state] += games->games;
    if (r->verbose && games->state != STAMMA_SALVAGE_EXACT)
        say_salvage(r, games);
    return true;
}

/* ---- the result ---- */

/* Prints "1,200 of 1,234 games". */
static void say_share(uint64_t kept, uint64_t all, bool known, const char *noun, const char *end)
{
    char number[TOOL_NUMBER_SIZE];
    (void)fprintf(stderr, "%s ", tool_number(kept, number));
    if (known && kept != all)
        (void)fprintf(stderr, "of %s ", tool_number(all, number));
    (void)fprintf(stderr, "%s%s%s", noun, (known ? all : kept) == 1 ? "" : "s", end);
}

static const char *end_of_result(const stamma_archive_repair_result *result)
{
    if (result->whole)
        return "; nothing is lost\n";
    if (!result->known)
        return "; if there was more, it is lost\n";
    bool lost = result->salvaged_blocks == 0 || result->repacked_blocks > 0 || result->kept.games < result->all.games;
    return lost ? "; the rest is lost\n" : "; no game is lost\n";
}

/* Prints the result. If games of damaged blocks were salvaged, does not compare bytes, because the texts of games that
 * are not exact are longer or shorter. */
static void say_result(const repairing *r, const stamma_archive_repair_result *result)
{
    const uint64_t changed = result->salvaged[STAMMA_SALVAGE_UNCONFIRMED] + result->salvaged[STAMMA_SALVAGE_INCOMPLETE];
    char number[TOOL_NUMBER_SIZE];
    tool_message_begin(tool_output_name(r->output));
    say_share(result->kept.games, result->all.games, result->known, "game", ", ");
    say_share(result->kept_blocks, result->all_blocks, result->known, "block",
              result->salvaged_blocks > 0 ? " unchanged" : ", ");
    if (result->salvaged_blocks > 0)
        (void)fprintf(stderr, ", %s game%s not exact", tool_number(changed, number), changed == 1 ? "" : "s");
    else
        say_share(result->kept.text_size, result->all.text_size, result->known, "byte", " of text");
    if (result->repacked_blocks > 0)
        (void)fprintf(stderr, "; %" PRIu64 " block%s packed again, with parts of incomplete games",
                      result->repacked_blocks, result->repacked_blocks == 1 ? "" : "s");
    (void)fputs(end_of_result(result), stderr);
}

static void put_result(const repairing *r, const stamma_archive_repair_result *result)
{
    if (!r->listing) {
        tool_json_close(']');
        tool_json_open("games", '[');
    }
    tool_json_close(']');
    tool_json_bool("complete", result->whole);
    tool_json_bool("known", result->known);
    tool_json_number("all_games", result->all.games);
    tool_json_number("all_blocks", result->all_blocks);
    tool_json_number("games_written", result->kept.games);
    tool_json_number("kept_blocks", result->kept_blocks);
    tool_json_number("repacked_blocks", result->repacked_blocks);
    tool_json_number("salvaged_blocks", result->salvaged_blocks);
    for (size_t n = 0; n <= STAMMA_SALVAGE_LOST; n++)
        tool_json_number(states[n], result->salvaged[n]);
    tool_json_close('}');
    tool_json_end();
}

/* Ends the object after an error. */
static void end_object(stamma_error error)
{
    tool_json_close(']');
    tool_json_string("error", stamma_error_text(error));
    tool_json_close('}');
    tool_json_end();
}

static int fail(const repairing *r, stamma_error error)
{
    char text[TOOL_UNSUPPORTED_SIZE];
    if (r->json)
        end_object(error);
    if (error == STAMMA_ERROR_NO_ARCHIVE)
        tool_say(r->file.name, "not a Stamma archive");
    else if (error == STAMMA_ERROR_UNSUPPORTED)
        tool_say(r->file.name, "%s", tool_unsupported(r->file.head, text));
    else if (error == STAMMA_ERROR_LIMIT)
        tool_say(r->file.name, TOOL_MEMORY_LIMIT);
    else if (!tool_output_failed(r->output) && !r->file.failed)
        tool_say(r->file.name, "%s", stamma_error_text(error));
    return TOOL_ERROR;
}

static int repair(repairing *r, const stamma_executor *executor, uint64_t memory)
{
    const stamma_bytes bytes = {.size = r->file.size, .context = r, .read_at = read_archive};
    stamma_output output = tool_output_callbacks(r->output);
    stamma_archive_repair_options options = {.size = sizeof options,
                                             .executor = executor,
                                             .memory = memory,
                                             .context = r,
                                             .damage = take_damage,
                                             .salvaged = take_salvage,
                                             .exact_only = r->exact_only};
    stamma_archive_repair_result result = {.size = sizeof result};
    r->progress = tool_progress_start("repairing", r->file.size, r->quiet);
    if (r->json) {
        tool_json_open(NULL, '{');
        tool_json_open("damage", '[');
    }
    stamma_error error = stamma_archive_repair(&bytes, &output, &options, &result);
    tool_progress_clear();
    say_block(r);
    if (error || !tool_output_finish(r->output))
        return error ? fail(r, error) : TOOL_ERROR;
    if (r->json)
        put_result(r, &result);
    else if (!r->quiet)
        say_result(r, &result);
    return result.whole ? TOOL_DONE : TOOL_ERROR;
}

static int repair_file(repairing *r, const char *path, const char *out, bool force, const stamma_executor *executor,
                       uint64_t memory)
{
    int status = TOOL_ERROR;
    if (!tool_file_open(path, &r->file))
        return TOOL_ERROR;
    if (!r->file.regular)
        tool_say(r->file.name, "must be a file");
    else
        r->output = tool_output_open(out, force);
    if (r->output)
        status = repair(r, executor, memory);
    tool_output_close(r->output);
    tool_file_close(&r->file);
    return status;
}

int tool_repair(int argc, char **argv)
{
    const char *out = NULL;
    bool force = false;
    uint64_t wanted = 0, memory = TOOL_MEMORY;
    repairing r = {.output = NULL};
    const tool_option options[] = {
        {'o', "output", "OUT", "archive to write; required", .text = &out},
        {TOOL_OPTION_FORCE, .flag = &force},
        {.name = "exact-only", .help = "leave out games that are not exactly as packed", .flag = &r.exact_only},
        {.name = "json", .help = "print a JSON object with damaged places and games", .flag = &r.json},
        {'v', "verbose", NULL, "also list the games that are not exact", .flag = &r.verbose},
        {'q', "quiet", NULL, "print damage only, no progress and no summary", .flag = &r.quiet},
        {TOOL_OPTION_THREADS, .number = &wanted},
        {TOOL_OPTION_MEMORY, .size = &memory},
    };
    const tool_usage usage = {"repair", "-o OUT ARCHIVE", about, options, sizeof options / sizeof *options, 1, 1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!out || (r.json && strcmp(out, "-") == 0)) {
        tool_say(NULL, out ? "repair: --json needs a file for OUT" : "repair: -o is required: the archive to write");
        return TOOL_ERROR;
    }
    stamma_executor executor;
    worker_threads *threads = worker_threads_open(wanted, &executor);
    status = repair_file(&r, argv[0], out, force, &executor, memory);
    worker_threads_close(threads);
    return status;
}
