/* Verifying an archive: every frame from front to back, every block unpacked here or by the executor, and all held
 * against the commits. Behind damage it goes on. */
#include "archive/reader.h"

/* So many blocks may wait for a commit, with what is wrong among them. */
enum { FINDINGS_MAX = 2 * COMMIT_BLOCKS_MAX };
/* So much damage may wait for the next finished commit. */
enum { HELD_MAX = 1024 };

typedef struct verification {
    stamma_allocator allocator;
    stamma_executor executor;
    const stamma_archive_verify_options *options; /* may be NULL */
    stamma_archive_verdict verdict;
    frame_reader frames;
    uint64_t frame; /* number of the one being read */
    unpack_ring ring;
    unpack_work work;
    buffer payload;    /* of a commit */
    findings findings; /* not yet reported */
    bool finished;     /* a commit that is right says so */
    /* How the last block ended, and the last certain one. */
    enum { GAME_UNKNOWN, GAME_CLOSED, GAME_OPEN } game, last_game;

    /* What was reported behind the last finished commit, if there was one: the next one makes it certain. */
    findings held;
    stamma_archive_counts held_sound;
    uint64_t held_blocks;

    /* The sum of all heads so far. */
    stamma_archive_counts found;
    uint64_t blocks;
    bool found_known; /* none was lost */

    /* The group: blocks since the last commit met, right or not, of which offset and end are known. */
    commit last;
    uint64_t group_blocks;
    block_places seen; /* those whose heads can be read, as many as a commit may list */
    stamma_archive_counts group;
    bool group_whole; /* none was lost */
} verification;

/* ---- telling ---- */

/* Where a range of numbers from 1 begins and ends; 0 where it is empty. */
static void give_range(const span *s, uint64_t *first, uint64_t *last)
{
    *first = s->begin == s->end ? 0 : s->begin + 1;
    *last = s->begin == s->end ? 0 : s->end;
}

static void tell(verification *v, const stamma_archive_damage *damage)
{
    v->verdict.damages++;
    if (v->options && v->options->damage)
        v->options->damage(v->options->context, damage);
}

/* Tells of a finding; of each column, where there are several. */
static void tell_finding(verification *v, const finding *f)
{
    const span *bytes = &f->spans[SPAN_BYTES], *games = &f->spans[SPAN_GAMES];
    stamma_archive_damage d = {.kind = f->kind, .error = f->error, .offset = f->offset, .size = f->end - f->offset};
    d.frame = f->frame;
    give_range(&f->spans[SPAN_BLOCKS], &d.first_block, &d.last_block);
    give_range(games, &d.first_game, &d.last_game);
    if (f->in_game && games->end - games->begin == games->size) /* else its place is not certain */
        d.game = games->begin + f->game;
    d.text_offset = bytes->begin;
    d.text_size = bytes->end == UINT64_MAX ? UINT64_MAX : bytes->end - bytes->begin;
    size_t count = f->columns.size / sizeof(damaged_column);
    for (size_t i = 0; i < count; i++) {
        const damaged_column *c = (const damaged_column *)(const void *)f->columns.data + i;
        d.offset = c->offset;
        d.size = c->size;
        d.column = c->name;
        tell(v, &d);
    }
    if (count == 0)
        tell(v, &d);
}

/* A block must begin as the one before it ended (4.6), which only unpacking shows. */
static void join_block(verification *v, finding *f)
{
    bool sound = f->block && f->kind == STAMMA_DAMAGE_NONE, unpacked = sound && v->work == UNPACK_BOTH;
    if (unpacked && v->game != GAME_UNKNOWN && f->continues != (v->game == GAME_OPEN)) {
        f->kind = STAMMA_DAMAGE_CONTENT;
        f->error = STAMMA_ERROR_CORRUPT;
    }
    if (f->block || f->kind == STAMMA_DAMAGE_FRAME)
        v->game = !unpacked ? GAME_UNKNOWN : f->closes ? GAME_CLOSED : GAME_OPEN;
}

