/* SPDX-License-Identifier: MIT */
/* The PGN lexer: converts bytes to tokens by the rules L1 to L11 and G1 to G4 of notation.h, which are cited below.
 *
 * Optimized for speed: one table look-up classifies the first byte of a token, words are measured eight bytes at a time
 * without a branch, and comments and tag values are searched sixteen bytes at a time. Rare cases use slower functions
 * that examine single bytes. Only these slower functions handle the end of the slice. */
#include "notation/notation.h"
#include "notation/pgn_bytes.h"

/* Returns the number of bytes of classes A to D at `p` before the first other byte, at most 8. */
STAMMA_INLINE unsigned word_length8(const uint8_t *p)
{
    unsigned stops = 256;
    for (unsigned i = 0; i < 8; i++)
        stops |= (unsigned)(class_of[p[i]] > D) << i;
    return bits_first(stops);
}

/* ---- returning tokens ---- */

STAMMA_INLINE pgn_token_kind give(pgn_lexer *l, pgn_token *t, pgn_token_kind kind, size_t begin, size_t end)
{
    t->kind = (uint8_t)kind;
    t->flags = 0;
    t->begin = t->inner_begin = begin;
    t->end = t->inner_end = end;
    l->at = end;
    return kind;
}

/* Returns a token that is never part of a tag section. */
STAMMA_INLINE pgn_token_kind give_move(pgn_lexer *l, pgn_token *t, pgn_token_kind kind, size_t begin, size_t end)
{
    l->section = PGN_MOVETEXT;
    return give(l, t, kind, begin, end);
}

/* Returns whether a byte order mark ends at `at`. */
static bool ends_mark(const pgn_lexer *l, size_t at)
{
    return at - l->line_at >= 3 && memcmp(l->data + at - 3, byte_order_mark, 3) == 0;
}

/* Returns whether a line begins at `at`, or at byte order marks directly before `at`. */
static bool is_line_start(const pgn_lexer *l, size_t at)
{
    while (at != l->line_at && !is_line_end(l->data[at - 1])) {
        if (!ends_mark(l, at))
            return false;
        at -= 3;
    }
    return at != l->line_at || l->line_start;
}

/* Counts LF and CR in the white space and byte order marks directly before `at`, each at most twice. */
static void count_gap(const pgn_lexer *l, size_t at, uint8_t *feeds, uint8_t *returns)
{
    unsigned lf = 0, cr = 0;
    while (at > l->line_at && lf < 2 && cr < 2 && (is_white(l->data[at - 1]) || ends_mark(l, at))) {
        at -= is_white(l->data[at - 1]) ? 1 : 3;
        lf += l->data[at] == '\n';
        cr += l->data[at] == '\r';
    }
    bool open = at == l->line_at;
    lf += open ? l->gap_feeds : 0;
    cr += open ? l->gap_returns : 0;
    *feeds = (uint8_t)(lf < 2 ? lf : 2);
    *returns = (uint8_t)(cr < 2 ? cr : 2);
}

/* Stores whether a line begins at `at`, and the line ends before `at`, because the next slice may not contain these
 * bytes. */
static void note_line_start(pgn_lexer *l)
{
    l->line_start = is_line_start(l, l->at);
    count_gap(l, l->at, &l->gap_feeds, &l->gap_returns);
    l->line_at = l->at;
}

/* Stores whether an empty line is directly before a token in a tag section (G3). */
static void note_empty_line(pgn_lexer *l, size_t at)
{
    uint8_t feeds, returns;
    count_gap(l, at, &feeds, &returns);
    l->empty_line |= feeds == 2 || returns == 2;
}

static pgn_token_kind give_more(pgn_lexer *l, pgn_token *t, size_t at)
{
    give(l, t, PGN_TOKEN_MORE, at, at);
    note_line_start(l);
    return PGN_TOKEN_MORE;
}

/* Returns the end of a game (G2 to G4). `end` is after the white space that belongs to the game. */
static pgn_token_kind give_game_end(pgn_lexer *l, pgn_token *t, size_t begin, size_t end)
{
    give(l, t, PGN_TOKEN_GAME_END, begin, end);
    l->section = PGN_OUTSIDE;
    l->depth = 0;
    l->going_on = 0;
    l->after = 0;
    l->roster = 0;
    l->empty_line = false;
    note_line_start(l);
    return PGN_TOKEN_GAME_END;
}

