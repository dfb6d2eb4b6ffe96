/* SPDX-License-Identifier: MIT */
/* Tests the parsed data of games in archives. Reading any combination of parts must return the same values as reading
 * all parts. These values must equal the values that the PGN reader finds in the text. Damaged archives must never
 * yield other values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/reader.h"
#include "archive_support.h"
#include "game_texts.h"

static const char small_text[] =
    "[Event \"a\"]\n[Site \"say \\\"so\\\"\"]\n[Result \"1-0\"]\n\n"
    "{before} 1. e4 {[%clk 0:10:02.5] [%eval 0.31,20] good} e5! $14 {[%eval -1.05][%clk 1:00:00]}\n"
    "(1... c5 {[%clk 0:00:01] sharp} $2 2. Nf3 (2. Nc3 {closed}) 2... d6) 2. Nf3 {[%eval #-3]} {[%clk 0:59:59.123]}\n"
    "2... Nc6 ;[%eval .07] to the end\n3. Bb5 {[%eval #+12]} a6 {[%clk 1:2] [%eval x] nothing} 1-0\n\n"
    "[Event \"b\"]\n[Result \"*\"]\n\n1. e4  e5 2. Ke3 *\n\n"
    "[FEN \"8/8/8/8/8/4k3/4p3/4K3 b - - 0 60\"]\n[SetUp \"1\"]\n\n60... Kd3 {[%eval 0.5]} *\n\n"
    "1. d4 1/2-1/2\n\n{so long}";

/* ---- the parts of games as text ---- */

/* Lists a text in one line. Line ends that a wrapping style inserts are spaces in the comments of an archive. */
static void list_plain(listing *to, stamma_text text)
{
    size_t begin = to->size;
    list_bytes(to, text.size > 0 ? text.data : "", text.size);
    for (size_t i = begin; i < to->size; i++)
        if (to->text[i] == '\n' || to->text[i] == '\r')
            to->text[i] = ' ';
}

static void list_item(listing *to, const stamma_archive_item *item)
{
    list_format(to, "%u/%zu ", item->depth, item->ply);
    switch (item->kind) {
    case STAMMA_ITEM_COMMENT:
        list_word(to, "{");
        list_plain(to, item->text);
        list_word(to, "}");
        break;
    case STAMMA_ITEM_NAG: list_format(to, "$%u", item->nag); break;
    case STAMMA_ITEM_VARIATION_BEGIN: list_word(to, "("); break;
    case STAMMA_ITEM_VARIATION_END: list_word(to, ")"); break;
    case STAMMA_ITEM_MOVE: list_format(to, "%04x", item->move); break;
    default: fail();
    }
    list_word(to, "\n");
}

static bool has_item(const stamma_archive_item *item, unsigned parts)
{
    if (item->depth > 0 && !(parts & STAMMA_GAME_VARIATIONS))
        return false;
    unsigned part = item->kind == STAMMA_ITEM_COMMENT ? STAMMA_GAME_COMMENTS
                    : item->kind == STAMMA_ITEM_NAG   ? STAMMA_GAME_NAGS
                                                      : STAMMA_GAME_VARIATIONS;
    return parts & part;
}

static void list_plies(listing *to, const stamma_archive_game *game, unsigned parts)
{
    list_format(to, "%zu plies\n", game->ply_count);
    for (size_t i = 0; i < game->ply_count; i++) {
        if (parts & STAMMA_GAME_MOVES)
            list_format(to, "%04x ", game->moves[i]);
        if (parts & STAMMA_GAME_CLOCKS)
            list_format(to, "clk %lld ", (long long)game->clocks_ms[i]);
        if (parts & STAMMA_GAME_EVALUATIONS)
            list_format(to, "eval %d:%d ", (int)game->evaluations[i].kind, (int)game->evaluations[i].value);
    }
}

