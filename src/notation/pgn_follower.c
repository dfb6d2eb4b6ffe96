/* SPDX-License-Identifier: MIT */
/* Decides whether the token after a result belongs to the game or begins another game (notation.h, G2). Only the first
 * PGN_LOOKAHEAD bytes of the token are examined, so that the lexer never waits for a complete token. */
#include "notation/pgn_bytes.h"

/* The bytes after the white space that follows a result. */
typedef struct ahead {
    const uint8_t *data;
    size_t size;
    bool final;
    unsigned place;
} ahead;

/* Returns whether only the first `size` bytes are available and more bytes may follow. */
static bool waits(const ahead *a, size_t size)
{
    return a->size <= size && !a->final;
}

/* Returns the decision about text that belongs to the game only in the line of the result. */
static pgn_follower in_line(const ahead *a, pgn_follower follower)
{
    return a->place & PGN_RESULT_LINE ? follower : PGN_FOLLOWER_NONE;
}

/* Returns whether a word has the form of castling, or of a move with its target square. Does not accept words such as
 * "be" and "ed", which may be English words instead of pawn captures without squares, or --, which may be a dash. */
static bool may_be_move(stamma_text word)
{
    san_pattern p = {0};
    if (!stamma_san_parse(word, false, &p) && !(word.data[0] == 'b' && stamma_san_parse(word, true, &p)))
        return false;
    return p.kind == SAN_CASTLING || (p.kind == SAN_MOVE && p.to_rank < 8);
}

static pgn_follower judge_word(const ahead *a)
{
    size_t size = 0;
    while (size < a->size && size <= PGN_ANNOTATED_MAX && class_of[a->data[size]] <= U)
        size++;
    if (size > PGN_ANNOTATED_MAX)
        return in_line(a, PGN_FOLLOWER_REMARK);
    if (waits(a, size + 2))
        return PGN_FOLLOWER_OPEN;
    if (is_result(a->data, size))
        return PGN_FOLLOWER_NONE;
    int nag;
    stamma_text word = {(const char *)a->data, size + word_tail(a->data + size, a->size - size)};
    word.size = stamma_pgn_word_split(word, &nag);
    if (nag != PGN_GLYPH_NONE)
        return PGN_FOLLOWER_TOKEN;
    return may_be_move(word) ? PGN_FOLLOWER_NONE : in_line(a, PGN_FOLLOWER_REMARK);
}

/* Decides about digits: they begin another game, except after words: "Black resigned after 35 moves". */
static pgn_follower judge_number(const ahead *a)
{
    const size_t half = half_point_size(a->data, a->size);
    size_t digits = 0;
    if (half > 0 && waits(a, half))
        return PGN_FOLLOWER_OPEN;
    if (half == 7 && (a->size == half || class_of[a->data[half]] > U))
        return PGN_FOLLOWER_NONE;
    while (digits < a->size && digits <= PGN_ANNOTATED_MAX && class_of[a->data[digits]] == D)
        digits++;
    if (digits > PGN_ANNOTATED_MAX)
        return in_line(a, PGN_FOLLOWER_REMARK);
    if (waits(a, digits))
        return PGN_FOLLOWER_OPEN;
    if (digits < a->size && begins_word_after_digits(a->data[digits]))
        return judge_word(a);
    return digits == 0 || a->place & PGN_REMARKS ? in_line(a, PGN_FOLLOWER_TOKEN) : PGN_FOLLOWER_NONE;
}

/* Returns `pair` if the class of the byte after the first byte is in the bit set `classes`, otherwise `single`. */
static pgn_follower judge_pair(const ahead *a, unsigned classes, pgn_follower pair, pgn_follower single)
{
    if (waits(a, 1))
        return PGN_FOLLOWER_OPEN;
    return a->size > 1 && classes >> class_of[a->data[1]] & 1 ? pair : single;
}

pgn_follower stamma_pgn_follower(const uint8_t *data, size_t size, bool final, unsigned place)
{
    const ahead a = {data, size, final, place};
    const pgn_follower garbage = in_line(&a, PGN_FOLLOWER_TOKEN);
    switch (class_of[data[0]]) {
    case B:
    case C:
    case L:
    case X: return PGN_FOLLOWER_TOKEN;
    case E: return place & PGN_LINE_START ? PGN_FOLLOWER_TOKEN : garbage;
    case N: return judge_pair(&a, 1u << D, PGN_FOLLOWER_TOKEN, garbage);
    case R: return judge_pair(&a, 1u << R, garbage, PGN_FOLLOWER_NONE);
    case T: return PGN_FOLLOWER_NONE;
    case D:
    case P: return judge_number(&a);
    case G:
    case V: return garbage;
    default: break;
    }
    if (memcmp(data, byte_order_mark, size < 3 ? size : 3) == 0 && (size >= 3 || !final))
        return size >= 3 ? PGN_FOLLOWER_NONE : PGN_FOLLOWER_OPEN;
    return judge_word(&a);
}