static pgn_token_kind give_end(pgn_lexer *l, pgn_token *t, size_t at)
{
    if (!l->final)
        return give_more(l, t, at);
    if (l->section != PGN_OUTSIDE)
        return give_game_end(l, t, at, at);
    return give(l, t, PGN_TOKEN_END, at, at);
}

static pgn_token_kind give_result(pgn_lexer *l, pgn_token *t, size_t begin, size_t end)
{
    if (l->depth == 0) {
        l->after = PGN_AFTER_RESULT | PGN_RESULT_LINE;
        l->going_on = PGN_TOKEN_GAME_END;
    }
    return give_move(l, t, PGN_TOKEN_RESULT, begin, end);
}

/* Returns the end of the bytes that may belong to a token that begins at `begin`: token_max bytes after it, or the end
 * of the slice. */
static size_t view_of(const pgn_lexer *l, size_t begin)
{
    return l->size - begin > l->token_max ? begin + l->token_max : l->size;
}

/* Returns whether a token from `begin` that reaches `at` may continue after the slice: then more input is needed. */
static bool is_open(const pgn_lexer *l, size_t begin, size_t at)
{
    return at == l->size && !l->final && at - begin < l->token_max;
}

/* Returns a token, or the last part of a token. */
static pgn_token_kind give_whole(pgn_lexer *l, pgn_token *t, pgn_token_kind kind, size_t begin, size_t end)
{
    give(l, t, kind, begin, end);
    t->flags = l->going_on != 0 ? PGN_CONTINUED : 0;
    l->going_on = 0;
    bool neutral = kind == PGN_TOKEN_LINE_COMMENT || kind == PGN_TOKEN_ESCAPE || kind == PGN_TOKEN_GARBAGE;
    if (!neutral && !(kind == PGN_TOKEN_COMMENT && l->section == PGN_OUTSIDE))
        l->section = PGN_MOVETEXT;
    return kind;
}

/* Returns a token from `begin` to `end`. If its size is token_max, it is only a part (L11). */
static pgn_token_kind give_run(pgn_lexer *l, pgn_token *t, pgn_token_kind kind, size_t begin, size_t end)
{
    if (is_open(l, begin, end))
        return give_more(l, t, begin);
    give_whole(l, t, kind, begin, end);
    if (end - begin == l->token_max) {
        t->flags |= PGN_PARTIAL;
        l->going_on = (uint8_t)kind;
        note_line_start(l);
    }
    return kind;
}

/* ---- runs, words and numbers (L3 to L6, L10) ---- */

/* Reads a run of bytes from `begin` whose classes are in the bit set `classes`. The first `known` bytes are not
 * checked. */
static pgn_token_kind lex_run(pgn_lexer *l, pgn_token *t, pgn_token_kind kind, size_t begin, size_t known,
                              unsigned classes)
{
    size_t at = begin + known;
    size_t view = view_of(l, begin);
    while (at < view && classes >> class_of[l->data[at]] & 1)
        at++;
    return give_run(l, t, kind, begin, at);
}

enum {
    CLASSES_WORD = (1 << (U + 1)) - 1,
    CLASSES_SUFFIX = 1 << X,
    CLASSES_DIGITS = 1 << D,
    CLASSES_NUMBER = 1 << D | 1 << P
};

static unsigned garbage_classes(const pgn_lexer *l)
{
    return 1u << G | 1u << E | (l->depth == 0 ? 1u << V : 0);
}

/* Returns a word, or the first of its parts. A word that ends in a letter of class A always has one part. */
static pgn_token_kind give_word(pgn_lexer *l, pgn_token *t, size_t begin, size_t end)
{
    int nag = PGN_GLYPH_NONE;
    if (class_of[l->data[end - 1]] != A)
        end = begin + stamma_pgn_word_split((stamma_text){(const char *)l->data + begin, end - begin}, &nag);
    pgn_token_kind kind = nag == PGN_GLYPH_NONE   ? PGN_TOKEN_SYMBOL
                          : nag == PGN_GLYPH_MARK ? PGN_TOKEN_MARK
                                                  : PGN_TOKEN_GLYPH;
    return give_move(l, t, kind, begin, end);
}

