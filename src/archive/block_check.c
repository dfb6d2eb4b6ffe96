/* The proof of a block before it is written: what is to be stored is read back as any reader reads it, with nothing of
 * the writer's but the bytes, and held against the text that it was made from (9.6). */
#include "archive/archive.h"

typedef struct proof {
    const block_source *source;
    block_reader block;
    buffer text; /* of one record, as read */
    uint8_t *faulty;
    bool same;
    bool no_memory;
} proof;

/* The text of record `n`, and of those of its group up to it. */
static stamma_text text_of(const block_source *s, size_t n)
{
    size_t begin = n == 0 ? 0 : s->ends[n - 1];
    return (stamma_text){s->text.data + begin, s->ends[n] - begin};
}

static uint64_t check_of_group(const block_source *s, size_t last)
{
    size_t first = last / GROUP_RECORDS * GROUP_RECORDS, begin = first == 0 ? 0 : s->ends[first - 1];
    return XXH64(s->text.data + begin, s->ends[last] - begin, 0);
}

/* Reads the next record, `n`; false where nothing can be read behind it. */
static bool prove_record(proof *p, size_t n)
{
    block_reader *b = &p->block;
    stamma_text text = text_of(p->source, n);
    stamma_error error = stamma_block_reader_next(b, false), rendered = error;
    p->text.size = 0;
    if (error == STAMMA_OK)
        rendered = stamma_render(&b->record, &b->styles.styles[b->record.style], &p->text, NULL);
    if (rendered == STAMMA_OK && p->text.size == text.size && memcmp(p->text.data, text.data, text.size) == 0)
        return true;
    p->no_memory |= error == STAMMA_ERROR_NO_MEMORY || rendered == STAMMA_ERROR_NO_MEMORY;
    p->same = false;
    p->faulty[n] = 1;
    return error == STAMMA_OK && !p->no_memory;
}

/* Whether the head says what the block is. */
static bool is_head_right(const proof *p)
{
    const block_head *head = &p->block.head;
    const block_source *s = p->source;
    return head->records == s->records && head->text_size == s->text.size && head->continues == s->begins_in_game &&
           head->text_check == XXH64(s->text.data, s->text.size, 0);
}

static bool is_end_right(proof *p)
{
    return (p->block.last_kind == ITEM_END_OF_PIECE) == p->source->ends_in_game &&
           stamma_block_reader_is_done(&p->block);
}

static void prove_records(proof *p)
{
    const block_source *s = p->source;
    p->same = is_head_right(p);
    for (size_t n = 0; n < s->records && p->block.next < p->block.head.records; n++) {
        if (!prove_record(p, n))
            return;
        if (block_ends_group(&p->block))
            p->same &= stamma_block_reader_is_group(&p->block, check_of_group(s, n));
    }
    p->same &= is_end_right(p);
}

stamma_error stamma_block_check(const block_source *source, const buffer *head, const buffer *body, buffer *faulty,
                                bool *same)
{
    proof p = {.source = source, .text.allocator = head->allocator};
    faulty->size = 0;
    *same = false;
    if (!buffer_reserve(faulty, source->records))
        return STAMMA_ERROR_NO_MEMORY;
    memset(faulty->data, 0, source->records);
    faulty->size = source->records;
    p.faulty = faulty->data;
    stamma_block_reader_init(&p.block, head->allocator);
    stamma_error error = stamma_block_reader_open(&p.block, buffer_cursor(head), buffer_cursor(body));
    if (error == STAMMA_OK)
        prove_records(&p);
    stamma_block_reader_release(&p.block);
    stamma_buffer_release(&p.text);
    *same = p.same;
    return error == STAMMA_ERROR_NO_MEMORY || p.no_memory ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}
