/* SPDX-License-Identifier: MIT */
/* Tests the games that repair salvages from a damaged block: games that repair reports as exact are exact, and the
 * parts that it writes of other games equal the packed parts, wherever the damage is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive_support.h"
#include "game_texts.h"
#include "passed_games.h"

enum { HEADERS = 16 + 32 };

/* The games of an archive as they were packed. */
typedef struct packed_games {
    listing text, archive;
    archive_source source;
    stamma_archive_reader *reader;
    size_t *ends; /* of each game in the text */
    size_t count;
} packed_games;

static void pack_games(packed_games *g, int level, const listing *text)
{
    const stamma_archive_game *game;
    *g = (packed_games){.text = *text, .archive = pack_at(level, text->text, text->size, NULL)};
    g->reader = open_archive(&g->source, &g->archive, true);
    while (stamma_archive_reader_next(g->reader, &game) == STAMMA_OK && game) {
        g->ends = realloc(g->ends, (g->count + 1) * sizeof *g->ends);
        assert_non_null(g->ends);
        g->ends[g->count] = (g->count == 0 ? 0 : g->ends[g->count - 1]) + game->text.size;
        g->count++;
    }
    assert_int_equal(g->ends[g->count - 1], text->size);
}

static void release_games(packed_games *g)
{
    close_reader(g->reader);
    free(g->archive.text);
    free(g->ends);
}

static bool is_text(stamma_text a, stamma_text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* Asserts that each tag and each move equals the packed game. */
static void check_game(const packed_games *g, uint64_t number, const stamma_archive_game *saved, unsigned missing)
{
    const stamma_archive_game *game;
    unsigned tags = 0;
    assert_int_equal(stamma_archive_reader_seek(g->reader, number), STAMMA_OK);
    assert_int_equal(stamma_archive_reader_next(g->reader, &game), STAMMA_OK);
    for (size_t n = 0; n < saved->tag_count; n++) {
        const stamma_tag *tag = &saved->tags[n];
        if (is_text(tag->name, stamma_text_of("StammaRepair")))
            continue;
        assert_true(is_text(tag->value, stamma_archive_game_tag(game, tag->name)));
        tags++;
    }
    assert_true(tags == game->tag_count || missing & STAMMA_GAME_TAGS);
    assert_true(saved->ply_count == game->ply_count || (missing & STAMMA_GAME_MOVES && saved->ply_count == 0));
    for (size_t n = 0; n < saved->ply_count; n++)
        assert_int_equal(saved->moves[n], game->moves[n]);
}

static void check_incomplete(const packed_games *g, const stamma_archive_salvage *s)
{
    listing archive = pack(s->text.data, s->text.size, NULL);
    archive_source source = {.bytes = NULL};
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    const stamma_archive_game *game;
    uint64_t number = s->first_game;
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game)
        check_game(g, number++, game, s->missing);
    assert_int_equal(number, s->last_game + 1);
    close_reader(reader);
    free(archive.text);
}

/* The report of a repair. */
typedef struct salvaged {
    const packed_games *games;
    uint64_t next; /* number of the next game */
    uint64_t by_state[4];
    uint64_t without_tags; /* games that are only incomplete because of tags */
    bool exact_only;
} salvaged;

static bool take_salvage(void *context, const stamma_archive_salvage *s)
{
    salvaged *found = context;
    const packed_games *g = found->games;
    assert_int_equal(s->block, 1);
    assert_int_equal(s->first_game, found->next);
    assert_int_equal(s->last_game + 1 - s->first_game, s->games);
    assert_true(s->last_game <= g->count);
    found->next = s->last_game + 1;
    found->by_state[s->state] += s->games;
    found->without_tags += s->missing == STAMMA_GAME_TAGS ? s->games : 0;
    const size_t begin = s->first_game == 1 ? 0 : g->ends[s->first_game - 2], end = g->ends[s->last_game - 1];
    if (s->state == STAMMA_SALVAGE_EXACT)
        assert_true(is_text(s->text, (stamma_text){g->text.text + begin, end - begin}));
    else if (s->state == STAMMA_SALVAGE_LOST || found->exact_only)
        assert_int_equal(s->text.size, 0);
    else if (s->state == STAMMA_SALVAGE_INCOMPLETE)
        check_incomplete(g, s);
    return true;
}

