/* SPDX-License-Identifier: MIT */
/* Packs one block: text in, the head and the columns of its frame out, and nothing shared with other blocks. */
#include "archive/pack_job.h"

void stamma_pack_job_init(pack_job *j, const stamma_allocator *allocator, bool notices_wanted)
{
    memset(j, 0, offsetof(pack_job, parser));
    memset(&j->packer, 0, sizeof j->packer);
    j->notices_wanted = notices_wanted;
    j->text.allocator = j->faulty.allocator = j->notices.allocator = j->head.allocator = j->body.allocator = allocator;
    stamma_parser_init(&j->parser, allocator);
    stamma_block_writer_init(&j->block, allocator);
}

void stamma_pack_job_release(pack_job *j)
{
    stamma_buffer_release(&j->text);
    stamma_buffer_release(&j->faulty);
    stamma_buffer_release(&j->notices);
    stamma_buffer_release(&j->head);
    stamma_buffer_release(&j->body);
    stamma_parser_release(&j->parser);
    stamma_block_writer_release(&j->block);
    stamma_field_packer_release(&j->packer);
}

/* ---- the end of the block (3.4) ---- */

/* The next part of the text: a record of the block, the end of the text, or the end of the block. */
typedef enum block_step { STEP_RECORD, STEP_TEXT_ENDS, STEP_BLOCK_ENDS } block_step;

/* Finds the next record of the block, which has `records` records, and `passed` bytes in addition to those before
 * p->start. If there is none, the parser is before the next block. */
static stamma_error next_of_block(parser *p, uint64_t records, size_t passed, block_step *step)
{
    pgn_lexer lexer = p->lexer;
    bool continuing = p->continuing, found;
    size_t start = p->start;
    *step = STEP_BLOCK_ENDS;
    if (records == BLOCK_RECORDS_MAX)
        return STAMMA_OK;
    stamma_error error = stamma_parser_next(p, &found);
    if (error == STAMMA_OK && found && records > 0 && passed + p->end > BLOCK_TEXT_MAX) {
        p->lexer = lexer;
        p->continuing = continuing;
        p->start = start;
    } else {
        *step = found ? STEP_RECORD : STEP_TEXT_ENDS;
    }
    return error;
}

/* Sets the parser to the text after its first `from` bytes. */
static void begin(const pack_job *j, parser *p, size_t from)
{
    p->lexer = j->lexer;
    p->continuing = j->continuing;
    p->error = STAMMA_OK;
    stamma_parser_feed(p, j->text.data + from, j->text.size - from, j->final);
}

stamma_error stamma_pack_job_split(pack_job *j, parser *finder, pgn_lexer *lexer, bool *continuing, size_t *used)
{
    stamma_error error = STAMMA_OK;
    block_step step = STEP_RECORD;
    finder->only_ends = true;
    begin(j, finder, 0);
    for (uint64_t records = 0; step == STEP_RECORD && error == STAMMA_OK; records++)
        error = next_of_block(finder, records, 0, &step);
    *lexer = finder->lexer;
    *continuing = finder->continuing;
    *used = j->found = finder->start;
    return error;
}

/* ---- lines and notices ---- */

/* Counts the occurrences of a byte in a range. */
static uint64_t count_byte(const uint8_t *at, const uint8_t *end, uint8_t byte)
{
    uint64_t count = 0;
    while (at < end && (at = (const uint8_t *)memchr(at, byte, (size_t)(end - at))) != NULL) {
        count++;
        at++;
    }
    return count;
}

/* Counts the carriage returns in a range that are not followed by LF. */
static uint64_t count_lone_returns(const buffer *text, size_t begin, size_t end)
{
    uint64_t count = 0;
    for (size_t i = begin; i < end; i++) {
        const uint8_t *cr = (const uint8_t *)memchr(text->data + i, '\r', end - i);
        if (!cr)
            break;
        i = (size_t)(cr - text->data);
        count += !(i + 1 < text->size && text->data[i + 1] == '\n');
    }
    return count;
}

/* Counts the line ends in a range: LF, CR LF, or CR without LF. */
static uint64_t count_lines(const buffer *text, size_t begin, size_t end)
{
    return count_byte(text->data + begin, text->data + end, '\n') + count_lone_returns(text, begin, end);
}

uint64_t stamma_pack_job_lines(const pack_job *j, size_t end)
{
    return count_lines(&j->text, 0, end);
}

static uint32_t plies_before(const parsed_record *parsed, uint32_t offset)
{
    const record *r = &parsed->record;
    uint32_t plies = 0;
    for (size_t i = 0; parsed->places[i].begin < offset; i++) /* the last item begins at the end of the record */
        plies += r->items[i].kind == ITEM_MOVE && r->items[i].depth == 0;
    return plies;
}

