/* Verifying archives: what is sound passes, every changed byte is found and told where it stands, and behind damage
 * everything else is still checked and numbered. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "archive_support.h"

/* ---- archives to check ---- */

enum { BLOCKS = 20, GROUPS = 3 };

/* The text of a block: one to three games of 55 bytes. */
static unsigned games_of_block(unsigned block)
{
    return 1 + block % 3;
}

enum { GAME_SIZE = 55 };

static listing block_text(unsigned block)
{
    listing text = {0};
    for (unsigned i = 0; i < games_of_block(block); i++)
        list_format(&text, "[White \"Number %02u\"]\n[Black \"B%u\"]\n\n1. e4 e5 2. Nf3 *\n\n\n\n", block, i);
    assert_int_equal(text.size, GAME_SIZE * games_of_block(block));
    return text;
}

/* Games or bytes before a block. */
static unsigned games_before(unsigned block)
{
    unsigned games = 0;
    for (unsigned i = 0; i < block; i++)
        games += games_of_block(i);
    return games;
}

/* Small blocks with a commit behind 8, 16 and 20 of them. */
static listing small_blocks(void)
{
    listing archives[BLOCKS];
    for (unsigned i = 0; i < BLOCKS; i++) {
        listing text = block_text(i);
        archives[i] = pack(text.text, text.size, NULL);
        free(text.text);
    }
    listing all = copy_archives(archives, BLOCKS, NULL);
    for (unsigned i = 0; i < BLOCKS; i++)
        free(archives[i].text);
    return all;
}

/* The offset of a block's frame among them (from 0), or with BLOCKS of the end. */
static size_t offset_of_block(const listing *archive, unsigned block)
{
    size_t at = ARCHIVE_HEADER_SIZE;
    for (unsigned i = 0; i < block + block / 8; i++)
        at = next_frame(archive, at);
    return at;
}

static size_t offset_of_commit(const listing *archive, unsigned group)
{
    unsigned last = group + 1 == GROUPS ? BLOCKS : 8 * (group + 1);
    return next_frame(archive, offset_of_block(archive, last - 1));
}

static listing copy_of(const listing *archive)
{
    listing copy = {0};
    list_bytes(&copy, archive->text, archive->size);
    return copy;
}

/* ---- verifying them ---- */

typedef struct told {
    listing lines;
    size_t at;        /* a byte that was changed */
    bool covers;      /* some damage holds it */
    unsigned kinds;   /* a bit for each kind */
    unsigned errors;  /* likewise */
    uint64_t reached; /* offsets ascend */
    unsigned count;
} told;

static void list_number(listing *to, uint64_t number)
{
    if (number == UINT64_MAX)
        list_word(to, "?");
    else
        list_format(to, "%llu", (unsigned long long)number);
}

static void list_range(listing *to, const char *word, uint64_t first, uint64_t last)
{
    list_word(to, word);
    list_number(to, first);
    list_word(to, "-");
    list_number(to, last);
}

static void take_damage(void *context, const stamma_archive_damage *d)
{
    told *t = context;
    t->covers |= d->offset <= t->at && t->at < d->offset + d->size;
    t->kinds |= 1u << d->kind;
    t->errors |= 1u << d->error;
    t->count++;
    assert_true(d->offset >= t->reached);
    t->reached = d->offset;
    list_format(&t->lines, "kind %d at %llu+%llu frame %llu", (int)d->kind, (unsigned long long)d->offset,
                (unsigned long long)d->size, (unsigned long long)d->frame);
    list_range(&t->lines, " blocks ", d->first_block, d->last_block);
    list_range(&t->lines, " games ", d->first_game, d->last_game);
    list_range(&t->lines, " text ", d->text_offset, d->text_size);
    list_format(&t->lines, "%s%s\n", d->column ? " " : "", d->column ? d->column : "");
}

static stamma_error verify(const listing *archive, bool quick, told *t, stamma_archive_verdict *verdict)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    stamma_input input = archive_input(&source, false);
    stamma_archive_verify_options options = {
        .size = sizeof options, .quick = quick, .context = t, .damage = t ? take_damage : NULL};
    return stamma_archive_verify(&input, &options, verdict);
}

/* What is told of an archive, to be freed. */
static listing damage_of(const listing *archive, bool quick, stamma_archive_verdict *verdict)
{
    told t = {{0}, SIZE_MAX, false, 0, 0, 0, 0};
    list_word(&t.lines, "");
    assert_int_equal(verify(archive, quick, &t, verdict), STAMMA_OK);
    assert_int_equal(verdict->damages, t.count);
    return t.lines;
}

