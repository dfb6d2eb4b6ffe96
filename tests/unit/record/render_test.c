/* SPDX-License-Identifier: MIT */
/* Tests rendering: comparing a text in place has the same result as rendering and comparing, for any change of the
 * text. */
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

static bool renders_alike(const parsed_record *r, const style *s, const stamma_allocator *allocator, size_t *high)
{
    buffer text = {.allocator = allocator};
    bool alike = stamma_render(&r->record, s, &text, high) == STAMMA_OK && text.size == r->text.size &&
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
        size_t rendered, compared;
        if (s->comment_words)
            continue;
        bool alike = renders_alike(&c->parser.parsed, s, &c->allocator, &rendered);
        if (s->wrap == WRAP_NONE) {
            assert_int_equal(stamma_stands_as_rendered(&c->parser.parsed, s), alike);
        } else {
            assert_int_equal(stamma_fits_wrapped(&c->parser.parsed, s, &compared), alike);
            assert_true(!alike || compared == rendered);
        }
        c->alike += alike;
        c->different += !alike;
    }
}

/* Inserts, replaces or deletes a byte, or truncates the text. New bytes are bytes that occur in layouts and moves. */
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
        size_t high;
        assert_true(buffer_reserve(&out, r->text.size + ROOM));
        out.capacity = capacity;
        stamma_error error = stamma_render(&r->record, s, &out, &high);
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

/* ---- hand-made records and styles ---- */

enum { ITEMS_MAX = 4 };

typedef struct made_record {
    item items[ITEMS_MAX];
    item_place places[ITEMS_MAX];
    parsed_record parsed;
} made_record;

/* Adds an item that is written from `begin` to `end`. Comments have delimiters there. */
static void add_item(made_record *m, item_kind kind, size_t begin, size_t end)
{
    const size_t n = m->parsed.record.item_count++, edge = kind == ITEM_COMMENT;
    m->items[n] = (item){.kind = (uint8_t)kind};
    m->items[n].text = (stamma_text){m->parsed.text.data + begin + edge, end - begin - 2 * edge};
    m->places[n] = (item_place){(uint32_t)begin, (uint32_t)end, false};
}

static void begin_record(made_record *m, const char *text, size_t size)
{
    *m = (made_record){.parsed.text = {text, size}};
    m->parsed.record.items = m->items;
    m->parsed.places = m->places;
}

static void set_template(style *s, unsigned before, unsigned after, const char *bytes)
{
    gap_template *t = &s->templates[before << 4 | after];
    t->set = true;
    t->size = (uint8_t)strlen(bytes);
    memcpy(t->bytes, bytes, t->size);
    stamma_style_prepare(s, before << 4 | after);
}

/* A comment of 500 words, each on a line, so that lines need more memory than is reserved for the comment. */
static void each_word_on_a_line(void **state)
{
    enum { WORDS = 500 };
    listing text = {0};
    style s = {.line_end = LINE_END_CRLF, .breakable = BREAK_ALL, .comment_words = true, .limit_low = 3};
    (void)state;
    list_word(&text, "{a");
    for (unsigned n = 1; n < WORDS; n++)
        list_word(&text, "\r\na");
    list_word(&text, "}");
    char *words = calloc(2 * WORDS, 1);
    assert_non_null(words);
    for (unsigned n = 0; n < WORDS; n++)
        memcpy(words + 2 * n, "a ", 2);
    set_template(&s, 0, ITEM_COMMENT, "");
    set_template(&s, ITEM_COMMENT, ITEM_END, "");
    for (s.wrap = WRAP_FIT; s.wrap <= WRAP_THRESHOLD; s.wrap++) {
        made_record m;
        s.limit_low = s.wrap == WRAP_FIT ? 3 : 1;
        begin_record(&m, text.text, text.size);
        add_item(&m, ITEM_COMMENT, 0, text.size);
        add_item(&m, ITEM_END, text.size, text.size);
        m.items[0].text = (stamma_text){words, 2 * WORDS - 1};
        render_without_memory(&m.parsed, &s);
    }
    free(words);
    free(text.text);
}

/* Text that is longer than the memory that is reserved for an item. Its first line does not fit in the line of the
 * previous comment. */
static void text_after_a_blank(void **state)
{
    listing text = {0};
    made_record m;
    style s = {.line_end = LINE_END_CRLF, .wrap = WRAP_FIT, .breakable = BREAK_ALL, .limit_low = 10};
    (void)state;
    set_template(&s, 0, ITEM_COMMENT, "");
    set_template(&s, ITEM_COMMENT, ITEM_TEXT, " ");
    set_template(&s, ITEM_TEXT, ITEM_END, "");
    list_word(&text, "{a}\r\n");
    for (unsigned n = 0; n < 400; n++)
        list_word(&text, "x");
    list_word(&text, "\nb");
    begin_record(&m, text.text, text.size);
    add_item(&m, ITEM_COMMENT, 0, 3);
    add_item(&m, ITEM_TEXT, 5, text.size);
    add_item(&m, ITEM_END, text.size, text.size);
    render_without_memory(&m.parsed, &s);
    free(text.text);
}

