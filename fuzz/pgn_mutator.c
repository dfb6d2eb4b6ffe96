/* SPDX-License-Identifier: MIT */
/* A mutator for PGN. It changes tags, comments, variations, NAGs, words and lines, so that most results still
 * resemble a game. */
#include "mutators.h"

#include <stdbool.h>
#include <string.h>

#include "stamma.h"

typedef struct text {
    uint8_t *data;
    size_t size;
    size_t room;
    uint64_t random;
} text;

typedef struct range {
    size_t begin, end;
} range;

/* ---- replacing text ---- */

/* Replaces a range by bytes, which must not overlap the text. Does nothing if there is not enough room. */
static void put(text *t, range old, const void *bytes, size_t size)
{
    size_t gone = old.end - old.begin;
    if (size > gone && size - gone > t->room - t->size)
        return;
    memmove(t->data + old.begin + size, t->data + old.end, t->size - old.end);
    if (size > 0)
        memcpy(t->data + old.begin, bytes, size);
    t->size = t->size - gone + size;
}

static void put_word(text *t, range old, const char *word)
{
    put(t, old, word, strlen(word));
}

static range at(size_t place)
{
    return (range){place, place};
}

/* ---- finding units ---- */

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Returns the end of a bracketed text that starts at `begin`. Only variations nest. */
static size_t closing(const text *t, size_t begin, uint8_t open, uint8_t close)
{
    size_t depth = 0;
    for (size_t i = begin; i < t->size; i++) {
        depth += t->data[i] == open && (depth == 0 || open == '(');
        depth -= t->data[i] == close;
        if (depth == 0)
            return i + 1;
    }
    return t->size;
}

static range word_at(const text *t, size_t place)
{
    range word = at(place);
    while (word.end < t->size && !is_blank(t->data[word.end]) && !memchr("[]{}()", t->data[word.end], 6))
        word.end++;
    word.end += word.end == word.begin && word.end < t->size;
    return word;
}

/* Returns the unit at a place: a tag, a comment, a variation or a word. */
static range unit_at(const text *t, size_t place)
{
    if (place >= t->size)
        return at(t->size);
    switch (t->data[place]) {
    case '[': return (range){place, closing(t, place, '[', ']')};
    case '{': return (range){place, closing(t, place, '{', '}')};
    case '(': return (range){place, closing(t, place, '(', ')')};
    default: return word_at(t, place);
    }
}

/* Returns the first unit at or after a random place. */
static range any_unit(text *t)
{
    size_t place = draw_below(&t->random, t->size + 1);
    while (place > 0 && place < t->size && !is_blank(t->data[place - 1]) && !memchr("[{(", t->data[place], 3))
        place++;
    while (place < t->size && is_blank(t->data[place]))
        place++;
    return unit_at(t, place);
}

/* ---- texts to insert ---- */

static const char *const tags[] = {"[Event \"Study\"]\n",
                                   "[Site \"https://lichess.org/abcdefgh\"]\n",
                                   "[Date \"2021.01.31\"]\n",
                                   "[Date \"2021.1",
                                   "[Round \"1.2\"]\n",
                                   "[White \"Carlsen, Magnus\"]\n",
                                   "[Black \"\"]\n",
                                   "[Result \"1-0\"]\n",
                                   "[WhiteElo \"2850\"]\n",
                                   "[BlackElo \"-5\"]\n",
                                   "[WhiteRatingDiff \"+7\"]\n",
                                   "[BlackRatingDiff \"-7\"]\n",
                                   "[ECO \"C42\"]\n",
                                   "[Opening \"Italian Game\"]\n",
                                   "[Variation \"Main line\"]\n",
                                   "[TimeControl \"300+3\"]\n",
                                   "[UTCDate \"2021.01.31\"]\n",
                                   "[UTCTime \"23:59:60\"]\n",
                                   "[Termination \"Normal\"]\n",
                                   "[PlyCount \"7\"]\n",
                                   "[SetUp \"1\"]\n",
                                   "[Variant \"Chess960\"]\n",
                                   "[Variant \"Atomic\"]\n",
                                   "[A \"\\\"\\\\\"]\n",
                                   "[  B\t\"x\" ]\n",
                                   "[C \"two\nlines\"]\n",
                                   "[GameId \"0\"]\r\n",
                                   "[Annotator \"\"]",
                                   "[",
                                   "[X",
                                   "[X \"",
                                   "[X \"y\"",
                                   "]"};
static const char *const starts[] = {"4k3/P7/8/8/8/8/8/4K3 w - - 0 25",
                                     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                     "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 99 65535",
                                     "8/8/8/8/8/8/8/8 w - - 0 1",
                                     "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
                                     "4k3/8/8/8/8/8/8/4K3 b - - 0 0",
                                     "k7/8/8/3pP3/8/8/8/K7 w - d6 0 2",
                                     "x",
                                     "QQQQQQQQ/QQQQQQQQ/8/8/8/8/k7/7K w - - 0 1",
                                     "4k3/8/8/8/8/8/8/4K2R w K - 0 70000"};