static stamma_error hold(verification *v, finding *f)
{
    finding *held = stamma_findings_add(&v->held, f->offset, f->end);
    if (!held)
        return STAMMA_ERROR_NO_MEMORY;
    *held = *f;
    f->columns = (buffer){.allocator = &v->allocator};
    return STAMMA_OK;
}

static void count_sound(verification *v, const finding *f)
{
    stamma_archive_counts *sound = f->certain ? &v->verdict.sound : &v->held_sound;
    stamma_counts_add(sound, &f->counts);
    sound->bytes_out += f->end - f->offset;
    *(f->certain ? &v->verdict.sound_blocks : &v->held_blocks) += 1;
}

/* What was held is a part of the archive. */
static void release_held(verification *v)
{
    for (size_t i = v->held.begin; i < v->held.end; i++)
        tell_finding(v, &v->held.list[i]);
    stamma_findings_drop(&v->held, v->held.end - v->held.begin);
    stamma_counts_add(&v->verdict.sound, &v->held_sound);
    v->verdict.sound.bytes_out += v->held_sound.bytes_out;
    v->verdict.sound_blocks += v->held_blocks;
    v->held_sound = (stamma_archive_counts){0};
    v->held_blocks = 0;
    v->last_game = v->game;
}

/* Reports what is located and done, in the order of the file. */
static stamma_error report(verification *v)
{
    stamma_error error = STAMMA_OK;
    size_t done = 0;
    findings *all = &v->findings;
    for (; error == STAMMA_OK && all->begin + done < all->located && !all->list[all->begin + done].working; done++) {
        finding *f = &all->list[all->begin + done];
        join_block(v, f);
        if (f->certain)
            v->last_game = v->game;
        if (f->kind == STAMMA_DAMAGE_NONE)
            count_sound(v, f);
        else if (f->certain)
            tell_finding(v, f);
        else
            error = hold(v, f);
    }
    stamma_findings_drop(all, done);
    return error;
}

/* Numbers all that waits and reports it; where it is certain, also what was held. */
static stamma_error locate(verification *v, const uint64_t after[SPANS], bool certain)
{
    stamma_findings_locate(&v->findings, after);
    if (!certain && v->held.end - v->held.begin < HELD_MAX)
        return report(v);
    release_held(v);
    for (size_t i = v->findings.begin; i < v->findings.end; i++)
        v->findings.list[i].certain = true;
    return report(v);
}

/* ---- findings ---- */

/* Adds a finding that ends where the reader stands. */
static finding *add_finding(verification *v, uint64_t offset, stamma_damage_kind kind, stamma_error error)
{
    finding *f = stamma_findings_add(&v->findings, offset, v->frames.at);
    if (!f)
        return NULL;
    f->kind = kind;
    f->error = error;
    f->frame = v->frame;
    return f;
}

