/* SPDX-License-Identifier: MIT */
/* The PGN reader: converts the tokens of a buffered input to events, and plays the moves. */
#include "notation/notation.h"

struct stamma_pgn_reader {
    stamma_allocator allocator;
    stamma_input input;
    bool tokens_only;
    bool move_numbers;
    uint32_t max_depth;

    pgn_lexer lexer;
    pgn_token token;
    bool held;       /* the event of the token has not been returned yet */
    uint8_t *buffer; /* NULL when reading from memory */
    size_t capacity;
    size_t filled;
    uint64_t base; /* offset in the input of the slice's first byte */
    bool at_end;   /* the input has returned its last byte */

    size_t counted;    /* offset in the slice; lines before it are counted */
    bool after_return; /* whether the byte before `counted` is a carriage return */
    uint64_t line;

    uint64_t game;
    bool in_game;
    bool has_start;           /* a FEN tag has been read */
    stamma_error start_error; /* the reason why no move of this game can be played, or OK */
    uint32_t depth;           /* number of variations opened by events */
    pgn_line moves;

    bool is_queued; /* `queued` is an ERROR that follows the last event */
    stamma_pgn_event queued;
};

enum { TOKEN_MAX_DEFAULT = 1 << 20, DEPTH_MAX_DEFAULT = 1000, READ_AHEAD_FROM = 4096 };

/* ---- opening and closing ---- */

static stamma_error open_reader(const stamma_pgn_options *given, size_t *max_token, stamma_pgn_reader **reader)
{
    stamma_pgn_options options;
    stamma_error error = stamma_options_read(given, &options, sizeof options);
    if (error)
        return error;
    stamma_allocator allocator = stamma_allocator_or_default(options.allocator);
    *max_token = options.max_token != 0 ? options.max_token : TOKEN_MAX_DEFAULT;
    if (*max_token < PGN_TOKEN_MAX_LEAST || *max_token > SIZE_MAX / 4 || !allocator_is_given(&allocator))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_pgn_reader *r = memory_allocate(&allocator, sizeof *r);
    if (!r)
        return STAMMA_ERROR_NO_MEMORY;
    memset(r, 0, sizeof *r);
    r->allocator = allocator;
    r->tokens_only = options.tokens_only;
    r->move_numbers = options.move_numbers;
    r->max_depth = options.max_depth != 0 ? options.max_depth : DEPTH_MAX_DEFAULT;
    r->line = 1;
    r->moves.allocator = &r->allocator;
    stamma_pgn_lexer_init(&r->lexer, *max_token);
    *reader = r;
    return STAMMA_OK;
}

stamma_error stamma_pgn_reader_open(const stamma_input *input, const stamma_pgn_options *options,
                                    stamma_pgn_reader **reader)
{
    if (!input_is_given(input) || !reader)
        return STAMMA_ERROR_BAD_ARGUMENT;
    size_t max_token;
    stamma_pgn_reader *r;
    stamma_error error = open_reader(options, &max_token, &r);
    if (error)
        return error;
    r->input = *input;
    r->capacity = 2 * (max_token + PGN_LOOKAHEAD);
    r->buffer = memory_allocate(&r->allocator, r->capacity);
    if (!r->buffer) {
        stamma_pgn_reader_close(r);
        return STAMMA_ERROR_NO_MEMORY;
    }
    *reader = r;
    return STAMMA_OK;
}

stamma_error stamma_pgn_reader_open_memory(const void *bytes, size_t size, const stamma_pgn_options *options,
                                           stamma_pgn_reader **reader)
{
    if ((!bytes && size != 0) || !reader)
        return STAMMA_ERROR_BAD_ARGUMENT;
    size_t max_token;
    stamma_error error = open_reader(options, &max_token, reader);
    if (error)
        return error;
    stamma_pgn_lexer_slice(&(*reader)->lexer, bytes ? bytes : "", size, 0, true);
    return STAMMA_OK;
}

