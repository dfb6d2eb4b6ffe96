/* SPDX-License-Identifier: MIT */
/* Checks a block before it is written (9.6). The bytes to be stored are decoded without other data of the writer, and
 * compared with the text of the block. Search columns are compared with the decoded games. */
#include "block/block_writer.h"
#include "block/moves_ahead.h"

typedef struct proof {
    const block_source *source;
    block_reader block;
    search_columns search;
    bool search_differs[2];
    ahead_job *ahead; /* decodes the second half of the lanes on another thread; NULL: decoded on this thread */
    buffer text;      /* of one record, as decoded */
    uint8_t *faulty;
    bool same;
    bool no_memory;
    bool stopped;
} proof;

/* Returns the text of record `n`. */
static stamma_text text_of(const block_source *s, size_t n)
{
    size_t begin = n == 0 ? 0 : s->ends[n - 1];
    return (stamma_text){s->text.data + begin, s->ends[n] - begin};
}

static uint64_t check_of_group(const block_source *s, size_t last, size_t group)
{
    size_t first = last / group * group, begin = first == 0 ? 0 : s->ends[first - 1];
    return XXH64(s->text.data + begin, s->ends[last] - begin, 0);
}

/* Reads and compares the next record, `n`. Returns false if no later record can be read. */
static bool prove_record(proof *p, size_t n)
{
    block_reader *b = &p->block;
    stamma_text text = text_of(p->source, n);
    stamma_error error = stamma_block_reader_next(b, false), rendered = error;
    p->text.size = 0;
    if (error == STAMMA_OK)
        rendered = block_render(b, &p->text);
    if (rendered == STAMMA_OK && p->text.size == text.size && memcmp(p->text.data, text.data, text.size) == 0) {
        stamma_search_compare(&p->search, n, &b->state.record, &b->state.end, p->search_differs);
        return true;
    }
    p->no_memory |= error == STAMMA_ERROR_NO_MEMORY || rendered == STAMMA_ERROR_NO_MEMORY;
    p->same = false;
    p->faulty[n] = 1;
    return error == STAMMA_OK && !p->no_memory;
}

/* Returns whether the counts and the checksum in the head are right. */
static bool is_head_right(const proof *p)
{
    const block_head *head = &p->block.head;
    const block_source *s = p->source;
    return head->records == s->records && head->text_size == s->text.size && head->continues == s->begins_in_game &&
           head->text_check == XXH64(s->text.data, s->text.size, 0);
}

static bool is_end_right(proof *p)
{
    return (p->block.state.last_kind == ITEM_END_OF_PIECE) == p->source->ends_in_game &&
           stamma_block_reader_is_done(&p->block);
}

/* Waits for the other thread, and passes its moves to the block reader. */
static void end_ahead(proof *p)
{
    const stamma_executor *executor = p->source->executor;
    executor->wait(executor->context, p->ahead);
    stamma_ahead_give(p->ahead, &p->block);
    p->ahead = NULL;
}

static void prove_records(proof *p)
{
    const block_source *s = p->source;
    p->same = is_head_right(p);
    for (size_t n = 0; n < s->records && p->block.state.next < p->block.head.records; n++) {
        p->stopped = work_is_stopped(s->stop);
        if (p->stopped)
            return;
        if (p->ahead && block_turns(&p->block))
            end_ahead(p);
        if (!prove_record(p, n))
            return;
        if (block_ends_group(&p->block))
            p->same &= stamma_block_reader_is_group(&p->block, check_of_group(s, n, p->block.head.group));
    }
    p->same &= is_end_right(p);
}

/* Like prove_records, but the executor decodes the second half of the lanes with another reader. */
static stamma_error prove_with(proof *p, const buffer *head, const buffer *body)
{
    const stamma_allocator *allocator = head->allocator;
    block_reader *other = (block_reader *)memory_allocate(allocator, sizeof *other);
    ahead_job ahead = {other,    buffer_cursor(head), buffer_cursor(body), {.allocator = allocator}, p->source->stop,
                       STAMMA_OK};
    if (!other)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_block_reader_init(other, allocator);
    p->ahead = &ahead;
    p->source->executor->start(p->source->executor->context, stamma_ahead_run, &ahead);
    prove_records(p);
    if (p->ahead)
        end_ahead(p);
    stamma_buffer_release(&ahead.moves);
    stamma_block_reader_release(other);
    memory_release(allocator, other);
    return STAMMA_OK;
}

/* Opens the search columns from the bytes to be stored. */
static stamma_error open_search(proof *p, const buffer *head, const buffer *body)
{
    stamma_search_columns_init(&p->search, head->allocator);
    stamma_error error = stamma_search_columns_open(&p->search, buffer_cursor(head), buffer_cursor(body));
    stamma_search_columns_trim(&p->search);
    return error;
}

static bool is_search_right(const proof *p)
{
    const search_state wanted = p->source->searched ? SEARCH_READ : SEARCH_MISSING;
    return p->search.signatures == wanted && p->search.facts == wanted && !p->search_differs[0] &&
           !p->search_differs[1];
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
    stamma_error error = open_search(&p, head, body);
    if (error == STAMMA_OK)
        error = stamma_block_reader_open(&p.block, buffer_cursor(head), buffer_cursor(body));
    bool halved = source->executor && stamma_block_has_lanes(buffer_cursor(head));
    if (error == STAMMA_OK && halved)
        error = prove_with(&p, head, body);
    else if (error == STAMMA_OK)
        prove_records(&p);
    const bool contradicts = p.same && !is_search_right(&p);
    stamma_block_reader_release(&p.block);
    stamma_search_columns_release(&p.search);
    stamma_buffer_release(&p.text);
    *same = p.same;
    if (error == STAMMA_ERROR_NO_MEMORY || p.no_memory)
        return STAMMA_ERROR_NO_MEMORY;
    if (p.stopped)
        return STAMMA_ERROR_CANCELLED;
    return contradicts ? STAMMA_ERROR_SELF_CHECK : STAMMA_OK;
}
