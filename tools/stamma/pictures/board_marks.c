/* SPDX-License-Identifier: MIT */
/* Arrows, circles and the last move of a picture, from text. */
#include "pictures/board_picture.h"

/* Reads a square at `text`. Returns the number of characters, 2, or 0. */
static size_t read_square(const char *text, stamma_square *square)
{
    if (text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
        return 0;
    *square = (stamma_square)((text[1] - '1') * 8 + text[0] - 'a');
    return 2;
}

/* Reads one mark, which must end at `end`. */
static bool read_mark(const char *text, const char *end, bool arrow, board_mark *mark)
{
    mark->color = 'G';
    if (*text && strchr("GRYB", *text))
        mark->color = *text++;
    size_t first = read_square(text, &mark->from), second = 0;
    mark->to = mark->from;
    if (first && arrow)
        second = read_square(text + first, &mark->to);
    return first && text + first + second == end && (!arrow || (second && mark->from != mark->to));
}

bool board_marks_read(board_picture *p, const char *text, bool arrows, char message[BOARD_MESSAGE])
{
    while (*text) {
        size_t size = strcspn(text, ",");
        if (p->mark_count == BOARD_MARKS) {
            (void)snprintf(message, BOARD_MESSAGE, "more than %d arrows and circles", BOARD_MARKS);
            return false;
        }
        if (!read_mark(text, text + size, arrows, &p->marks[p->mark_count])) {
            (void)snprintf(message, BOARD_MESSAGE, "\"%.*s\" is not %s, after an optional colour G, R, Y or B",
                           (int)(size < 40 ? size : 40), text,
                           arrows ? "an arrow, such as e2e4" : "a square, such as e4");
            return false;
        }
        p->mark_count++;
        text += size + (text[size] == ',');
    }
    return true;
}

bool board_last_read(board_picture *p, const char *text, char message[BOARD_MESSAGE])
{
    size_t first = read_square(text, &p->last[0]);
    size_t second = first ? read_square(text + first, &p->last[1]) : 0;
    const char *rest = text + first + second;
    p->moved = second && (!*rest || (strchr("nbrq", *rest) && !rest[1]));
    if (!p->moved)
        (void)snprintf(message, BOARD_MESSAGE, "\"%.40s\" is not a move, such as e2e4", text);
    return p->moved;
}
