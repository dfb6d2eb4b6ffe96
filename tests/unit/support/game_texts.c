/* SPDX-License-Identifier: MIT */
/* Makes random games in the layouts of various programs. */
#include "game_texts.h"

#include <stdlib.h>
#include <string.h>

const text_style text_styles[] = {
    {.name = "export",
     .line_end = "\n",
     .wrap = TEXT_TOKENS,
     .width = 79,
     .number_blank = true,
     .comments = true,
     .renumber = true,
     .variations = true,
     .glyphs = true,
     .mate = "#",
     .set_up = true,
     .blank_lines = 1},
    {.name = "python-chess",
     .line_end = "\n",
     .wrap = TEXT_TOKENS,
     .width = 79,
     .number_blank = true,
     .comments = true,
     .inner_blanks = true,
     .renumber = true,
     .variations = true,
     .spaced = true,
     .glyphs = true,
     .mate = "#",
     .set_up = true,
     .blank_lines = 1},
    {.name = "pgn-extract",
     .line_end = "\n",
     .wrap = TEXT_WORDS,
     .width = 75,
     .number_blank = true,
     .comments = true,
     .inner_blanks = true,
     .variations = true,
     .glyphs = true,
     .mate = "#",
     .blank_lines = 1},
    {.name = "ChessBase",
     .line_end = "\r\n",
     .wrap = TEXT_WORDS,
     .width = 80,
     .comments = true,
     .variations = true,
     .glyphs = true,
     .renumber = true,
     .mate = "#",
     .blank_lines = 1},
    {.name = "cutechess",
     .line_end = "\n",
     .wrap = TEXT_MOVES,
     .width = 79,
     .number_blank = true,
     .clocks = true,
     .mate = "#",
     .blank_lines = 1},
    {.name = "lichess",
     .line_end = "\n",
     .wrap = TEXT_LINE,
     .number_blank = true,
     .clocks = true,
     .inner_blanks = true,
     .renumber = true,
     .suffixes = true,
     .mate = "#",
     .blank_lines = 2},
    {.name = "lichess, 2013",
     .line_end = "\n",
     .wrap = TEXT_LINE,
     .number_blank = true,
     .rank_with_file = true,
     .mate = "#",
     .set_up = true,
     .blank_lines = 2},
    {.name = "The Week in Chess",
     .line_end = "\n",
     .wrap = TEXT_NOT_RESULT,
     .width = 80,
     .number_blank = true,
     .mate = "#",
     .blank_lines = 1},
    {.name = "chess.com",
     .line_end = "\n",
     .wrap = TEXT_LINE,
     .number_blank = true,
     .clocks = true,
     .renumber = true,
     .mate = "#",
     .blank_lines = 1},
    {.name = "scid",
     .line_end = "\n",
     .wrap = TEXT_WORDS,
     .width = 75,
     .comments = true,
     .variations = true,
     .renumber = true,
     .glyphs = true,
     .mate = "#",
     .blank_lines = 2},
    {.name = "zeros",
     .line_end = "\r\n",
     .wrap = TEXT_TOKENS,
     .width = 60,
     .zeros = true,
     .mate = "++",
     .blank_lines = 1},
    {.name = "no marks",
     .line_end = "\n",
     .wrap = TEXT_TOKENS,
     .width = 72,
     .no_check = true,
     .no_equals = true,
     .mate = "",
     .blank_lines = 1},
    {.name = "plus",
     .line_end = "\r",
     .wrap = TEXT_TOKENS,
     .width = 72,
     .number_blank = true,
     .mate = "+",
     .set_up = true,
     .blank_lines = 1},
    {.name = "reached",
     .line_end = "\n",
     .wrap = TEXT_REACHED,
     .width = 70,
     .number_blank = true,
     .comments = true,
     .renumber = true,
     .mate = "#",
     .blank_lines = 1},
    {.name = "reached words",
     .line_end = "\n",
     .wrap = TEXT_REACHED_WORDS,
     .width = 70,
     .comments = true,
     .mate = "#",
     .blank_lines = 1},
    {.name = "one line",
     .line_end = "\n",
     .wrap = TEXT_LINE,
     .comments = true,
     .variations = true,
     .suffixes = true,
     .mate = "#",
     .blank_lines = 0},
    {.name = NULL},
};

