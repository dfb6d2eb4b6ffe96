/* SPDX-License-Identifier: MIT */
/* Tests columns of tag values (clause 15): any values are restored, and values that are derived from other values need
 * almost no space. Any stored bytes are read safely. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tag_block.h"

enum { RECORDS = 3000 };

static stamma_allocator heap;

/* ---- values that are derived from other values ---- */

enum { PLAYERS = 200 };

/* Makes games of players whose ratings change with each game. With `back`, the newest game is first. */
static void fill_players(bool back)
{
    int ratings[PLAYERS];
    char names[PLAYERS][24];
    size_t white = add_column("White"), black = add_column("Black");
    size_t white_elo = add_column("WhiteElo"), black_elo = add_column("BlackElo");
    size_t white_diff = add_column("WhiteRatingDiff"), black_diff = add_column("BlackRatingDiff");
    size_t white_title = add_column("WhiteTitle"), black_title = add_column("BlackTitle");
    for (size_t i = 0; i < PLAYERS; i++) {
        ratings[i] = 1000 + (int)block_random(1500);
        snprintf(names[i], sizeof names[i], "Player %u, %c", block_random(1 << 30), (char)('A' + i % 26));
    }
    for (size_t r = 0; r < block.records; r++) {
        uint32_t w = block_random(PLAYERS), k = (w + 1 + block_random(PLAYERS - 1)) % PLAYERS;
        int change = (int)block_random(17) - 8;
        int sign = back ? -1 : 1;
        set_value(white, r, names[w]);
        set_value(black, r, names[k]);
        ratings[w] += back ? sign * change : 0;
        ratings[k] -= back ? sign * change : 0;
        set_number(white_elo, r, ratings[w], false);
        set_number(black_elo, r, ratings[k], false);
        ratings[w] += back ? 0 : change;
        ratings[k] -= back ? 0 : change;
        set_number(white_diff, r, change, true);
        set_number(black_diff, r, -change, true);
        if (w % 7 == 0)
            set_value(white_title, r, w % 2 ? "GM" : "FM");
        if (k % 7 == 0)
            set_value(black_title, r, k % 2 ? "GM" : "FM");
    }
}

/* A player's rating is the rating before the player's previous game plus the change by that game, with either colour.
 * Black's gain is White's loss. 5,800 ratings of players who occurred before need almost no space. Neither do
 * titles. */
static void ratings_follow_the_players(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 3; round++) { /* one round with names that are spelt */
        begin_block(RECORDS);
        block.spells = round / 2;
        fill_players(round % 2);
        demand_round_trip();
        assert_int_equal(written_in(CODEC_MAPPED), block.spells ? 2 : 0);
        assert_true(size_of(2) + size_of(3) < 1200);
        assert_true(size_of(5) < 100);
        assert_true(size_of(6) + size_of(7) < 300);
        release_block();
    }
}

/* Values that equal another column's value, that begin with it, or that occurred with the same player before. */
static void texts_follow_from_columns(void **state)
{
    (void)state;
    begin_block(RECORDS);
    size_t date = add_column("Date"), player = add_column("White"), same = add_column("EventDate");
    size_t won = add_column("Termination"), team = add_column("WhiteTeam");
    for (size_t r = 0; r < RECORDS; r++) {
        char text[64];
        uint32_t n = block_random(300);
        snprintf(text, sizeof text, "2020.%02u.%02u", 1 + block_random(12), 1 + block_random(28));
        set_value(date, r, text);
        set_value(same, r, block_random(50) ? text : "????.??.??");
        snprintf(text, sizeof text, "name%u", n * 7919);
        set_value(player, r, text);
        snprintf(text, sizeof text, "name%u won %s", n * 7919, block_random(2) ? "on time" : "by resignation");
        set_value(won, r, text);
        snprintf(text, sizeof text, "team %u", n * 104729 % 1000);
        set_value(team, r, text);
    }
    demand_round_trip();
    assert_true(size_of(same) < 200);
    assert_true(size_of(won) < 600);   /* one bit each */
    assert_true(size_of(team) < 1500); /* 300 new values */
    release_block();
}