/* ---- limits ---- */

/* Makes a game with garbage before each blank, in lines of at most `width` bytes. Some lines are too short. */
static listing make_lines(unsigned width)
{
    static const char *const moves[] = {"Nf3&", "Nf6&", "Ng1&", "Ng8&"};
    listing text = {0};
    size_t line = 0;
    list_word(&text, "1.");
    for (unsigned n = 0; n < 40; n++) {
        const size_t size = text.size - line;
        const bool late = size + 5 > width;
        list_word(&text, late != (random_below(20) == 0) ? "\n" : " ");
        line = text.text[text.size - 1] == '\n' ? text.size : line;
        list_word(&text, moves[n % 4]);
    }
    list_word(&text, " *\n");
    return text;
}

/* Each limit of the style that is found for a record, up to the largest limit, renders the record. */
static void limits_of_styles(void **state)
{
    comparing *c = (comparing *)calloc(1, sizeof *c);
    unsigned wrapped = 0, exceptional = 0;
    (void)state;
    assert_non_null(c);
    c->allocator = stamma_allocator_or_default(NULL);
    stamma_parser_init(&c->parser, &c->allocator);
    for (unsigned n = 0; n < 1000; n++) {
        listing text = make_lines(10 + n % 40);
        bool found;
        size_t high;
        stamma_style_search_init(&c->search, &c->allocator);
        assert_true(parse(c, text.text, text.size));
        assert_int_equal(stamma_style_search_find(&c->search, &c->parser.parsed, &found), STAMMA_OK);
        assert_true(found);
        style s = c->search.styles.styles[c->parser.parsed.record.style];
        assert_true(renders_alike(&c->parser.parsed, &s, &c->allocator, &high));
        wrapped += s.wrap != WRAP_NONE;
        exceptional += c->parser.parsed.record.exception_count > 0;
        s.limit_low = s.limit_high;
        assert_true(renders_alike(&c->parser.parsed, &s, &c->allocator, &high));
        stamma_style_search_release(&c->search);
        free(text.text);
    }
    assert_true(wrapped > 100 && exceptional > 100);
    stamma_parser_release(&c->parser);
    free(c);
}

/* Texts that end too early, blanks that belong to an item, fixed blanks, and the ends of pieces and of records: the
 * text that is rendered in their place, and whether it equals the original. */
static void wrapped_records(void **state)
{
    static const struct {
        const char *text;
        uint8_t breakable;
        uint32_t limit;
        size_t begin, end; /* of the second item, which a comment of three bytes precedes */
        item_kind kind, last;
        const char *gap, *rendered;
    } all[] = {
        {"{a}", BREAK_ALL, 9, 3, 3, ITEM_RESULT, ITEM_END, " ", "{a} *"},
        {"{a} b", BREAK_ALL, 9, 3, 5, ITEM_TEXT, ITEM_END, " ", "{a}  b"},
        {"{a} *", BREAK_ALL, 9, 4, 5, ITEM_RESULT, ITEM_END, " ", "{a} *"},
        {"{a}\n *", BREAK_NOT_RESULT, 9, 5, 6, ITEM_RESULT, ITEM_END, "\2 ", "{a}\n *"},
        {"{a} {b}", BREAK_ALL, 7, 4, 7, ITEM_COMMENT, ITEM_END, " ", "{a}\n{b}"},
        {"{a} {b}", BREAK_ALL, 8, 4, 7, ITEM_COMMENT, ITEM_END, " ", "{a} {b}"},
        {"{a}\n{b}", BREAK_ALL, 7, 4, 7, ITEM_COMMENT, ITEM_END, " ", "{a}\n{b}"},
        {"{a} {b}", BREAK_ALL, 8, 4, 7, ITEM_COMMENT, ITEM_END_OF_PIECE, " ", "{a} {b}"},
        {"{a} {b}&", BREAK_ALL, 9, 4, 7, ITEM_COMMENT, ITEM_END_OF_PIECE, " ", "{a} {b}"},
        {"{a} {b}", BREAK_ALL, 7, 4, 7, ITEM_COMMENT, ITEM_END_OF_PIECE, " ", "{a}\n{b}"},
    };
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    (void)state;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        const size_t size = strlen(all[n].text);
        made_record m;
        style s = {.wrap = WRAP_FIT, .breakable = all[n].breakable, .limit_low = all[n].limit};
        size_t high;
        set_template(&s, 0, ITEM_COMMENT, "");
        set_template(&s, ITEM_COMMENT, all[n].kind, all[n].gap);
        set_template(&s, all[n].kind, all[n].last, "");
        begin_record(&m, all[n].text, size);
        add_item(&m, ITEM_COMMENT, 0, 3);
        add_item(&m, all[n].kind, all[n].begin, all[n].end);
        add_item(&m, all[n].last, size, size);
        buffer out = {.allocator = &allocator};
        assert_int_equal(stamma_render(&m.parsed.record, &s, &out, NULL), STAMMA_OK);
        assert_int_equal(out.size, strlen(all[n].rendered));
        assert_memory_equal(out.data, all[n].rendered, out.size);
        assert_int_equal(stamma_fits_wrapped(&m.parsed, &s, &high), strcmp(all[n].text, all[n].rendered) == 0);
        stamma_buffer_release(&out);
    }
}

