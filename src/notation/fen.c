/* SPDX-License-Identifier: MIT */
/* FEN: a position as one line of text (PGN standard 16.1; Wikipedia), with the castling fields of X-FEN and
 * Shredder. */
#include "notation/notation.h"

/* ---- reading ---- */

/* Returns the piece of a letter, or STAMMA_PIECE_NONE. */
static stamma_piece piece_of_letter(int letter)
{
    const char *found = letter > '.' ? strchr(NOTATION_PIECE_LETTERS, letter) : NULL;
    return found ? (stamma_piece)(found - NOTATION_PIECE_LETTERS) : STAMMA_PIECE_NONE;
}

static bool read_rank(text_cursor *c, stamma_piece *rank)
{
    unsigned file = 0;
    while (file < 8) {
        int letter = text_peek(c);
        stamma_piece piece = piece_of_letter(letter);
        if (piece != STAMMA_PIECE_NONE)
            rank[file++] = piece;
        else if (letter >= '1' && letter <= '8' - (int)file)
            file += (unsigned)(letter - '0');
        else
            return false;
        c->at++;
    }
    return true;
}

static bool read_board(text_cursor *c, stamma_piece board[64])
{
    for (int rank = 7; rank >= 0; rank--)
        if (!read_rank(c, board + rank * 8) || (rank > 0 && !text_take(c, '/')))
            return false;
    return true;
}

static bool read_side(text_cursor *c, stamma_color *side)
{
    bool black = text_peek(c) == 'b' || text_peek(c) == 'B';
    if (!black && text_peek(c) != 'w' && text_peek(c) != 'W')
        return false;
    *side = black ? STAMMA_BLACK : STAMMA_WHITE;
    c->at++;
    return true;
}

static unsigned king_file(const stamma_piece *back_rank, stamma_piece king)
{
    for (unsigned file = 0; file < 8; file++)
        if (back_rank[file] == king)
            return file;
    return 8;
}

/* X-FEN: K and Q mean the outermost rook on that side of the king. If there is none, returns the corner.
 * stamma_setup_problems then reports an error, because the king and rook are not in the right order. */
static unsigned outermost_rook(const stamma_piece *back_rank, unsigned king, stamma_piece rook, bool queen_side)
{
    for (unsigned i = 0; i < 8; i++) {
        unsigned file = queen_side ? i : 7 - i;
        if (back_rank[file] == rook && king < 8 && (file < king) == queen_side)
            return file;
    }
    return queen_side ? 0 : 7;
}

/* Reads one letter of the castling field. Two different rooks on one side of a king are invalid. */
static bool read_right(int letter, stamma_setup *setup)
{
    bool black = letter >= 'a';
    int capital = black ? letter - ('a' - 'A') : letter;
    unsigned corner = black * 56u;
    const stamma_piece *back_rank = setup->board + corner;
    unsigned king = king_file(back_rank, black ? STAMMA_KING + 8 : STAMMA_KING);
    bool queen_side = capital == 'Q';
    unsigned file;
    if (capital == 'K' || capital == 'Q') {
        file = outermost_rook(back_rank, king, black ? STAMMA_ROOK + 8 : STAMMA_ROOK, queen_side);
    } else if (capital >= 'A' && capital <= 'H') {
        file = (unsigned)(capital - 'A');
        queen_side = file < king && king < 8;
    } else {
        return false;
    }
    stamma_square rook = (stamma_square)(file + corner);
    stamma_square *right = &setup->castling[black][queen_side];
    if (*right != STAMMA_SQUARE_NONE && *right != rook)
        return false;
    *right = rook;
    return true;
}

static bool read_castling(text_cursor *c, stamma_setup *setup)
{
    if (text_take(c, '-'))
        return true;
    for (; c->at < c->end && !text_is_blank(text_peek(c)); c->at++)
        if (!read_right(text_peek(c), setup))
            return false;
    return true;
}

static bool read_en_passant(text_cursor *c, stamma_square *square)
{
    if (text_take(c, '-'))
        return true;
    int file = text_peek(c) | 0x20;
    if (file < 'a' || file > 'h')
        return false;
    c->at++;
    int rank = text_peek(c);
    if (rank < '1' || rank > '8')
        return false;
    c->at++;
    *square = (stamma_square)((rank - '1') * 8 + (file - 'a'));
    return true;
}

