/* Which rules a tag column gets, and that what they code comes back: the writer's tables against the reader's books. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "archive/archive.h"

enum { RECORDS = 3000, COLUMNS = 4, TEXT_MAX = 24 };

static char texts[COLUMNS][RECORDS][TEXT_MAX]; /* an empty one stands for no tag */
static char codes[RECORDS][8];
static uint32_t numbers[COLUMNS * RECORDS], rosters[RECORDS];
static uint8_t places[1 << COLUMNS][COLUMNS];
static stamma_text moves[RECORDS];
static game_facts games[RECORDS];
static stamma_move lines[RECORDS][2]; /* the moves that games are of */
static bool paired;                   /* column 1 is the twin of column 0, and 3 of 2 */

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* A roster for each set of tags, in the order of the columns. */
static tag_table fill_table(const stamma_allocator *allocator)
{
    tag_table t = {.columns = COLUMNS,
                   .records = RECORDS,
                   .numbers = numbers,
                   .places = &places[0][0],
                   .rosters = rosters,
                   .moves = moves,
                   .games = games,
                   .fen_column = COLUMNS,
                   .texts = {.allocator = allocator},
                   .allocator = allocator};
    for (size_t c = 0; c < COPY_COLUMNS_MAX; c++)
        t.twins[c] = (uint8_t)(paired ? c ^ 1 : COPY_COLUMNS_MAX);
    for (size_t n = 0; n < 1 << COLUMNS; n++)
        for (size_t c = 0; c < COLUMNS; c++)
            places[n][c] = (uint8_t)(n >> c & 1 ? c : UINT8_MAX);
    for (size_t r = 0; r < RECORDS; r++) {
        rosters[r] = 0;
        moves[r] = (stamma_text){codes[r], strlen(codes[r])};
        for (size_t c = 0; c < COLUMNS; c++) {
            size_t size = strlen(texts[c][r]);
            rosters[r] |= size > 0 ? 1u << c : 0;
            numbers[c * RECORDS + r] = size == 0 ? 0 : stamma_tag_table_text(&t, (stamma_text){texts[c][r], size});
        }
    }
    return t;
}

/* How choices are coded: each a byte; or by class; or of every other column that has no common memory by class. */
typedef enum way { WAY_BYTES, WAY_CODED, WAY_MIXED, WAYS } way;

/* Makes a column; what is left of it then is of form CHOICE_BYTES where choices are bytes. */
static const copied_values *make_column(choice_maker *m, size_t column, way way)
{
    assert_int_equal(stamma_choices_make(m, column), STAMMA_OK);
    const copied_values *coded = &m->coded[column];
    bool bytes = way == WAY_BYTES || (way == WAY_MIXED && coded->form < CHOICE_SHARED && column % 2 == 0);
    if (coded->form != CHOICE_BYTES && !bytes)
        return coded;
    stamma_choices_forget(m, column);
    return &m->plain[column];
}

/* Codes all columns one way, reads them back, and tells how many bytes of literals each keeps. */
static void round_trip_one_way(way way, size_t literal_bytes[COLUMNS])
{
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    tag_table table = fill_table(&allocator);
    tag_copies copies = {.values.allocator = &allocator};
    choice_maker maker = {.t = &table};
    cursor literals[COLUMNS];
    size_t sizes[COLUMNS] = {0};
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t r = 0; r < RECORDS; r++)
            sizes[c] += texts[c][r][0] ? strlen(texts[c][r]) + 1 : 0;
    assert_int_equal(stamma_copy_rules_choose(&table), STAMMA_OK);
    for (size_t c = 0; c < COLUMNS; c++) {
        const copied_values *values = make_column(&maker, c, way);
        size_t twin = table.twins[c] < c ? table.twins[c] : COPY_COLUMNS_MAX;
        assert_int_equal(stamma_tag_copies_set(&copies, c, twin, values, sizes[c]), STAMMA_OK);
        literal_bytes[c] = values->literals.size;
        literals[c] = (cursor){values->literals.data, values->literals.data + values->literals.size, false};
    }
    for (size_t r = 0; r < RECORDS; r++) {
        stamma_tag_copies_begin(&copies, moves[r]);
        stamma_tag_copies_play(&copies, false, lines[r], games[r].plies, &games[r].end);
        for (size_t n = 0; n < 2 * COLUMNS; n++) { /* those that look at the game behind the others */
            size_t c = n % COLUMNS;
            if (texts[c][r][0] == 0 || copies.columns[c].late != (n >= COLUMNS))
                continue;
            stamma_text text = stamma_tag_copies_take(&copies, c, &literals[c], &allocator);
            assert_int_equal(text.size, strlen(texts[c][r]));
            assert_memory_equal(text.data, texts[c][r], text.size);
        }
    }
    assert_true(stamma_tag_copies_is_done(&copies));
    for (size_t c = 0; c < COLUMNS; c++)
        assert_int_equal(cursor_left(&literals[c]), 0);
    stamma_choice_maker_release(&maker);
    stamma_tag_copies_release(&copies, &allocator);
    stamma_text_table_release(&table.texts);
}

