/* Coded choices of tag values (clauses 14.7 to 14.9): what is remembered, what each choice stands for, and that nothing
 * which a file may say does harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "archive/archive.h"

enum { COLUMNS = 3, CHOICES_MAX = 64, SIZE = 256 };

/* Columns, each with rules, choices and literals. */
typedef struct columns {
    stamma_allocator allocator;
    copied_values values[COLUMNS];
    cursor literals[COLUMNS];
    tag_copies copies;
} columns;

/* Symbols of one class in which each below `limit` weighs the same, and bits. */
typedef struct plan {
    uint8_t form, others[2], limit;
    const char *rules;
    uint8_t symbols[CHOICES_MAX];
    size_t count;
    const char *bits; /* one byte each, or NULL */
    const char *literals;
    size_t literals_size;
} plan;

static void add_text(buffer *b, const char *bytes, size_t size)
{
    buffer_add(b, bytes, size);
    assert_false(b->failed);
}

/* No cuts; one class. */
static void add_one_class(buffer *parameters, uint8_t limit)
{
    add_text(parameters, "\0\0\0\0", 4);
    buffer_add_byte(parameters, limit);
    for (unsigned i = 0; i < limit; i++)
        buffer_add_byte(parameters, 9);
}

static void code_symbols(const uint8_t *symbols, size_t count, const buffer *parameters, buffer *out)
{
    number_frequencies f;
    classed_symbol list[CHOICES_MAX];
    cursor weights = {parameters->data + 4, parameters->data + parameters->size, false};
    assert_true(stamma_classes_read_frequencies(&weights, &f));
    for (size_t i = 0; i < count; i++)
        list[i] = (classed_symbol){symbols[i], 0};
    assert_true(stamma_number_code(list, count, &f, out));
}

static void fill(copied_values *v, const plan *p, const stamma_allocator *allocator)
{
    stamma_copied_values_init(v, allocator);
    v->form = p->form;
    memcpy(v->others, p->others, sizeof v->others);
    if (p->rules)
        add_text(&v->rules, p->rules, 2);
    add_one_class(&v->parameters, p->limit);
    code_symbols(p->symbols, p->count, &v->parameters, &v->symbols);
    if (p->bits)
        add_text(&v->bits, p->bits, strlen(p->bits));
    add_text(&v->literals, p->literals, p->literals_size);
}

static stamma_error set(columns *c, size_t column, size_t twin)
{
    copied_values *v = &c->values[column];
    c->literals[column] = (cursor){v->literals.data, v->literals.data + v->literals.size, false};
    return stamma_tag_copies_set(&c->copies, column, twin, v, SIZE);
}

static void add_column(columns *c, size_t column, size_t twin, const plan *p)
{
    c->allocator = stamma_allocator_or_default(NULL);
    c->copies.values.allocator = &c->allocator;
    fill(&c->values[column], p, &c->allocator);
    assert_int_equal(set(c, column, twin), STAMMA_OK);
}

static void release(columns *c)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (c->values[i].rules.allocator)
            stamma_copied_values_release(&c->values[i]);
    stamma_tag_copies_release(&c->copies, &c->allocator);
}

static stamma_text take(columns *c, size_t column)
{
    return stamma_tag_copies_take(&c->copies, column, &c->literals[column], &c->allocator);
}

static void expect(columns *c, size_t column, const char *value)
{
    stamma_text text = take(c, column);
    assert_false(c->literals[column].failed);
    assert_int_equal(text.size, strlen(value));
    assert_memory_equal(text.data, value, text.size);
}

static void begin(columns *c)
{
    stamma_tag_copies_begin(&c->copies, (stamma_text){"", 0});
}

/* Texts are numbered as they first come, and keep their numbers. */
static void listed_texts_keep_their_numbers(void **state)
{
    (void)state;
    columns c = {0};
    const plan p = {.form = CHOICE_LISTED,
                    .limit = 3,
                    .symbols = {0, 0, 1, 1, 2},
                    .count = 5,
                    .literals = "a\0b\0",
                    .literals_size = 4};
    add_column(&c, 0, COPY_COLUMNS_MAX, &p);
    static const char *const values[5] = {"a", "b", "a", "a", "b"};
    for (size_t i = 0; i < 5; i++)
        expect(&c, 0, values[i]);
    assert_true(stamma_tag_copies_is_done(&c.copies));
    take(&c, 0);
    assert_true(c.literals[0].failed); /* nothing is left */
    release(&c);
}

