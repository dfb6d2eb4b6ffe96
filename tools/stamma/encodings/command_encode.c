/* SPDX-License-Identifier: MIT */
/* stamma encode: prints moves and positions in every encoding, and decodes them. */
#include "encodings/encode_batch.h"

static const char about[] =
    "Plays the MOVEs and prints each in every encoding, with its number of bits. A MOVE is SAN,\n"
    "UCI or similar notation, with or without a move number; Z0 is the null move. For a code of\n"
    "complete games, the code of all moves so far is printed in hexadecimal digits. Without a\n"
    "MOVE, the position is printed in every encoding: the number of bits, a colon, and\n"
    "hexadecimal digits.\n\n"
    "--decode NAME decodes. VALUE is a number (decimal, 0x... or 0b... with all its digits), a text\n"
    "for san, lan and uci, the printed code of a position, or with --game the hexadecimal\n"
    "digits of a game. Without --fen, codes that do not depend on a position (enumeration, move16,\n"
    "move32, move14, butterfly) may be those of any move:\n\n"
    "  stamma encode --decode enumeration 32\n\n"
    "--json prints an object a line for each move or position: encoding name to value (null if\n"
    "the encoding cannot represent it); bits: encoding name to number of bits; with --explain,\n"
    "parts: encoding name to a list of first, bits, value and text. A decoded move has uci, san\n"
    "and move16. --tsv prints a line for each encoding: FEN, move (\"-\" for a position; all\n"
    "moves of a game), encoding, bits, and the code as a decimal number, text, or hexadecimal\n"
    "digits; \"-\" if there is none.\n\n"
    "--batch FILE encodes a game per line: PGN, or lines of a FEN, which may be missing, and\n"
    "moves. Prints a line for each: the FEN and a tab if it is not the initial position, and the\n"
    "codes of all moves, separated by blanks; with --as bits, a point is a code without bits. The\n"
    "code of a complete game is hexadecimal digits. An encoding of positions encodes the position\n"
    "after the moves. Several encodings are columns of a table: the FEN, then one for each. A line\n"
    "that cannot be encoded is reported, and its line of output is empty. With --decode NAME, reads\n"
    "such lines of codes and prints the moves in UCI notation, or positions in FEN:\n\n"
    "  stamma encode --batch games.pgn --codec tarrasch >codes.txt\n"
    "  stamma encode --batch codes.txt --decode tarrasch";

/* ---- the command line ---- */

/* Checks that every name is an encoding of the requested kind: of moves or of positions. */
static bool check_names(const char *names, bool of_moves, bool of_positions)
{
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        stamma_text name = {at, strcspn(at, ",")};
        bool moves, positions;
        if (encode_is_group(name, &moves, &positions))
            continue;
        moves = stamma_codec_find(name);
        positions = stamma_position_codec_find(name);
        if (!moves && !positions)
            tool_say("--codec", "there is no encoding \"%.*s\"; stamma encode --list prints them", (int)name.size, at);
        else if (!(moves && of_moves) && !(positions && of_positions))
            tool_say("--codec", "%.*s is an encoding of %s", (int)name.size, at,
                     moves ? "moves: a MOVE is required" : "positions: remove the MOVE");
        else
            continue;
        return false;
    }
    return true;
}

static int run_batch(const encode_form *form, int operands, bool others, const char *from, const char *as,
                     const char *path)
{
    static const char *const names[] = {"numbers", "bits", "bytes"};
    size_t units = 0;
    while (as && units < 3 && strcmp(as, names[units]) != 0)
        units++;
    if (units == 3)
        tool_say("--as", "\"%s\" is unknown; use numbers, bits or bytes", as);
    else if (operands > 0 || others)
        tool_say("--batch", "can be used only with --codec, --decode and --as");
    else
        return encode_batch(form, (encode_units)units, from, path);
    return TOOL_ERROR;
}

int tool_encode(int argc, char **argv)
{
    const char *fen = NULL, *from = NULL, *batch = NULL, *as = NULL;
    bool game = false, lists = false;
    encode_form form = {0};
    const tool_option options[] = {
        {.name = "fen", .value = "FEN", .help = "start position; default: the initial position", .text = &fen},
        {.name = "codec",
         .value = "NAME,...",
         .help = "only these encodings, or a group: moves, positions, all (the default)",
         .text = &form.names},
        {.name = "list",
         .help = "list all encodings: name, description, source (see doc/reference/encodings.md); no source: "
                 "the\nlibrary's own",
         .flag = &lists},
        {.name = "explain", .help = "explain the bits of each code", .flag = &form.explain},
        {.name = "decode",
         .earlier = "from",
         .value = "NAME",
         .help = "decode: the operand is a VALUE of this encoding",
         .text = &from},
        {.name = "game", .help = "with --decode: VALUE is the code of a game", .flag = &game},
        {.name = "batch",
         .value = "FILE",
         .help = "encode or decode a game per line; - is standard input",
         .text = &batch},
        {.name = "as",
         .value = "UNITS",
         .help = "with --batch: codes are numbers (the default), bits, or the bytes of games",
         .text = &as},
        {.name = "json", .help = "print JSON", .flag = &form.json},
        {.name = "tsv", .help = "print tab-separated values", .flag = &form.tsv},
    };
    const tool_usage usage = {"encode", "[MOVE...]", about, options, sizeof options / sizeof *options, 0, -1};
    int operands, status;
    stamma_position position;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!tool_fen_read(fen, &position) ||
        !check_names(form.names, lists || batch || operands > 0, lists || batch || operands == 0))
        return TOOL_ERROR;
    if (form.json && form.tsv) {
        tool_say("encode", "--json and --tsv cannot be used together");
        return TOOL_ERROR;
    }
    if (batch)
        return run_batch(&form, operands, fen || game || form.json || form.tsv || form.explain || lists, from, as,
                         batch);
    if (as) {
        tool_say("--as", "requires --batch");
        return TOOL_ERROR;
    }
    if (from && operands != 1) {
        tool_say("--decode", "requires exactly one VALUE");
        return TOOL_ERROR;
    }
    if (game && !from) {
        tool_say("--game", "requires --decode");
        return TOOL_ERROR;
    }
    if (lists)
        return encode_list(&form);
    if (from)
        return encode_read(from, fen ? &position : NULL, argv[0], game, form.json);
    return operands == 0 ? encode_position(&form, &position) : encode_moves(&form, &position, argv, operands);
}