static const char *const pieces[] = {"{a comment}",
                                     "{}",
                                     "{[%clk 0:03:00]}",
                                     "{[%eval -0.53] [%clk 1:59:59]}",
                                     "{[%emt 0.1]}",
                                     "{+0.31/17 4.2s}",
                                     "{[%eval #-3]}",
                                     "{[%cal Ge2e4,Rd1d8][%csl Ge4]}",
                                     "{ two\nlines }",
                                     "{(",
                                     "{",
                                     "}",
                                     ";rest of a line\n",
                                     "\n%esc\n",
                                     "$1",
                                     "$255",
                                     "$256",
                                     "$0",
                                     "$",
                                     "!",
                                     "?!",
                                     "!!?",
                                     "(",
                                     ")",
                                     "()",
                                     "(1. e4)",
                                     "(1... c5 $6 {why} 2. Nf3)",
                                     "1-0",
                                     "0-1",
                                     "1/2-1/2",
                                     "*",
                                     "e.p.",
                                     "--",
                                     "Z0",
                                     "0000",
                                     "0-0-0",
                                     "O-O",
                                     "O-O+",
                                     "1.",
                                     "1...",
                                     "12.e4",
                                     ".",
                                     "...",
                                     "@",
                                     "<",
                                     ">",
                                     "+",
                                     "#",
                                     "++",
                                     "ep",
                                     "N",
                                     "=",
                                     "=Q",
                                     "x",
                                     "e8=Q",
                                     "e8Q",
                                     "e8(Q)",
                                     "Nge2",
                                     "N1e2",
                                     "e2-e4",
                                     "e2e4",
                                     "\xEF\xBB\xBF",
                                     "\xFF",
                                     "\xC3\xA9",
                                     "\n\n",
                                     "\r\n",
                                     "\r",
                                     "\t",
                                     " ",
                                     "  ",
                                     "\n\n\n"};
static const char *const moves[] = {"e4",   "e5",    "Nf3", "Nc6", "Bb5", "a6", "O-O",  "exd5",   "Qxd5", "Rfe1",
                                    "N3d2", "c8=Q+", "Kd7", "d4",  "Nf6", "h3", "Qh5#", "bxa8=N", "Ke5",  "a1"};
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ANY(t, list) ((list)[draw_below(&(t)->random, COUNT(list))])

/* ---- mutations ---- */

static void add_tag(text *t)
{
    range place = any_unit(t);
    put_word(t, at(draw(&t->random) & 1 ? 0 : place.begin), ANY(t, tags));
}

static void add_start(text *t)
{
    size_t place = draw(&t->random) & 1 ? 0 : any_unit(t).begin;
    put_word(t, at(place), "\"]\n");
    put_word(t, at(place), ANY(t, starts));
    put_word(t, at(place), "[FEN \"");
}

static void add_piece(text *t)
{
    range place = any_unit(t);
    put_word(t, at(place.begin), draw(&t->random) & 1 ? " " : "");
    put_word(t, at(place.begin), ANY(t, pieces));
}

static void change_word(text *t)
{
    put_word(t, any_unit(t), ANY(t, moves));
}

static void delete_unit(text *t)
{
    put(t, any_unit(t), NULL, 0);
}

/* Inserts a copy of one or more consecutive units at another place, or replaces a unit by the copy. */
static void copy_unit(text *t)
{
    uint8_t bytes[4096];
    range from = any_unit(t), to = any_unit(t);
    for (size_t more = draw_below(&t->random, 8); more > 0 && from.end < t->size; more--)
        from.end = unit_at(t, from.end).end;
    size_t size = from.end - from.begin;
    if (size > sizeof bytes)
        return;
    memcpy(bytes, t->data + from.begin, size);
    put(t, draw(&t->random) & 1 ? at(to.begin) : to, bytes, size);
}

static void cut(text *t)
{
    size_t place = draw_below(&t->random, t->size + 1);
    put(t, draw(&t->random) % 4 ? (range){place, t->size} : (range){0, place}, NULL, 0);
}

/* Changes all line ends, or those after a random place. */
static void change_line_ends(text *t)
{
    static const char *const ends[] = {"\n", "\r\n", "\r", " ", "\n\n", ""};
    const char *end = ANY(t, ends);
    size_t from = draw(&t->random) & 1 ? 0 : draw_below(&t->random, t->size + 1), changed = 0;
    for (size_t i = from; i < t->size && changed < 500; i++) {
        bool pair = t->data[i] == '\r' && i + 1 < t->size && t->data[i + 1] == '\n';
        if (t->data[i] != '\n' && t->data[i] != '\r')
            continue;
        size_t before = t->size;
        put_word(t, (range){i, i + 1 + pair}, end);
        i += strlen(end) + (t->size == before && strlen(end) == 0) - (strlen(end) > 0);
        changed++;
    }
}