/* Reads a word, which is not empty. The bytes before `at` are known to belong to the word. */
static STAMMA_NOINLINE pgn_token_kind lex_word(pgn_lexer *l, pgn_token *t, size_t begin, size_t at)
{
    size_t view = view_of(l, begin);
    while (at < view && class_of[l->data[at]] <= U)
        at++;
    if (at - begin == l->token_max)
        return give_run(l, t, PGN_TOKEN_SYMBOL, begin, at);
    if (l->size - at < 3 && !l->final)
        return give_more(l, t, begin);
    if (is_result(l->data + begin, at - begin))
        return give_result(l, t, begin, at);
    return give_word(l, t, begin, at + word_tail(l->data + at, l->size - at));
}

static STAMMA_NOINLINE pgn_token_kind lex_number(pgn_lexer *l, pgn_token *t, size_t begin)
{
    size_t view = view_of(l, begin);
    size_t at = begin, half = half_point_size(l->data + begin, l->size - begin);
    if (half > 0 && begin + half == l->size && !l->final)
        return give_more(l, t, begin);
    if (half == 7 && (begin + half == l->size || class_of[l->data[begin + half]] > U))
        return give_result(l, t, begin, begin + half);
    while (at < view && class_of[l->data[at]] == D)
        at++;
    size_t digits = at;
    if (is_open(l, begin, at))
        return give_more(l, t, begin);
    if (at < view && begins_word_after_digits(l->data[at]))
        return lex_word(l, t, begin, at);
    while (at < view && l->data[at] == '.')
        at++;
    pgn_token_kind kind = give_run(l, t, PGN_TOKEN_MOVE_NUMBER, begin, at);
    if (kind != PGN_TOKEN_MORE)
        t->inner_end = digits;
    return kind;
}

static pgn_token_kind lex_nag(pgn_lexer *l, pgn_token *t, size_t begin)
{
    if (begin + 1 == l->size && !l->final)
        return give_more(l, t, begin);
    if (begin + 1 == l->size || class_of[l->data[begin + 1]] != D)
        return give(l, t, PGN_TOKEN_GARBAGE, begin, begin + 1);
    pgn_token_kind kind = lex_run(l, t, PGN_TOKEN_NAG, begin, 1, CLASSES_DIGITS);
    if (kind != PGN_TOKEN_MORE)
        t->inner_begin = begin + 1;
    return kind;
}

static pgn_token_kind lex_star(pgn_lexer *l, pgn_token *t, size_t begin)
{
    if (begin + 1 == l->size && !l->final)
        return give_more(l, t, begin);
    if (begin + 1 == l->size || l->data[begin + 1] != '*')
        return give_result(l, t, begin, begin + 1);
    return lex_run(l, t, PGN_TOKEN_GARBAGE, begin, 1, 1u << R);
}

/* ---- comments and whole lines (L7, L8) ---- */

static const char event_line[8] = {'[', 'E', 'v', 'e', 'n', 't', ' ', '"'};

/* Returns the offset of the first of: `}`, the `[` of an [Event " that begins a line, `view`. Returns SIZE_MAX if the
 * slice ends in the middle of a possible [Event ". */
STAMMA_INLINE size_t find_comment_end(const pgn_lexer *l, size_t at, size_t view, uint8_t before, bool *controls)
{
    for (;; before = l->data[at++]) {
        at = find_comment_stop(l->data, at, view, before, controls);
        if (at == view || l->data[at] == '}')
            return at;
        size_t left = l->size - at;
        if (STAMMA_LIKELY(!is_line_start(l, at)) || memcmp(l->data + at, event_line, left < 8 ? left : 8) != 0)
            continue;
        if (left >= 8)
            return at;
        if (!l->final)
            return SIZE_MAX;
    }
}

/* Returns the end of a comment that contains an [Event " at the start of a line, at `event`. The comment ends at the
 * next brace if it is a `}`, otherwise at `event`. Returns SIZE_MAX if the slice ends before the next brace. */