/* The last text is the first; the one that falls out of thirteen is the first of the older ones. */
static void recent_texts_come_first(void **state)
{
    (void)state;
    columns c = {0};
    plan p = {.form = CHOICE_RECENT,
              .limit = 16,
              .count = 20,
              .literals_size = 30,
              .literals = "a\0b\0c\0d\0e\0f\0g\0h\0i\0j\0k\0l\0m\0n\0o"};
    const uint8_t known[5] = {1, 2, 13, 14, 15};
    memcpy(p.symbols + 15, known, sizeof known);
    add_column(&c, 0, COPY_COLUMNS_MAX, &p);
    for (char text[2] = "a"; *text <= 'o'; ++*text)
        expect(&c, 0, text);
    static const char *const values[5] = {"o", "n", "c", "b", "b"};
    for (size_t i = 0; i < 5; i++) /* on d..o n c: b is taken, d falls out behind it, and b is again the second */
        expect(&c, 0, values[i]);
    assert_true(stamma_tag_copies_is_done(&c.copies));
    release(&c);
}

/* A reference of 32 or more has bits: 2 * 2^4 + 0000, then 3 * 2^4 + 1111. */
static void large_references_have_bits(void **state)
{
    (void)state;
    columns c = {0};
    char literals[128];
    plan p = {
        .form = CHOICE_LISTED, .limit = 34, .count = 65, .bits = "\017", .literals = literals, .literals_size = 126};
    for (size_t i = 0; i < 63; i++)
        memcpy(literals + 2 * i, (char[2]){(char)('A' + i), 0}, 2);
    p.symbols[63] = 32;
    assert_true(63 + 1 <= CHOICES_MAX);
    p.count = 64;
    add_column(&c, 0, COPY_COLUMNS_MAX, &p);
    for (size_t i = 0; i < 63; i++)
        take(&c, 0);
    expect(&c, 0, "`"); /* number 32 */
    release(&c);
    columns d = {0};
    p.symbols[63] = 33;
    p.bits = "\377";
    add_column(&d, 0, COPY_COLUMNS_MAX, &p);
    for (size_t i = 0; i < 63; i++)
        take(&d, 0);
    expect(&d, 0, "\177"); /* number 63 */
    release(&d);
    columns e = {0};
    p.bits = NULL;
    add_column(&e, 0, COPY_COLUMNS_MAX, &p);
    for (size_t i = 0; i < 63; i++)
        take(&e, 0);
    take(&e, 0);
    assert_true(e.literals[0].failed); /* there are no bits */
    release(&e);
}

/* Twins know each other's texts; columns of different forms, and those that do not share, know their own alone. */
static void twins_share_a_memory(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 3; n++) {
        const uint8_t forms[3][2] = {{7, 7}, {6, 7}, {3, 3}};
        columns c = {0};
        const plan white = {.form = forms[n][0], .limit = 3, .count = 1, .literals = "a\0", .literals_size = 2};
        const plan black = {
            .form = forms[n][1], .limit = 3, .symbols = {1}, .count = 1, .literals = "", .literals_size = 0};
        add_column(&c, 0, COPY_COLUMNS_MAX, &white);
        add_column(&c, 1, 0, &black);
        begin(&c);
        expect(&c, 0, "a");
        if (n == 0)
            expect(&c, 1, "a");
        else
            take(&c, 1);
        assert_int_equal(c.literals[1].failed, n > 0);
        release(&c);
    }
}

/* A rule is a symbol too, and what stands behind another value is a second choice. */
static void rules_are_choices(void **state)
{
    (void)state;
    columns c = {0};
    const plan names = {.form = CHOICE_ANEW, .limit = 1, .count = 3, .literals = "A\0B\0C\0", .literals_size = 6};
    const plan ends = {.form = CHOICE_LISTED,
                       .limit = 3,
                       .rules = "\2\1",
                       .symbols = {0, 1, 0, 2, 2},
                       .count = 5,
                       .literals = " won\0",
                       .literals_size = 5};
    add_column(&c, 0, COPY_COLUMNS_MAX, &names);
    add_column(&c, 1, COPY_COLUMNS_MAX, &ends);
    static const char *const values[3][2] = {{"A", "A won"}, {"B", "B won"}, {"C", " won"}};
    for (size_t r = 0; r < 3; r++) {
        begin(&c);
        expect(&c, 0, values[r][0]);
        expect(&c, 1, values[r][1]);
    }
    assert_true(stamma_tag_copies_is_done(&c.copies));
    release(&c);
    columns d = {0};
    const plan wrong = {
        .form = CHOICE_LISTED, .limit = 2, .rules = "\2\1", .count = 2, .literals = "", .literals_size = 0};
    add_column(&d, 0, COPY_COLUMNS_MAX, &names);
    add_column(&d, 1, COPY_COLUMNS_MAX, &wrong);
    begin(&d);
    expect(&d, 0, "A");
    take(&d, 1);
    assert_true(d.literals[1].failed); /* a rule stands behind the value */
    release(&d);
}

