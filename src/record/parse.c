/* SPDX-License-Identifier: MIT */
/* Parses bytes to records: converts the lexer's tokens to items, plays the moves, and stores the rest as text items.
 * White space, move numbers and garbage are not items: they remain in the gaps between items. */
#include "record/record.h"

void stamma_parser_init(parser *p, const stamma_allocator *allocator)
{
    memset(p, 0, sizeof *p);
    stamma_position start = stamma_position_start();
    p->allocator = allocator;
    stamma_line_set(&p->first, &start, &start);
    stamma_pgn_lexer_init(&p->lexer, PARSER_TOKEN_MAX);
}

void stamma_parser_release(parser *p)
{
    stamma_record_release(&p->parsed.record, p->allocator);
    memory_release(p->allocator, p->parsed.places);
    p->parsed = (parsed_record){.places = NULL};
}

static stamma_text slice(const parser *p, size_t begin, size_t end)
{
    return (stamma_text){(const char *)p->data + begin, end - begin};
}

/* Returns an offset counted from the record's start. */
static uint32_t offset(const parser *p, size_t at)
{
    return (uint32_t)(at - p->start);
}

/* Makes room for more items and their places. */
static STAMMA_NOINLINE bool grow(parser *p)
{
    parsed_record *r = &p->parsed;
    if (!stamma_record_grow(&r->record, 1, p->allocator))
        return false;
    void *resized = memory_resize(p->allocator, r->places, size_multiply(r->record.item_capacity, sizeof *r->places));
    if (!resized)
        return false;
    r->places = (item_place *)resized;
    r->place_capacity = r->record.item_capacity;
    return true;
}

/* Returns an item to fill. If memory is exhausted, sets the error and returns an item that is not part of the record. A
 * hot path. */
STAMMA_INLINE item *add_item(parser *p, item_kind kind, size_t begin, size_t end)
{
    parsed_record *r = &p->parsed;
    if (STAMMA_UNLIKELY(r->record.item_count >= r->place_capacity) && !grow(p)) {
        p->error = STAMMA_ERROR_NO_MEMORY;
        return &p->spare;
    }
    r->places[r->record.item_count] = (item_place){offset(p, begin), offset(p, end), false};
    item *it = &r->record.items[r->record.item_count++];
    *it = (item){
        .kind = (uint8_t)kind, .depth = (uint8_t)p->depth, .side = p->line.side, .fullmove = p->line.fullmove_number};
    return it;
}

static void set_reason(parser *p, stamma_archive_reason reason, size_t at)
{
    const bool first = p->parsed.record.reason == STAMMA_REASON_NONE || p->parsed.record.reason == STAMMA_REASON_SYNTAX;
    if (first && reason != STAMMA_REASON_NONE) {
        p->parsed.record.reason = reason;
        p->parsed.record.reason_offset = offset(p, at);
    }
}

/* Begins a text item: everything from `begin` to the end of its variation, or of the game, is kept as text. */
static void begin_text(parser *p, size_t begin, stamma_archive_reason reason)
{
    p->in_text = true;
    p->main_lost |= p->depth == 0;
    p->text_begin = begin;
    p->text_nesting = 0;
    set_reason(p, reason, begin);
}

static void end_text(parser *p)
{
    p->in_text = false;
    if (p->last_end <= p->text_begin)
        return;
    item *it = add_item(p, ITEM_TEXT, p->text_begin, p->last_end);
    it->text = slice(p, p->text_begin, p->last_end);
    p->parsed.record.text_items++;
    p->parsed.record.text_bytes += it->text.size;
}

/* Sets up the board after the tags. A record without movetext is set up at its end (4.7). Returns false if the FEN tag
 * is not a position. */
static bool set_up(parser *p)
{
    record *r = &p->parsed.record;
    bool fine = stamma_record_start(r, &r->start) == STAMMA_OK;
    p->movetext = true;
    if (!fine)
        r->start = stamma_position_start();
    if (memcmp(&r->start, &p->first.before, sizeof r->start) != 0)
        stamma_line_set(&p->line, &r->start, &r->start);
    stamma_record_number_items(r);
    return fine;
}

