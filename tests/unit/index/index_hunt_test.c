/* SPDX-License-Identifier: MIT */
/* Tests the games that an index file finds for a position that games reach in hundreds of orders of moves, or many
 * times. The search is stopped at each call of `stop`; sections and archives that are too short are noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "game_texts.h"
#include "index/index.h"
#include "search/position_target.h"

/* ---- an index file ---- */

enum { ORDERS = 300, KNIGHTS = 3, CYCLES = 62 };

typedef struct fixture {
    listing archive;
    listing bytes;
    stamma_allocator allocator;
    archive_source source; /* of the archive, if it is not in memory */
    stamma_bytes begin;    /* of the archive */
    index_file file;
    index_moves moves;
    index_hunt hunt;
    position_target target;
} fixture;

/* Games with many orders of moves; and two lines of knights' moves that three games share and that reach the initial
 * position often. */
static listing make_text(void)
{
    listing text = {0};
    list_ordered_games(&text, ORDERS);
    for (unsigned game = 0; game < 2 * KNIGHTS; game++) {
        list_format(&text, "[Event \"%u\"]\n\n", game);
        for (unsigned n = 0; n < CYCLES; n++)
            list_word(&text, game % 2 ? "Nf3 Nf6 Ng1 Ng8 " : "Nc3 Nc6 Nb1 Nb8 ");
        list_format(&text, "%c4 *\n\n", "abcdef"[game]);
    }
    return text;
}

static int set_up(void **state)
{
    static fixture f;
    listing text = make_text();
    f.archive = pack(text.text, text.size, NULL);
    free(text.text);
    f.bytes = index_file_of(&f.archive);
    f.allocator = stamma_allocator_or_default(NULL);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    free(f->archive.text);
    free(f->bytes.text);
    return 0;
}

static bool may_follow(const void *target, const piece_board *board)
{
    return stamma_target_may_follow((const position_target *)target, board);
}

/* Opens the file to search for a position, with only the first bytes of the archive. */
static index_segment *open_hunt(fixture *f, const char *fen, size_t archive_size)
{
    stamma_position position;
    assert_int_equal(stamma_fen_read(stamma_text_of(fen), &position, NULL, NULL), STAMMA_OK);
    stamma_target_init(&f->target, &position, false, false);
    const stamma_bytes bytes = stamma_bytes_of(f->bytes.text, f->bytes.size);
    assert_int_equal(stamma_index_file_open(&f->file, &bytes, &f->allocator), STAMMA_OK);
    assert_int_equal(f->file.segment_count, 1);
    f->begin = stamma_bytes_of(f->archive.text, archive_size);
    stamma_index_moves_init(&f->moves, &f->file, &f->begin, &f->allocator);
    stamma_index_hunt_init(&f->hunt, &f->allocator);
    f->hunt.goal = &f->target.goal;
    f->hunt.target = &f->target;
    f->hunt.may_follow = may_follow;
    f->hunt.moves = &f->moves;
    return f->file.segments;
}

/* Returns whether the index was found to be damaged. */
static bool close_hunt(fixture *f)
{
    const bool damaged = f->file.damaged;
    stamma_index_hunt_release(&f->hunt);
    stamma_index_moves_release(&f->moves);
    stamma_index_file_close(&f->file);
    return damaged;
}

static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/* ---- found games ---- */

/* Returns the number of games. Asserts that all of them reach the position at this ply. */
static size_t count_games(const fixture *f, uint32_t ply)
{
    const index_place *places = (const void *)f->hunt.places.data;
    const index_stray *strays = (const void *)f->hunt.strays.data;
    size_t games = f->hunt.strays.size / sizeof *strays;
    for (size_t n = 0; n < f->hunt.strays.size / sizeof *strays; n++)
        assert_true(strays[n].ply == ply && strays[n].next == INDEX_NO_MOVE);
    for (size_t n = 0; n < f->hunt.places.size / sizeof *places; n++) {
        assert_int_equal(places[n].depth, ply);
        games += places[n].end - places[n].begin;
    }
    return games;
}

static void all_orders_are_found(void **state)
{
    fixture *f = *state;
    index_segment *s = open_hunt(f, ORDERED_FEN, f->archive.size);
    assert_int_equal(stamma_index_hunt_run(&f->hunt, s), STAMMA_OK);
    assert_int_equal(count_games(f, 12), ORDERS);
    assert_true(f->hunt.strays.size / sizeof(index_stray) > INDEX_CROWD);
    assert_false(close_hunt(f));
    s = open_hunt(f, start, f->archive.size);
    assert_int_equal(stamma_index_hunt_run(&f->hunt, s), STAMMA_OK);
    assert_int_equal(count_games(f, 0), ORDERS + 2 * KNIGHTS);
    assert_false(close_hunt(f));
}

/* ---- stops ---- */

typedef struct questions {
    unsigned asked, stop_at;
} questions;

static bool stop_at(void *context)
{
    questions *q = context;
    return ++q->asked == q->stop_at;
}