static STAMMA_NOINLINE size_t find_end_after_event(const pgn_lexer *l, size_t begin, size_t event, size_t view)
{
    size_t brace = find_brace(l->data, event, view);
    if (is_open(l, begin, brace))
        return SIZE_MAX;
    return brace < view && l->data[brace] == '}' ? brace : event;
}

/* Reads a comment, or the rest of a partial comment. Its text begins at `inner`. */
static pgn_token_kind lex_comment(pgn_lexer *l, pgn_token *t, size_t begin, size_t inner)
{
    size_t view = view_of(l, begin);
    bool controls = false;
    size_t end = find_comment_end(l, inner, view, inner > begin ? '{' : '\n', &controls);
    if (end < view && l->data[end] == '[' && inner > begin)
        end = find_end_after_event(l, begin, end, view);
    if (end == SIZE_MAX)
        return give_more(l, t, begin);
    if (end == view) {
        if (give_run(l, t, PGN_TOKEN_COMMENT, begin, end) == PGN_TOKEN_MORE)
            return PGN_TOKEN_MORE;
    } else {
        give_whole(l, t, PGN_TOKEN_COMMENT, begin, end + (l->data[end] == '}'));
    }
    t->inner_begin = inner;
    t->inner_end = end;
    if (t->end == end && !(t->flags & PGN_PARTIAL)) {
        t->flags |= PGN_UNCLOSED;
        note_line_start(l);
    }
    if (controls)
        t->flags |= PGN_CONTROLS;
    return PGN_TOKEN_COMMENT;
}

static pgn_token_kind lex_line(pgn_lexer *l, pgn_token *t, pgn_token_kind kind, size_t begin, size_t at)
{
    size_t end = find_line_end(l->data, at, view_of(l, begin));
    if (give_run(l, t, kind, begin, end) == PGN_TOKEN_MORE)
        return PGN_TOKEN_MORE;
    t->inner_begin = at;
    return kind;
}

/* ---- tag pairs (L2) ---- */

static size_t skip_blanks(const uint8_t *data, size_t at, size_t end)
{
    while (at < end && is_blank(data[at]))
        at++;
    return at;
}

/* Returns the end of the blanks and `]` after the quote at `quote`, or 0 if there is no `]`. */
static size_t closes(const pgn_lexer *l, size_t quote, size_t view)
{
    size_t at = skip_blanks(l->data, quote + 1, view);
    return at < view && l->data[at] == ']' ? at + 1 : 0;
}

/* The parts of a tag pair. All are 0 if there is no pair. */
typedef struct pair {
    size_t name;
    size_t name_end;
    size_t value;
    size_t value_end;
    size_t end;
} pair;

/* Finds the end of the value that begins at `tag->value`. Returns the offset at which the search stopped. */
static size_t find_value_end(const pgn_lexer *l, pair *tag, size_t view)
{
    size_t at = tag->value;
    while ((at = find_value_stop(l->data, at, view)) < view && !is_line_end(l->data[at])) {
        bool escape = l->data[at] == '\\';
        if (escape && (at + 1 == view || is_line_end(l->data[at + 1])))
            return at + 1;
        at += escape;
        size_t end = l->data[at] == '"' ? closes(l, at, view) : 0;
        if (end != 0) {
            tag->value_end = at;
            tag->end = end;
            if (!escape)
                return at;
        }
        at++;
    }
    return at;
}

/* Looks for a tag pair at the `[` at `begin`. Returns the offset at which the search stopped. If this is the end of the
 * slice, more input may change the result. */
static size_t find_pair(pgn_lexer *l, pair *tag, size_t begin, size_t view)
{
    *tag = (pair){0};
    if (begin < l->no_pair)
        return begin;
    size_t at = tag->name = skip_blanks(l->data, begin + 1, view);
    while (at < view && is_symbol(l->data[at]))
        at++;
    tag->name_end = at;
    at = skip_blanks(l->data, at, view);
    if (at == view || tag->name == tag->name_end || l->data[at] != '"')
        return at;
    tag->value = at + 1;
    return find_value_end(l, tag, view);
}

