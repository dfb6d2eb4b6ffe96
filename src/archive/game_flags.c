/* SPDX-License-Identifier: MIT */
/* Flags of games, and the file that has them (doc/reference/flags.md). */
#include "archive/handle.h"

/* Games with equal flags, with the numbers from `first` to `last`. */
typedef struct flag_run {
    uint64_t first, last;
    uint32_t flags; /* not 0 */
} flag_run;

struct stamma_flags {
    stamma_allocator allocator;
    uint64_t games; /* of the archive */
    buffer runs;    /* flag_run, ascending */
};

static const flag_run *runs_of(const stamma_flags *f)
{
    return (const flag_run *)(const void *)f->runs.data;
}

static size_t count_runs(const stamma_flags *f)
{
    return f->runs.size / sizeof(flag_run);
}

/* Returns the first run that ends at `number` or after it. */
static size_t find_run(const stamma_flags *f, uint64_t number)
{
    size_t low = 0, high = count_runs(f);
    const flag_run *all = runs_of(f);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (all[middle].last < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- reading flags ---- */

uint32_t stamma_flags_of(const stamma_flags *f, uint64_t number)
{
    const size_t n = f ? find_run(f, number) : 0;
    return f && n < count_runs(f) && runs_of(f)[n].first <= number ? runs_of(f)[n].flags : 0;
}

uint64_t stamma_flags_next(const stamma_flags *f, uint64_t number, uint32_t any)
{
    const size_t count = f ? count_runs(f) : 0;
    for (size_t n = f ? find_run(f, number) : 0; n < count; n++) {
        const flag_run *run = &runs_of(f)[n];
        if (run->flags & any)
            return run->first > number ? run->first : number;
    }
    return 0;
}

/* ---- changing flags ---- */

/* Replaces `removed` runs by others. Returns false if memory is exhausted. */
static bool replace_runs(stamma_flags *f, size_t at, size_t removed, const flag_run *added, size_t count)
{
    const size_t size = sizeof(flag_run), rest = count_runs(f) - at - removed;
    if (!buffer_reserve(&f->runs, count * size)) {
        f->runs.failed = false;
        return false;
    }
    uint8_t *place = f->runs.data + at * size;
    if (rest > 0)
        memmove(place + count * size, place + removed * size, rest * size);
    if (count > 0)
        memcpy(place, added, count * size);
    f->runs.size += count * size;
    f->runs.size -= removed * size;
    return true;
}

/* Adds a game after all games with flags. */
static bool append_game(stamma_flags *f, uint64_t number, uint32_t value)
{
    const size_t count = count_runs(f);
    flag_run *last = count > 0 ? (flag_run *)(void *)f->runs.data + count - 1 : NULL;
    if (last && last->last + 1 == number && last->flags == value) {
        last->last = number;
        return true;
    }
    const flag_run run = {number, number, value};
    return replace_runs(f, count, 0, &run, 1);
}

stamma_error stamma_flags_set(stamma_flags *f, uint64_t number, uint32_t value)
{
    if (!f || number == 0 || number > f->games || value & ~STAMMA_FLAGS_ALL)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const size_t at = find_run(f, number);
    if (stamma_flags_of(f, number) == value)
        return STAMMA_OK;
    if (at == count_runs(f))
        return append_game(f, number, value) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    const flag_run run = runs_of(f)[at];
    const bool inside = run.first <= number;
    flag_run parts[3];
    size_t count = 0;
    if (inside && run.first < number)
        parts[count++] = (flag_run){run.first, number - 1, run.flags};
    if (value != 0)
        parts[count++] = (flag_run){number, number, value};
    if (inside && run.last > number)
        parts[count++] = (flag_run){number + 1, run.last, run.flags};
    return replace_runs(f, at, inside, parts, count) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* ---- files: lines of words ---- */

/* A state that a part of a file names. */
typedef struct named_state {
    uint64_t end, check, games;
} named_state;

/* A part of a file. */
typedef struct flags_part {
    buffer states;    /* named_state */
    const char *runs; /* the first line of flags */
    uint64_t games;   /* of the last state */
} flags_part;

typedef struct flags_reader {
    const char *at, *end;
} flags_reader;

/* Reads a text. Returns false if another text follows. */
static bool take_text(flags_reader *r, const char *text)
{
    const size_t size = strlen(text);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, text, size) != 0)
        return false;
    r->at += size;
    return true;
}

/* Reads a number in decimal digits, at most 18. */
static bool take_number(flags_reader *r, uint64_t *number)
{
    enum { DIGITS = 18 };
    const char *begin = r->at;
    *number = 0;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && r->at - begin < DIGITS)
        *number = *number * 10 + (uint64_t)(*r->at++ - '0');
    return r->at > begin && (r->at == r->end || *r->at < '0' || *r->at > '9');
}

