/* SPDX-License-Identifier: MIT */
/* Times and evaluations in comments (PGN supplement "Additional tags and commands", 2001, and the output of Lichess,
 * ChessBase, chess.com and programs that play engine games):
 *
 *   command   = "[%" name 1*BLANK (time / evaluation) *BLANK "]"
 *   time      = [1*9DIGIT ":" [1*2DIGIT ":"]] 1*9DIGIT [("." / ",") *DIGIT]     after a ":" at most two digits
 *   cutechess = *BLANK score "/" 1*3DIGIT [","] 1*BLANK 1*6DIGIT ["." 1*DIGIT] "s" [("," / BLANK) anything]
 *   TCEC      = [anything ("," / BLANK)] key "=" (score / 1*9DIGIT / time) [("," / BLANK) anything]
 *   score     = ["+" / "-"] (1*7DIGIT "." 2DIGIT / "M" 1*3DIGIT)
 *
 * Cute Chess and fastchess write the second form at the beginning of a comment (ChessGame::evalString,
 * MoveEvaluation::scoreText; some versions of fastchess with the comma): the score of the engine that moved, in pawns,
 * or the number of plies to mate, then the depth and the time for the move. TCEC's builds of Cute Chess write "wv", the
 * score for White, "tl", the time left, and "mt", the time for the move, in thousandths of a second or as a time.
 * Blanks may be line ends. */
#include "notation/notation.h"

/* Moves the cursor to the argument of the next command with a name such as "[%clk". Returns false if there is none. */
static bool next_command(text_cursor *c, const char *name)
{
    const size_t size = strlen(name);
    const char *at = c->at;
    for (; (size_t)(c->end - at) > size && (at = (const char *)memchr(at, '[', (size_t)(c->end - at) - size)); at++) {
        if (memcmp(at, name, size) == 0 && text_is_blank((unsigned char)at[size])) {
            c->at = at + size;
            text_skip_blanks(c);
            return true;
        }
    }
    return false;
}

/* Moves the cursor to the value of the first key, such as "wv=", that begins a word. Returns false if there is none. */
static bool find_key(text_cursor *c, const char *key)
{
    const size_t size = strlen(key);
    const char *at = c->at;
    for (; (size_t)(c->end - at) > size; at++) {
        at = (const char *)memchr(at, key[0], (size_t)(c->end - at) - size);
        if (!at)
            return false;
        const bool begins = at == c->start || at[-1] == ',' || text_is_blank((unsigned char)at[-1]);
        if (begins && memcmp(at, key, size) == 0) {
            c->at = at + size;
            return true;
        }
    }
    return false;
}

/* Reads a number of 1 to `digits` digits. Returns -1 if there is none, or if more digits follow. */
static int64_t take_digits(text_cursor *c, unsigned digits)
{
    int64_t number = 0;
    unsigned count = 0;
    for (; text_is_digit(text_peek(c)) && count < digits; count++)
        number = 10 * number + (*c->at++ - '0');
    return count == 0 || text_is_digit(text_peek(c)) ? -1 : number;
}

/* Reads digits after a decimal point in units of 1/`units`; later digits are ignored. */
static int64_t take_decimals(text_cursor *c, int64_t units)
{
    int64_t fraction = 0;
    for (; text_is_digit(text_peek(c)); c->at++) {
        units /= 10;
        fraction += units * (*c->at - '0');
    }
    return fraction;
}

static bool is_end(text_cursor *c)
{
    text_skip_blanks(c);
    return text_peek(c) == ']';
}

/* Returns whether a comma, a blank or the end of the comment is next. */
static bool is_parted(const text_cursor *c)
{
    return c->at == c->end || *c->at == ',' || text_is_blank((unsigned char)*c->at);
}

/* ---- times ---- */

enum { SECOND = 1000 }; /* in milliseconds */

/* Returns a time in milliseconds, or -1. */
static int64_t take_time(text_cursor *c)
{
    int64_t seconds = take_digits(c, 9);
    for (unsigned n = 0; n < 2 && seconds >= 0 && text_take(c, ':'); n++) {
        const int64_t part = take_digits(c, 2);
        seconds = part < 0 ? -1 : seconds * 60 + part;
    }
    if (seconds < 0)
        return -1;
    const bool point = text_take(c, '.') || text_take(c, ',');
    return seconds * SECOND + (point ? take_decimals(c, SECOND) : 0);
}

/* Returns the time of the first command with a name, or -1. */
static int64_t read_command_time(stamma_text comment, const char *name)
{
    text_cursor c = text_cursor_make(comment);
    while (next_command(&c, name)) {
        text_cursor argument = c;
        const int64_t ms = take_time(&argument);
        if (ms >= 0 && is_end(&argument))
            return ms;
    }
    return -1;
}

