/* Classes of differences (clauses 10.10 to 10.12): levels, trees as they are written, and what the writer finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"

static bool read_tree(const uint8_t *bytes, size_t size, class_map *map)
{
    cursor in = {bytes, bytes + size, false};
    return stamma_classes_read_tree(&in, map) && cursor_left(&in) == 0;
}

/* The phase is cut at 4, and from there on the prediction at 9: three classes. */
static void golden_tree(void **state)
{
    (void)state;
    const uint8_t bytes[] = {CONTEXT_PHASE, CONTEXT_PREDICTED, CONTEXT_PHASE, 0x04, 0, 0x19, 0, 0};
    class_map map;
    assert_true(read_tree(bytes, sizeof bytes, &map));
    assert_int_equal(map.count, 3);
    assert_true(map.foresees);
    for (unsigned phase = 0; phase < CONTEXT_LEVELS; phase++)
        for (unsigned predicted = 0; predicted < CONTEXT_LEVELS; predicted++) {
            const uint8_t levels[CONTEXT_KINDS] = {
                [CONTEXT_PHASE] = (uint8_t)phase, [CONTEXT_PREDICTED] = (uint8_t)predicted};
            unsigned class = phase < 4 ? 0 : predicted < 9 ? 1 : 2;
            assert_int_equal(map.of[context_cell(levels, map.contexts)], class);
        }
}

static void bad_trees_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint8_t bytes[9];
    } bad[] = {
        {4, {7, 0, 0, 0}},                   /* a context that there is not */
        {2, {0, 0}},                         /* too few */
        {3, {0, 0, 0}},                      /* no tree */
        {6, {0, 1, 2, 0x10, 0, 0}},          /* a cut below which there is no level */
        {6, {0, 1, 2, 0x31, 0, 0}},          /* of a fourth context */
        {5, {0, 1, 2, 0x05, 0}},             /* a branch is missing */
        {8, {0, 1, 2, 0x05, 0x05, 0, 0, 0}}, /* nothing is left from 5 on */
        {8, {0, 1, 2, 0x05, 0, 0x04, 0, 0}}, /* and nothing below 4 */
        {5, {0, 1, 2, 0, 0}},                /* a byte too many */
    };
    class_map map;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++)
        assert_false(read_tree(bad[n].bytes, bad[n].size, &map));
}

/* 32 classes may be, 33 not: 15 cuts of one context in a row, 15 of the next, and two or three of the last. */
static void a_tree_has_32_classes_at_most(void **state)
{
    (void)state;
    for (uint8_t more = 1; more <= 2; more++) {
        uint8_t bytes[80] = {0, 1, 2};
        size_t size = 3;
        for (uint8_t context = 0; context < 3; context++)
            for (uint8_t cut = 1; cut <= (context < 2 ? 15 : more); cut++) {
                bytes[size++] = (uint8_t)(context * CONTEXT_LEVELS + cut);
                bytes[size++] = 0;
            }
        class_map map;
        assert_int_equal(read_tree(bytes, size + 1, &map), more == 1);
        assert_true(map.count <= CLASSES_MAX);
    }
}

/* Phases begin with 0, 1, 2, 3, 5, 7, 11 ... values; sizes are bits. */
static void levels_follow_the_game(void **state)
{
    (void)state;
    static const uint8_t phases[] = {0, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8};
    field_keys keys = {.count = 1};
    field_stream *x = &keys.list[0];
    field_enter_game(x, 1);
    for (unsigned n = 0; n < 300; n++) {
        unsigned top = bits_last(n + 1), level = n == 0 ? 0 : 2 * top + ((n + 1) >> (top - 1) & 1);
        assert_int_equal(x->levels[CONTEXT_PHASE], level < 15 ? level : 15);
        assert_true(n >= sizeof phases || level == phases[n]);
        context_foresee(&keys, x, -300, x->levels);
        assert_int_equal(x->levels[CONTEXT_PREDICTED], 9);
        assert_int_equal(x->levels[CONTEXT_OTHER], n == 0 ? 0 : 11);
        context_note(x, n == 298 ? 5 : 1u << 30);
        field_push(&keys, x, 1024 + (n > 0));
    }
    assert_int_equal(x->levels[CONTEXT_START], 11);
    assert_int_equal(x->levels[CONTEXT_LAST], 15);
    assert_int_equal(x->levels[CONTEXT_SECOND], 3);
    assert_int_equal(x->levels[CONTEXT_PACE], 15);
    field_enter_game(x, 2);
    assert_int_equal(x->levels[CONTEXT_START], 11);
    for (unsigned context = CONTEXT_PHASE; context <= CONTEXT_PACE; context++)
        assert_int_equal(x->levels[context], 0);
    context_note(x, 255); /* pace: four times 8 bits */
    assert_int_equal(x->levels[CONTEXT_PACE], 4);
    context_note(x, 0); /* 32 - 8 */
    assert_int_equal(x->levels[CONTEXT_PACE], 3);
}

enum { SYMBOLS = 40000 };

/* Symbols that two contexts tell nearly all of: classes are found, of these contexts, and there is little to write. */
static void classes_are_found(void **state)
{
    (void)state;
    static context_symbol list[SYMBOLS];
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer parameters = {.allocator = &allocator}, out = parameters;
    uint64_t random = 9;
    for (size_t i = 0; i < SYMBOLS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        for (size_t context = 0; context < CONTEXT_KINDS; context++)
            list[i].levels[context] = (uint8_t)(random >> (4 + 6 * context) & 15);
        unsigned group = (list[i].levels[CONTEXT_PACE] >= 6) + 2u * (list[i].levels[CONTEXT_START] >= 11);
        list[i].symbol = (uint8_t)(group * 50 + (random >> 60));
    }
    unsigned classes = CLASSES_MAX;
    assert_true(stamma_classes_write(list, SYMBOLS, SIZE_MAX, &classes, &allocator, &parameters, &out));
    assert_int_equal(classes, 4);
    assert_int_equal(parameters.data[0], CONTEXT_PACE);
    assert_int_equal(parameters.data[1], CONTEXT_START);
    assert_in_range(out.size, SYMBOLS / 2, SYMBOLS / 2 + SYMBOLS / 100); /* four bits each */
    parameters.size = out.size = 0;
    classes = 2; /* no more are allowed */
    assert_true(stamma_classes_write(list, SYMBOLS, SIZE_MAX, &classes, &allocator, &parameters, &out));
    assert_int_equal(classes, 2);
    stamma_buffer_release(&parameters);
    stamma_buffer_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_tree),
        cmocka_unit_test(bad_trees_are_refused),
        cmocka_unit_test(a_tree_has_32_classes_at_most),
        cmocka_unit_test(levels_follow_the_game),
        cmocka_unit_test(classes_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
