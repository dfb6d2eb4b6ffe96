/* SPDX-License-Identifier: MIT */
/* Tests reading some tags of a block's records without the others: the values must equal the reader's values at each
 * level. Names are found in the order of folded texts, unknown rosters are noticed, and any allocation may fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "changed_block.h"
#include "made_archive.h"
#include "search/search.h"
#include "search/search_index.h"
#include "value_games.h"

#define TEXT(literal)                \
    {                                \
        literal, sizeof(literal) - 1 \
    }

static const stamma_text names[] = {TEXT("Black"),  TEXT("WhiteElo"), TEXT("Date"),  TEXT("White"),
                                    TEXT("Result"), TEXT("Nothing"),  TEXT("Event"), TEXT("TimeControl"),
                                    TEXT("ECO"),    TEXT("Opening")};
enum { NAMES = sizeof names / sizeof *names, FROM_OPENING = NAMES - 2, GAMES = 300 };

typedef struct opened {
    stamma_allocator allocator;
    block_list list;
    found_block at;
    block_index index;
    block_tags tags;
} opened;

static stamma_error open_tags(opened *o, const listing *archive, const stamma_allocator *allocator)
{
    memset(o, 0, sizeof *o);
    o->allocator = *allocator;
    stamma_block_index_init(&o->index, &o->allocator);
    stamma_block_tags_init(&o->tags, &o->allocator);
    const stamma_bytes source = stamma_bytes_of(archive->text, archive->size);
    stamma_error error = stamma_block_list_read(&o->list, &source, &o->allocator);
    if (error == STAMMA_OK)
        error = stamma_block_find(&o->list.places[0], &source, NULL, &o->at);
    if (error == STAMMA_OK)
        error = stamma_block_index_open(&o->index, &o->at);
    if (error == STAMMA_OK)
        error = stamma_block_tags_open(&o->tags, &o->index, &o->at, names, NAMES);
    return error == STAMMA_OK ? stamma_block_tags_fold(&o->tags) : error;
}

static void close_tags(opened *o)
{
    stamma_block_tags_release(&o->tags);
    stamma_block_index_release(&o->index);
    stamma_block_list_release(&o->list, &o->allocator);
}

static listing sample(int level)
{
    listing text = {0};
    list_tagged_games(&text, GAMES);
    list_word(&text, "1. e4 *\n\n[Black \"\"]\n\n1. d4 *\n\n");
    listing archive = pack_at(level, text.text, text.size, NULL);
    free(text.text);
    return archive;
}

static void expect_values(const opened *o, size_t record, const stamma_archive_game *game)
{
    for (size_t n = 0; n < NAMES; n++) {
        const tag_values *v = stamma_block_tags_find(&o->tags, names[n]);
        if (!v && !o->index.has_beginnings && n >= FROM_OPENING) /* depends on moves that were not read */
            continue;
        assert_non_null(v);
        stamma_text wanted = stamma_archive_game_tag(game, names[n]);
        stamma_text got = block_tags_text(&o->tags, v, tag_values_number(v, record));
        assert_true(!got.data == !wanted.data && got.size == wanted.size);
        assert_true(got.size == 0 || memcmp(got.data, wanted.data, got.size) == 0);
    }
}

static void values_are_those_of_the_reader(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    for (int level = 1; level <= (stamma_predictor_id() ? LEVEL_MAX : 1); level++) {
        listing archive = sample(level);
        archive_source source;
        opened o;
        const stamma_archive_game *game;
        assert_int_equal(open_tags(&o, &archive, &allocator), STAMMA_OK);
        stamma_archive_reader *reader = open_archive(&source, &archive, true);
        for (size_t n = 0; n < o.index.records; n++) {
            assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
            assert_non_null(game);
            expect_values(&o, n, game);
        }
        assert_int_equal(o.index.records, GAMES + 2);
        close_reader(reader);
        close_tags(&o);
        free(archive.text);
    }
}