/* A fixed blank ends a unit that is too long. */
static void fixed_blanks(void **state)
{
    static const char text[] = "{a} {b} *";
    (void)state;
    for (uint32_t limit = 7; limit <= 8; limit++) {
        made_record m;
        size_t high;
        style s = {.wrap = WRAP_FIT, .breakable = BREAK_NOT_RESULT, .limit_low = limit};
        set_template(&s, 0, ITEM_COMMENT, "");
        set_template(&s, ITEM_COMMENT, ITEM_COMMENT, " ");
        set_template(&s, ITEM_COMMENT, ITEM_RESULT, " ");
        set_template(&s, ITEM_RESULT, ITEM_END, "");
        begin_record(&m, text, sizeof text - 1);
        add_item(&m, ITEM_COMMENT, 0, 3);
        add_item(&m, ITEM_COMMENT, 4, 7);
        add_item(&m, ITEM_RESULT, 8, 9);
        add_item(&m, ITEM_END, 9, 9);
        assert_int_equal(stamma_fits_wrapped(&m.parsed, &s, &high), limit == 8);
    }
}

/* A record is not longer than the maximum length of a piece. */
static void records_are_not_too_long(void **state)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    char *text = calloc(PIECE_TEXT_MAX + 1, 1);
    style s = {.limit_low = 0};
    (void)state;
    assert_non_null(text);
    set_template(&s, 0, ITEM_TEXT, "");
    set_template(&s, ITEM_TEXT, ITEM_END, "");
    for (size_t size = PIECE_TEXT_MAX; size <= PIECE_TEXT_MAX + 1; size++) {
        made_record m;
        buffer out = {.allocator = &allocator};
        begin_record(&m, text, size);
        add_item(&m, ITEM_TEXT, 0, size);
        add_item(&m, ITEM_END, size, size);
        assert_int_equal(stamma_render(&m.parsed.record, &s, &out, NULL),
                         size == PIECE_TEXT_MAX ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
        stamma_buffer_release(&out);
    }
    free(text);
}

/* Templates that the style lacks, before and after the last exception, and exceptions of items that do not exist. */
static void missing_templates(void **state)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    (void)state;
    for (unsigned lacking = 0; lacking < 3; lacking++)
        for (uint32_t slot = 1; slot <= 5; slot += 2) {
            made_record m;
            buffer out = {.allocator = &allocator};
            exception instead = {slot, {"x", 1}};
            style s = {.limit_low = 0};
            if (lacking != 1)
                set_template(&s, 0, ITEM_COMMENT, "");
            if (lacking != 2)
                set_template(&s, ITEM_COMMENT, ITEM_END, "");
            begin_record(&m, "{a}", 3);
            add_item(&m, ITEM_COMMENT, 0, 3);
            add_item(&m, ITEM_END, 3, 3);
            m.parsed.record.exceptions = &instead;
            m.parsed.record.exception_count = 1;
            const stamma_error error = stamma_render(&m.parsed.record, &s, &out, NULL);
            assert_int_equal(error, lacking > 0 || slot == 5 ? STAMMA_ERROR_CORRUPT : STAMMA_OK);
            if (error == STAMMA_OK)
                assert_memory_equal(out.data, slot == 1 ? "x" : "{a}x", out.size);
            stamma_buffer_release(&out);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standing_is_rendering_alike),
        cmocka_unit_test(memory_ends_at_any_byte),
        cmocka_unit_test(each_word_on_a_line),
        cmocka_unit_test(text_after_a_blank),
        cmocka_unit_test(limits_of_styles),
        cmocka_unit_test(wrapped_records),
        cmocka_unit_test(fixed_blanks),
        cmocka_unit_test(records_are_not_too_long),
        cmocka_unit_test(missing_templates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
