/* SPDX-License-Identifier: MIT */
/* Tests the games in data/games.pgn: they are valid in every respect and contain all kinds of moves and annotations
 * that demonstrations need. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "stamma.h"

static const char *const roster[] = {"Event", "Site", "Date", "Round", "White", "Black", "Result"};
enum { ROSTER = sizeof roster / sizeof *roster, TEXT_MAX = 1 << 20 };

static char text[TEXT_MAX];

/* Counts over the collection, and the state of the current game. */
static struct collection {
    unsigned games, comments, glyphs, variations, under_promotions, null_moves, set_ups, chess960_castlings, draws;
    unsigned tag;
    char result[8];
    bool chess960;
    stamma_position last; /* of the main line */
} all;

static bool is(stamma_text given, const char *wanted)
{
    return given.size == strlen(wanted) && memcmp(given.data, wanted, given.size) == 0;
}

static void see_tag(const stamma_pgn_event *event)
{
    if (all.tag < ROSTER && !is(event->text, roster[all.tag]))
        fail_msg("line %u: tag %u is not %s", (unsigned)event->place.line, all.tag, roster[all.tag]);
    all.tag++;
    if (is(event->text, "Result"))
        snprintf(all.result, sizeof all.result, "%.*s", (int)event->value.size, event->value.data);
    all.set_ups += is(event->text, "FEN");
    all.chess960 = all.chess960 || (is(event->text, "Variant") && is(event->value, "Chess960"));
}

static void see_move(const stamma_pgn_event *event, const stamma_position *before, const stamma_position *after)
{
    char san[STAMMA_SAN_SIZE];
    stamma_san_write(before, event->move, san, sizeof san);
    if (!is(event->text, san))
        fail_msg("line %u: %.*s, not %s", (unsigned)event->place.line, (int)event->text.size, event->text.data, san);
    all.under_promotions += stamma_move_is_promotion(event->move) && stamma_move_promotion(event->move) != STAMMA_QUEEN;
    all.null_moves += event->move == STAMMA_MOVE_NULL;
    all.chess960_castlings += all.chess960 && stamma_move_is_castling(event->move);
    if (event->depth == 0)
        all.last = *after;
}

/* The result in the movetext equals the tag, and the result on the board if the board decides. */
static void see_result(const stamma_pgn_event *event)
{
    if (!is(event->text, all.result))
        fail_msg("line %u: the Result tag says %s", (unsigned)event->place.line, all.result);
    stamma_status status = stamma_position_status(&all.last, NULL, 0);
    if (status == STAMMA_STATUS_CHECKMATE)
        assert_string_equal(all.result, all.last.side == STAMMA_WHITE ? "0-1" : "1-0");
    if (status == STAMMA_STATUS_STALEMATE || status == STAMMA_STATUS_INSUFFICIENT_MATERIAL)
        assert_string_equal(all.result, "1/2-1/2");
    all.draws += is(event->text, "1/2-1/2");
}

static void see(const stamma_pgn_event *event, const stamma_position *before, const stamma_position *after)
{
    switch (event->kind) {
    case STAMMA_PGN_GAME_BEGIN:
        all.games++;
        all.tag = 0;
        all.chess960 = false;
        break;
    case STAMMA_PGN_TAG: see_tag(event); break;
    case STAMMA_PGN_MOVE: see_move(event, before, after); break;
    case STAMMA_PGN_COMMENT: all.comments++; break;
    case STAMMA_PGN_NAG: all.glyphs++; break;
    case STAMMA_PGN_VARIATION_BEGIN: all.variations += event->depth > 0; break;
    case STAMMA_PGN_RESULT: see_result(event); break;
    case STAMMA_PGN_ERROR:
        fail_msg("line %u: %s: %.*s", (unsigned)event->place.line, stamma_error_text(event->error),
                 (int)event->text.size, event->text.data);
        break;
    default: break;
    }
}

static void sample_games_are_right(void **state)
{
    (void)state;
    FILE *file = fopen("data/games.pgn", "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_in_range(size, 1, sizeof text - 1);

    stamma_pgn_reader *reader;
    assert_int_equal(stamma_pgn_reader_open_memory(text, size, NULL, &reader), STAMMA_OK);
    stamma_pgn_event event;
    do {
        const stamma_position *at = stamma_pgn_reader_position(reader);
        stamma_position before = at ? *at : stamma_position_start();
        assert_int_equal(stamma_pgn_reader_next(reader, &event), STAMMA_OK);
        at = stamma_pgn_reader_position(reader);
        see(&event, &before, at ? at : &before);
    } while (event.kind != STAMMA_PGN_END);
    stamma_pgn_reader_close(reader);
}

static void sample_games_show_all(void **state)
{
    (void)state;
    assert_true(all.games >= 50);
    assert_true(all.comments >= 50);
    assert_true(all.glyphs >= 50);
    assert_true(all.variations >= 1);
    assert_true(all.under_promotions >= 1);
    assert_true(all.null_moves >= 1);
    assert_true(all.set_ups >= 2);
    assert_true(all.chess960_castlings >= 2);
    assert_true(all.draws >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sample_games_are_right),
        cmocka_unit_test(sample_games_show_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