/* Repairs a damaged copy of the archive, and checks the report. */
static void repair_damaged(const packed_games *g, listing *bad, salvaged *found)
{
    archive_source source = {.bytes = bad->text, .size = bad->size, .piece_max = SIZE_MAX};
    archive_sink sink = {.fail_at = 0};
    const stamma_bytes bytes = source_bytes(&source);
    stamma_output output = archive_output(&sink);
    stamma_archive_repair_options options = {
        .size = sizeof options, .context = found, .salvaged = take_salvage, .exact_only = found->exact_only};
    stamma_archive_repair_result result = {.size = sizeof result};
    listing text = {0};
    found->games = g;
    found->next = 1;
    assert_int_equal(stamma_archive_repair(&bytes, &output, &options, &result), STAMMA_OK);
    list_word(&text, "");
    assert_int_equal(unpack(&sink.bytes, true, NULL, &text), STAMMA_OK);
    assert_memory_equal(result.salvaged, found->by_state, sizeof result.salvaged);
    if (result.whole)
        assert_true(is_text((stamma_text){text.text, text.size}, (stamma_text){g->text.text, g->text.size}));
    free(text.text);
    free(sink.bytes.text);
}

static salvaged damage(const packed_games *g, size_t at, size_t size, bool exact_only)
{
    listing bad = {0};
    salvaged found = {.exact_only = exact_only};
    list_bytes(&bad, g->archive.text, g->archive.size);
    for (size_t n = at; n < at + size && n < bad.size; n++)
        bad.text[n] = (char)(bad.text[n] ^ (int)(1 + random_below(255)));
    repair_damaged(g, &bad, &found);
    free(bad.text);
    return found;
}

/* Games of all kinds: 86 of many events, and 90 with variations, comments, glyphs, clocks and start positions. */
static listing mixed_text(void)
{
    listing text = read_file("data/games.pgn");
    assert_non_null(text.text);
    for (size_t n = 0; n < 90; n++)
        list_game(&text, &text_styles[n % 6]);
    return text;
}

/* Damage anywhere in the block of an archive, at each level. */
static void check_level(int level, size_t step)
{
    static const size_t sizes[] = {1, 17, 100};
    listing text = mixed_text();
    packed_games g;
    pack_games(&g, level, &text);
    size_t end = next_frame(&g.archive, 16), round = 0;
    uint64_t exact = 0, repairs = 0;
    for (size_t at = HEADERS; at < end; at += thinned_step(step), round++) {
        salvaged found = damage(&g, at, sizes[round % 3], round % 5 == 0);
        exact += found.by_state[STAMMA_SALVAGE_EXACT];
        repairs += found.next > 1;
    }
    assert_true(repairs > round / 2);
    assert_true(exact > repairs * g.count / 10);
    release_games(&g);
    free(text.text);
}

static void test_level_1(void **state)
{
    (void)state;
    check_level(1, 607 * usual_step(3));
}

static void test_level_2(void **state)
{
    (void)state;
    check_level(2, 2003 * usual_step(3));
}

static void test_level_3(void **state)
{
    (void)state;
    check_level(3, 2003 * usual_step(4));
}

/* The coders of White's and Black's names learn from each other (21.2): if one column is damaged, the other is not
 * correct, either. */
static void test_names(void **state)
{
    (void)state;
    listing text = {0};
    packed_games g;
    for (size_t n = 0; n < 600; n++) {
        char game[160];
        (void)sprintf(game, "[White \"Player%u, %c\"]\n[Black \"Player%u, %c\"]\n\n*\n\n", (unsigned)random_below(99),
                      (int)('A' + random_below(3)), (unsigned)random_below(99), (int)('A' + random_below(3)));
        list_word(&text, game);
    }
    pack_games(&g, 3, &text);
    const size_t head = load_u32((const uint8_t *)g.archive.text + 32), end = next_frame(&g.archive, 16);
    for (size_t at = HEADERS + head; at < end; at += 29 * usual_step(3))
        assert_int_equal(damage(&g, at, 5, false).by_state[STAMMA_SALVAGE_LOST], 0);
    release_games(&g);
    free(text.text);
}

