/* Tests what repair salvages of a damaged block: games that it calls exact are, and what it writes of others is what
 * was packed, wherever the damage is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "base/base.h"
#include "game_texts.h"

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
    stamma_archive_reader_close(g->reader);
    free(g->archive.text);
    free(g->ends);
}

static bool is_text(stamma_text a, stamma_text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* Each tag and each move must be that of the game as packed. */
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
    stamma_archive_reader_close(reader);
    free(archive.text);
}

/* What a repair reported. */
typedef struct salvaged {
    const packed_games *games;
    uint64_t next; /* number of the next game */
    uint64_t by_state[4];
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
    const size_t begin = s->first_game == 1 ? 0 : g->ends[s->first_game - 2], end = g->ends[s->last_game - 1];
    if (s->state == STAMMA_SALVAGE_EXACT)
        assert_true(is_text(s->text, (stamma_text){g->text.text + begin, end - begin}));
    else if (s->state == STAMMA_SALVAGE_LOST || found->exact_only)
        assert_int_equal(s->text.size, 0);
    else if (s->state == STAMMA_SALVAGE_INCOMPLETE)
        check_incomplete(g, s);
    return true;
}

/* Repairs a damaged copy of the archive, and checks what is reported. */
static void repair_damaged(const packed_games *g, listing *bad, salvaged *found)
{
    archive_source source = {.bytes = bad->text, .size = bad->size, .piece_max = SIZE_MAX};
    archive_sink sink = {.fail_at = 0};
    stamma_input input = archive_input(&source, true);
    stamma_output output = archive_output(&sink);
    stamma_archive_repair_options options = {
        .size = sizeof options, .context = found, .salvaged = take_salvage, .exact_only = found->exact_only};
    stamma_archive_repair_result result = {.size = sizeof result};
    listing text = {0};
    found->games = g;
    found->next = 1;
    assert_int_equal(stamma_archive_repair(&input, &output, &options, &result), STAMMA_OK);
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

/* Games of all kinds: 86 of many events, and others with variations, comments, glyphs, clocks and start positions. */
static listing mixed_text(void)
{
    listing text = read_file("data/games.pgn");
    assert_non_null(text.text);
    for (size_t n = 0; n < 180; n++)
        list_game(&text, &text_styles[n % 6]);
    return text;
}

/* Damage anywhere in the block of an archive of each level. */
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
    check_level(1, 607);
}

static void test_level_2(void **state)
{
    (void)state;
    check_level(2, 2003);
}

static void test_level_3(void **state)
{
    (void)state;
    check_level(3, 4001);
}

/* Names of White and Black learn from each other (20.2): if one column is damaged, the other is not right either. */
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
    for (size_t at = HEADERS + head; at < end; at += 29)
        assert_int_equal(damage(&g, at, 5, false).by_state[STAMMA_SALVAGE_LOST], 0);
    release_games(&g);
    free(text.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_level_1), cmocka_unit_test(test_level_2),
                                       cmocka_unit_test(test_level_3), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