static void expect_damage(const listing *archive, bool quick, const char *lines)
{
    stamma_archive_verdict verdict;
    listing told = damage_of(archive, quick, &verdict);
    assert_string_equal(told.text, lines);
    free(told.text);
}

static void assert_same_counts(const stamma_archive_counts *a, const stamma_archive_counts *b)
{
    assert_true(stamma_counts_equal(a, b));
}

/* ---- sound archives ---- */

static void expect_sound(const listing *archive, const stamma_archive_counts *counts, uint64_t blocks)
{
    for (int quick = 0; quick < 2; quick++) {
        stamma_archive_verdict verdict = {.damages = 1};
        assert_int_equal(verify(archive, quick, NULL, &verdict), STAMMA_OK);
        assert_int_equal(verdict.damages, 0);
        assert_int_equal(verdict.size, archive->size);
        assert_int_equal(verdict.tail_size, 0);
        assert_int_equal(verdict.sound_blocks, blocks);
        assert_int_equal(verdict.all_blocks, blocks);
        assert_int_equal(verdict.all.bytes_out, archive->size);
        assert_same_counts(&verdict.sound, counts);
        assert_same_counts(&verdict.all, counts);
    }
}

static void test_sound(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "x", "1. e4 *", "[White \"A\"]\n\n1. e4 e5 {x} *\n\n1. e5 1-0\n\nbehind"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        stamma_archive_counts counts;
        listing archive = pack(texts[i], strlen(texts[i]), &counts);
        expect_sound(&archive, &counts, i > 0);
        free(archive.text);
    }
}

static void test_sound_blocks(void **state)
{
    (void)state;
    listing archive = small_blocks();
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, &archive, true);
    stamma_archive_counts counts;
    assert_int_equal(stamma_archive_info(reader, &counts, NULL, NULL, NULL), STAMMA_OK);
    stamma_archive_reader_close(reader);
    assert_int_equal(counts.games, games_before(BLOCKS));
    expect_sound(&archive, &counts, BLOCKS);
    free(archive.text);
}

/* However few bytes a read gives. */
static void test_small_reads(void **state)
{
    (void)state;
    listing archive = small_blocks();
    archive.text[offset_of_block(&archive, 3)] ^= 1;
    stamma_archive_verdict expected, verdict;
    listing lines = damage_of(&archive, false, &expected);
    for (size_t piece = 1; piece < 40; piece += 6) {
        piecewise source = {.bytes = archive.text, .size = archive.size, .piece_max = piece, .random = piece > 20};
        stamma_input input = piecewise_input(&source);
        told t = {{0}, 0, false, 0, 0, 0, 0};
        stamma_archive_verify_options options = {.size = sizeof options, .context = &t, .damage = take_damage};
        assert_int_equal(stamma_archive_verify(&input, &options, &verdict), STAMMA_OK);
        assert_memory_equal(&verdict, &expected, sizeof verdict);
        assert_string_equal(t.lines.text, lines.text);
        free(t.lines.text);
    }
    free(lines.text);
    free(archive.text);
}

/* ---- every byte ---- */

/* A changed byte is found and lies in a place that was told of; no more than the block it stands in is lost. Where the
 * last bytes of the archive are not those of a commit, it counts as cut short behind the commit before. */
static void expect_found(const listing *archive, size_t at, bool quick)
{
    stamma_archive_verdict verdict;
    told t = {{0}, at, false, 0, 0, 0, 0};
    assert_int_equal(verify(archive, quick, &t, &verdict), STAMMA_OK);
    if (verdict.damages == 0)
        fail_msg("byte %zu: not found", at);
    bool in_tail = t.kinds == 1u << STAMMA_DAMAGE_END && verdict.tail_offset <= at && verdict.tail_size > 0;
    if (!t.covers && !in_tail)
        fail_msg("byte %zu: found, but where is it?\n%s", at, t.lines.text);
    assert_int_equal(t.errors & ~(1u << STAMMA_ERROR_CORRUPT | 1u << STAMMA_ERROR_UNSUPPORTED), 0);
    assert_true(in_tail || verdict.sound_blocks + 1 >= verdict.all_blocks);
    free(t.lines.text);
}