/* ---- single games ---- */

/* The payload of the first block, and a column of it. */
typedef struct found_column {
    uint8_t *header;
    frame frame;
    column_entry entry;
    uint8_t *stored;
} found_column;

/* Finds the `skip`-th column after the first of this id, or stored = NULL. */
static found_column find_column(const listing *archive, unsigned id, size_t skip)
{
    found_column c = {.header = (uint8_t *)archive->text + ARCHIVE_HEADER_SIZE};
    uint8_t *payload = c.header + FRAME_HEADER_SIZE;
    block_head head;
    assert_int_equal(stamma_frame_read(c.header, &c.frame), STAMMA_OK);
    cursor in = {payload, payload + c.frame.head_size, false}, body = {in.end, payload + c.frame.size, false};
    assert_int_equal(stamma_block_read_head(&in, &head), STAMMA_OK);
    for (uint64_t n = 0; n < head.columns; n++) {
        assert_true(stamma_column_read_entry(&in, &c.entry));
        const uint8_t *stored = cursor_take(&body, c.entry.stored_size);
        c.stored = payload + (stored - payload);
        if (c.entry.id == id && skip-- == 0)
            return c;
    }
    c.stored = NULL;
    return c;
}

typedef struct reported {
    listing text;
    unsigned missing;
    stamma_salvage_state state; /* the worst of a game */
} reported;

static bool take_report(void *context, const stamma_archive_salvage *s)
{
    reported *r = context;
    list_bytes(&r->text, s->text.data ? s->text.data : "", s->text.size);
    list_word(&r->text, "");
    r->missing |= s->missing;
    r->state = s->state > r->state ? s->state : r->state;
    return true;
}

static stamma_error report_repair(const listing *archive, const stamma_allocator *allocator, reported *r)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    archive_sink sink = {.fail_at = 0};
    const stamma_bytes bytes = source_bytes(&source);
    const stamma_output output = archive_output(&sink);
    const stamma_archive_repair_options options = {
        .size = sizeof options, .allocator = allocator, .context = r, .salvaged = take_report};
    stamma_archive_repair_result result = {.size = sizeof result};
    *r = (reported){.missing = 0};
    stamma_error error = stamma_archive_repair(&bytes, &output, &options, &result);
    free(sink.bytes.text);
    return error;
}

static const char game[] =
    "[Event \"x\"]\n[Own \"y\"]\n\n1. e4 {} e5 {a} 2. Nf3\n% escape\n2... Nc6 (2... d6 $1 3. d4) "
    "3. Bb5 1-0\n\n";

/* Illegal moves and the rest of their line are stored as text. */
static const char with_text[] = "1. e4 e5 (1... c5 2. Nf6 c6) 2. Nf3 Nf3 3. d4 1-0\n\n";
static const char with_commands[] = "1. e4 { [%clk 0:01:00] } e5 {[%clk 0:00:59]} 2. Nf3 { } { good } 1-0\n\n";

