/* SPDX-License-Identifier: MIT */
/* stamma verify: checks archives and lists damage. */

#include "packing/verify_hashes.h"
#include "packing/verify_index.h"
#include "threads/worker_threads.h"

static const char about[] =
    "Checks archives without writing anything. Every block is unpacked and compared with the\n"
    "checksum of the text that was packed; all blocks are compared with the commits. The check\n"
    "continues after damage: standard error lists each damaged place, its bytes in the archive,\n"
    "and the games and bytes of text that it affects. ARCHIVE may be - for standard input.\n\n"
    "The exit status is 0 if all archives are sound, and 2 otherwise. An archive with data of\n"
    "an interrupted append after its end is reported as not sound, although none of its games\n"
    "is lost. With --index, an index file that is wrong or missing has exit status 2, too.";

typedef struct verifying {
    tool_archive archive;
    tool_progress progress;
    bool json;
    bool quick;
    bool sha256;
    verify_hashes hashes; /* with `sha256`, of a sound archive */
    bool with_index;
    verify_index index; /* with `with_index`, of a sound archive */
    bool quiet;
    bool opened; /* the JSON object is open */
    bool several;
    const stamma_executor *executor;
    uint64_t memory;
} verifying;

/* ---- for people ---- */

/* Prints "1,234 games" if all are sound, otherwise "1,200 of 1,234 games". */
static void print_share(uint64_t sound, uint64_t all, const char *noun, const char *end)
{
    char number[TOOL_NUMBER_SIZE];
    printf("%s ", tool_number(sound, number));
    if (sound != all)
        printf("of %s ", tool_number(all, number));
    printf("%s%s%s", noun, all == 1 ? "" : "s", end);
}

static void print_verdict(const verifying *v, const stamma_archive_verdict *verdict)
{
    const char *places = verdict->damages == 1 ? "place" : "places";
    char number[TOOL_NUMBER_SIZE];
    (void)tool_text_print(stdout, stamma_text_of(v->archive.file.name));
    if (verdict->damages == 0)
        printf(": sound%s: ", v->quick ? " (checksums only)" : "");
    else
        printf(": damaged in %s %s; sound are ", tool_number(verdict->damages, number), places);
    print_share(verdict->sound.games, verdict->all.games, "game", ", ");
    print_share(verdict->sound_blocks, verdict->all_blocks, "block", ", ");
    print_share(verdict->sound.text_size, verdict->all.text_size, "byte", " of text\n");
}

/* ---- for programs ---- */

static void open_object(verifying *v)
{
    if (v->opened)
        return;
    v->opened = true;
    tool_json_open(NULL, '{');
    if (v->several)
        tool_json_string("archive", v->archive.file.name);
    tool_json_open("damage", '[');
}

static void print_damage(verifying *v, const stamma_archive_damage *d)
{
    open_object(v);
    tool_damage_put(d);
}

static void print_object(verifying *v, const stamma_archive_verdict *verdict)
{
    open_object(v);
    tool_json_close(']');
    tool_json_bool("sound", verdict->damages == 0);
    tool_json_bool("quick", v->quick);
    tool_json_number("archive_size", verdict->input_size);
    tool_json_number("games", verdict->all.games);
    tool_json_number("blocks", verdict->all_blocks);
    tool_json_number("text_size", verdict->all.text_size);
    tool_json_number("sound_games", verdict->sound.games);
    tool_json_number("sound_blocks", verdict->sound_blocks);
    tool_json_number("sound_text_size", verdict->sound.text_size);
    tool_json_number("tail_offset", verdict->tail_offset);
    tool_json_number("tail_size", verdict->tail_size);
    tool_json_number("tail_blocks", verdict->tail_blocks);
    tool_json_number("tail_games", verdict->tail_games);
    if (v->sha256)
        verify_hashes_print_json(&v->hashes);
    if (v->with_index)
        verify_index_print_json(&v->index);
    tool_json_close('}');
    tool_json_end();
}

/* Ends the object after a read error that followed damage. */
static void end_object(const verifying *v, stamma_error error)
{
    if (!v->opened)
        return;
    tool_json_close(']');
    tool_json_string("error", stamma_error_text(error));
    tool_json_close('}');
    tool_json_end();
}

