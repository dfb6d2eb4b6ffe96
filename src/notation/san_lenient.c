/* SPDX-License-Identifier: MIT */
/* Moves as people write them: SAN, with errors that do not make the move ambiguous (doc/reference/encodings.md, row
 * `san`). */
#include "notation/notation.h"

enum { UNSAID = 8 };

static bool take_any(text_cursor *c, const char *letters)
{
    bool found = c->at < c->end && *c->at != '\0' && strchr(letters, *c->at) != NULL;
    c->at += found;
    return found;
}

static bool take_word(text_cursor *c, const char *word)
{
    size_t length = strlen(word);
    bool found = (size_t)(c->end - c->at) >= length && memcmp(c->at, word, length) == 0;
    c->at += found ? length : 0;
    return found;
}

/* Reads a letter from `first` to `first` + 7 as 0..7. Otherwise returns UNSAID. */
static uint8_t take_coordinate(text_cursor *c, char first)
{
    unsigned value = (unsigned)(text_peek(c) - first);
    if (value >= 8)
        return UNSAID;
    c->at++;
    return (uint8_t)value;
}

/* Reads a piece letter that is in `letters`. Otherwise returns NONE. */
static uint8_t take_piece(text_cursor *c, const char *letters)
{
    static const char names[] = "PpNnBbRrQqKk";
    char letter = (char)text_peek(c);
    if (!take_any(c, letters))
        return STAMMA_PIECE_TYPE_NONE;
    return (uint8_t)((strchr(names, letter) - names) / 2);
}

/* Reads O-O or O-O-O, with capital or small letters o or zeros. */
static bool read_castling(text_cursor *c, san_pattern *pattern)
{
    static const char zeros[] = "O0o";
    text_cursor ahead = *c;
    if (!take_any(&ahead, zeros) || !take_any(&ahead, "-") || !take_any(&ahead, zeros))
        return false;
    *c = ahead;
    bool queen_side = take_any(&ahead, "-") && take_any(&ahead, zeros);
    if (queen_side)
        *c = ahead;
    pattern->kind = SAN_CASTLING;
    pattern->castling = queen_side ? STAMMA_QUEEN_SIDE : STAMMA_KING_SIDE;
    return true;
}

static bool read_null(text_cursor *c, san_pattern *pattern)
{
    pattern->kind = SAN_NULL;
    return take_word(c, "--") || take_word(c, "Z0") || take_word(c, "0000") || take_word(c, "aa");
}

/* Reads the origin and target: f3, gf3, 1f3, g1f3, xf3, gxf3, g1-f3; for pawn captures also only the files: exd, ed. */
static bool read_squares(text_cursor *c, san_pattern *pattern)
{
    pattern->from_file = take_coordinate(c, 'a');
    pattern->from_rank = take_coordinate(c, '1');
    bool parted = take_any(c, "x-:X*");
    text_cursor ahead = *c;
    pattern->to_file = take_coordinate(&ahead, 'a');
    pattern->to_rank = take_coordinate(&ahead, '1');
    /* In e8b the b is not a file. */
    if (parted || pattern->from_rank == UNSAID || pattern->to_rank != UNSAID)
        *c = ahead;
    else
        pattern->to_file = UNSAID;
    if (pattern->to_file == UNSAID && !parted) {
        pattern->to_file = pattern->from_file;
        pattern->to_rank = pattern->from_rank;
        pattern->from_file = pattern->from_rank = UNSAID;
    }
    return pattern->to_file != UNSAID;
}

/* Reads a promotion: e8=Q, e8Q, e8(Q), e8/Q, e8=(Q). Also returns true if there is none. */
static bool read_promotion(text_cursor *c, san_pattern *pattern)
{
    bool announced = take_any(c, "=/");
    bool bracket = take_any(c, "(");
    pattern->promotion = take_piece(c, "NBRQnbrq");
    if (pattern->promotion == STAMMA_PIECE_TYPE_NONE)
        return !announced && !bracket;
    return !bracket || take_any(c, ")");
}

/* Skips + ++ # ! ? e.p. and similar marks, right or wrong, which are not needed to find the move. */
static void skip_suffixes(text_cursor *c)
{
    do
        text_skip_blanks(c);
    while (take_any(c, "+#!?") || take_word(c, "e.p.") || take_word(c, "e.p") || take_word(c, "ep") ||
           take_word(c, "mate") || take_word(c, "ch"));
}

static bool read_move(text_cursor *c, bool small_b, san_pattern *pattern)
{
    pattern->kind = SAN_MOVE;
    pattern->piece = take_piece(c, small_b ? "b" : "PNBRQKpnrqk");
    if (!read_squares(c, pattern))
        return false;
    if (pattern->piece == STAMMA_PIECE_TYPE_NONE && (pattern->from_file == UNSAID || pattern->from_rank == UNSAID))
        pattern->piece = STAMMA_PAWN;
    bool files_alone = pattern->piece == STAMMA_PAWN && pattern->from_file != UNSAID && pattern->from_rank == UNSAID &&
                       pattern->from_file != pattern->to_file;
    return (pattern->to_rank != UNSAID || files_alone) && read_promotion(c, pattern);
}

bool stamma_san_parse(stamma_text text, bool small_b, san_pattern *pattern)
{
    text_cursor c = text_cursor_make(text);
    if (small_b ? !read_move(&c, true, pattern)
                : !read_castling(&c, pattern) && !read_null(&c, pattern) && !read_move(&c, false, pattern))
        return false;
    skip_suffixes(&c);
    return c.at == c.end;
}

static bool agrees(unsigned said, unsigned is)
{
    return said == UNSAID || said == is;
}