/* A game with one damaged column, and the parts of it that are written. */
static const struct partial {
    const char *game;
    unsigned column;
    size_t skip;
    const char *text;
} partials[] = {
    {game, COLUMN_NAGS, 0,
     "[StammaRepair \"without NAGs\"]\n[Event \"x\"]\n[Own \"y\"]\n\n1. e4 e5 {a} 2. Nf3\n% escape\n"
     "2... Nc6 (2... d6 3. d4) 3. Bb5 1-0\n\n"},
    {game, COLUMN_VARIATION_MOVES, 0,
     "[StammaRepair \"without variations\"]\n[Event \"x\"]\n[Own \"y\"]\n\n1. e4 e5 {a} 2. Nf3\n% escape\n"
     "2... Nc6 3. Bb5 1-0\n\n"},
    {game, COLUMN_COMMENTS, 0,
     "[StammaRepair \"without comments\"]\n[Event \"x\"]\n[Own \"y\"]\n\n1. e4 e5 2. Nf3 Nc6 (2... d6 $1 3. d4) "
     "3. Bb5 1-0\n\n"},
    {game, COLUMN_MOVES, 0,
     "[StammaRepair \"without moves, variations\"]\n[Event \"x\"]\n[Own \"y\"]\n\n{a}\n% escape\n1-0\n\n"},
    {game, COLUMN_RESULTS, 0,
     "[StammaRepair \"without result\"]\n[Event \"x\"]\n[Own \"y\"]\n\n1. e4 e5 {a} 2. Nf3\n% escape\n"
     "2... Nc6 (2... d6 $1 3. d4) 3. Bb5 *\n\n"},
    {game, COLUMN_TAG, 1,
     "[StammaRepair \"without Own\"]\n[Event \"x\"]\n\n1. e4 e5 {a} 2. Nf3\n% escape\n"
     "2... Nc6 (2... d6 $1 3. d4) 3. Bb5 1-0\n\n"},
    /* text is omitted if it may follow other moves */
    {with_text, COLUMN_MOVES, 0, "[StammaRepair \"without moves, variations, text\"]\n\n1-0\n\n"},
    {with_text, COLUMN_VARIATION_MOVES, 0,
     "[StammaRepair \"without variations\"]\n\n1. e4 e5 2. Nf3 Nf3 3. d4 1-0\n\n"},
    {with_text, COLUMN_VERBATIM, 0, "[StammaRepair \"without text\"]\n\n1. e4 e5 (1... c5) 2. Nf3 1-0\n\n"},
    /* commands of lost moves are omitted */
    {with_commands, COLUMN_MOVES, 0, "[StammaRepair \"without moves\"]\n\n{ } { good } 1-0\n\n"},
};

static void test_partial_games(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof partials / sizeof *partials; n++) {
        const struct partial *p = &partials[n];
        reported r;
        listing archive = pack(p->game, strlen(p->game), NULL);
        find_column(&archive, p->column, p->skip).stored[0] ^= 0xFC; /* no code of a move in these positions */
        assert_int_equal(report_repair(&archive, NULL, &r), STAMMA_OK);
        assert_string_equal(r.text.text, p->text);
        free(r.text.text);
        free(archive.text);
    }
}

/* The name of a tag may contain a quotation mark, which the value of StammaRepair must not. */
static void test_odd_name(void **state)
{
    (void)state;
    reported r;
    listing archive = pack(game, sizeof game - 1, NULL);
    found_column c = find_column(&archive, COLUMN_TAG, 1);
    uint8_t *name = c.header + ((const uint8_t *)c.entry.name.data - c.header);
    assert_memory_equal(name, "Own", 3);
    name[1] = '"';
    c.stored[0] ^= 1;
    c.frame.head_check = stamma_check32(c.header + FRAME_HEADER_SIZE, c.frame.head_size);
    stamma_frame_write(&c.frame, c.header);
    assert_int_equal(report_repair(&archive, NULL, &r), STAMMA_OK);
    assert_int_equal(r.missing, STAMMA_GAME_TAGS);
    assert_non_null(strstr(r.text.text, "[StammaRepair \"without tags\"]"));
    free(r.text.text);
    free(archive.text);
}

/* ---- damage to several columns, and to tags that moves depend on ---- */

/* Changes a byte at the end of each tag column, and also of another column. */
static void check_tags(int level, const listing *text, unsigned other)
{
    packed_games g;
    pack_games(&g, level, text);
    for (size_t n = 0; find_column(&g.archive, COLUMN_TAG, n).stored; n++) {
        listing bad = {0};
        salvaged found = {.exact_only = n % 4 == 3};
        list_bytes(&bad, g.archive.text, g.archive.size);
        const found_column tag = find_column(&bad, COLUMN_TAG, n), more = find_column(&bad, other, 0);
        tag.stored[tag.entry.stored_size - 1] ^= 1;
        if (other > 0)
            more.stored[more.entry.stored_size / 2] ^= 1;
        repair_damaged(&g, &bad, &found);
        free(bad.text);
    }
    release_games(&g);
}

