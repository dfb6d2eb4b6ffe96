/* SPDX-License-Identifier: MIT */
/* `huffman-gaps`: the code of `huffman` with separate kings and short codes for long gaps (Wikipedia, "Huffman
 * fine-tuning").
 *
 *     state (8)   mode (2-5)   [white king (6)   black king (6)]   [pieces of the first colour (4)   [no pawns (1)]]
 *     squares   [en passant (3)]   [castling (0-4)]
 *
 * The squares are the squares without kings, from a1 to h8. Gaps on both sides of a king are therefore one gap:
 *
 *     pawn 10c   bishop 1100c   knight 1101c   rook 1110c   queen 1111c          plain: each empty square 0
 *     without pawns:  bishop 100c   knight 101c   rook 110c   queen 111c
 *     with kings:     bishop 100c   knight 101c   rook 110c   queen 1110c   king 1111c
 *
 *     compact gaps:   1 square 0    2-9 00nnn    10-25 00nnn0n if at most 25 squares are left, otherwise 10-41 00nnn0nn
 *
 * A gap ends at a piece, whose code begins with 1. A second 0 therefore distinguishes 00nnn from 0, and a third one
 * distinguishes the longer forms from the short form. These bits are only present if the gap can be that long: at least
 * 2 or at least 10 squares to the end. A gap of more than 41 squares is continued by another gap. A mode is a form of
 * gaps and a form of colours:
 *
 *     00      plain, counted       01    plain, full       10      plain, every colour
 *     11110   compact, counted     1110  compact, full     110     compact, every colour     11111   compact, kings
 *
 * - counted: after the last piece of the first piece's colour, the other pieces have no colour bit. If there are at
 *   most 8 pieces of the first colour, a bit says whether there are no pawns.
 * - full: after a colour has the number of pieces of a type that it has in the initial position, the other pieces of
 *   this type have the other colour. Not for sides with more pieces of a type, which requires promotions.
 * - kings: as full, without pawns, and the kings are among the 64 squares.
 *
 * The shortest mode is used; of equally short modes, the first in this list. Each position therefore has one code.
 * Short codes are assigned to the modes that are shortest most often in games. The mode with plain gaps and every
 * colour must have at most two bits. The code without the side to move then has at most 24 bytes for pieces that a game
 * can lead to: `huffman-gaps-key`. */
#include "encodings/position_codes.h"

enum { GAP_SHORT = 9, GAP_MIDDLE = 25, GAP_MAX = 41, COUNT_WITH_PAWN_BIT = 8 };

enum form { EVERY_COLOR, FULL, COUNTED, KINGS };

typedef struct mode {
    bool compact;
    enum form form;
    uint8_t code, length;
} mode;

enum { MODES = 7 };

static const mode modes[MODES] = {{false, COUNTED, 0, 2},    {false, FULL, 1, 2}, {false, EVERY_COLOR, 2, 2},
                                  {true, EVERY_COLOR, 6, 3}, {true, FULL, 14, 4}, {true, COUNTED, 30, 5},
                                  {true, KINGS, 31, 5}};

/* By stamma_piece_type: the codes without the bit of the colour; with pawns, without pawns, and with kings. */
static const uint8_t codes[3][6] = {{2, 13, 12, 14, 15}, {0, 5, 4, 6, 7}, {0, 5, 4, 6, 14, 15}};
static const uint8_t lengths[3][6] = {{2, 4, 4, 4, 4}, {0, 3, 3, 3, 3}, {0, 3, 3, 3, 4, 4}};

/* The number of pieces of a type that a side has in the initial position, by stamma_piece_type. */
static const uint8_t at_start[6] = {8, 2, 2, 2, 1, 1};

/* The form in which the squares are written or read, and the state. */
typedef struct gaps {
    bool compact;
    enum form form;
    unsigned table;      /* index in `codes` */
    unsigned first;      /* the colour of the first piece */
    unsigned first_left; /* remaining number of pieces of this colour; only if counted */
    unsigned left;       /* number of squares to the end */
    uint8_t met[2][6];   /* pieces so far, by colour and type */
} gaps;