/* Makes columns of random values, with and without counterparts, in which many records have no value. */
static void fill_at_random(void)
{
    static const char *const names[BLOCK_COLUMNS] = {"White",           "Site", "Black", "BlackElo",        "Round",
                                                     "WhiteElo",        "FEN",  "X",     "WhiteRatingDiff", "ECO",
                                                     "BlackRatingDiff", "Date"};
    static const char *const odd[] = {"", "?", "-", "0", "-0", "007", "+3", "10000", "-9999", "99999999999", "1-0"};
    for (size_t c = 0; c < BLOCK_COLUMNS; c++) {
        size_t column = add_column(names[c]);
        uint32_t kinds = 1 + block_random(1u << block_random(12)), missing = block_random(3) ? 1 : 2;
        for (size_t r = 0; r < block.records; r++) {
            char text[64];
            bool number = c == 3 || c == 5 || c == 8 || c == 10;
            snprintf(text, sizeof text,
                     c == 8 || c == 10 ? "%+d"
                     : number          ? "%d"
                                       : "text %d",
                     (int)block_random(kinds) * (number ? 1 : 31) - (int)kinds / 2);
            if (block_random(missing) == 0 && block_random(9))
                set_value(column, r, block_random(30) ? text : odd[block_random(sizeof odd / sizeof *odd)]);
        }
        if (block.values[column].size == 0)
            set_value(column, 0, "one");
    }
}

static void any_values_come_back(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 40; round++) {
        begin_block(1 + round * round);
        block.spells = round % 2;
        block.random = round;
        fill_at_random();
        demand_round_trip();
        release_block();
    }
}

/* ---- codec 8 (clause 21) ---- */

/* Makes texts that begin with another column's texts, and dates near the dates that occurred with them. */
static void fill_events(size_t records)
{
    size_t event = add_column("Event"), date = add_column("Date"), site = add_column("Site");
    size_t white = add_column("White"), black = add_column("Black"), team = add_column("WhiteTeam");
    uint32_t days[50] = {0};
    for (size_t r = 0; r < records; r++) {
        char text[64];
        uint32_t n = block_random(50), w = block_random(300), k = block_random(300);
        snprintf(text, sizeof text, "%uth Open of %c%c%u", n % 9, 'A' + n % 26, 'a' + n * 7 % 26, n);
        set_value(event, r, text);
        days[n] = (days[n] + block_random(2)) % 28;
        snprintf(text, sizeof text, "20%02u.%02u.%02u", n % 30, n % 12 + 1, days[n] + 1);
        set_value(date, r, text);
        snprintf(text, sizeof text, "%c%c%u, hall %u", 'A' + n % 26, 'a' + n * 7 % 26, n, block_random(4));
        if (block_random(10))
            set_value(site, r, text);
        snprintf(text, sizeof text, "Player %u", w * w);
        set_value(white, r, text);
        snprintf(text, sizeof text, "Player %u", k * k);
        set_value(black, r, text);
        snprintf(text, sizeof text, "Club %u", w % 40);
        set_value(team, r, text);
    }
}

/* Spelt texts need less space than packed texts. */
static void texts_are_spelt(void **state)
{
    (void)state;
    size_t sizes[2] = {0, 0};
    for (unsigned spells = 0; spells < 2; spells++) {
        begin_block(2000);
        block.spells = spells;
        fill_events(2000);
        demand_round_trip();
        for (size_t n = 0; n < block.columns; n++)
            sizes[spells] += block.stored[n].size;
        assert_int_equal(written_in(CODEC_MAPPED) > 2, spells);
        release_block();
    }
    if (sizes[1] >= sizes[0] / 100 * 97)
        fail_msg("%zu, %zu", sizes[0], sizes[1]);
}

/* Texts are packed if one of the column is too long to be spelt (22.4). */
static void long_values_are_not_spelt(void **state)
{
    (void)state;
    for (unsigned is_long = 0; is_long < 2; is_long++) {
        static char text[SPELT_TEXT_MAX + 1];
        for (size_t n = 0; n < SPELT_TEXT_MAX; n++)
            text[n] = (char)('a' + block_random(26));
        text[SPELT_TEXT_MAX - 1 + is_long] = 0;
        begin_block(2000);
        block.spells = true;
        fill_events(1999);
        set_value(0, 1999, text);
        demand_round_trip();
        assert_int_equal(codec_of(0), is_long ? CODEC_TAGS : CODEC_MAPPED);
        release_block();
    }
}