static void test_tags(void **state)
{
    (void)state;
    listing text = {0};
    listing games = read_file("data/games.pgn");
    list_bytes(&text, games.text, 16000);
    list_word(&text, " *\n\n[White \"A\"]\n\n*\n\n");
    list_passed_games(&text, 30);
    free(games.text);
    for (int level = 1; level <= 3; level++)
        check_tags(level, &text, 0);
    text.size = 0;
    for (unsigned n = 0; n < 600; n++)
        list_format(&text, "[White \"Player%u, %c\"]\n[Black \"Player%u, %c\"]\n\n1. %c4 %c6 2. %c3 $1 *\n\n",
                    (unsigned)random_below(99), (int)('A' + random_below(3)), (unsigned)random_below(99),
                    (int)('A' + random_below(3)), (int)('a' + random_below(4)), (int)('a' + random_below(8)),
                    (int)('e' + random_below(4)));
    check_tags(3, &text, 0);
    check_tags(3, &text, COLUMN_NAGS);
    free(text.text);
}

/* Returns the parts that games lack if a byte of a column is damaged. */
static unsigned missing_after(const listing *archive, uint8_t *byte)
{
    reported r;
    *byte ^= 1;
    assert_int_equal(report_repair(archive, NULL, &r), STAMMA_OK);
    *byte ^= 1;
    free(r.text.text);
    return r.missing;
}

/* Predicted moves do not need a damaged tag that is known to depend on them. If the byte at its start is damaged, this
 * is unknown, and the moves are lost. */
static void test_tags_after_the_moves(void **state)
{
    (void)state;
    listing text = {0};
    list_named_openings(&text, 300);
    for (unsigned n = 0; n < 30; n++) {
        if (n % 3 == 0)
            list_format(&text, "[Opening \"Opening %u\"]\n", n);
        list_game(&text, &text_styles[0]);
    }
    listing archive = pack_at(3, text.text, text.size, NULL);
    found_column c = find_column(&archive, COLUMN_TAG, 0);
    for (size_t n = 0; strncmp(c.entry.name.data, "Opening", c.entry.name.size) != 0; n++)
        c = find_column(&archive, COLUMN_TAG, n);
    assert_int_equal(c.entry.codec, CODEC_TAGS);
    assert_true(missing_after(&archive, c.stored) & STAMMA_GAME_MOVES);
    assert_int_equal(missing_after(&archive, c.stored + c.entry.stored_size - 1), STAMMA_GAME_TAGS);
    free(archive.text);
    free(text.text);
}

/* ---- moves ---- */

/* Damages a byte at a share of a column, in sixteenths. */
static salvaged damage_column(const packed_games *g, unsigned column, size_t share, bool exact_only)
{
    const found_column c = find_column(&g->archive, column, 0);
    const size_t begin = (size_t)(c.stored - (uint8_t *)g->archive.text);
    const salvaged found = damage(g, begin + (size_t)c.entry.stored_size * share / 16, 1, exact_only);
    assert_int_equal(found.by_state[STAMMA_SALVAGE_LOST], 0);
    return found;
}

/* Damages moves in some places. Returns the largest number of games that have a state after one damage. */
static uint64_t most_games(int level, const listing *text, stamma_salvage_state state)
{
    packed_games g;
    uint64_t most = 0;
    pack_games(&g, level, text);
    for (size_t share = 1; share < 16; share += level == 1 ? 1 : 4) {
        const salvaged found = damage_column(&g, COLUMN_MOVES, share, false);
        most = found.by_state[state] > most ? found.by_state[state] : most;
    }
    release_games(&g);
    return most;
}

/* Damaged moves may affect only one game, so that only its group is not exact. At level 3, games of other lanes are
 * exact, even if their tags are derived from openings. The number of affected games depends on the place: the damage
 * may be in a table, in a beginning that games share, or early in a lane. */
static void test_moves(void **state)
{
    (void)state;
    enum { GAMES = 3000, LANE_GAMES_MAX = 1000 };
    listing text = {0};
    list_passed_games(&text, GAMES);
    assert_true(most_games(1, &text, STAMMA_SALVAGE_EXACT) >= GAMES - GROUP_FAST);
    assert_true(most_games(3, &text, STAMMA_SALVAGE_EXACT) >= GAMES - LANE_GAMES_MAX);
    free(text.text);
}