/* Returns the bit of a tag of the Seven Tag Roster, in any case, or 0 for other tags. */
static uint8_t roster_bit(const uint8_t *name, size_t size)
{
    uint64_t letters = 0;
    if (size < 4 || size > 6)
        return 0;
    for (size_t i = 0; i < size; i++)
        letters = letters << 8 | name[i] | 0x20;
    switch (letters) {              /* the small letters in ASCII */
    case 0x6576656E74: return 1;    /* Event */
    case 0x73697465: return 2;      /* Site */
    case 0x64617465: return 4;      /* Date */
    case 0x726F756E64: return 8;    /* Round */
    case 0x7768697465: return 16;   /* White */
    case 0x626C61636B: return 32;   /* Black */
    case 0x726573756C74: return 64; /* Result */
    default: return 0;
    }
}

/* Returns whether a tag begins another game (G3). */
static bool begins_game(pgn_lexer *l, const pair *tag)
{
    uint8_t bit = roster_bit(l->data + tag->name, tag->name_end - tag->name);
    if (l->section == PGN_MOVETEXT || (l->roster & bit && l->empty_line))
        return true;
    l->roster |= bit;
    l->empty_line = false;
    return false;
}

static pgn_token_kind give_tag(pgn_lexer *l, pgn_token *t, size_t begin, const pair *tag)
{
    if (begins_game(l, tag))
        return give_game_end(l, t, begin, begin);
    l->section = PGN_TAGS;
    give(l, t, PGN_TOKEN_TAG, begin, tag->end);
    t->inner_begin = tag->name;
    t->inner_end = tag->name_end;
    t->value_begin = tag->value;
    t->value_end = tag->value_end;
    if (tag->name == begin + 1 && tag->value == tag->name_end + 2 && l->data[tag->name_end] == ' ' &&
        tag->end == tag->value_end + 2)
        t->flags = PGN_CANONICAL;
    return PGN_TOKEN_TAG;
}

/* Reads a `[` that does not begin a pair. */
static pgn_token_kind lex_stray_bracket(pgn_lexer *l, pgn_token *t, size_t begin, size_t view)
{
    size_t at = begin < l->no_bracket ? l->no_bracket : begin;
    while (at < view && l->data[at] != ']' && !is_line_end(l->data[at]))
        at++;
    if (is_open(l, begin, at))
        return give_more(l, t, begin);
    if (at < view && l->data[at] == ']')
        return give(l, t, PGN_TOKEN_GARBAGE, begin, at + 1);
    l->no_bracket = at;
    return give(l, t, PGN_TOKEN_GARBAGE, begin, l->section == PGN_MOVETEXT ? begin + 1 : at);
}

static STAMMA_NOINLINE pgn_token_kind lex_bracket(pgn_lexer *l, pgn_token *t, size_t begin)
{
    pair tag;
    size_t view = view_of(l, begin);
    if (l->section == PGN_TAGS)
        note_empty_line(l, begin);
    size_t stop = find_pair(l, &tag, begin, view);
    if (tag.end != 0 && (stop == tag.value_end || !is_open(l, begin, stop)))
        return give_tag(l, t, begin, &tag);
    if (is_open(l, begin, stop))
        return give_more(l, t, begin);
    if (tag.value != 0)
        l->no_pair = stop;
    return lex_stray_bracket(l, t, begin, view);
}

/* ---- the lexer ---- */

bool stamma_pgn_is_word(stamma_text text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!is_symbol((uint8_t)text.data[i]))
            return false;
    return text.size != 0;
}

void stamma_pgn_lexer_init(pgn_lexer *lexer, size_t token_max)
{
    *lexer = (pgn_lexer){.data = byte_order_mark, .token_max = token_max, .line_start = true};
}

/* Converts an offset at or after the old `at` to an offset in the new slice. */
static size_t moved(const pgn_lexer *l, size_t offset, size_t at)
{
    return offset > l->at ? offset - l->at + at : 0;
}

void stamma_pgn_lexer_slice(pgn_lexer *lexer, const void *data, size_t size, size_t at, bool final)
{
    if (lexer->line_at != lexer->at) { /* only tokens with note_line_start can end in a line end */
        lexer->line_start = false;
        lexer->gap_feeds = lexer->gap_returns = 0;
    }
    lexer->no_pair = moved(lexer, lexer->no_pair, at);
    lexer->no_bracket = moved(lexer, lexer->no_bracket, at);
    lexer->data = (const uint8_t *)data;
    lexer->size = size;
    lexer->at = lexer->line_at = at;
    lexer->final = final;
}