/* Called before the first token of the movetext. */
static void begin_movetext(parser *p, size_t at)
{
    if (!set_up(p))
        begin_text(p, at, STAMMA_REASON_BAD_FEN);
    else if (!(stamma_pgn_variant(stamma_record_tag(&p->parsed.record, "Variant")) & PGN_VARIANT_TYPED))
        begin_text(p, at, STAMMA_REASON_VARIANT);
}

static void note_event(parser *p, size_t at)
{
    if (p->has_event && p->parsed.record.second_event == 0)
        p->parsed.record.second_event = offset(p, at);
    p->has_event = true;
}

static void take_tag(parser *p, const pgn_token *t)
{
    const stamma_text written = slice(p, t->inner_begin, t->inner_end), name = stamma_pgn_tag_name(written);
    const stamma_text value = slice(p, t->value_begin, t->value_end);
    if (memchr(written.data, 0, t->value_end - t->inner_begin)) {
        set_reason(p, STAMMA_REASON_SYNTAX, t->begin);
        return;
    }
    if (name.size == 5 && memcmp(name.data, "Event", 5) == 0)
        note_event(p, t->begin);
    item *it = add_item(p, ITEM_TAG, t->begin, t->end);
    it->name = name;
    it->text = value;
    it->noncanonical = !(t->flags & PGN_CANONICAL) || name.data != written.data;
    if (p->parsed.record.roster_count + 1 == p->parsed.record.item_count)
        p->parsed.record.roster_count++;
}

static stamma_archive_reason reason_of(stamma_error error)
{
    switch (error) {
    case STAMMA_ERROR_ILLEGAL: return STAMMA_REASON_ILLEGAL_MOVE;
    case STAMMA_ERROR_AMBIGUOUS: return STAMMA_REASON_AMBIGUOUS_MOVE;
    case STAMMA_ERROR_UNSUPPORTED: return STAMMA_REASON_UNSUPPORTED;
    default: return STAMMA_REASON_SYNTAX;
    }
}

/* Returns whether a move that was read by its name is written in standard SAN: with the right mark, with `x` only for
 * captures, and without an unnecessary origin. Returns false for pieces with an origin: their spelling is compared
 * letter by letter later. */
STAMMA_INLINE bool is_strict(stamma_text word, const move_name *name, const played_move *played)
{
    char last = word.data[word.size - 1];
    unsigned mark = last == '#' ? SAN_FACT_CHECK | SAN_FACT_MATE : last == '+' ? SAN_FACT_CHECK : 0;
    if ((played->san_facts & (SAN_FACT_CHECK | SAN_FACT_MATE)) != mark)
        return false;
    bool piece = name->type != STAMMA_PAWN && name->to != STAMMA_SQUARE_NONE;
    return !piece || (name->from == ~UINT64_C(0) && (word.data[1] == 'x') == stamma_move_is_capture(played->move));
}

/* Plays a move that is not strict SAN, or that the line cannot play without the position. */
static STAMMA_NOINLINE stamma_error play_slowly(game_line *l, stamma_text word, played_move *played)
{
    stamma_position before = stamma_line_position(l), after;
    stamma_error error = stamma_san_read(&before, word, &played->move);
    if (error == STAMMA_OK)
        error = stamma_byte_encode(&before, played->move, &played->code);
    if (error != STAMMA_OK)
        return error;
    played->san_facts = (uint8_t)move_san_facts(&before, played->move);
    stamma_position_make(&before, played->move, &after);
    stamma_line_set(l, &before, &after);
    return STAMMA_OK;
}

static stamma_error play(game_line *l, stamma_text word, played_move *played, bool *strict)
{
    move_name name;
    *strict = false;
    if (STAMMA_UNLIKELY(!stamma_san_name(word.data, word.size, &name) || !stamma_line_play(l, &name, played)))
        return play_slowly(l, word, played);
    *strict = is_strict(word, &name, played);
    return STAMMA_OK;
}