/* Adds six pawn moves of each side, in a random order. */
static void list_pawn_moves(listing *to)
{
    char pawns[2][7] = {"abcfgh", "abcfgh"};
    for (unsigned n = 0; n < 12; n++) {
        char *left = pawns[n % 2];
        const size_t place = (size_t)random_below(strlen(left));
        list_format(to, "%c%c ", left[place], n % 2 ? '6' : '3');
        memmove(left + place, left + place + 1, strlen(left + place));
    }
}

enum { PLIES = 16, LANE_GAMES = LANE_MOVES / PLIES, NAMED = LANE_GAMES - GROUP_ADAPTIVE }; /* complete groups */

/* Adds the games of a lane. The last game lacks some plies. */
static void list_lane(listing *to, unsigned lacks)
{
    for (unsigned n = 0; n < LANE_GAMES; n++) {
        list_word(to, "1. e4 e5 ");
        list_pawn_moves(to);
        list_word(to, n + 1 < LANE_GAMES || lacks == 0 ? "Ne2 Ne7 *\n\n" : "Ne2 *\n\n");
    }
}

/* In a damaged lane, only the moves from the damaged group on are lost. The group after the first lane does not confirm
 * the lane: no game of the group is in the lane, or only a game whose single move may be right by chance. */
static void test_lanes(void **state)
{
    (void)state;
    for (unsigned lacks = 0; lacks < 2; lacks++) {
        listing text = {0};
        packed_games g;
        list_lane(&text, lacks);
        list_word(&text, lacks > 0 ? "1. e4 *\n\n" : "*\n\n");
        for (unsigned n = 1; n < GROUP_ADAPTIVE; n++)
            list_word(&text, "*\n\n");
        list_lane(&text, 0);
        list_lane(&text, 0);
        pack_games(&g, 3, &text);
        for (size_t share = 1; share < 16; share += 3) {
            const salvaged found = damage_column(&g, COLUMN_MOVES, share, false);
            const uint64_t incomplete = found.by_state[STAMMA_SALVAGE_INCOMPLETE];
            assert_int_equal(found.by_state[STAMMA_SALVAGE_EXACT] + incomplete, g.count);
            assert_true(incomplete > 0 && incomplete <= LANE_GAMES + lacks && incomplete % GROUP_ADAPTIVE <= lacks);
        }
        release_games(&g);
        free(text.text);
    }
}

/* Adds the games of a lane with eight openings. All games except the first or the last group have the name of their
 * opening in a tag. */
static void list_named_lane(listing *to, bool first_named)
{
    static const char *const openings[] = {"e4 e5", "e4 e6", "e3 e5", "e3 e6", "d4 d5", "d4 d6", "d3 d5", "d3 d6"};
    for (unsigned n = 0; n < LANE_GAMES; n++) {
        const unsigned opening = (unsigned)random_below(8);
        if (first_named ? n < NAMED : n >= GROUP_ADAPTIVE)
            list_format(to, "[Opening \"The opening with the number %u\"]\n\n", opening);
        list_format(to, "1. %s ", openings[opening]);
        list_pawn_moves(to);
        list_word(to, opening < 4 ? "Ne2 Ne7 *\n\n" : "Nd2 Nd7 *\n\n");
    }
}

/* Packs these games in two lanes. The writer must choose the codec that derives names from openings; for some games
 * another codec is smaller. */
static void pack_named_lanes(packed_games *g, listing *text)
{
    for (unsigned tried = 0; tried < 20; tried++) {
        text->size = 0;
        list_named_lane(text, false);
        list_named_lane(text, true);
        pack_games(g, 3, text);
        if (find_column(&g->archive, COLUMN_TAG, 0).entry.codec == CODEC_MAPPED)
            return;
        release_games(g);
    }
    fail();
}

/* Names are stored for openings, and do not depend on other games: a damaged lane does not affect the names of other
 * lanes. In the damaged lane, games keep only what does not follow from their moves. */