static void expect_every_byte_found(listing *archive, unsigned changes, bool quick)
{
    for (size_t at = 0; at < archive->size; at++)
        for (unsigned i = 0; i < changes; i++) {
            static const uint8_t patterns[] = {0x01, 0x80, 0xFF, 0x20};
            uint8_t pattern = patterns[(at + i) % 4];
            archive->text[at] = (char)((uint8_t)archive->text[at] ^ pattern);
            expect_found(archive, at, quick);
            archive->text[at] = (char)((uint8_t)archive->text[at] ^ pattern);
        }
}

static void test_every_byte_of_a_small_archive(void **state)
{
    (void)state;
    static const char text[] = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {good} e5 $1 (1... c5 2. Nf3) 2. Nf3! 1-0\n\n"
                               "[Event \"b\"]\n[Result \"*\"]\n\n1. e4  e5 2. Ke3 *\n\n1. d4 1/2-1/2\n\n{so long}";
    listing archive = pack(text, sizeof text - 1, NULL);
    expect_every_byte_found(&archive, 4, false);
    expect_every_byte_found(&archive, 4, true);
    free(archive.text);
}

static void test_every_byte_of_many_blocks(void **state)
{
    (void)state;
    listing archive = small_blocks();
    expect_every_byte_found(&archive, 1, false);
    expect_every_byte_found(&archive, 1, true);
    free(archive.text);
}

/* Cut anywhere it is cut short, and the blocks that were committed before are sound. */
static void test_truncation(void **state)
{
    (void)state;
    listing archive = small_blocks();
    size_t ends[GROUPS + 1] = {ARCHIVE_HEADER_SIZE};
    for (unsigned i = 0; i < GROUPS; i++)
        ends[i + 1] = next_frame(&archive, offset_of_commit(&archive, i));
    for (size_t size = 0; size < archive.size; size++) {
        listing cut = {malloc(size + (size == 0)), size, 0};
        assert_non_null(cut.text);
        memcpy(cut.text, archive.text, size);
        stamma_archive_verdict verdict;
        told t = {{0}, size, false, 0, 0, 0, 0};
        stamma_error error = verify(&cut, size & 1, &t, &verdict);
        assert_int_equal(error, size < ARCHIVE_HEADER_SIZE ? STAMMA_ERROR_SYNTAX : STAMMA_OK);
        if (error == STAMMA_OK) {
            unsigned groups = 0;
            while (groups + 1 < GROUPS && ends[groups + 1] <= size)
                groups++;
            assert_int_equal(t.kinds, 1u << STAMMA_DAMAGE_END);
            assert_int_equal(t.count, 1);
            assert_int_equal(verdict.sound_blocks, 8 * groups);
            assert_int_equal(verdict.all.games, games_before(8 * groups));
            assert_int_equal(verdict.tail_size, size - ends[groups]);
        }
        free(t.lines.text);
        free(cut.text);
    }
    free(archive.text);
}

/* Of an archive that was appended to, what was there before stays sound wherever the rest is cut: that is a tail. */
static void test_truncation_of_what_was_appended(void **state)
{
    (void)state;
    listing archive = read_file("tests/data/good-appended.stamma");
    assert_non_null(archive.text);
    size_t first = next_frame(&archive, next_frame(&archive, ARCHIVE_HEADER_SIZE));
    for (size_t size = first; size <= archive.size; size++) {
        listing cut = {archive.text, size, 0};
        stamma_archive_verdict verdict;
        assert_int_equal(verify(&cut, false, NULL, &verdict), STAMMA_OK);
        assert_int_equal(verdict.damages, 0);
        assert_int_equal(verdict.tail_size, size == archive.size ? 0 : size - first);
        assert_int_equal(verdict.all_blocks, size == archive.size ? 2 : 1);
        assert_int_equal(verdict.sound_blocks, verdict.all_blocks);
    }
    free(archive.text);
}

/* ---- lists of damage ---- */

/* A line as take_damage makes it, for damage to whole blocks of small_blocks. */
static void list_line(listing *to, int kind, size_t offset, size_t size, unsigned frame, unsigned first, unsigned last)
{
    unsigned low = games_before(first), high = games_before(last + 1);
    list_format(to, "kind %d at %zu+%zu frame %u blocks %u-%u games %u-%u text %u-%u", kind, offset, size, frame,
                first + 1, last + 1, low + 1, high, low * GAME_SIZE, (high - low) * GAME_SIZE);
}

