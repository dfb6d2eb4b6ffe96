/* SPDX-License-Identifier: MIT */
/* Tests searches, trees and statistics of blocks in which one column has other bytes and a valid checksum. Without an
 * index and with a kept index, the results are the same, or the block is damaged in both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "changed_block.h"
#include "executors.h"
#include "made_archive.h"
#include "passed_games.h"
#include "search/block_index.h"

enum { GAMES = 150, ROOM = 1 << 18 };
enum { AT_RECORDS = 16, AT_GAMES }; /* in the head, if they are less than 128 */

typedef struct fixture {
    changed_block *block;
    uint64_t games, text;
    listing sound; /* the archive of the unchanged block, from which names are read; or empty */
} fixture;

static void init_fixture(fixture *f, listing text)
{
    *f = (fixture){new_changed_block(1, text), 0, text.size, {0}};
    f->games = f->block->counts[AT_GAMES];
    assert_true(f->games < 128);
}

/* Many games: moves have shared beginnings. */
static int set_up(void **state)
{
    static fixture f;
    listing text = {0};
    list_passed_games(&text, GAMES);
    f = (fixture){new_changed_block(1, text), GAMES, text.size, {0}};
    assert_int_equal(find_column(f.block, COLUMN_MOVES)->entry.codec, CODEC_PREFIXES);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    const fixture *f = *state;
    release_changed_block(f->block);
    return 0;
}

static void add_block(const fixture *f, made *m, uint64_t games, uint64_t text)
{
    make_payload(f->block);
    const buffer *bytes = &f->block->job.payload;
    const listing payload = {(char *)bytes->data, bytes->size, 0};
    make_block_of(m, &payload, f->block->job.frame.head_size, games, text);
}

/* An archive of the block. */
static listing make(const fixture *f, uint64_t games, uint64_t text)
{
    made m = make_archive();
    add_block(f, &m, games, text);
    make_commit(&m, true);
    return m.bytes;
}

/* ---- questions ---- */

static void list_search(stamma_archive *archive, const char *json, const stamma_search_options *options, listing *out)
{
    stamma_query *query = NULL;
    stamma_search *search = NULL;
    const stamma_match *match = NULL;
    assert_int_equal(stamma_query_parse(stamma_text_of(json), NULL, NULL, &query), STAMMA_OK);
    stamma_error error = stamma_search_open(archive, query, options, &search);
    while (error == STAMMA_OK && (error = stamma_search_next(search, &match)) == STAMMA_OK && match)
        list_format(out, "%u:%u ", (unsigned)match->game, match->ply_count ? match->plies[0] : 0);
    list_format(out, "error %d\n", (int)error);
    stamma_search_close(search);
    stamma_query_close(query);
}

/* Lists a tree with the names of its games, if it can be made. */
static void list_tree(stamma_archive *archive, listing *out)
{
    static char json[ROOM];
    const stamma_text name = {"a", 1};
    const stamma_position start = stamma_position_start();
    stamma_tree *tree = NULL;
    assert_int_equal(stamma_tree_open(&start, NULL, &tree), STAMMA_OK);
    stamma_error error = stamma_tree_add_archive(tree, name, archive, NULL, NULL, NULL);
    if (error == STAMMA_OK)
        error = stamma_tree_name_games(tree, name, archive, NULL);
    const size_t size = stamma_tree_write_json(tree, SIZE_MAX, SIZE_MAX, json, sizeof json);
    assert_true(size < sizeof json);
    if (error == STAMMA_OK)
        list_bytes(out, json, size);
    list_format(out, "error %d\n", (int)error);
    stamma_tree_close(tree);
}

static void list_stats(stamma_archive *archive, listing *out)
{
    static char json[ROOM];
    stamma_stats *stats = NULL;
    stamma_stats_results results = {.games = 0};
    size_t size = 0;
    assert_int_equal(stamma_stats_open(NULL, &stats), STAMMA_OK);
    stamma_error error = stamma_stats_add_archive(stats, archive, NULL, NULL, NULL);
    assert_int_equal(stamma_stats_write_json(stats, SIZE_MAX, json, sizeof json, &size), STAMMA_OK);
    assert_true(size < sizeof json);
    list_bytes(out, json, size);
    list_format(out, "error %d\n", (int)error);
    error = stamma_stats_count_archive(&results, archive, NULL, NULL, NULL);
    list_format(out, "%u games, error %d\n", (unsigned)results.games, (int)error);
    stamma_stats_close(stats);
}