/* All ways; the bytes are those of choices that are bytes. */
static void round_trip(size_t literal_bytes[COLUMNS])
{
    for (way way = WAYS; way-- > WAY_BYTES;)
        round_trip_one_way(way, literal_bytes);
}

/* An event that goes on for ten games; its place; a date that is there twice; an opening that follows from the moves.
 */
static void tags_that_follow_from_others(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (size_t r = 0; r < RECORDS; r++) {
        unsigned event = (unsigned)(r / 10 * 7919 % 100), opening = (unsigned)(next_random(&seed) % 40);
        snprintf(texts[0][r], TEXT_MAX, "event number %u", event);
        snprintf(texts[1][r], TEXT_MAX, "%u is its place", event * 77 % 101);
        memcpy(texts[2][r], texts[0][r], TEXT_MAX);
        snprintf(texts[3][r], TEXT_MAX, "opening %u", opening);
        snprintf(codes[r], sizeof codes[r], "%02u%02uab", opening, opening * 3 % 40);
    }
    size_t left[COLUMNS];
    round_trip(left);
    assert_true(left[0] <= RECORDS / 10 * 20);
    assert_true(left[1] <= 100 * 20);
    assert_true(left[2] == 0);
    assert_true(left[3] <= 40 * 20);
}

/* Sixty players, whose ratings change now and then, whatever colour they have; some ratings are missing. */
static void ratings_that_follow_from_players(void **state)
{
    enum { PLAYERS = 60 };
    unsigned ratings[PLAYERS] = {0};
    uint64_t seed = 5;
    size_t changes = 0, left[COLUMNS];
    (void)state;
    for (size_t r = 0; r < RECORDS; r++) {
        codes[r][0] = 0;
        for (size_t color = 0; color < 2; color++) {
            size_t player = next_random(&seed) % PLAYERS;
            if (ratings[player] == 0 || next_random(&seed) % 10 == 0) {
                ratings[player] = 1000 + (unsigned)(next_random(&seed) % 2000);
                changes++;
            }
            snprintf(texts[color][r], TEXT_MAX, "player %zu", player);
            snprintf(texts[2 + color][r], TEXT_MAX, "%u", ratings[player]);
            if (next_random(&seed) % 8 == 0)
                texts[2 + color][r][0] = 0;
        }
    }
    paired = true;
    round_trip(left);
    paired = false;
    assert_true(left[2] + left[3] <= 5 * changes);
}

/* Each name is written once, whatever colour the player has, and each place that goes with an event once, though they
 * come again after a thousand games. */