static void test_list(void **state)
{
    (void)state;
    listing archive = small_blocks(), lines = {0};
    size_t at[BLOCKS + 1], commit = offset_of_commit(&archive, 2);
    for (unsigned i = 0; i <= BLOCKS; i++)
        at[i] = i < BLOCKS ? offset_of_block(&archive, i) : archive.size;
    archive.text[at[2] + FRAME_HEADER_SIZE + 20] ^= 4; /* a head: its counts are known from the commit */
    list_line(&lines, STAMMA_DAMAGE_HEAD, at[2], at[3] - at[2], 3, 2, 2);
    list_word(&lines, "\n");
    archive.text[at[4] + 30] ^= 1; /* a frame's header: the block is lost up to the next frame */
    list_line(&lines, STAMMA_DAMAGE_FRAME, at[4], at[5] - at[4], 5, 4, 4);
    list_word(&lines, "\n");
    archive.text[at[9] - 1] ^= 1; /* not damage: the last byte of block 8 is one of its last column */
    size_t column = strlen("B0") + 1, stored = column * games_of_block(8);
    list_line(&lines, STAMMA_DAMAGE_COLUMN, at[9] - stored, stored, 10, 8, 8);
    list_word(&lines, " tag:Black\n");
    archive.text[at[12]] ^= 1; /* two frames side by side */
    archive.text[at[13] + 8] ^= 1;
    list_line(&lines, STAMMA_DAMAGE_FRAME, at[12], at[14] - at[12], 14, 12, 13);
    list_word(&lines, "\n");
    archive.text[archive.size - 30] ^= 1;
    list_format(&lines, "kind %d at %zu+%zu frame 22 blocks 0-0 games 0-0 text %u-0\n", (int)STAMMA_DAMAGE_COMMIT,
                commit, archive.size - commit, games_before(BLOCKS) * GAME_SIZE);
    expect_damage(&archive, false, lines.text);
    expect_damage(&archive, true, lines.text);
    free(lines.text);
    free(archive.text);
}

/* All columns of a block that are damaged are named. */
static void test_columns(void **state)
{
    (void)state;
    listing archive = small_blocks();
    size_t at = offset_of_block(&archive, 0), end = next_frame(&archive, at);
    uint32_t head_size = load_u32((const uint8_t *)archive.text + at + 16);
    for (size_t i = at + FRAME_HEADER_SIZE + head_size; i < end; i++)
        archive.text[i] ^= 1;
    stamma_archive_verdict verdict;
    listing lines = damage_of(&archive, false, &verdict);
    static const char *const names[] = {" events\n", " moves\n",      " results\n",   " rosters\n",  " roster-list\n",
                                        " styles\n", " style-list\n", " tag:White\n", " tag:Black\n"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_non_null(strstr(lines.text, names[i]));
    assert_int_equal(verdict.damages, sizeof names / sizeof *names);
    assert_int_equal(verdict.sound_blocks, BLOCKS - 1);
    free(lines.text);
    free(archive.text);
}

/* A commit that is lost together with blocks on both sides of it: what they held follows from the commits around. */
static void test_lost_commit(void **state)
{
    (void)state;
    listing archive = small_blocks(), lines = {0};
    size_t begin = offset_of_block(&archive, 6), end = offset_of_block(&archive, 10);
    memset(archive.text + begin, 0, end - begin);
    list_line(&lines, STAMMA_DAMAGE_FRAME, begin, end - begin, 7, 6, 9);
    list_word(&lines, "\n");
    expect_damage(&archive, false, lines.text);
    free(lines.text);
    free(archive.text);
}

/* A commit whose payload is damaged between a head that is damaged and one that is not. */
static void test_damaged_commit(void **state)
{
    (void)state;
    listing archive = small_blocks(), lines = {0};
    size_t commit = offset_of_commit(&archive, 0), block = offset_of_block(&archive, 3),
           second = offset_of_block(&archive, 11);
    archive.text[commit + FRAME_HEADER_SIZE] ^= 1;
    archive.text[block + FRAME_HEADER_SIZE] ^= 1;
    archive.text[second + FRAME_HEADER_SIZE] ^= 1;
    list_line(&lines, STAMMA_DAMAGE_HEAD, block, next_frame(&archive, block) - block, 4, 3, 3);
    list_word(&lines, "\n");
    list_format(&lines, "kind %d at %zu+%zu frame 9 blocks 0-0 games 0-0 text %u-0\n", (int)STAMMA_DAMAGE_COMMIT,
                commit, next_frame(&archive, commit) - commit, games_before(8) * GAME_SIZE);
    list_line(&lines, STAMMA_DAMAGE_HEAD, second, next_frame(&archive, second) - second, 13, 11, 11);
    list_word(&lines, "\n");
    expect_damage(&archive, false, lines.text);
    free(lines.text);
    free(archive.text);
}

/* Bytes that are taken out or put in move all that follows, which can still be read; the commits show it. */
static void test_moved_bytes(void **state)
{
    (void)state;
    listing archive = small_blocks();
    size_t from = offset_of_block(&archive, 5);
    static const size_t sizes[] = {1, 7, 32, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int put = 0; put < 2; put++)
            for (int quick = 0; quick < 2; quick++) {
                listing moved = {0};
                stamma_archive_verdict verdict;
                list_bytes(&moved, archive.text, from);
                if (put)
                    list_bytes(&moved, archive.text + 50, sizes[i]);
                list_bytes(&moved, archive.text + from + (put ? 0 : sizes[i]),
                           archive.size - from - (put ? 0 : sizes[i]));
                listing lines = damage_of(&moved, quick, &verdict);
                assert_true(verdict.damages >= 3); /* there, and both commits behind it are out of place */
                assert_true(verdict.sound_blocks >= BLOCKS - 1);
                free(lines.text);
                free(moved.text);
            }
    free(archive.text);
}

/* A whole block is gone, or stands there twice. */
static void test_missing_block(void **state)
{
    (void)state;
    listing archive = small_blocks();
    size_t from = offset_of_block(&archive, 5), to = offset_of_block(&archive, 6);
    for (int twice = 0; twice < 2; twice++) {
        listing changed = {0};
        stamma_archive_verdict verdict;
        list_bytes(&changed, archive.text, twice ? to : from);
        list_bytes(&changed, archive.text + (twice ? from : to), archive.size - (twice ? from : to));
        listing lines = damage_of(&changed, false, &verdict);
        assert_int_equal(verdict.damages, GROUPS);
        assert_int_equal(verdict.sound_blocks, twice ? BLOCKS + 1 : BLOCKS - 1);
        free(lines.text);
        free(changed.text);
    }
    free(archive.text);
}

/* Where a game goes on behind a block that is lost, only that block is damaged. */
static void test_cut_game(void **state)
{
    (void)state;
    listing archive = read_file("tests/data/good-cut-game.stamma");
    assert_non_null(archive.text);
    static const size_t places[] = {30, FRAME_HEADER_SIZE + 4}; /* in the frame's header, and in the block's head */
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        stamma_archive_verdict verdict;
        archive.text[ARCHIVE_HEADER_SIZE + places[i]] ^= 1;
        listing lines = damage_of(&archive, false, &verdict);
        assert_int_equal(verdict.damages, 1);
        assert_int_equal(verdict.sound_blocks, 1);
        archive.text[ARCHIVE_HEADER_SIZE + places[i]] ^= 1;
        free(lines.text);
    }
    free(archive.text);
}