/* The state of the line being written, and the words of a token that must not be split by a line end. */
typedef struct page {
    listing *out;
    const text_style *style;
    size_t length; /* of the line */
    listing token;
} page;

static void put_token(page *p)
{
    const text_style *s = p->style;
    if (p->token.size == 0)
        return;
    bool reached = s->wrap == TEXT_REACHED || s->wrap == TEXT_REACHED_WORDS;
    bool breaks = s->wrap != TEXT_LINE && (reached ? p->length >= s->width : p->length + 1 + p->token.size > s->width);
    if (p->length > 0)
        list_word(p->out, breaks ? s->line_end : " ");
    p->length = p->length == 0 || breaks ? p->token.size : p->length + 1 + p->token.size;
    list_bytes(p->out, p->token.text, p->token.size);
    p->token.size = 0;
}

/* Writes a space, or a line end if the style allows one here. */
static void blank(page *p, bool before_move, bool in_comment)
{
    text_wrap wrap = p->style->wrap;
    bool keeps = in_comment ? wrap != TEXT_WORDS && wrap != TEXT_REACHED_WORDS : wrap == TEXT_MOVES && !before_move;
    if (keeps)
        list_word(&p->token, " ");
    else
        put_token(p);
}

static const char *const words[] = {"the",  "only",  "move",    "and",      "a",    "mistake", "here", "wins",   "at",
                                    "once", "since", "Black's", "position", "gets", "worse",   "e4",   "(why?)", "??"};

static void put_comment(page *p)
{
    size_t count = 1 + (size_t)random_below(random_below(4) == 0 ? 40 : 5);
    blank(p, false, false);
    list_word(&p->token, p->style->inner_blanks ? "{ " : "{");
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            blank(p, false, true);
        list_word(&p->token, words[random_below(sizeof words / sizeof *words)]);
    }
    list_word(&p->token, p->style->inner_blanks ? " }" : "}");
}

static void put_clock(page *p)
{
    const char *open = p->style->inner_blanks ? "{ " : "{", *close = p->style->inner_blanks ? " }" : "}";
    blank(p, false, false);
    if (p->style->wrap == TEXT_MOVES)
        list_format(&p->token, "{+%u.%02u/%u %u.%us}", (unsigned)random_below(3), (unsigned)random_below(100),
                    (unsigned)random_below(30) + 1, (unsigned)random_below(9), (unsigned)random_below(10));
    else
        list_format(&p->token, "%s[%%clk %u:%02u:%02u]%s", open, (unsigned)random_below(2), (unsigned)random_below(60),
                    (unsigned)random_below(60), close);
}

static void spell(const text_style *s, stamma_move move, char *san)
{
    char *mark = san + strcspn(san, "+#"), *equals = strchr(san, '=');
    if (*mark == '#')
        strcpy(mark, s->mate);
    else if (s->no_check)
        *mark = '\0';
    if (s->no_equals && equals)
        memmove(equals, equals + 1, strlen(equals));
    if (s->rank_with_file && san[1] >= '1' && san[1] <= '8' && san[0] <= 'R') {
        memmove(san + 2, san + 1, strlen(san));
        san[1] = (char)('a' + (stamma_move_from(move) & 7));
    }
    for (char *c = san; s->zeros && *c; c++)
        if (*c == 'O')
            *c = '0';
}

static void put_move(page *p, const stamma_position *position, stamma_move move, bool numbered, bool joined)
{
    char san[STAMMA_SAN_SIZE + 2];
    stamma_san_write(position, move, san, sizeof san);
    spell(p->style, move, san);
    if (!joined)
        blank(p, true, false);
    if (numbered) {
        list_format(&p->token, position->side == STAMMA_WHITE ? "%u." : "%u...", (unsigned)position->fullmove_number);
        if (p->style->number_blank)
            blank(p, false, false);
    }
    list_word(&p->token, san);
}

static bool random_move(const stamma_position *position, stamma_move *move)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    if (count == 0)
        return false;
    *move = moves[random_below(count)];
    return true;
}

