/* SPDX-License-Identifier: MIT */
/* Draws a board as SVG. A square has a side of 40 units, like the pieces of the page. */
#include "pictures/board_picture.h"
#include "shared/web_files.h"

#include <math.h>
#include <stdarg.h>

#define PIECES "/cm-chessboard/assets/pieces/standard.svg"
#define PLAIN_PIECES "/board/plain.svg"
#define LICENCE                                                                                     \
    "Pieces by Cburnett and Rfc1394 of Wikimedia Commons, modified by Stefan Haack: CC BY-SA 3.0, " \
    "https://creativecommons.org/licenses/by-sa/3.0/"
#define LIGHT "#ece6d9"
#define DARK "#91a69b"
#define LAST "#d8b64a"

enum { SIDE = 40, BOARD = 8 * SIDE };

typedef struct point {
    double x, y;
} point;

static void put(const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    tool_put_string(text);
}

/* Returns the upper left corner of a square. */
static point corner(const board_picture *p, stamma_square square)
{
    int file = square & 7, rank = square >> 3;
    return (point){SIDE * (p->flip ? 7 - file : file), SIDE * (p->flip ? rank : 7 - rank)};
}

static point center(const board_picture *p, stamma_square square)
{
    point c = corner(p, square);
    return (point){c.x + SIDE / 2.0, c.y + SIDE / 2.0};
}

static void put_square(stamma_square square)
{
    put("%c%c", 'a' + (square & 7), '1' + (square >> 3));
}

/* ---- text ---- */

static void put_side(const stamma_position *position, stamma_color color)
{
    static const char *const names[] = {"pawn", "knight", "bishop", "rook", "queen", "king"};
    const char *separator = "";
    for (int type = STAMMA_KING; type >= STAMMA_PAWN; type--)
        for (stamma_square square = 0; square < 64; square++)
            if (stamma_position_piece(position, square) == type + 8 * (int)color) {
                put("%s%s ", separator, names[type]);
                put_square(square);
                separator = ", ";
            }
}

static const char *color_name(char color)
{
    return color == 'R' ? "red" : color == 'Y' ? "yellow" : color == 'B' ? "blue" : "green";
}

static void put_mark_words(const board_mark *mark)
{
    put(" %s %s ", color_name(mark->color), mark->from == mark->to ? "circle" : "arrow");
    put_square(mark->from);
    if (mark->from == mark->to)
        return;
    tool_put_string(" to ");
    put_square(mark->to);
}

/* Describes the picture for those who do not see it. */
static void put_words(const board_picture *p)
{
    put("%s to move. White: ", p->position.side == STAMMA_WHITE ? "White" : "Black");
    put_side(&p->position, STAMMA_WHITE);
    tool_put_string(". Black: ");
    put_side(&p->position, STAMMA_BLACK);
    tool_put_char('.');
    if (p->moved) {
        tool_put_string(" Last move: ");
        put_square(p->last[0]);
        tool_put_string(" to ");
        put_square(p->last[1]);
        tool_put_char('.');
    }
    for (size_t i = 0; i < p->mark_count; i++) {
        tool_put_string(i == 0 ? " Marks:" : ",");
        put_mark_words(&p->marks[i]);
    }
    tool_put_string(p->mark_count > 0 ? "." : "");
}

/* ---- pieces ---- */

/* Returns a file of the page, which ends with a NUL; NULL if it is not in this build. */
static const char *find_file(const char *path)
{
    for (const tool_web_file *file = tool_web_files; file->path; file++)
        if (strcmp(file->path, path) == 0)
            return (const char *)file->bytes;
    return NULL;
}

/* Returns the end of the group that begins at `text`. */
static const char *group_end(const char *text)
{
    for (int depth = 0;;) {
        const char *open = strstr(text + 1, "<g"), *close = strstr(text + 1, "</g>");
        if (!close)
            return NULL;
        if (open && open < close) {
            depth++;
            text = open;
        } else if (depth-- == 0) {
            return close + strlen("</g>");
        } else {
            text = close;
        }
    }
}

/* Puts markup without the ids of its parts, which several pieces share, with single blanks and two decimals. */
static void put_markup(const char *text, const char *end)
{
    while (text < end) {
        size_t blanks = strspn(text, " \n\r\t");
        text += blanks;
        size_t decimals = strspn(text + 1, "0123456789");
        if (blanks > 0 && strncmp(text, "id=\"", 4) == 0) {
            text = strchr(text + 4, '"') + 1;
        } else if (*text == '.') {
            tool_put(text, decimals < 2 ? decimals + 1 : 3);
            text += decimals + 1;
        } else {
            if (blanks > 0 && !strchr("<>/", *text))
                tool_put_char(' ');
            tool_put_char(*text++);
        }
    }
}

/* Puts the drawing of a piece as the definition `name`, such as "wk". */
static void put_definition(const char *pieces, const char *name)
{
    char start[16];
    (void)snprintf(start, sizeof start, "<g id=\"%s\"", name);
    const char *group = strstr(pieces, start);
    const char *end = group ? group_end(group) : NULL;
    if (!end)
        return;
    tool_put_string(start);
    put_markup(group + strlen(start), end);
    tool_put_char('\n');
}

static const char *piece_name(stamma_piece piece, char name[3])
{
    name[0] = piece & 8 ? 'b' : 'w';
    name[1] = "pnbrqk"[piece & 7];
    name[2] = 0;
    return name;
}

