/* SPDX-License-Identifier: MIT */
/* Lines of moves in comments (clause 18): the lines known to writer and reader, and reading lines. The input is not
 * trusted. */
#include "block/comment_lines.h"

/* ---- known lines ---- */

void stamma_known_lines_init(known_lines *k, const stamma_allocator *allocator)
{
    memset(k, 0, sizeof *k);
    for (size_t n = 0; n < KNOWN_LINES; n++)
        k->lines[n].allocator = allocator;
}

void stamma_known_lines_release(known_lines *k)
{
    for (size_t n = 0; n < KNOWN_LINES; n++)
        stamma_buffer_release(&k->lines[n]);
}

void stamma_known_lines_clear(known_lines *k)
{
    k->count = 0;
    memset(k->replies, 0, sizeof k->replies);
}

/* Removes line n. Its memory is kept after the other lines, and is used again. */
static void forget(known_lines *k, size_t n)
{
    buffer room = k->lines[n];
    k->count--;
    for (; n < k->count; n++) {
        k->lines[n] = k->lines[n + 1];
        k->begins[n] = k->begins[n + 1];
    }
    k->lines[n] = room;
}

void stamma_known_lines_play(known_lines *k, stamma_move move)
{
    for (size_t n = k->count; n-- > 0;) {
        size_t size;
        bool same = known_line(k, n, &size)->move == move;
        k->begins[n]++;
        if (!same || size == 1)
            forget(k, n);
    }
    memmove(k->replies + 1, k->replies, (REPLY_PLIES - 1) * sizeof *k->replies);
    k->replies[0].move = STAMMA_MOVE_NULL;
}

bool stamma_known_lines_add(known_lines *k, const played_move *moves, size_t count, size_t continued)
{
    if (continued < KNOWN_LINES)
        forget(k, continued);
    if (k->count == KNOWN_LINES)
        forget(k, KNOWN_LINES - 1);
    buffer room = k->lines[k->count];
    for (size_t n = k->count++; n > 0; n--) {
        k->lines[n] = k->lines[n - 1];
        k->begins[n] = k->begins[n - 1];
    }
    room.size = 0;
    buffer_add(&room, moves, count * sizeof *moves);
    k->lines[0] = room;
    k->begins[0] = 0;
    if (room.failed)
        forget(k, 0);
    return !room.failed;
}

size_t stamma_line_spell(stamma_move move, unsigned san_facts, bool coordinates, char *out)
{
    if (!coordinates)
        return stamma_san_spell(move, san_facts, out);
    char *at = square_write(stamma_move_to(move), square_write(stamma_move_from(move), out));
    if (stamma_move_is_promotion(move))
        *at++ = "nbrq"[stamma_move_flags(move) & 3];
    return (size_t)(at - out);
}

/* ---- reading ---- */

enum { LINE_TEXTS_MAX = 1 << 24 }; /* bytes; a block has no more, because lines are a part of its text (3.4) */

void stamma_lines_reader_init(comment_lines_reader *c, const stamma_allocator *allocator)
{
    memset(c, 0, sizeof *c);
    stamma_known_lines_init(&c->known, allocator);
    c->texts.allocator = c->places.allocator = c->run.allocator = c->breaks.allocator = c->moves.allocator = allocator;
}

void stamma_lines_reader_release(comment_lines_reader *c)
{
    stamma_known_lines_release(&c->known);
    stamma_buffer_release(&c->texts);
    stamma_buffer_release(&c->places);
    stamma_buffer_release(&c->run);
    stamma_buffer_release(&c->breaks);
    stamma_buffer_release(&c->moves);
}

void stamma_lines_reader_begin(comment_lines_reader *c, cursor *sizes)
{
    stamma_known_lines_clear(&c->known);
    c->texts.size = c->places.size = 0;
    c->marks = stamma_cursor_varint(sizes);
}

/* The meaning of a mark. */
typedef struct line_head {
    unsigned begin, breaks;
    bool itself, coordinates;
    size_t known; /* number of the known line with the same first moves; KNOWN_LINES: none */
    uint64_t shared, own;
} line_head;

