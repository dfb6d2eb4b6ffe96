/* SPDX-License-Identifier: MIT */
/* Fuzz target: parsing and matching queries. A reported error must be within the text. Valid queries are matched
 * against games that use every kind of data. Matching plies must be plies of the game, and matching a game twice
 * must produce the same result. */
#include <stdlib.h>
#include <string.h>

#include "stamma.h"
#include "target.h"

#define TEXT(literal)                \
    {                                \
        literal, sizeof(literal) - 1 \
    }

enum { PLIES_MAX = 80 };

static const stamma_tag tags[] = {
    {TEXT("Event"), TEXT("Open \\\"A\\\"")},
    {TEXT("Site"), TEXT("K\303\270benhavn")},
    {TEXT("Date"), TEXT("2010.0?.??")},
    {TEXT("White"), TEXT("M\374ller, Karsten")},
    {TEXT("Black"), TEXT("?")},
    {TEXT("Result"), TEXT("1-0")},
    {TEXT("WhiteElo"), TEXT("2400?")},
    {TEXT("BlackElo"), TEXT("2501")},
    {TEXT("ECO"), TEXT("B90")},
};

static const char *const fens[] = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                   "rnkbqnbr/8/PPPPp3/8/8/3Ppppp/8/RNKBQNBR b HAha - 99 60"};

/* Plays legal moves chosen by varying indexes, which yields captures, promotions and other special moves. */
static size_t play(const stamma_position *start, stamma_move moves[PLIES_MAX])
{
    stamma_position position = *start;
    size_t count = 0;
    for (; count < PLIES_MAX; count++) {
        stamma_move legal[STAMMA_MOVES_MAX];
        size_t choices = stamma_legal_moves_canonical(&position, legal);
        if (choices == 0)
            break;
        moves[count] = legal[count * 7 % choices];
        stamma_position_make(&position, moves[count], &position);
    }
    return count;
}

static stamma_move first_move(const stamma_position *position)
{
    stamma_move legal[STAMMA_MOVES_MAX];
    demand(stamma_legal_moves_canonical(position, legal) > 0);
    return legal[0];
}

static void test(stamma_matcher *matcher, const stamma_archive_game *game)
{
    bool found, again;
    const uint32_t *plies;
    size_t count, first_count;
    demand(stamma_matcher_test(matcher, game, &found, &plies, &count) == STAMMA_OK);
    demand(found == (count > 0));
    for (size_t i = 0; i < count; i++)
        demand(plies[i] <= game->ply_count && (i == 0 || plies[i] > plies[i - 1]));
    first_count = count;
    demand(stamma_matcher_test(matcher, game, &again, NULL, &count) == STAMMA_OK && again == found &&
           count == first_count);
}

/* Matches games with moves and games without moves. */
static void test_games(stamma_matcher *matcher)
{
    stamma_archive_item items[] = {{.kind = STAMMA_ITEM_COMMENT, .ply = 1, .text = TEXT("sch\303\266n")},
                                   {.kind = STAMMA_ITEM_NAG, .ply = 1, .nag = 1},
                                   {.kind = STAMMA_ITEM_VARIATION_BEGIN, .depth = 1, .ply = 0},
                                   {.kind = STAMMA_ITEM_MOVE, .depth = 1, .ply = 1},
                                   {.kind = STAMMA_ITEM_NAG, .depth = 1, .ply = 1, .nag = 2},
                                   {.kind = STAMMA_ITEM_VARIATION_BEGIN, .depth = 2, .ply = 0},
                                   {.kind = STAMMA_ITEM_MOVE, .depth = 2, .ply = 1},
                                   {.kind = STAMMA_ITEM_VARIATION_END, .depth = 2, .ply = 1},
                                   {.kind = STAMMA_ITEM_VARIATION_END, .depth = 1, .ply = 1}};
    stamma_move moves[PLIES_MAX];
    int64_t clocks[PLIES_MAX];
    stamma_evaluation evaluations[PLIES_MAX];
    for (unsigned i = 0; i < PLIES_MAX; i++) {
        clocks[i] = i % 5 ? (int64_t)(PLIES_MAX - i) * 1000 : -1;
        evaluations[i].kind = (stamma_evaluation_kind)(i % 3);
        evaluations[i].value = (int32_t)(i % 7) - 3;
    }
    for (unsigned i = 0; i < 2; i++) {
        stamma_archive_game game = {.number = 1,
                                    .tag_count = sizeof tags / sizeof *tags,
                                    .tags = tags,
                                    .item_count = sizeof items / sizeof *items};
        game.items = items;
        game.clocks_ms = clocks;
        game.evaluations = evaluations;
        game.moves = moves;
        demand(stamma_fen_read((stamma_text){fens[i], strlen(fens[i])}, &game.start, NULL, NULL) == STAMMA_OK);
        items[3].move = items[6].move = first_move(&game.start);
        test(matcher, &game);
        game.ply_count = play(&game.start, moves);
        test(matcher, &game);
    }
}

const work_limit fuzz_limit = {.fixed = 300000, .per_byte = 10000};

void fuzz_input(const uint8_t *data, size_t size)
{
    stamma_query *query;
    stamma_matcher *matcher;
    stamma_query_problem fault;
    stamma_error error = stamma_query_parse((stamma_text){(const char *)data, size}, NULL, &fault, &query);
    if (error == STAMMA_ERROR_SYNTAX) {
        demand(fault.offset <= size && fault.size <= size - fault.offset);
        demand(memchr(fault.message, '\0', sizeof fault.message) && fault.message[0]);
        return;
    }
    demand(error == STAMMA_OK);
    demand((stamma_query_parts(query) & ~STAMMA_GAME_ALL) == 0);
    demand(stamma_matcher_open(query, NULL, &matcher) == STAMMA_OK);
    test_games(matcher);
    stamma_matcher_close(matcher);
    stamma_query_close(query);
}