static stamma_error add_damage(verification *v, uint64_t offset, stamma_damage_kind kind, stamma_error error)
{
    return add_finding(v, offset, kind, error) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* From here on the heads do not tell all. */
static void lose_count(verification *v, finding *f)
{
    f->spans[SPAN_GAMES].known = f->spans[SPAN_BYTES].known = false;
    v->group_whole = v->found_known = false;
}

/* The oldest block is done. */
static stamma_error finish_block(verification *v)
{
    unpack_job *j = stamma_unpack_ring_finish(&v->ring);
    if (j->error == STAMMA_ERROR_NO_MEMORY)
        return j->error;
    size_t i = v->findings.begin;
    while (!v->findings.list[i].working)
        i++;
    finding *f = &v->findings.list[i];
    f->working = false;
    f->error = j->error;
    f->closes = j->block.last_kind != ITEM_END_OF_PIECE;
    f->in_game = j->in_game;
    f->game = j->games;
    if (j->error != STAMMA_OK)
        f->kind = j->damaged.size > 0 ? STAMMA_DAMAGE_COLUMN : STAMMA_DAMAGE_CONTENT;
    if (j->damaged.size > 0) {
        buffer columns = f->columns;
        f->columns = j->damaged;
        j->damaged = columns;
    }
    return report(v);
}

static stamma_error finish_blocks(verification *v)
{
    stamma_error error = STAMMA_OK;
    while (v->ring.under_way > 0 && error == STAMMA_OK)
        error = finish_block(v);
    return error;
}

/* There is no commit where one must be (7.2). */
static stamma_error miss_commit(verification *v)
{
    v->group_whole = false;
    return add_damage(v, v->frames.at, STAMMA_DAMAGE_COMMIT, STAMMA_ERROR_CORRUPT);
}

/* No more may wait: what a commit would tell of them is not to be had. */
static stamma_error locate_without_commit(verification *v)
{
    stamma_error error = finish_blocks(v);
    v->group_whole = false;
    return error == STAMMA_OK ? locate(v, NULL, true) : error;
}

/* ---- blocks ---- */

/* Counts a block whose head can be read, and begins its job. */
static stamma_error begin_block(verification *v, finding *f, const block_head *head)
{
    const uint64_t sizes[SPANS] = {1, head->counts.games, head->counts.bytes_in};
    for (unsigned s = 0; s < SPANS; s++)
        f->spans[s].size = sizes[s];
    f->counts = head->counts;
    f->continues = head->continues;
    f->working = true;
    stamma_counts_add(&v->found, &head->counts);
    stamma_counts_add(&v->group, &head->counts);
    block_place place = {f->offset, head->counts.games, head->counts.bytes_in};
    if (v->seen.count < COMMIT_BLOCKS_MAX && !stamma_places_add(&v->seen, place, &v->allocator))
        return STAMMA_ERROR_NO_MEMORY;
    stamma_unpack_ring_begin(&v->ring, v->work);
    return v->ring.under_way == v->ring.count ? finish_block(v) : STAMMA_OK;
}

static stamma_error take_block(verification *v, const frame *header, uint64_t at)
{
    unpack_job *j = stamma_unpack_ring_next(&v->ring);
    bool whole;
    stamma_error error = stamma_frame_reader_payload(&v->frames, header->size, &j->payload, &whole);
    finding *f = error == STAMMA_OK ? add_finding(v, at, STAMMA_DAMAGE_NONE, STAMMA_OK) : NULL;
    if (!f)
        return error != STAMMA_OK ? error : STAMMA_ERROR_NO_MEMORY;
    j->frame = (block_frame){at, header->head_size};
    f->block = true;
    f->spans[SPAN_BLOCKS].size = 1;
    v->blocks++;
    v->group_blocks++;
    block_head head;
    cursor in = {j->payload.data, j->payload.data + (whole ? header->head_size : 0), false};
    bool fine = whole && stamma_check32(j->payload.data, header->head_size) == header->head_check &&
                stamma_block_read_head(&in, &head) == STAMMA_OK;
    if (fine)
        return begin_block(v, f, &head);
    f->kind = whole ? STAMMA_DAMAGE_HEAD : STAMMA_DAMAGE_FRAME;
    f->error = STAMMA_ERROR_CORRUPT;
    lose_count(v, f);
    return STAMMA_OK;
}

/* ---- commits ---- */

/* Where the blocks begin that a commit lists: behind the commit before it, as far as that is to be found. */
static uint64_t find_start(const verification *v, uint64_t previous)
{
    if (previous == v->last.offset)
        return v->last.start;
    for (size_t i = v->findings.located; i < v->findings.end; i++) {
        const finding *f = &v->findings.list[i];
        if (f->offset <= previous && previous < f->end)
            return f->end;
    }
    return ARCHIVE_HEADER_SIZE;
}

/* Whether a commit that was read agrees with the blocks before it. Where some of them were lost, that it stands in its
 * place has to do. */
static bool agrees(verification *v, const commit *c, uint64_t at)
{
    if (!v->group_whole)
        return c->offset == at;
    if (!v->found_known) { /* something was lost in an earlier group: this commit says what it held */
        const stamma_archive_counts *t = &c->totals, *g = &v->group;
        if (t->games < g->games || t->bytes_in < g->bytes_in || c->blocks < v->seen.count)
            return false;
        v->found = *t;
        v->blocks = c->blocks;
    }
    commit before = {.offset = v->last.offset, .blocks = v->blocks - v->seen.count};
    before.totals.games = v->found.games - v->group.games;
    before.totals.bytes_in = v->found.bytes_in - v->group.bytes_in;
    return stamma_commit_follows(c, &before, at, &v->seen, &v->found);
}

/* A commit that is right, or all that there is where blocks were lost: everything before it was committed. Behind a
 * finished one, only the next finished one counts (1.3). */
static stamma_error accept_commit(verification *v, const commit *c)
{
    bool certain = c->finished || !v->finished;
    if (!v->group_whole)
        stamma_findings_learn(&v->findings, c);
    v->found = c->totals;
    v->blocks = c->blocks;
    v->found_known = true;
    if (certain) {
        v->finished = c->finished;
        v->verdict.all = c->totals;
        v->verdict.all.bytes_out = v->frames.at;
        v->verdict.all_blocks = c->blocks;
    }
    const uint64_t after[SPANS] = {c->blocks, c->totals.games, c->totals.bytes_in};
    return locate(v, after, certain);
}

/* The next group begins here. */
static void end_group(verification *v, uint64_t at)
{
    v->last.offset = at;
    v->last.start = v->frames.at;
    v->seen.count = 0;
    v->group_blocks = 0;
    v->group = (stamma_archive_counts){0};
    v->group_whole = true;
}

static stamma_error take_commit(verification *v, const frame *header, uint64_t at)
{
    bool whole;
    stamma_error error = stamma_frame_reader_payload(&v->frames, header->size, &v->payload, &whole);
    if (error != STAMMA_OK)
        return error;
    const uint8_t *payload = v->payload.data;
    bool fine = whole && header->size >= 8 && header->head_size == header->size &&
                stamma_check32(payload, header->head_size) == header->head_check;
    commit c = {.start = fine ? find_start(v, load_u64(payload)) : 0};
    stamma_error read = fine ? stamma_commit_read(payload, v->payload.size, &c, &v->allocator) : STAMMA_ERROR_CORRUPT;
    bool right = read == STAMMA_OK && agrees(v, &c, at);
    if (read == STAMMA_ERROR_NO_MEMORY)
        error = read;
    else if (!right)
        error = add_damage(v, at, whole ? STAMMA_DAMAGE_COMMIT : STAMMA_DAMAGE_FRAME, STAMMA_ERROR_CORRUPT);
    if (error == STAMMA_OK && (right || (read == STAMMA_OK && !v->group_whole)))
        error = accept_commit(v, &c);
    memory_release(&v->allocator, c.places.places);
    end_group(v, at);
    return error;
}

/* ---- frames ---- */

/* Adds bytes of which nobody knows yet what they held. */
static stamma_error add_lost(verification *v, uint64_t at, stamma_error why)
{
    finding *f = add_finding(v, at, STAMMA_DAMAGE_FRAME, why);
    if (!f)
        return STAMMA_ERROR_NO_MEMORY;
    f->spans[SPAN_BLOCKS].known = false;
    lose_count(v, f);
    return STAMMA_OK;
}

static stamma_error take_lost(verification *v, uint64_t at)
{
    stamma_error error = stamma_frame_reader_find(&v->frames);
    return error == STAMMA_OK ? add_lost(v, at, STAMMA_ERROR_CORRUPT) : error;
}

/* A frame of a later format may hold anything, unless it is optional. */
static stamma_error take_other(verification *v, const frame *header, uint64_t at, bool unsupported)
{
    bool whole;
    stamma_error error = stamma_frame_reader_pass_payload(&v->frames, header, &whole);
    if (error == STAMMA_OK && (unsupported || header->flags & FRAME_MANDATORY))
        error = add_lost(v, at, STAMMA_ERROR_UNSUPPORTED);
    else if (error == STAMMA_OK && !whole)
        error = add_damage(v, at, STAMMA_DAMAGE_FRAME, STAMMA_ERROR_CORRUPT);
    return error;
}

static stamma_error take_frames(verification *v)
{
    for (;;) {
        frame f;
        frame_state state;
        uint64_t at = v->frames.at;
        stamma_error error = stamma_frame_reader_next(&v->frames, &f, &state);
        if (error != STAMMA_OK || state == FRAME_NONE)
            return error;
        v->frame++;
        if (state == FRAME_LOST)
            error = take_lost(v, at);
        else if (state == FRAME_UNSUPPORTED || (f.type != FRAME_BLOCK && f.type != FRAME_COMMIT))
            error = take_other(v, &f, at, state == FRAME_UNSUPPORTED);
        else
            error = f.type == FRAME_BLOCK ? take_block(v, &f, at) : take_commit(v, &f, at);
        if (error == STAMMA_OK && v->group_blocks == COMMIT_BLOCKS_MAX + 1 && v->group_whole)
            error = miss_commit(v);
        if (error == STAMMA_OK && v->findings.end - v->findings.located >= FINDINGS_MAX)
            error = locate_without_commit(v);
        if (error != STAMMA_OK)
            return error;
    }
}

/* ---- the file's begin and end ---- */

/* The header (1.2). Where it is damaged, a frame behind it shows that this is an archive all the same. */
static stamma_error take_header(verification *v)
{
    stamma_text ahead;
    frame f;
    stamma_error error = stamma_frame_reader_peek(&v->frames, ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE, &ahead);
    if (error != STAMMA_OK)
        return error;
    if (ahead.size < ARCHIVE_HEADER_SIZE)
        return STAMMA_ERROR_SYNTAX;
    const uint8_t *bytes = (const uint8_t *)ahead.data;
    error = stamma_archive_header_read(bytes);
    bool framed = ahead.size >= ARCHIVE_HEADER_SIZE + FRAME_HEADER_SIZE &&
                  stamma_frame_read(bytes + ARCHIVE_HEADER_SIZE, &f) != STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_ERROR_UNSUPPORTED || (error == STAMMA_ERROR_SYNTAX && !framed))
        return error;
    stamma_frame_reader_pass(&v->frames, ARCHIVE_HEADER_SIZE);
    if (error != STAMMA_OK)
        tell(v, &(stamma_archive_damage){
                    .kind = STAMMA_DAMAGE_HEADER, .error = STAMMA_ERROR_CORRUPT, .size = ARCHIVE_HEADER_SIZE});
    return STAMMA_OK;
}

