/* SPDX-License-Identifier: MIT */
/* Tests reading games of archives whose blocks do not decode although all checksums of columns are right, or whose
 * blocks are lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/reader.h"
#include "archive_maker.h"
#include "changed_block.h"

/* ---- archives ---- */

/* Adds a block, and releases it. Returns the offset of its frame. */
static size_t add_block(maker *m, changed_block *f)
{
    make_payload(f);
    const buffer *payload = &f->job.payload;
    const size_t at = add_payload(m, (const char *)payload->data, f->job.frame.head_size, payload->size);
    release_changed_block(f);
    return at;
}

/* Adds games by players with this name and a number. */
static void list_games(listing *to, const char *name, unsigned count)
{
    for (unsigned n = 1; n <= count; n++)
        list_format(to, "[White \"%s%u\"]\n\n1. e4 e5 %s 1-0\n\n", name, n, n % 2 ? "2. Nf3" : "2. d4 exd4");
}

static changed_block *games_of(int level, const char *name, unsigned count)
{
    listing text = {0};
    list_games(&text, name, count);
    return new_changed_block(level, text);
}

/* ---- reading ---- */

typedef struct opened {
    failing_memory memory;
    archive_source source;
    listing damage;
    stamma_archive_reader *reader;
} opened;

static void list_damage(void *context, const stamma_archive_damage *d)
{
    list_format(context, "%d at %zu games %u to %u\n", (int)d->kind, (size_t)d->offset, (unsigned)d->first_game,
                (unsigned)d->last_game);
}

static void open_reader(opened *o, const listing *archive, bool seekable, bool reports)
{
    *o = (opened){.source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX}};
    const stamma_allocator allocator = failing_allocator(&o->memory);
    const stamma_archive_reader_options options = {
        .size = sizeof options, .allocator = &allocator, .context = &o->damage, .damage = reports ? list_damage : NULL};
    list_word(&o->damage, "");
    assert_int_equal(open_source(&o->source, seekable, &options, &o->reader), STAMMA_OK);
}

static void close_opened(opened *o)
{
    close_reader(o->reader);
    assert_int_equal(o->memory.alive, 0);
    free(o->damage.text);
}

/* Asserts that the next game is by this player and has this number, or that there is no next game. */
static void expect_game(opened *o, const char *player, uint64_t number)
{
    const stamma_archive_game *game;
    assert_int_equal(stamma_archive_reader_next(o->reader, &game), STAMMA_OK);
    if (!player) {
        assert_null(game);
        return;
    }
    assert_non_null(game);
    const stamma_text white = stamma_archive_game_tag(game, stamma_text_of("White"));
    assert_int_equal(white.size, strlen(player));
    assert_memory_equal(white.data, player, white.size);
    assert_int_equal(game->number, number);
}

static void expect_damage(const opened *o, stamma_damage_kind kind, size_t at, unsigned first, unsigned last)
{
    listing wanted = {0};
    list_format(&wanted, "%d at %zu games %u to %u\n", (int)kind, at, first, last);
    assert_string_equal(o->damage.text, wanted.text);
    free(wanted.text);
}

/* ---- content ---- */

/* The text of a block does not match the checksum in its head. */
static void other_texts(void **state)
{
    (void)state;
    maker m;
    opened o;
    const stamma_archive_game *game;
    begin_archive(&m);
    (void)add_block(&m, games_of(1, "a", 1));
    changed_block *changed = games_of(1, "b", 2);
    changed->counts[8] ^= 1;
    const size_t at = add_block(&m, changed);
    (void)add_block(&m, games_of(1, "c", 1));
    listing archive = end_archive(&m);
    for (int seekable = 0; seekable < 2; seekable++) {
        open_reader(&o, &archive, seekable, true);
        expect_game(&o, "a1", 1);
        expect_game(&o, "c1", 4);
        expect_game(&o, NULL, 0);
        expect_game(&o, NULL, 0);
        expect_damage(&o, STAMMA_DAMAGE_CONTENT, at, 2, 3);
        close_opened(&o);
        open_reader(&o, &archive, seekable, false);
        expect_game(&o, "a1", 1);
        assert_int_equal(stamma_archive_reader_next(o.reader, &game), STAMMA_ERROR_CORRUPT);
        assert_int_equal(stamma_archive_reader_place(o.reader).offset, at);
        close_opened(&o);
    }
    free(archive.text);
}