/* ---- other programs' archives ---- */

static unsigned for_each_file(const char *word, void (*check)(const char *name, const listing *archive))
{
    DIR *directory = opendir("tests/data");
    unsigned count = 0;
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char path[512];
        if (strncmp(entry->d_name, word, strlen(word)) != 0)
            continue;
        snprintf(path, sizeof path, "tests/data/%.400s", entry->d_name);
        listing archive = read_file(path);
        assert_non_null(archive.text);
        check(entry->d_name, &archive);
        free(archive.text);
        count++;
    }
    closedir(directory);
    return count;
}

static void check_good(const char *name, const listing *archive)
{
    listing text = {0};
    assert_int_equal(unpack(archive, true, NULL, &text), STAMMA_OK);
    for (int quick = 0; quick < 2; quick++) {
        stamma_archive_verdict verdict;
        listing lines = damage_of(archive, quick, &verdict);
        if (verdict.damages > 0)
            fail_msg("%s: %s", name, lines.text);
        assert_int_equal(verdict.sound.bytes_in, text.size);
        assert_int_equal(verdict.tail_size > 0, strcmp(name, "good-tail.stamma") == 0);
        free(lines.text);
    }
    free(text.text);
}

static unsigned quick_finds;

static void check_bad(const char *name, const listing *archive)
{
    stamma_archive_verdict verdict;
    told full = {{0}, 0, false, 0, 0, 0, 0}, quick = full;
    assert_int_equal(verify(archive, false, &full, &verdict), STAMMA_OK);
    if (verdict.damages == 0)
        fail_msg("%s: not found", name);
    assert_int_equal(full.errors, 1u << STAMMA_ERROR_CORRUPT);
    assert_int_equal(verify(archive, true, &quick, &verdict), STAMMA_OK);
    quick_finds += verdict.damages > 0;
    /* What only the slow way finds are blocks that were written wrongly, and games that do not end. */
    if (verdict.damages == 0)
        assert_int_equal(full.kinds & ~(1u << STAMMA_DAMAGE_CONTENT | 1u << STAMMA_DAMAGE_END), 0);
    free(full.lines.text);
    free(quick.lines.text);
}