static bool take_hexadecimal(flags_reader *r, uint64_t *number)
{
    enum { DIGITS = 16 };
    *number = 0;
    for (size_t n = 0; n < DIGITS; n++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = r->at < r->end && *r->at ? strchr(digits, *r->at) : NULL;
        if (!digit)
            return false;
        *number = *number << 4 | (uint64_t)(digit - digits);
        r->at++;
    }
    return true;
}

static bool take_state(flags_reader *r, named_state *state)
{
    return take_number(r, &state->end) && take_text(r, " ") && take_hexadecimal(r, &state->check) &&
           take_text(r, " ") && take_number(r, &state->games) && take_text(r, "\n");
}

/* Reads the names of flags up to the end of the line. */
static bool take_flags(flags_reader *r, uint32_t *flags)
{
    *flags = 0;
    do {
        const char *begin = r->at;
        uint32_t flag;
        while (r->at < r->end && *r->at != ',' && *r->at != '\n')
            r->at++;
        if (!stamma_flag_read((stamma_text){begin, (size_t)(r->at - begin)}, &flag) || *flags & flag)
            return false;
        *flags |= flag;
    } while (take_text(r, ","));
    return take_text(r, "\n");
}

/* Reads a line of flags: a number or a range of numbers, and names. */
static bool take_run(flags_reader *r, flag_run *run)
{
    if (!take_number(r, &run->first))
        return false;
    run->last = run->first;
    if (take_text(r, "..") && !take_number(r, &run->last))
        return false;
    return run->first > 0 && run->first <= run->last && take_text(r, " ") && take_flags(r, &run->flags);
}

/* ---- files: parts ---- */

static const char head[] = "stamma flags 1\n";

/* Reads and checks a part. Errors: SYNTAX, NO_MEMORY. */
static stamma_error take_part(flags_reader *r, flags_part *part)
{
    named_state state = {.end = 0};
    flag_run run = {.last = 0};
    uint64_t count = 0, said = 0;
    part->states.size = 0;
    if (!take_text(r, head))
        return STAMMA_ERROR_SYNTAX;
    while (take_text(r, "state ")) {
        const uint64_t before = state.end;
        if (!take_state(r, &state) || state.end <= before)
            return STAMMA_ERROR_SYNTAX;
        buffer_add(&part->states, &state, sizeof state);
    }
    if (part->states.failed)
        return STAMMA_ERROR_NO_MEMORY;
    part->games = state.games;
    for (part->runs = r->at; !take_text(r, "end "); count++) {
        const uint64_t before = run.last;
        if (!take_run(r, &run) || run.first <= before || run.last > part->games)
            return STAMMA_ERROR_SYNTAX;
    }
    return take_number(r, &said) && said == count && take_text(r, "\n") ? STAMMA_OK : STAMMA_ERROR_SYNTAX;
}

/* Returns whether a part names a state. */
static bool has_state(const flags_part *part, const stamma_archive_state *state)
{
    const named_state *all = (const named_state *)(const void *)part->states.data;
    for (size_t n = part->states.size / sizeof *all; n-- > 0;)
        if (all[n].end == state->end)
            return all[n].check == state->check && all[n].games == state->games;
    return false;
}

/* Finds the last state of the archive that the part names; *games is the number of its games. Errors: MISMATCH if there
 * is none, and those of the states. */
static stamma_error find_state(stamma_archive *a, const flags_part *part, uint64_t *games)
{
    stamma_archive_state state;
    stamma_error error = stamma_archive_state_now(a, &state);
    while (error == STAMMA_OK && state.end > 0) {
        if (has_state(part, &state)) {
            *games = state.games;
            return STAMMA_OK;
        }
        error = stamma_archive_state_before(a, &state, &state);
    }
    return error == STAMMA_OK ? STAMMA_ERROR_MISMATCH : error;
}

/* Adds the flags of a checked part for the first `games` games. Returns false if memory is exhausted. */
static bool add_runs(stamma_flags *f, const flags_part *part, const char *end, uint64_t games)
{
    flags_reader r = {part->runs, end};
    flag_run run;
    while (take_run(&r, &run) && run.first <= games) {
        run.last = run.last < games ? run.last : games;
        buffer_add(&f->runs, &run, sizeof run);
    }
    return !f->runs.failed;
}

/* Reads all parts, and adds the flags of the first that is of the archive. */
static stamma_error read_parts(stamma_archive *a, stamma_text file, flags_part *part, stamma_flags *f)
{
    flags_reader r = {file.data, file.data + file.size};
    stamma_error error = STAMMA_OK, found = file.size > 0 ? STAMMA_ERROR_MISMATCH : STAMMA_OK;
    while (r.at < r.end && error == STAMMA_OK) {
        uint64_t games = 0;
        error = take_part(&r, part);
        if (error != STAMMA_OK || found == STAMMA_OK)
            continue;
        found = find_state(a, part, &games);
        if (found == STAMMA_OK && !add_runs(f, part, r.end, games))
            error = STAMMA_ERROR_NO_MEMORY;
        error = found == STAMMA_OK || found == STAMMA_ERROR_MISMATCH ? error : found;
    }
    return error == STAMMA_OK ? found : error;
}

