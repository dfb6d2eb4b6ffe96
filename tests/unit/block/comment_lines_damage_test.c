/* SPDX-License-Identifier: MIT */
/* Tests reading lines of moves in comments from hand-made bytes: bytes that clause 18 forbids are CORRUPT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "block/comment_lines.h"
#include "pgn_support.h"

/* The kind of a line (18.2). `known`: 0, or the number of a known line plus one. */
#define KIND(begin, breaks, known) ((uint8_t)(1 + (begin) + LINE_BEGINS * 2 * ((breaks) + LINE_BREAKS * (known))))
/* PIECE_TEXT_MAX and PIECE_TEXT_MAX + 1, as numbers of four bytes. */
#define LARGEST 0x80, 0x80, 0x80, 0x02
#define TOO_LARGE 0x81, 0x80, 0x80, 0x02

#define BAD STAMMA_ERROR_CORRUPT

enum { BYTES_MAX = 16 };

/* The bytes of a record. */
typedef struct bytes {
    uint8_t at[BYTES_MAX];
    size_t size;
} bytes;

#define BYTES(...)                                                          \
    {                                                                       \
        .at = {__VA_ARGS__}, .size = sizeof((const uint8_t[]){__VA_ARGS__}) \
    }

typedef struct fixture {
    stamma_allocator allocator;
    comment_lines_reader reader;
    cursor kinds, sizes, codes;
    move_coder coder;
    range_decoder in;
    game_state at; /* after 1. e4 */
} fixture;

static fixture *new_fixture(const stamma_allocator *allocator)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->allocator = stamma_allocator_or_default(allocator);
    stamma_lines_reader_init(&f->reader, &f->allocator);
    f->at.before = stamma_position_start();
    f->at.last = stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH);
    stamma_position_make(&f->at.before, f->at.last, &f->at.position);
    return f;
}

static void release_fixture(fixture *f)
{
    stamma_lines_reader_release(&f->reader);
    free(f);
}

static cursor cursor_of(const bytes *b)
{
    return (cursor){b->at, b->at + b->size, false};
}

static line_source source_of(fixture *f)
{
    return (line_source){&f->kinds, &f->sizes, &f->codes, &f->coder, NULL};
}

/* ---- lines that are read ---- */

typedef struct line_case {
    const char *what;
    bytes kinds, sizes, codes; /* the first size is the number of marks */
    stamma_error error;
    const char *text; /* if there is no error */
} line_case;

/* Makes 1... e5 the expected reply. */
static void expect_reply(fixture *f)
{
    f->reader.known.replies[REPLY_PLIES - 1].move = stamma_move_make(52, 36, STAMMA_FLAG_DOUBLE_PUSH);
}

static stamma_error expand(fixture *f, const line_case *c, const game_state *at, bool expected)
{
    const line_source source = source_of(f);
    f->kinds = cursor_of(&c->kinds);
    f->sizes = cursor_of(&c->sizes);
    f->codes = cursor_of(&c->codes);
    stamma_lines_reader_begin(&f->reader, &f->sizes);
    if (expected)
        expect_reply(f);
    return stamma_lines_reader_expand(&f->reader, &source, at, (stamma_text){"\2", 1}, 0);
}

static const line_case reply = {"a reply", BYTES(KIND(LINE_REPLY, 0, 0)), BYTES(1, 0), {{0}, 0}, STAMMA_OK, "e5"};