static void hunts_are_stopped(void **state)
{
    static const char *const fens[] = {start, ORDERED_FEN};
    fixture *f = *state;
    for (size_t n = 0; n < sizeof fens / sizeof *fens; n++) {
        questions q = {.asked = 1};
        for (unsigned at = 1; q.asked >= q.stop_at; at++) {
            const stop_check stop = {stop_at, &q};
            q = (questions){0, at};
            index_segment *s = open_hunt(f, fens[n], f->archive.size);
            f->hunt.stop = &stop;
            const stamma_error error = stamma_index_hunt_run(&f->hunt, s);
            assert_int_equal(error, q.asked == at ? STAMMA_ERROR_CANCELLED : STAMMA_OK);
            assert_false(close_hunt(f));
        }
        assert_true(q.asked > 0 && q.asked < 20);
    }
}

/* ---- damage ---- */

static void short_sections_are_noticed(void **state)
{
    static const struct {
        const char *fen;
        index_section section;
    } all[] = {{start, SECTION_NODE_STARTS},        {start, SECTION_NODE_LISTS},   {start, SECTION_NODE_PRINTS},
               {start, SECTION_NODE_DEPTHS},        {start, SECTION_NODE_CODES},   {start, SECTION_NODE_FIRST},
               {ORDERED_FEN, SECTION_LIST_STARTS},  {ORDERED_FEN, SECTION_LISTS},  {ORDERED_FEN, SECTION_GAMES},
               {ORDERED_FEN, SECTION_GROUP_STARTS}, {ORDERED_FEN, SECTION_BLOCKS}, {ORDERED_FEN, SECTION_LENGTHS},
               {ORDERED_FEN, SECTION_NODE_FIRST}};
    fixture *f = *state;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        index_segment *s = open_hunt(f, all[n].fen, f->archive.size);
        assert_true(s->parts[all[n].section].size > 1);
        s->parts[all[n].section].size = 1;
        if (stamma_index_hunt_run(&f->hunt, s) != STAMMA_ERROR_CORRUPT)
            fail_msg("section %d is accepted", (int)all[n].section);
        assert_true(close_hunt(f));
    }
}

/* Ranks that do not belong to typed games: of the games of a node, and of a candidate. */
static void wrong_ranks_are_noticed(void **state)
{
    static const char *const fens[] = {start, ORDERED_FEN};
    fixture *f = *state;
    for (size_t n = 0; n < sizeof fens / sizeof *fens; n++) {
        index_segment *s = open_hunt(f, fens[n], f->archive.size);
        assert_int_equal(s->counts[COUNT_TYPED], ORDERS + 2 * KNIGHTS);
        s->counts[COUNT_TYPED] = 1;
        assert_int_equal(stamma_index_hunt_run(&f->hunt, s), STAMMA_ERROR_CORRUPT);
        assert_true(close_hunt(f));
    }
}

/* The moves of all games of a block must be in the archive, although only some of them are read, with the archive in
 * memory or not. */
static void short_archives_are_noticed(void **state)
{
    fixture *f = *state;
    const index_segment *s = open_hunt(f, start, 0);
    const uint8_t *entry = f->file.bytes + s->offset + s->parts[SECTION_BLOCKS].at;
    const uint64_t frame = f->file.blocks[0].place.offset + FRAME_HEADER_SIZE, at = load_u64(entry + 8),
                   size = load_u64(entry + 16), end = frame + at + size;
    const uint64_t sizes[] = {0, frame - 1, frame, frame + at - 1, frame + at, end - 1, end, f->archive.size};
    assert_true(!close_hunt(f) && at > 0 && size > 0 && end < f->archive.size);
    for (size_t n = 0; n < 2 * (sizeof sizes / sizeof *sizes); n++) {
        const uint8_t *codes;
        uint32_t count;
        s = open_hunt(f, start, (size_t)sizes[n / 2]);
        if (n % 2) {
            f->source = (archive_source){.bytes = f->archive.text, .size = (size_t)sizes[n / 2]};
            f->begin = source_bytes(&f->source);
        }
        assert_int_equal(stamma_index_moves_read(&f->moves, s, 0, UINT32_MAX, &codes, &count),
                         sizes[n / 2] < end ? STAMMA_ERROR_CORRUPT : STAMMA_OK);
        assert_int_equal(f->source.calls > 0, n % 2 && sizes[n / 2] >= end);
        assert_true(close_hunt(f) == (sizes[n / 2] < end));
        f->source.calls = 0;
    }
}

/* The path of a game in the trie cannot be read. */
static void games_without_a_path(void **state)
{
    const uint8_t *codes;
    uint32_t count, rank = 0;
    fixture *f = *state;
    index_segment *s = open_hunt(f, start, f->archive.size);
    do {
        assert_int_equal(stamma_index_moves_begin(&f->moves, s, rank), STAMMA_OK);
    } while (f->moves.depth == 0 && ++rank < s->counts[COUNT_TYPED]);
    assert_int_equal(stamma_index_moves_read(&f->moves, s, rank, UINT32_MAX, &codes, &count), STAMMA_OK);
    s->parts[SECTION_NODE_CODES].size = 0;
    assert_int_equal(stamma_index_moves_read(&f->moves, s, rank, UINT32_MAX, &codes, &count), STAMMA_ERROR_CORRUPT);
    assert_true(close_hunt(f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_orders_are_found),       cmocka_unit_test(hunts_are_stopped),
        cmocka_unit_test(short_sections_are_noticed), cmocka_unit_test(wrong_ranks_are_noticed),
        cmocka_unit_test(short_archives_are_noticed), cmocka_unit_test(games_without_a_path),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