/* Returns whether a legal move matches the pattern. Castling never matches. */
static bool answers(const stamma_position *position, stamma_move move, const san_pattern *pattern)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move);
    unsigned promotion = stamma_move_is_promotion(move) ? stamma_move_promotion(move) : STAMMA_PIECE_TYPE_NONE;
    return !stamma_move_is_castling(move) && agrees(pattern->to_file, to & 7) && agrees(pattern->to_rank, to >> 3) &&
           agrees(pattern->from_file, from & 7) && agrees(pattern->from_rank, from >> 3) &&
           (pattern->piece == STAMMA_PIECE_TYPE_NONE || position->by_type[pattern->piece] >> from & 1) &&
           (pattern->promotion == STAMMA_PIECE_TYPE_NONE || pattern->promotion == promotion);
}

/* Returns whether castling matches the pattern: O-O, king takes rook (Kxh1, e1h1), or both squares of the king (e1g1).
 */
static bool castling_answers(const stamma_position *position, stamma_move move, const san_pattern *pattern)
{
    unsigned side = stamma_move_flags(move) & 1, from = stamma_move_from(move);
    if (!stamma_move_is_castling(move))
        return false;
    if (pattern->kind == SAN_CASTLING)
        return pattern->castling == side;
    unsigned to = pattern->to_rank * 8u + pattern->to_file;
    return (pattern->piece == STAMMA_KING || pattern->piece == STAMMA_PIECE_TYPE_NONE) &&
           pattern->promotion == STAMMA_PIECE_TYPE_NONE && agrees(pattern->from_file, from & 7) &&
           agrees(pattern->from_rank, from >> 3) &&
           (to == position->castling[position->side][side] ||
            (to == stamma_move_to(move) && pattern->from_file != UNSAID));
}

static stamma_error resolve_null(const stamma_position *position, stamma_move *move)
{
    if (stamma_position_in_check(position))
        return STAMMA_ERROR_ILLEGAL;
    *move = STAMMA_MOVE_NULL;
    return STAMMA_OK;
}

/* Stores the legal move of a pattern that contains both squares, unless it castles. Returns false if there is none, or
 * if a promotion is missing. */
static bool resolve_squares(const stamma_position *position, const san_pattern *pattern, stamma_move *move)
{
    if (pattern->kind != SAN_MOVE || pattern->from_file == UNSAID || pattern->from_rank == UNSAID ||
        pattern->to_file == UNSAID || pattern->to_rank == UNSAID)
        return false;
    const unsigned from = pattern->from_rank * 8u + pattern->from_file, to = pattern->to_rank * 8u + pattern->to_file;
    const stamma_move found = stamma_plain_move(position, from, to, pattern->promotion);
    if (!answers(position, found, pattern) || !stamma_move_is_legal(position, found))
        return false;
    *move = found;
    return true;
}

/* A king move has priority over castling, which may have the same squares in Chess960. */
stamma_error stamma_san_resolve(const stamma_position *position, const san_pattern *pattern, stamma_move *move)
{
    if (pattern->kind == SAN_NULL)
        return resolve_null(position, move);
    if (resolve_squares(position, pattern, move))
        return STAMMA_OK;
    stamma_move moves[STAMMA_MOVES_MAX], found = STAMMA_MOVE_NULL, castling = STAMMA_MOVE_NULL;
    size_t count = stamma_legal_moves(position, moves), answering = 0;
    for (size_t i = 0; i < count; i++) {
        if (castling_answers(position, moves[i], pattern))
            castling = moves[i];
        if (pattern->kind == SAN_MOVE && answers(position, moves[i], pattern)) {
            found = moves[i];
            answering++;
        }
    }
    if (answering > 1)
        return STAMMA_ERROR_AMBIGUOUS;
    if (answering == 0 && castling == STAMMA_MOVE_NULL)
        return STAMMA_ERROR_ILLEGAL;
    *move = answering == 1 ? found : castling;
    return STAMMA_OK;
}

/* Text that begins with a small b may be a pawn move or a bishop move. It is read as a pawn move if this is correct SAN
 * or has both squares. Otherwise, if both readings match a move, the text is ambiguous. */
static stamma_error choose(const san_pattern *plain, stamma_error plain_error, stamma_error bishop_error)
{
    bool sure = plain->from_rank != UNSAID || plain->from_file != plain->to_file;
    if (plain_error == STAMMA_OK && bishop_error == STAMMA_OK && !sure)
        return STAMMA_ERROR_AMBIGUOUS;
    if (plain_error == STAMMA_OK || bishop_error == STAMMA_OK)
        return STAMMA_OK;
    return plain_error == STAMMA_ERROR_AMBIGUOUS ? plain_error : bishop_error;
}

stamma_error stamma_san_read_lenient(const stamma_position *position, stamma_text text, stamma_move *move)
{
    san_pattern plain = {0}, bishop = {0};
    stamma_move plain_move = STAMMA_MOVE_NULL, bishop_move = STAMMA_MOVE_NULL;
    bool is_plain = stamma_san_parse(text, false, &plain);
    bool is_bishop = text.size != 0 && text.data[0] == 'b' && stamma_san_parse(text, true, &bishop);
    stamma_error plain_error = is_plain ? stamma_san_resolve(position, &plain, &plain_move) : STAMMA_ERROR_SYNTAX;
    if (!is_bishop) {
        if (plain_error == STAMMA_OK)
            *move = plain_move;
        return plain_error;
    }
    stamma_error error = stamma_san_resolve(position, &bishop, &bishop_move);
    if (is_plain)
        error = choose(&plain, plain_error, error);
    if (error == STAMMA_OK)
        *move = is_plain && plain_error == STAMMA_OK ? plain_move : bishop_move;
    return error;
}