static bool is_full(enum form form)
{
    return form == FULL || form == KINGS;
}

/* Returns the colour that the next piece of a type must have, or 2 if both are possible. */
static unsigned known_color(const gaps *g, unsigned type)
{
    if (g->form == COUNTED && g->first_left == 0)
        return g->first ^ 1;
    for (unsigned color = 0; color < 2 && is_full(g->form); color++)
        if (g->met[color][type] >= at_start[type])
            return color ^ 1;
    return 2;
}

static void meet(gaps *g, unsigned color, unsigned type)
{
    g->first_left -= g->first_left > 0 && color == g->first;
    g->met[color][type]++;
}

/* Writes bits, or only counts them if the writer has no memory. This is used to compare modes. */
static void put(bit_writer *out, uint64_t value, unsigned count)
{
    if (out->data)
        stamma_bits_write(out, value, count);
    else
        out->size += count;
}

/* ---- gaps ---- */

static void write_gap(bit_writer *out, unsigned run, unsigned left)
{
    for (; run > GAP_MAX; run -= GAP_MAX, left -= GAP_MAX)
        put(out, 7 << 3 | 3, 8); /* 00 111 0 11 */
    if (run == 1)
        put(out, 0, 1);
    else if (run >= 2 && run <= GAP_SHORT)
        put(out, run - 2, 5);
    else if (run > GAP_SHORT && left <= GAP_MIDDLE)
        put(out, (run - 10) >> 1 << 2 | ((run - 10) & 1), 7);
    else if (run > GAP_SHORT)
        put(out, (run - 10) >> 2 << 3 | ((run - 10) & 3), 8);
}

/* Reads the next bit if it is 0. */
static bool take_zero(bit_reader *in)
{
    bit_reader ahead = *in;
    if (in->at == in->size || stamma_bits_read(&ahead, 1))
        return false;
    *in = ahead;
    return true;
}

/* Returns the length of a gap whose first 0 has been read. */
static unsigned read_gap(bit_reader *in, unsigned left)
{
    if (left < 2 || !take_zero(in))
        return 1;
    unsigned number = (unsigned)stamma_bits_read(in, 3);
    if (left <= GAP_SHORT || !take_zero(in))
        return number + 2;
    unsigned more = left <= GAP_MIDDLE ? 1 : 2;
    return 10 + (number << more | (unsigned)stamma_bits_read(in, more));
}

/* ---- writing ---- */

static void write_piece(const stamma_position *p, unsigned square, gaps *g, bit_writer *out)
{
    unsigned type = position_type_at(p, square), color = p->by_color[STAMMA_BLACK] >> square & 1;
    put(out, codes[g->table][type], lengths[g->table][type]);
    if (known_color(g, type) > STAMMA_BLACK)
        put(out, color == STAMMA_WHITE, 1);
    meet(g, color, type);
}

static void write_squares(const stamma_position *p, gaps g, bit_writer *out, explanation *parts)
{
    uint64_t apart = g.form == KINGS ? 0 : p->by_type[STAMMA_KING], pieces = position_occupied(p) & ~apart;
    unsigned run = 0;
    for (unsigned square = 0; square < 64; square++) {
        if (apart >> square & 1)
            continue;
        if (pieces >> square & 1) {
            if (g.compact)
                write_gap(out, run, g.left + run);
            EXPLAIN(parts, "%u empty", run);
            write_piece(p, square, &g, out);
            stamma_explain_piece(parts, p, square);
            run = 0;
        } else {
            run++;
            if (!g.compact)
                put(out, 0, 1);
        }
        g.left--;
    }
    if (g.compact)
        write_gap(out, run, run);
    EXPLAIN(parts, "%u empty", run);
}

