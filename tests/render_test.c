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

static bool renders_alike(const parsed_record *r, const style *s, const stamma_allocator *allocator)
{
    buffer text = {.allocator = allocator};
    bool alike = stamma_render(&r->record, s, &text, NULL) == STAMMA_OK && text.size == r->text.size &&
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

/* Compares the first record of a text in all styles that do not wrap. */
static void compare(comparing *c, const char *text, size_t size)
{
    bool found = parse(c, text, size);
    for (size_t i = 0; found && i < c->search.styles.count; i++) {
        const style *s = &c->search.styles.styles[i];
        if (s->wrap != WRAP_NONE)
            continue;
        bool alike = renders_alike(&c->parser.parsed, s, &c->allocator);
        assert_int_equal(stamma_stands_as_rendered(&c->parser.parsed, s), alike);
        c->alike += alike;
        c->different += !alike;
    }
}

/* Inserts, replaces or deletes a byte. New bytes are those that layouts and moves consist of. */
static size_t change(uint64_t *random, const char *text, size_t size, char *changed)
{
    static const char bytes[] = " \n+#x.1239aghNRBQO=-!?$;{}()*";
    size_t at = (size_t)(random_next(random) % size), way = (size_t)(random_next(random) % 3);
    memcpy(changed, text, at);
    size_t made = at;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standing_is_rendering_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
