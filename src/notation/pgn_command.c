/* Clocks and evaluations in comments. Commands are [%clk 0:10:02.5] and [%eval -0.31,20] (PGN supplement "Additional
 * tags and commands", 2001, and the output of Lichess, ChessBase and chess.com). Programs that play engine games write:
 *
 *   cutechess = *BLANK score "/" 1*3DIGIT 1*BLANK 1*6DIGIT ["." 1*DIGIT] "s" [("," / BLANK) anything]
 *   TCEC      = [anything ("," / BLANK)] "wv=" score [("," / BLANK) anything]
 *   score     = ["+" / "-"] (1*7DIGIT "." 2DIGIT / "M" 1*3DIGIT)
 *
 * Cute Chess and fastchess write the first form at the beginning of a comment (ChessGame::evalString,
 * MoveEvaluation::scoreText): the score of the engine that moved, in pawns, or the number of plies to mate. TCEC's
 * builds of Cute Chess write "wv", the score for White. Blanks may be line ends. */
#include "notation/notation.h"

/* Finds the argument of a command. Returns false if there is none. */
static bool find_command(stamma_text comment, const char *name, text_cursor *argument)
{
    size_t size = strlen(name);
    const char *at = comment.size > 0 ? comment.data : "", *end = at + comment.size;
    while ((size_t)(end - at) > size && (at = (const char *)memchr(at, '[', (size_t)(end - at) - size)) != NULL) {
        if (memcmp(at, name, size) == 0 && text_is_blank((unsigned char)at[size])) {
            *argument = text_cursor_make((stamma_text){at + size, (size_t)(end - at) - size});
            text_skip_blanks(argument);
            return true;
        }
        at++;
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

/* Reads a decimal point and digits in units of 1/`units`; further digits are cut off. Returns 0 if there is no point.
 */
static int64_t take_fraction(text_cursor *c, int64_t units)
{
    int64_t fraction = 0;
    if (!text_take(c, '.'))
        return 0;
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

int64_t stamma_comment_clock(stamma_text comment)
{
    text_cursor c;
    if (!find_command(comment, "[%clk", &c))
        return -1;
    int64_t hours = take_digits(&c, 9);
    if (hours < 0 || !text_take(&c, ':'))
        return -1;
    int64_t minutes = take_digits(&c, 2);
    if (minutes < 0 || !text_take(&c, ':'))
        return -1;
    int64_t seconds = take_digits(&c, 2);
    if (seconds < 0)
        return -1;
    int64_t ms = ((hours * 60 + minutes) * 60 + seconds) * 1000 + take_fraction(&c, 1000);
    return is_end(&c) ? ms : -1;
}

/* Reads what follows [%eval, such as -0.31,20]. */
static stamma_evaluation read_command(text_cursor c)
{
    const stamma_evaluation none = {STAMMA_EVALUATION_NONE, 0};
    bool mate = text_take(&c, '#'), negative = text_take(&c, '-');
    if (!negative)
        (void)text_take(&c, '+');
    int64_t number = take_digits(&c, 7);
    if (number < 0 && (mate || text_peek(&c) != '.')) /* ".31" is 0.31 */
        return none;
    number = mate ? number : (number < 0 ? 0 : number) * 100 + take_fraction(&c, 100);
    if (text_take(&c, ',') && take_digits(&c, 9) < 0) /* the depth */
        return none;
    stamma_evaluation found = {mate ? STAMMA_EVALUATION_MATE : STAMMA_EVALUATION_CENTIPAWNS,
                               (int32_t)(negative ? -number : number)};
    return is_end(&c) ? found : none;
}

/* ---- comments of engine games ---- */

/* Reads `score` of the grammar above. The number of moves to mate is half the number of plies, rounded up. */
static stamma_evaluation take_score(text_cursor *c)
{
    const stamma_evaluation none = {STAMMA_EVALUATION_NONE, 0};
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

/* Returns whether a comma, a blank or the end of the comment is next. */
static bool is_parted(const text_cursor *c)
{
    return c->at == c->end || *c->at == ',' || text_is_blank((unsigned char)*c->at);
}

static stamma_evaluation read_beginning(stamma_text comment, stamma_color mover)
{
    const stamma_evaluation none = {STAMMA_EVALUATION_NONE, 0};
    text_cursor c = text_cursor_make(comment);
    text_skip_blanks(&c);
    stamma_evaluation score = take_score(&c);
    if (score.kind == STAMMA_EVALUATION_NONE || !text_take(&c, '/') || take_digits(&c, 3) < 0 ||
        !text_is_blank(text_peek(&c)))
        return none;
    text_skip_blanks(&c);
    if (take_digits(&c, 6) < 0 || (text_take(&c, '.') && take_digits(&c, 6) < 0) || !text_take(&c, 's') ||
        !is_parted(&c))
        return none;
    score.value = mover == STAMMA_WHITE ? score.value : -score.value;
    return score;
}

/* Reads the score after the first "wv=" that begins a word. */
static stamma_evaluation read_white_value(stamma_text comment)
{
    const char *begin = comment.size > 0 ? comment.data : "", *end = begin + comment.size;
    for (const char *at = begin; end - at > 3 && (at = (const char *)memchr(at, 'w', (size_t)(end - at) - 3)); at++) {
        bool key = at == begin || at[-1] == ',' || text_is_blank((unsigned char)at[-1]);
        if (!key || memcmp(at, "wv=", 3) != 0)
            continue;
        text_cursor c = text_cursor_make((stamma_text){at + 3, (size_t)(end - at) - 3});
        stamma_evaluation score = take_score(&c);
        return is_parted(&c) ? score : (stamma_evaluation){STAMMA_EVALUATION_NONE, 0};
    }
    return (stamma_evaluation){STAMMA_EVALUATION_NONE, 0};
}

stamma_evaluation stamma_comment_evaluation(stamma_text comment, stamma_color mover)
{
    text_cursor c;
    if (find_command(comment, "[%eval", &c))
        return read_command(c);
    stamma_evaluation found = read_white_value(comment);
    return found.kind != STAMMA_EVALUATION_NONE ? found : read_beginning(comment, mover);
}