stamma_error stamma_flags_read(stamma_archive *a, stamma_text file, stamma_flags **flags)
{
    stamma_archive_state now;
    if (!a || !flags || (!file.data && file.size > 0))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_archive_state_now(a, &now);
    if (error != STAMMA_OK)
        return error;
    stamma_flags *f = (stamma_flags *)memory_allocate(&a->allocator, sizeof *f);
    if (!f)
        return STAMMA_ERROR_NO_MEMORY;
    memset(f, 0, sizeof *f);
    f->allocator = a->allocator;
    f->runs.allocator = &f->allocator;
    f->games = now.games;
    flags_part part = {.states.allocator = &a->allocator};
    error = read_parts(a, file, &part, f);
    stamma_buffer_release(&part.states);
    if (error == STAMMA_OK)
        *flags = f;
    else
        stamma_flags_close(f);
    return error;
}

void stamma_flags_close(stamma_flags *f)
{
    if (!f)
        return;
    const stamma_allocator allocator = f->allocator;
    stamma_buffer_release(&f->runs);
    memory_release(&allocator, f);
}

/* ---- writing ---- */

static void add_text(buffer *to, const char *text)
{
    buffer_add(to, text, strlen(text));
}

static void add_number(buffer *to, uint64_t number)
{
    char digits[NUMBER_DIGITS];
    const char *end = digits_write(number, 1, digits);
    buffer_add(to, digits, (size_t)(end - digits));
}

/* Adds the lines of the states, from the first to the last. */
static stamma_error add_states(stamma_archive *a, stamma_archive_state state, buffer *states, buffer *to)
{
    stamma_error error = STAMMA_OK;
    while (error == STAMMA_OK && state.end > 0) {
        buffer_add(states, &state, sizeof state);
        error = stamma_archive_state_before(a, &state, &state);
    }
    const stamma_archive_state *all = (const stamma_archive_state *)(const void *)states->data;
    for (size_t n = states->size / sizeof *all; n-- > 0 && !states->failed;) {
        static const char digits[] = "0123456789abcdef";
        add_text(to, "state ");
        add_number(to, all[n].end);
        add_text(to, " ");
        for (int shift = 60; shift >= 0; shift -= 4)
            buffer_add(to, &digits[all[n].check >> shift & 15], 1);
        add_text(to, " ");
        add_number(to, all[n].games);
        add_text(to, "\n");
    }
    return error == STAMMA_OK && states->failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* Adds the lines of the flags. Runs that meet, and have equal flags, are one line. */
static void add_lines(const stamma_flags *f, buffer *to)
{
    const flag_run *all = runs_of(f);
    const size_t count = count_runs(f);
    uint64_t lines = 0;
    for (size_t n = 0, next; n < count; n = next, lines++) {
        char names[STAMMA_FLAGS_SIZE];
        for (next = n + 1;
             next < count && all[next].first == all[next - 1].last + 1 && all[next].flags == all[n].flags;)
            next++;
        add_number(to, all[n].first);
        if (all[next - 1].last > all[n].first) {
            add_text(to, "..");
            add_number(to, all[next - 1].last);
        }
        (void)stamma_flags_text(all[n].flags, names, sizeof names);
        add_text(to, " ");
        add_text(to, names);
        add_text(to, "\n");
    }
    add_text(to, "end ");
    add_number(to, lines);
    add_text(to, "\n");
}

stamma_error stamma_flags_write(const stamma_flags *f, stamma_archive *a, const stamma_output *output)
{
    stamma_archive_state now;
    if (!f || !a || !output_is_given(output))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_archive_state_now(a, &now);
    if (error == STAMMA_OK && stamma_flags_next(f, now.games + 1, STAMMA_FLAGS_ALL) > 0)
        error = STAMMA_ERROR_BAD_ARGUMENT;
    if (error != STAMMA_OK)
        return error;
    buffer states = {.allocator = &a->allocator}, text = {.allocator = &a->allocator};
    add_text(&text, head);
    error = add_states(a, now, &states, &text);
    add_lines(f, &text);
    if (error == STAMMA_OK && text.failed)
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK && !output->write(output->context, text.data, text.size))
        error = STAMMA_ERROR_IO;
    stamma_buffer_release(&states);
    stamma_buffer_release(&text);
    return error;
}

stamma_error stamma_archive_use_flags(stamma_archive *a, const stamma_flags *flags)
{
    if (!a)
        return STAMMA_ERROR_BAD_ARGUMENT;
    a->flags = flags;
    return STAMMA_OK;
}