/* Mentions a file of parity next to a damaged archive (doc/howto/parity.md). */
static void print_parity(const char *path)
{
    char *parity = malloc(strlen(path) + sizeof ".par2");
    if (!parity)
        return;
    (void)sprintf(parity, "%s.par2", path);
    if (system_is_there(parity))
        tool_say(parity, "exists: `par2 repair` with this file may restore the archive");
    free(parity);
}

/* ---- verifying ---- */

static ptrdiff_t read_archive(void *context, void *bytes, size_t size)
{
    verifying *v = context;
    ptrdiff_t got = tool_file_read(&v->archive.file, bytes, size);
    tool_progress_show(&v->progress, v->archive.file.offset, v->archive.file.offset);
    return got;
}

static void take_damage(void *context, const stamma_archive_damage *damage)
{
    verifying *v = context;
    if (v->json)
        print_damage(v, damage);
    else
        tool_damage_say(v->archive.file.name, damage);
}

static int verify_open(verifying *v, const char *path)
{
    stamma_input input = {.context = v, .read = read_archive};
    stamma_archive_verify_options options = {.size = sizeof options,
                                             .quick = v->quick,
                                             .executor = v->executor,
                                             .memory = v->memory,
                                             .context = v,
                                             .damage = take_damage};
    stamma_archive_verdict verdict = {.size = sizeof verdict};
    v->progress = tool_progress_start("verifying", v->archive.file.size, v->quiet);
    stamma_error error = stamma_archive_verify_stream(&input, &options, &verdict);
    tool_progress_clear();
    if (error) {
        end_object(v, error);
        return tool_archive_fail(&v->archive, error);
    }
    bool right = verdict.damages == 0;
    if (!right)
        print_parity(path);
    if (v->sha256 && right)
        right = verify_hashes_compute(&v->hashes, path, &v->archive.file, v->executor, v->memory);
    if (v->with_index && verdict.damages == 0)
        right &= verify_index_compare(&v->index, path, v->quiet);
    if (v->json)
        print_object(v, &verdict);
    else if (!v->quiet)
        print_verdict(v, &verdict);
    if (v->sha256 && !v->json)
        verify_hashes_print(&v->hashes, v->archive.file.name, v->quiet);
    if (!v->json && !v->quiet)
        verify_index_print(&v->index);
    return right && verify_hashes_equal(&v->hashes) ? TOOL_DONE : TOOL_ERROR;
}

static int verify(void *context, const char *path)
{
    verifying *v = context;
    v->opened = false;
    v->archive = (tool_archive){.lost = 0};
    if (!tool_file_open(path, &v->archive.file))
        return TOOL_ERROR;
    int status = TOOL_ERROR;
    if ((v->sha256 || v->with_index) && !v->archive.file.regular)
        tool_say(v->archive.file.name, "%s reads the archive twice, and a pipe can be read only once",
                 v->sha256 ? "--sha256" : "--index");
    else
        status = verify_open(v, path);
    verify_hashes_free(&v->hashes);
    verify_index_free(&v->index);
    tool_archive_close(&v->archive);
    return status;
}

int tool_verify(int argc, char **argv)
{
    verifying v = {.memory = TOOL_MEMORY};
    uint64_t wanted = 0;
    const tool_option options[] = {
        {.name = "quick", .help = "check checksums and commits only, without unpacking", .flag = &v.quick},
        {.name = "sha256",
         .help = "print the SHA-256 of the text, and compare that of each recorded file\n(info --inputs). Unpacks "
                 "the archive again: with --quick only once",
         .flag = &v.sha256},
        {.name = "index",
         .help = "compare the index file beside the archive with all games, which are\ndecoded for that; list the "
                 "differences",
         .flag = &v.with_index},
        {.name = "json", .help = "print a JSON object for each archive", .flag = &v.json},
        {'q', "quiet", NULL, "print damage only, no progress and no summary", .flag = &v.quiet},
        {TOOL_OPTION_THREADS, .number = &wanted},
        {TOOL_OPTION_MEMORY, .size = &v.memory},
    };
    const tool_usage usage = {"verify", "ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    v.several = operands > 1;
    stamma_executor executor;
    v.executor = &executor;
    worker_threads *threads = worker_threads_open(wanted, &executor);
    status = tool_archives_each(argv, operands, verify, &v);
    worker_threads_close(threads);
    return status;
}