/* Writes what may follow a move: glyphs, comments and variations. Returns whether a move number must follow. */
static bool put_remarks(page *p, bool in_variation)
{
    const text_style *s = p->style;
    bool any = false;
    if (s->suffixes && random_below(12) == 0)
        list_word(&p->token, random_below(2) ? "!?" : "?");
    if (s->glyphs && random_below(12) == 0) {
        blank(p, false, false);
        list_format(&p->token, "$%u", 1 + (unsigned)random_below(6));
    }
    if (s->comments && random_below(15) == 0) {
        put_comment(p);
        any = true;
    }
    if (s->clocks && !in_variation) {
        put_clock(p);
        any = true;
    }
    return any;
}

static void put_line(page *p, stamma_position position, unsigned plies, unsigned depth);

static void put_variation(page *p, const stamma_position *before, unsigned depth)
{
    blank(p, false, false);
    list_word(&p->token, "(");
    if (p->style->spaced)
        blank(p, false, false);
    put_line(p, *before, 1 + (unsigned)random_below(6), depth + 1);
    if (p->style->spaced)
        blank(p, false, false);
    list_word(&p->token, ")");
}

static void put_line(page *p, stamma_position position, unsigned plies, unsigned depth)
{
    bool numbered = true, first = true;
    for (unsigned i = 0; i < plies; i++) {
        stamma_position after;
        stamma_move move;
        if (!random_move(&position, &move))
            return;
        put_move(p, &position, move, numbered || position.side == STAMMA_WHITE,
                 first && depth > 0 && !p->style->spaced);
        stamma_position_make(&position, move, &after);
        first = false;
        numbered = put_remarks(p, depth > 0) && p->style->renumber;
        if (p->style->variations && depth < 4 && random_below(25) == 0) {
            put_variation(p, &position, depth);
            numbered = p->style->renumber;
        }
        position = after;
    }
}

static const char *const starts[] = {
    "8/8/4k3/8/8/3K4/P6p/8 w - - 0 31",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 4 8",
    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
};

static void put_tag(listing *to, const text_style *s, const char *name, const char *value)
{
    list_format(to, "[%s \"%s\"]%s", name, value, s->line_end);
}

void list_game(listing *to, const text_style *style)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    static const char *const names[] = {"Stamma, Philipp", "Philidor", "Legal de Kermeur", "La Bourdonnais"};
    const char *result = results[random_below(4)];
    stamma_position position = stamma_position_start();
    put_tag(to, style, "Event", random_below(2) ? "Coffee house" : "?");
    put_tag(to, style, "White", names[random_below(4)]);
    put_tag(to, style, "Black", names[random_below(4)]);
    put_tag(to, style, "Result", result);
    if (style->set_up && random_below(3) == 0) {
        const char *fen = starts[random_below(3)];
        put_tag(to, style, "SetUp", "1");
        put_tag(to, style, "FEN", fen);
        stamma_fen_read((stamma_text){fen, strlen(fen)}, &position, NULL, NULL);
    }
    list_word(to, style->line_end);
    page p = {.out = to, .style = style};
    put_line(&p, position, 1 + (unsigned)random_below(120), 0);
    blank(&p, true, false);
    if (style->wrap == TEXT_NOT_RESULT && p.length > 0)
        list_word(to, " ");
    if (style->wrap == TEXT_NOT_RESULT)
        p.length = 0;
    list_word(&p.token, result);
    put_token(&p);
    for (unsigned i = 0; i <= style->blank_lines; i++)
        list_word(to, style->line_end);
    free(p.token.text);
}

void list_ordered_games(listing *to, unsigned count)
{
    enum { PAWNS = 6 };
    for (unsigned game = 0; game < count; game++) {
        char files[2][PAWNS + 1] = {"abcdef", "abcdef"};
        list_format(to, "[Round \"%u\"]\n\n", game);
        for (unsigned n = 0; n < 2 * PAWNS; n++) {
            char *left = files[n % 2] + n / 2, *next = left + random_below(PAWNS - n / 2);
            list_format(to, "%c%c ", *next, n % 2 ? '6' : '3');
            *next = *left;
        }
        list_word(to, "1-0\n\n");
    }
}