/* Skips the blanks before the next field. Sets *more to false at the end. Returns false if the last field has extra
 * characters. */
static bool next_field(text_cursor *c, bool *more)
{
    bool parted = c->at == c->end || text_is_blank(text_peek(c));
    text_skip_blanks(c);
    *more = parted && c->at < c->end;
    return parted;
}

bool stamma_fen_read_fields(text_cursor *c, stamma_setup *setup)
{
    memset(setup, 0, sizeof *setup);
    memset(setup->board, STAMMA_PIECE_NONE, sizeof setup->board);
    memset(setup->castling, STAMMA_SQUARE_NONE, sizeof setup->castling);
    setup->en_passant = STAMMA_SQUARE_NONE;
    setup->fullmove_number = 1;

    bool more;
    text_skip_blanks(c);
    if (!read_board(c, setup->board) || !next_field(c, &more))
        return false;
    if (more && (!read_side(c, &setup->side) || !next_field(c, &more)))
        return false;
    if (more && (!read_castling(c, setup) || !next_field(c, &more)))
        return false;
    return !more || (read_en_passant(c, &setup->en_passant) && next_field(c, &more));
}

bool stamma_fen_read_clock(text_cursor *c, uint16_t *clock)
{
    text_cursor digits = *c;
    unsigned value = 0;
    if (!text_take(&digits, '-')) {
        for (; text_is_digit(text_peek(&digits)); digits.at++) {
            value = value * 10 + (unsigned)(text_peek(&digits) - '0');
            value = value < UINT16_MAX ? value : UINT16_MAX;
        }
        if (digits.at == c->at)
            return false;
    }
    if (digits.at < digits.end && !text_is_blank(text_peek(&digits)))
        return false;
    if (digits.at[-1] != '-')
        *clock = (uint16_t)value;
    *c = digits;
    return true;
}

/* Removes the castling rights that the board contradicts. */
static void drop_false_rights(stamma_setup *setup)
{
    for (unsigned i = 0; i < 4; i++) {
        stamma_setup alone = *setup;
        memset(alone.castling, STAMMA_SQUARE_NONE, sizeof alone.castling);
        alone.castling[i >> 1][i & 1] = setup->castling[i >> 1][i & 1];
        if (stamma_setup_problems(&alone) & STAMMA_SETUP_CASTLING)
            setup->castling[i >> 1][i & 1] = STAMMA_SQUARE_NONE;
    }
}

stamma_error stamma_fen_set_up(stamma_setup *setup, stamma_position *position, unsigned *problems)
{
    unsigned found = stamma_setup_problems(setup);
    if (problems)
        *problems = found;
    if (found & STAMMA_SETUP_CASTLING)
        drop_false_rights(setup);
    if (found & STAMMA_SETUP_EN_PASSANT)
        setup->en_passant = STAMMA_SQUARE_NONE;
    return stamma_position_set_up(setup, position);
}

/* Reads the clocks, which may be missing, up to the end of the text. */
static bool read_clocks(text_cursor *c, stamma_setup *setup)
{
    if (c->at < c->end && !stamma_fen_read_clock(c, &setup->halfmove_clock))
        return false;
    text_skip_blanks(c);
    if (c->at < c->end && !stamma_fen_read_clock(c, &setup->fullmove_number))
        return false;
    text_skip_blanks(c);
    return c->at == c->end;
}

stamma_error stamma_fen_read(stamma_text fen, stamma_position *position, unsigned *problems, size_t *offset)
{
    if (!text_is_given(fen) || !position)
        return STAMMA_ERROR_BAD_ARGUMENT;
    text_cursor c = text_cursor_make(fen);
    stamma_setup setup;
    if (stamma_fen_read_fields(&c, &setup) && read_clocks(&c, &setup))
        return stamma_fen_set_up(&setup, position, problems);
    if (offset)
        *offset = (size_t)(c.at - c.start);
    return STAMMA_ERROR_SYNTAX;
}

