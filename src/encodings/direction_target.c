/* SPDX-License-Identifier: MIT */
/* `direction-target`: the target, and the direction in which the piece moves (Chess Programming Wiki). The origin is
 * the square of the first piece found when looking back from the target, or the knight's square. There are 756 pairs of
 * target and direction. With 66 under-promotions there are 822 codes for each side, in ten bits. */
#include "encodings/encodings.h"

enum { PAIRS = 756, CODES = 822, NULL_CODE = 1023 };

static const int8_t compass[16][2] = {{0, 1}, {1, 1}, {1, 0},  {1, -1}, {0, -1},  {-1, -1}, {-1, 0}, {-1, 1},
                                      {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* Returns the direction of a move from one square to another. */
static unsigned direction_of(unsigned from, unsigned target)
{
    int files = (int)(target & 7) - (int)(from & 7), ranks = (int)(target >> 3) - (int)(from >> 3);
    bool knight = files * files + ranks * ranks == 5;
    unsigned direction = knight ? 8 : 0;
    if (!knight)
        files = sign(files), ranks = sign(ranks);
    while (direction < 15 && (compass[direction][0] != files || compass[direction][1] != ranks))
        direction++;
    return direction;
}

/* Returns the origin of the piece that reaches `target` in a direction, or `target` if there is no piece. */
static unsigned look_back(const stamma_position *position, unsigned target, unsigned direction)
{
    uint64_t occupied = position_occupied(position);
    int file = (int)(target & 7), rank = (int)(target >> 3);
    do {
        file -= compass[direction][0];
        rank -= compass[direction][1];
        if (file < 0 || file > 7 || rank < 0 || rank > 7)
            return target;
    } while (direction < 8 && !(occupied >> (rank * 8 + file) & 1));
    return (unsigned)(rank * 8 + file);
}

/* Returns the code of an under-promotion: three for each of 22 ways to the last rank, ordered by target file and
 * then by origin file from the right. */
static unsigned underpromotion_code(stamma_move move)
{
    unsigned target = stamma_move_to(move) & 7, from = stamma_move_from(move) & 7;
    unsigned way = 3 * target + (target + 1 - from); /* 0..23, without 2 and 21, whose origins are off the board */
    return PAIRS + 3 * (way - (way > 2) - (way > 21)) + (unsigned)(stamma_move_promotion(move) - STAMMA_KNIGHT);
}

static stamma_move underpromotion_of(const stamma_position *position, unsigned code)
{
    unsigned way = (code - PAIRS) / 3, promotion = STAMMA_KNIGHT + (code - PAIRS) % 3;
    way += way >= 2;
    way += way >= 21;
    unsigned target = way / 3, from = target + 1 - way % 3;
    bool white = position->side == STAMMA_WHITE;
    return stamma_move_of_squares(position, (white ? 48 : 8) + from, (white ? 56 : 0) + target, promotion);
}

static bool is_underpromotion(stamma_move move)
{
    return stamma_move_is_promotion(move) && stamma_move_promotion(move) != STAMMA_QUEEN;
}

static unsigned code_of(const stamma_position *position, stamma_move move)
{
    if (move == STAMMA_MOVE_NULL)
        return NULL_CODE;
    if (is_underpromotion(move))
        return underpromotion_code(move);
    unsigned target = stamma_target_square(position, move);
    return stamma_direction_numbers[target][direction_of(stamma_move_from(move), target)];
}

static stamma_error write_code(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                               bit_writer *out)
{
    (void)codec;
    stamma_bits_write(out, code_of(position, move), 10);
    return STAMMA_OK;
}

static void explain_code(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e)
{
    (void)codec;
    static const char *const names[] = {"N",   "NE",  "E",   "SE",  "S",   "SW",  "W",   "NW",
                                        "NNE", "ENE", "ESE", "SSE", "SSW", "WSW", "WNW", "NNW"};
    unsigned target = stamma_target_square(position, move), direction = direction_of(stamma_move_from(move), target);
    if (is_underpromotion(move))
        stamma_explain_bits(e, code_of(position, move), 10, "under-promotion on %s from the %c-file to a %s",
                            stamma_square_name(target).text, 'a' + (stamma_move_from(move) & 7),
                            stamma_type_name(stamma_move_promotion(move)));
    else
        stamma_explain_bits(e, code_of(position, move), 10, "to %s, going %s", stamma_square_name(target).text,
                            names[direction]);
}

static stamma_error read_code(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                              stamma_move *move)
{
    (void)codec;
    unsigned code = (unsigned)stamma_bits_read(in, 10);
    stamma_move found = STAMMA_MOVE_NULL;
    bool is_null = code == NULL_CODE && !stamma_position_in_check(position);
    if (code < PAIRS) {
        unsigned target = stamma_direction_pairs[code] >> 4;
        unsigned from = look_back(position, target, stamma_direction_pairs[code] & 15);
        uint64_t pawn = square_bit(from) & position->by_type[STAMMA_PAWN], last_ranks = RANK_1 | RANK_8;
        bool promotes = pawn && (last_ranks >> target & 1);
        found = stamma_move_of_squares(position, from, target, promotes ? STAMMA_QUEEN : STAMMA_PIECE_TYPE_NONE);
    } else if (code < CODES) {
        found = underpromotion_of(position, code);
    }
    if (in->failed || (found == STAMMA_MOVE_NULL && !is_null))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

const stamma_codec stamma_codec_direction_target = {
    .info = {.name = "direction-target",
             .source = SOURCE_WIKI,
             .description = "ten bits: target and direction of the move; the origin is the first piece looking back",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .write = write_code,
    .read = read_code,
    .explain = explain_code,
};