/* Counts the line ends up to `end`, an offset in the text. */
static void count_to(pack_job *j, size_t end)
{
    j->lines += count_lines(&j->text, j->counted, end);
    j->counted = end;
}

static uint64_t bytes_kept(const record *r)
{
    uint64_t bytes = r->text_bytes;
    for (size_t i = 0; i < r->exception_count; i++)
        bytes += r->exceptions[i].text.size;
    return bytes;
}

/* Adds the first place at which the text differs from the record's style: the text found, and the expected text. */
static void note_layout(const pack_job *j, const record *r, job_notice *n)
{
    layout_flaw flaw = stamma_record_layout_flaw(r, j->block.search.styles.styles[r->style].spelling);
    n->found_size = flaw.found.size < n->size ? flaw.found.size : n->size;
    n->expected_size = flaw.expected_size;
    memcpy(n->expected, flaw.expected, flaw.expected_size);
}

/* Returns the place of an offset in the record. Lines are counted up to the record's start. */
static stamma_place place_of(const pack_job *j, const parsed_record *parsed, uint32_t offset)
{
    size_t begin = (size_t)((const uint8_t *)parsed->text.data - j->text.data), at = begin + offset;
    return (stamma_place){at, j->lines + count_lines(&j->text, begin, at), j->block.counts.games,
                          plies_before(parsed, offset)};
}

/* Adds a notice about a game that is partly kept as text. */
static void add_notice(pack_job *j, const parsed_record *parsed)
{
    const record *r = &parsed->record;
    size_t left = parsed->text.size - r->reason_offset;
    job_notice n = {.notice = {.game = j->block.counts.games, .reason = r->reason}};
    stamma_text shown = {parsed->text.data + r->reason_offset, left};
    if (r->reason == STAMMA_REASON_BAD_FEN || r->reason == STAMMA_REASON_VARIANT)
        shown = stamma_record_tag(r, r->reason == STAMMA_REASON_BAD_FEN ? "FEN" : "Variant");
    n.size = shown.size < sizeof n.text ? shown.size : sizeof n.text;
    if (n.size > 0)
        memcpy(n.text, shown.data, n.size);
    n.notice.kept = bytes_kept(r);
    if (r->reason == STAMMA_REASON_LAYOUT)
        note_layout(j, r, &n);
    n.notice.place = place_of(j, parsed, r->reason_offset);
    buffer_add(&j->notices, &n, sizeof n);
}

static void add_warning(pack_job *j, const parsed_record *parsed, stamma_warning kind, uint32_t offset)
{
    const job_notice n = {.warning = kind, .notice = {.place = place_of(j, parsed, offset)}};
    buffer_add(&j->notices, &n, sizeof n);
}

/* Returns whether moves are kept as text because of a mistake that a user can correct. */
static bool is_mistake(stamma_archive_reason reason)
{
    return reason == STAMMA_REASON_BAD_FEN || reason == STAMMA_REASON_SYNTAX || reason == STAMMA_REASON_ILLEGAL_MOVE ||
           reason == STAMMA_REASON_AMBIGUOUS_MOVE;
}

/* Adds a warning about moves of the main line that are kept as text. */
static void warn_of_text(pack_job *j, const parsed_record *parsed)
{
    const record *r = &parsed->record;
    if (r->text_items == 0 || !is_mistake(r->reason))
        return;
    for (size_t i = 0; i < r->item_count; i++)
        if (r->items[i].kind == ITEM_TEXT && r->items[i].depth == 0) {
            add_warning(j, parsed, STAMMA_WARNING_MOVES_END, parsed->places[i].begin);
            return;
        }
}

static void add_notices(pack_job *j, const parsed_record *parsed)
{
    const record *r = &parsed->record;
    if (!j->notices_wanted || r->continuation || (r->reason == STAMMA_REASON_NONE && r->second_event == 0))
        return;
    count_to(j, (size_t)((const uint8_t *)parsed->text.data - j->text.data));
    if (r->reason != STAMMA_REASON_NONE)
        add_notice(j, parsed);
    if (r->second_event != 0)
        add_warning(j, parsed, STAMMA_WARNING_TWO_EVENTS, r->second_event);
    warn_of_text(j, parsed);
}

/* ---- packing ---- */

/* Returns whether the next record must be kept as text, because the round-trip check failed for it. */
static bool was_faulty(const pack_job *j)
{
    size_t n = (size_t)j->block.record_count;
    return j->retry == RETRY_ALL || (j->retry == RETRY_MARKED && j->faulty.data[n] != 0);
}

