/* SPDX-License-Identifier: MIT */
/* Tests the explanations of codes: the parts concatenated must equal the code, for every codec and position. Also
 * tests the texts of some parts. */
#include "code_support.h"
#include "encodings/position_codes.h"

typedef struct parts {
    unsigned bits;
    uint64_t value, sum;
    bool terms, whole;
    char text[4096];
} parts;

static void take(void *context, const stamma_code_part *part)
{
    parts *p = context;
    size_t length = strlen(p->text);
    p->whole = p->whole && part->first == p->bits && part->text[0] != 0;
    p->bits += part->bits;
    if (part->bits == 0) {
        p->terms = true;
        p->sum += part->value;
    } else if (part->bits <= 64) {
        p->value = part->bits < 64 ? p->value << part->bits | part->value : part->value;
        p->whole = p->whole && (part->bits == 64 || part->value >> part->bits == 0);
    }
    (void)snprintf(p->text + length, sizeof p->text - length, "%s%u: %s", length ? "; " : "", part->bits, part->text);
}

static void law_of_codec(const stamma_codec *codec, const stamma_position *position, stamma_move move)
{
    stamma_code code;
    parts p = {.whole = true};
    stamma_error error = stamma_codec_encode(codec, position, move, &code);
    assert_int_equal(stamma_codec_explain(codec, position, move, take, &p), error);
    if (error)
        return;
    bool equal = p.terms ? p.bits == 0 && p.sum == code.value : p.bits == code.bits && p.value == code.value;
    if (!equal || !p.whole)
        fail_msg("%s: %u bits %llx, but parts %s", stamma_codec_describe(codec).name, code.bits,
                 (unsigned long long)code.value, p.text);
}

static void law_of_moves(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX + 1];
    size_t count = stamma_legal_moves(position, moves);
    moves[count++] = STAMMA_MOVE_NULL;
    for (size_t index = 0; stamma_codec_at(index); index++)
        for (size_t n = 0; n < count; n++)
            law_of_codec(stamma_codec_at(index), position, moves[n]);
}