static listing ask(stamma_archive *archive)
{
    static const char *const questions[] = {
        "{\"fen\": \"rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq -\"}",
        "{\"sub-fen\": \"8/8/8/8/8/N7/8/8\", \"white\": \"Player1*\"}",
        "{\"opening\": \"closed\", \"result\": \"1-0\"}",
        "{\"sub-fen\": \"8/8/8/8/8/8/8/1K6\"}", /* all moves are played */
    };
    listing out = {0};
    for (size_t n = 0; n < sizeof questions / sizeof *questions; n++)
        list_search(archive, questions[n], NULL, &out);
    list_tree(archive, &out);
    list_stats(archive, &out);
    return out;
}

/* Compares the answers with and without an index. Returns whether the block is damaged for any of the queries. */
static bool compare(const listing *archive, const char *what, size_t column, size_t at)
{
    stamma_archive *opened = open_handle(archive), *indexed = open_handle(archive);
    assert_int_equal(stamma_archive_keep_index(indexed, NULL), STAMMA_OK);
    listing plain = ask(opened), kept = ask(indexed);
    if (plain.size != kept.size || memcmp(plain.text, kept.text, plain.size) != 0)
        fail_msg("%s of column %zu at %zu: with an index\n%s\nwithout\n%s", what, column, at, kept.text, plain.text);
    const bool damaged = strstr(plain.text, "error 7") != NULL;
    stamma_archive_close(opened);
    stamma_archive_close(indexed);
    free(plain.text);
    free(kept.text);
    return damaged;
}

/* Requests the names of the games of a tree of the sound block. */
static void ask_names(const listing *sound, const listing *archive)
{
    const stamma_text name = {"a", 1};
    const stamma_position start = stamma_position_start();
    stamma_archive *opened = open_handle(sound), *changed = open_handle(archive);
    stamma_tree *tree = NULL;
    assert_int_equal(stamma_tree_open(&start, NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_tree_add_archive(tree, name, opened, NULL, NULL, NULL), STAMMA_OK);
    const stamma_error error = stamma_tree_name_games(tree, name, changed, NULL);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED);
    stamma_tree_close(tree);
    stamma_archive_close(opened);
    stamma_archive_close(changed);
}

static bool ask_changed(fixture *f, const char *what, size_t column, size_t at)
{
    listing archive = make(f, f->games, f->text);
    const bool damaged = compare(&archive, what, column, at);
    if (f->sound.text)
        ask_names(&f->sound, &archive);
    free(archive.text);
    return damaged;
}

/* ---- other bytes ---- */

/* Columns that searches read before any game. */
static bool is_searched(const block_column *c)
{
    static const char *const tags[] = {"White", "Opening", "Result", "FEN"};
    bool searched = c->entry.id == COLUMN_EVENTS || c->entry.id == COLUMN_EVENT_COUNTS ||
                    c->entry.id == COLUMN_ROSTERS || c->entry.id == COLUMN_ROSTER_LIST || c->entry.id == COLUMN_MOVES;
    for (size_t n = 0; n < sizeof tags / sizeof *tags; n++)
        searched |= c->entry.id == COLUMN_TAG && text_equal(c->entry.name, stamma_text_of(tags[n]));
    return searched;
}

static void other_bytes(void **state)
{
    enum { FIRST = 8, MOST = 40, END = 200 };
    static const uint8_t values[] = {0, 1, 254};
    fixture *f = *state;
    unsigned damaged = 0, sound = 0;
    f->sound = make(f, f->games, f->text);
    assert_false(ask_changed(f, "nothing", 0, 0));
    for (size_t column = 0; column < f->block->count; column++) {
        buffer *bytes = &f->block->columns[column].bytes;
        const size_t size = bytes->size;
        if (!is_searched(&f->block->columns[column]))
            continue;
        for (size_t n = 0; n < MOST && n < size; n++) {
            const size_t at = n < FIRST || size <= MOST ? n : (size_t)random_below(size);
            const uint8_t before = bytes->data[at], other = values[n % sizeof values];
            bytes->data[at] = other != before ? other : 255;
            *(ask_changed(f, "another byte", column, at) ? &damaged : &sound) += 1;
            bytes->data[at] = before;
        }
        uint8_t kept[END];
        assert_true(size > END || f->block->columns[column].entry.id != COLUMN_MOVES);
        if (f->block->columns[column].entry.id == COLUMN_MOVES) { /* the last groups of codes */
            memcpy(kept, bytes->data + size - END, END);
            memset(bytes->data + size - END, 255, END);
            damaged += ask_changed(f, "the longest codes", column, size - END);
            memset(bytes->data + size - END, 0x55, END);
            damaged += ask_changed(f, "other codes", column, size - END);
            memcpy(bytes->data + size - END, kept, END);
        }
        bytes->size--;
        damaged += ask_changed(f, "a byte less", column, size);
        bytes->size++;
        buffer_add_byte(bytes, 1);
        damaged += ask_changed(f, "a byte more", column, size);
        bytes->size--;
    }
    assert_false(ask_changed(f, "nothing any more", 0, 0));
    assert_true(damaged > 20 && sound > 20);
    free(f->sound.text);
    f->sound = (listing){0};
}