static void list_parts(listing *to, const stamma_archive_game *game, unsigned parts)
{
    list_format(to, "game %u%s, reason %d at %zu\n", (unsigned)game->number, game->continuation ? "+" : "",
                (int)game->reason, game->reason_offset);
    for (size_t i = 0; i < game->tag_count && parts & STAMMA_GAME_TAGS; i++) {
        list_plain(to, game->tags[i].name);
        list_word(to, "=");
        list_plain(to, game->tags[i].value);
        list_word(to, "\n");
    }
    if (parts & STAMMA_GAME_RESULT)
        list_plain(to, game->result);
    list_plies(to, game, parts);
    if (parts & (STAMMA_GAME_MOVES | STAMMA_GAME_VARIATIONS)) {
        char fen[STAMMA_FEN_SIZE];
        (void)stamma_fen_write(&game->start, STAMMA_FEN_STANDARD, fen, sizeof fen);
        list_word(to, fen);
    }
    for (size_t i = 0; i < game->item_count; i++)
        if (has_item(&game->items[i], parts))
            list_item(to, &game->items[i]);
    if (parts & STAMMA_GAME_TEXT) {
        list_bytes(to, game->text.data, game->text.size);
        list_plain(to, game->found);
        list_plain(to, game->expected);
    }
}

/* Asserts that the parts that were not selected are empty. */
static void assert_only(const stamma_archive_game *game, unsigned parts)
{
    assert_true(parts & STAMMA_GAME_TAGS || (!game->tags && game->tag_count == 0));
    assert_true(parts & STAMMA_GAME_RESULT || game->result.size == 0);
    assert_true(parts & STAMMA_GAME_MOVES || !game->moves);
    assert_true(parts & STAMMA_GAME_CLOCKS || !game->clocks_ms);
    assert_true(parts & STAMMA_GAME_EVALUATIONS || !game->evaluations);
    assert_true(parts & STAMMA_GAME_TEXT || game->text.size + game->found.size + game->expected.size == 0);
    for (size_t i = 0; i < game->item_count; i++)
        assert_true(has_item(&game->items[i], parts));
}

/* ---- selections of parts ---- */

static void assert_same_parts(const listing *archive, unsigned parts, bool seekable)
{
    archive_source sources[2];
    stamma_archive_reader *full = open_archive(&sources[0], archive, true);
    stamma_archive_reader *some = open_archive(&sources[1], archive, seekable);
    const stamma_archive_game *a, *b;
    assert_int_equal(stamma_archive_reader_select(some, parts), STAMMA_OK);
    do {
        listing x = {0}, y = {0};
        assert_int_equal(stamma_archive_reader_next(full, &a), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(some, &b), STAMMA_OK);
        assert_int_equal(a == NULL, b == NULL);
        if (!a)
            continue;
        list_parts(&x, a, parts);
        list_parts(&y, b, parts);
        assert_string_equal(x.text, y.text);
        assert_only(b, parts);
        free(x.text);
        free(y.text);
    } while (a);
    close_reader(full);
    close_reader(some);
}

/* Returns more games than fit in one group, in every style, and some texts that are not valid games. */
static listing many_games(unsigned count)
{
    listing text = {0};
    list_word(&text, small_text);
    list_word(&text, "\n\n");
    for (unsigned i = 0; i < count; i++) {
        list_game(&text, &text_styles[i % 14]);
        if (i % 50 == 7)
            list_word(&text, "[White \"x\"]\n\n1. e4 e5 2. Qh5 Qxx {half} *\n\n");
    }
    return text;
}

static void every_mask_gives_the_same(void **state)
{
    (void)state;
    listing text = many_games(30), archive = pack(text.text, text.size, NULL);
    for (unsigned parts = 0; parts <= STAMMA_GAME_ALL; parts++)
        assert_same_parts(&archive, parts, parts & 1);
    free(archive.text);
    free(text.text);
    text = many_games(400);
    archive = pack(text.text, text.size, NULL);
    for (unsigned part = 1; part <= STAMMA_GAME_ALL; part <<= 1) {
        assert_same_parts(&archive, part, true);
        assert_same_parts(&archive, STAMMA_GAME_ALL & ~part, false);
    }
    free(archive.text);
    free(text.text);
}

static void mask_nasty(const char *path, const char *bytes, size_t size)
{
    static size_t files;
    (void)path;
    if (files++ % thinned_step(usual_step(2)) != 0)
        return;
    listing archive = pack(bytes, size, NULL);
    for (unsigned part = 1; part <= STAMMA_GAME_ALL; part <<= 1) {
        assert_same_parts(&archive, part, true);
        assert_same_parts(&archive, STAMMA_GAME_ALL & ~part & ~STAMMA_GAME_TEXT, false);
    }
    free(archive.text);
}

