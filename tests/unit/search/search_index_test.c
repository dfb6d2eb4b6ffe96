/* SPDX-License-Identifier: MIT */
/* Tests indexes that are kept between searches: their memory, growing archives, concurrent searches, and damage.
 * verdicts_test.c tests that results are the same with and without an index. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive_support.h"
#include "executors.h"
#include "game_texts.h"
#include "search/search_index.h"

enum { PARTS = 5, THREADS = 4, ANSWERS = 1000 };

static const char question[] = "{\"any\": [{\"move\": [\"e4\", \"Nf3\"]}, {\"white\": \"*a*\"}, "
                               "{\"fen\": \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\"}]}";

typedef struct fixture {
    listing parts[PARTS]; /* archives of one block each */
    listing grown[PARTS]; /* [n]: the first n + 1 parts in one archive */
    stamma_query *query;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    stamma_query_problem fault;
    for (size_t i = 0; i < PARTS; i++) {
        listing text = {0};
        for (size_t n = 0; n < 40 + 7 * i; n++)
            list_game(&text, &text_styles[i % 2]);
        list_word(&text, "[White \"Nobody\"]\n\n1. e4 e5 2. Ke3 d6 1-0\n\n");
        f.parts[i] = pack(text.text, text.size, NULL);
        f.grown[i] = copy_archives(f.parts, i + 1, NULL);
        free(text.text);
    }
    assert_int_equal(stamma_query_parse((stamma_text){question, strlen(question)}, NULL, &fault, &f.query), STAMMA_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < PARTS; i++) {
        free(f->parts[i].text);
        free(f->grown[i].text);
    }
    stamma_query_close(f->query);
    return 0;
}

static stamma_archive *open_with(const listing *archive, const stamma_archive_options *options)
{
    const stamma_bytes bytes = stamma_bytes_of(archive->text, archive->size);
    stamma_archive *opened = NULL;
    assert_int_equal(stamma_archive_open(&bytes, options, &opened), STAMMA_OK);
    return opened;
}

/* Opens an archive and keeps its index. */
static stamma_archive *open_kept(const listing *archive, const stamma_archive_options *options,
                                 const stamma_index_keep_options *keep)
{
    stamma_archive *opened = open_with(archive, options);
    assert_int_equal(stamma_archive_keep_index(opened, keep), STAMMA_OK);
    const stamma_index_state state = index_state(opened);
    assert_int_equal(state.kind, STAMMA_INDEX_MEMORY);
    assert_true(state.error == STAMMA_OK && !state.damaged);
    return opened;
}

static const stamma_search_index *index_of(const stamma_archive *archive)
{
    return handle_index(archive);
}

typedef struct answers {
    uint64_t games[ANSWERS];
    size_t count;
    stamma_error error;
} answers;

static void search(stamma_archive *archive, const stamma_query *query, answers *a)
{
    const stamma_match *match;
    stamma_search *s = NULL;
    memset(a, 0, sizeof *a);
    a->error = stamma_search_open(archive, query, NULL, &s);
    while (a->error == STAMMA_OK && (a->error = stamma_search_next(s, &match)) == STAMMA_OK && match)
        a->games[a->count++] = match->game;
    stamma_search_close(s);
}

static void search_without(const listing *archive, const stamma_query *query, answers *a)
{
    stamma_archive *opened = open_handle(archive);
    search(opened, query, a);
    stamma_archive_close(opened);
}

static void expect_same(const fixture *f, const listing *archive, stamma_archive *kept)
{
    answers wanted, got;
    search_without(archive, f->query, &wanted);
    search(kept, f->query, &got);
    assert_int_equal(got.error, wanted.error);
    assert_memory_equal(&got, &wanted, sizeof got);
}

/* ---- tests ---- */

static void memory_is_bounded(void **state)
{
    const fixture *f = *state;
    const listing *archive = &f->grown[PARTS - 1];
    counted_memory memory = {0};
    stamma_allocator allocator = counting_allocator(&memory);
    stamma_archive_options options = {.size = sizeof options, .allocator = &allocator};
    stamma_archive *opened = open_kept(archive, &options, NULL);
    const size_t whole = memory.now;
    const uint64_t said = index_state(opened).memory;
    assert_int_equal(index_of(opened)->kept, PARTS);
    assert_false(index_state(opened).partial);
    assert_true(said <= whole && whole - said < 4096); /* memory outside of blocks is small */
    stamma_archive_close(opened);
    assert_int_equal(memory.alive, 0);
    bool threaded = false;
    for (uint64_t bound = 1; bound < said + said / 4; bound += said / 8, threaded = !threaded) {
        eager e = {.most = 0};
        const stamma_executor threads = {&e, 3, start_eager, wait_eager};
        const stamma_index_keep_options keep = {.size = sizeof keep, .memory = bound};
        options.executor = threaded ? &threads : NULL;
        opened = open_kept(archive, &options, &keep);
        assert_true(index_state(opened).memory <= bound);
        const size_t kept = index_of(opened)->kept;
        assert_true(kept < PARTS || bound >= said);
        assert_true(kept > 0 || bound < said / 2);
        assert_int_equal(index_state(opened).partial, kept < PARTS);
        expect_same(f, archive, opened);
        stamma_archive_close(opened);
        assert_int_equal(memory.alive, 0);
    }
}