/* Each case is read with an expected reply. */
static void lines(void **state)
{
    (void)state;
    static const line_case cases[] = {
        {"the mark itself", BYTES(0), BYTES(1, 0), {{0}, 0}, STAMMA_OK, "\2"},
        {"more marks than lines", BYTES(0), BYTES(0), {{0}, 0}, BAD, NULL},
        {"no kind", {{0}, 0}, BYTES(1, 0), {{0}, 0}, BAD, NULL},
        {"an unknown kind", BYTES(LINE_KINDS), BYTES(1, 0), {{0}, 0}, BAD, NULL},
        {"no size", BYTES(0), BYTES(1), {{0}, 0}, BAD, NULL},
        {"a mark with moves", BYTES(0), BYTES(1, 1), BYTES(0), BAD, NULL},
        {"too many moves", BYTES(KIND(LINE_AFTER, 0, 0)), BYTES(1, TOO_LARGE), BYTES(0), BAD, NULL},
        {"fewer codes than moves", BYTES(KIND(LINE_AFTER, 0, 0)), BYTES(1, 2), BYTES(0), BAD, NULL},
        {"an invalid code", BYTES(KIND(LINE_AFTER, 0, 0)), BYTES(1, 1), BYTES(255), BAD, NULL},
        {"no moves", BYTES(KIND(LINE_AFTER, 0, 0)), BYTES(1, 0), {{0}, 0}, BAD, NULL},
        {"a line that is not known", BYTES(KIND(LINE_AFTER, 0, 1), 1), BYTES(1, 0), {{0}, 0}, BAD, NULL},
        {"no line ends", BYTES(KIND(LINE_AFTER, 1, 0), 0), BYTES(1, 1), BYTES(0), BAD, NULL},
        {"a line end twice", BYTES(KIND(LINE_AFTER, 1, 0), 1, 0), BYTES(1, 1), BYTES(0), BAD, NULL},
        {"missing line ends", BYTES(KIND(LINE_AFTER, 1, 0), 9, 1), BYTES(1, 1), BYTES(0), BAD, NULL},
        {"a line end too far", BYTES(KIND(LINE_AFTER, 1, 0), 1, TOO_LARGE), BYTES(1, 1), BYTES(0), BAD, NULL},
        {"line ends too far", BYTES(KIND(LINE_AFTER, 1, 0), 2, LARGEST, 1), BYTES(1, 1), BYTES(0), BAD, NULL},
        {"a line end after the line", BYTES(KIND(LINE_AFTER, 1, 0), 1, 2), BYTES(1, 1), BYTES(0), BAD, NULL},
        {"a reply with moves", BYTES(KIND(LINE_REPLY, 0, 0)), BYTES(1, 1), BYTES(0), BAD, NULL},
        {"a reply with line ends", BYTES(KIND(LINE_REPLY, 1, 0), 1, 1), BYTES(1, 0), {{0}, 0}, BAD, NULL},
        {"a reply that is known", BYTES(KIND(LINE_REPLY, 0, 1), 0), BYTES(1, 0), {{0}, 0}, BAD, NULL},
    };
    fixture *f = new_fixture(NULL);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const line_case *c = &cases[n];
        const stamma_error error = expand(f, c, &f->at, true);
        if (error != c->error)
            fail_msg("%s: error %d", c->what, (int)error);
        if (error == STAMMA_OK)
            assert_memory_equal(f->reader.texts.data, c->text, strlen(c->text));
    }
    release_fixture(f);
}

static void replies(void **state)
{
    (void)state;
    fixture *f = new_fixture(NULL);
    assert_int_equal(expand(f, &reply, &f->at, true), STAMMA_OK);
    assert_int_equal(f->reader.texts.size, 2);
    assert_memory_equal(f->reader.texts.data, "e5", 2);
    assert_int_equal(expand(f, &reply, &f->at, false), STAMMA_ERROR_CORRUPT);
    assert_int_equal(expand(f, &reply, NULL, true), STAMMA_ERROR_CORRUPT); /* before the movetext */
    release_fixture(f);
    failing_memory memory = {.fail_at = 1};
    const stamma_allocator allocator = failing_allocator(&memory);
    f = new_fixture(&allocator);
    assert_int_equal(expand(f, &reply, &f->at, true), STAMMA_ERROR_NO_MEMORY);
    release_fixture(f);
    assert_int_equal(memory.alive, 0);
}

/* The codes of knights that move back and forth. */
static void code_knights(stamma_position position, uint8_t *codes, size_t count)
{
    static const uint8_t squares[4][2] = {{57, 40}, {1, 16}, {40, 57}, {16, 1}};
    for (size_t n = 0; n < count; n++) {
        const stamma_move move = stamma_move_make(squares[n % 4][0], squares[n % 4][1], 0);
        assert_int_equal(stamma_byte_encode(&position, move, &codes[n]), STAMMA_OK);
        stamma_position_make(&position, move, &position);
    }
}