/* What cannot be read at all is told of a tail too. */
static void tell_unsupported(verification *v, const findings *all)
{
    for (size_t i = all->begin; i < all->end; i++)
        if (all->list[i].kind == STAMMA_DAMAGE_FRAME && all->list[i].error == STAMMA_ERROR_UNSUPPORTED)
            tell_finding(v, &all->list[i]);
}

/* Behind the last finished commit, or the last where there is none: a tail is ignored (1.3), but for what a later
 * format put there. */
static void drop_tail(verification *v)
{
    findings *all = &v->findings;
    stamma_findings_locate(all, NULL);
    tell_unsupported(v, &v->held);
    tell_unsupported(v, all);
    v->verdict.tail_blocks = v->held_blocks;
    v->verdict.tail_games = v->held_sound.games;
    for (size_t i = all->begin; i < all->end; i++) {
        const finding *f = &all->list[i];
        bool sound = f->block && f->kind == STAMMA_DAMAGE_NONE;
        v->verdict.tail_blocks += sound;
        v->verdict.tail_games += sound ? f->counts.games : 0;
    }
    v->verdict.tail_offset = v->verdict.all.bytes_out;
    v->verdict.tail_size = v->frames.at - v->verdict.tail_offset;
}

static bool is_frame_damaged(const findings *all)
{
    bool damaged = false;
    for (size_t i = all->begin; i < all->end; i++) {
        const finding *f = &all->list[i];
        bool frame = f->kind == STAMMA_DAMAGE_FRAME || f->kind == STAMMA_DAMAGE_COMMIT;
        damaged |= frame && f->error == STAMMA_ERROR_CORRUPT;
    }
    return damaged;
}

