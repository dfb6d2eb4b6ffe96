/* The codec room: encodings of moves that need no probabilities. What the rooms above need beyond the public contract
 * stands here. */
#ifndef STAMMA_CODEC_H
#define STAMMA_CODEC_H

#include "board/board.h"

/* ---- what a codec is: the interface of every file of this room ----
 *
 * A codec is a constant of this type. code.c and game_code.c put the public functions on top of it, and the table in
 * src/model/codecs.c lists them all. */
struct stamma_codec {
    stamma_codec_info info;
    bool has_null; /* `write` and `read` know the null move; else games list their null moves in front */

    /* Appends the code of a move. The caller has looked: the move is legal, or (with has_null) the null move outside
     * check. OK, also when the writer has failed; UNSUPPORTED, having written nothing. NULL for STAMMA_CODEC_GAME. */
    stamma_error (*write)(const stamma_position *position, stamma_move move, bit_writer *out);

    /* Reads a code, whatever the bits are, and gives a legal move (with has_null, or the null move outside check).
     * CORRUPT, also when the reader has failed; UNSUPPORTED. */
    stamma_error (*read)(const stamma_position *position, bit_reader *in, stamma_move *move);

    /* Why the position's codes are of the fall-back kind, or NULL. The member is NULL where there is none. */
    const char *(*fallback)(const stamma_position *position);

    /* Whole games; both NULL where they are the codes of the moves one after another. Without has_null, null moves
     * take no room: when writing pass them by, when reading `moves` holds STAMMA_MOVE_NULL in their places (and
     * something else in all others). The caller has not looked: ILLEGAL for a move that is not legal or a null move in
     * check, when reading CORRUPT. Bits that are left over are the caller's to find. */
    stamma_error (*write_game)(const stamma_position *start, const stamma_move *moves, size_t plies, bit_writer *out);
    stamma_error (*read_game)(const stamma_position *start, bit_reader *in, stamma_move *moves, size_t plies);
};

/* Whether a move may be played: legal, or the null move outside check. */
bool stamma_codec_may_play(const stamma_position *position, stamma_move move);

extern const stamma_codec stamma_codec_move16, stamma_codec_butterfly;             /* move16.c */
extern const stamma_codec stamma_codec_legal_index, stamma_codec_legal_index_bits; /* legal_index.c */
extern const stamma_codec stamma_codec_bcgn_square;                                /* bcgn_square.c */

/* ---- legal_index.c ---- */

/* The place of a legal move in canonical order, and in *count how many legal moves there are. A move that is not legal
 * has the place *count. */
size_t stamma_legal_index(const stamma_position *position, stamma_move move, size_t *count);

/* ---- constant tables (target_tables.c), for knight, bishop, rook, queen, king: index piece type - 1 ---- */

/* What the piece attacks from a square on an empty board, as a set and as a list in ascending order that is filled up
 * with STAMMA_SQUARE_NONE. */
extern const uint64_t stamma_empty_attacks[5][64];
extern const uint8_t stamma_empty_targets[5][64][28];

/* ---- bcgn_square.c: one byte a move, the code of archive level 1 (doc/format.md, clause 5.2) ---- */

#define BYTE_CODE_NULL 255

/* The byte of a legal move, or of the null move. UNSUPPORTED where the position has no codes (more than 255 legal
 * moves), ILLEGAL for a null move in check. Other moves that are not legal get any byte, or ILLEGAL: the caller has
 * looked. */
stamma_error stamma_byte_encode(const stamma_position *position, stamma_move move, uint8_t *code);

/* The move of a byte. Never gives any but a legal move, or the null move where it is allowed: CORRUPT for other bytes,
 * UNSUPPORTED as above. */
stamma_error stamma_byte_decode(const stamma_position *position, uint8_t code, stamma_move *move);

#endif