/* A block that is skipped has fewer results than games. Blocks of level 3 are skipped record by record. */
static void missing_results(void **state)
{
    (void)state;
    for (int level = 1; level <= (stamma_predictor_id() ? LEVEL_ADAPTIVE : 1); level += 2) {
        maker m;
        opened o;
        begin_archive(&m);
        (void)add_block(&m, games_of(1, "a", 1));
        changed_block *changed = games_of(level, "b", 130);
        find_column(changed, COLUMN_RESULTS)->bytes.size = 60;
        const size_t at = add_block(&m, changed);
        (void)add_block(&m, games_of(1, "c", 2));
        listing archive = end_archive(&m);
        open_reader(&o, &archive, true, true);
        assert_int_equal(stamma_archive_reader_seek(o.reader, 100), STAMMA_OK);
        expect_game(&o, "c1", 132);
        expect_damage(&o, STAMMA_DAMAGE_CONTENT, at, 2, 131);
        close_opened(&o);
        open_reader(&o, &archive, true, false);
        assert_int_equal(stamma_archive_reader_seek(o.reader, 100), STAMMA_ERROR_CORRUPT);
        assert_int_equal(stamma_archive_reader_place(o.reader).offset, at);
        close_opened(&o);
        free(archive.text);
    }
}

/* Text after the last game is a record, but no game. */
static void texts_after_games(void **state)
{
    (void)state;
    for (int level = 1; level <= (stamma_predictor_id() ? LEVEL_ADAPTIVE : 1); level++) {
        listing text = {0};
        opened o;
        const stamma_archive_game *game;
        list_games(&text, "a", 130);
        list_word(&text, "{the end}\n");
        listing archive = pack_at(level, text.text, text.size, NULL);
        open_reader(&o, &archive, true, false);
        assert_int_equal(stamma_archive_reader_seek(o.reader, 130), STAMMA_OK);
        expect_game(&o, "a130", 130);
        assert_int_equal(stamma_archive_reader_seek(o.reader, 1), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_seek(o.reader, 131), STAMMA_OK);
        expect_game(&o, NULL, 0);
        assert_int_equal(stamma_archive_reader_seek(o.reader, 130), STAMMA_OK);
        expect_game(&o, "a130", 130);
        assert_int_equal(stamma_archive_reader_next(o.reader, &game), STAMMA_OK);
        assert_true(game && game->continuation);
        close_opened(&o);
        open_reader(&o, &archive, false, false);
        assert_int_equal(stamma_archive_reader_seek(o.reader, 131), STAMMA_OK);
        expect_game(&o, NULL, 0);
        close_opened(&o);
        free(archive.text);
        free(text.text);
    }
}

static void counts_of_damaged_pipes(void **state)
{
    (void)state;
    opened o;
    uint64_t games = 77;
    listing archive = pack("1. e4 *\n", 8, NULL);
    archive.text[ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE] ^= 1;
    open_reader(&o, &archive, false, false);
    assert_int_equal(stamma_archive_reader_game_count(o.reader, &games), STAMMA_ERROR_CORRUPT);
    assert_int_equal(games, 77);
    close_opened(&o);
    free(archive.text);
}

/* ---- lost blocks ---- */