/* Contexts: each of them cuts the choices of column 1 in two classes, of which one is always a new text, the other the
 * last one; the symbols themselves take no room. */
static void classes_follow_from_contexts(void **state)
{
    (void)state;
    static const struct {
        uint8_t context, cut;
        const char *expected; /* of each record; moves: 0, 1, 40, 41 */
    } cases[] = {{CHOICE_LAST, 1, "abcd"},   {CHOICE_OTHER, 1, "abbb"}, {CHOICE_GAME, 1, "aaaa"},
                 {CHOICE_GAME, 8, "aabb"},   {CHOICE_KNOWN, 1, "aaaa"}, {CHOICE_KNOWN, 2, "abbb"},
                 {CHOICE_MEMORY, 1, "abcd"}, {CHOICE_SECOND, 1, "abcd"}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        columns c = {0};
        const plan first = {.form = CHOICE_LISTED,
                            .limit = 2,
                            .symbols = {0, 0, 1, 1},
                            .count = 4,
                            .literals = "x\0y\0",
                            .literals_size = 4};
        const plan second = {
            .form = CHOICE_RECENT, .others = {1, 0}, .limit = 2, .literals = "a\0b\0c\0d\0", .literals_size = 8};
        add_column(&c, 0, COPY_COLUMNS_MAX, &first);
        copied_values *v = &c.values[1];
        fill(v, &second, &c.allocator);
        v->parameters.size = 0;
        buffer_add_byte(&v->parameters, cases[n].context);
        add_text(&v->parameters, "\0\0", 2);
        buffer_add_byte(&v->parameters, cases[n].cut);
        add_text(&v->parameters, "\0\0\1\1\2\0\1", 7); /* below: symbol 0 alone; above: symbol 1 */
        v->symbols.size = 0;
        add_text(&v->symbols, "\0\0\1\0", 4); /* a state that stays the same */
        if (cases[n].context == CHOICE_GAME && cases[n].cut == 1) {
            /* The first record has no move, so that the text is new; all others know it. */
            assert_int_equal(choice_game_level(0), 0);
        }
        assert_int_equal(set(&c, 1, COPY_COLUMNS_MAX), STAMMA_OK);
        static const size_t moves[4] = {0, 1, 40, 41};
        for (size_t r = 0; r < 4; r++) {
            static const char codes[64];
            stamma_tag_copies_begin(&c.copies, (stamma_text){codes, moves[r]});
            take(&c, 0);
            const char expected[2] = {cases[n].expected[r], 0};
            expect(&c, 1, expected);
        }
        release(&c);
    }
}

/* The game's level: who is to move, and how long it is. */
static void games_have_levels(void **state)
{
    (void)state;
    static const struct {
        size_t plies;
        uint8_t level;
    } golden[] = {{0, 0}, {1, 8}, {31, 8}, {32, 1}, {33, 9}, {255, 15}, {256, 7}, {100000, 7}, {100001, 15}};
    for (size_t n = 0; n < sizeof golden / sizeof *golden; n++)
        assert_int_equal(choice_game_level(golden[n].plies), golden[n].level);
}