static void nasty_files(void **state)
{
    (void)state;
    if (for_each_nasty_file(mask_nasty) == 0)
        skip();
}

/* ---- values ---- */

static void values_of_a_game(void **state)
{
    (void)state;
    static const char *const expected =
        "0/0 {before}\n0/1 {[%clk 0:10:02.5] [%eval 0.31,20] good}\n0/2 $1\n0/2 $14\n"
        "0/2 {[%eval -1.05][%clk 1:00:00]}\n1/1 (\n1/2 1ca2\n1/2 {[%clk 0:00:01] sharp}\n1/2 $2\n1/3 0195\n";
    listing archive = pack(small_text, sizeof small_text - 1, NULL), items = {0};
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, false);
    const stamma_archive_game *game;
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    assert_int_equal(game->ply_count, 6);
    static const int64_t clocks[] = {602500, 3600000, 3599123, -1, -1, 62000};
    static const stamma_evaluation evaluations[] = {{1, 31}, {1, -105}, {2, -3}, {1, 7}, {2, 12}, {0, 0}};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(game->clocks_ms[i], clocks[i]);
        assert_int_equal(game->evaluations[i].kind, evaluations[i].kind);
        assert_int_equal(game->evaluations[i].value, evaluations[i].value);
    }
    for (size_t i = 0; i < game->item_count; i++)
        list_item(&items, &game->items[i]);
    assert_memory_equal(items.text, expected, strlen(expected));
    stamma_text site = stamma_archive_game_tag(game, stamma_text_of("Site"));
    assert_int_equal(site.size, 10);
    assert_memory_equal(site.data, "say \\\"so\\\"", site.size);
    assert_null(stamma_archive_game_tag(game, stamma_text_of("White")).data);
    assert_null(stamma_archive_game_tag(game, stamma_text_of("Sit")).data);
    free(items.text);
    close_reader(reader);
    free(archive.text);
}

/* `expected` and `found` show the first difference from the style: a move, then a gap. */
static void what_was_expected(void **state)
{
    (void)state;
    static const char *const found[] = {"Qxf7", "  3. ", ""}, *const expected[] = {"Qxf7+", "", ""};
    listing text = {0};
    for (unsigned i = 0; i < 20; i++)
        list_format(&text, "[White \"%u\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6%s3. %s Kxf7 4. Bc4+ Kg6 1-0\n\n", i,
                    i == 9 ? "  " : " ", i == 8 ? "Qxf7" : "Qxf7+");
    listing archive = pack(text.text, text.size, NULL);
    for (unsigned parts = STAMMA_GAME_TAGS; parts <= STAMMA_GAME_ALL; parts += STAMMA_GAME_ALL - STAMMA_GAME_TAGS) {
        archive_source source;
        stamma_archive_reader *reader = open_archive(&source, &archive, true);
        const stamma_archive_game *game;
        bool all_parts = parts == STAMMA_GAME_ALL;
        assert_int_equal(stamma_archive_reader_select(reader, parts), STAMMA_OK);
        for (unsigned i = 0; i < 20; i++) {
            unsigned which = all_parts && i - 8 < 2 ? i - 8 : 2;
            assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
            assert_int_equal(game->found.size, strlen(found[which]));
            assert_int_equal(game->expected.size, strlen(expected[which]));
            assert_true(which == 2 || memcmp(game->found.data, found[which], game->found.size) == 0);
            assert_true(which == 2 || memcmp(game->expected.data, expected[which], game->expected.size) == 0);
        }
        close_reader(reader);
    }
    free(archive.text);
    free(text.text);
}

/* Lists the events that the PGN reader finds in the text of a game, in the format of list_item. Moves of the main line
 * go to `moves`. */
