/* `huffman-gaps`: the code of `huffman` with the kings apart and short codes for long gaps (seed 003, "Huffman
 * fine-tuning").
 *
 *     state (8)   white king (6)   black king (6)   compact (1)   counted (1)   [men of the first colour (4)
 *     [no pawns (1)]]   squares   [en passant (3)]   [castling (0-4)]
 *
 * The squares are those without a king, a1 to h8, so that gaps on both sides of a king are one:
 *
 *     pawn 10c   bishop 1100c   knight 1101c   rook 1110c   queen 1111c          plain: each empty square 0
 *     without pawns:  bishop 100c   knight 101c   rook 110c   queen 111c
 *
 *     compact gaps:   1 square 0    2-9 00nnn    10-25 00nnn0n where at most 25 squares are left    10-41 else 00nnn0nn
 *
 * A gap ends at a man, whose code begins with 1, so that a second 0 tells 00nnn from 0, and a third the longer forms
 * from the short one: it is looked for only where there is room for it, at least 2 and at least 10 squares to the end.
 * A gap above 41 goes on with another. `counted`: once all men of the colour of the first man have been, the others
 * need no colour bit; and where they are at most 8, a bit says that there are no pawns. The shortest of the four forms
 * is taken, plain before compact and uncounted before counted, and so one code belongs to each position. Without the
 * side to move it is at most 24 bytes for men that a game leads to: `huffman-gaps-key`. */
#include "codec/codec.h"

enum { SQUARES = 62, GAP_SHORT = 9, GAP_MIDDLE = 25, GAP_MAX = 41, COUNT_WITH_PAWN_BIT = 8 };

/* By stamma_piece_type, without the colour. */
static const uint8_t codes[5] = {2, 13, 12, 14, 15};
static const uint8_t lengths[5] = {2, 4, 4, 4, 4};

/* How the squares are written or read, and where they are. */
typedef struct gaps {
    bool compact, counted, no_pawns;
    unsigned first;      /* the colour of the first man */
    unsigned first_left; /* how many men of that colour are still to come; only when counted */
    unsigned left;       /* squares to the end */
} gaps;

/* ---- gaps ---- */

static void write_gap(bit_writer *out, unsigned run, unsigned left)
{
    for (; run > GAP_MAX; run -= GAP_MAX, left -= GAP_MAX)
        stamma_bits_write(out, 7 << 3 | 3, 8); /* 00 111 0 11 */
    if (run == 1)
        stamma_bits_write(out, 0, 1);
    else if (run >= 2 && run <= GAP_SHORT)
        stamma_bits_write(out, run - 2, 5);
    else if (run > GAP_SHORT && left <= GAP_MIDDLE)
        stamma_bits_write(out, (run - 10) >> 1 << 2 | ((run - 10) & 1), 7);
    else if (run > GAP_SHORT)
        stamma_bits_write(out, (run - 10) >> 2 << 3 | ((run - 10) & 3), 8);
}

/* Takes the next bit where it is 0. */
static bool take_zero(bit_reader *in)
{
    bit_reader ahead = *in;
    if (in->at == in->size || stamma_bits_read(&ahead, 1))
        return false;
    *in = ahead;
    return true;
}

/* The length of a gap, whose first 0 has been read. */
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

static void write_man(const stamma_position *p, unsigned square, gaps *g, bit_writer *out)
{
    unsigned type = position_type_at(p, square), color = p->by_color[STAMMA_BLACK] >> square & 1;
    if (g->no_pawns)
        stamma_bits_write(out, (codes[type] & 3u) | 4u, 3);
    else
        stamma_bits_write(out, codes[type], lengths[type]);
    if (!g->counted || g->first_left > 0)
        stamma_bits_write(out, color == STAMMA_WHITE, 1);
    g->first_left -= g->first_left > 0 && color == g->first;
}

static void write_squares(const stamma_position *p, gaps g, bit_writer *out)
{
    uint64_t kings = p->by_type[STAMMA_KING], men = position_occupied(p) & ~kings;
    unsigned run = 0;
    for (unsigned square = 0; square < 64; square++) {
        if (kings >> square & 1)
            continue;
        if (men >> square & 1) {
            if (g.compact)
                write_gap(out, run, g.left + run);
            write_man(p, square, &g, out);
            run = 0;
        } else {
            run++;
            if (!g.compact)
                stamma_bits_write(out, 0, 1);
        }
        g.left--;
    }
    if (g.compact)
        write_gap(out, run, run);
}

static void write_form(const stamma_position *p, bool compact, bool counted, bit_writer *out)
{
    uint64_t men = position_occupied(p) & ~p->by_type[STAMMA_KING];
    gaps g = {compact, counted, false, men && p->by_color[STAMMA_BLACK] >> bits_first(men) & 1, 0, SQUARES};
    stamma_bits_write(out, compact, 1);
    stamma_bits_write(out, counted, 1);
    if (counted) {
        g.first_left = bits_count(men & p->by_color[g.first]);
        g.no_pawns = g.first_left <= COUNT_WITH_PAWN_BIT && !p->by_type[STAMMA_PAWN];
        stamma_bits_write(out, g.first_left, 4);
        stamma_bits_write(out, g.no_pawns, g.first_left <= COUNT_WITH_PAWN_BIT ? 1 : 0);
    }
    write_squares(p, g, out);
}