void stamma_pgn_reader_close(stamma_pgn_reader *reader)
{
    if (!reader)
        return;
    stamma_allocator allocator = reader->allocator;
    stamma_pgn_line_release(&reader->moves);
    memory_release(&allocator, reader->buffer);
    memory_release(&allocator, reader);
}

/* ---- bytes and lines ---- */

/* Returns whether any of eight bytes is LF or CR. */
STAMMA_INLINE bool holds_line_end(uint64_t bytes)
{
    return (zero_bytes(bytes ^ EACH_BYTE('\n')) | zero_bytes(bytes ^ EACH_BYTE('\r'))) != 0;
}

/* Counts the line ends before the offset `to`: LF, CR LF, and CR without LF. */
STAMMA_INLINE void count_lines(stamma_pgn_reader *r, size_t to)
{
    const uint8_t *at = r->lexer.data + r->counted, *end = r->lexer.data + to;
    while (at < end) {
        if (end - at >= 8 && !holds_line_end(load_u64(at))) {
            at += 8;
            r->after_return = false;
            continue;
        }
        uint8_t byte = *at++;
        r->line += byte == '\r' || (byte == '\n' && !r->after_return);
        r->after_return = byte == '\r';
    }
    r->counted = to;
}

/* Removes finished bytes if there is little room after the filled part of the buffer. */
static void make_room(stamma_pgn_reader *r)
{
    size_t done = r->lexer.at;
    count_lines(r, done);
    if (r->capacity - r->filled >= r->capacity / 2)
        return;
    memmove(r->buffer, r->buffer + done, r->filled - done);
    r->base += done;
    r->filled -= done;
    r->counted = 0;
    stamma_pgn_lexer_slice(&r->lexer, r->buffer, r->filled, 0, r->at_end);
}

/* Reads the input once into the free part of the buffer. */
static stamma_error read_some(stamma_pgn_reader *r)
{
    size_t room = r->capacity - r->filled;
    ptrdiff_t size = r->input.read(r->input.context, r->buffer + r->filled, room);
    if (size < 0 || (size_t)size > room)
        return STAMMA_ERROR_IO;
    r->filled += (size_t)size;
    r->at_end = size == 0;
    return STAMMA_OK;
}

/* Reads more input. If the unfinished token is already long, reads until its bytes have doubled. Without this, if the
 * source returns single bytes, the lexer would examine the complete token again for each byte. */
static stamma_error read_on(stamma_pgn_reader *r)
{
    make_room(r);
    size_t open = r->filled - r->lexer.at;
    size_t enough = r->filled + (open < READ_AHEAD_FROM ? 1 : open);
    if (enough > r->capacity)
        enough = r->capacity;
    stamma_error error = STAMMA_OK;
    while (!error && !r->at_end && r->filled < enough)
        error = read_some(r);
    stamma_pgn_lexer_slice(&r->lexer, r->buffer, r->filled, r->lexer.at, r->at_end);
    return error;
}

/* Reads the next token, and counts the lines before it. */
STAMMA_INLINE stamma_error next_token(stamma_pgn_reader *r)
{
    while (STAMMA_UNLIKELY(stamma_pgn_lexer_next(&r->lexer, &r->token) == PGN_TOKEN_MORE)) {
        stamma_error error = read_on(r);
        if (error)
            return error;
    }
    count_lines(r, r->token.begin);
    if (!(r->token.flags & PGN_CONTROLS) && r->token.kind != PGN_TOKEN_GAME_END && r->token.end != r->token.begin) {
        r->counted = r->token.end; /* the token contains no line end */
        r->after_return = false;
    }
    return STAMMA_OK;
}

/* ---- events ---- */

static stamma_text slice_of(const stamma_pgn_reader *r, size_t begin, size_t end)
{
    return (stamma_text){(const char *)r->lexer.data + begin, end - begin};
}

/* Fills in an event at the token. */
STAMMA_INLINE void give(const stamma_pgn_reader *r, stamma_pgn_event *event, stamma_pgn_kind kind, stamma_text text)
{
    event->kind = kind;
    event->error = STAMMA_OK;
    event->text = text;
    event->value = (stamma_text){0};
    event->place = (stamma_place){r->base + r->token.begin, r->line, r->game, r->moves.ply};
    event->depth = r->depth;
    event->move = STAMMA_MOVE_NULL;
    event->nag = 0;
    event->more = (r->token.flags & PGN_PARTIAL) != 0;
}

