/* SPDX-License-Identifier: MIT */
/* Writes, reads and skips a block's tags for tests. */
#include "tag_block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

tag_block block;

static stamma_allocator heap;

uint32_t block_random(uint32_t limit)
{
    block.random = block.random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(block.random >> 33) % limit;
}
void begin_block(size_t records)
{
    memset(&block, 0, sizeof block);
    heap = stamma_allocator_or_default(NULL);
    block.random = 7;
    block.records = records;
    for (size_t c = 0; c < BLOCK_COLUMNS; c++)
        block.values[c].allocator = block.stored[c].allocator = &heap;
    for (size_t r = 0; r < records; r++) {
        block.games[r].end = stamma_position_start();
        block.games[r].plies = 20 + block_random(90);
    }
}

size_t add_column(const char *name)
{
    block.names[block.columns] = name;
    return block.columns++;
}

void set_value(size_t column, size_t record, const char *text)
{
    assert_false(block.present[column][record]);
    block.present[column][record] = true;
    buffer_add(&block.values[column], text, strlen(text) + 1);
}

void set_number(size_t column, size_t record, int number, bool plus)
{
    char text[16];
    snprintf(text, sizeof text, plus ? "%+d" : "%d", number);
    set_value(column, record, text);
}

static void take_column(void *context, size_t column, unsigned codec, const buffer *stored)
{
    (void)context;
    block.order[block.written] = column;
    block.codecs[block.written] = codec;
    buffer_add(&block.stored[block.written++], stored->data, stored->size);
}

stamma_error fill_tag_table(const stamma_allocator *allocator)
{
    tag_table *t = &block.table;
    *t = (tag_table){.allocator = allocator,
                     .texts.allocator = allocator,
                     .columns = block.columns,
                     .records = block.records,
                     .games = block.games,
                     .spells = block.spells};
    t->numbers = (uint32_t *)memory_allocate(allocator, block.columns * block.records * sizeof *t->numbers);
    if (!t->numbers)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t c = 0; c < block.columns; c++) {
        t->names[c] = (stamma_text){block.names[c], strlen(block.names[c])};
        t->values[c] = &block.values[c];
        block.values[c].allocator = allocator; /* the writer packs the values with this allocator */
        for (size_t r = 0; r < block.records; r++)
            t->numbers[c * block.records + r] = block.present[c][r];
    }
    stamma_error error = stamma_tag_table_fill(t);
    if (error == STAMMA_OK)
        error = stamma_number_plans_choose(t);
    return error == STAMMA_OK ? stamma_derivations_choose(t) : error;
}

void release_tag_table(void)
{
    stamma_tag_table_release(&block.table);
    for (size_t c = 0; c < block.columns; c++)
        block.values[c].allocator = &heap;
}

stamma_error write_block_with(const stamma_allocator *allocator)
{
    field_packer packer = {.encoder = NULL};
    block.written = 0;
    for (size_t c = 0; c < block.columns; c++)
        block.stored[c].size = 0;
    stamma_error error = fill_tag_table(allocator);
    if (error == STAMMA_OK)
        error = stamma_tags_write(&block.table, &packer, take_column, NULL);
    stamma_field_packer_release(&packer);
    release_tag_table();
    return error;
}

void write_block(void)
{
    assert_int_equal(write_block_with(&heap), STAMMA_OK);
    assert_int_equal(block.written, block.columns);
    for (size_t n = 0; n < block.written; n++) /* 3.2 */
        assert_true(block.stored[n].size <= block.values[block.order[n]].size);
}

void release_block(void)
{
    for (size_t c = 0; c < BLOCK_COLUMNS; c++) {
        stamma_buffer_release(&block.values[c]);
        stamma_buffer_release(&block.stored[c]);
    }
}

size_t size_of(size_t column)
{
    size_t n = 0;
    while (block.order[n] != column)
        n++;
    return block.stored[n].size;
}

unsigned codec_of(size_t column)
{
    size_t n = 0;
    while (block.order[n] != column)
        n++;
    return block.codecs[n];
}

size_t written_in(unsigned codec)
{
    size_t count = 0;
    for (size_t n = 0; n < block.written; n++)
        count += block.codecs[n] == codec;
    return count;
}

stamma_error load_block(tag_reader *r, byte_packer *coder)
{
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < block.columns && error == STAMMA_OK; n++) {
        const char *name = block.names[block.order[n]];
        error = stamma_tag_reader_add(r, coder, (stamma_text){name, strlen(name)}, block.codecs[n],
                                      buffer_cursor(&block.stored[n]), block.values[block.order[n]].size);
    }
    return error;
}

/* Skips records from `first` on, and their values in written columns. Returns false if they are corrupt. */
static bool pass(tag_reader *r, size_t first, size_t count, cursor at[BLOCK_COLUMNS])
{
    uint32_t plies[TAG_PASS_MAX];
    tag_pass *t = stamma_tag_reader_begin_pass(r);
    assert_non_null(t);
    for (size_t n = 0; n < count; n++) {
        plies[n] = block.games[first + n].plies;
        for (size_t place = 0; place < block.columns; place++) {
            size_t column = block.order[place];
            t->has[place][n] = block.present[column][first + n];
            if (block.present[column][first + n])
                cursor_text(&at[column]);
        }
    }
    return stamma_tag_reader_pass(r, plies, count) == STAMMA_OK;
}

bool read_some(tag_reader *r, bool demanded, size_t read, size_t passed)
{
    cursor at[BLOCK_COLUMNS];
    for (size_t c = 0; c < block.columns; c++)
        at[c] = buffer_cursor(&block.values[c]);
    for (size_t n = 0; n < block.records; n++) {
        size_t more = n % (read + passed) == read ? passed : 0;
        more = more < block.records - n ? more : block.records - n - 1;
        if (more > 0 && !pass(r, n, more, at))
            return false;
        n += more;
        stamma_tag_reader_begin(r, block.games[n].plies);
        for (size_t place = 0; place < block.columns; place++) {
            size_t column = block.order[place];
            stamma_text value;
            if (!block.present[column][n])
                continue;
            if (place >= r->post_game)
                stamma_tag_reader_play(r, block.games[n].opening, &block.games[n].end);
            if (!stamma_tag_reader_take(r, place, &value))
                return false;
            stamma_text wanted = cursor_text(&at[column]);
            assert_true(!demanded || (value.size == wanted.size && memcmp(value.data, wanted.data, wanted.size) == 0));
        }
    }
    return stamma_tag_reader_is_done(r, passed > 0);
}

void demand_round_trip(void)
{
    tag_reader r;
    byte_packer coder = {.compressor = NULL};
    write_block();
    stamma_tag_reader_init(&r, &heap);
    for (unsigned round = 0; round < 2; round++) { /* an earlier round must not affect a later one */
        stamma_tag_reader_clear(&r);
        assert_int_equal(load_block(&r, &coder), STAMMA_OK);
        assert_true(read_some(&r, true, 1, 0));
    }
    for (size_t passed = 1; passed <= TAG_PASS_MAX; passed *= 2) {
        stamma_tag_reader_clear(&r);
        assert_int_equal(load_block(&r, &coder), STAMMA_OK);
        assert_true(stamma_tag_reader_can_pass(&r) && read_some(&r, true, passed == 1 ? 1 : 3, passed));
    }
    stamma_tag_reader_release(&r);
    stamma_byte_packer_release(&coder);
}