static void texts_that_are_known_again(void **state)
{
    uint64_t seed = 13;
    size_t left[COLUMNS];
    (void)state;
    for (size_t r = 0; r < RECORDS; r++) {
        size_t event = r % 1000;
        codes[r][0] = texts[3][r][0] = 0;
        snprintf(texts[0][r], TEXT_MAX, "player %zu", (size_t)(next_random(&seed) % 300));
        snprintf(texts[1][r], TEXT_MAX, "player %zu", (size_t)(next_random(&seed) % 300));
        snprintf(texts[2][r], TEXT_MAX, "event %zu", event);
    }
    paired = true;
    round_trip_one_way(WAY_CODED, left);
    assert_true(left[0] + left[1] <= 300 * 11);
    assert_int_equal(left[2], 10 * 8 + 90 * 9 + 900 * 10);
    for (size_t r = 0; r < RECORDS; r++) {
        memcpy(texts[0][r], texts[2][r], TEXT_MAX);
        snprintf(texts[1][r], TEXT_MAX, "place %zu", r % 1000 * 77 % 101);
        texts[2][r][0] = 0;
    }
    paired = false;
    round_trip_one_way(WAY_CODED, left);
    assert_true(left[1] <= 101 * 10);
}

/* Games of no to two moves. */
static void play_games(uint64_t *seed)
{
    stamma_position start = stamma_position_start();
    for (size_t r = 0; r < RECORDS; r++) {
        stamma_position *p = &games[r].end;
        *p = start;
        games[r].plies = (uint32_t)(next_random(seed) % 3);
        for (size_t n = 0; n < games[r].plies; n++) {
            stamma_move legal[STAMMA_MOVES_MAX];
            size_t count = stamma_legal_moves(p, legal);
            lines[r][n] = legal[next_random(seed) % count];
            stamma_position_make(p, lines[r][n], p);
        }
        games[r].opening = stamma_opening_find(lines[r], games[r].plies);
    }
}

/* The code of the opening where there is one, and what another table calls it; the number of moves; values that begin
 * with another one. Some are wrong, and some are missing. */
static void tags_that_follow_from_games(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        play_games(&seed);
        for (size_t r = 0; r < RECORDS; r++) {
            char out[STAMMA_FEN_SIZE];
            stamma_text code = games[r].opening ? stamma_opening_code(games[r].opening) : (stamma_text){"?", 1};
            stamma_text plies = stamma_game_text(&games[r], COPY_KEY_PLIES, out);
            snprintf(texts[0][r], TEXT_MAX, "%.*s", (int)code.size, code.data);
            snprintf(texts[1][r], TEXT_MAX, "%.*s", (int)plies.size, plies.data);
            snprintf(texts[2][r], TEXT_MAX, "table %u", games[r].opening * 7919u % 3607);
            snprintf(texts[3][r], TEXT_MAX, "%s: %s", texts[2][r], r % 2 ? "won" : "lost");
            if (wrong)
                snprintf(texts[next_random(&seed) % COLUMNS][r], TEXT_MAX, "%s", r % 3 ? "" : "something else");
            codes[r][0] = 0;
        }
        size_t left[COLUMNS];
        round_trip(left);
        if (wrong)
            continue;
        assert_true(left[0] <= 2 * RECORDS); /* only where there is none */
        assert_true(left[1] == 0);
        assert_true(left[2] <= 200 * 12);
        assert_true(left[3] <= RECORDS * 12);
    }
    memset(games, 0, sizeof games);
}

/* Values that follow from nothing, tags that come and go, games without moves: all come back. */
static void hostile_columns_come_back(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (unsigned round = 0; round < 6; round++) {
        for (size_t r = 0; r < RECORDS; r++) {
            for (size_t c = 0; c < COLUMNS; c++) {
                unsigned range = (unsigned)(1 + c * c * c * 5 * round);
                snprintf(texts[c][r], TEXT_MAX, "%u", (unsigned)(next_random(&seed) % range));
                if (next_random(&seed) % 8 < round)
                    texts[c][r][0] = 0;
            }
            snprintf(codes[r], sizeof codes[r], "%.*s", (int)(next_random(&seed) % 8), texts[3][r]);
        }
        size_t left[COLUMNS];
        round_trip(left);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_that_follow_from_others), cmocka_unit_test(ratings_that_follow_from_players),
        cmocka_unit_test(texts_that_are_known_again),   cmocka_unit_test(tags_that_follow_from_games),
        cmocka_unit_test(hostile_columns_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