static void give_error(const stamma_pgn_reader *r, stamma_pgn_event *event, stamma_error error)
{
    give(r, event, STAMMA_PGN_ERROR, slice_of(r, r->token.begin, r->token.end));
    event->error = error;
}

/* Queues an ERROR about `text`, which follows the current event. */
static void queue_error(stamma_pgn_reader *r, stamma_error error, stamma_text text)
{
    give(r, &r->queued, STAMMA_PGN_ERROR, text);
    r->queued.error = error;
    r->queued.more = false;
    r->is_queued = true;
}

static void begin_game(stamma_pgn_reader *r, stamma_pgn_event *event)
{
    stamma_position start = stamma_position_start();
    stamma_pgn_line_start(&r->moves, &start);
    r->game++;
    r->in_game = true;
    r->has_start = false;
    r->start_error = STAMMA_OK;
    r->held = true;
    give(r, event, STAMMA_PGN_GAME_BEGIN, slice_of(r, r->token.begin, r->token.begin));
    event->more = false;
}

/* Ends a game. If variations are open, an ERROR comes first. */
static void end_game(stamma_pgn_reader *r, stamma_pgn_event *event)
{
    stamma_text nothing = slice_of(r, r->token.begin, r->token.begin);
    r->held = r->depth != 0;
    give(r, event, r->held ? STAMMA_PGN_ERROR : STAMMA_PGN_GAME_END, nothing);
    event->error = r->held ? STAMMA_ERROR_SYNTAX : STAMMA_OK;
    r->in_game = r->held;
    r->depth = 0;
}

static bool text_is(stamma_text text, const char *word)
{
    return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}

/* Marks all moves of the game as not playable, for this reason. */
static void lose_game(stamma_pgn_reader *r, stamma_error error, stamma_text text)
{
    r->start_error = error;
    r->moves.state = PGN_LINE_LOST;
    r->moves.error = (uint8_t)error;
    queue_error(r, error, text);
}

/* Reads the start of the game from a FEN or Variant tag (PGN standard 9.7). */
static void read_start(stamma_pgn_reader *r, const stamma_pgn_event *tag)
{
    stamma_position start;
    if (r->start_error)
        return;
    if (text_is(tag->text, "Variant") && !(stamma_pgn_variant(tag->value) & PGN_VARIANT_CHESS))
        lose_game(r, STAMMA_ERROR_UNSUPPORTED, tag->value);
    if (!text_is(tag->text, "FEN") || r->has_start || r->start_error)
        return;
    r->has_start = true;
    stamma_error error = stamma_fen_read(tag->value, &start, NULL, NULL);
    if (error)
        lose_game(r, error, tag->value);
    else
        stamma_pgn_line_start(&r->moves, &start);
}

static void read_tag(stamma_pgn_reader *r, stamma_pgn_event *event)
{
    give(r, event, STAMMA_PGN_TAG, stamma_pgn_tag_name(slice_of(r, r->token.inner_begin, r->token.inner_end)));
    event->value = slice_of(r, r->token.value_begin, r->token.value_end);
    if (!r->tokens_only)
        read_start(r, event);
}

/* ---- moves and marks after them ---- */

/* Returns whether a word cannot be a move: it is a single letter, or begins neither with a letter nor with a digit and
 * is not a null move. */
static bool is_no_move(stamma_text text)
{
    unsigned char first = (unsigned char)text.data[0];
    if ((unsigned)(first | 0x20) - 'a' < 26)
        return text.size == 1;
    return !text_is_digit(first) && !(text.size == 2 && text.data[0] == '-' && text.data[1] == '-');
}