/* Unchanged blocks are shared, and the old archive may be closed. */
static void a_grown_archive_shares_blocks(void **state)
{
    const fixture *f = *state;
    counted_memory memory = {0};
    stamma_allocator allocator = counting_allocator(&memory);
    const stamma_archive_options options = {.size = sizeof options, .allocator = &allocator};
    stamma_index_keep_options keep = {.size = sizeof keep};
    stamma_archive *old = open_kept(&f->grown[0], &options, &keep), *now = NULL;
    for (size_t i = 1; i < PARTS; i++) {
        keep.before = old;
        now = open_kept(&f->grown[i], &options, &keep);
        for (size_t n = 0; n < i; n++)
            assert_ptr_equal(index_of(now)->blocks[n], index_of(old)->blocks[n]);
        assert_int_equal(index_of(now)->kept, i + 1);
        expect_same(f, &f->grown[i - 1], old);
        expect_same(f, &f->grown[i], now);
        stamma_archive_close(old);
        expect_same(f, &f->grown[i], now);
        old = now;
    }
    /* An archive that shrank, or another archive, shares equal blocks. */
    keep.before = old;
    now = open_kept(&f->grown[1], &options, &keep);
    assert_ptr_equal(index_of(now)->blocks[1], index_of(old)->blocks[1]);
    stamma_archive_close(old);
    expect_same(f, &f->grown[1], now);
    keep.before = now;
    old = open_kept(&f->parts[3], &options, &keep);
    assert_ptr_not_equal(index_of(old)->blocks[0], index_of(now)->blocks[0]);
    expect_same(f, &f->parts[3], old);
    stamma_archive_close(old);
    stamma_archive_close(now);
    assert_int_equal(memory.alive, 0);
    keep.before = open_handle(&f->grown[1]); /* without an index */
    now = open_kept(&f->grown[2], NULL, &keep);
    assert_int_equal(index_of(now)->kept, 3);
    stamma_archive_close((stamma_archive *)(uintptr_t)keep.before);
    stamma_archive_close(now);
}

/* An archive has one index: a second call has no effect. */
static void an_index_is_made_once(void **state)
{
    const fixture *f = *state;
    archive_steps steps = {.stop_at = 1};
    const stamma_index_keep_options keep = {.size = sizeof keep, .context = &steps, .progress = archive_take_progress};
    stamma_archive *kept = open_kept(&f->grown[2], NULL, NULL);
    const stamma_search_index *index = index_of(kept);
    assert_int_equal(stamma_archive_keep_index(kept, &keep), STAMMA_OK);
    assert_int_equal(steps.calls, 0);
    assert_ptr_equal(index_of(kept), index);
    stamma_archive_close(kept);
}

typedef struct visitor {
    const fixture *f;
    stamma_archive *archive;
    answers wanted;
    bool same;
} visitor;

/* Runs searches in a separate thread. */
static void *visit(void *context)
{
    visitor *v = context;
    answers *got = malloc(sizeof *got);
    for (unsigned n = 0; n < 5 && got; n++) {
        search(v->archive, v->f->query, got);
        v->same &= memcmp(got, &v->wanted, sizeof *got) == 0;
    }
    free(got);
    return NULL;
}

static void threads_share_it(void **state)
{
    const fixture *f = *state;
    static visitor visitors[THREADS];
    pthread_t threads[THREADS];
    const listing *archive = &f->grown[PARTS - 1];
    stamma_archive *kept = open_kept(archive, NULL, NULL);
    for (size_t i = 0; i < THREADS; i++) {
        visitors[i] = (visitor){.f = f, .archive = kept, .same = true};
        search_without(archive, f->query, &visitors[i].wanted);
        assert_int_equal(pthread_create(&threads[i], NULL, visit, &visitors[i]), 0);
    }
    const stamma_index_keep_options keep = {.size = sizeof keep, .before = kept};
    stamma_archive *other = open_kept(archive, NULL, &keep);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(visitors[i].same);
    }
    stamma_archive_close(kept);
    stamma_archive_close(other);
}