/* Reads which moves follow a line end. Returns false if they are corrupt. */
static bool read_breaks(comment_lines_reader *c, cursor *in)
{
    uint64_t count = cursor_varint(in), at = 0;
    if (count == 0)
        return false;
    for (; count > 0; count--) {
        uint64_t more = cursor_varint(in);
        if (more == 0 || more > PIECE_TEXT_MAX || (at += more) > PIECE_TEXT_MAX)
            return false;
        const uint32_t place = (uint32_t)at;
        buffer_add(&c->breaks, &place, sizeof place);
    }
    return true;
}

/* Reads the kind and the sizes of a mark. Returns false if they are corrupt. */
static bool read_head(comment_lines_reader *c, const line_source *s, line_head *h)
{
    unsigned kind = cursor_byte(s->kinds), rest = kind - 1;
    if (kind >= LINE_KINDS)
        return false;
    h->itself = kind == 0;
    h->begin = rest % LINE_BEGINS;
    rest /= LINE_BEGINS;
    h->coordinates = rest % 2;
    h->breaks = h->itself ? BREAK_BY_NONE : rest / 2 % LINE_BREAKS;
    h->known = h->itself ? 0 : rest / 2 / LINE_BREAKS;
    h->shared = h->known > 0 ? cursor_varint(s->kinds) : 0;
    h->known = h->known > 0 ? h->known - 1 : KNOWN_LINES;
    c->breaks.size = 0;
    if (h->breaks != BREAK_BY_NONE && !read_breaks(c, s->kinds))
        return false;
    h->own = cursor_varint(s->sizes);
    return !s->kinds->failed && !s->sizes->failed && h->own <= (h->itself ? 0 : PIECE_TEXT_MAX);
}

bool stamma_lines_count(cursor *sizes, uint64_t *moves)
{
    *moves = 0;
    for (uint64_t marks = stamma_cursor_varint(sizes); marks > 0 && !sizes->failed; marks--) {
        uint64_t size = cursor_varint(sizes);
        if (size > PIECE_TEXT_MAX || (*moves += size) > PIECE_TEXT_MAX)
            return false;
    }
    return !sizes->failed;
}

bool stamma_lines_reader_skip(comment_lines_reader *c, const line_source *source)
{
    line_head h;
    uint64_t moves = 0;
    for (; c->marks > 0; c->marks--) {
        if (!read_head(c, source, &h) || (moves += h.own) > PIECE_TEXT_MAX)
            return false;
    }
    if (!source->in)
        (void)cursor_take(source->codes, moves);
    return !source->sizes->failed && !source->codes->failed;
}

/* Adds the moves that the line has in common with a known line. Plays them if other moves follow. Returns false if the
 * numbers are corrupt. */
static bool take_shared(comment_lines_reader *c, const line_head *h, stamma_position *position)
{
    size_t size;
    if (h->shared == 0)
        return h->known == KNOWN_LINES;
    if (h->known >= c->known.count || h->begin == LINE_BEFORE)
        return false;
    const played_move *moves = known_line(&c->known, h->known, &size);
    if (h->shared > size)
        return false;
    buffer_add(&c->run, moves, (size_t)h->shared * sizeof *moves);
    for (uint64_t n = 0; n < h->shared && h->own > 0; n++)
        stamma_position_make(position, moves[n].move, position);
    return true;
}

/* Begins the coder. Plays the moves of the line that are known, so that the predictor is at the first other move. */
static void begin_coder(const comment_lines_reader *c, move_coder *coder, const predict_game *game,
                        const stamma_position *begin)
{
    const played_move *moves = (const played_move *)(const void *)c->run.data;
    coder->weights = stamma_predict_weights();
    coder->adaptive = NULL;
    coder->game = *game;
    coder->position = *begin;
    for (size_t n = 0; n < c->run.size / sizeof *moves; n++)
        stamma_move_coder_play(coder, moves[n].move);
}