/* Damage with a commit's end behind it is damage to what was committed (7.3). */
static bool is_committed(const verification *v)
{
    return memcmp(v->frames.last, stamma_commit_magic, sizeof v->frames.last) == 0 &&
           (is_frame_damaged(&v->findings) || is_frame_damaged(&v->held));
}

/* A commit must be finished, and no game open at the end. */
static void check_end(verification *v)
{
    if (v->finished && v->last_game != GAME_OPEN)
        return;
    const stamma_archive_counts *all = &v->verdict.all;
    tell(v, &(stamma_archive_damage){.kind = STAMMA_DAMAGE_END,
                                     .error = STAMMA_ERROR_CORRUPT,
                                     .offset = v->verdict.size,
                                     .first_block = v->verdict.all_blocks + 1,
                                     .last_block = UINT64_MAX,
                                     .first_game = all->games + 1,
                                     .last_game = UINT64_MAX,
                                     .text_offset = all->bytes_in,
                                     .text_size = UINT64_MAX});
}

static stamma_error take_archive(verification *v)
{
    stamma_error error = take_header(v);
    v->verdict.all.bytes_out = ARCHIVE_HEADER_SIZE;
    if (error == STAMMA_OK)
        error = take_frames(v);
    if (error == STAMMA_OK)
        error = finish_blocks(v);
    if (error != STAMMA_OK)
        return error;
    v->verdict.size = v->frames.at;
    if (!is_committed(v)) {
        drop_tail(v);
        check_end(v);
        return STAMMA_OK;
    }
    error = locate(v, NULL, true);
    v->verdict.all.bytes_out = v->verdict.size;
    v->verdict.all_blocks = v->findings.before[SPAN_BLOCKS];
    v->verdict.all.games = v->findings.before[SPAN_GAMES];
    v->verdict.all.bytes_in = v->findings.before[SPAN_BYTES];
    return error;
}

