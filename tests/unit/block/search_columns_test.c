/* SPDX-License-Identifier: MIT */
/* Tests search columns: their contents, and that damage to them affects nothing else (clause 20 of the format). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/reader.h"
#include "archive_support.h"

/* Opens the search columns of an archive's first block. */
static search_columns open_columns(const listing *archive)
{
    static const stamma_allocator *allocator;
    static stamma_allocator standard;
    search_columns s;
    standard = stamma_allocator_or_default(NULL);
    allocator = &standard;
    const uint8_t *header = (const uint8_t *)archive->text + ARCHIVE_HEADER_SIZE, *payload = header + FRAME_HEADER_SIZE;
    const cursor head = {payload, payload + load_u32(header + 16), false};
    const cursor body = {head.end, payload + load_u64(header + 8), false};
    stamma_search_columns_init(&s, allocator);
    assert_int_equal(stamma_search_columns_open(&s, head, body), STAMMA_OK);
    return s;
}

static search_columns columns_of(const char *pgn)
{
    listing archive = pack(pgn, strlen(pgn), NULL);
    search_columns s = open_columns(&archive);
    assert_int_equal(s.signatures, SEARCH_READ);
    assert_int_equal(s.facts, SEARCH_READ);
    free(archive.text);
    return s;
}

typedef struct expected {
    const char *pgn;
    search_entry entry;
} expected;

static void expect(const expected *e)
{
    search_columns s = columns_of(e->pgn);
    if (!stamma_search_signature_is(&s, 0, &e->entry))
        fail_msg("signature of %s: %04x %02x %02x %02x", e->pgn, s.home_pawns[0], s.pawns[0], s.pieces[0][0],
                 s.pieces[1][0]);
    if (!stamma_search_facts_are(&s, 0, &e->entry))
        fail_msg("facts of %s: %u %u %u %u", e->pgn, s.result[0], s.rating[0][0], s.rating[1][0], s.month[0]);
    stamma_search_columns_release(&s);
}

/* All pieces: two knights, bishops and rooks, and a queen. */
enum { FULL = 2 | 2 << 2 | 2 << 4 | 1 << 6 };

static void test_signatures(void **state)
{
    (void)state;
    static const expected cases[] = {
        {"*", {.result = 3}}, /* no moves */
        {"1. e4 e5 *", {0xEFEF, 0x88, {FULL, FULL}, 3, {0, 0}, 0, false}},
        {"1. e4 (1. a4 a5) e5 *", {0xEFEF, 0x88, {FULL, FULL}, 3, {0, 0}, 0, false}},
        {"[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ *", {0, 9, {0, 0}, 3, {0, 0}, 0, false}},
        {"[FEN \"4k3/8/8/8/8/QQQ5/QQ5P/4K3 w - - 0 1\"]\n\n1. Kf2 *", {0x80, 1, {3 << 6, 0}, 3, {0, 0}, 0, false}},
        {"[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n1. a4 h5 1-0",
         {0x7FFE, 0x88, {FULL, FULL}, 0, {0, 0}, 0, false}},
        {"1. e4 e5 2. Ke3 *", {0xEFEF, 0x88, {FULL, FULL}, 3, {0, 0}, 0, false}}, /* the remainder is stored as text */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&cases[i]);
}