/* Returns whether the writer would write `fen`. If not, *same is the number of equal bytes at the start. */
static bool is_written(stamma_text fen, const stamma_position *position, stamma_fen_style style, size_t *same)
{
    char written[STAMMA_FEN_SIZE];
    size_t length = stamma_fen_write(position, style, written, sizeof written);
    *same = 0;
    while (*same < fen.size && *same < length && fen.data[*same] == written[*same])
        ++*same;
    return *same == fen.size && *same == length;
}

/* A FEN is strict if the writer would write it, in either style. */
stamma_error stamma_fen_read_strict(stamma_text fen, stamma_position *position, unsigned *problems, size_t *offset)
{
    if (!text_is_given(fen) || !position)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_position read;
    unsigned found = 0;
    stamma_error error = stamma_fen_read(fen, &read, &found, offset);
    if (error == STAMMA_OK && found != 0)
        error = STAMMA_ERROR_ILLEGAL;
    if (error != STAMMA_ERROR_SYNTAX && problems)
        *problems = found;
    if (error != STAMMA_OK)
        return error;
    size_t standard, shredder;
    if (!is_written(fen, &read, STAMMA_FEN_STANDARD, &standard) &&
        !is_written(fen, &read, STAMMA_FEN_SHREDDER, &shredder)) {
        if (offset)
            *offset = standard > shredder ? standard : shredder;
        return STAMMA_ERROR_SYNTAX;
    }
    *position = read;
    return STAMMA_OK;
}

/* ---- writing ---- */

static char *write_board(const stamma_position *position, char *out)
{
    for (unsigned rank = 8; rank-- > 0;) {
        unsigned next = 0;
        for (uint64_t pieces = position_occupied(position) >> 8 * rank & 255; pieces; pieces = bits_rest(pieces)) {
            unsigned file = bits_first(pieces), square = 8 * rank + file, color = position->by_color[1] >> square & 1;
            *out = (char)('0' + file - next);
            out += file > next;
            *out++ = NOTATION_PIECE_LETTERS[position_type_at(position, square) + 8 * color];
            next = file + 1;
        }
        *out = (char)('0' + 8 - next);
        out += next < 8;
        *out = '/';
        out += rank > 0;
    }
    return out;
}

/* Returns whether no other rook of the colour is farther out on the back rank than the rook with the castling right. */
static bool is_outermost(const stamma_position *position, unsigned color, unsigned side, unsigned rook)
{
    unsigned first = color == STAMMA_WHITE ? 0 : 56, file = rook & 7;
    uint64_t rooks = (position->by_color[color] & position->by_type[STAMMA_ROOK]) >> first & 0xFF;
    uint64_t outer = side == STAMMA_QUEEN_SIDE ? (1u << file) - 1 : 0xFEu << file;
    return (rooks & outer & 0xFF) == 0;
}

static char *write_castling(const stamma_position *position, stamma_fen_style style, char *out)
{
    const char *before = out;
    for (unsigned i = 0; i < 4; i++) {
        unsigned color = i >> 1, side = i & 1;
        unsigned rook = position->castling[color][side];
        if (rook == STAMMA_SQUARE_NONE)
            continue;
        bool by_file = style == STAMMA_FEN_SHREDDER || !is_outermost(position, color, side, rook);
        *out++ = by_file ? (color ? "abcdefgh" : "ABCDEFGH")[rook & 7] : "KQkq"[i];
    }
    if (out == before)
        *out++ = '-';
    return out;
}

size_t stamma_fen_write_fields(const stamma_position *position, stamma_fen_style style, char *out)
{
    char *at = write_board(position, out);
    *at++ = ' ';
    *at++ = position->side == STAMMA_WHITE ? 'w' : 'b';
    *at++ = ' ';
    at = write_castling(position, style, at);
    *at++ = ' ';
    if (position->en_passant == STAMMA_SQUARE_NONE)
        *at++ = '-';
    else
        at = square_write(position->en_passant, at);
    return (size_t)(at - out);
}

size_t stamma_fen_write(const stamma_position *position, stamma_fen_style style, char *out, size_t size)
{
    char text[STAMMA_FEN_SIZE];
    char *at = text + stamma_fen_write_fields(position, style, text);
    *at++ = ' ';
    at = digits_write(position->halfmove_clock, 1, at);
    *at++ = ' ';
    at = digits_write(position->fullmove_number, 1, at);
    return text_give(text, (size_t)(at - text), out, size);
}