/* A text that has not come; classes, columns and states that there are not. */
static void unknown_choices_are_refused(void **state)
{
    (void)state;
    static const uint8_t forms[3] = {CHOICE_ANEW, CHOICE_LISTED, CHOICE_RECENT}, references[3] = {1, 13, 14};
    for (unsigned form = 0; form < 3; form++)
        for (unsigned n = 0; n < 3; n++) {
            columns c = {0};
            const plan p = {.form = forms[form],
                            .limit = 16,
                            .symbols = {references[n]},
                            .count = 1,
                            .literals = "a\0",
                            .literals_size = 2};
            add_column(&c, 0, COPY_COLUMNS_MAX, &p);
            take(&c, 0);
            assert_true(c.literals[0].failed);
            release(&c);
        }
    static const struct {
        const char *parameters;
        size_t size;
    } bad[] = {
        {"", 0},
        {"\0\0\0", 3},
        {"\7\0\0\0\1\1", 6},   /* an unknown context */
        {"\0\0\0\0\1\1\0", 7}, /* a byte behind the class */
        {"\0\0\0\0\0", 5},     /* a class without weight */
        {"\0\0\0\1\2\3\4\5\6\7\10\0\0\0\0\0\0\0\0\0\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1", 38}}; /* nine classes */
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        columns c = {.allocator = stamma_allocator_or_default(NULL)};
        c.copies.values.allocator = &c.allocator;
        const plan p = {.form = CHOICE_ANEW, .limit = 1, .literals = "", .literals_size = 0};
        fill(&c.values[0], &p, &c.allocator);
        assert_int_equal(set(&c, 0, COPY_COLUMNS_MAX), STAMMA_OK);
        c.values[0].parameters.size = 0;
        add_text(&c.values[0].parameters, bad[n].parameters, bad[n].size);
        assert_int_equal(set(&c, 0, COPY_COLUMNS_MAX), STAMMA_ERROR_CORRUPT);
        release(&c);
    }
    columns c = {.allocator = stamma_allocator_or_default(NULL)};
    c.copies.values.allocator = &c.allocator;
    const plan p = {
        .form = CHOICE_ANEW, .others = {0, COPY_COLUMNS_MAX + 1}, .limit = 1, .literals = "", .literals_size = 0};
    fill(&c.values[0], &p, &c.allocator);
    assert_int_equal(set(&c, 0, COPY_COLUMNS_MAX), STAMMA_ERROR_CORRUPT);
    c.values[0].others[1] = COPY_COLUMNS_MAX;
    assert_int_equal(set(&c, 0, COPY_COLUMNS_MAX), STAMMA_OK);
    c.values[0].symbols.size = 3;
    assert_int_equal(set(&c, 0, COPY_COLUMNS_MAX), STAMMA_ERROR_CORRUPT);
    release(&c);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* Random symbols, bits, forms and rules: values or corrupt, and never more than the literals hold. */
static void random_choices_do_no_harm(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int round = 0; round < 500; round++) {
        columns c = {.allocator = stamma_allocator_or_default(NULL)};
        c.copies.values.allocator = &c.allocator;
        for (size_t i = 0; i < COLUMNS; i++) {
            char literals[SIZE], rules[3] = {(char)(next_random(&seed) % 4), (char)(1 + next_random(&seed) % 3)};
            for (size_t n = 0; n < SIZE; n++)
                literals[n] = "\0ab\0"[next_random(&seed) % 4];
            const plan p = {.form = (uint8_t)(1 + next_random(&seed) % 7),
                            .limit = (uint8_t)(1 + next_random(&seed) % 90),
                            .others = {(uint8_t)(next_random(&seed) % 4), (uint8_t)(next_random(&seed) % 65)},
                            .rules = next_random(&seed) % 2 ? rules : NULL,
                            .literals = literals,
                            .literals_size = SIZE};
            fill(&c.values[i], &p, &c.allocator);
            for (size_t n = 0; n < SIZE; n++) {
                buffer_add_byte(&c.values[i].symbols, (uint8_t)next_random(&seed));
                buffer_add_byte(&c.values[i].bits, (uint8_t)next_random(&seed));
            }
            assert_int_equal(set(&c, i, i == 1 ? 0 : COPY_COLUMNS_MAX), STAMMA_OK);
        }
        for (size_t r = 0; r < SIZE; r++) {
            begin(&c);
            for (size_t i = 0; i < COLUMNS; i++)
                assert_true(take(&c, i).size <= 2 * SIZE);
        }
        release(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_texts_keep_their_numbers),
        cmocka_unit_test(recent_texts_come_first),
        cmocka_unit_test(large_references_have_bits),
        cmocka_unit_test(twins_share_a_memory),
        cmocka_unit_test(rules_are_choices),
        cmocka_unit_test(classes_follow_from_contexts),
        cmocka_unit_test(games_have_levels),
        cmocka_unit_test(unknown_choices_are_refused),
        cmocka_unit_test(random_choices_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