static void check_unsupported(const char *name, const listing *archive)
{
    stamma_archive_verdict verdict;
    told t = {{0}, 0, false, 0, 0, 0, 0};
    stamma_error error = verify(archive, false, &t, &verdict);
    bool found = error == STAMMA_OK && verdict.damages > 0 && t.errors == 1u << STAMMA_ERROR_UNSUPPORTED;
    if (error != STAMMA_ERROR_UNSUPPORTED && !found)
        fail_msg("%s: error %d\n%s", name, (int)error, t.lines.text ? t.lines.text : "");
    free(t.lines.text);
}

static void test_archives_by_hand(void **state)
{
    (void)state;
    assert_true(for_each_file("good-", check_good) > 20);
    unsigned bad = for_each_file("bad-", check_bad);
    assert_true(bad > 60);
    assert_true(quick_finds > 10 && quick_finds < bad);
    assert_true(for_each_file("unsupported-", check_unsupported) > 5);
}

static void test_no_archive(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "x", "1. e4 e5 *", "\x8DStamma\n", "\x1F\x8B gzip and so on, long enough"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        listing bytes = {0};
        stamma_archive_verdict verdict;
        list_word(&bytes, texts[i]);
        assert_int_equal(verify(&bytes, false, NULL, &verdict), STAMMA_ERROR_SYNTAX);
        free(bytes.text);
    }
}

/* ---- tails ---- */

static void test_tails(void **state)
{
    (void)state;
    listing archive = small_blocks();
    size_t first = offset_of_block(&archive, 0), second = offset_of_block(&archive, 1);
    for (int kind = 0; kind < 5; kind++) {
        listing tailed = copy_of(&archive);
        stamma_archive_verdict verdict;
        switch (kind) {
        case 0: list_word(&tailed, "x"); break;
        case 1: list_bytes(&tailed, archive.text + first, 20); break;                 /* half a frame's header */
        case 2: list_bytes(&tailed, archive.text + first, second - first - 5); break; /* a block cut short */
        case 3: list_bytes(&tailed, archive.text + first, second - first); break;     /* a whole block */
        default:                                                                      /* and bytes behind it */
            list_bytes(&tailed, archive.text + first, second - first);
            list_word(&tailed, "bytes of something else, longer than a frame's header");
        }
        listing lines = damage_of(&tailed, false, &verdict);
        assert_string_equal(lines.text, "");
        assert_int_equal(verdict.tail_offset, archive.size);
        assert_int_equal(verdict.tail_size, tailed.size - archive.size);
        assert_int_equal(verdict.tail_blocks, kind >= 3);
        assert_int_equal(verdict.tail_games, kind >= 3 ? games_of_block(0) : 0);
        assert_int_equal(verdict.sound_blocks, BLOCKS);
        free(lines.text);
        free(tailed.text);
    }
    free(archive.text);
}

/* Blocks behind the third of which the writer that appended them was stopped: a finished commit behind 3 of
 * small_blocks, one that is not behind 11 and 19, and where `whole` a finished one behind 20. */
static listing appended_blocks(bool whole)
{
    listing archive = small_blocks();
    archive_sink sink = {{0}, 0, 0, 0};
    stamma_output output = archive_output(&sink);
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    frame_writer out;
    stamma_frame_writer_begin(&out, &output, &allocator);
    for (unsigned i = 0; i < BLOCKS; i++) {
        size_t at = offset_of_block(&archive, i);
        frame f;
        block_head head;
        assert_int_equal(stamma_frame_read((const uint8_t *)archive.text + at, &f), STAMMA_OK);
        const char *payload = archive.text + at + FRAME_HEADER_SIZE;
        cursor in = {(const uint8_t *)payload, (const uint8_t *)payload + f.head_size, false};
        assert_int_equal(stamma_block_read_head(&in, &head), STAMMA_OK);
        stamma_text body = {payload + f.head_size, (size_t)f.size - f.head_size};
        stamma_frame_writer_add_block(&out, (stamma_text){payload, f.head_size}, body, &head.counts);
        if (i == 2 || (i == BLOCKS - 1 && whole))
            stamma_frame_writer_commit(&out, true);
    }
    assert_int_equal(out.error, STAMMA_OK);
    stamma_frame_writer_release(&out);
    free(archive.text);
    return sink.bytes;
}