/* ---- columns that no writer makes ---- */

/* Compares the answers about the block after a column was replaced, and restores the column. Returns whether the block
 * is damaged. */
static bool ask_replaced(fixture *f, unsigned id, const void *bytes, size_t size)
{
    buffer *column = &find_column(f->block, id)->bytes, kept = *column;
    *column = (buffer){.allocator = kept.allocator};
    buffer_add(column, bytes, size);
    const bool damaged = ask_changed(f, "other contents", id, size);
    stamma_buffer_release(column);
    *column = kept;
    return damaged;
}

static void too_many_rosters(void **state)
{
    static uint8_t lists[ROSTERS_MAX + 1]; /* empty rosters */
    (void)state;
    for (unsigned set_up = 0; set_up < 2; set_up++) {
        listing text = {0};
        fixture f;
        for (unsigned n = 0; n < 20; n++)
            list_word(&text, "[White \"A\"]\n[Opening \"B\"]\n\n1. e4 *\n\n");
        if (set_up)
            list_word(&text, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n");
        init_fixture(&f, text);
        assert_true(ask_replaced(&f, COLUMN_ROSTER_LIST, lists, ROSTERS_MAX + 1));
        const uint8_t one[] = {2, 0};
        assert_true(ask_replaced(&f, COLUMN_ROSTER_LIST, one, sizeof one));
        assert_true(ask_replaced(&f, COLUMN_ROSTERS, "\x01", 1));
        release_changed_block(f.block);
    }
}

/* More moves than a record can contain, in several events. */
static void too_many_moves(void **state)
{
    static const char events[] = "\xF4\xFA", sizes[] = "\xF1\xFF\x0F\xF1\xFF\x0F";
    fixture *f = *state;
    buffer *columns[2] = {&find_column(f->block, COLUMN_EVENTS)->bytes,
                          &find_column(f->block, COLUMN_EVENT_COUNTS)->bytes};
    buffer kept[2] = {*columns[0], *columns[1]};
    for (size_t n = 0; n < 2; n++) {
        *columns[n] = (buffer){.allocator = kept[n].allocator};
        buffer_add(columns[n], n ? sizes : events, n ? sizeof sizes - 1 : sizeof events - 1);
        buffer_add(columns[n], kept[n].data, kept[n].size);
    }
    assert_true(ask_changed(f, "many moves", 0, 0));
    for (size_t n = 0; n < 2; n++) {
        stamma_buffer_release(columns[n]);
        *columns[n] = kept[n];
    }
}

/* Different numbers of games and bytes in the commit and in the head. */
static void other_counts(void **state)
{
    fixture *f = *state;
    for (unsigned n = 0; n < 2; n++) {
        listing archive = make(f, f->games + (n == 0), f->text + (n == 1));
        assert_true(compare(&archive, "other counts", n, 0));
        free(archive.text);
    }
}

/* The names of a tree's games are requested from a block without the end of its last name, and from a block with fewer
 * games than its head contains. */
static void names_of_other_games(void **state)
{
    static const char games[] = "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. e4 *\n\n[White \"C\"]\n\n1. e4 *\n\n";
    const stamma_position start = stamma_position_start();
    const stamma_text name = {"a", 1};
    listing text = {0};
    fixture f;
    (void)state;
    list_bytes(&text, games, sizeof games - 1);
    init_fixture(&f, text);
    listing archive = make(&f, f.games, f.text);
    stamma_archive *opened = open_handle(&archive);
    buffer *events = &find_column(f.block, COLUMN_EVENTS)->bytes, *names = &find_column(f.block, COLUMN_TAG)->bytes;
    const size_t names_size = names->size;
    assert_true(f.block->counts[AT_RECORDS] == 3 && f.block->counts[AT_GAMES] == 3 && events->size == 6);
    for (unsigned n = 0; n < 3; n++) {
        stamma_tree *tree = NULL;
        assert_int_equal(stamma_tree_open(&start, NULL, &tree), STAMMA_OK);
        assert_int_equal(stamma_tree_add_archive(tree, name, opened, NULL, NULL, NULL), STAMMA_OK);
        assert_int_equal(stamma_tree_total(tree).games, 3);
        names->size = names_size - (n == 1);
        if (n == 2) {
            f.block->counts[AT_GAMES] = 2;
            events->data[1] = events->data[3] = ITEM_END_NO_GAME; /* after the events of the results */
        }
        listing changed = make(&f, f.block->counts[AT_GAMES], f.text);
        stamma_archive *other = open_handle(&changed);
        assert_int_equal(stamma_tree_name_games(tree, name, other, NULL), n > 0 ? STAMMA_ERROR_CORRUPT : STAMMA_OK);
        stamma_tree_close(tree);
        stamma_archive_close(other);
        free(changed.text);
    }
    stamma_archive_close(opened);
    free(archive.text);
    release_changed_block(f.block);
}

/* ---- illegal moves ---- */

static uint8_t code_of(const char *san)
{
    const stamma_position start = stamma_position_start();
    stamma_move move;
    uint8_t code = 0;
    assert_int_equal(stamma_san_read(&start, stamma_text_of(san), &move), STAMMA_OK);
    assert_int_equal(stamma_byte_encode(&start, move, &code), STAMMA_OK);
    return code;
}

/* The codes of all records. */
typedef struct all_codes {
    buffer codes;
    uint32_t sizes[GAMES], begins[GAMES];
    uint8_t apart[GAMES];
} all_codes;

static void read_codes(fixture *f, all_codes *a)
{
    make_payload(f->block);
    const buffer *payload = &f->block->job.payload;
    const found_block at = {.payload = payload->data,
                            .size = payload->size,
                            .head_size = f->block->job.frame.head_size,
                            .games = f->games,
                            .text_size = f->text};
    block_index x;
    prefix_reader r;
    const uint8_t *codes;
    memset(a, 0, sizeof *a);
    a->codes.allocator = &f->block->allocator;
    stamma_block_index_init(&x, &f->block->allocator);
    assert_int_equal(stamma_block_index_open(&x, &at), STAMMA_OK);
    assert_int_equal(x.records, GAMES);
    stamma_prefix_reader_init(&r, &f->block->allocator);
    stamma_prefix_reader_begin(&r, &x.beginnings, at.payload + x.moves_at);
    for (size_t n = 0; n < GAMES; n++) {
        assert_int_equal(stamma_prefix_reader_codes(&r, n, &codes), STAMMA_OK);
        a->begins[n] = (uint32_t)a->codes.size;
        a->sizes[n] = block_index_plies(&x)[n];
        a->apart[n] = x.marks.data[n] & RECORD_IS_SET_UP ? 1 : 0;
        buffer_add(&a->codes, codes, a->sizes[n]);
    }
    stamma_prefix_reader_release(&r);
    stamma_block_index_release(&x);
}

static bool ask_with_codes(fixture *f, const all_codes *a)
{
    const prefix_strings strings = {a->codes.data, a->sizes, a->apart, GAMES};
    byte_packer coder = {.partial = false};
    buffer column = {.allocator = &f->block->allocator};
    assert_int_equal(stamma_prefix_column_write(&coder, &strings, &column), STAMMA_OK);
    const bool damaged = ask_replaced(f, COLUMN_MOVES, column.data, column.size);
    stamma_buffer_release(&column);
    stamma_byte_packer_release(&coder);
    return damaged;
}

/* Changes a code of the games that begin with a move, or of every seventh game. */
static void illegal_moves(void **state)
{
    static const struct {
        const char *first; /* NULL: any */
        uint32_t ply;
        uint8_t code;
        bool damaged;
    } cases[] = {{NULL, 0, 254, true}, {"h4", 0, 253, true}, {"e4", 1, 254, true},
                 {"d4", 2, 254, true}, {"e4", 3, 255, true}, {"Nf3", 0, 254, true},
                 {NULL, 4, 254, true}, {NULL, 7, 254, true}, {NULL, 20, 254, true}};
    fixture *f = *state;
    all_codes a;
    read_codes(f, &a);
    assert_false(ask_with_codes(f, &a));
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        buffer kept = {.allocator = &f->block->allocator};
        buffer_add(&kept, a.codes.data, a.codes.size);
        for (size_t game = 0; game < GAMES; game++)
            if (a.sizes[game] > cases[n].ply && !a.apart[game] &&
                (cases[n].first ? kept.data[a.begins[game]] == code_of(cases[n].first) : game % 7 == 0))
                a.codes.data[a.begins[game] + cases[n].ply] = cases[n].code;
        if (ask_with_codes(f, &a) != cases[n].damaged)
            fail_msg("case %zu", n);
        memcpy(a.codes.data, kept.data, kept.size);
        stamma_buffer_release(&kept);
    }
    stamma_buffer_release(&a.codes);
}

