/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of verifying. */
#include "verify_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- archives to check ---- */

unsigned games_of_block(unsigned block)
{
    return 1 + block % 3;
}

static listing block_text(unsigned block)
{
    listing text = {0};
    for (unsigned i = 0; i < games_of_block(block); i++)
        list_format(&text, "[White \"Number %02u\"]\n[Black \"B%u\"]\n\n1. e4 e5 2. Nf3 *\n\n\n\n", block, i);
    assert_int_equal(text.size, GAME_SIZE * games_of_block(block));
    return text;
}

unsigned games_before(unsigned block)
{
    unsigned games = 0;
    for (unsigned i = 0; i < block; i++)
        games += games_of_block(i);
    return games;
}

/* Without search columns, because damage to them does not affect the text. */
listing small_blocks(void)
{
    listing archives[BLOCKS];
    for (unsigned i = 0; i < BLOCKS; i++) {
        listing text = block_text(i);
        archives[i] = pack_without_search(text.text, text.size);
        free(text.text);
    }
    listing all = copy_archives(archives, BLOCKS, NULL);
    for (unsigned i = 0; i < BLOCKS; i++)
        free(archives[i].text);
    return all;
}

listing small_and_large_block(void)
{
    static const char small[] = "1. e4 *\n";
    listing archive = pack(small, sizeof small - 1, NULL);
    archive_sink sink = {.fail_at = 0};
    const stamma_output output = archive_output(&sink);
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    const uint8_t *header = (const uint8_t *)archive.text + ARCHIVE_HEADER_SIZE, *payload = header + FRAME_HEADER_SIZE;
    const char *bytes = (const char *)payload;
    buffer head = {.allocator = &allocator};
    frame_writer out;
    frame f;
    block_counts counts;
    assert_int_equal(stamma_frame_read(header, &f), STAMMA_OK);
    cursor in = {payload, payload + f.head_size, false};
    assert_int_equal(stamma_block_counts_read(&in, &counts), STAMMA_OK);
    stamma_frame_writer_begin(&out, &output, &allocator);
    stamma_frame_writer_add_block(&out, (stamma_text){bytes, f.head_size},
                                  (stamma_text){bytes + f.head_size, (size_t)f.size - f.head_size}, &counts.counts);
    buffer_add(&head, payload, (size_t)(in.at - payload));
    counts.counts.text_size = BLOCK_TEXT_MAX;
    store_u64(head.data, BLOCK_TEXT_MAX);
    buffer_add_byte(&head, 1); /* column */
    stamma_column_write_entry(COLUMN_COMMENTS, CODEC_FIELDS, (stamma_text){NULL, 0}, (size_t)7 * BLOCK_TEXT_MAX,
                              (const uint8_t *)"x", 1, &head);
    stamma_frame_writer_add_block(&out, (stamma_text){(const char *)head.data, head.size}, (stamma_text){"x", 1},
                                  &counts.counts);
    stamma_frame_writer_commit(&out, true);
    assert_int_equal(out.error, STAMMA_OK);
    stamma_frame_writer_release(&out);
    stamma_buffer_release(&head);
    free(archive.text);
    return sink.bytes;
}

size_t offset_of_block(const listing *archive, unsigned block)
{
    size_t at = ARCHIVE_HEADER_SIZE;
    for (unsigned i = 0; i < block + block / 8; i++)
        at = next_frame(archive, at);
    return at;
}

size_t offset_of_commit(const listing *archive, unsigned group)
{
    unsigned last = group + 1 == GROUPS ? BLOCKS : 8 * (group + 1);
    size_t at = next_frame(archive, offset_of_block(archive, last - 1));
    return group + 1 == GROUPS ? next_frame(archive, at) : at; /* a table precedes the last commit */
}

void list_block(listing *to, const listing *archive, unsigned block, uint32_t number)
{
    size_t from = offset_of_block(archive, block), at = to->size;
    frame f;
    list_bytes(to, archive->text + from, next_frame(archive, from) - from);
    assert_int_equal(stamma_frame_read((const uint8_t *)to->text + at, &f), STAMMA_OK);
    f.number = number;
    stamma_frame_write(&f, (uint8_t *)to->text + at);
}

/* ---- verifying them ---- */

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

void take_damage(void *context, const stamma_archive_damage *d)
{
    reports *t = context;
    t->covers |= d->offset <= t->at && t->at < d->offset + d->size;
    t->kinds |= 1u << d->kind;
    t->errors |= 1u << d->error;
    t->count++;
    t->game = d->game;
    assert_true(d->offset >= t->reached);
    t->reached = d->offset;
    list_format(&t->lines, "kind %d at %llu+%llu frame %llu", (int)d->kind, (unsigned long long)d->offset,
                (unsigned long long)d->size, (unsigned long long)d->frame);
    list_range(&t->lines, " blocks ", d->first_block, d->last_block);
    list_range(&t->lines, " games ", d->first_game, d->last_game);
    list_range(&t->lines, " text ", d->text_offset, d->text_size);
    list_format(&t->lines, "%s%s\n", d->column ? " " : "", d->column ? d->column : "");
}

stamma_error verify_archive(const listing *archive, bool quick, reports *t, stamma_archive_verdict *verdict)
{
    archive_source source = {.bytes = archive->text, .size = archive->size, .piece_max = SIZE_MAX};
    const stamma_input stream = source_stream(&source);
    stamma_archive_verify_options options = {
        .size = sizeof options, .quick = quick, .context = t, .damage = t ? take_damage : NULL};
    verdict->size = sizeof *verdict;
    if (!quick)
        return stamma_archive_verify_stream(&stream, &options, verdict);
    const stamma_bytes bytes = source_bytes(&source);
    stamma_archive *opened = NULL;
    stamma_error error = stamma_archive_open(&bytes, NULL, &opened);
    if (error == STAMMA_OK)
        error = stamma_archive_verify(opened, &options, verdict);
    stamma_archive_close(opened);
    return error;
}

listing damage_of(const listing *archive, bool quick, stamma_archive_verdict *verdict)
{
    reports t = {{0}, SIZE_MAX, false, 0, 0, 0, 0, 0};
    list_word(&t.lines, "");
    assert_int_equal(verify_archive(archive, quick, &t, verdict), STAMMA_OK);
    assert_int_equal(verdict->damages, t.count);
    return t.lines;
}