/* Plans that no writer makes are corrupt. So is a string that is longer than necessary. */
static void odd_plans_are_corrupt(void **state)
{
    (void)state;
    static const char *const stored[] = {
        "\13\0ab", "\27\0ab", "\0\0ab", "\14\4abcd", "\14\1\0ab", "\14", "",
    };
    static const size_t sizes[] = {4, 4, 4, 6, 5, 1, 0};
    byte_packer coder = {.compressor = NULL};
    tag_reader r;
    stamma_tag_reader_init(&r, &heap);
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        const uint8_t *bytes = (const uint8_t *)stored[n];
        stamma_tag_reader_clear(&r);
        assert_int_equal(stamma_tag_reader_add(&r, &coder, (stamma_text){"Event", 5}, CODEC_MIXED,
                                               (cursor){bytes, bytes + sizes[n], false}, 9),
                         STAMMA_ERROR_CORRUPT);
    }
    stamma_tag_reader_release(&r);
    stamma_byte_packer_release(&coder);
}

/* Adds a column with one empty value. */
static stamma_error add_numbered(tag_reader *r, byte_packer *coder, size_t number, unsigned codec, cursor stored)
{
    char name[16];
    size_t size = (size_t)snprintf(name, sizeof name, "Tag%zu", number);
    return stamma_tag_reader_add(r, coder, (stamma_text){name, size}, codec, stored, 1);
}

/* Only the first 64 columns may be coded or mixed, and there are at most 1,024. */
static void columns_are_limited(void **state)
{
    (void)state;
    static const uint8_t empty[1] = {0}, mixed[] = {12, 0, 1, 2, 3, 4};
    byte_packer coder = {.compressor = NULL};
    tag_reader r;
    begin_block(200);
    fill_players(false);
    write_block();
    assert_int_equal(block.codecs[0], CODEC_TAGS);
    stamma_tag_reader_init(&r, &heap);
    stamma_tag_reader_clear(&r);
    for (size_t n = 0; n < TAG_COLUMNS_MAX; n++) {
        stamma_error coded = n < TAG_CODED_MAX ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
        if (n == TAG_CODED_MAX - 1 || n == TAG_CODED_MAX) {
            assert_int_equal(add_numbered(&r, &coder, n, CODEC_MIXED, (cursor){mixed, mixed + 6, false}), coded);
            if (coded == STAMMA_OK)
                continue;
        }
        if (n == TAG_CODED_MAX)
            assert_int_equal(add_numbered(&r, &coder, n, CODEC_TAGS, buffer_cursor(&block.stored[0])),
                             STAMMA_ERROR_CORRUPT);
        assert_int_equal(add_numbered(&r, &coder, n, 99, (cursor){empty, empty + 1, false}), STAMMA_ERROR_UNSUPPORTED);
        assert_int_equal(add_numbered(&r, &coder, n, CODEC_STORED, (cursor){empty, empty + 1, false}), STAMMA_OK);
    }
    assert_int_equal(r.count, TAG_COLUMNS_MAX);
    assert_int_equal(add_numbered(&r, &coder, TAG_COLUMNS_MAX, CODEC_STORED, (cursor){empty, empty + 1, false}),
                     STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_tag_reader_add_lost(&r, (stamma_text){"Event", 5}, CODEC_TAGS), STAMMA_ERROR_CORRUPT);
    assert_int_equal(r.count, TAG_COLUMNS_MAX);
    stamma_tag_reader_clear(&r);
    r.plain_left = 1;
    assert_int_equal(add_numbered(&r, &coder, 0, CODEC_STORED, (cursor){empty, empty + 1, false}), STAMMA_OK);
    assert_int_equal(add_numbered(&r, &coder, 1, CODEC_STORED, (cursor){empty, empty + 1, false}),
                     STAMMA_ERROR_CORRUPT);
    stamma_tag_reader_release(&r);
    stamma_byte_packer_release(&coder);
    release_block();
}