/* Threads search an archive while its index is made. */
static void threads_search_meanwhile(void **state)
{
    const fixture *f = *state;
    static visitor visitors[THREADS];
    pthread_t threads[THREADS];
    const listing *archive = &f->grown[PARTS - 1];
    stamma_archive *opened = open_handle(archive);
    for (size_t i = 0; i < THREADS; i++) {
        visitors[i] = (visitor){.f = f, .archive = opened, .same = true};
        search_without(archive, f->query, &visitors[i].wanted);
    }
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, visit, &visitors[i]), 0);
    assert_int_equal(stamma_archive_keep_index(opened, NULL), STAMMA_OK);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(visitors[i].same);
    }
    expect_same(f, archive, opened);
    stamma_archive_close(opened);
}

static void damage_is_told_by_searches(void **state)
{
    const fixture *f = *state;
    const listing *whole = &f->grown[PARTS - 1];
    listing copy = {0};
    size_t wrong = 0;
    list_bytes(&copy, whole->text, whole->size);
    const stamma_bytes bytes = stamma_bytes_of(copy.text, copy.size);
    for (size_t at = ARCHIVE_HEADER_SIZE; at < whole->size; at += 1 + at % 397) {
        stamma_archive *opened = NULL;
        copy.text[at] ^= 0x20;
        stamma_error error = stamma_archive_open(&bytes, NULL, &opened);
        if (error == STAMMA_OK) {
            answers wanted;
            assert_int_equal(stamma_archive_keep_index(opened, NULL), STAMMA_OK);
            search_without(&copy, f->query, &wanted);
            wrong += wanted.error != STAMMA_OK;
            expect_same(f, &copy, opened);
        } else {
            assert_true(error == STAMMA_ERROR_NO_ARCHIVE || error == STAMMA_ERROR_UNSUPPORTED);
        }
        stamma_archive_close(opened);
        copy.text[at] ^= 0x20;
    }
    assert_true(wrong > 20);
    free(copy.text);
}

/* A search skips blocks with a damaged head or damaged first columns if the archive's options allow this. The other
 * games keep their numbers. */
static void damaged_blocks_are_skipped(void **state)
{
    const fixture *f = *state;
    const listing *whole = &f->grown[PARTS - 1];
    const stamma_archive_options sound = {.size = sizeof sound, .skip_damage = true};
    static answers all, wanted, got;
    listing copy = {0};
    size_t frame = ARCHIVE_HEADER_SIZE;
    uint64_t first = 0, past;
    list_bytes(&copy, whole->text, whole->size);
    search_without(whole, f->query, &all);
    for (size_t block = 0; block < PARTS; block++, first = past) {
        past = first + 40 + 7 * block + 1; /* as in set_up */
        memset(&wanted, 0, sizeof wanted);
        for (size_t n = 0; n < all.count; n++)
            if (all.games[n] <= first || all.games[n] > past)
                wanted.games[wanted.count++] = all.games[n];
        assert_true(wanted.count < all.count);
        const size_t end = next_frame(whole, frame), part = (end - frame) / 8;
        const size_t places[] = {
            frame,  frame + FRAME_HEADER_SIZE + 1, frame + FRAME_HEADER_SIZE + 9, end - 5 * part, end - 4 * part,
            end - 1};
        for (size_t n = 0; n < sizeof places / sizeof *places; n++) {
            copy.text[places[n]] ^= 0x55;
            stamma_archive *opened = open_with(&copy, &sound);
            search(opened, f->query, &got);
            assert_memory_equal(&got, &wanted, sizeof got);
            assert_int_equal(stamma_archive_keep_index(opened, NULL), STAMMA_OK);
            search(opened, f->query, &got);
            assert_memory_equal(&got, &wanted, sizeof got);
            stamma_archive_close(opened);
            search_without(&copy, f->query, &got);
            assert_int_equal(got.error, STAMMA_ERROR_CORRUPT);
            copy.text[places[n]] ^= 0x55;
        }
        frame = end;
    }
    free(copy.text);
}

/* Games that share their first moves, as in a database, so that the moves of the block are stored with shared
 * beginnings. */
