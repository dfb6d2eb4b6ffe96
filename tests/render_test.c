/* Tests rendering: comparing a text in place has the same result as rendering and comparing, whatever was changed in
 * the text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "game_texts.h"
#include "record/record.h"
#include "sample_positions.h"

typedef struct comparing {
    stamma_allocator allocator;
    parser parser;
    style_search search;
    unsigned alike, different;
} comparing;

static bool renders_alike(const parsed_record *r, const style *s, const stamma_allocator *allocator, limit_range *range)
{
    buffer text = {.allocator = allocator};
    bool alike = stamma_render(&r->record, s, &text, range) == STAMMA_OK && text.size == r->text.size &&
                 memcmp(text.data, r->text.data, text.size) == 0;
    stamma_buffer_release(&text);
    return alike;
}

/* Finds the first record of a text. Returns false if there is none. */
static bool parse(comparing *c, const char *text, size_t size)
{
    bool found;
    stamma_parser_release(&c->parser);
    stamma_parser_init(&c->parser, &c->allocator);
    stamma_parser_feed(&c->parser, (const uint8_t *)text, size, true);
    assert_int_equal(stamma_parser_next(&c->parser, &found), STAMMA_OK);
    return found;
}

/* Compares the first record of a text in all styles except those that wrap in comments. */
static void compare(comparing *c, const char *text, size_t size)
{
    bool found = parse(c, text, size);
    for (size_t i = 0; found && i < c->search.styles.count; i++) {
        const style *s = &c->search.styles.styles[i];
        limit_range rendered, compared;
        if (s->comment_words)
            continue;
        bool alike = renders_alike(&c->parser.parsed, s, &c->allocator, &rendered);
        if (s->wrap == WRAP_NONE) {
            assert_int_equal(stamma_stands_as_rendered(&c->parser.parsed, s), alike);
        } else {
            assert_int_equal(stamma_fits_wrapped(&c->parser.parsed, s, &compared), alike);
            assert_true(!alike || (compared.low == rendered.low && compared.high == rendered.high));
        }
        c->alike += alike;
        c->different += !alike;
    }
}

/* Inserts, replaces or deletes a byte, or cuts the text off. New bytes are those that layouts and moves consist of. */
static size_t change(uint64_t *random, const char *text, size_t size, char *changed)
{
    static const char bytes[] = " \n+#x.1239aghNRBQO=-!?$;{}()*";
    size_t at = (size_t)(random_next(random) % size), way = (size_t)(random_next(random) % 4);
    memcpy(changed, text, at);
    size_t made = at;
    if (way == 3)
        return made;
    if (way != 0)
        changed[made++] = bytes[random_next(random) % (sizeof bytes - 1)];
    size_t rest = at + (way != 2);
    memcpy(changed + made, text + rest, size - rest);
    return made + size - rest;
}

static void standing_is_rendering_alike(void **state)
{
    (void)state;
    comparing *c = (comparing *)calloc(1, sizeof *c);
    uint64_t random = 11;
    assert_non_null(c);
    c->allocator = stamma_allocator_or_default(NULL);
    stamma_parser_init(&c->parser, &c->allocator);
    stamma_style_search_init(&c->search, &c->allocator);
    for (const text_style *s = text_styles; s->name; s++) {
        for (int game = 0; game < 4; game++) {
            listing text = {0};
            bool found;
            list_game(&text, s);
            assert_true(parse(c, text.text, text.size));
            assert_int_equal(stamma_style_search_find(&c->search, &c->parser.parsed, &found), STAMMA_OK);
            assert_true(found);
            char *changed = (char *)malloc(text.size + 1);
            assert_non_null(changed);
            compare(c, text.text, text.size);
            for (int n = 0; n < 200; n++)
                compare(c, changed, change(&random, text.text, text.size, changed));
            free(changed);
            free(text.text);
        }
    }
    assert_true(c->alike > 50);
    assert_true(c->different > 1000);
    stamma_parser_release(&c->parser);
    stamma_style_search_release(&c->search);
    free(c);
}

/* Renders to buffers of every capacity that cannot grow. */
static void render_without_memory(const parsed_record *r, const style *s)
{
    enum { ROOM = 1000 }; /* more than is reserved for an item */
    unsigned refused = 0;
    for (size_t capacity = 0; capacity <= r->text.size + ROOM; capacity++) {
        failing_memory memory = {.fail_at = 2, .lasting = true};
        const stamma_allocator failing = failing_allocator(&memory);
        buffer out = {.allocator = &failing};
        limit_range range;
        assert_true(buffer_reserve(&out, r->text.size + ROOM));
        out.capacity = capacity;
        stamma_error error = stamma_render(&r->record, s, &out, &range);
        assert_int_equal(error, memory.calls == 1 ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY);
        assert_true(out.size <= capacity);
        if (error == STAMMA_OK) {
            assert_int_equal(out.size, r->text.size);
            assert_memory_equal(out.data, r->text.data, out.size);
        }
        refused += error != STAMMA_OK;
        stamma_buffer_release(&out);
    }
    assert_in_range(refused, 1, r->text.size + ROOM);
}

/* Parses a game of a style in which `changes` bytes were changed. Returns false if there is no record. */
static bool parse_changed(comparing *c, const text_style *style, int changes, char *text, size_t room)
{
    static uint64_t random = 5;
    listing game = {0};
    list_game(&game, style);
    assert_true(game.size + (size_t)changes < room);
    size_t size = game.size;
    memcpy(text, game.text, size);
    for (; changes > 0 && size > 0; changes--) {
        free(game.text);
        game = (listing){0};
        list_bytes(&game, text, size);
        size = change(&random, game.text, size, text);
    }
    free(game.text);
    return size > 0 && parse(c, text, size);
}

static void memory_ends_at_any_byte(void **state)
{
    (void)state;
    static char text[1 << 16];
    comparing *c = (comparing *)calloc(1, sizeof *c);
    unsigned wrapped = 0, exceptional = 0;
    assert_non_null(c);
    c->allocator = stamma_allocator_or_default(NULL);
    stamma_parser_init(&c->parser, &c->allocator);
    stamma_style_search_init(&c->search, &c->allocator);
    for (const text_style *s = text_styles; s->name; s++)
        for (int game = 0; game < 6; game++) {
            bool found;
            if (!parse_changed(c, s, game % 3, text, sizeof text))
                continue;
            const record *r = &c->parser.parsed.record;
            assert_int_equal(stamma_style_search_find(&c->search, &c->parser.parsed, &found), STAMMA_OK);
            assert_true(found);
            render_without_memory(&c->parser.parsed, &c->search.styles.styles[r->style]);
            wrapped += c->search.styles.styles[r->style].wrap != WRAP_NONE;
            exceptional += r->exception_count > 0;
        }
    assert_in_range(wrapped, 10, 999);
    assert_in_range(exceptional, 1, 999);
    stamma_parser_release(&c->parser);
    stamma_style_search_release(&c->search);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standing_is_rendering_alike),
        cmocka_unit_test(memory_ends_at_any_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