/* The offset of a block's frame among them. */
static size_t offset_of_appended(const listing *archive, unsigned block)
{
    size_t at = ARCHIVE_HEADER_SIZE;
    for (unsigned i = 0; i < block + (block >= 3) + (block >= 11) + (block >= 19); i++)
        at = next_frame(archive, at);
    return at;
}

/* What was appended counts when it is finished, and then its damage does too. */
static void test_unfinished_append(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++)
        for (int damaged = 0; damaged < 2; damaged++) {
            listing archive = appended_blocks(whole), expected = {0};
            stamma_archive_verdict verdict;
            list_word(&expected, "");
            for (unsigned i = 5; damaged && i < 20; i += 10) { /* their last bytes: of the tag Black */
                size_t end = next_frame(&archive, offset_of_appended(&archive, i)), size = 3 * games_of_block(i);
                archive.text[end - 1] ^= 1;
                list_line(&expected, STAMMA_DAMAGE_COLUMN, end - size, size, i == 5 ? 7 : 18, i, i);
                list_word(&expected, " tag:Black\n");
            }
            listing lines = damage_of(&archive, whole, &verdict);
            assert_string_equal(lines.text, whole ? expected.text : "");
            assert_int_equal(verdict.all_blocks, whole ? BLOCKS : 3);
            assert_int_equal(verdict.sound_blocks, whole ? (damaged ? BLOCKS - 2 : BLOCKS) : 3);
            assert_int_equal(verdict.all.games, games_before(whole ? BLOCKS : 3));
            assert_int_equal(verdict.tail_blocks, whole ? 0 : damaged ? BLOCKS - 5 : BLOCKS - 3);
            assert_int_equal(verdict.tail_size, whole ? 0 : archive.size - offset_of_appended(&archive, 3));
            free(lines.text);
            free(expected.text);
            free(archive.text);
        }
}

/* Cut anywhere behind its first finished commit, an archive is what it was before something was appended. */
static void test_truncated_append(void **state)
{
    (void)state;
    listing archive = appended_blocks(true), text = {0};
    for (size_t size = offset_of_appended(&archive, 3); size < archive.size; size++) {
        listing cut = {archive.text, size, 0};
        stamma_archive_verdict verdict;
        listing lines = damage_of(&cut, size & 1, &verdict);
        assert_string_equal(lines.text, "");
        assert_int_equal(verdict.all_blocks, 3);
        assert_int_equal(verdict.sound_blocks, 3);
        assert_int_equal(verdict.tail_size, size - offset_of_appended(&archive, 3));
        free(lines.text);
    }
    listing cut = {archive.text, archive.size - 1, 0};
    assert_int_equal(unpack(&cut, true, NULL, &text), STAMMA_OK);
    assert_int_equal(text.size, games_before(3) * GAME_SIZE);
    free(text.text);
    free(archive.text);
}

/* More blocks than a commit may list, and then none. */
static void test_blocks_without_commits(void **state)
{
    (void)state;
    listing archive = small_blocks(), long_one = {0};
    size_t first = offset_of_block(&archive, 0), second = offset_of_block(&archive, 1);
    list_bytes(&long_one, archive.text, first);
    for (int i = 0; i < 5000; i++)
        list_bytes(&long_one, archive.text + first, second - first);
    counted_memory memory = {0};
    stamma_allocator allocator = counting_allocator(&memory);
    piecewise source = {.bytes = long_one.text, .size = long_one.size, .piece_max = SIZE_MAX};
    stamma_input input = piecewise_input(&source);
    told t = {{0}, 0, false, 0, 0, 0, 0};
    stamma_archive_verify_options options = {
        .size = sizeof options, .allocator = &allocator, .context = &t, .damage = take_damage};
    stamma_archive_verdict verdict;
    assert_int_equal(stamma_archive_verify(&input, &options, &verdict), STAMMA_OK);
    assert_int_equal(memory.alive, 0);
    assert_true(memory.peak < 4 << 20);
    assert_int_equal(t.kinds, 1u << STAMMA_DAMAGE_COMMIT | 1u << STAMMA_DAMAGE_END);
    free(t.lines.text);
    free(long_one.text);
    free(archive.text);
}

/* ---- executors and failures ---- */

/* An executor that does nothing before it must. */
typedef struct lazy {
    void (*work)(void *argument);
} lazy;

static void start_lazy(void *context, void (*work)(void *argument), void *argument)
{
    (void)argument;
    ((lazy *)context)->work = work;
}