/* Returns a code that is not a first move, but that the search of an opening does not reject. */
static uint8_t unnoticed_code(const fixture *f)
{
    const stamma_position start = stamma_position_start();
    opening_finder finder;
    unsigned code = 0, opening;
    stamma_move move;
    stamma_openings_init(&finder, &f->block->allocator);
    for (; code < 256; code++)
        if (stamma_byte_decode(&start, (uint8_t)code, &move) != STAMMA_OK &&
            stamma_opening_of_codes(&finder, &(uint8_t){(uint8_t)code}, 1, &opening) == STAMMA_OK)
            break;
    stamma_openings_release(&finder);
    assert_true(code < 256);
    return (uint8_t)code;
}

/* Games of one move, which is illegal in some of them. */
static void illegal_first_moves(void **state)
{
    (void)state;
    fixture f;
    all_codes a;
    listing text = {0};
    for (unsigned n = 0; n < GAMES; n++)
        list_format(&text, "[White \"A\"]\n\n1. %s *\n\n", n % 3 == 0 ? "e4" : n % 3 == 1 ? "d4" : "h4");
    f = (fixture){new_changed_block(1, text), GAMES, text.size, {0}};
    assert_int_equal(find_column(f.block, COLUMN_MOVES)->entry.codec, CODEC_PREFIXES);
    read_codes(&f, &a);
    assert_false(ask_with_codes(&f, &a));
    for (size_t game = 0; game < GAMES; game += 3)
        a.codes.data[game] = unnoticed_code(&f);
    assert_true(ask_with_codes(&f, &a));
    stamma_buffer_release(&a.codes);
    release_changed_block(f.block);
}