/* Decodes moves. Returns false if they are corrupt. */
static bool decode(const line_source *s, const stamma_position *position, size_t count, stamma_move *moves,
                   uint8_t *san_facts)
{
    stamma_position end;
    if (!s->in) {
        const uint8_t *codes = cursor_take(s->codes, count);
        return stamma_byte_decode_game(position, codes, count, moves, san_facts, &end) == STAMMA_OK;
    }
    for (size_t n = 0; n < count; n++) {
        moves[n] = stamma_move_take(s->coder, s->in);
        if (moves[n] == STAMMA_MOVE_NULL)
            return false;
        san_facts[n] = (uint8_t)move_san_facts(&s->coder->position, moves[n]);
        stamma_move_coder_play(s->coder, moves[n]);
    }
    return true;
}

/* Adds the moves of a line that are not known. */
static stamma_error take_own(comment_lines_reader *c, const line_source *s, const line_head *h,
                             const stamma_position *position)
{
    size_t count = (size_t)h->own;
    if (count == 0)
        return STAMMA_OK;
    if (!s->in && count > cursor_left(s->codes))
        return STAMMA_ERROR_CORRUPT;
    c->moves.size = 0;
    if (!buffer_reserve(&c->moves, count * (sizeof(stamma_move) + 1)) ||
        !buffer_reserve(&c->run, count * sizeof(played_move)))
        return STAMMA_ERROR_NO_MEMORY;
    stamma_move *moves = (stamma_move *)(void *)c->moves.data;
    uint8_t *san_facts = (uint8_t *)(moves + count);
    if (!decode(s, position, count, moves, san_facts))
        return STAMMA_ERROR_CORRUPT;
    played_move *run = (played_move *)(void *)(c->run.data + c->run.size);
    for (size_t n = 0; n < count; n++) {
        if (moves[n] == STAMMA_MOVE_NULL)
            return STAMMA_ERROR_CORRUPT;
        run[n] = (played_move){.move = moves[n], .san_facts = san_facts[n]};
    }
    c->run.size += count * sizeof *run;
    return STAMMA_OK;
}

static char *spell_break(const line_head *h, char *out)
{
    if (h->breaks == BREAK_BY_CRLF)
        *out++ = '\r';
    *out++ = '\n';
    return out;
}

/* Adds the line's text. Returns false if a line end would have no move after it, or if c->texts has failed. */
static bool spell_line(comment_lines_reader *c, const line_head *h, const game_state *at)
{
    const played_move *moves = (const played_move *)(const void *)c->run.data;
    const uint32_t *breaks = (const uint32_t *)(const void *)c->breaks.data;
    size_t count = c->run.size / sizeof *moves, left = c->breaks.size / sizeof *breaks;
    size_t place = h->begin == LINE_PLAYED; /* number of moves before the next one */
    if (!buffer_reserve(&c->texts, (count + 1) * LINE_MOVE_SIZE + STAMMA_SAN_SIZE))
        return false;
    char *begin = (char *)c->texts.data + c->texts.size, *out = begin;
    if (h->begin == LINE_PLAYED)
        out += stamma_line_spell(at->last, at->last_facts, h->coordinates, out);
    for (size_t n = 0; n < count; n++, place++) {
        if (STAMMA_UNLIKELY(left > 0) && *breaks == place) {
            out = spell_break(h, out);
            breaks++;
            left--;
        } else if (place > 0) {
            *out++ = ' ';
        }
        out += stamma_line_spell(moves[n].move, moves[n].san_facts, h->coordinates, out);
    }
    c->texts.size += (size_t)(out - begin);
    return left == 0;
}

/* Adds the reply that was expected. Returns false if the mark is corrupt, or if c->texts has failed. */
static bool spell_reply(comment_lines_reader *c, const line_head *h)
{
    const played_move *reply = known_reply(&c->known);
    if (reply->move == STAMMA_MOVE_NULL || h->known < KNOWN_LINES || h->own > 0 || h->breaks != BREAK_BY_NONE ||
        !buffer_reserve(&c->texts, STAMMA_SAN_SIZE))
        return false;
    c->texts.size +=
        stamma_line_spell(reply->move, reply->san_facts, h->coordinates, (char *)c->texts.data + c->texts.size);
    return true;
}