/* Three blocks of three games; the header of the second is damaged, and the commit unless `committed`. */
static listing lose_block(bool committed, size_t *at)
{
    maker m;
    begin_archive(&m);
    (void)add_block(&m, games_of(1, "a", 3));
    *at = add_block(&m, games_of(1, "b", 3));
    (void)add_block(&m, games_of(1, "c", 3));
    const size_t end = m.sink.bytes.size;
    listing archive = end_archive(&m);
    archive.text[*at] ^= 1;
    archive.text[end] ^= (char)!committed;
    return archive;
}

/* The commit contains the number of lost games. The next game is the first game after them. */
static void lost_games(void **state)
{
    (void)state;
    opened o;
    size_t at;
    listing archive = lose_block(true, &at);
    open_reader(&o, &archive, true, true);
    expect_damage(&o, STAMMA_DAMAGE_FRAME, at, 4, 6);
    for (unsigned n = 0; n < 2; n++) { /* the block is open then */
        assert_int_equal(stamma_archive_reader_seek(o.reader, 5), STAMMA_OK);
        expect_game(&o, "c1", 7);
    }
    assert_int_equal(stamma_archive_reader_seek(o.reader, 9), STAMMA_OK);
    expect_game(&o, "c3", 9);
    expect_game(&o, NULL, 0);
    close_opened(&o);
    free(archive.text);
}

/* The number of lost games is unknown, so the games after them have no number. */
static void games_without_a_number(void **state)
{
    (void)state;
    opened o;
    size_t at;
    listing archive = lose_block(false, &at);
    open_reader(&o, &archive, true, true);
    expect_game(&o, "a1", 1);
    expect_game(&o, "a2", 2);
    expect_game(&o, "a3", 3);
    expect_game(&o, "c1", 0);
    assert_int_equal(stamma_archive_reader_seek(o.reader, 5), STAMMA_OK);
    expect_game(&o, NULL, 0);
    assert_int_equal(stamma_archive_reader_seek(o.reader, 4), STAMMA_OK);
    expect_game(&o, NULL, 0);
    assert_int_equal(stamma_archive_reader_seek(o.reader, 3), STAMMA_OK);
    expect_game(&o, "a3", 3);
    expect_game(&o, "c1", 0);
    close_opened(&o);
    free(archive.text);
}

/* A block ends within a game. This is reported as a truncated archive, unless the loss of the next block is
 * reported. */
static void open_games(void **state)
{
    (void)state;
    for (int lost = 0; lost < 2; lost++) {
        maker m;
        opened o;
        listing text = {0};
        begin_archive(&m);
        list_word(&text, "[Variant \"Atomic\"]\n[White \"a1\"]\n\n1. e4 *");
        changed_block *f = new_changed_block(1, text);
        buffer *events = &find_column(f, COLUMN_EVENTS)->bytes;
        assert_int_equal(events->data[events->size - 1], ITEM_END_OF_INPUT);
        events->data[events->size - 1] = ITEM_END_OF_PIECE;
        (void)add_block(&m, f);
        const size_t at = m.sink.bytes.size;
        if (lost)
            (void)add_block(&m, games_of(1, "b", 1));
        listing archive = end_archive(&m);
        archive.text[at] ^= (char)lost;
        open_reader(&o, &archive, true, true);
        const stamma_archive_game *game;
        assert_int_equal(stamma_archive_reader_next(o.reader, &game), STAMMA_OK);
        assert_non_null(game);
        expect_game(&o, NULL, 0);
        if (lost)
            expect_damage(&o, STAMMA_DAMAGE_FRAME, at, 2, 2);
        else
            expect_damage(&o, STAMMA_DAMAGE_END, archive.size, 2, UINT_MAX);
        close_opened(&o);
        free(archive.text);
    }
}

