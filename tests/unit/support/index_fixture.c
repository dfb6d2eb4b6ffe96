/* SPDX-License-Identifier: MIT */
/* Small archives with index files, for tests that change the files. */
#include "index_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

listing index_fixture_text(unsigned part)
{
    static const char *const rests[] = {"4. Nc3 Be7 5. Bg5 O-O 1-0", "4. g3 Be7 5. Bg2 O-O 1/2-1/2", "4. Nc3 c6 *",
                                        "4. Nc3 Bb4 5. Qa4+ Nc6 0-1"};
    listing text = {0};
    for (unsigned n = 0; n < 16; n++)
        list_format(&text,
                    "[Date \"%u.0%u.??\"]\n[White \"Smith, %c\"]\n[Black \"Jones, %c\"]\n[WhiteElo \"%u\"]\n"
                    "[BlackElo \"2000\"]\n\n%s 3. Nf3 d5 %s\n\n",
                    n == 5 ? 1066 : 2000 + n, 1 + n % 9, 'A' + n % 5, 'A' + (n + part) % 4,
                    n == 7 ? 9999 : 1500 + n * 10, n % 3 ? "1. d4 Nf6 2. c4 e6" : "1. c4 Nf6 2. d4 e6", rests[n % 4]);
    list_word(&text, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 Kd7 1-0\n\n");
    return text;
}

void index_fixture_init(index_fixture *f, listing (*make)(unsigned part), uint32_t games)
{
    listing parts[INDEX_FIXTURE_BLOCKS];
    const stamma_index_write_options options = {.size = sizeof options, .segment_games = games};
    for (unsigned part = 0; part < INDEX_FIXTURE_BLOCKS; part++) {
        listing text = make(part);
        parts[part] = pack(text.text, text.size, NULL);
        free(text.text);
    }
    f->archive = copy_archives(parts, INDEX_FIXTURE_BLOCKS, NULL);
    for (unsigned part = 0; part < INDEX_FIXTURE_BLOCKS; part++)
        free(parts[part].text);
    f->file = (listing){0};
    assert_int_equal(append_index(&f->archive, &options, &f->file), STAMMA_OK);
}

void index_fixture_release(index_fixture *f)
{
    free(f->archive.text);
    free(f->file.text);
}

uint8_t *index_root_of(const listing *file)
{
    return (uint8_t *)file->text + file->size - INDEX_ROOT_SIZE;
}

uint8_t *index_entry(const listing *file, unsigned segment)
{
    return (uint8_t *)file->text + load_u64(index_root_of(file) + AT_DIRECTORY) + (size_t)segment * ENTRY_SIZE;
}

uint8_t *index_table(const listing *file, unsigned segment)
{
    const uint8_t *entry = index_entry(file, segment);
    return (uint8_t *)file->text + load_u64(entry) + load_u64(entry + AT_SEGMENT_SIZE);
}

uint8_t *index_block_entry(const listing *file, unsigned segment, unsigned block)
{
    uint8_t *table = index_table(file, segment);
    return table + AT_PARTS + 16 * (size_t)load_u32(table + AT_SECTION_COUNT) + (size_t)block * BLOCK_SIZE;
}

uint8_t *index_section_of(const listing *file, unsigned segment, index_section section, size_t *size)
{
    const uint8_t *part = index_table(file, segment) + AT_PARTS + 16 * (size_t)section;
    *size = (size_t)load_u64(part + 8);
    return (uint8_t *)file->text + load_u64(index_entry(file, segment)) + load_u64(part);
}

static void seal_segment(const listing *file, uint8_t *entry)
{
    const uint64_t at = load_u64(entry), size = load_u64(entry + AT_SEGMENT_SIZE);
    const uint64_t table_size = load_u64(entry + AT_TABLE_SIZE), checks = size / INDEX_PAGE * 4;
    if (at > file->size || size > file->size - at || table_size > file->size - at - size)
        return;
    uint8_t *bytes = (uint8_t *)file->text + at, *table = bytes + size;
    for (uint64_t page = 0; page < size / INDEX_PAGE && checks <= table_size; page++)
        store_u32(table + table_size - checks + 4 * page, stamma_check32(bytes + page * INDEX_PAGE, INDEX_PAGE));
    store_u64(entry + AT_TABLE_HASH, XXH64(table, (size_t)table_size, 0));
}

void index_seal(const listing *file)
{
    uint8_t *root = index_root_of(file), *bytes = (uint8_t *)file->text;
    const uint64_t at = load_u64(root + AT_DIRECTORY), size = load_u64(root + AT_DIRECTORY_SIZE);
    if (at <= file->size && size <= file->size - at) {
        for (uint64_t n = 0; n < size / ENTRY_SIZE; n++)
            seal_segment(file, bytes + at + n * ENTRY_SIZE);
        store_u64(root + AT_HASH, XXH64(bytes + at, (size_t)size, 0));
    }
    store_u32(root + AT_CHECK, stamma_check32(root, AT_CHECK));
}

listing index_copy(const listing *file)
{
    listing copy = {0};
    list_bytes(&copy, file->text, file->size);
    return copy;
}