static void write_kings(const stamma_position *p, bit_writer *out, explanation *parts)
{
    for (unsigned color = 0; color < 2; color++) {
        put(out, position_king(p, color), 6);
        EXPLAIN(parts, "%s king %s", stamma_color_name(color), stamma_square_name(position_king(p, color)).text);
    }
}

static void write_mode(const stamma_position *p, const mode *how, bit_writer *out, explanation *parts)
{
    static const char *const names[] = {"colour bits everywhere", "colour bits until a type is full",
                                        "colour bits until the first colour is counted out",
                                        "no pawns, kings among the squares"};
    enum form form = how->form;
    uint64_t pieces = position_occupied(p) & ~p->by_type[STAMMA_KING];
    gaps g = {.compact = how->compact, .form = form, .table = form == KINGS ? 2 : 0};
    g.left = form == KINGS ? 64 : 62;
    g.first = pieces && p->by_color[STAMMA_BLACK] >> bits_first(pieces) & 1;
    put(out, how->code, how->length);
    EXPLAIN(parts, "%s gaps, %s", how->compact ? "compact" : "plain", names[form]);
    if (form != KINGS)
        write_kings(p, out, parts);
    if (form == COUNTED) {
        g.first_left = bits_count(pieces & p->by_color[g.first]);
        g.table = g.first_left <= COUNT_WITH_PAWN_BIT && !p->by_type[STAMMA_PAWN];
        put(out, g.first_left, 4);
        EXPLAIN(parts, "%u pieces of the first colour", g.first_left);
        put(out, g.table, g.first_left <= COUNT_WITH_PAWN_BIT ? 1 : 0);
        EXPLAIN(parts, g.table ? "no pawns" : "pawns");
    }
    write_squares(p, g, out, parts);
}

/* Returns whether a form can represent a position. */
static bool form_holds(const stamma_position *p, enum form form)
{
    for (unsigned n = 0; n < 10 && is_full(form); n++)
        if (bits_count(position_pieces(p, n / 5, n % 5)) > at_start[n % 5])
            return false;
    return form != KINGS || !p->by_type[STAMMA_PAWN];
}

static void write_shortest(const stamma_position *p, bit_writer *out, explanation *parts)
{
    unsigned best = 0;
    size_t shortest = SIZE_MAX;
    for (unsigned n = 0; n < MODES; n++) {
        bit_writer trial = {NULL, 0, 0, false};
        if (!form_holds(p, modes[n].form))
            continue;
        write_mode(p, &modes[n], &trial, NULL);
        if (trial.size < shortest) {
            shortest = trial.size;
            best = n;
        }
    }
    write_mode(p, &modes[best], out, parts);
}

static stamma_error write_gaps(const stamma_position_codec *codec, const stamma_position *p, bit_writer *out,
                               explanation *parts)
{
    (void)codec;
    if (!stamma_castling_is_standard(p))
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_position_write_state(p, out, parts);
    write_shortest(p, out, parts);
    stamma_position_write_en_passant(p, out, parts);
    stamma_position_write_castling(p, out, parts);
    return STAMMA_OK;
}

/* Which pawns may capture en passant depends on the side to move, which is not part of this code. A right to capture en
 * passant is therefore written at the end, if there is one: 1, the side, the file. */
static stamma_error write_key(const stamma_position_codec *codec, const stamma_position *p, bit_writer *out,
                              explanation *parts)
{
    (void)codec;
    if (!stamma_castling_is_standard(p))
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_bits_write(out, p->halfmove_clock, 7);
    EXPLAIN(parts, "clock %u", p->halfmove_clock);
    write_shortest(p, out, parts);
    stamma_position_write_castling(p, out, parts);
    if (p->en_passant != STAMMA_SQUARE_NONE) {
        stamma_bits_write(out, 16 + (p->side == STAMMA_WHITE ? 8u : 0u) + (p->en_passant & 7u), 5);
        EXPLAIN(parts, "en passant on %s", stamma_square_name(p->en_passant).text);
    }
    return STAMMA_OK;
}