static void take_symbol(parser *p, const pgn_token *t)
{
    stamma_text word = slice(p, t->begin, t->end);
    played_move played;
    item *it = add_item(p, ITEM_MOVE, t->begin, t->end);
    if (p->error != STAMMA_OK)
        return;
    stamma_error error = play(&p->line, word, &played, &p->parsed.places[p->parsed.record.item_count - 1].strict);
    if (STAMMA_UNLIKELY(error != STAMMA_OK)) {
        p->parsed.record.item_count--;
        begin_text(p, t->begin, reason_of(error));
        return;
    }
    it->move = played.move;
    it->san_facts = played.san_facts;
    it->number = played.code;
    if (p->depth == 0)
        p->parsed.record.plies++;
    else
        p->parsed.record.variation_plies++;
}

static void take_nag(parser *p, const pgn_token *t)
{
    stamma_text digits = slice(p, t->inner_begin, t->inner_end);
    unsigned number = 0;
    for (size_t i = 0; i < digits.size && number <= 255; i++)
        number = number * 10 + (unsigned)(digits.data[i] - '0');
    if (number > 255)
        return;
    item *it = add_item(p, ITEM_NAG, t->begin, t->end);
    it->number = (uint8_t)number;
    it->noncanonical = digits.data[0] == '0' && digits.size > 1;
}

/* Adds an annotator's mark. Only ! ? !! ?? !? ?! are the spelling of their item. */
static void take_glyph(parser *p, const pgn_token *t)
{
    stamma_text text = slice(p, t->begin, t->end);
    int nag = stamma_pgn_glyph(text);
    item *it = add_item(p, nag <= 6 ? ITEM_SUFFIX : ITEM_NAG, t->begin, t->end);
    it->number = (uint8_t)nag;
    it->noncanonical = t->kind == PGN_TOKEN_GLYPH || text.size > 2;
}

static void take_comment(parser *p, const pgn_token *t, item_kind kind)
{
    stamma_text text = slice(p, t->inner_begin, t->inner_end);
    bool plain = kind == ITEM_COMMENT && !(t->flags & PGN_CONTROLS);
    if (t->flags & PGN_UNCLOSED || (!plain && memchr(text.data, 0, text.size))) {
        set_reason(p, STAMMA_REASON_SYNTAX, t->begin);
        return;
    }
    add_item(p, kind, t->begin, t->end)->text = text;
}

static void take_result(parser *p, const pgn_token *t)
{
    stamma_text text = slice(p, t->begin, t->end);
    item *it = add_item(p, ITEM_RESULT, t->begin, t->end);
    it->number = (uint8_t)stamma_result_read(text);
    it->noncanonical = stamma_result_find(text) == RESULTS;
}

static void take_variation(parser *p, const pgn_token *t, bool begins)
{
    if (begins) {
        /* After a result, the move that the variation replaces may be in a text item. */
        const bool lost = p->depth == 0 && p->main_lost;
        if (lost || p->depth == VARIATION_DEPTH_MAX) {
            begin_text(p, t->begin, lost ? STAMMA_REASON_NONE : STAMMA_REASON_DEPTH);
            p->text_nesting = 1;
            return;
        }
        add_item(p, ITEM_VARIATION_BEGIN, t->begin, t->end);
        p->stack[p->depth][0] = stamma_line_position(&p->line);
        p->stack[p->depth++][1] = p->line.before;
        stamma_line_set(&p->line, &p->stack[p->depth - 1][1], &p->stack[p->depth - 1][1]);
        return;
    }
    add_item(p, ITEM_VARIATION_END, t->begin, t->end);
    p->depth--;
    stamma_line_set(&p->line, &p->stack[p->depth][1], &p->stack[p->depth][0]);
}

/* Handles a token inside a text item. Returns true if the text ends before the token; the caller then processes the
 * token. */
static bool token_ends_text(parser *p, const pgn_token *t)
{
    if (t->kind == PGN_TOKEN_VARIATION_BEGIN)
        p->text_nesting++;
    bool closes = t->kind == PGN_TOKEN_VARIATION_END && p->text_nesting == 0;
    bool result = t->kind == PGN_TOKEN_RESULT && p->text_nesting == 0 && p->depth == 0;
    if (t->kind == PGN_TOKEN_VARIATION_END && !closes)
        p->text_nesting--;
    if (closes || result)
        end_text(p);
    return closes || result;
}