/* Inserts nested variations, with or without the closing brackets. */
static void nest(text *t)
{
    char word[64];
    size_t depth = 1 + draw_below(&t->random, draw(&t->random) % 4 ? 6 : 300), place = any_unit(t).begin;
    const char *move = ANY(t, moves);
    bool closes = draw(&t->random) % 4 != 0;
    word[0] = ' ';
    word[1] = '(';
    memcpy(word + 2, move, strlen(move) + 1);
    for (size_t i = 0; i < depth && closes; i++)
        put_word(t, at(place), ")");
    for (size_t i = 0; i < depth; i++)
        put_word(t, at(place), word);
}

/* Changes a number. */
static void change_number(text *t)
{
    static const char *const numbers[] = {"0",     "1",     "00",         "9",          "10",
                                          "99",    "100",   "255",        "256",        "32767",
                                          "65535", "65536", "4294967295", "4294967296", "18446744073709551616",
                                          "007",   "-1",    "+1",         "1e9"};
    size_t place = draw_below(&t->random, t->size);
    while (place < t->size && (t->data[place] < '0' || t->data[place] > '9'))
        place++;
    range number = at(place);
    while (number.end < t->size && t->data[number.end] >= '0' && t->data[number.end] <= '9')
        number.end++;
    if (number.end == number.begin)
        return;
    if (draw(&t->random) & 1)
        put_word(t, number, ANY(t, numbers));
    else
        t->data[number.end - 1] = (uint8_t)('0' + draw_below(&t->random, 10));
}

/* ---- legal moves ---- */

/* Plays the first `words` words outside of brackets that are moves. Returns the position after the last of them;
 * *end is the end of that word. */
static stamma_position follow(const text *t, size_t words, size_t *end)
{
    stamma_position position = stamma_position_start();
    *end = t->size;
    for (size_t i = 0; i < t->size && words > 0;) {
        range unit = unit_at(t, i);
        stamma_text san = {(const char *)t->data + unit.begin, unit.end - unit.begin};
        while (san.size > 0 && ((*san.data >= '0' && *san.data <= '9') || *san.data == '.')) {
            san.data++;
            san.size--;
        }
        stamma_move move;
        if (san.size > 6 && memcmp(san.data, "[FEN \"", 6) == 0) {
            const char *quote = memchr(san.data + 6, '"', san.size - 6);
            stamma_text fen = {san.data + 6, quote ? (size_t)(quote - san.data) - 6 : san.size - 6};
            (void)stamma_fen_read(fen, &position, NULL, NULL);
        } else if (san.size > 0 && stamma_san_read(&position, san, &move) == STAMMA_OK) {
            stamma_position_make(&position, move, &position);
            *end = unit.end;
            words--;
        }
        i = unit.end > i ? unit.end : i + 1;
    }
    return position;
}

/* Inserts some legal moves after a move of the game. */
static void add_legal_moves(text *t)
{
    size_t place;
    stamma_position position = follow(t, draw(&t->random) & 1 ? SIZE_MAX : 1 + draw_below(&t->random, 60), &place);
    for (size_t plies = 1 + draw_below(&t->random, 12); plies > 0; plies--) {
        stamma_move list[STAMMA_MOVES_MAX];
        char san[STAMMA_SAN_SIZE];
        size_t count = stamma_legal_moves(&position, list), before = t->size;
        if (count == 0)
            return;
        stamma_move move = list[draw_below(&t->random, count)];
        (void)stamma_san_write(&position, move, san, sizeof san);
        put_word(t, at(place), " ");
        put_word(t, at(place + (t->size - before)), san);
        place += t->size - before;
        stamma_position_make(&position, move, &position);
    }
}

static void change_bytes(text *t)
{
    t->size = LLVMFuzzerMutate(t->data, t->size, t->room);
}

size_t mutate_pgn(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    static void (*const ways[])(text *) = {add_tag,         add_start,     add_piece,   add_piece, change_word,
                                           delete_unit,     delete_unit,   copy_unit,   cut,       nest,
                                           change_number,   change_number, copy_unit,   add_piece, change_line_ends,
                                           add_legal_moves, change_bytes,  change_bytes};
    text t = {data, size, room, draw_from(seed)};
    for (size_t changes = 1 + draw_below(&t.random, 4); changes > 0; changes--)
        ANY(&t, ways)(&t);
    return t.size;
}