void stamma_pgn_lexer_move(pgn_lexer *lexer, size_t at)
{
    lexer->at = at;
    note_line_start(lexer);
}

/* Called after a token that follows the result of its game: the next call examines whether the next token also belongs
 * to the game (G2). */
static void note_follower(pgn_lexer *l)
{
    if (l->after != 0 && l->depth == 0 && l->going_on == 0)
        l->going_on = PGN_TOKEN_GAME_END;
}

/* Reads tokens that are neither words nor numbers, and all tokens near the end of the slice. */
static STAMMA_NOINLINE pgn_token_kind lex_other(pgn_lexer *l, pgn_token *t, size_t at)
{
    switch (class_of[l->data[at]]) {
    case A:
    case M:
    case K:
    case S:
    case H:
    case U: return lex_word(l, t, at, at);
    case D:
    case P: return lex_number(l, t, at);
    case X: return lex_run(l, t, PGN_TOKEN_SUFFIX, at, 1, CLASSES_SUFFIX);
    case N: return lex_nag(l, t, at);
    case C: return lex_comment(l, t, at, at + 1);
    case L: return lex_line(l, t, PGN_TOKEN_LINE_COMMENT, at, at + 1);
    case B: l->depth++; return give_move(l, t, PGN_TOKEN_VARIATION_BEGIN, at, at + 1);
    case T: return lex_bracket(l, t, at);
    case R: return lex_star(l, t, at);
    case E:
        if (is_line_start(l, at))
            return lex_line(l, t, PGN_TOKEN_ESCAPE, at, at + 1);
        break;
    case V:
        if (l->depth != 0) {
            l->depth--;
            note_follower(l);
            return give_move(l, t, PGN_TOKEN_VARIATION_END, at, at + 1);
        }
        break;
    default: break;
    }
    return lex_run(l, t, PGN_TOKEN_GARBAGE, at, 1, garbage_classes(l));
}

/* Reads a token that follows the result and belongs to the game. */
static pgn_token_kind lex_follower(pgn_lexer *l, pgn_token *t, size_t at, bool remark)
{
    l->going_on = 0;
    pgn_token_kind kind = remark ? lex_run(l, t, PGN_TOKEN_REMARK, at, 1, CLASSES_WORD) : lex_other(l, t, at);
    if (remark)
        l->after |= PGN_REMARKS;
    if (kind == PGN_TOKEN_MORE)
        l->going_on = PGN_TOKEN_GAME_END;
    note_follower(l);
    return kind;
}

/* Reads after a result outside variations: a token of the game, or the game's end with the white space (G2). */
static pgn_token_kind lex_after_result(pgn_lexer *l, pgn_token *t)
{
    const size_t begin = l->at, view = view_of(l, begin);
    size_t at = begin, feeds = 0, returns = 0;
    for (; at < view && is_white(l->data[at]); at++) {
        feeds += l->data[at] == '\n';
        returns += l->data[at] == '\r';
    }
    if (is_open(l, begin, at))
        return give_more(l, t, begin);
    if (at == view || feeds > 1 || returns > 1)
        return give_game_end(l, t, begin, at);
    if (feeds + returns > 0)
        l->after = PGN_AFTER_RESULT;
    unsigned place = l->after | (is_line_start(l, at) ? PGN_LINE_START : 0u);
    pgn_follower follower = stamma_pgn_follower(l->data + at, l->size - at, l->final, place);
    if (follower == PGN_FOLLOWER_OPEN)
        return give_more(l, t, begin);
    if (follower == PGN_FOLLOWER_NONE)
        return give_game_end(l, t, begin, at);
    return lex_follower(l, t, at, follower == PGN_FOLLOWER_REMARK);
}

