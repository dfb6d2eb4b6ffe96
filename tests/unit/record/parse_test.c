/* SPDX-License-Identifier: MIT */
/* Tests the items of parsed records: words that are not moves, numbers and variants at their limits, pieces of games
 * with too many tokens, and the first flaw of a layout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "record/record.h"

/* Opens a parser of a text. The caller releases it. */
static parser *open_parser(const char *text, size_t size)
{
    static stamma_allocator allocator;
    static parser p;
    allocator = stamma_allocator_or_default(NULL);
    stamma_parser_init(&p, &allocator);
    stamma_parser_feed(&p, (const uint8_t *)text, size, true);
    return &p;
}

/* Lists the items of the first record: a letter for the kind, and the number of NAGs, suffixes and results; `~`:
 * unusual spelling. */
static void list_items(const record *r, char *out)
{
    static const char kinds[] = {[ITEM_END_OF_INPUT] = 'E',  [ITEM_RESULT] = 'R', [ITEM_COMMENT] = 'C',
                                 [ITEM_NAG] = 'N',           [ITEM_SUFFIX] = 'S', [ITEM_VARIATION_BEGIN] = '(',
                                 [ITEM_VARIATION_END] = ')', [ITEM_TEXT] = 'T',   [ITEM_TAG] = 'G',
                                 [ITEM_MOVE] = 'M'};
    for (size_t n = 0; n < r->item_count; n++) {
        const item *it = &r->items[n];
        *out++ = kinds[it->kind];
        if (it->kind == ITEM_NAG || it->kind == ITEM_SUFFIX || it->kind == ITEM_RESULT)
            out += sprintf(out, "%u", it->number);
        if (it->noncanonical)
            *out++ = '~';
    }
    *out = '\0';
}

static void items_of_texts(void **state)
{
    static const struct {
        const char *text, *items;
        stamma_archive_reason reason;
    } all[] = {
        {"1. e4 a6 2. e5 d5 3. exd6 e.p. *", "MMMMMR0E", STAMMA_REASON_NONE},
        {"1. e4 a6 2. e5 d5 3. exd6 ep 1-0", "MMMMMR1E", STAMMA_REASON_NONE},
        {"1. e4 a6 2. e5 d5 3. exd6 e.p cxd6 1/2-1/2", "MMMMMMR3E", STAMMA_REASON_NONE},
        {"1. e4 a6 2. e5 d5 3. e.p.x *", "MMMMTR0E", STAMMA_REASON_SYNTAX},
        {"e4 $0 $255 $07 $256 $1000 $99999999999 e5 0-1", "MN0N255N7~MR2E", STAMMA_REASON_NONE},
        {"e4 $ e5 0-1", "MMR2E", STAMMA_REASON_SYNTAX},
        {"e4! e5? d4!! d5?? c4!? c5?! a3!!! *", "MS1MS2MS3MS4MS5MS6MS3~R0E", STAMMA_REASON_NONE},
        {"e4 + e5 # Nf3 ++ Nc6 *", "MMMMR0E", STAMMA_REASON_NONE},
        {"e4 N e5 = Nf3+- Nc6N Bb5\xC2\xB1 a6\xE2\x80\xBC *", "MN146~MN10~MN18~MN146~MN16~MS3~R0E", STAMMA_REASON_NONE},
        {"e4 (d4 \xE2\x88\x9E d5) e5 xx *", "M(MN13~M)MTR0E", STAMMA_REASON_SYNTAX},
        {"[Variant \"Three-check\"]\n\ne4 *", "GMR0E", STAMMA_REASON_NONE},
        {"[Variant \"abcdefghijklmnopqrstuvwxyz012345\"]\n\ne4 *", "GTR0E", STAMMA_REASON_VARIANT},
        {"[Variant \"abcdefghijklmnopqrstuvwxyz0123456\"]\n\ne4 *", "GTR0E", STAMMA_REASON_VARIANT},
        {"[Variant \"- ................................... -\"]\n\ne4 1/2", "GMR3~E", STAMMA_REASON_NONE},
        {"e4 0.5-0.5", "MR3~E", STAMMA_REASON_NONE},
        {"e4 \302\275-\302\275 ", "MR3~E", STAMMA_REASON_NONE},
        {"e4 \275-\275", "MR3~E", STAMMA_REASON_NONE},
        {"e4 0.5-0.50", "MTE", STAMMA_REASON_SYNTAX},
        {"[Variant \"960\"]\n\ne4 *", "GMR0E", STAMMA_REASON_NONE},
        {"[variant \"Freestyle\"]\n\ne4 *", "G~MR0E", STAMMA_REASON_NONE},
        {"[Fen \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\nKd2 *", "G~MR0E", STAMMA_REASON_NONE},
        {"(e4) *", "(M)R0E", STAMMA_REASON_NONE},
        {"Ke2 e5 *", "TR0E", STAMMA_REASON_ILLEGAL_MOVE},
        {"e4 e5 1-0 {a} (e6 $1) $2 +-", "MMR1C(MN1)N2N18~E", STAMMA_REASON_NONE},
        {"e4 1-0 Black resigned, after 9 moves {a}", "MR1CE", STAMMA_REASON_SYNTAX},
        {"e4 1-0 (agreed) {a}", "MR1(T)CE", STAMMA_REASON_SYNTAX},
        {"e4 (xx) Ke9 1-0 Black {a} (e4) {b}", "M(T)TR1CTE", STAMMA_REASON_SYNTAX},
        {"e4 Ke2 1-0 Black {a} (e4) {b}", "MTR1CTE", STAMMA_REASON_ILLEGAL_MOVE},
        {"[FEN \"bad\"]\n\ne4 1-0 {a}", "GTR1CE", STAMMA_REASON_BAD_FEN},
        {"e4 {a\n[Event \"x\"]\n} e5 *", "MCMR0E", STAMMA_REASON_NONE},
    };
    (void)state;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        char items[200];
        bool found;
        parser *p = open_parser(all[n].text, strlen(all[n].text));
        assert_int_equal(stamma_parser_next(p, &found), STAMMA_OK);
        assert_true(found);
        list_items(&p->parsed.record, items);
        if (strcmp(items, all[n].items) != 0 || p->parsed.record.reason != all[n].reason)
            fail_msg("%s: %s, reason %d", all[n].text, items, (int)p->parsed.record.reason);
        stamma_parser_release(p);
    }
}