static void list_pgn(stamma_text text, listing *tags, listing *moves, listing *items)
{
    size_t plies[256] = {0}, begins[256] = {0};
    stamma_pgn_reader *pgn;
    stamma_pgn_event e = {.kind = STAMMA_PGN_GAME_BEGIN};
    assert_int_equal(stamma_pgn_reader_open_memory(text.data, text.size, NULL, &pgn), STAMMA_OK);
    while (e.kind != STAMMA_PGN_END) {
        assert_int_equal(stamma_pgn_reader_next(pgn, &e), STAMMA_OK);
        stamma_archive_item item = {.depth = e.depth, .text = e.text, .nag = e.nag, .move = e.move};
        switch (e.kind) {
        case STAMMA_PGN_TAG:
            list_plain(tags, e.text);
            list_word(tags, "=");
            list_plain(tags, e.value);
            list_word(tags, "\n");
            continue;
        case STAMMA_PGN_MOVE:
            plies[e.depth]++;
            if (e.depth == 0)
                list_format(moves, "%04x ", e.move);
            item.kind = STAMMA_ITEM_MOVE;
            break;
        case STAMMA_PGN_COMMENT:
        case STAMMA_PGN_LINE_COMMENT: item.kind = STAMMA_ITEM_COMMENT; break;
        case STAMMA_PGN_NAG: item.kind = STAMMA_ITEM_NAG; break;
        case STAMMA_PGN_VARIATION_BEGIN:
            item.kind = STAMMA_ITEM_VARIATION_BEGIN;
            item.depth = e.depth;
            begins[e.depth] = plies[e.depth - 1] - (plies[e.depth - 1] > begins[e.depth - 1]);
            plies[e.depth] = begins[e.depth];
            break;
        case STAMMA_PGN_VARIATION_END: item.kind = STAMMA_ITEM_VARIATION_END; break;
        default: continue;
        }
        item.ply = plies[item.depth];
        if (item.kind != STAMMA_ITEM_MOVE || item.depth > 0)
            list_item(items, &item);
    }
    stamma_pgn_reader_close(pgn);
}

static void assert_as_pgn(const stamma_archive_game *game)
{
    listing tags[2] = {{0}}, moves[2] = {{0}}, items[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        list_word(&tags[i], "");
        list_word(&moves[i], "");
        list_word(&items[i], "");
    }
    list_pgn(game->text, &tags[0], &moves[0], &items[0]);
    for (size_t i = 0; i < game->tag_count; i++) {
        list_plain(&tags[1], game->tags[i].name);
        list_word(&tags[1], "=");
        list_plain(&tags[1], game->tags[i].value);
        list_word(&tags[1], "\n");
    }
    for (size_t i = 0; i < game->ply_count; i++)
        list_format(&moves[1], "%04x ", game->moves[i]);
    for (size_t i = 0; i < game->item_count; i++)
        list_item(&items[1], &game->items[i]);
    assert_string_equal(tags[0].text, tags[1].text);
    assert_string_equal(moves[0].text, moves[1].text);
    assert_string_equal(items[0].text, items[1].text);
    for (int i = 0; i < 2; i++) {
        free(tags[i].text);
        free(moves[i].text);
        free(items[i].text);
    }
}