static void take_token(parser *p, const pgn_token *t)
{
    if (!p->movetext && p->lexer.section == PGN_MOVETEXT)
        begin_movetext(p, t->begin);
    if (p->in_text && !token_ends_text(p, t))
        return;
    switch (t->kind) {
    case PGN_TOKEN_TAG: take_tag(p, t); break;
    case PGN_TOKEN_SYMBOL: take_symbol(p, t); break;
    case PGN_TOKEN_GLYPH:
    case PGN_TOKEN_SUFFIX: take_glyph(p, t); break;
    case PGN_TOKEN_NAG: take_nag(p, t); break;
    case PGN_TOKEN_COMMENT: take_comment(p, t, ITEM_COMMENT); break;
    case PGN_TOKEN_LINE_COMMENT: take_comment(p, t, ITEM_LINE_COMMENT); break;
    case PGN_TOKEN_ESCAPE: take_comment(p, t, ITEM_ESCAPE); break;
    case PGN_TOKEN_VARIATION_BEGIN: take_variation(p, t, true); break;
    case PGN_TOKEN_VARIATION_END: take_variation(p, t, false); break;
    case PGN_TOKEN_RESULT: take_result(p, t); break;
    case PGN_TOKEN_REMARK:
    case PGN_TOKEN_GARBAGE:
        if (!p->main_lost) /* the reason for the text item comes first */
            set_reason(p, STAMMA_REASON_SYNTAX, t->begin);
        break;
    default: break;
    }
}

static void begin_record(parser *p)
{
    stamma_record_clear(&p->parsed.record);
    p->parsed.record.start = p->first.before;
    p->line = p->first;
    p->depth = 0;
    p->movetext = p->in_text = p->main_lost = p->has_event = false;
    p->last_end = p->start;
}

/* Completes the record with an end item of this kind. The record ends at `end`. */
static stamma_error finish_record(parser *p, size_t end, item_kind kind, bool *found)
{
    if (p->in_text)
        end_text(p);
    if (!p->movetext && !p->only_ends)
        (void)set_up(p);
    add_item(p, kind, end, end);
    p->parsed.text = slice(p, p->start, end);
    p->parsed.end = p->depth > 0 ? p->stack[0][0] : stamma_line_position(&p->line);
    p->end = end;
    *found = p->error == STAMMA_OK;
    return p->error;
}

/* Makes everything from the record's start to `end` one text item. */
static stamma_error finish_as_text(parser *p, size_t end, item_kind kind, stamma_archive_reason reason, bool *found)
{
    begin_record(p);
    begin_text(p, p->start, reason);
    p->last_end = end;
    return finish_record(p, end, kind, found);
}

/* Returns whether a token ends too far after the record's start. For an unfinished token, `end` is its start. */
static bool is_too_far(const parser *p, const pgn_token *t)
{
    return t->end - p->start > PIECE_TEXT_MAX;
}

/* Returns the end of a piece. Its tokens end at `end`, and `next` is the first token that does not fit. If there are no
 * tokens, the piece is white space. */
static size_t piece_end(const parser *p, size_t end, const pgn_token *next)
{
    size_t most = p->start + PIECE_TEXT_MAX;
    if (end > p->start)
        return end;
    return next->begin < most ? next->begin : most;
}

/* Finds the next piece of a game that is cut: as many tokens as fit (9.2). */
static stamma_error next_piece(parser *p, bool *found)
{
    pgn_lexer before = p->lexer;
    size_t end = p->start;
    bool continuation = p->continuing, ended = false;
    while (!ended) {
        pgn_token t;
        pgn_lexer last = p->lexer;
        stamma_pgn_lexer_next(&p->lexer, &t);
        if (is_too_far(p, &t)) {
            p->lexer = last;
            end = piece_end(p, end, &t);
            stamma_pgn_lexer_move(&p->lexer, end);
            break;
        }
        if (t.kind == PGN_TOKEN_MORE) {
            p->lexer = before;
            return STAMMA_OK;
        }
        end = t.end;
        ended = t.kind == PGN_TOKEN_GAME_END || t.kind == PGN_TOKEN_END;
    }
    p->continuing = !ended;
    item_kind kind = !ended ? ITEM_END_OF_PIECE : p->final && end == p->size ? ITEM_END_OF_INPUT : ITEM_END;
    stamma_error error = finish_as_text(p, end, kind, STAMMA_REASON_SIZE, found);
    p->parsed.record.continuation = continuation;
    return error;
}