/* The reason for a game is its first text item, not a word after the result. */
static void reason_before_remarks(void **state)
{
    static const char text[] = "e4 xx 1-0 Black resigned";
    bool found;
    (void)state;
    parser *p = open_parser(text, sizeof text - 1);
    assert_int_equal(stamma_parser_next(p, &found), STAMMA_OK);
    assert_int_equal(p->parsed.record.reason, STAMMA_REASON_SYNTAX);
    assert_int_equal(p->parsed.record.reason_offset, 3);
    stamma_parser_release(p);
}

/* A comment after the result that is longer than a token: the game ends before the comment. */
static void long_comment_after_result(void **state)
{
    const size_t size = PARSER_TOKEN_MAX + 100;
    char *text = malloc(size);
    bool found;
    (void)state;
    assert_non_null(text);
    memset(text, 'a', size);
    memcpy(text, "1. e4 * {", 9);
    memcpy(text + size - 10, "} b\n\n1. d4", 10);
    parser *p = open_parser(text, size);
    assert_int_equal(stamma_parser_next(p, &found), STAMMA_OK);
    assert_true(found);
    assert_int_equal(record_end(&p->parsed.record), ITEM_END_OF_PIECE);
    assert_int_equal(p->parsed.text.size, 7);
    assert_int_equal(stamma_parser_next(p, &found), STAMMA_OK);
    assert_true(found && p->parsed.record.continuation);
    assert_int_equal(p->parsed.text.size, size - 7 - 5);
    assert_int_equal(record_end(&p->parsed.record), ITEM_END);
    assert_int_equal(stamma_parser_next(p, &found), STAMMA_OK);
    assert_true(found && !p->parsed.record.continuation);
    assert_int_equal(p->parsed.text.size, 5);
    stamma_parser_release(p);
    assert_round_trip(text, size, NULL);
    free(text);
}

/* A game with more tokens than a piece can have is cut after the maximum number of tokens. */
static void games_of_many_tokens(void **state)
{
    enum { TOKENS = PIECE_TOKENS_MAX + 10 };
    listing text = {0};
    bool found;
    (void)state;
    for (unsigned n = 0; n < TOKENS; n++)
        list_word(&text, "$1 ");
    list_word(&text, "*\n");
    parser *p = open_parser(text.text, text.size);
    assert_int_equal(stamma_parser_next(p, &found), STAMMA_OK);
    assert_true(found);
    assert_int_equal(p->parsed.record.item_count, PIECE_ITEMS_MAX);
    assert_int_equal(record_end(&p->parsed.record), ITEM_END_OF_PIECE);
    assert_int_equal(p->parsed.record.reason, STAMMA_REASON_SIZE);
    assert_int_equal(p->parsed.text.size, 3 * PIECE_TOKENS_MAX - 1);
    assert_int_equal(stamma_parser_next(p, &found), STAMMA_OK);
    assert_true(found && p->parsed.record.continuation);
    assert_int_equal(p->parsed.text.size, text.size - (3 * PIECE_TOKENS_MAX - 1));
    assert_int_equal(stamma_parser_next(p, &found), STAMMA_OK);
    assert_false(found);
    stamma_parser_release(p);
    assert_round_trip(text.text, text.size, NULL);
    free(text.text);
}