/* After an archive was opened by its table, its header becomes one of a later version. */
static void archives_of_a_later_version(void **state)
{
    (void)state;
    maker m;
    opened o;
    const stamma_archive_game *game;
    begin_archive(&m);
    for (unsigned n = 0; n < TABLE_BLOCKS; n++)
        (void)add_block(&m, games_of(1, "a", 1));
    listing archive = end_archive(&m), later = read_file("tests/data/unsupported-version.stamma");
    assert_true(later.size > ARCHIVE_HEADER_SIZE);
    open_reader(&o, &archive, true, true);
    assert_true(o.reader->by_table);
    for (unsigned n = 1; n <= TABLE_BLOCKS; n++)
        expect_game(&o, "a1", n);
    memcpy(archive.text, later.text, ARCHIVE_HEADER_SIZE);
    assert_int_equal(stamma_archive_reader_next(o.reader, &game), STAMMA_ERROR_IO);
    close_opened(&o);
    free(archive.text);
    free(later.text);
}

/* Adds a fourth block that contains the frame of the first, as if the inner frame were the fifth block. The frame has
 * another id, or the same id and a damaged column. Returns the frame's size. */
static size_t add_outer_block(maker *m, bool same_id)
{
    changed_block *outer = games_of(1, "b", 1);
    const char *first = m->sink.bytes.text + ARCHIVE_HEADER_SIZE, *payload = (const char *)outer->job.payload.data;
    const size_t size = next_frame(&m->sink.bytes, ARCHIVE_HEADER_SIZE) - ARCHIVE_HEADER_SIZE;
    const size_t head_size = outer->job.frame.head_size, inner = outer->job.payload.size - head_size;
    buffer body = {.allocator = &m->allocator};
    frame f;
    block_counts counts;
    cursor in = {outer->job.payload.data, outer->job.payload.data + head_size, false};
    assert_int_equal(stamma_block_counts_read(&in, &counts), STAMMA_OK);
    assert_int_equal(stamma_frame_read((const uint8_t *)first, &f), STAMMA_OK);
    f.number = 4;
    f.id = (uint16_t)(f.id + !same_id);
    buffer_add(&body, payload + head_size, inner);
    buffer_add(&body, first, size);
    stamma_frame_write(&f, body.data + inner);
    body.data[body.size - 1] ^= 1;
    stamma_frame_writer_add_block(&m->out, (stamma_text){payload, head_size},
                                  (stamma_text){(const char *)body.data, body.size}, &counts.counts);
    stamma_buffer_release(&body);
    release_changed_block(outer);
    return size;
}

/* A table lists the frame within the fourth block as the fifth block. */
static void blocks_within_blocks(void **state)
{
    (void)state;
    for (int same_id = 0; same_id < 2; same_id++) {
        maker m;
        opened o;
        begin_archive(&m);
        for (unsigned n = 0; n < 3; n++)
            (void)add_block(&m, games_of(1, "a", 1));
        const size_t size = add_outer_block(&m, same_id);
        for (unsigned n = 0; n < 4; n++)
            (void)add_block(&m, games_of(1, "a", 1));
        m.out.table.entries[3].size -= size;
        m.out.table.entries[4].offset -= size;
        listing archive = end_archive(&m);
        open_reader(&o, &archive, true, true);
        assert_true(o.reader->by_table);
        assert_int_equal(stamma_archive_reader_seek(o.reader, 5), STAMMA_OK);
        for (uint64_t number = 5 + (uint64_t)same_id; number <= 8; number++)
            expect_game(&o, "a1", number);
        expect_game(&o, NULL, 0);
        assert_int_equal(strtol(o.damage.text, NULL, 10), STAMMA_DAMAGE_TABLE);
        close_opened(&o);
        free(archive.text);
    }
}

enum { ERRORS_MAX = 3 };

/* Reads all games, continuing after failed calls until there are ERRORS_MAX errors. Returns the number of games. */
static unsigned count_games(opened *o, stamma_error failure, unsigned *errors)
{
    unsigned games = 0;
    *errors = 0;
    for (;;) {
        const stamma_archive_game *game;
        const stamma_error error = stamma_archive_reader_next(o->reader, &game);
        assert_true(error == STAMMA_OK || error == failure);
        if (error == STAMMA_OK && !game)
            return games;
        games += error == STAMMA_OK;
        *errors += error != STAMMA_OK;
        if (*errors == ERRORS_MAX)
            return games;
    }
}

