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

uint8_t *index_footer(const listing *file)
{
    return (uint8_t *)file->text + file->size - INDEX_FOOTER_SIZE;
}

uint8_t *index_directory(const listing *file)
{
    return (uint8_t *)file->text + load_u64(index_footer(file) + AT_PAGES_END);
}

uint8_t *index_segment_entry(const listing *file, unsigned number)
{
    return index_directory(file) + HEAD_SIZE + INDEX_FIXTURE_BLOCKS * BLOCK_SIZE + number * SEGMENT_SIZE;
}

void index_seal(const listing *file)
{
    uint8_t *footer = index_footer(file), *bytes = (uint8_t *)file->text;
    const uint64_t end = load_u64(footer + AT_PAGES_END), size = load_u64(footer + AT_DIRECTORY_SIZE);
    const uint64_t pages = (end + INDEX_PAGE - 1) / INDEX_PAGE;
    for (uint64_t page = 0; page < pages && end <= file->size && 4 * pages <= size; page++) {
        const uint64_t at = page * INDEX_PAGE, part = end - at < INDEX_PAGE ? end - at : INDEX_PAGE;
        store_u32(footer - 4 * (pages - page), stamma_check32(bytes + at, (size_t)part));
    }
    if (end <= file->size && size <= file->size - end)
        store_u64(footer + AT_HASH, XXH64(bytes + end, (size_t)size, 0));
    store_u32(footer + AT_CHECK, stamma_check32(footer, AT_CHECK));
}

listing index_copy(const listing *file)
{
    listing copy = {0};
    list_bytes(&copy, file->text, file->size);
    return copy;
}