/* Cuts a game that is larger than the maximum size of a piece: the items so far are the first piece, and the rest is
 * kept as text (4.6). `before` is the lexer's state before the record. The first `tokens` tokens of the record fit. */
static stamma_error cut_record(parser *p, const pgn_lexer *before, uint32_t tokens, bool *found)
{
    p->lexer = *before;
    if (p->last_end == p->start)
        return next_piece(p, found);
    for (pgn_token t; tokens > 0; tokens--)
        stamma_pgn_lexer_next(&p->lexer, &t);
    p->continuing = true;
    set_reason(p, STAMMA_REASON_SIZE, p->last_end);
    return finish_record(p, p->last_end, ITEM_END_OF_PIECE, found);
}

/* Makes a text record of the bytes after the last game, if there are any. The record is marked as a continuation,
 * because it is not a game. */
static stamma_error finish_input(parser *p, bool *found)
{
    if (p->start == p->size)
        return STAMMA_OK;
    stamma_error error = finish_as_text(p, p->size, ITEM_END_NO_GAME, STAMMA_REASON_SYNTAX, found);
    p->parsed.record.continuation = true;
    return error;
}

void stamma_parser_feed(parser *p, const uint8_t *data, size_t size, bool final)
{
    p->data = data;
    p->size = size;
    p->start = 0;
    p->final = final;
}

/* Handles the token that follows the `tokens` tokens of a record: the end of the game or of the bytes, or a token that
 * does not fit. */
static stamma_error end_record(parser *p, const pgn_lexer *before, uint32_t tokens, const pgn_token *t, bool *found)
{
    bool ended = t->kind == PGN_TOKEN_GAME_END;
    bool waits = t->kind == PGN_TOKEN_MORE || (ended && t->end == p->size && !p->final);
    if (is_too_far(p, t) || t->flags & PGN_PARTIAL || !(waits || ended || t->kind == PGN_TOKEN_END))
        return cut_record(p, before, tokens, found);
    if (ended && !waits)
        return finish_record(p, t->end, p->final && t->end == p->size ? ITEM_END_OF_INPUT : ITEM_END, found);
    if (!waits)
        return finish_input(p, found);
    p->lexer = *before;
    return STAMMA_OK;
}

/* A hot loop. */
static stamma_error next_record(parser *p, bool *found)
{
    pgn_lexer before = p->lexer;
    begin_record(p);
    for (uint32_t tokens = 0;; tokens++) {
        pgn_token t;
        pgn_token_kind kind = stamma_pgn_lexer_next(&p->lexer, &t);
        bool ends = kind == PGN_TOKEN_GAME_END || kind == PGN_TOKEN_END || kind == PGN_TOKEN_MORE;
        bool fits = tokens < PIECE_TOKENS_MAX && !is_too_far(p, &t) && !(t.flags & PGN_PARTIAL);
        if (STAMMA_UNLIKELY(ends || !fits))
            return end_record(p, &before, tokens, &t, found);
        if (!p->only_ends)
            take_token(p, &t);
        p->last_end = t.end;
        if (STAMMA_UNLIKELY(p->error != STAMMA_OK))
            return p->error;
    }
}

stamma_error stamma_parser_next(parser *p, bool *found)
{
    *found = false;
    stamma_pgn_lexer_slice(&p->lexer, p->data, p->size, p->start, p->final);
    stamma_error error = p->continuing ? next_piece(p, found) : next_record(p, found);
    if (*found)
        p->start = p->end;
    return error;
}

stamma_error stamma_parser_retype(parser *p, stamma_archive_reason reason)
{
    bool found, continuation = p->parsed.record.continuation;
    size_t start = p->start;
    const item *last = &p->parsed.record.items[p->parsed.record.item_count - 1];
    item_kind kind = (item_kind)last->kind;
    p->start = p->end - p->parsed.text.size;
    stamma_error error = finish_as_text(p, p->end, kind, reason, &found);
    p->parsed.record.continuation = continuation;
    p->start = start;
    return error;
}