/* A block does not decode. A call of the input or an allocation fails once, possibly during the scan of all frames that
 * the block causes. At most the games of one other block are then missing. */
static void reading_after_failed_calls(void **state)
{
    (void)state;
    maker m;
    opened o;
    begin_archive(&m);
    for (unsigned n = 0; n < 9; n++) {
        changed_block *f = games_of(1, "a", 1);
        f->counts[8] ^= n == 2;
        (void)add_block(&m, f);
    }
    listing archive = end_archive(&m);
    unsigned errors;
    open_reader(&o, &archive, true, true);
    assert_true(o.reader->by_table);
    const unsigned calls = o.source.calls, allocations = o.memory.calls;
    assert_int_equal(count_games(&o, STAMMA_OK, &errors), 8);
    const unsigned last_call = o.source.calls, last_allocation = o.memory.calls;
    assert_int_equal(errors, 0);
    close_opened(&o);
    for (unsigned fail_at = calls + 1; fail_at <= last_call; fail_at++) {
        open_reader(&o, &archive, true, true);
        o.source.fail_at = fail_at;
        assert_in_range(count_games(&o, STAMMA_ERROR_IO, &errors), 7, 8);
        assert_int_equal(errors, 1);
        close_opened(&o);
    }
    for (unsigned fail_at = allocations + 1; fail_at <= last_allocation; fail_at++) {
        open_reader(&o, &archive, true, true);
        o.memory.fail_at = fail_at;
        const unsigned games = count_games(&o, STAMMA_ERROR_NO_MEMORY, &errors);
        assert_true(games >= 7 || errors == ERRORS_MAX); /* a reader that ran out of memory may keep failing */
        close_opened(&o);
    }
    free(archive.text);
}

static void count_source(void *context, const stamma_archive_source *source)
{
    (void)source;
    ++*(unsigned *)context;
}

/* Copies an archive, and returns the number of sources of the copy. */
static unsigned copy_sources(const listing *archive, bool seekable)
{
    unsigned count = 0;
    opened o;
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    stamma_archive_writer *writer;
    open_reader(&o, archive, seekable, false);
    assert_int_equal(stamma_archive_writer_open(&output, NULL, &writer), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_copy(writer, o.reader), STAMMA_OK);
    assert_int_equal(stamma_archive_writer_finish(writer, NULL), STAMMA_OK);
    stamma_archive_writer_close(writer);
    close_opened(&o);
    open_reader(&o, &sink.bytes, true, false);
    assert_int_equal(stamma_archive_reader_sources(o.reader, count_source, &count), STAMMA_OK);
    close_opened(&o);
    free(sink.bytes.text);
    return count;
}

/* A source with more text than the archive is not copied. */
static void sources_of_more_text(void **state)
{
    (void)state;
    for (uint64_t more = 0; more < 2; more++) {
        maker m;
        begin_archive(&m);
        changed_block *f = games_of(1, "a", 1);
        const stamma_archive_source source = {.text_size = f->text.size + more};
        (void)add_block(&m, f);
        stamma_frame_writer_add_source(&m.out, &source);
        listing archive = end_archive(&m);
        assert_int_equal(copy_sources(&archive, true), more == 0);
        assert_int_equal(copy_sources(&archive, false), more == 0);
        free(archive.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_texts),          cmocka_unit_test(missing_results),
        cmocka_unit_test(texts_after_games),    cmocka_unit_test(counts_of_damaged_pipes),
        cmocka_unit_test(lost_games),           cmocka_unit_test(games_without_a_number),
        cmocka_unit_test(open_games),           cmocka_unit_test(archives_of_a_later_version),
        cmocka_unit_test(blocks_within_blocks), cmocka_unit_test(reading_after_failed_calls),
        cmocka_unit_test(sources_of_more_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