static listing games_with_openings(size_t games)
{
    listing text = {0};
    for (size_t n = 0; n < games; n++) {
        stamma_position p = stamma_position_start();
        list_format(&text, "[Event \"%u\"]\n\n", (unsigned)n);
        for (unsigned ply = 0; ply < 40; ply++) {
            stamma_move moves[STAMMA_MOVES_MAX];
            char san[STAMMA_SAN_SIZE];
            const size_t count = stamma_legal_moves(&p, moves);
            if (count == 0)
                break;
            const stamma_move move = moves[random_below(ply < 12 && count > 1 && random_below(20) > 0 ? 2 : count)];
            (void)stamma_san_write(&p, move, san, sizeof san);
            list_format(&text, p.side == STAMMA_WHITE ? "%u. %s " : "%.0u%s ", p.side ? 0u : ply / 2 + 1, san);
            stamma_position_make(&p, move, &p);
        }
        list_word(&text, "*\n\n");
    }
    return text;
}

/* Numbers of games of the sound blocks: in a tree, in statistics, and in their results only. */
typedef struct sound_games {
    uint64_t tree, stats, results;
} sound_games;

static sound_games count_sound_games(const listing *archive)
{
    const stamma_archive_options sound = {.size = sizeof sound, .skip_damage = true};
    stamma_archive *opened = open_with(archive, &sound);
    const stamma_position start = stamma_position_start();
    stamma_tree *tree = NULL;
    stamma_stats *stats = NULL;
    assert_int_equal(stamma_tree_open(&start, NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    assert_int_equal(stamma_tree_add_archive(tree, (stamma_text){"a", 1}, opened, NULL, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_stats_add_archive(stats, opened, NULL, NULL, NULL), STAMMA_OK);
    stamma_stats_results results = {0};
    assert_int_equal(stamma_stats_count_archive(&results, opened, NULL, NULL, NULL), STAMMA_OK);
    const sound_games games = {stamma_tree_total(tree).games, stamma_stats_sum(stats).results.games, results.games};
    stamma_tree_close(tree);
    stamma_stats_close(stats);
    stamma_archive_close(opened);
    return games;
}

/* A block whose damage is noticed after some of its games were counted adds none of them. */
static void damaged_blocks_add_nothing(void **state)
{
    enum { GAMES = 201 };
    /* a game that the search columns do not answer */
    static const char last[] =
        "[Site \"x\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 *\n\n";
    const fixture *f = *state;
    listing text = games_with_openings(GAMES - 1), parts[2] = {f->parts[0]};
    list_bytes(&text, last, sizeof last - 1);
    parts[1] = pack(text.text, text.size, NULL);
    listing archive = copy_archives(parts, 2, NULL);
    const size_t frame = next_frame(&archive, ARCHIVE_HEADER_SIZE), end = next_frame(&archive, frame);
    const sound_games first = count_sound_games(&parts[0]);
    unsigned damaged = 0;
    for (size_t at = frame + FRAME_HEADER_SIZE; at < end; at += 1 + at % 9) {
        archive.text[at] ^= 0x55;
        const sound_games games = count_sound_games(&archive);
        damaged += games.tree == first.tree;
        assert_true(games.tree == first.tree || games.tree == first.tree + GAMES);
        assert_true(games.stats == first.stats || games.stats == first.stats + GAMES);
        assert_true(games.results == first.results || games.results == first.results + GAMES);
        archive.text[at] ^= 0x55;
    }
    assert_true(damaged > 20);
    free(archive.text);
    free(parts[1].text);
    free(text.text);
}

static void progress_may_stop_it(void **state)
{
    const fixture *f = *state;
    const listing *archive = &f->grown[PARTS - 1];
    for (unsigned stop = 0; stop <= PARTS; stop++) {
        archive_steps steps = {.stop_at = stop};
        const stamma_index_keep_options options = {
            .size = sizeof options, .context = &steps, .progress = archive_take_progress};
        stamma_archive *opened = open_handle(archive);
        stamma_error error = stamma_archive_keep_index(opened, &options);
        assert_int_equal(error, stop == 0 ? STAMMA_OK : STAMMA_ERROR_CANCELLED);
        assert_int_equal(steps.calls, stop == 0 ? PARTS : stop);
        assert_int_equal(index_of(opened) != NULL, stop == 0);
        stamma_archive_close(opened);
    }
}

static void memory_may_fail_at_any_call(void **state)
{
    const fixture *f = *state;
    const listing *archive = &f->grown[1];
    const stamma_bytes bytes = stamma_bytes_of(archive->text, archive->size);
    unsigned failed = 0;
    for (unsigned at = 1; failed + 1 == at; at++) {
        failing_memory memory = {.fail_at = at};
        stamma_allocator allocator = failing_allocator(&memory);
        const stamma_archive_options options = {.size = sizeof options, .allocator = &allocator};
        stamma_archive *opened = NULL;
        stamma_error error = stamma_archive_open(&bytes, &options, &opened);
        if (error == STAMMA_OK) {
            error = stamma_archive_keep_index(opened, NULL);
            assert_int_equal(index_of(opened) != NULL, error == STAMMA_OK);
        }
        assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
        failed += error != STAMMA_OK;
        stamma_archive_close(opened);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(failed > 20);
}

/* A FEN tag after a comment is not in the roster. The game's start position still counts. */
static void a_start_outside_the_roster(void **state)
{
    static const char text[] =
        "{c}\n[White \"A\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n"
        "[White \"B\"]\n\n1. e4 *\n\n";
    static const char json[] = "{\"fen\": \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\"}";
    (void)state;
    stamma_query *query;
    answers a;
    listing archive = pack(text, sizeof text - 1, NULL);
    stamma_archive *kept = open_kept(&archive, NULL, NULL);
    assert_int_equal(stamma_query_parse((stamma_text){json, sizeof json - 1}, NULL, NULL, &query), STAMMA_OK);
    for (unsigned n = 0; n < 2; n++) {
        if (n)
            search(kept, query, &a);
        else
            search_without(&archive, query, &a);
        assert_int_equal(a.error, STAMMA_OK);
        assert_int_equal(a.count, 1);
        assert_int_equal(a.games[0], 2);
    }
    stamma_query_close(query);
    stamma_archive_close(kept);
    free(archive.text);
}

/* Searches with and without an index, which must find the same games. Returns whether this game is among them. */
static bool finds_game(stamma_archive *archive, const char *json, stamma_archive *kept, uint64_t game)
{
    stamma_query *query = NULL;
    answers wanted, got;
    bool found = false;
    assert_int_equal(stamma_query_parse(stamma_text_of(json), NULL, NULL, &query), STAMMA_OK);
    search(archive, query, &wanted);
    search(kept, query, &got);
    assert_memory_equal(&got, &wanted, sizeof got);
    for (size_t n = 0; n < got.count; n++)
        found |= got.games[n] == game;
    stamma_query_close(query);
    return found;
}

/* Asserts that a game is found by its position, and, by the position and another rule, only if the rule is true. */
static void find_position(stamma_archive *archive, const stamma_position *p, stamma_archive *kept, uint64_t game)
{
    char fen[STAMMA_FEN_SIZE], json[STAMMA_FEN_SIZE + 40];
    const bool check = stamma_position_in_check(p);
    (void)stamma_fen_write(p, STAMMA_FEN_STANDARD, fen, sizeof fen);
    (void)snprintf(json, sizeof json, "{\"fen\": \"%s\"}", fen);
    assert_true(finds_game(archive, json, kept, game));
    for (unsigned right = 0; right < 2; right++) {
        (void)snprintf(json, sizeof json, "{\"fen\": \"%s\", \"check\": %s}", fen, check == right ? "true" : "false");
        assert_int_equal(finds_game(archive, json, kept, game), right);
        (void)snprintf(json, sizeof json, "{\"fen\": \"%s\", \"stm\": \"%s\"}", fen,
                       p->side == (right ? STAMMA_WHITE : STAMMA_BLACK) ? "white" : "black");
        assert_int_equal(finds_game(archive, json, kept, game), right);
    }
}

/* Each position of a game is found in this game, also after the beginnings that other games share. */
static void deep_positions(void **state)
{
    (void)state;
    listing text = games_with_openings(300), archive = pack(text.text, text.size, NULL);
    stamma_archive *opened = open_handle(&archive), *kept = open_kept(&archive, NULL, NULL);
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    const stamma_archive_game *game;
    size_t positions = 0;
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game) {
        stamma_position p = game->start;
        for (size_t ply = 0; ply < game->ply_count; ply++) {
            stamma_position_make(&p, game->moves[ply], &p);
            if ((ply + game->number) % 29 > 0)
                continue;
            find_position(opened, &p, kept, game->number);
            positions++;
        }
    }
    assert_true(positions > 300);
    close_reader(reader);
    stamma_archive_close(opened);
    stamma_archive_close(kept);
    free(archive.text);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_bounded),          cmocka_unit_test(a_grown_archive_shares_blocks),
        cmocka_unit_test(an_index_is_made_once),      cmocka_unit_test(threads_share_it),
        cmocka_unit_test(threads_search_meanwhile),   cmocka_unit_test(damage_is_told_by_searches),
        cmocka_unit_test(damaged_blocks_are_skipped), cmocka_unit_test(damaged_blocks_add_nothing),
        cmocka_unit_test(progress_may_stop_it),       cmocka_unit_test(memory_may_fail_at_any_call),
        cmocka_unit_test(a_start_outside_the_roster), cmocka_unit_test(deep_positions),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