/* A coded column has four streams. Its parameters end after the classes, and its symbols begin with a state. */
static void streams_of_coded_columns_are_complete(void **state)
{
    (void)state;
    enum { STREAMS = 4, WAYS = 6 };
    static const int efforts[STREAMS] = {EFFORT_NUMBERS, EFFORT_NUMBERS, EFFORT_NUMBERS, EFFORT_NUMBERS};
    byte_packer coder = {.compressor = NULL};
    tag_reader r;
    buffer streams[STREAMS], changed = {.allocator = &heap};
    size_t count = STREAMS;
    begin_block(200);
    fill_players(false);
    write_block();
    stamma_tag_reader_init(&r, &heap);
    for (size_t i = 0; i < STREAMS; i++)
        streams[i] = (buffer){.allocator = &heap};
    for (unsigned way = 0; way < WAYS; way++) {
        size_t plain_size = block.values[block.order[0]].size;
        assert_int_equal(
            stamma_streams_unpack(&coder, buffer_cursor(&block.stored[0]), plain_size + 4096, streams, NULL, &count),
            STAMMA_OK);
        assert_int_equal(count, STREAMS);
        if (way == 1)
            buffer_add_byte(&streams[0], 0);
        streams[0].size -= way == 2;
        streams[1].size = way == 3 ? 0 : way == 4 ? 1 : streams[1].size;
        changed.size = 0;
        assert_int_equal(stamma_streams_pack(&coder, streams, efforts, way == 5 ? 3 : STREAMS, &changed), STAMMA_OK);
        stamma_tag_reader_clear(&r);
        assert_int_equal(stamma_tag_reader_add(&r, &coder, (stamma_text){"White", 5}, CODEC_TAGS,
                                               buffer_cursor(&changed), plain_size),
                         way == 0 ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
    }
    for (size_t i = 0; i < STREAMS; i++)
        stamma_buffer_release(&streams[i]);
    stamma_buffer_release(&changed);
    stamma_tag_reader_release(&r);
    stamma_byte_packer_release(&coder);
    release_block();
}

/* The number of models in a block is limited, and so are their slots. */
static void models_are_limited(void **state)
{
    (void)state;
    static const unsigned slot_bits[] = {12, 22};
    static const size_t most[] = {MIXED_MODELS_MAX, 3};
    byte_packer coder = {.compressor = NULL};
    tag_reader r;
    stamma_tag_reader_init(&r, &heap);
    for (unsigned round = 0; round < 2; round++) {
        const uint8_t bytes[] = {(uint8_t)slot_bits[round], 0, 1, 2, 3, 4};
        stamma_tag_reader_clear(&r);
        for (size_t n = 0; n <= most[round]; n++) {
            const char name = (char)('A' + n);
            assert_int_equal(stamma_tag_reader_add(&r, &coder, (stamma_text){&name, 1}, CODEC_MIXED,
                                                   (cursor){bytes, bytes + sizeof bytes, false}, 9),
                             n < most[round] ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
        }
    }
    stamma_tag_reader_release(&r);
    stamma_byte_packer_release(&coder);
}

/* Counts calls down to 0, and then requests to stop. */
static bool count_call(void *calls)
{
    return --*(size_t *)calls == 0;
}

/* A string of zeros selects no likely text and ends no spelt value. The value ends at its limit (21.8), although the
 * column could spell more. The reader calls `stop` every 512 bytes. */
static void spelt_values_are_limited(void **state)
{
    (void)state;
    enum { STORED = 1 << 16, AT_ONCE = 512 };
    static uint8_t bytes[STORED] = {MIXED_SLOT_BITS_MIN};
    size_t calls;
    const stop_check stop = {count_call, &calls};
    byte_packer coder = {.compressor = NULL};
    tag_reader r;
    stamma_text value;
    bytes[STORED - 1] = 1;
    stamma_tag_reader_init(&r, &heap);
    for (unsigned stops = 0; stops < 2; stops++) {
        calls = stops ? 3 : SIZE_MAX;
        stamma_tag_reader_clear(&r);
        r.stop = &stop;
        assert_int_equal(stamma_tag_reader_add(&r, &coder, (stamma_text){"Event", 5}, CODEC_MIXED,
                                               (cursor){bytes, bytes + STORED, false}, 16 * MIXED_VALUE_MAX),
                         STAMMA_OK);
        stamma_tag_reader_begin(&r, 0);
        assert_false(stamma_tag_reader_take(&r, 0, &value));
        assert_false(r.no_memory);
        assert_int_equal(calls, stops ? 0 : SIZE_MAX - MIXED_VALUE_MAX / AT_ONCE);
    }
    stamma_tag_reader_release(&r);
    stamma_byte_packer_release(&coder);
}

/* ---- damage ---- */

/* A changed byte produces other values or is corrupt. The values never exceed the plain size. */
static void damage_a_block(size_t changes)
{
    byte_packer coder = {.compressor = NULL};
    tag_reader r;
    write_block();
    stamma_tag_reader_init(&r, &heap);
    size_t refused = 0, tried = 0;
    for (size_t n = 0; n < block.columns; n++)
        for (size_t at = 0; at < block.stored[n].size; at += 1 + block.stored[n].size / changes) {
            block.stored[n].data[at] ^= (uint8_t)(1u << at % 8);
            stamma_tag_reader_clear(&r);
            tried++;
            bool loaded = load_block(&r, &coder) == STAMMA_OK;
            bool passed = loaded && stamma_tag_reader_can_pass(&r) && block_random(2) > 0;
            refused += !loaded || !read_some(&r, false, 1, passed ? 7 : 0);
            block.stored[n].data[at] ^= (uint8_t)(1u << at % 8);
        }
    assert_true(tried > 2 * changes);
    assert_true(refused > tried / 2);
    stamma_tag_reader_clear(&r);
    assert_int_equal(load_block(&r, &coder), STAMMA_OK);
    assert_true(read_some(&r, true, 1, 0));
    stamma_tag_reader_release(&r);
    stamma_byte_packer_release(&coder);
    release_block();
}

static void damage_does_no_harm(void **state)
{
    (void)state;
    begin_block(400);
    fill_players(true);
    damage_a_block(200);
    begin_block(300);
    block.spells = true;
    fill_events(300);
    damage_a_block(10);
}

/* Adds a column of fields with one text, which has no template. Stream 1 has `numbers` entries; one entry is right. */
static stamma_error add_fields(tag_reader *r, byte_packer *coder, size_t numbers)
{
    static const int efforts[4] = {EFFORT_NUMBERS, EFFORT_NUMBERS, EFFORT_NUMBERS, EFFORT_NUMBERS};
    buffer streams[4], stored = {.allocator = &heap};
    for (size_t i = 0; i < 4; i++)
        streams[i] = (buffer){.allocator = &heap};
    for (size_t i = 0; i < numbers; i++)
        buffer_add_byte(&streams[1], 0);
    buffer_add(&streams[2], "text", 5);
    assert_int_equal(stamma_streams_pack(coder, streams, efforts, 4, &stored), STAMMA_OK);
    stamma_error error =
        stamma_tag_reader_add(r, coder, (stamma_text){"Name", 4}, CODEC_FIELDS, buffer_cursor(&stored), 5);
    for (size_t i = 0; i < 4; i++)
        stamma_buffer_release(&streams[i]);
    stamma_buffer_release(&stored);
    return error;
}

/* Fields are kept in memory until their texts are read. Streams that are too large for their texts are corrupt. */
static void fields_are_kept_where_they_are_small(void **state)
{
    (void)state;
    enum { MANY = 8 << 20 };
    tag_reader r;
    byte_packer coder = {.compressor = NULL};
    stamma_tag_reader_init(&r, &heap);
    stamma_tag_reader_clear(&r);
    assert_int_equal(add_fields(&r, &coder, 1), STAMMA_OK);
    assert_true(r.columns[0].later && r.columns[0].fields);
    assert_false(stamma_tag_reader_is_done(&r, true)); /* the text was neither read nor passed */
    stamma_tag_reader_clear(&r);
    assert_null(r.columns[0].fields);
    assert_int_equal(add_fields(&r, &coder, MANY), STAMMA_ERROR_CORRUPT);
    stamma_tag_reader_clear(&r);
    assert_null(r.columns[0].fields);
    stamma_tag_reader_release(&r);
    stamma_byte_packer_release(&coder);
}

static int make_heap(void **state)
{
    (void)state;
    heap = stamma_allocator_or_default(NULL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratings_follow_the_players), cmocka_unit_test(texts_follow_from_columns),
        cmocka_unit_test(any_values_come_back),       cmocka_unit_test(texts_are_spelt),
        cmocka_unit_test(columns_are_limited),        cmocka_unit_test(streams_of_coded_columns_are_complete),
        cmocka_unit_test(odd_plans_are_corrupt),      cmocka_unit_test(models_are_limited),
        cmocka_unit_test(spelt_values_are_limited),   cmocka_unit_test(damage_does_no_harm),
        cmocka_unit_test(long_values_are_not_spelt),  cmocka_unit_test(fields_are_kept_where_they_are_small),
    };
    return cmocka_run_group_tests(tests, make_heap, NULL);
}