/* Asserts that the tree contains the moves of the main line. */
static void assert_tree(const stamma_archive_game *game)
{
    stamma_game *tree;
    stamma_node node = 0;
    assert_int_equal(stamma_game_open(NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_archive_game_read_tree(game, NULL, tree), STAMMA_OK);
    assert_int_equal(stamma_game_tag_count(tree), game->tag_count);
    for (size_t i = 0; i < game->ply_count; i++) {
        node = stamma_game_first_child(tree, node);
        assert_int_equal(stamma_game_move(tree, node), game->moves[i]);
    }
    assert_int_equal(stamma_game_first_child(tree, node), STAMMA_NODE_NONE);
    stamma_game_close(tree);
}

static bool list_piece(void *context, const void *bytes, size_t size)
{
    list_bytes(context, bytes, size);
    return true;
}

/* Lists the tree of a game as PGN without spaces and line ends, because these differ between text and typed
 * comments. */
static listing list_tree(const stamma_archive_game *game)
{
    listing text = {0};
    stamma_game *tree;
    stamma_pgn_writer *writer;
    const stamma_output output = {&text, list_piece, NULL};
    size_t kept = 0;
    assert_int_equal(stamma_game_open(NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_archive_game_read_tree(game, NULL, tree), STAMMA_OK);
    assert_int_equal(stamma_pgn_writer_open(&output, NULL, &writer), STAMMA_OK);
    assert_int_equal(stamma_game_write(tree, writer), STAMMA_OK);
    stamma_pgn_writer_close(writer);
    stamma_game_close(tree);
    for (size_t i = 0; i < text.size; i++)
        if (!strchr(" \r\n\t", text.text[i]))
            text.text[kept++] = text.text[i];
    text.size = kept;
    text.text[kept] = 0;
    return text;
}

static void trees_of_typed_games_are_those_of_their_text(void **state)
{
    (void)state;
    unsigned compared = 0;
    listing text = many_games(300), archive = pack(text.text, text.size, NULL);
    archive_source sources[2];
    stamma_archive_reader *full = open_archive(&sources[0], &archive, true);
    stamma_archive_reader *typed = open_archive(&sources[1], &archive, true);
    const stamma_archive_game *a, *b;
    assert_int_equal(stamma_archive_reader_select(typed, STAMMA_GAME_ALL & ~STAMMA_GAME_TEXT), STAMMA_OK);
    do {
        assert_int_equal(stamma_archive_reader_next(full, &a), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(typed, &b), STAMMA_OK);
        /* A comment before the tags is not part of a game's text. */
        if (!a || a->continuation || a->reason != STAMMA_REASON_NONE || strchr("{;", a->text.data[0]))
            continue;
        listing x = list_tree(a), y = list_tree(b);
        assert_string_equal(x.text, y.text);
        free(x.text);
        free(y.text);
        compared++;
    } while (a);
    assert_true(compared > 200);
    close_reader(full);
    close_reader(typed);
    free(archive.text);
    free(text.text);
}

/* The comments of a variation without moves are appended to the comments of the move that the variation follows.
 * Variations that replace no move are skipped. */
static void trees_of_variations_without_moves(void **state)
{
    static const char *const games[][2] = {
        {"1. e4 ({a} $1) e5 *", "1.e4$1{a}1...e5*"},
        {"1. e4 {b} ({a} {c}) (1. d4) e5 2. Nf3 ({d}) *", "1.e4{b}{a}{c}(1.d4)1...e52.Nf3{d}*"},
        {"1. e4 () e5 *", "1.e4e5*"},
        {"1. e4 ({a} (1. d4 (1. c4)) {b}) e5 *", "1.e4{a}{b}1...e5*"},
        {"1. e4 e5 (1... c5 ((1... a6) 1... Nf6)) 2. Nc3 *", "1.e4e5(1...c5)(1...Nf6)2.Nc3*"},
        {"{a} (1. d4 (1. c4) d5) {b} *", "{a}{b}*"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof games / sizeof *games; n++) {
        listing archive = pack(games[n][0], strlen(games[n][0]), NULL);
        for (unsigned way = 0; way < 2; way++) { /* from the text, and from the typed moves */
            archive_source source;
            stamma_archive_reader *reader = open_archive(&source, &archive, true);
            const stamma_archive_game *game;
            assert_int_equal(stamma_archive_reader_select(reader, STAMMA_GAME_ALL & ~(way * STAMMA_GAME_TEXT)),
                             STAMMA_OK);
            assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
            assert_int_equal(game->reason, STAMMA_REASON_NONE);
            listing tree = list_tree(game);
            assert_string_equal(tree.text, games[n][1]);
            free(tree.text);
            close_reader(reader);
        }
        free(archive.text);
    }
}

static void games_are_those_of_the_pgn_reader(void **state)
{
    (void)state;
    unsigned compared = 0;
    listing text = many_games(300), archive = pack(text.text, text.size, NULL);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    const stamma_archive_game *game;
    do {
        assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
        if (!game || game->continuation || (game->reason && game->reason != STAMMA_REASON_LAYOUT))
            continue;
        assert_as_pgn(game);
        assert_tree(game);
        compared++;
    } while (game);
    assert_true(compared > 290);
    close_reader(reader);
    free(archive.text);
    free(text.text);
}

/* ---- reading in any order ---- */

/* Reads games in any order, each with other parts. */
static void change_parts(const listing *archive)
{
    archive_source sources[2];
    stamma_archive_reader *full = open_archive(&sources[0], archive, true);
    stamma_archive_reader *some = open_archive(&sources[1], archive, true);
    for (int round = 0; round < 200; round++) {
        const stamma_archive_game *a, *b;
        unsigned parts = (unsigned)random_below(STAMMA_GAME_ALL + 1);
        uint64_t number = 5 + random_below(150);
        listing x = {0}, y = {0};
        if (round % 3 == 0) {
            assert_int_equal(stamma_archive_reader_seek(full, number), STAMMA_OK);
            assert_int_equal(stamma_archive_reader_seek(some, number), STAMMA_OK);
        }
        assert_int_equal(stamma_archive_reader_select(some, parts), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(full, &a), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(some, &b), STAMMA_OK);
        while (a && a->continuation) /* the selection applies to the games after this one */
            assert_int_equal(stamma_archive_reader_next(full, &a), STAMMA_OK);
        assert_true(a && b);
        list_parts(&x, a, parts);
        list_parts(&y, b, parts);
        assert_string_equal(x.text, y.text);
        assert_only(b, parts);
        free(x.text);
        free(y.text);
    }
    close_reader(full);
    close_reader(some);
}

static void parts_change_on_the_way(void **state)
{
    (void)state;
    listing text = many_games(200);
    for (int level = 1; level <= (stamma_predictor_id() ? LEVEL_ADAPTIVE : 1); level++) {
        listing archive = pack_at(level, text.text, text.size, NULL);
        archive_source source;
        change_parts(&archive);
        stamma_archive_reader *some = open_archive(&source, &archive, false);
        const stamma_archive_game *game;
        assert_int_equal(stamma_archive_reader_select(some, STAMMA_GAME_TAGS), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_next(some, &game), STAMMA_OK);
        assert_int_equal(stamma_archive_reader_select(some, STAMMA_GAME_ALL), STAMMA_ERROR_BAD_ARGUMENT);
        assert_int_equal(stamma_archive_reader_next(some, &game), STAMMA_OK);
        assert_int_equal(game->number, 2);
        close_reader(some);
        free(archive.text);
    }
    free(text.text);
}

/* Selects some parts, and reads a game. */
static void read_part(stamma_archive_reader *reader, unsigned parts, uint64_t number)
{
    const stamma_archive_game *game;
    assert_int_equal(stamma_archive_reader_select(reader, parts), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_seek(reader, number), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_next(reader, &game), STAMMA_OK);
    assert_true(game && game->number == number);
    assert_only(game, parts);
}

/* Callers that alternate between parts that need the moves of a lane decode the lane once. */
static void lanes_are_decoded_for_all_parts(void **state)
{
    (void)state;
    if (!stamma_predictor_id())
        return;
    listing text = read_file("data/games.pgn");
    listing archive = pack_at(LEVEL_ADAPTIVE, text.text, text.size, NULL);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    read_part(reader, STAMMA_GAME_TAGS, 80);
    read_part(reader, STAMMA_GAME_TEXT, 80);
    assert_true(stamma_block_reader_needs_lanes(reader->block, STAMMA_GAME_TAGS));
    const uint64_t decoded = reader->block->state.next;
    for (uint64_t number = 80; number > 0; number--) {
        read_part(reader, STAMMA_GAME_TAGS, number);
        read_part(reader, STAMMA_GAME_TEXT, number);
    }
    assert_int_equal(reader->block->state.next, decoded);
    assert_int_equal(reader->block->plan.parts, STAMMA_GAME_TAGS | STAMMA_GAME_TEXT);
    read_part(reader, STAMMA_GAME_CLOCKS, 80); /* needs no moves */
    assert_int_equal(reader->block->plan.parts, STAMMA_GAME_CLOCKS);
    close_reader(reader);
    free(archive.text);
    free(text.text);
}

/* Changes a byte of a column of the second block. */
static void damage_second_block(listing *archive, uint64_t game, unsigned column)
{
    archive_source source;
    column_entry entry;
    const uint8_t *stored;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    read_part(reader, STAMMA_GAME_TAGS, game);
    assert_true(stamma_payload_find_column(&reader->payload, reader->place.head_size, column, &entry, &stored));
    const uint64_t at = reader->place.offset + FRAME_HEADER_SIZE + (uint64_t)(stored - reader->payload.data);
    close_reader(reader);
    archive->text[at] ^= 1;
}

/* If a block was opened for more parts than are selected, damage of the other parts does no harm in the next block. */
static void damage_of_other_parts(void **state)
{
    (void)state;
    if (!stamma_predictor_id())
        return;
    listing text = read_file("data/games.pgn"), one = pack_at(LEVEL_ADAPTIVE, text.text, text.size, NULL);
    listing archive = copy_archives((listing[]){one, one}, 2, NULL);
    damage_second_block(&archive, 90, COLUMN_STYLES);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    read_part(reader, STAMMA_GAME_TAGS, 80);
    read_part(reader, STAMMA_GAME_TEXT, 80);
    read_part(reader, STAMMA_GAME_TAGS, 80);
    read_part(reader, STAMMA_GAME_TAGS, 90);
    assert_int_equal(stamma_archive_reader_select(reader, STAMMA_GAME_TEXT), STAMMA_ERROR_CORRUPT);
    read_part(reader, STAMMA_GAME_TAGS, 90);
    close_reader(reader);
    free(archive.text);
    free(one.text);
    free(text.text);
}

/* ---- damage ---- */

enum { DAMAGED_GAMES = 16 };

/* Lists the selected parts of each game of an archive, up to the first error. */
static size_t list_games(const listing *archive, unsigned parts, listing games[DAMAGED_GAMES])
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    stamma_archive_reader *reader;
    const stamma_archive_game *game = NULL;
    size_t count = 0;
    if (open_source(&source, true, NULL, &reader) != STAMMA_OK)
        return 0;
    assert_int_equal(stamma_archive_reader_select(reader, parts), STAMMA_OK);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game && count < DAMAGED_GAMES)
        list_parts(&games[count++], game, parts);
    close_reader(reader);
    return count;
}

static void damage_gives_no_other_values(void **state)
{
    (void)state;
    static const unsigned masks[] = {STAMMA_GAME_TAGS,
                                     STAMMA_GAME_MOVES,
                                     STAMMA_GAME_COMMENTS,
                                     STAMMA_GAME_CLOCKS | STAMMA_GAME_RESULT,
                                     STAMMA_GAME_NAGS,
                                     STAMMA_GAME_VARIATIONS,
                                     0,
                                     STAMMA_GAME_ALL & ~STAMMA_GAME_TEXT,
                                     STAMMA_GAME_ALL};
    listing archive = pack(small_text, sizeof small_text - 1, NULL);
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        listing whole[DAMAGED_GAMES] = {{0}};
        size_t count = list_games(&archive, masks[m], whole), fewer = 0;
        assert_int_equal(count, 5);
        for (size_t at = 0; at < archive.size; at++) {
            listing games[DAMAGED_GAMES] = {{0}};
            archive.text[at] ^= (char)(1 << at % 8);
            size_t found = list_games(&archive, masks[m], games);
            archive.text[at] ^= (char)(1 << at % 8);
            assert_true(found <= count);
            fewer += found < count;
            for (size_t i = 0; i < found; i++) {
                assert_string_equal(games[i].text, whole[i].text);
                free(games[i].text);
            }
        }
        assert_true(fewer > 0);
        for (size_t i = 0; i < count; i++)
            free(whole[i].text);
    }
    free(archive.text);
}

