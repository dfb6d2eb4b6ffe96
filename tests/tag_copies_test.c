/* Tag values by rules (clause 14): what each rule gives, and that nothing which a file may say does harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive/archive.h"

enum { RECORDS = 400, COLUMNS = 4, JOINED = 64 };

static buffer buffer_of(const stamma_allocator *allocator, const char *bytes, size_t size)
{
    buffer b = {.allocator = allocator};
    buffer_add(&b, bytes, size);
    return b;
}

/* Columns of a small archive, each with rules, symbols and literals. */
typedef struct columns {
    stamma_allocator allocator;
    copied_values values[COLUMNS];
    cursor literals[COLUMNS];
    tag_copies copies;
} columns;

static void add_twin(columns *c, size_t column, size_t twin, const char *rules, size_t rule_bytes, const char *symbols,
                     size_t symbol_count, const char *literals, size_t literal_bytes)
{
    c->allocator = stamma_allocator_or_default(NULL);
    c->copies.values.allocator = &c->allocator;
    copied_values *v = &c->values[column];
    stamma_copied_values_init(v, &c->allocator);
    v->rules = buffer_of(&c->allocator, rules, rule_bytes);
    v->symbols = buffer_of(&c->allocator, symbols, symbol_count);
    v->literals = buffer_of(&c->allocator, literals, literal_bytes);
    c->literals[column] = (cursor){v->literals.data, v->literals.data + v->literals.size, false};
    assert_int_equal(stamma_tag_copies_set(&c->copies, column, twin, v, JOINED), STAMMA_OK);
}

static void add_column(columns *c, size_t column, const char *rules, size_t rule_bytes, const char *symbols,
                       size_t symbol_count, const char *literals, size_t literal_bytes)
{
    add_twin(c, column, COPY_COLUMNS_MAX, rules, rule_bytes, symbols, symbol_count, literals, literal_bytes);
}

static void release(columns *c)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (c->values[i].rules.allocator)
            stamma_copied_values_release(&c->values[i]);
    stamma_tag_copies_release(&c->copies, &c->allocator);
}

static void expect(columns *c, size_t column, const char *value)
{
    stamma_text text = stamma_tag_copies_take(&c->copies, column, &c->literals[column], &c->allocator);
    assert_false(c->literals[column].failed);
    assert_int_equal(text.size, strlen(value));
    assert_memory_equal(text.data, value, text.size);
}

static void expect_corrupt(columns *c, size_t column)
{
    stamma_tag_copies_take(&c->copies, column, &c->literals[column], &c->allocator);
    assert_true(c->literals[column].failed);
}

static void begin(columns *c, const char *codes)
{
    stamma_tag_copies_begin(&c->copies, (stamma_text){codes, strlen(codes)});
}

/* The value before; that of another column; the last one beside the same value of another column. */
static void rules_give_values(void **state)
{
    (void)state;
    columns c = {0};
    add_column(&c, 0, "\1\0", 2, "\0\1\0\0", 4, "A\0B\0A\0", 6);
    add_column(&c, 1, "\1\1\0\1", 4, "\0\1\2\1", 4, "a\0", 2);
    static const char *const values[4][2] = {{"A", "a"}, {"A", "a"}, {"B", "B"}, {"A", "a"}};
    for (size_t r = 0; r < 4; r++) {
        begin(&c, "");
        expect(&c, 0, values[r][0]);
        expect(&c, 1, values[r][1]);
    }
    assert_true(stamma_tag_copies_is_done(&c.copies));
    release(&c);
}

/* The last value behind the same two first moves; a game of fewer moves has a key of its own. */
static void first_moves_are_keys(void **state)
{
    (void)state;
    columns c = {0};
    add_column(&c, 0, "\1\102", 2, "\0\0\1\0\1", 5, "C00\0B20\0A00\0", 12);
    static const char *const games[5][2] = {{"abc", "C00"}, {"axx", "B20"}, {"abq", "C00"}, {"a", "A00"}, {"a", "A00"}};
    for (size_t r = 0; r < 5; r++) {
        begin(&c, games[r][0]);
        expect(&c, 0, games[r][1]);
    }
    release(&c);
}

/* A value that has not come in this record, or a key that has not come at all, gives nothing. */
static void rules_without_value_are_corrupt(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 5; n++) {
        static const char *const rules[5] = {"\1\0", "\0\2", "\1\2", "\1\101", "\0\1"};
        columns c = {0};
        add_column(&c, 0, rules[n], 2, "\1", 1, "x\0", 2);
        begin(&c, "abc");
        expect_corrupt(&c, 0);
        release(&c);
    }
    columns c = {0};
    add_column(&c, 0, "\1\0", 2, "\2\0", 2, "x\0", 2);
    begin(&c, "");
    expect_corrupt(&c, 0); /* there is no second rule */
    release(&c);
    columns d = {0};
    add_column(&d, 0, "\1\0", 2, "\0", 1, "x", 1);
    begin(&d, "");
    expect_corrupt(&d, 0); /* no zero byte */
    expect_corrupt(&d, 0); /* no symbol either */
    release(&d);
}