/* The lines of a block have at most 16 MiB of text, which repeats a long known line. */
static void much_text(void **state)
{
    (void)state;
    enum { MOVES = 2000, MOST = 1 << 24 };
    static uint8_t codes[MOVES];
    static const uint8_t first = KIND(LINE_AFTER, 0, 0), size[] = {0xD0, 0x0F}, none = 0; /* 2000 */
    static const uint8_t again[] = {KIND(LINE_AFTER, 0, 1), 0xD0, 0x0F};
    fixture *f = new_fixture(NULL);
    const line_source source = source_of(f);
    stamma_error error = STAMMA_OK;
    size_t each = 0, count = 0;
    code_knights(f->at.position, codes, MOVES);
    f->kinds = (cursor){&first, &first + 1, false};
    f->sizes = (cursor){size, size + sizeof size, false};
    f->codes = (cursor){codes, codes + MOVES, false};
    while (error == STAMMA_OK) {
        f->reader.marks = 1;
        error = stamma_lines_reader_expand(&f->reader, &source, &f->at, (stamma_text){"\2", 1}, 0);
        each = count++ == 0 ? f->reader.texts.size : each;
        f->kinds = (cursor){again, again + sizeof again, false};
        f->sizes = (cursor){&none, &none + 1, false};
    }
    assert_int_equal(error, STAMMA_ERROR_CORRUPT);
    assert_in_range(each, 2 * MOVES, LINE_MOVE_SIZE * MOVES);
    assert_int_equal(count, MOST / each + 1);
    release_fixture(f);
}

/* After mate there is no move to predict. */
static void moves_after_mate(void **state)
{
    (void)state;
    static const line_case line = {"a move", BYTES(KIND(LINE_AFTER, 0, 0)), BYTES(1, 1),
                                   {{0}, 0}, STAMMA_ERROR_CORRUPT,          NULL};
    static const uint8_t zeros[8];
    fixture *f = new_fixture(NULL);
    const predict_context context = {.plies = 4};
    if (!stamma_predictor_id())
        skip();
    assert_int_equal(stamma_fen_read(stamma_text_of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
                                     &f->at.position, NULL, NULL),
                     STAMMA_OK);
    stamma_predict_begin(&f->at.game, &context, &f->at.position);
    stamma_range_decode_begin(&f->in, zeros, sizeof zeros);
    line_source source = source_of(f);
    source.in = &f->in;
    f->kinds = cursor_of(&line.kinds);
    f->sizes = cursor_of(&line.sizes);
    stamma_lines_reader_begin(&f->reader, &f->sizes);
    assert_int_equal(stamma_lines_reader_expand(&f->reader, &source, &f->at, (stamma_text){"\2", 1}, 0),
                     STAMMA_ERROR_CORRUPT);
    release_fixture(f);
}

/* ---- lines that are skipped ---- */

static void counts(void **state)
{
    (void)state;
    static const struct {
        bytes sizes;
        bool right;
        uint64_t moves;
    } cases[] = {
        {BYTES(0), true, 0},
        {BYTES(2, 1, 2), true, 3},
        {BYTES(1, LARGEST), true, PIECE_TEXT_MAX},
        {BYTES(1, TOO_LARGE), false, 0},
        {BYTES(2, LARGEST, 1), false, 0},
        {BYTES(2, 1), false, 0},
        {{{0}, 0}, false, 0},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        cursor sizes = cursor_of(&cases[n].sizes);
        uint64_t moves = 77;
        assert_int_equal(stamma_lines_count(&sizes, &moves), cases[n].right);
        if (cases[n].right)
            assert_int_equal(moves, cases[n].moves);
    }
}

static void skipped_lines(void **state)
{
    (void)state;
    enum { LINE = KIND(LINE_AFTER, 0, 0) };
    static const struct {
        bytes kinds, sizes, codes;
        bool right;
    } cases[] = {
        {BYTES(LINE, LINE), BYTES(2, 1, 2), BYTES(9, 9, 9), true},
        {BYTES(LINE, LINE), BYTES(2, 1, 3), BYTES(9, 9, 9), false},
        {BYTES(LINE, LINE), BYTES(2, LARGEST, 1), BYTES(9, 9, 9), false},
        {BYTES(LINE), BYTES(2, 1, 2), BYTES(9, 9, 9), false},
        {BYTES(LINE), BYTES(1), BYTES(9), false},
        {{{0}, 0}, {{0}, 0}, {{0}, 0}, false},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        fixture *f = new_fixture(NULL);
        const line_source source = source_of(f);
        f->kinds = cursor_of(&cases[n].kinds);
        f->sizes = cursor_of(&cases[n].sizes);
        f->codes = cursor_of(&cases[n].codes);
        stamma_lines_reader_begin(&f->reader, &f->sizes);
        assert_int_equal(stamma_lines_reader_skip(&f->reader, &source), cases[n].right);
        if (cases[n].right)
            assert_int_equal(cursor_left(&f->kinds) + cursor_left(&f->sizes) + cursor_left(&f->codes), 0);
        release_fixture(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),     cmocka_unit_test(replies),
        cmocka_unit_test(much_text), cmocka_unit_test(moves_after_mate),
        cmocka_unit_test(counts),    cmocka_unit_test(skipped_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