/* Reads the line that a mark represents, and adds its text. */
static stamma_error read_mark(comment_lines_reader *c, const line_source *s, const game_state *at)
{
    line_head h;
    if (c->marks == 0 || !read_head(c, s, &h))
        return STAMMA_ERROR_CORRUPT;
    c->marks--;
    if (h.itself) {
        buffer_add_byte(&c->texts, LINE_MARK);
        return STAMMA_OK;
    }
    if (h.begin == LINE_REPLY)
        return at && spell_reply(c, &h) ? STAMMA_OK : c->texts.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_ERROR_CORRUPT;
    if (!at || (h.begin != LINE_AFTER && at->last == STAMMA_MOVE_NULL) ||
        (h.begin != LINE_PLAYED && h.shared + h.own == 0))
        return STAMMA_ERROR_CORRUPT;
    const stamma_position *begin = h.begin == LINE_BEFORE ? &at->before : &at->position;
    stamma_position position = *begin;
    c->run.size = 0;
    if (!take_shared(c, &h, &position))
        return STAMMA_ERROR_CORRUPT;
    if (s->in && h.own > 0)
        begin_coder(c, s->coder, h.begin == LINE_BEFORE ? &at->game_before : &at->game, begin);
    stamma_error error = take_own(c, s, &h, &position);
    if (error != STAMMA_OK)
        return error;
    if (!spell_line(c, &h, at))
        return c->texts.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_ERROR_CORRUPT;
    if (h.begin == LINE_BEFORE)
        return STAMMA_OK;
    const played_move *run = (const played_move *)(const void *)c->run.data;
    size_t count = c->run.size / sizeof *run, size = 0;
    known_lines_expect(&c->known, run, count);
    if (h.own == 0)
        return STAMMA_OK;
    if (h.known < KNOWN_LINES)
        (void)known_line(&c->known, h.known, &size);
    bool added = stamma_known_lines_add(&c->known, run, count, size == h.shared ? h.known : KNOWN_LINES);
    return added ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

stamma_error stamma_lines_reader_expand(comment_lines_reader *c, const line_source *source, const game_state *at,
                                        stamma_text text, size_t item)
{
    const char *from = text.data, *end = from + text.size, *mark;
    expanded_text place = {item, c->texts.size, 0};
    stamma_error error = STAMMA_OK;
    if (text.size == 0 || !(mark = (const char *)memchr(from, LINE_MARK, text.size)))
        return STAMMA_OK;
    while (mark && error == STAMMA_OK) {
        buffer_add(&c->texts, from, (size_t)(mark - from));
        size_t before = c->texts.size;
        error = read_mark(c, source, at);
        c->total += c->texts.size - before;
        if (c->total > LINE_TEXTS_MAX)
            error = STAMMA_ERROR_CORRUPT;
        from = mark + 1;
        mark = from < end ? (const char *)memchr(from, LINE_MARK, (size_t)(end - from)) : NULL;
    }
    buffer_add(&c->texts, from, (size_t)(end - from));
    place.size = c->texts.size - place.begin;
    buffer_add(&c->places, &place, sizeof place);
    if (c->texts.failed || c->places.failed || c->run.failed || c->breaks.failed)
        return STAMMA_ERROR_NO_MEMORY;
    return error;
}

void stamma_lines_reader_place(const comment_lines_reader *c, record *r)
{
    const expanded_text *places = (const expanded_text *)(const void *)c->places.data;
    for (size_t n = 0; n < c->places.size / sizeof *places; n++)
        if (places[n].item < r->item_count)
            r->items[places[n].item].text =
                (stamma_text){(const char *)c->texts.data + places[n].begin, places[n].size};
}