/* A value with a literal behind it: remembered like any other, and corrupt where the column has no room for it. */
static void values_begin_with_others(void **state)
{
    (void)state;
    columns c = {0};
    add_column(&c, 0, "", 0, "", 0, "Anderssen\0Kieseritzky\0", 22);
    add_column(&c, 1, "\2\1\1\0", 4, "\1\1\2\2\1\1", 6, " won\0\0 and so on, and so on, and so on\0", 38);
    static const char *const values[4][2] = {
        {"Anderssen", "Anderssen won"}, {"Kieseritzky", "Kieseritzky"}, {"", "Kieseritzky"}, {"", "Kieseritzky"}};
    for (size_t r = 0; r < 4; r++) {
        begin(&c, "");
        if (r < 2)
            expect(&c, 0, values[r][0]);
        expect(&c, 1, values[r][1]);
    }
    begin(&c, "");
    expect_corrupt(&c, 1); /* no value to begin with */
    release(&c);
    columns d = {0};
    add_column(&d, 0, "", 0, "", 0, "x\0", 2);
    add_column(&d, 1, "\2\1", 2, "\1\1", 2, "0123456789012345678901234567890123456789012345678901234567890123\0\0", 66);
    begin(&d, "");
    expect(&d, 0, "x");
    expect_corrupt(&d, 1); /* 65 bytes */
    release(&d);
}

/* A player's rating is remembered from either colour, and is the same key wherever it came from. */
static void twins_remember_together(void **state)
{
    (void)state;
    columns c = {0};
    add_column(&c, 0, "", 0, "", 0, "Anderssen\0Anderssen\0Morphy\0", 27);
    add_column(&c, 1, "\3\1", 2, "\0", 1, "2600\0", 5);
    add_twin(&c, 2, 1, "\3\1", 2, "\1\0", 2, "2600\0", 5);
    add_column(&c, 3, "\1\3", 2, "\0\1", 2, "GM\0", 3);
    begin(&c, "");
    expect(&c, 0, "Anderssen");
    expect(&c, 1, "2600");
    begin(&c, "");
    expect(&c, 0, "Anderssen");
    expect(&c, 2, "2600"); /* from the twin */
    expect(&c, 3, "GM");
    begin(&c, "");
    expect(&c, 0, "Morphy");
    expect(&c, 2, "2600"); /* a literal */
    expect(&c, 3, "GM");
    assert_true(stamma_tag_copies_is_done(&c.copies));
    release(&c);
}

/* The texts of a game, and a key: the last value at the same opening. */
static void rules_look_at_games(void **state)
{
    (void)state;
    columns c = {0};
    add_column(&c, 0, "\0\201\0\202", 4, "\1\2", 2, "", 0);
    add_column(&c, 1, "\0\203\0\204\0\205\0\206", 8, "\2\3", 2, "", 0);
    add_column(&c, 2, "\1\200", 2, "\0\1\0\1", 4, "Sicilian\0none\0", 14);
    stamma_position end = stamma_position_start();
    const stamma_move moves[] = {stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH),
                                 stamma_move_make(50, 34, STAMMA_FLAG_DOUBLE_PUSH)};
    static const char *const values[2][2] = {{"B20", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6"},
                                             {"Sicilian Defense", "2"}};
    for (size_t i = 0; i < 2; i++)
        stamma_position_make(&end, moves[i], &end);
    for (size_t r = 0; r < 4; r++) {
        begin(&c, "");
        stamma_tag_copies_play(&c.copies, r >= 2, moves, 2, &end);
        for (size_t i = 0; i < 2 && r < 2; i++)
            expect(&c, i, values[r][i]);
        expect(&c, 2, r < 2 ? "Sicilian" : "none"); /* set up: no opening */
    }
    assert_true(c.copies.columns[0].late && c.copies.columns[1].late && c.copies.columns[2].late);
    assert_true(stamma_tag_copies_is_done(&c.copies));
    release(&c);
}