static void memory_that_fails(void **state)
{
    (void)state;
    listing archive = pack(small_text, sizeof small_text - 1, NULL);
    bool done = false;
    for (unsigned fail_at = 1; !done; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        archive_source source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        stamma_archive_reader_options options = {.size = sizeof options, .allocator = &allocator};
        stamma_archive_reader *reader = NULL;
        const stamma_archive_game *game = NULL;
        stamma_error error = open_source(&source, true, &options, &reader);
        if (error == STAMMA_OK)
            error = stamma_archive_reader_select(reader, STAMMA_GAME_ALL & ~STAMMA_GAME_TEXT);
        if (error == STAMMA_OK)
            error = stamma_archive_reader_next(reader, &game);
        done = error == STAMMA_OK;
        assert_true(done || (error == STAMMA_ERROR_NO_MEMORY && !game));
        close_reader(reader);
        assert_int_equal(memory.alive, 0);
    }
    free(archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mask_gives_the_same),
        cmocka_unit_test(nasty_files),
        cmocka_unit_test(values_of_a_game),
        cmocka_unit_test(what_was_expected),
        cmocka_unit_test(trees_of_variations_without_moves),
        cmocka_unit_test(games_are_those_of_the_pgn_reader),
        cmocka_unit_test(trees_of_typed_games_are_those_of_their_text),
        cmocka_unit_test(parts_change_on_the_way),
        cmocka_unit_test(lanes_are_decoded_for_all_parts),
        cmocka_unit_test(damage_of_other_parts),
        cmocka_unit_test(damage_gives_no_other_values),
        cmocka_unit_test(memory_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
