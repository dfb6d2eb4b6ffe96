/* SPDX-License-Identifier: MIT */
/* Small archives with files of pages. */
#include "pages_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINE_MAX_PLIES = 120 };

/* ---- games ---- */

static void list_tags(listing *to, bool set_up)
{
    static const char *const controls[] = {"180+2", "600", "-", "5400+30"};
    static const char *const events[] = {"Rated blitz game", "Casual game", "Open"};
    list_format(to, "[Event \"%s\"]\n", events[random_below(3)]);
    if (random_below(5) > 0)
        list_format(to, "[Date \"%u.%02u.??\"]\n", 1990 + (unsigned)random_below(30), 1 + (unsigned)random_below(12));
    else if (random_below(4) == 0)
        list_word(to, "[Date \"0987.02.01\"]\n");
    for (unsigned color = 0; color < 2; color++)
        if (random_below(6) > 0)
            list_format(to, "[%sElo \"%u\"]\n", color == 0 ? "White" : "Black",
                        random_below(40) == 0 ? 9999 : 1400 + (unsigned)random_below(1400));
    if (random_below(2) > 0)
        list_format(to, "[TimeControl \"%s\"]\n", controls[random_below(4)]);
    if (set_up)
        list_word(to, "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n");
    list_word(to, "\n");
}

/* Chooses a move: often one of the first two, seldom a null move, otherwise any. */
static stamma_move choose(const stamma_position *p, size_t ply)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    const size_t count = stamma_legal_moves_canonical(p, moves);
    if (count == 0)
        return STAMMA_MOVE_NULL;
    const size_t among = random_below(8) > 0 ? 3 : ply < 12 ? 6 : count;
    return moves[count - 1 - random_below(among < count ? among : count)];
}

static void list_game(listing *to, size_t plies)
{
    stamma_position p = stamma_position_start();
    for (size_t n = 0; n < plies; n++) {
        char san[STAMMA_SAN_SIZE];
        const stamma_move move = choose(&p, n);
        if (move == STAMMA_MOVE_NULL)
            break;
        (void)stamma_san_write(&p, move, san, sizeof san);
        list_format(to, "%s ", san);
        stamma_position_make(&p, move, &p);
    }
}

listing pages_text(unsigned games)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    listing text = {0};
    for (unsigned n = 0; n < games; n++) {
        list_tags(&text, random_below(12) == 0);
        if (random_below(20) == 0)
            list_word(&text, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nh3 Nh6 Ng1 Ng8 ");
        else if (random_below(20) == 0)
            list_word(&text, "e4 -- -- e5 -- -- ");
        else
            list_game(&text, random_below(6) == 0 ? random_below(8) : random_below(LINE_MAX_PLIES));
        list_format(&text, "%s\n\n", results[random_below(4)]);
    }
    return text;
}

/* ---- files ---- */

stamma_error append_pages(const listing *archive, const listing *index, const stamma_pages_write_options *options,
                          listing *file)
{
    stamma_archive *opened = index ? open_indexed(archive, index) : open_handle(archive);
    const stamma_output output = listing_output(file);
    const stamma_error error = stamma_pages_write(opened, options, &output);
    stamma_archive_close(opened);
    return error;
}

listing pages_file_of(const listing *archive, uint32_t min_games, uint32_t plies)
{
    const stamma_pages_write_options options = {.size = sizeof options, .min_games = min_games, .plies = plies};
    listing file = {0};
    assert_int_equal(append_pages(archive, NULL, &options, &file), STAMMA_OK);
    return file;
}

/* ---- questions ---- */

