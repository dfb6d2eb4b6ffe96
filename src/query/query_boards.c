/* SPDX-License-Identifier: MIT */
/* The values of a query's rules: positions and placements. */
#include <stdio.h>

#include "query/query.h"

/* ---- positions ---- */

static bool fault_illegal(query_parser *parser, const json_value *value, unsigned problems)
{
    char message[160];
    unsigned forgiven = STAMMA_SETUP_CASTLING | STAMMA_SETUP_EN_PASSANT;
    snprintf(message, sizeof message, "no legal position: %s", stamma_setup_problem_text(problems & ~forgiven));
    return stamma_query_fault_value(parser, value, message);
}

bool stamma_query_parse_fen(query_parser *parser, const json_value *value, void *fen)
{
    static const char message[] = "expected a FEN such as \"4k3/8/8/8/8/8/4P3/4K3 w - -\"";
    query_fen *f = fen;
    stamma_text text = json_text(&parser->json, value), operations;
    unsigned problems = 0;
    size_t offset = 0;
    if (!stamma_query_is_text(parser, value, message))
        return false;
    stamma_error error = stamma_epd_read(text, &f->position, &operations, &problems, &offset);
    if (error == STAMMA_ERROR_ILLEGAL)
        return fault_illegal(parser, value, problems);
    if (error != STAMMA_OK)
        return stamma_query_fault_text(parser, value, offset, offset < text.size, message);
    if (!memchr(text.data, ' ', text.size))
        return stamma_query_fault_value(parser, value,
                                        "expected side to move, castling rights and en passant square after "
                                        "the board; use \"sub-fen\" for a board without these");
    f->en_passant = position_en_passant_pawns(&f->position) ? f->position.en_passant : STAMMA_SQUARE_NONE;
    return true;
}

/* ---- placements ---- */

enum { ANYTHING = 0x1FFF };

/* Reads the text of one or more squares of a rank at *at, and moves *at to the end of this text. Returns their number,
 * or 0 if the text is invalid. */
static unsigned read_squares(stamma_text text, size_t *at, query_word *pieces)
{
    char c = text.data[*at];
    if (c >= '1' && c <= '8') {
        ++*at;
        *pieces = ANYTHING;
        return (unsigned)(c - '0');
    }
    *pieces = stamma_query_pieces(c);
    if (c != '[') {
        *at += *pieces != 0;
        return *pieces != 0;
    }
    size_t i = *at + 1;
    for (; i < text.size && text.data[i] != ']'; i++) {
        query_word set = stamma_query_pieces(text.data[i]);
        if (!set)
            return 0;
        *pieces |= set;
    }
    if (i == text.size || *pieces == 0)
        return 0;
    *at = i + 1;
    return 1;
}

static bool fault_rank(query_parser *parser, const json_value *value, size_t begin, size_t end, unsigned files)
{
    char message[80];
    snprintf(message, sizeof message, "this rank has %u squares; expected 8", files);
    return stamma_query_fault_text(parser, value, begin, end - begin, message);
}

/* Reads one rank, up to `/` or the end. */
static bool read_rank(query_parser *parser, const json_value *value, size_t *at, query_word squares[8])
{
    stamma_text text = json_text(&parser->json, value);
    size_t begin = *at;
    unsigned files = 0;
    while (*at < text.size && text.data[*at] != '/') {
        query_word pieces;
        size_t here = *at;
        unsigned count = read_squares(text, at, &pieces);
        if (text.data[here] == ' ')
            return stamma_query_fault_text(parser, value, here, text.size - here,
                                           "expected only pieces on squares; use \"fen\" for a complete position");
        if (count == 0)
            return stamma_query_fault_text(
                parser, value, here, 1, "expected a piece (KQRBNP, kqrbnp, A, a, ?), a digit, . or pieces in brackets");
        for (; count > 0 && files < 8; count--)
            squares[files++] = pieces;
        if (count > 0)
            return stamma_query_fault_text(parser, value, begin, *at - begin, "this rank has more than 8 squares");
    }
    return files == 8 || fault_rank(parser, value, begin, *at, files);
}

/* Reads a placement as the set of pieces allowed on each square. */
static bool parse_placement(query_parser *parser, const json_value *value, query_word squares[64])
{
    stamma_text text = json_text(&parser->json, value);
    size_t at = 0;
    if (!stamma_query_is_text(parser, value, "expected a placement such as \"8/8/p7/8/8/1B3N2/8/8\""))
        return false;
    for (unsigned rank = 8; rank-- > 0;) {
        if (!read_rank(parser, value, &at, squares + rank * 8))
            return false;
        if (rank > 0 && at == text.size)
            return stamma_query_fault_value(parser, value, "expected 8 ranks with a / between two of them");
        at += rank > 0;
    }
    return at == text.size || stamma_query_fault_text(parser, value, at, text.size - at, "there are more than 8 ranks");
}