/* Continues a token that was returned in part. */
static pgn_token_kind lex_part(pgn_lexer *l, pgn_token *t, pgn_token_kind kind)
{
    switch (kind) {
    case PGN_TOKEN_COMMENT: return lex_comment(l, t, l->at, l->at);
    case PGN_TOKEN_LINE_COMMENT:
    case PGN_TOKEN_ESCAPE: return lex_line(l, t, kind, l->at, l->at);
    case PGN_TOKEN_SYMBOL:
    case PGN_TOKEN_REMARK: return lex_run(l, t, kind, l->at, 0, CLASSES_WORD);
    case PGN_TOKEN_SUFFIX: return lex_run(l, t, kind, l->at, 0, CLASSES_SUFFIX);
    case PGN_TOKEN_NAG: return lex_run(l, t, kind, l->at, 0, CLASSES_DIGITS);
    case PGN_TOKEN_MOVE_NUMBER: return lex_run(l, t, kind, l->at, 0, CLASSES_NUMBER);
    default: return lex_run(l, t, PGN_TOKEN_GARBAGE, l->at, 0, garbage_classes(l));
    }
}

/* Continues an unfinished token, or reads after a result. */
static STAMMA_NOINLINE pgn_token_kind lex_rest(pgn_lexer *l, pgn_token *t)
{
    if (l->going_on == PGN_TOKEN_GAME_END)
        return lex_after_result(l, t);
    pgn_token_kind kind = lex_part(l, t, (pgn_token_kind)l->going_on);
    note_follower(l);
    return kind;
}

/* Skips white space and byte order marks (L1). Returns false if the slice ends in the middle of a possible mark. */
static bool skip_marks(const pgn_lexer *l, size_t *at)
{
    for (;; *at += 3) {
        while (*at < l->size && is_white(l->data[*at]))
            ++*at;
        size_t left = l->size - *at;
        if (left == 0 || memcmp(l->data + *at, byte_order_mark, left < 3 ? left : 3) != 0)
            return true;
        if (left < 3)
            return l->final;
    }
}

static STAMMA_NOINLINE pgn_token_kind lex_any(pgn_lexer *l, pgn_token *t, size_t at)
{
    if (!skip_marks(l, &at))
        return give_more(l, t, at);
    if (l->section == PGN_TAGS)
        note_empty_line(l, at);
    return at == l->size ? give_end(l, t, at) : lex_other(l, t, at);
}

/* Reads a number if its digits and dots end within 16 bytes. Otherwise, and for a number that may be 0.5-0.5, returns
 * false. */
STAMMA_INLINE bool lex_short_number(pgn_lexer *l, pgn_token *t, size_t begin)
{
    const uint8_t *p = l->data + begin;
    unsigned digits = 1;
    while (digits < 8 && class_of[p[digits]] == D)
        digits++;
    unsigned size = digits;
    while (size < 15 && p[size] == '.')
        size++;
    if (digits == 8 || size == 15 || (size == digits && class_of[p[size]] <= H) || (size == 2 && p[0] == '0'))
        return false;
    give_move(l, t, PGN_TOKEN_MOVE_NUMBER, begin, begin + size);
    t->inner_end = begin + digits;
    return true;
}

/* Hot path: handles the common forms of words and numbers if 16 bytes are readable, and leaves the rest to lex_any. */
pgn_token_kind stamma_pgn_lexer_next(pgn_lexer *lexer, pgn_token *token)
{
    if (STAMMA_UNLIKELY(lexer->going_on != 0))
        return lex_rest(lexer, token);
    const uint8_t *data = lexer->data;
    size_t at = lexer->at;
    while (at < lexer->size && is_white(data[at]))
        at++;
    if (STAMMA_UNLIKELY(lexer->size - at < 16))
        return lex_any(lexer, token, at);
    unsigned class = class_of[data[at]];
    if (class <= M) {
        unsigned size = word_length8(data + at);
        if (STAMMA_LIKELY(class_of[data[at + size]] >= W && class_of[data[at + size - 1]] != M))
            return give_move(lexer, token, PGN_TOKEN_SYMBOL, at, at + size);
    } else if (class == D) {
        if (STAMMA_LIKELY(lex_short_number(lexer, token, at)))
            return PGN_TOKEN_MOVE_NUMBER;
    } else if (class == C) {
        return lex_comment(lexer, token, at, at + 1);
    } else if (class == T) {
        return lex_bracket(lexer, token, at);
    }
    return lex_any(lexer, token, at);
}