static void every_move(void **state)
{
    (void)state;
    each_sample(36, 40, law_of_moves);
    static const char *const positions[] = {
        "4QQQQ/8/k7/8/8/8/7K/qqqq4 w - - 0 1", "NNNNK3/NNNN4/8/8/8/8/4nnnn/3knnnn w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "k7/5p2/8/8/7R/N1N1N3/6P1/R1QR2K1 w - - 0 1"};
    for (size_t n = 0; n < sizeof positions / sizeof *positions; n++) {
        stamma_position position = position_of_fen(positions[n]);
        law_of_moves(&position);
    }
}

/* Collects the parts of a position's code, each of up to 64 bits, and compares them with the code's bits. */
typedef struct position_parts {
    const stamma_position_code *code;
    unsigned bits;
    bool whole;
} position_parts;

static void take_of_position(void *context, const stamma_code_part *part)
{
    position_parts *p = context;
    bit_reader in = {p->code->bytes, p->code->bits, p->bits, false};
    p->whole = p->whole && part->first == p->bits && part->bits > 0 && part->text[0] != 0;
    if (part->bits <= 64)
        p->whole = p->whole && stamma_bits_read(&in, part->bits) == part->value;
    p->bits += part->bits;
}

static void law_of_position(const stamma_position *position)
{
    for (size_t index = 0; stamma_position_codec_at(index); index++) {
        const stamma_position_codec *codec = stamma_position_codec_at(index);
        stamma_position_code code;
        stamma_error error = stamma_position_encode(codec, position, &code);
        position_parts p = {&code, 0, true};
        assert_int_equal(stamma_position_explain(codec, position, take_of_position, &p), error);
        if (!error && (!p.whole || p.bits != code.bits))
            fail_msg("%s: %u of %u bits are explained", stamma_position_codec_describe(codec).name, p.bits, code.bits);
    }
}

static void every_position(void **state)
{
    (void)state;
    each_sample(72, 40, law_of_position);
}

static void says(const char *name, const char *fen, const char *san, const char *expected)
{
    stamma_position position = position_of_fen(fen);
    parts p = {.whole = true};
    assert_int_equal(
        stamma_codec_explain(stamma_codec_find(text_of(name)), &position, move_of_san(&position, san), take, &p),
        STAMMA_OK);
    assert_string_equal(p.text, expected);
}

static void what_they_say(void **state)
{
    (void)state;
    const char *start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const char *promotion = "5r1k/4P3/8/8/8/8/8/K7 w - - 0 1";
    says("move16", start, "e4", "4: double push; 6: origin e2; 6: target e4");
    says("move32", promotion, "exf8=N",
         "10: ordering score; 3: captures: rook; 3: moves: pawn; "
         "4: captures and promotes to a knight; 6: origin e7; 6: target f8");
    says("move12", promotion, "exf8=N", "6: origin e7; 6: target f8, and f5 says: promotes to knight");
    says("enumeration", start, "e4",
         "0: white to move; 0: first of the double pushes; 0: from e2 to e4, number 4 of these");
    says("uci", promotion, "e8=Q", "16: origin; 16: target; 8: promotion");
    says("san", promotion, "exf8=Q+", "8: origin's file; 8: captures; 16: target; 16: promotes; 8: check");
    says("lan", start, "Nf3", "8: piece; 16: origin; 8: goes; 16: target");
    says("direction-target", start, "Nf3", "10: to f3, going NNW");
    says("legal-index-bits", start, "e4", "5: number 11 of 20 legal moves, from 0");
    says("two-index-bits", start, "e4", "4: piece 9 of 16, from 0: pawn on e2; 1: number 1 of 2 destinations, from 0");
    says("bcgn", start, "e4",
         "0: bounds of the pieces of lower types; 0: of the pawns on lower squares: 4 x 12; "
         "0: the move to e4 among those of a pawn on e2");
    says("tarrasch", start, "e4", "4: pawn 4; 2: no promotion; 2: double push");
    says("tarrasch", start, "Nf3", "4: the knights, knight on g1; 1: the second of two; 3: goes NNW");
    says("tojot-split", start, "e4", "4: class 8 of 10, from 0: advances of pawns; 3: pawn 4; 1: double push");
    says("many-queens", "k7/5Q2/8/2Q5/8/1N5N/2P5/1B2KR2 w - - 0 1", "Qff8+",
         "1: a queen; 2: the queen on f7; 5: move 21 on an empty board, from 0");
    says("many-promotions", "k7/5p2/8/8/7R/N1N1N3/6P1/R1QR2K1 w - - 0 1", "Rh7",
         "1: a promoted piece; 3: the rook on h4; 1: along the file; 3: to rank 7");
    says("bcgn", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "Qaxb2#",
         "16: fall-back for bounds sum to more than 256: two bytes: the sum in sixteen bits");
}

/* Explains the string of a game: its front, then each ply. */
static void games(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    stamma_move moves[] = {0x131C, STAMMA_MOVE_NULL};
    uint8_t bytes[STAMMA_CODEC_GAME_SIZE(2)];
    for (size_t index = 0; stamma_codec_at(index); index++) {
        const stamma_codec *codec = stamma_codec_at(index);
        parts p = {.whole = true};
        size_t size = 0;
        stamma_error error = stamma_codec_encode_game(codec, &start, moves, 2, bytes, sizeof bytes, &size, NULL);
        assert_int_equal(stamma_codec_explain_game(codec, &start, moves, 2, take, &p), error);
        assert_true(p.whole);
        if (!error && !p.terms)
            assert_int_equal((p.bits + 7) / 8, size);
        if (!error)
            assert_int_equal(strncmp(p.text, "8: varint ", 10), 0);
    }
    parts p = {.whole = true};
    assert_int_equal(
        stamma_codec_explain_game(stamma_codec_find(text_of("legal-index-bits")), &start, moves, 2, take, &p),
        STAMMA_OK);
    assert_string_equal(p.text, "8: varint 5: twice the number of plies, and null moves are listed; 8: varint 1: null "
                                "moves; 8: varint 1: plies before a null move; 5: number 11 of 20 legal moves, from 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_move),
        cmocka_unit_test(every_position),
        cmocka_unit_test(what_they_say),
        cmocka_unit_test(games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