static void read_glyph(stamma_pgn_reader *r, stamma_pgn_event *event)
{
    stamma_text text = slice_of(r, r->token.begin, r->token.end);
    give(r, event, STAMMA_PGN_NAG, text);
    event->nag = (uint8_t)stamma_pgn_glyph(text);
}

/* Reads a word that cannot be a move, or a part of a word of at least max_token bytes. */
static void read_other_word(stamma_pgn_reader *r, stamma_pgn_event *event)
{
    give_error(r, event, STAMMA_ERROR_SYNTAX);
    if (!(r->token.flags & PGN_CONTINUED))
        stamma_pgn_line_fail(&r->moves, STAMMA_ERROR_SYNTAX);
}

static void play(stamma_pgn_reader *r, stamma_pgn_event *event, stamma_text text)
{
    give(r, event, STAMMA_PGN_MOVE, text);
    if (r->tokens_only)
        return;
    if (STAMMA_UNLIKELY(!pgn_line_is_known(&r->moves))) {
        event->error = (stamma_error)r->moves.error;
        stamma_pgn_line_fail(&r->moves, event->error);
        return;
    }
    stamma_error error = stamma_san_read(pgn_line_position(&r->moves), text, &event->move);
    if (STAMMA_LIKELY(!error)) {
        pgn_line_play(&r->moves, event->move);
        return;
    }
    event->kind = STAMMA_PGN_ERROR;
    event->error = error;
    stamma_pgn_line_fail(&r->moves, error);
}

STAMMA_INLINE void read_symbol(stamma_pgn_reader *r, stamma_pgn_event *event)
{
    stamma_text text = slice_of(r, r->token.begin, r->token.end);
    if (STAMMA_UNLIKELY((r->token.flags & (PGN_PARTIAL | PGN_CONTINUED)) != 0 || is_no_move(text)))
        read_other_word(r, event);
    else
        play(r, event, text);
}

static void read_nag(stamma_pgn_reader *r, stamma_pgn_event *event)
{
    unsigned nag = 0;
    for (size_t i = r->token.inner_begin; i < r->token.inner_end && nag <= UINT8_MAX; i++)
        nag = nag * 10 + (r->lexer.data[i] - '0');
    if (nag > UINT8_MAX || (r->token.flags & (PGN_PARTIAL | PGN_CONTINUED)) != 0) {
        give_error(r, event, STAMMA_ERROR_SYNTAX);
        return;
    }
    give(r, event, STAMMA_PGN_NAG, slice_of(r, r->token.begin, r->token.end));
    event->nag = (uint8_t)nag;
}

static void read_comment(stamma_pgn_reader *r, stamma_pgn_event *event)
{
    give(r, event, STAMMA_PGN_COMMENT, slice_of(r, r->token.inner_begin, r->token.inner_end));
    if (r->token.flags & PGN_UNCLOSED)
        queue_error(r, STAMMA_ERROR_SYNTAX, slice_of(r, r->token.end, r->token.end));
}

/* ---- variations ---- */

/* Returns whether the token belongs to a variation that was not opened. All its tokens are skipped. */
STAMMA_INLINE bool is_passed_over(const stamma_pgn_reader *r)
{
    uint64_t depth = r->lexer.depth;
    if (STAMMA_LIKELY(depth <= r->depth))
        return r->token.kind == PGN_TOKEN_VARIATION_END && depth == r->depth;
    return r->token.kind != PGN_TOKEN_VARIATION_BEGIN || depth - 1 > r->depth;
}

/* Opens a variation, unless it is too deep or memory is exhausted. */
static stamma_error begin_variation(stamma_pgn_reader *r, stamma_pgn_event *event)
{
    if (!r->tokens_only && r->depth == r->max_depth) {
        give_error(r, event, STAMMA_ERROR_LIMIT);
        return STAMMA_OK;
    }
    if (!r->tokens_only && !stamma_pgn_line_branch(&r->moves))
        return STAMMA_ERROR_NO_MEMORY;
    r->depth++;
    give(r, event, STAMMA_PGN_VARIATION_BEGIN, slice_of(r, r->token.begin, r->token.end));
    return STAMMA_OK;
}