static void test_names_of_openings(void **state)
{
    (void)state;
    listing text = {0};
    packed_games g;
    pack_named_lanes(&g, &text);
    for (unsigned exact_only = 0; exact_only < 2; exact_only++) {
        const salvaged found = damage_column(&g, COLUMN_MOVES, 1, exact_only == 1);
        assert_int_equal(found.by_state[STAMMA_SALVAGE_EXACT], LANE_GAMES);
        assert_int_equal(found.by_state[STAMMA_SALVAGE_INCOMPLETE], LANE_GAMES);
    }
    release_games(&g);
    free(text.text);
}

/* Adds a game with a comment that has a line. */
static void list_line(listing *to)
{
    list_word(to, "[White \"A\"]\n\n1. e4 e5 { ");
    list_pawn_moves(to);
    list_word(to, "} *\n\n");
}

/* Damaged moves of a line, which may be illegal, affect no game of another group. */
static void test_lines(void **state)
{
    (void)state;
    listing text = {0};
    packed_games g;
    for (unsigned n = 0; n < 5 * GROUP_FAST; n++)
        if (n % 100 == 70)
            list_line(&text);
        else
            list_word(&text, "*\n\n");
    pack_games(&g, 1, &text);
    assert_int_equal(find_column(&g.archive, COLUMN_LINE_MOVES, 0).entry.codec, CODEC_STORED);
    for (size_t share = 0; share < 16; share++)
        assert_true(damage_column(&g, COLUMN_LINE_MOVES, share, false).by_state[STAMMA_SALVAGE_EXACT] >=
                    g.count - GROUP_FAST);
    release_games(&g);
    free(text.text);
}

/* ---- memory ---- */

/* The last game is damaged. The first game is therefore the first text that needs memory. */
static void test_no_memory(void **state)
{
    (void)state;
    static const struct {
        int level;
        unsigned column;
        stamma_salvage_state state;
        bool lanes; /* real games, which are enough for lanes */
    } cases[] = {{1, COLUMN_MOVES, STAMMA_SALVAGE_UNCONFIRMED, false},
                 {1, COLUMN_NAGS, STAMMA_SALVAGE_INCOMPLETE, false},
                 {3, COLUMN_MOVES, STAMMA_SALVAGE_INCOMPLETE, false},
                 {3, COLUMN_MOVES, STAMMA_SALVAGE_INCOMPLETE, true}};
    listing text = {0}, real = read_file("data/games.pgn");
    assert_non_null(real.text);
    for (unsigned n = 0; n < 5; n++)
        list_word(&text, n % 2 ? "*\n" : "1. e4 $1 *\n");
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const listing *games = cases[n].lanes ? &real : &text;
        listing archive = pack_at(cases[n].level, games->text, games->size < 4000 ? games->size : 4000, NULL);
        bool failed = true;
        reported r = {.state = STAMMA_SALVAGE_LOST};
        const found_column column = find_column(&archive, cases[n].column, 0);
        assert_true(!cases[n].lanes || column.entry.codec == CODEC_LANES);
        const uint64_t at = cases[n].lanes ? column.entry.stored_size / 2 : column.entry.stored_size - 1;
        for (unsigned byte = 1; byte < 256 && r.state != cases[n].state; byte++) { /* to another legal move */
            ++column.stored[at];
            assert_int_equal(report_repair(&archive, NULL, &r), STAMMA_OK);
            free(r.text.text);
        }
        assert_int_equal(r.state, cases[n].state);
        for (unsigned fail_at = 1; failed; fail_at++) {
            failing_memory memory = {.fail_at = fail_at};
            const stamma_allocator allocator = failing_allocator(&memory);
            const stamma_error error = report_repair(&archive, &allocator, &r);
            failed = memory.calls >= fail_at;
            assert_int_equal(error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
            assert_int_equal(memory.alive, 0);
            free(r.text.text);
        }
        free(archive.text);
    }
    free(text.text);
    free(real.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_level_1),
        cmocka_unit_test(test_level_2),
        cmocka_unit_test(test_level_3),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_partial_games),
        cmocka_unit_test(test_odd_name),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_tags_after_the_moves),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_names_of_openings),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
