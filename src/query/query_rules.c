/* SPDX-License-Identifier: MIT */
/* The table of rules: the name of each rule, the function that reads its value, and the parts of a game that it
 * needs. */
#include "query/query.h"

#define TAGS STAMMA_GAME_TAGS
#define MOVES STAMMA_GAME_MOVES
#define COMMENTS (STAMMA_GAME_COMMENTS | STAMMA_GAME_VARIATIONS)

#define GAME(kind, name, parts, parser, type) \
    [kind] = {name, kind, QUERY_FORM_VALUES, false, parts, stamma_query_parse_##parser, sizeof(type)}
#define BOARD(kind, name, parser, type) \
    [kind] = {name, kind, QUERY_FORM_VALUES, true, MOVES, stamma_query_parse_##parser, sizeof(type)}
#define PLY(kind, name, parts, parser, type) GAME(kind, name, parts, parser, type)
#define MADE(kind, name, form) [kind] = {name, kind, form, false, 0, NULL, 0}
#define BESIDE(kind, name) [kind] = {name, kind, QUERY_FORM_BESIDE, false, 0, NULL, 0}

const query_rule_type stamma_query_rules[QUERY_KINDS] = {
    GAME(QUERY_PLAYER, "player", TAGS, name, query_pattern),
    GAME(QUERY_WHITE, "white", TAGS, name, query_pattern),
    GAME(QUERY_BLACK, "black", TAGS, name, query_pattern),
    [QUERY_PLAYERS] = {"players", QUERY_PLAYERS, QUERY_FORM_VALUE, false, TAGS, stamma_query_parse_players,
                       sizeof(query_players)},
    GAME(QUERY_EVENT, "event", TAGS, pattern, query_pattern),
    GAME(QUERY_SITE, "site", TAGS, pattern, query_pattern),
    GAME(QUERY_ROUND, "round", TAGS, pattern, query_pattern),
    GAME(QUERY_TIME_CONTROL, "time-control", TAGS, pattern, query_pattern),
    GAME(QUERY_TERMINATION, "termination", TAGS, pattern, query_pattern),
    [QUERY_TAG] = {"tag", QUERY_TAG, QUERY_FORM_VALUE, false, TAGS, NULL, 0},
    GAME(QUERY_ECO, "eco", TAGS, eco, query_eco),
    GAME(QUERY_OPENING, "opening", TAGS | MOVES, opening, query_pattern),
    GAME(QUERY_SPEED, "speed", TAGS, speed, query_word),
    GAME(QUERY_RESULT, "result", TAGS | STAMMA_GAME_RESULT, result, query_word),
    GAME(QUERY_RESULT_TYPE, "result-type", MOVES, result_type, query_word),
    GAME(QUERY_RATING, "rating", TAGS, range, query_range),
    GAME(QUERY_WHITE_RATING, "white-rating", TAGS, range, query_range),
    GAME(QUERY_BLACK_RATING, "black-rating", TAGS, range, query_range),
    GAME(QUERY_EACH_RATING, "each-rating", TAGS, range, query_range),
    GAME(QUERY_RATING_DIFFERENCE, "rating-difference", TAGS, range, query_range),
    GAME(QUERY_DATE, "date", TAGS, date, query_range),
    GAME(QUERY_PLIES, "plies", 0, range, query_range),
    GAME(QUERY_COMMENT, "comment", COMMENTS, comment, query_pattern),
    GAME(QUERY_FLAG, "flag", 0, flag, query_word),
    GAME(QUERY_HAS, "has", 0, has, query_word),
    BOARD(QUERY_FEN, "fen", fen, query_fen),
    BOARD(QUERY_SUB_FEN, "sub-fen", sub_fen, query_sub_fen),
    BOARD(QUERY_MATERIAL, "material", material, query_material),
    BOARD(QUERY_IMBALANCE, "imbalance", imbalance, query_imbalance),
    BOARD(QUERY_PAWNS, "pawns", pawns, query_pawns),
    BOARD(QUERY_COUNT, "count", count, query_count),
    BOARD(QUERY_PASSED, "passed", pawn_counts, query_pawn_counts),
    BOARD(QUERY_ISOLATED, "isolated", pawn_counts, query_pawn_counts),
    BOARD(QUERY_DOUBLED, "doubled", pawn_counts, query_pawn_counts),
    BOARD(QUERY_CONNECTED, "connected", pawn_counts, query_pawn_counts),
    BOARD(QUERY_ATTACKS, "attacks", attacks, query_attacks),
    BOARD(QUERY_PINNED, "pinned", pieces, query_word),
    BOARD(QUERY_BALANCE, "balance", range, query_range),
    BOARD(QUERY_POINTS, "points", points, query_pawn_counts),
    BOARD(QUERY_DIFFERENCE, "difference", difference, query_difference),
    PLY(QUERY_OPPOSITE_BISHOPS, "opposite-bishops", MOVES, truth, query_word),
    BOARD(QUERY_ATTACKERS, "attackers", attackers, query_attackers),
    BOARD(QUERY_RAY, "ray", ray, query_ray),
    BOARD(QUERY_BATTERY, "battery", pieces, query_word),
    PLY(QUERY_CHECK, "check", MOVES, truth, query_word),
    PLY(QUERY_MATE, "mate", MOVES, truth, query_word),
    PLY(QUERY_STALEMATE, "stalemate", MOVES, truth, query_word),
    BOARD(QUERY_SIDE_TO_MOVE, "side-to-move", color, query_word),
    PLY(QUERY_PLY, "ply", STAMMA_GAME_MOVES, range, query_range),
    PLY(QUERY_MOVE_NUMBER, "move-number", MOVES, range, query_range),
    PLY(QUERY_HALFMOVE_CLOCK, "halfmove-clock", MOVES, range, query_range),
    PLY(QUERY_REPETITION, "repetition", MOVES, range, query_range),
    BOARD(QUERY_PATH, "path", path, query_path),
    BOARD(QUERY_MOVE, "move", move, query_move),
    BOARD(QUERY_WHITE_MOVE, "white-move", move, query_move),
    BOARD(QUERY_BLACK_MOVE, "black-move", move, query_move),
    PLY(QUERY_MOVED, "moved", MOVES, types, query_word),
    PLY(QUERY_CAPTURED, "captured", MOVES, types, query_word),
    PLY(QUERY_PROMOTED, "promoted", MOVES, types, query_word),
    PLY(QUERY_CASTLING, "castling", MOVES, castling, query_word),
    PLY(QUERY_EN_PASSANT, "en-passant", MOVES, truth, query_word),
    BOARD(QUERY_BY, "by", color, query_word),
    PLY(QUERY_MOVER_BALANCE, "mover-balance", MOVES, range, query_range),
    PLY(QUERY_EVALUATION, "evaluation", STAMMA_GAME_EVALUATIONS | MOVES, thousandths, query_range),
    PLY(QUERY_SWING, "swing", STAMMA_GAME_EVALUATIONS | MOVES, thousandths, query_range),
    PLY(QUERY_MOVER_SWING, "mover-swing", STAMMA_GAME_EVALUATIONS | MOVES, thousandths, query_range),
    PLY(QUERY_CLOCK, "clock", STAMMA_GAME_CLOCKS, thousandths, query_range),
    PLY(QUERY_NAG, "nag", STAMMA_GAME_NAGS, nag, query_range),
    PLY(QUERY_PLY_COMMENT, "ply-comment", STAMMA_GAME_COMMENTS, comment, query_pattern),
    [QUERY_PASS] = {"pass", QUERY_PASS, QUERY_FORM_VALUE, false, 0, NULL, 0},
    MADE(QUERY_ALL, "all", QUERY_FORM_CONDITIONS),
    MADE(QUERY_ANY, "any", QUERY_FORM_CONDITIONS),
    MADE(QUERY_NOT, "not", QUERY_FORM_CONDITION),
    MADE(QUERY_NEVER, "never", QUERY_FORM_CONDITION),
    MADE(QUERY_FINAL, "final", QUERY_FORM_CONDITION),
    MADE(QUERY_SEQUENCE, "sequence", QUERY_FORM_CONDITIONS),
    MADE(QUERY_STREAK, "streak", QUERY_FORM_CONDITIONS),
    BESIDE(QUERY_FLIPCOLOR, "flipcolor"),
    BESIDE(QUERY_MIRROR, "mirror"),
    BESIDE(QUERY_SHIFT, "shift"),
    BESIDE(QUERY_IGNORE_CASTLING, "ignore-castling"),
    BESIDE(QUERY_IGNORE_EN_PASSANT, "ignore-en-passant"),
    BESIDE(QUERY_GAP, "gap"),
    BESIDE(QUERY_FOR, "for"),
    BESIDE(QUERY_OFFSET, "offset"),
    BESIDE(QUERY_LIMIT, "limit"),
    BESIDE(QUERY_ALL_MATCHES, "all-matches"),
    BESIDE(QUERY_VARIATIONS, "variations"),
};

size_t stamma_rule_tags(query_kind kind, stamma_text names[RULE_TAGS_MAX])
{
    static const struct {
        query_kind kind;
        const char *tags[RULE_TAGS_MAX];
    } rules[] = {
        {QUERY_PLAYER, {"White", "Black"}},
        {QUERY_WHITE, {"White", NULL}},
        {QUERY_BLACK, {"Black", NULL}},
        {QUERY_PLAYERS, {"White", "Black"}},
        {QUERY_EVENT, {"Event", NULL}},
        {QUERY_SITE, {"Site", NULL}},
        {QUERY_ROUND, {"Round", NULL}},
        {QUERY_TIME_CONTROL, {"TimeControl", NULL}},
        {QUERY_TERMINATION, {"Termination", NULL}},
        {QUERY_ECO, {"ECO", NULL}},
        {QUERY_OPENING, {"Opening", NULL}},
        {QUERY_SPEED, {"TimeControl", NULL}},
        {QUERY_RESULT, {"Result", NULL}},
        {QUERY_RATING, {"WhiteElo", "BlackElo"}},
        {QUERY_WHITE_RATING, {"WhiteElo", NULL}},
        {QUERY_BLACK_RATING, {"BlackElo", NULL}},
        {QUERY_EACH_RATING, {"WhiteElo", "BlackElo"}},
        {QUERY_RATING_DIFFERENCE, {"WhiteElo", "BlackElo"}},
        {QUERY_DATE, {"Date", "UTCDate"}},
    };
    size_t count = 0;
    for (size_t n = 0; n < sizeof rules / sizeof *rules; n++)
        for (size_t k = 0; k < RULE_TAGS_MAX && rules[n].kind == kind && rules[n].tags[k]; k++)
            names[count++] = (stamma_text){rules[n].tags[k], strlen(rules[n].tags[k])};
    return count;
}