stamma_error stamma_archive_verify(const stamma_input *input, const stamma_archive_verify_options *options,
                                   stamma_archive_verdict *verdict)
{
    if (!input_is_given(input) || !verdict || (options && options->size != sizeof *options))
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (options && (!allocator_is_given(options->allocator) || !stamma_executor_is_given(options->executor)))
        return STAMMA_ERROR_BAD_ARGUMENT;
    verification v;
    memset(&v, 0, sizeof v);
    v.allocator = stamma_allocator_or_default(options ? options->allocator : NULL);
    v.findings.allocator = v.held.allocator = v.payload.allocator = &v.allocator;
    v.options = options;
    v.work = options && options->quick ? UNPACK_CHECKS : UNPACK_BOTH;
    if (options && options->executor)
        v.executor = *options->executor;
    v.last.start = ARCHIVE_HEADER_SIZE;
    v.group_whole = v.found_known = true;
    v.game = GAME_CLOSED;
    stamma_error error = stamma_frame_reader_open(&v.frames, input, &v.allocator);
    if (error == STAMMA_OK)
        error = stamma_unpack_ring_open(&v.ring, &v.allocator, &v.executor, options ? options->memory : 0);
    if (error == STAMMA_OK)
        error = take_archive(&v);
    if (v.ring.allocator)
        stamma_unpack_ring_close(&v.ring);
    stamma_findings_release(&v.findings);
    stamma_findings_release(&v.held);
    stamma_frame_reader_release(&v.frames);
    stamma_buffer_release(&v.payload);
    memory_release(&v.allocator, v.seen.places);
    if (error == STAMMA_OK)
        *verdict = v.verdict;
    return error;
}
