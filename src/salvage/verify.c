/* SPDX-License-Identifier: MIT */
/* Verifies an archive: scans it from its start to its end, and unpacks every block, in the calling thread or by the
 * executor. */
#include "archive/handle.h"

typedef struct verification {
    stamma_allocator allocator;
    stamma_executor executor;
    const stamma_archive_verify_options *options;
    scan scan;
    job_ring ring;
    unpack_work work;
    /* Whether the last block, and the last certain block, ended within a game. */
    enum { GAME_UNKNOWN, GAME_CLOSED, GAME_OPEN } game, last_game;
    uint64_t next_number;
} verification;

static void report(void *context, const stamma_archive_damage *damage)
{
    const verification *v = (const verification *)context;
    if (v->options->damage)
        v->options->damage(v->options->context, damage);
}

/* Compares the beginning of a block with the end of the previous block (4.6): both must be within a game, or neither.
 * Only unpacking a block shows its end. */
static void join_block(void *context, finding *f)
{
    verification *v = (verification *)context;
    bool sound = f->block && finding_is_sound(f), unpacked = sound && v->work == UNPACK_BOTH;
    if (f->block && f->number != v->next_number)
        v->game = GAME_UNKNOWN;
    if (unpacked && v->game != GAME_UNKNOWN && f->head.continues != (v->game == GAME_OPEN)) {
        f->kind = STAMMA_DAMAGE_CONTENT;
        f->error = STAMMA_ERROR_CORRUPT;
        f->columns.size = 0;
        unpacked = false;
    }
    if (f->block) {
        v->next_number = f->number + 1;
        v->game = !unpacked ? GAME_UNKNOWN : f->closes ? GAME_CLOSED : GAME_OPEN;
    }
    if (f->certain)
        v->last_game = v->game;
}

/* Finishes the oldest block. */
static stamma_error finish_block(verification *v)
{
    unpack_job *j = stamma_unpack_ring_finish(&v->ring);
    if (j->error == STAMMA_ERROR_NO_MEMORY || j->error == STAMMA_ERROR_LIMIT || j->error == STAMMA_ERROR_CANCELLED)
        return j->error;
    bool whole = j->error == STAMMA_OK;
    stamma_damage_kind kind = unpack_job_damage(j);
    stamma_error wrong = whole && j->search.size > 0 ? STAMMA_ERROR_CORRUPT : j->error;
    finding *f = stamma_scan_working(&v->scan); /* each block has a finding until it is settled */
    f->closes = j->block.state.last_kind != ITEM_END_OF_PIECE;
    uint64_t done = block_frame_end(&j->frame, &j->payload);
    stamma_error error =
        stamma_scan_settle(&v->scan, kind, wrong, whole ? &j->search : &j->damaged, j->in_game, j->games);
    bool continues = !v->options->progress || v->options->progress(v->options->context, done, 0);
    return error == STAMMA_OK && !continues ? STAMMA_ERROR_CANCELLED : error;
}

static stamma_error finish_blocks(verification *v, size_t left)
{
    stamma_error error = STAMMA_OK;
    while (v->ring.under_way > left && error == STAMMA_OK)
        error = finish_block(v);
    return error;
}

static stamma_error take_blocks(verification *v)
{
    for (;;) {
        scan_event event;
        unpack_job *j = stamma_unpack_ring_next(&v->ring);
        stamma_error error = stamma_scan_next(&v->scan, &j->payload, &event);
        if (error != STAMMA_OK || event == SCAN_END)
            return error;
        if (event != SCAN_BLOCK)
            continue;
        j->frame = (block_frame){v->scan.block.offset, v->scan.block.header.head_size, 0, 0};
        size_t room = stamma_unpack_ring_room(&v->ring);
        error = finish_blocks(v, room);
        if (error != STAMMA_OK)
            return error;
        stamma_unpack_ring_begin(&v->ring, v->work);
        error = finish_blocks(v, room);
        if (error != STAMMA_OK)
            return error;
    }
}

static stamma_error take_archive(verification *v)
{
    stamma_error error = take_blocks(v);
    if (error == STAMMA_OK)
        error = finish_blocks(v, 0);
    if (error == STAMMA_OK)
        error = stamma_scan_finish(&v->scan);
    bool reported = !v->scan.finished; /* the archive was already reported as truncated */
    if (error == STAMMA_OK && v->last_game == GAME_OPEN && !reported)
        stamma_scan_report_end(&v->scan, v->scan.found_all.input_size);
    return error;
}

static stamma_error verify(const archive_input *input, const stamma_archive *archive,
                           const stamma_archive_verify_options *given, stamma_archive_verdict *verdict)
{
    stamma_archive_verify_options options = {0};
    if (!verdict || !stamma_result_has_size(verdict))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error =
        stamma_archive_options_read(given, &options, sizeof options, &options.allocator, &options.executor);
    if (error != STAMMA_OK)
        return error;
    if (archive) {
        options.allocator = options.allocator ? options.allocator : &archive->allocator;
        handle_defaults(archive, &options.executor, &options.memory);
    }
    verification v;
    memset(&v, 0, sizeof v);
    v.allocator = stamma_allocator_or_default(options.allocator);
    v.options = &options;
    v.work = options.quick ? UNPACK_CHECKS : UNPACK_BOTH;
    if (options.executor)
        v.executor = *options.executor;
    v.game = GAME_CLOSED;
    v.scan.allocator = &v.allocator;
    v.scan.context = &v;
    v.scan.settle = join_block;
    v.scan.report = report;
    v.scan.decodes = true;
    error = stamma_scan_open(&v.scan, input);
    const stop_check check = {options.stop, options.context};
    if (error == STAMMA_OK)
        error =
            stamma_unpack_ring_open(&v.ring, &v.allocator, &v.executor, options.memory, options.stop ? &check : NULL);
    if (error == STAMMA_OK)
        error = take_archive(&v);
    stamma_job_ring_close(&v.ring);
    stamma_scan_release(&v.scan);
    if (error == STAMMA_OK)
        stamma_result_write(&v.scan.found_all, sizeof v.scan.found_all, verdict);
    return error;
}

stamma_error stamma_archive_verify(stamma_archive *archive, const stamma_archive_verify_options *options,
                                   stamma_archive_verdict *verdict)
{
    if (!archive)
        return STAMMA_ERROR_BAD_ARGUMENT;
    bytes_input bytes = {.bytes = archive->bytes};
    archive_input input = stamma_bytes_input(&bytes);
    input.seek = NULL; /* every byte is read, in order */
    return verify(&input, archive, options, verdict);
}

stamma_error stamma_archive_verify_stream(const stamma_input *input, const stamma_archive_verify_options *options,
                                          stamma_archive_verdict *verdict)
{
    if (!input_is_given(input))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const archive_input stream = {.context = input->context, .read = input->read};
    return verify(&stream, NULL, options, verdict);
}
