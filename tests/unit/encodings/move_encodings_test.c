/* SPDX-License-Identifier: MIT */
/* Checks every row of the golden table (generators/golden_codes.py): encodes the move or position, decodes its code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/position_codes.h"
#include "sample_positions.h"

enum { LINE_SIZE = 2048, PLIES_MAX = 64 };

/* fen, move, encoding, bits, code */
typedef struct row {
    char *field[5];
} row;

static bool split(char *line, row *r)
{
    line[strcspn(line, "\n")] = 0;
    for (unsigned n = 0; n < 5; n++) {
        r->field[n] = line;
        line += strcspn(line, "\t");
        if ((*line == '\t') != (n < 4))
            return false;
        *line = 0;
        line += n < 4;
    }
    return true;
}

static void hex_of(const uint8_t *bytes, size_t size, char *out)
{
    for (size_t n = 0; n < size; n++)
        sprintf(out + 2 * n, "%02x", bytes[n]);
    out[2 * size] = 0;
}

static stamma_move move_of_uci(const stamma_position *position, const char *uci)
{
    stamma_move move = STAMMA_MOVE_NULL;
    assert_int_equal(stamma_uci_read(position, text_of(uci), &move), STAMMA_OK);
    return move;
}

static void check_position(const row *r, const stamma_position *position)
{
    const stamma_position_codec *codec = stamma_position_codec_find(text_of(r->field[2]));
    assert_non_null(codec);
    stamma_position_code code;
    stamma_position back, expected = stamma_position_coded(position);
    char text[2 * STAMMA_POSITION_CODE_SIZE + 1] = "";
    if (stamma_position_encode(codec, position, &code) != STAMMA_OK) {
        assert_string_equal(r->field[4], "-");
        return;
    }
    bool is_text = stamma_position_codec_describe(codec).is_text;
    if (is_text)
        memcpy(text, code.bytes, code.bits / 8);
    else
        hex_of(code.bytes, (code.bits + 7) / 8, text);
    assert_string_equal(text, r->field[4]);
    assert_int_equal(code.bits, atoi(r->field[3]));
    if (stamma_position_codec_describe(codec).is_partial)
        return;
    assert_int_equal(stamma_position_decode(codec, &code, &back), STAMMA_OK);
    assert_memory_equal(&back, is_text ? position : &expected, sizeof back);
}

static void check_game(const row *r, const stamma_codec *codec, const stamma_position *start)
{
    stamma_move moves[PLIES_MAX], decoded[PLIES_MAX];
    uint8_t bytes[STAMMA_CODEC_GAME_SIZE(PLIES_MAX)];
    char text[2 * sizeof bytes + 1];
    stamma_position position = *start;
    size_t plies = 0, size = 0, bits = 0, count = 0;
    for (char *word = strtok(r->field[1], " "); word; word = strtok(NULL, " ")) {
        assert_true(plies < PLIES_MAX);
        moves[plies] = move_of_uci(&position, word);
        stamma_position_make(&position, moves[plies++], &position);
    }
    stamma_error error = stamma_codec_encode_game(codec, start, moves, plies, bytes, sizeof bytes, &size, &bits);
    if (error) {
        assert_string_equal(r->field[4], "-");
        return;
    }
    hex_of(bytes, size, text);
    assert_string_equal(text, r->field[4]);
    assert_int_equal(bits, atoi(r->field[3]));
    assert_int_equal(stamma_codec_decode_game(codec, start, bytes, size, decoded, PLIES_MAX, &count), STAMMA_OK);
    assert_int_equal(count, plies);
    assert_memory_equal(decoded, moves, plies * sizeof *moves);
}

static void check_move(const row *r, const stamma_codec *codec, const stamma_position *position)
{
    stamma_codec_info info = stamma_codec_describe(codec);
    stamma_move move = move_of_uci(position, r->field[1]), back = 0x6000;
    stamma_code code;
    char text[32] = "";
    if (stamma_codec_encode(codec, position, move, &code) != STAMMA_OK) {
        assert_string_equal(r->field[4], "-");
        return;
    }
    for (unsigned n = 0; info.is_text && n < code.bits / 8; n++)
        text[n] = (char)(code.value >> (code.bits - 8 * (n + 1)) & 255);
    if (!info.is_text)
        sprintf(text, "%llu", (unsigned long long)code.value);
    assert_string_equal(text, r->field[4]);
    assert_int_equal(code.bits, atoi(r->field[3]));
    if (info.is_partial)
        return;
    assert_int_equal(stamma_codec_decode(codec, position, code, &back), STAMMA_OK);
    assert_int_equal(back, move);
}

static void golden_table(void **state)
{
    (void)state;
    char line[LINE_SIZE];
    size_t rows = 0;
    FILE *table = fopen("tests/data/golden_codes.tsv", "r");
    assert_non_null(table);
    assert_non_null(fgets(line, sizeof line, table)); /* the row of column names */
    for (row r = {{NULL}}; fgets(line, sizeof line, table); rows++) {
        assert_true(split(line, &r));
        stamma_position position = position_of_fen(r.field[0]);
        const stamma_codec *codec = stamma_codec_find(text_of(r.field[2]));
        if (!codec)
            check_position(&r, &position);
        else if (stamma_codec_describe(codec).kind == STAMMA_CODEC_GAME)
            check_game(&r, codec, &position);
        else
            check_move(&r, codec, &position);
    }
    fclose(table);
    assert_true(rows > 1600);
}

/* Names are unique and find their codecs. */
static void names(void **state)
{
    (void)state;
    for (size_t n = 0; stamma_codec_at(n); n++) {
        stamma_text name = text_of(stamma_codec_describe(stamma_codec_at(n)).name);
        assert_ptr_equal(stamma_codec_find(name), stamma_codec_at(n));
        assert_null(stamma_position_codec_find(name));
    }
    assert_null(stamma_codec_find(text_of("")));
    assert_null(stamma_codec_find(text_of("tarr")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_table),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