static void set_required(query_sub_fen *sub_fen, const query_squares *place)
{
    for (unsigned piece = 0; piece < 12; piece++) {
        sub_fen->required[piece] = ~place->forbidden[piece];
        for (unsigned other = 0; other < QUERY_PIECES; other++)
            sub_fen->required[piece] &= other == piece ? ~UINT64_C(0) : place->forbidden[other];
    }
}

bool stamma_query_parse_sub_fen(query_parser *parser, const json_value *value, void *sub_fen)
{
    query_sub_fen *s = sub_fen;
    query_word squares[64];
    if (!parse_placement(parser, value, squares))
        return false;
    query_squares *place = stamma_query_allocate(parser, 1, sizeof *place);
    if (!place)
        return false;
    for (unsigned square = 0; square < 64; square++)
        for (unsigned piece = 0; piece < QUERY_PIECES; piece++)
            if (!(squares[square] >> piece & 1))
                place->forbidden[piece] |= square_bit(square);
    s->places = place;
    s->count = 1;
    set_required(s, place);
    return true;
}

bool stamma_query_parse_pawns(query_parser *parser, const json_value *value, void *pawns)
{
    query_pawns *p = pawns;
    query_word squares[64];
    stamma_text text = json_text(&parser->json, value);
    if (!parse_placement(parser, value, squares))
        return false;
    for (size_t i = 0; i < text.size; i++)
        if (!strchr("Pp/12345678", text.data[i]))
            return stamma_query_fault_text(parser, value, i, 1, "expected only pawns: P, p and digits");
    for (unsigned square = 0; square < 64; square++)
        if (squares[square] != ANYTHING)
            p->pawns[squares[square] != 1] |= square_bit(square);
    return true;
}

/* ---- shifted placements ---- */

/* Moves a set of squares. Squares that would leave the board are dropped. */
static uint64_t shift_squares(uint64_t squares, int files, int ranks)
{
    for (; files > 0; files--)
        squares = (squares & ~FILE_H) << 1;
    for (; files < 0; files++)
        squares = (squares & ~FILE_A) >> 1;
    return ranks > 0 ? squares << 8 * ranks : squares >> -8 * ranks;
}

/* Adds a shifted copy of the placement, unless a square that must hold a piece would leave the board. */
static void add_shifted(query_squares *places, size_t *count, int files, int ranks)
{
    const query_squares *first = &places[0];
    query_squares *made = &places[*count];
    uint64_t pieces = first->forbidden[QUERY_EMPTY];
    if ((files == 0 && ranks == 0) || bits_count(shift_squares(pieces, files, ranks)) != bits_count(pieces))
        return;
    for (unsigned piece = 0; piece < QUERY_PIECES; piece++)
        made->forbidden[piece] = shift_squares(first->forbidden[piece], files, ranks);
    ++*count;
}

static bool shift_sub_fen(query_parser *parser, query_sub_fen *sub_fen, int files, int ranks)
{
    query_squares places[225] = {sub_fen->places[0]};
    size_t count = 1;
    for (int rank = -ranks; rank <= ranks; rank++)
        for (int file = -files; file <= files; file++)
            add_shifted(places, &count, file, rank);
    query_squares *kept = stamma_query_allocate(parser, count, sizeof *kept);
    if (!kept)
        return false;
    memcpy(kept, places, count * sizeof *kept);
    sub_fen->places = kept;
    sub_fen->count = count;
    return true;
}

bool stamma_query_shift(query_parser *parser, const json_value *value, query_rule *rule)
{
    static const char *const words[] = {"files", "ranks", NULL};
    stamma_text text = json_text(&parser->json, value);
    bool files = value->kind == JSON_TRUE, ranks = files;
    if (value->kind == JSON_TEXT) {
        files = text_equal(text, (stamma_text){"files", 5});
        ranks = text_equal(text, (stamma_text){"ranks", 5});
        if (!files && !ranks)
            return stamma_query_unknown(parser, value->offset, value->size, "direction", text, words);
    } else if (value->kind != JSON_TRUE && value->kind != JSON_FALSE) {
        return stamma_query_fault_value(parser, value, "expected true, false, \"files\" or \"ranks\"");
    }
    query_sub_fen *sub_fens = (query_sub_fen *)(uintptr_t)rule->values; /* the parser still owns it */
    for (size_t i = 0; i < rule->count && (files || ranks); i++)
        if (!shift_sub_fen(parser, &sub_fens[i], files ? 7 : 0, ranks ? 7 : 0))
            return false;
    return true;
}