static stamma_error add_record(pack_job *j)
{
    parsed_record *r = &j->parser.parsed;
    bool faulty = was_faulty(j), added = true;
    stamma_error error = faulty ? stamma_parser_retype(&j->parser, STAMMA_REASON_INEXACT) : STAMMA_OK;
    if (error == STAMMA_OK)
        error = stamma_block_writer_add(&j->block, r, &added);
    j->faults += faulty && !r->record.continuation;
    if (error == STAMMA_OK && !added) {
        error = stamma_parser_retype(&j->parser, STAMMA_REASON_LAYOUT);
        if (error == STAMMA_OK)
            error = stamma_block_writer_add(&j->block, r, &added);
        if (error == STAMMA_OK && !added)
            error = STAMMA_ERROR_UNSUPPORTED; /* the game must not be lost; exceptions can store any text item */
    }
    if (error == STAMMA_OK)
        add_notices(j, r);
    return error;
}

/* Packs the records of the block that the text contains. *taken is their size. */
static stamma_error take_records(pack_job *j, size_t *taken, block_step *step)
{
    stamma_error error = STAMMA_OK;
    begin(j, &j->parser, j->used);
    for (*step = STEP_RECORD; *step == STEP_RECORD && error == STAMMA_OK;) {
        error = work_is_stopped(j->stop) ? STAMMA_ERROR_CANCELLED
                                         : next_of_block(&j->parser, j->block.record_count, j->used, step);
        if (error == STAMMA_OK && *step == STEP_RECORD)
            error = add_record(j);
    }
    *taken = j->parser.start;
    j->lexer = j->parser.lexer;
    j->continuing = j->parser.continuing;
    j->used += *taken;
    if (j->notices_wanted && error == STAMMA_OK)
        count_to(j, j->used);
    return error == STAMMA_OK && j->notices.failed ? STAMMA_ERROR_NO_MEMORY : error;
}

static void begin_packing(pack_job *j)
{
    j->notices.size = j->head.size = j->body.size = 0;
    j->lines = j->moves_bytes = j->faults = 0;
    j->used = j->counted = 0;
    stamma_block_writer_clear(&j->block);
}

static void begin_block(pack_job *j)
{
    j->lexer_before = j->lexer;
    j->continuing_before = j->continuing;
    j->retry = RETRY_NONE;
    begin_packing(j);
}

/* Decodes the block and compares its text with the input. */
static stamma_error check_block(pack_job *j, bool *same)
{
    const block_source source = {.text = {(const char *)j->text.data, j->used},
                                 .ends = (const uint32_t *)(const void *)j->block.ends.data,
                                 .records = (size_t)j->block.record_count,
                                 .searched = !j->block.no_search_columns,
                                 .begins_in_game = j->continuing_before,
                                 .ends_in_game = j->continuing,
                                 .executor = j->block.executor,
                                 .stop = j->stop};
    return stamma_block_check(&source, &j->head, &j->body, &j->faulty, same);
}

/* Packs the same text again, with more records kept as text. */
static stamma_error pack_again(pack_job *j)
{
    size_t taken;
    block_step step;
    bool some = memchr(j->faulty.data, 1, j->faulty.size) != NULL;
    j->retry = j->retry == RETRY_NONE && some ? RETRY_MARKED : RETRY_ALL;
    j->lexer = j->lexer_before;
    j->continuing = j->continuing_before;
    begin_packing(j);
    return take_records(j, &taken, &step);
}

/* Returns whether the text size of the block is the sum of its records' sizes, and the size found when it was split. */
static bool has_all_bytes(const pack_job *j)
{
    return j->used == j->block.counts.text_size && (j->found == 0 || j->used == j->found);
}

/* Writes the block and checks that it can be decoded. Records that differ are kept as text. If a record differs even
 * then, memory is faulty, and the block is not written: SELF_CHECK. */
static stamma_error finish_block(pack_job *j)
{
    for (;;) {
        bool same = true;
        stamma_error error = stamma_block_writer_finish(&j->block, &j->packer, &j->moves_bytes, &j->head, &j->body);
        if (error == STAMMA_OK && !j->no_check)
            error = check_block(j, &same);
        if (error != STAMMA_OK || same)
            return error == STAMMA_OK && !has_all_bytes(j) ? STAMMA_ERROR_SELF_CHECK : error;
        error = j->retry == RETRY_ALL ? STAMMA_ERROR_SELF_CHECK : pack_again(j);
        if (error != STAMMA_OK)
            return error;
    }
}

void stamma_pack_job_run(void *argument)
{
    pack_job *j = (pack_job *)argument;
    size_t taken;
    block_step step;
    begin_block(j);
    j->error = take_records(j, &taken, &step);
    if (j->error == STAMMA_OK)
        j->error = finish_block(j);
}

size_t stamma_pack_job_take(pack_job *j)
{
    size_t taken;
    block_step step;
    if (!j->begun) {
        begin_block(j);
        j->found = 0;
    }
    j->error = take_records(j, &taken, &step);
    j->begun = j->error == STAMMA_OK && step == STEP_TEXT_ENDS && !j->final;
    if (j->error == STAMMA_OK && !j->begun)
        j->error = finish_block(j);
    return taken;
}