/* Passed without its moves, a game's end is not known; what is remembered stays the same. */
static void made_texts_are_not_remembered(void **state)
{
    (void)state;
    for (unsigned passed = 0; passed < 2; passed++) {
        columns c = {0};
        add_column(&c, 0, "\0\203\1\0", 4, "\0\2\1\2", 4, "x\0", 2);
        add_column(&c, 1, "\1\1", 2, "\0\1\0", 3, "x\0nothing\0", 10);
        stamma_position start = stamma_position_start();
        for (size_t r = 0; r < 3; r++) {
            begin(&c, "");
            stamma_tag_copies_play(&c.copies, false, NULL, 0, passed ? NULL : &start);
            if (r < 2)
                expect(&c, 0, "x");
            else
                stamma_tag_copies_take(&c.copies, 0, &c.literals[0], &c.allocator);
            expect(&c, 1, r < 2 ? "x" : "nothing");
        }
        begin(&c, "");
        stamma_tag_copies_play(&c.copies, false, NULL, 0, passed ? NULL : &start);
        expect_corrupt(&c, 0);
        release(&c);
    }
}

static void unknown_rules_are_refused(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    static const char *const rules[] = {"\4\1",   "\0\0",   "\0\101", "\0\200", "\1\201", "\1\203", "\2\0",  "\2\101",
                                        "\2\202", "\0\207", "\1\377", "\3\0",   "\3\101", "\3\200", "\1\0\1"};
    for (size_t n = 0; n < sizeof rules / sizeof *rules; n++) {
        columns c = {.allocator = allocator};
        c.copies.values.allocator = &allocator;
        copied_values v;
        stamma_copied_values_init(&v, &allocator);
        v.rules = buffer_of(&allocator, rules[n], n == 14 ? 3 : 2);
        assert_int_equal(stamma_tag_copies_set(&c.copies, 0, COPY_COLUMNS_MAX, &v, 0), STAMMA_ERROR_CORRUPT);
        stamma_copied_values_release(&v);
    }
    columns c = {.allocator = allocator};
    copied_values five;
    stamma_copied_values_init(&five, &allocator);
    five.rules = buffer_of(&allocator, "\1\0\1\0\1\0\1\0\1\0", 10);
    assert_int_equal(stamma_tag_copies_set(&c.copies, 0, COPY_COLUMNS_MAX, &five, 0), STAMMA_ERROR_CORRUPT);
    memcpy(five.rules.data, "\3\1\3\2", 4);
    five.rules.size = 4;
    assert_int_equal(stamma_tag_copies_set(&c.copies, 0, COPY_COLUMNS_MAX, &five, 0), STAMMA_ERROR_CORRUPT);
    five.rules.size = 2;
    assert_int_equal(stamma_tag_copies_set(&c.copies, COPY_COLUMNS_MAX, COPY_COLUMNS_MAX, &five, 0),
                     STAMMA_ERROR_CORRUPT);
    stamma_copied_values_release(&five);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* Random rules, symbols and literals: values or corrupt, and never more than the literals hold. */
static void random_columns_do_no_harm(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 300; round++) {
        columns c = {0};
        for (size_t i = 0; i < COLUMNS; i++) {
            char rules[8], symbols[RECORDS], literals[RECORDS];
            for (size_t n = 0; n < 4; n++) {
                rules[2 * n] = (char)(next_random(&seed) % 3);
                rules[2 * n + 1] = (char)(1 + next_random(&seed) % (rules[2 * n] == 1 ? 128 : COLUMNS));
                if (rules[2 * n] == 0 && next_random(&seed) % 2)
                    rules[2 * n + 1] = (char)(129 + next_random(&seed) % 6);
            }
            for (size_t n = 0; n < RECORDS; n++) {
                symbols[n] = (char)(n < 4 ? 0 : next_random(&seed) % 5);
                literals[n] = "\0ab\0"[next_random(&seed) % 4];
            }
            add_column(&c, i, rules, 2 * (next_random(&seed) % 5), symbols, RECORDS, literals, RECORDS);
        }
        for (size_t r = 0; r < RECORDS; r++) {
            stamma_position start = stamma_position_start();
            const stamma_move move = stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH);
            begin(&c, &"abcabcab"[next_random(&seed) % 8]);
            stamma_tag_copies_play(&c.copies, r % 3 == 0, &move, r % 2, r % 5 == 0 ? NULL : &start);
            for (size_t i = 0; i < COLUMNS; i++) {
                stamma_text text = stamma_tag_copies_take(&c.copies, i, &c.literals[i], &c.allocator);
                assert_true(text.size <= RECORDS);
            }
        }
        release(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_give_values),
        cmocka_unit_test(first_moves_are_keys),
        cmocka_unit_test(rules_without_value_are_corrupt),
        cmocka_unit_test(values_begin_with_others),
        cmocka_unit_test(twins_remember_together),
        cmocka_unit_test(rules_look_at_games),
        cmocka_unit_test(made_texts_are_not_remembered),
        cmocka_unit_test(unknown_rules_are_refused),
        cmocka_unit_test(random_columns_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