/* Returns the time of a key of TCEC, or -1. */
static int64_t read_key_time(stamma_text comment, const char *key)
{
    text_cursor c = text_cursor_make(comment);
    if (!find_key(&c, key))
        return -1;
    text_cursor value = c;
    int64_t ms = take_digits(&value, 9);
    if (ms >= 0 && text_peek(&value) == ':') {
        value = c;
        ms = take_time(&value);
    }
    return is_parted(&value) ? ms : -1;
}

int64_t stamma_clock_read(stamma_text comment)
{
    const int64_t ms = read_command_time(comment, "[%clk");
    return ms >= 0 ? ms : read_key_time(comment, "tl=");
}

/* ---- evaluations ---- */

static const stamma_evaluation none = {STAMMA_EVALUATION_NONE, 0};

/* Reads the text after [%eval, such as -0.31,20]. */
static stamma_evaluation read_command(text_cursor c)
{
    bool mate = text_take(&c, '#'), negative = text_take(&c, '-');
    if (!negative)
        (void)text_take(&c, '+');
    int64_t number = take_digits(&c, 7);
    if (number < 0 && (mate || text_peek(&c) != '.')) /* ".31" is 0.31 */
        return none;
    number = mate ? number : (number < 0 ? 0 : number) * 100;
    if (!mate && text_take(&c, '.'))
        number += take_decimals(&c, 100);
    if (text_take(&c, ',') && take_digits(&c, 9) < 0) /* the depth */
        return none;
    stamma_evaluation found = {mate ? STAMMA_EVALUATION_MATE : STAMMA_EVALUATION_CENTIPAWNS,
                               (int32_t)(negative ? -number : number)};
    return is_end(&c) ? found : none;
}

static stamma_evaluation read_first_command(stamma_text comment)
{
    stamma_evaluation found = none;
    text_cursor c = text_cursor_make(comment);
    while (found.kind == STAMMA_EVALUATION_NONE && next_command(&c, "[%eval"))
        found = read_command(c);
    return found;
}

/* Reads `score` of the grammar above. The number of moves to mate is half the number of plies, rounded up. */
static stamma_evaluation take_score(text_cursor *c)
{
    bool negative = text_take(c, '-');
    if (!negative)
        (void)text_take(c, '+');
    bool mate = text_take(c, 'M');
    int64_t number = take_digits(c, mate ? 3 : 7), hundredths = 0;
    if (!mate &&
        (!text_take(c, '.') || c->end - c->at < 2 || (hundredths = take_digits(c, 2)) < 0 || !text_is_digit(c->at[-2])))
        return none;
    if (number < mate)
        return none;
    number = mate ? (number + 1) / 2 : number * 100 + hundredths;
    return (stamma_evaluation){mate ? STAMMA_EVALUATION_MATE : STAMMA_EVALUATION_CENTIPAWNS,
                               (int32_t)(negative ? -number : number)};
}

/* Reads the beginning of a comment of Cute Chess or fastchess. Returns the score of the engine that moved, and stores
 * the time that the move took. */
static stamma_evaluation read_beginning(stamma_text comment, int64_t *ms)
{
    text_cursor c = text_cursor_make(comment);
    text_skip_blanks(&c);
    const stamma_evaluation score = take_score(&c);
    if (score.kind == STAMMA_EVALUATION_NONE || !text_take(&c, '/') || take_digits(&c, 3) < 0)
        return none;
    (void)text_take(&c, ',');
    if (!text_is_blank(text_peek(&c)))
        return none;
    text_skip_blanks(&c);
    const int64_t seconds = take_digits(&c, 6);
    const bool point = seconds >= 0 && text_take(&c, '.');
    if (seconds < 0 || (point && !text_is_digit(text_peek(&c))))
        return none;
    *ms = seconds * SECOND + (point ? take_decimals(&c, SECOND) : 0);
    return text_take(&c, 's') && is_parted(&c) ? score : none;
}

static stamma_evaluation read_white_value(stamma_text comment)
{
    text_cursor c = text_cursor_make(comment);
    const stamma_evaluation score = find_key(&c, "wv=") ? take_score(&c) : none;
    return is_parted(&c) ? score : none;
}

stamma_evaluation stamma_evaluation_read(stamma_text comment, stamma_color mover)
{
    int64_t ms;
    stamma_evaluation found = read_first_command(comment);
    if (found.kind == STAMMA_EVALUATION_NONE)
        found = read_white_value(comment);
    if (found.kind != STAMMA_EVALUATION_NONE)
        return found;
    found = read_beginning(comment, &ms);
    found.value = mover == STAMMA_WHITE ? found.value : -found.value;
    return found;
}

int64_t stamma_time_spent_read(stamma_text comment)
{
    int64_t ms = read_command_time(comment, "[%emt");
    if (ms >= 0)
        return ms;
    return read_beginning(comment, &ms).kind != STAMMA_EVALUATION_NONE ? ms : read_key_time(comment, "mt=");
}