static void ask_game(const stamma_archive_game *game, void (*ask)(void *context, const pages_question *q, size_t ply),
                     void *context)
{
    stamma_position *line = malloc((game->ply_count + 2) * sizeof *line);
    line[0] = game->start;
    for (size_t n = 0; n < game->ply_count; n++)
        stamma_position_make(&line[n], game->moves[n], &line[n + 1]);
    for (size_t n = 0; n <= game->ply_count; n++) {
        stamma_move moves[STAMMA_MOVES_MAX];
        const size_t count = stamma_legal_moves(&line[n], moves);
        const bool set_up = stamma_archive_game_tag(game, stamma_text_of("FEN")).size > 0;
        pages_question q = {line[n], line, n};
        ask(context, &q, set_up ? SIZE_MAX : n);
        q.before = NULL;
        q.count = 0;
        ask(context, &q, SIZE_MAX);
        if (count > 0 && random_below(4) == 0) {
            q = (pages_question){.before = line, .count = n + 1};
            stamma_position_make(&line[n], moves[random_below(count)], &q.position);
            ask(context, &q, SIZE_MAX);
        }
    }
    free(line);
}

void for_each_question(const listing *archive, void (*ask)(void *context, const pages_question *q, size_t ply),
                       void *context)
{
    archive_source source;
    const stamma_archive_game *game = NULL;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    assert_int_equal(stamma_archive_reader_select(reader, STAMMA_GAME_MOVES | STAMMA_GAME_TAGS), STAMMA_OK);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game)
        if (!game->continuation)
            ask_game(game, ask, context);
    close_reader(reader);
}

/* ---- trees ---- */

static void assert_same_game(const stamma_tree_game *wanted, const stamma_tree_game *found)
{
    assert_int_equal(found->game, wanted->game);
    assert_int_equal(found->ended, wanted->ended);
    assert_true(found->ended || found->move == wanted->move);
    assert_int_equal(found->white_rating, wanted->white_rating);
    assert_int_equal(found->black_rating, wanted->black_rating);
    assert_int_equal(found->result, wanted->result);
    assert_int_equal(found->date, wanted->date);
}

static void assert_same_lists(const stamma_tree *wanted, const stamma_tree *found,
                              const stamma_tree_game *(*at)(const stamma_tree *tree, size_t n))
{
    enum { LISTED = 4 };
    for (size_t n = 0; n < LISTED; n++) {
        assert_true((at(wanted, n) == NULL) == (at(found, n) == NULL));
        if (at(wanted, n))
            assert_same_game(at(wanted, n), at(found, n));
    }
    assert_null(at(found, LISTED));
}

void assert_same_tree(const stamma_tree *wanted, const stamma_tree *found)
{
    const stamma_tree_counts a = stamma_tree_total(wanted), b = stamma_tree_total(found);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(stamma_tree_move_count(found), stamma_tree_move_count(wanted));
    for (size_t n = 0; n < stamma_tree_move_count(wanted); n++) {
        const stamma_tree_move *x = stamma_tree_move_at(wanted, n), *y = stamma_tree_move_at(found, n);
        assert_int_equal(y->move, x->move);
        assert_memory_equal(&y->counts, &x->counts, sizeof x->counts);
        if (x->counts.games == 1 || y->top.game > 0) {
            assert_same_game(&x->top, &y->top);
            assert_same_game(&x->recent, &y->recent);
        }
    }
    assert_same_lists(wanted, found, stamma_tree_top_game);
    assert_same_lists(wanted, found, stamma_tree_recent_game);
}

bool pages_agree(stamma_archive *archive, stamma_pages *pages, const pages_question *q, stamma_error *error)
{
    const stamma_text name = stamma_text_of("a");
    stamma_tree *wanted = NULL, *found = NULL;
    bool answered = false;
    assert_int_equal(stamma_tree_open(&q->position, NULL, &found), STAMMA_OK);
    *error = stamma_tree_add_pages(found, name, pages, q->before, q->count, &answered);
    assert_true(*error == STAMMA_OK || !answered);
    if (answered) {
        assert_int_equal(stamma_tree_open(&q->position, NULL, &wanted), STAMMA_OK);
        assert_int_equal(stamma_tree_add_archive(wanted, name, archive, NULL, NULL, NULL), STAMMA_OK);
        assert_same_tree(wanted, found);
    } else {
        assert_int_equal(stamma_tree_total(found).games, 0);
    }
    stamma_tree_close(wanted);
    stamma_tree_close(found);
    return answered;
}
