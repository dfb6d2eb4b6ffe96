/* SPDX-License-Identifier: MIT */
/* Fuzz target: reading FEN and EPD. Every position that is read must be legal, and must read back unchanged after
 * writing. */
#include <stdlib.h>
#include <string.h>

#include "stamma.h"
#include "target.h"

static void check(const stamma_position *position)
{
    stamma_setup setup = stamma_position_setup(position);
    demand(stamma_setup_problems(&setup) == 0);
    for (int style = STAMMA_FEN_STANDARD; style <= STAMMA_FEN_SHREDDER; style++) {
        char fen[STAMMA_FEN_SIZE];
        stamma_text text = {fen, stamma_fen_write(position, (stamma_fen_style)style, fen, sizeof fen)};
        stamma_position again;
        demand(text.size < sizeof fen);
        demand(stamma_fen_read_strict(text, &again, NULL, NULL) == STAMMA_OK);
        demand(memcmp(&again, position, sizeof again) == 0);
    }
}

const work_limit fuzz_limit = {.fixed = 5000, .per_byte = 2500};

void fuzz_input(const uint8_t *data, size_t size)
{
    stamma_text text = {(const char *)data, size}, operations, opcode, operands;
    stamma_position position;
    unsigned problems = 0;
    size_t offset = 0;
    stamma_error error = stamma_fen_read(text, &position, &problems, &offset);
    demand(offset <= size && (error != STAMMA_ERROR_ILLEGAL || problems != 0));
    if (error == STAMMA_OK)
        check(&position);
    if (stamma_fen_read_strict(text, &position, NULL, &offset) == STAMMA_OK)
        demand(error == STAMMA_OK);
    if (stamma_epd_read(text, &position, &operations, NULL, &offset) == STAMMA_OK) {
        check(&position);
        demand(operations.size == 0 || operations.data + operations.size <= text.data + size);
        while (stamma_epd_next(&operations, &opcode, &operands))
            demand(opcode.size != 0);
    }
}