static void write_shortest(const stamma_position *p, bit_writer *out)
{
    bool compact = false, counted = false;
    size_t shortest = SIZE_MAX;
    for (unsigned form = 0; form < 4; form++) {
        uint8_t bytes[64];
        bit_writer trial = {bytes, 8 * sizeof bytes, 0, false};
        write_form(p, form / 2, form % 2, &trial);
        if (trial.size < shortest) {
            shortest = trial.size;
            compact = form / 2;
            counted = form % 2;
        }
    }
    write_form(p, compact, counted, out);
}

static void write_kings_and_men(const stamma_position *p, bit_writer *out)
{
    stamma_bits_write(out, position_king(p, STAMMA_WHITE), 6);
    stamma_bits_write(out, position_king(p, STAMMA_BLACK), 6);
    write_shortest(p, out);
}

static stamma_error write_gaps(const stamma_position *p, bit_writer *out)
{
    if (!stamma_castling_is_standard(p))
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_position_write_state(p, out);
    write_kings_and_men(p, out);
    stamma_position_write_en_passant(p, out);
    stamma_position_write_castling(p, out);
    return STAMMA_OK;
}

/* As which pawns may take en passant depends on the side, a right to do so stands at the end, where there is one: 1,
 * the side, the file. */
static stamma_error write_key(const stamma_position *p, bit_writer *out)
{
    if (!stamma_castling_is_standard(p))
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_bits_write(out, p->halfmove_clock, 7);
    write_kings_and_men(p, out);
    stamma_position_write_castling(p, out);
    if (p->en_passant != STAMMA_SQUARE_NONE)
        stamma_bits_write(out, 16 + (p->side == STAMMA_WHITE ? 8u : 0u) + (p->en_passant & 7u), 5);
    return STAMMA_OK;
}

/* ---- reading ---- */

static bool read_man(bit_reader *in, gaps *g, bool first_man, stamma_position *p, unsigned square)
{
    static const uint8_t types[4] = {STAMMA_BISHOP, STAMMA_KNIGHT, STAMMA_ROOK, STAMMA_QUEEN};
    unsigned type = STAMMA_PAWN, color = g->first ^ 1;
    if (g->no_pawns || stamma_bits_read(in, 1))
        type = types[stamma_bits_read(in, 2)];
    if (!g->counted || g->first_left > 0)
        color = stamma_bits_read(in, 1) ? STAMMA_WHITE : STAMMA_BLACK;
    if (first_man)
        g->first = color;
    if (first_man && g->counted && g->first_left == 0)
        return false;
    g->first_left -= g->first_left > 0 && color == g->first;
    position_put(p, color, type, square);
    return !in->failed;
}

static bool read_squares(bit_reader *in, gaps *g, stamma_position *p)
{
    uint64_t rest = ~p->by_type[STAMMA_KING];
    bool first_man = true;
    while (g->left > 0 && !in->failed) {
        if (stamma_bits_read(in, 1)) {
            if (!read_man(in, g, first_man, p, bits_first(rest)))
                return false;
            first_man = false;
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

static bool read_gaps(bit_reader *in, stamma_position *p)
{
    gaps g = {false, false, false, 0, 0, SQUARES};
    if (!stamma_position_read_state(in, p))
        return false;
    unsigned white = (unsigned)stamma_bits_read(in, 6), black = (unsigned)stamma_bits_read(in, 6);
    if (white == black)
        return false;
    position_put(p, STAMMA_WHITE, STAMMA_KING, white);
    position_put(p, STAMMA_BLACK, STAMMA_KING, black);
    g.compact = stamma_bits_read(in, 1);
    g.counted = stamma_bits_read(in, 1);
    if (g.counted)
        g.first_left = (unsigned)stamma_bits_read(in, 4);
    g.no_pawns = g.counted && g.first_left <= COUNT_WITH_PAWN_BIT && stamma_bits_read(in, 1);
    if (!read_squares(in, &g, p) || !stamma_position_read_en_passant(in, p))
        return false;
    stamma_position_read_castling(in, p);
    return true;
}

const stamma_position_codec stamma_position_codec_huffman_gaps = {
    .info = {.name = "huffman-gaps",
             .source = "003",
             .description = "huffman with the kings apart and short codes for gaps, colours and boards without pawns"},
    .write = write_gaps,
    .read = read_gaps,
};

const stamma_position_codec stamma_position_codec_huffman_gaps_key = {
    .info = {.name = "huffman-gaps-key",
             .source = "003",
             .description = "huffman-gaps without the side to move, at most 24 bytes: a key for both sides",
             .is_partial = true},
    .write = write_key,
};