/* ---- blocks that run by themselves ---- */

/* Adds the block with sizes of its text and its comments that require more memory than a job may use. Comments are not
 * read. */
static void add_large_block(fixture *f, made *m)
{
    enum { COMMENTS_SIZE = 60 << 20 };
    column_entry *comments = &find_column(f->block, COLUMN_COMMENTS)->entry;
    const uint64_t plain_size = comments->plain_size;
    uint8_t kept[8];
    assert_int_equal(comments->codec, CODEC_FIELDS);
    memcpy(kept, f->block->counts, sizeof kept);
    store_u64(f->block->counts, BLOCK_TEXT_MAX);
    comments->plain_size = COMMENTS_SIZE;
    add_block(f, m, f->games, BLOCK_TEXT_MAX);
    memcpy(f->block->counts, kept, sizeof kept);
    comments->plain_size = plain_size;
}

static void large_blocks(void **state)
{
    fixture *f = *state;
    made m = make_archive();
    listing found[2] = {{0}, {0}};
    for (unsigned n = 0; n < 5; n++) {
        if (n % 2) {
            add_large_block(f, &m);
            continue;
        }
        add_block(f, &m, f->games, f->text);
    }
    make_commit(&m, true);
    stamma_archive *opened = open_handle(&m.bytes);
    for (unsigned n = 0; n < 2; n++) {
        eager e = {.most = 0};
        const stamma_executor threads = {&e, 3, start_eager, wait_eager};
        const stamma_search_options options = {.size = sizeof options, .executor = n ? &threads : NULL};
        list_search(opened, "{\"white\": \"Player1*\"}", &options, &found[n]);
    }
    assert_string_equal(found[1].text, found[0].text);
    assert_non_null(strstr(found[0].text, "error 0"));
    free(found[0].text);
    free(found[1].text);
    stamma_archive_close(opened);
    free(m.bytes.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_bytes),  cmocka_unit_test(too_many_rosters),     cmocka_unit_test(too_many_moves),
        cmocka_unit_test(other_counts), cmocka_unit_test(illegal_moves),        cmocka_unit_test(illegal_first_moves),
        cmocka_unit_test(large_blocks), cmocka_unit_test(names_of_other_games),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