/* The white space after a game may be as large as a token. Only the next bytes show whether the input ends there. */
static void games_before_much_space(void **state)
{
    static const struct {
        size_t more; /* bytes after the space */
        bool final, found;
        item_kind end;
    } all[] = {{0, false, false, ITEM_END},
               {1, false, true, ITEM_END},
               {0, true, true, ITEM_END_OF_INPUT},
               {1, true, true, ITEM_END}};
    char *text = malloc(PARSER_TOKEN_MAX + 2);
    (void)state;
    assert_non_null(text);
    memset(text, ' ', PARSER_TOKEN_MAX + 2);
    text[0] = '*';
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        bool found;
        parser *p = open_parser(text, 1 + PARSER_TOKEN_MAX + all[n].more);
        p->final = all[n].final;
        assert_int_equal(stamma_parser_next(p, &found), STAMMA_OK);
        assert_int_equal(found, all[n].found);
        if (found) {
            assert_int_equal(record_end(&p->parsed.record), all[n].end);
            assert_int_equal(p->parsed.text.size, 1 + PARSER_TOKEN_MAX);
        }
        stamma_parser_release(p);
    }
    free(text);
}

/* ---- flaws ---- */

/* For a record with a tag and the move Ra8+: the text of its exception, and the text that the style renders for a
 * move. */
static void first_flaws(void **state)
{
    static const char text[] = "0123456789012345678901234567890123456789012345678901234567890123456789012345678901";
    static const struct {
        uint32_t slot;
        unsigned exceptions, text_items;
        size_t found;
        const char *expected;
    } all[] = {{3, 0, 0, 0, ""},  {3, 1, 1, 0, ""},     {0, 1, 0, 80, ""}, {1, 1, 0, 80, ""},
               {2, 1, 0, 80, ""}, {3, 1, 0, 80, "Ra8"}, {4, 1, 0, 80, ""}, {5, 1, 0, 80, ""}};
    stamma_position p;
    const stamma_move move = stamma_move_make(0, 56, 0);
    assert_int_equal(stamma_fen_read(stamma_text_of("7k/8/8/8/8/8/8/R3K3 w - - 0 1"), &p, NULL, NULL), STAMMA_OK);
    item items[2] = {{.kind = ITEM_TAG},
                     {.kind = ITEM_MOVE, .move = move, .san_facts = (uint8_t)move_san_facts(&p, move)}};
    (void)state;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        exception first = {all[n].slot, {text, sizeof text - 1}};
        const record r = {.items = items,
                          .item_count = 2,
                          .exceptions = &first,
                          .exception_count = all[n].exceptions,
                          .text_items = all[n].text_items,
                          .reason = STAMMA_REASON_LAYOUT};
        const layout_flaw flaw = stamma_record_layout_flaw(&r, SPELL_NO_CHECK);
        assert_int_equal(flaw.found.size, all[n].found);
        assert_memory_equal(flaw.found.data, text, all[n].found);
        assert_int_equal(flaw.expected_size, strlen(all[n].expected));
        assert_memory_equal(flaw.expected, all[n].expected, flaw.expected_size);
    }
}

static void numbers_are_spelt(void **state)
{
    (void)state;
    for (unsigned number = 0; number <= UINT16_MAX; number += number < 1100 || number > 9900 ? 1 : 17) {
        char spelt[6] = "", wanted[12];
        (void)snprintf(wanted, sizeof wanted, "%u", number);
        assert_int_equal(stamma_spell_number(number, spelt), strlen(wanted));
        assert_string_equal(spelt, wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_of_texts),          cmocka_unit_test(games_of_many_tokens),
        cmocka_unit_test(reason_before_remarks),   cmocka_unit_test(long_comment_after_result),
        cmocka_unit_test(games_before_much_space), cmocka_unit_test(first_flaws),
        cmocka_unit_test(numbers_are_spelt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