static void end_variation(stamma_pgn_reader *r, stamma_pgn_event *event)
{
    give(r, event, STAMMA_PGN_VARIATION_END, slice_of(r, r->token.begin, r->token.end));
    r->depth--;
    if (!r->tokens_only)
        stamma_pgn_line_return(&r->moves);
}

/* ---- the reader ---- */

static void read_line(stamma_pgn_reader *r, stamma_pgn_event *event, stamma_pgn_kind kind)
{
    give(r, event, kind, slice_of(r, r->token.inner_begin, r->token.inner_end));
}

/* Converts the token to an event. Returns whether there is an event. The function has a case for each kind of token. */
STAMMA_INLINE bool read_token(stamma_pgn_reader *r, stamma_pgn_event *event, stamma_error *error)
{
    switch ((pgn_token_kind)r->token.kind) {
    case PGN_TOKEN_SYMBOL: read_symbol(r, event); break;
    case PGN_TOKEN_MARK: return false;
    case PGN_TOKEN_MOVE_NUMBER:
        if (r->move_numbers)
            give(r, event, STAMMA_PGN_MOVE_NUMBER, slice_of(r, r->token.begin, r->token.end));
        return r->move_numbers;
    case PGN_TOKEN_TAG: read_tag(r, event); break;
    case PGN_TOKEN_GLYPH:
    case PGN_TOKEN_SUFFIX: read_glyph(r, event); break;
    case PGN_TOKEN_NAG: read_nag(r, event); break;
    case PGN_TOKEN_COMMENT: read_comment(r, event); break;
    case PGN_TOKEN_LINE_COMMENT: read_line(r, event, STAMMA_PGN_LINE_COMMENT); break;
    case PGN_TOKEN_ESCAPE: read_line(r, event, STAMMA_PGN_ESCAPE); break;
    case PGN_TOKEN_VARIATION_BEGIN: *error = begin_variation(r, event); break;
    case PGN_TOKEN_VARIATION_END: end_variation(r, event); break;
    case PGN_TOKEN_RESULT: give(r, event, STAMMA_PGN_RESULT, slice_of(r, r->token.begin, r->token.end)); break;
    case PGN_TOKEN_GAME_END: end_game(r, event); break;
    case PGN_TOKEN_REMARK:
    case PGN_TOKEN_GARBAGE: give_error(r, event, STAMMA_ERROR_SYNTAX); break;
    default: give(r, event, STAMMA_PGN_END, slice_of(r, r->token.end, r->token.end)); break; /* END or MORE */
    }
    return true;
}

stamma_error stamma_pgn_reader_next(stamma_pgn_reader *reader, stamma_pgn_event *event)
{
    if (STAMMA_UNLIKELY(!reader || !event))
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (STAMMA_UNLIKELY(reader->is_queued)) {
        reader->is_queued = false;
        *event = reader->queued;
        return STAMMA_OK;
    }
    for (;;) {
        stamma_error error = reader->held ? STAMMA_OK : next_token(reader);
        if (STAMMA_UNLIKELY(error))
            return error;
        reader->held = false;
        if (STAMMA_UNLIKELY(!reader->in_game && reader->lexer.section != PGN_OUTSIDE)) {
            begin_game(reader, event);
            return STAMMA_OK;
        }
        if (!is_passed_over(reader) && read_token(reader, event, &error))
            return error;
    }
}

stamma_error stamma_pgn_reader_skip_game(stamma_pgn_reader *reader)
{
    if (!reader)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (!reader->in_game)
        return STAMMA_OK;
    while (reader->token.kind != PGN_TOKEN_GAME_END) {
        stamma_error error = next_token(reader);
        if (error)
            return error;
    }
    reader->is_queued = false;
    reader->held = true;
    reader->depth = 0;
    return STAMMA_OK;
}

const stamma_position *stamma_pgn_reader_position(const stamma_pgn_reader *reader)
{
    bool known = reader->in_game && !reader->tokens_only && pgn_line_is_known(&reader->moves);
    return known ? pgn_line_position(&reader->moves) : NULL;
}