/* Players whose columns come after the columns that may refer to each other. */
static void many_tags(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    listing text = {0};
    for (unsigned n = 0; n < 6; n++) {
        for (unsigned tag = 0; tag < 80; tag++)
            list_format(&text, "[Tag%u \"%u\"]\n", tag, n + tag);
        list_format(&text, "[White \"W%u\"]\n[Black \"W%u\"]\n\n1. e4 *\n\n", n % 3, (n + 1) % 3);
    }
    listing archive = pack(text.text, text.size, NULL);
    opened o;
    assert_int_equal(open_tags(&o, &archive, &allocator), STAMMA_OK);
    const tag_values *v = stamma_block_tags_find(&o.tags, stamma_text_of("White"));
    assert_non_null(v);
    for (unsigned n = 0; n < 6; n++) {
        const stamma_text name = block_tags_text(&o.tags, v, tag_values_number(v, n));
        assert_true(name.size == 2 && name.data[0] == 'W' && name.data[1] == (char)('0' + n % 3));
    }
    close_tags(&o);
    free(archive.text);
    free(text.text);
}

/* A record whose roster is not in the list. */
static void unknown_roster(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    listing text = {0};
    list_word(&text, "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n[Black \"C\"]\n\n1. e4 *\n\n");
    changed_block *f = new_changed_block(1, text);
    buffer *rosters = &find_column(f, COLUMN_ROSTERS)->bytes;
    assert_int_equal(rosters->size, 2);
    for (uint8_t number = 2; number <= 3; number++) { /* the first roster is empty */
        made m = make_archive();
        opened o;
        rosters->data[1] = number;
        make_payload(f);
        const listing payload = {(char *)f->job.payload.data, f->job.payload.size, 0};
        make_block_of(&m, &payload, f->job.frame.head_size, 2, text.size);
        make_commit(&m, true);
        assert_int_equal(open_tags(&o, &m.bytes, &allocator), number == 2 ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
        close_tags(&o);
        free(m.bytes.text);
    }
    release_changed_block(f);
}

static void patterns_find_what_each_text_says(void **state)
{
    static const char *const patterns[] = {"*", "", "a*", "b*c", "?*", "*e", "c??l*", "zzz", "\xC3\xA4*", "*a*"};
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    listing archive = sample(1);
    opened o;
    buffer plain = {.allocator = &allocator}, folded = {.allocator = &allocator};
    assert_int_equal(open_tags(&o, &archive, &allocator), STAMMA_OK);
    const tag_values *v = stamma_block_tags_find(&o.tags, names[3]);
    const text_table *texts = &o.tags.texts[v->texts];
    uint8_t *matches = malloc(texts->count + 1);
    size_t found = 0;
    assert_true(matches && texts->count > 3);
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++) {
        const stamma_text pattern = {patterns[k], strlen(patterns[k])};
        memset(matches, 0, texts->count + 1);
        assert_true(stamma_block_tags_match(&o.tags, v, pattern, matches));
        for (size_t n = 1; n <= texts->count; n++) {
            folded.size = 0;
            stamma_fold_value(text_table_at(texts, n), &plain, &folded);
            const stamma_text text = {folded.size ? (const char *)folded.data : "", folded.size};
            assert_int_equal(matches[n], stamma_pattern_matches(pattern, text));
            found += matches[n];
        }
    }
    assert_true(found > texts->count);
    free(matches);
    stamma_buffer_release(&plain);
    stamma_buffer_release(&folded);
    close_tags(&o);
    free(archive.text);
}

static void memory_may_fail_at_any_call(void **state)
{
    (void)state;
    listing archive = sample(1);
    unsigned failed = 0;
    for (unsigned at = 1; failed + 1 == at; at++) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator allocator = failing_allocator(&memory);
        opened o;
        stamma_error error = open_tags(&o, &archive, &allocator);
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        failed += error != STAMMA_OK;
        close_tags(&o);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(failed > 20);
    free(archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_reader),
        cmocka_unit_test(many_tags),
        cmocka_unit_test(unknown_roster),
        cmocka_unit_test(patterns_find_what_each_text_says),
        cmocka_unit_test(memory_may_fail_at_any_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