/* ---- reading ---- */

static unsigned read_type(bit_reader *in, unsigned table)
{
    static const uint8_t types[4] = {STAMMA_BISHOP, STAMMA_KNIGHT, STAMMA_ROOK, STAMMA_QUEEN};
    if (table == 0 && !stamma_bits_read(in, 1))
        return STAMMA_PAWN;
    unsigned type = types[stamma_bits_read(in, 2)];
    return table == 2 && type == STAMMA_QUEEN && stamma_bits_read(in, 1) ? STAMMA_KING : type;
}

static bool read_piece(bit_reader *in, gaps *g, bool first_piece, stamma_position *p, unsigned square)
{
    if (first_piece && g->form == COUNTED && g->first_left == 0)
        return false;
    unsigned type = read_type(in, g->table), color = first_piece ? 2 : known_color(g, type);
    if (color > STAMMA_BLACK)
        color = stamma_bits_read(in, 1) ? STAMMA_WHITE : STAMMA_BLACK;
    if (first_piece)
        g->first = color;
    meet(g, color, type);
    position_put(p, color, type, square);
    return !in->failed;
}

static bool read_squares(bit_reader *in, gaps *g, stamma_position *p)
{
    uint64_t rest = ~p->by_type[STAMMA_KING];
    bool first_piece = true;
    while (g->left > 0 && !in->failed) {
        if (stamma_bits_read(in, 1)) {
            if (!read_piece(in, g, first_piece, p, bits_first(rest)))
                return false;
            first_piece = false;
            rest = bits_rest(rest);
            g->left--;
            continue;
        }
        unsigned run = g->compact ? read_gap(in, g->left) : 1;
        if (run > g->left)
            return false;
        for (g->left -= run; run > 0; run--)
            rest = bits_rest(rest);
    }
    return !in->failed;
}

static const mode *read_mode(bit_reader *in)
{
    unsigned n = (unsigned)stamma_bits_read(in, 2);
    while (n >= 3 && n < MODES - 1 && stamma_bits_read(in, 1))
        n++;
    return &modes[n];
}

static bool read_kings(bit_reader *in, stamma_position *p)
{
    unsigned white = (unsigned)stamma_bits_read(in, 6), black = (unsigned)stamma_bits_read(in, 6);
    if (white == black)
        return false;
    position_put(p, STAMMA_WHITE, STAMMA_KING, white);
    position_put(p, STAMMA_BLACK, STAMMA_KING, black);
    return true;
}

static bool read_gaps(bit_reader *in, stamma_position *p)
{
    gaps g = {.left = 62};
    if (!stamma_position_read_state(in, p))
        return false;
    const mode *how = read_mode(in);
    g.compact = how->compact;
    g.form = how->form;
    if (g.form == KINGS)
        g.left = 64, g.table = 2;
    else if (!read_kings(in, p))
        return false;
    if (g.form == COUNTED) {
        g.first_left = (unsigned)stamma_bits_read(in, 4);
        g.table = g.first_left <= COUNT_WITH_PAWN_BIT && stamma_bits_read(in, 1);
    }
    if (!read_squares(in, &g, p) || !stamma_position_read_en_passant(in, p))
        return false;
    stamma_position_read_castling(in, p);
    return true;
}

const stamma_position_codec stamma_position_codec_huffman_gaps = {
    .info = {.name = "huffman-gaps",
             .source = SOURCE_BOARDS,
             .description =
                 "huffman with short codes for gaps, and without kings, colours and pawns where they are known"},
    .write = write_gaps,
    .read = read_gaps,
};

const stamma_position_codec stamma_position_codec_huffman_gaps_key = {
    .info = {.name = "huffman-gaps-key",
             .source = SOURCE_BOARDS,
             .description = "huffman-gaps without the side to move, at most 24 bytes: a key for both sides",
             .is_partial = true},
    .write = write_key,
};