static void wait_lazy(void *context, void *argument)
{
    ((lazy *)context)->work(argument);
}

static void test_executor(void **state)
{
    (void)state;
    listing archive = small_blocks();
    static const unsigned damaged[] = {0, 7, 8, 15, 19};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++)
        archive.text[offset_of_block(&archive, damaged[i] + 1 < BLOCKS ? damaged[i] + 1 : 0) + 40 * (i & 1)] ^= 1;
    stamma_archive_verdict expected;
    listing lines = damage_of(&archive, false, &expected);
    assert_true(expected.damages >= 4);
    for (unsigned threads = 2; threads < 40; threads = threads * 2 + 1) {
        lazy l = {NULL};
        stamma_executor executor = {&l, threads, start_lazy, wait_lazy};
        piecewise source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        stamma_input input = piecewise_input(&source);
        told t = {{0}, 0, false, 0, 0, 0, 0};
        stamma_archive_verify_options options = {.size = sizeof options,
                                                 .executor = &executor,
                                                 .memory = (uint64_t)8 << 30,
                                                 .context = &t,
                                                 .damage = take_damage};
        stamma_archive_verdict verdict;
        assert_int_equal(stamma_archive_verify(&input, &options, &verdict), STAMMA_OK);
        assert_memory_equal(&verdict, &expected, sizeof verdict);
        assert_string_equal(t.lines.text, lines.text);
        free(t.lines.text);
    }
    free(lines.text);
    free(archive.text);
}

static void test_failing_input(void **state)
{
    (void)state;
    listing archive = small_blocks();
    unsigned fail_at = 1;
    for (bool failed = true; failed; fail_at++) {
        piecewise source = {.bytes = archive.text, .size = archive.size, .piece_max = 500, .fail_at = fail_at};
        stamma_input input = piecewise_input(&source);
        stamma_archive_verdict verdict = {.damages = 77};
        stamma_error error = stamma_archive_verify(&input, NULL, &verdict);
        failed = source.reads >= fail_at;
        assert_int_equal(error, failed ? STAMMA_ERROR_IO : STAMMA_OK);
        assert_int_equal(verdict.damages, failed ? 77 : 0);
    }
    free(archive.text);
}

static void test_no_memory(void **state)
{
    (void)state;
    listing archive = small_blocks();
    archive.text[offset_of_block(&archive, 3) - 1] ^= 1;
    archive.text[offset_of_block(&archive, 5) + 40] ^= 1;
    unsigned fail_at = 1;
    for (bool failed = true; failed; fail_at++) {
        failing_memory memory = {.fail_at = fail_at};
        stamma_allocator allocator = failing_allocator(&memory);
        piecewise source = {.bytes = archive.text, .size = archive.size, .piece_max = SIZE_MAX};
        stamma_input input = piecewise_input(&source);
        stamma_archive_verify_options options = {.size = sizeof options, .allocator = &allocator};
        stamma_archive_verdict verdict;
        stamma_error error = stamma_archive_verify(&input, &options, &verdict);
        failed = memory.calls >= fail_at;
        assert_int_equal(error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        assert_int_equal(memory.alive, 0);
    }
    free(archive.text);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    piecewise source = {.bytes = "", .size = 0, .piece_max = 1};
    stamma_input input = piecewise_input(&source);
    stamma_archive_verdict verdict;
    stamma_archive_verify_options options = {.size = 1};
    assert_int_equal(stamma_archive_verify(NULL, NULL, &verdict), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_verify(&input, NULL, NULL), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(stamma_archive_verify(&input, &options, &verdict), STAMMA_ERROR_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_sound_blocks),
        cmocka_unit_test(test_small_reads),
        cmocka_unit_test(test_every_byte_of_a_small_archive),
        cmocka_unit_test(test_every_byte_of_many_blocks),
        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_truncation_of_what_was_appended),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_lost_commit),
        cmocka_unit_test(test_damaged_commit),
        cmocka_unit_test(test_moved_bytes),
        cmocka_unit_test(test_missing_block),
        cmocka_unit_test(test_cut_game),
        cmocka_unit_test(test_archives_by_hand),
        cmocka_unit_test(test_no_archive),
        cmocka_unit_test(test_tails),
        cmocka_unit_test(test_unfinished_append),
        cmocka_unit_test(test_truncated_append),
        cmocka_unit_test(test_blocks_without_commits),
        cmocka_unit_test(test_executor),
        cmocka_unit_test(test_failing_input),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