static void test_facts(void **state)
{
    (void)state;
    static const expected cases[] = {
        {"[Result \"1-0\"]\n\n0-1", {.result = 0}},
        {"[Result \"1/2\"]\n\n0-1", {.result = 1}},
        {"[Result \"*\"]\n\n1/2-1/2", {.result = 3}},
        {"[Result \"0.5-0.5\"]\n\n0.5-0.5", {.result = 2}},
        {"[Result \"0.5-0.5\"]\n\n*", {.result = 2}},
        {"[Result \"\302\275-\302\275\"]\n\n{}", {.result = 2}},
        {"[RESULT \"0-1\"]\n[whiteELO \"2850\"]\n[date \"2019.05.31\"]\n\n*",
         {.result = 1, .rating = {2850, 0}, .month = 2019 * 13 + 5}},
        {"1/2-1/2", {.result = 2}},
        {"[WhiteElo \"2850\"]\n[BlackElo \"4094\"]\n\n*", {.result = 3, .rating = {2850, 4094}}},
        {"[WhiteElo \"?\"]\n[BlackElo \"-\"]\n\n*", {.result = 3}},
        {"[WhiteElo \"0\"]\n[BlackElo \"\"]\n\n*", {.result = 3}},
        {"[WhiteElo \"4095\"]\n[BlackElo \"1500?\"]\n\n*", {.result = 3, .rating = {4095, 4095}}},
        {"[WhiteElo \"02500\"]\n[WhiteElo \"2\"]\n\n*", {.result = 3, .rating = {4095, 0}}},
        {"[Date \"2019.05.31\"]\n\n*", {.result = 3, .month = 2019 * 13 + 5}},
        {"[Date \"2019.??.??\"]\n[UTCDate \"2020.01.01\"]\n\n*", {.result = 3, .month = 2019 * 13}},
        {"[Date \"????.??.??\"]\n[UTCDate \"2020.01.01\"]\n\n*", {.result = 3, .month = 2020 * 13 + 1}},
        {"[Date \"2019.13.01\"]\n\n*", {.result = 3, .month = 65535}},
        {"[Date \"2019-05-31\"]\n\n*", {.result = 3, .month = 65535}},
        {"[Date \"2019.12.32\"]\n\n*", {.result = 3, .month = 65535}},
        {"[Date \"????.??.01\"]\n\n*", {.result = 3, .month = 65535}},
        {"[Date \"????.05.??\"]\n\n*", {.result = 3, .month = 65535}},
        {"[Date \"0000.05.01\"]\n\n*", {.result = 3, .month = 65535}},
        {"[Date \"5000.12.31\"]\n\n*", {.result = 3, .month = 5000 * 13 + 12}},
        {"[Date \"5001.01.01\"]\n\n*", {.result = 3, .month = 65535}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&cases[i]);
}

/* Returns a reproducible random number. */
static unsigned draw(uint64_t *seed, unsigned below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(*seed >> 33) % below;
}

/* Returns a copy of an entry with changed bits. */
static search_entry changed_entry(const search_entry *e, const search_entry *bits)
{
    search_entry changed = *e;
    changed.home_pawns ^= bits->home_pawns;
    changed.pawns ^= bits->pawns;
    changed.result ^= bits->result;
    changed.month ^= bits->month;
    for (unsigned side = 0; side < 2; side++) {
        changed.pieces[side] ^= bits->pieces[side];
        changed.rating[side] ^= bits->rating[side];
    }
    return changed;
}

/* Asserts that the columns contain the facts of an entry, and that the comparison detects a change of any fact. */
static void assert_is(const search_columns *s, size_t n, const search_entry *e)
{
    static const search_entry signatures[] = {{.home_pawns = 1}, {.pawns = 1}, {.pieces = {1, 0}}, {.pieces = {0, 1}}};
    static const search_entry facts[] = {{.result = 1}, {.rating = {1, 0}}, {.rating = {0, 1}}, {.month = 1}};
    assert_true(stamma_search_signature_is(s, n, e));
    assert_true(stamma_search_facts_are(s, n, e));
    for (size_t i = 0; i < 4; i++) {
        const search_entry other = changed_entry(e, &signatures[i]), another = changed_entry(e, &facts[i]);
        assert_false(stamma_search_signature_is(s, n, &other));
        assert_true(stamma_search_facts_are(s, n, &other));
        assert_true(stamma_search_signature_is(s, n, &another));
        assert_false(stamma_search_facts_are(s, n, &another));
    }
}

/* Random entries are read back from both forms of the columns. */
static void test_round_trip(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    byte_packer coder = {0};
    uint64_t seed = 1;
    for (size_t count = 1; count <= 4097; count = count * 2 + (count > 4)) {
        search_entry *entries = calloc(count, sizeof *entries);
        assert_non_null(entries);
        for (size_t i = 0; i < count; i++) {
            unsigned homes = draw(&seed, 65536) & draw(&seed, 65536) & draw(&seed, 65536);
            entries[i] = (search_entry){.home_pawns = (uint16_t)homes,
                                        .pawns = (uint8_t)(draw(&seed, 8) | draw(&seed, 16) << 4),
                                        .pieces = {(uint8_t)draw(&seed, 9), (uint8_t)draw(&seed, 256)},
                                        .result = (uint8_t)draw(&seed, 4),
                                        .rating = {(uint16_t)(2500 + draw(&seed, 4)), (uint16_t)draw(&seed, 4096)},
                                        .month = (uint16_t)(draw(&seed, 9) == 0 ? draw(&seed, 65536) : 26000)};
        }
        buffer head = {.allocator = &allocator}, body = head, plain = head;
        uint8_t fixed[16] = {0}, codec;
        buffer_add(&head, fixed, sizeof fixed);
        stamma_buffer_add_varint(&head, count);
        for (unsigned i = 0; i < 8; i++)
            buffer_add_byte(&head, 0);
        buffer_add_byte(&head, 2);
        for (unsigned id = COLUMN_SIGNATURES; id <= COLUMN_FACTS; id++) {
            size_t begin = body.size;
            plain.size = 0;
            if (id == COLUMN_FACTS)
                stamma_search_facts(entries, count, &plain);
            else
                stamma_search_signatures(entries, count, &plain);
            assert_int_equal(stamma_search_pack(&coder, id, &plain, &body, &codec), STAMMA_OK);
            assert_int_equal(codec, count < 1000 ? codec : CODEC_SEARCH);
            stamma_column_write_entry(id, codec, (stamma_text){NULL, 0}, plain.size, body.data + begin,
                                      body.size - begin, &head);
        }
        search_columns s;
        stamma_search_columns_init(&s, &allocator);
        assert_int_equal(stamma_search_columns_open(&s, buffer_cursor(&head), buffer_cursor(&body)), STAMMA_OK);
        assert_int_equal(s.signatures, SEARCH_READ);
        assert_int_equal(s.facts, SEARCH_READ);
        for (size_t i = 0; i < count; i++)
            assert_is(&s, i, &entries[i]);
        stamma_search_columns_release(&s);
        stamma_buffer_release(&head);
        stamma_buffer_release(&body);
        stamma_buffer_release(&plain);
        free(entries);
    }
    stamma_byte_packer_release(&coder);
}

/* ---- damage ---- */

typedef struct reports {
    unsigned search;
    unsigned others;
} reports;

static void take_damage(void *context, const stamma_archive_damage *damage)
{
    reports *t = context;
    if (damage->kind == STAMMA_DAMAGE_SEARCH) {
        assert_int_equal(damage->first_game, 0);
        assert_int_equal(damage->text_size, 0);
        t->search++;
    } else {
        t->others++;
    }
}

static reports verify(const listing *archive, stamma_archive_verdict *verdict)
{
    reports t = {0, 0};
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    const stamma_input stream = source_stream(&source);
    const stamma_archive_verify_options options = {.size = sizeof options, .context = &t, .damage = take_damage};
    *verdict = (stamma_archive_verdict){.size = sizeof *verdict};
    assert_int_equal(stamma_archive_verify_stream(&stream, &options, verdict), STAMMA_OK);
    return t;
}

/* Any changed bit of a search column is reported by verifying, all games can be read, and the column is not used. */
static void test_damage(void **state)
{
    (void)state;
    static const char pgn[] = "[WhiteElo \"2500\"]\n\n1. e4 e5 *\n\n1. d4 1-0\n";
    listing archive = pack(pgn, strlen(pgn), NULL);
    const uint8_t *header = (const uint8_t *)archive.text + ARCHIVE_HEADER_SIZE, *payload = header + FRAME_HEADER_SIZE;
    cursor head = {payload, payload + load_u32(header + 16), false};
    const uint8_t *body = head.end;
    block_head b;
    unsigned found = 0;
    assert_int_equal(stamma_block_read_head(&head, &b), STAMMA_OK);
    for (uint64_t i = 0; i < b.columns; i++) {
        column_entry e;
        stamma_archive_verdict verdict;
        assert_true(stamma_column_read_entry(&head, &e));
        for (size_t n = 0; column_is_search(e.id) && n < e.stored_size; n++) {
            size_t at = (size_t)(body - (const uint8_t *)archive.text) + n;
            archive.text[at] ^= 1;
            reports t = verify(&archive, &verdict);
            assert_int_equal(t.search, 1);
            assert_int_equal(t.others, 0);
            assert_int_equal(verdict.sound.games, 2);
            listing back = {0};
            assert_int_equal(unpack(&archive, true, NULL, &back), STAMMA_OK);
            assert_int_equal(back.size, strlen(pgn));
            assert_memory_equal(back.text, pgn, back.size);
            free(back.text);
            search_columns s = open_columns(&archive);
            assert_int_equal(e.id == COLUMN_FACTS ? s.facts : s.signatures, SEARCH_DAMAGED);
            assert_int_equal(e.id == COLUMN_FACTS ? s.signatures : s.facts, SEARCH_READ);
            stamma_search_columns_release(&s);
            archive.text[at] ^= 1;
            found++;
        }
        body += e.stored_size;
    }
    assert_int_equal(found, 2 * (SIGNATURE_BYTES + FACTS_BYTES));
    free(archive.text);
}

static void test_left_out(void **state)
{
    (void)state;
    stamma_archive_verdict verdict;
    listing archive = pack_without_search("1. e4 *", 7);
    search_columns s = open_columns(&archive);
    assert_int_equal(s.signatures, SEARCH_MISSING);
    assert_int_equal(s.facts, SEARCH_MISSING);
    reports t = verify(&archive, &verdict);
    assert_int_equal(t.search + t.others, 0);
    stamma_search_columns_release(&s);
    free(archive.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signatures), cmocka_unit_test(test_facts),    cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage),     cmocka_unit_test(test_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