static void put_definitions(const board_picture *p, const char *pieces)
{
    char name[3];
    bool there[16] = {false};
    for (stamma_square square = 0; square < 64; square++)
        there[stamma_position_piece(&p->position, square)] = true;
    tool_put_string("<defs>\n");
    for (stamma_piece piece = 0; piece < 16; piece++)
        if (there[piece] && piece != STAMMA_PIECE_NONE)
            put_definition(pieces, piece_name(piece, name));
    tool_put_string("</defs>\n");
}

static void put_pieces(const board_picture *p)
{
    char name[3];
    tool_put_string("<g class=\"pieces\">\n");
    for (stamma_square square = 0; square < 64; square++) {
        stamma_piece piece = stamma_position_piece(&p->position, square);
        point at = corner(p, square);
        if (piece != STAMMA_PIECE_NONE)
            put("<use xlink:href=\"#%s\" x=\"%g\" y=\"%g\"/>\n", piece_name(piece, name), at.x, at.y);
    }
    tool_put_string("</g>\n");
}

/* ---- squares ---- */

static void put_last(const board_picture *p)
{
    tool_put_string("<g class=\"last\" fill=\"" LAST "\" fill-opacity=\"0.5\">\n");
    for (int i = 0; i < 2; i++) {
        point at = corner(p, p->last[i]);
        put("<rect x=\"%g\" y=\"%g\" width=\"40\" height=\"40\"/>\n", at.x, at.y);
    }
    tool_put_string("</g>\n");
}

/* Ranks are in the left column, files in the lowest row. Text has a contrast of at least 4.5 to its square. */
static void put_coordinates(const board_picture *p)
{
    tool_put_string("<g class=\"coordinates\" font-family=\"sans-serif\" font-size=\"8.5\" fill=\"#303632\">\n");
    for (int i = 0; i < 8; i++)
        put("<text x=\"2\" y=\"%d\">%d</text>\n", SIDE * i + 9, p->flip ? i + 1 : 8 - i);
    for (int i = 0; i < 8; i++)
        put("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%c</text>\n", SIDE * i + SIDE - 2, BOARD - 3,
            p->flip ? 'h' - i : 'a' + i);
    tool_put_string("</g>\n");
}

static void put_squares(void)
{
    tool_put_string("<rect width=\"320\" height=\"320\" fill=\"" LIGHT "\"/>\n<path fill=\"" DARK "\" d=\"");
    for (int row = 0; row < 8; row++)
        for (int column = 1 - row % 2; column < 8; column += 2)
            put("M%d %dh40v40h-40z", SIDE * column, SIDE * row);
    tool_put_string("\"/>\n");
}

/* ---- arrows and circles ---- */

static const char *color_code(char color)
{
    return color == 'R' ? "#882020" : color == 'Y' ? "#e68f00" : color == 'B' ? "#003088" : "#15781b";
}

/* An arrow is a polygon. `along` and `across` are distances from its tip and from its axis. */
static void put_arrow(const board_picture *p, const board_mark *mark)
{
    enum { START = 12, HEAD = 14, HALF_HEAD = 10, TIP = 3 };
    const double half = 3.2;
    point a = center(p, mark->from), b = center(p, mark->to);
    double length = hypot(b.x - a.x, b.y - a.y);
    double dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
    const struct {
        double along, across;
    } points[] = {{length - START, half},   {TIP + HEAD, half},  {TIP + HEAD, HALF_HEAD}, {TIP, 0},
                  {TIP + HEAD, -HALF_HEAD}, {TIP + HEAD, -half}, {length - START, -half}};
    put("<path fill=\"%s\" d=\"", color_code(mark->color));
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        put("%c%.1f %.1f", i == 0 ? 'M' : 'L', b.x - points[i].along * dx - points[i].across * dy,
            b.y - points[i].along * dy + points[i].across * dx);
    tool_put_string("z\"/>\n");
}

static void put_circle(const board_picture *p, const board_mark *mark)
{
    point c = center(p, mark->from);
    put("<circle cx=\"%g\" cy=\"%g\" r=\"18\" stroke=\"%s\"/>\n", c.x, c.y, color_code(mark->color));
}

static void put_marks(const board_picture *p)
{
    tool_put_string("<g class=\"circles\" fill=\"none\" stroke-width=\"3\" stroke-opacity=\"0.85\">\n");
    for (size_t i = 0; i < p->mark_count; i++)
        if (p->marks[i].from == p->marks[i].to)
            put_circle(p, &p->marks[i]);
    tool_put_string("</g>\n<g class=\"arrows\" fill-opacity=\"0.8\">\n");
    for (size_t i = 0; i < p->mark_count; i++)
        if (p->marks[i].from != p->marks[i].to)
            put_arrow(p, &p->marks[i]);
    tool_put_string("</g>\n");
}

/* ---- the picture ---- */

static void put_head(const board_picture *p, bool licensed)
{
    char fen[STAMMA_FEN_SIZE];
    (void)stamma_fen_write(&p->position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%" PRIu64
        "\" height=\"%" PRIu64 "\" viewBox=\"0 0 320 320\" role=\"img\">\n<title>",
        p->size, p->size);
    put_words(p);
    put("</title>\n<desc>FEN: %s.%s</desc>\n", fen, licensed ? " " LICENCE : "");
}

void board_picture_put(const board_picture *p)
{
    const char *pieces = find_file(PIECES);
    put_head(p, pieces != NULL);
    put_definitions(p, pieces ? pieces : find_file(PLAIN_PIECES));
    put_squares();
    if (p->moved)
        put_last(p);
    if (!p->plain)
        put_coordinates(p);
    put_pieces(p);
    if (p->mark_count > 0)
        put_marks(p);
    tool_put_string("</svg>\n");
}
