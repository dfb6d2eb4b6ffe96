/* SPDX-License-Identifier: MIT */
/* The input of `stamma encode --batch`: lines of positions and moves, or PGN. */
#include "encodings/encode_batch.h"
#include "encodings/survey.h"

#include <ctype.h>
#include <stdarg.h>

enum { LINE_MAX_SIZE = 1 << 26, PIECE = 1 << 16 };

/* A file whose first bytes have been read to find out what it contains. */
typedef struct peeked {
    tool_input *input;
    char bytes[PIECE];
    size_t size, at;
} peeked;

typedef struct lines {
    encode_line line;
    bool (*take)(void *context, encode_line *line);
    void *context;
    bool stopped;
    char *text; /* the line */
    size_t size, space;
} lines;

const char *encode_path_shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

void encode_say_line(const encode_line *line, const char *format, ...)
{
    char place[64], reason[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    (void)snprintf(place, sizeof place, "%s %" PRIu64, line->is_game ? "game" : "line", line->number);
    tool_say(encode_path_shown(line->path), "%s: %s", place, reason);
}

/* ---- PGN ---- */

static ptrdiff_t read_peeked(void *context, void *bytes, size_t size)
{
    peeked *p = context;
    size_t left = p->size - p->at;
    if (left == 0)
        return tool_input_read(p->input, bytes, size);
    size = size < left ? size : left;
    memcpy(bytes, p->bytes + p->at, size);
    p->at += size;
    return (ptrdiff_t)size;
}

static void take_games(void *context, const survey_batch *batch)
{
    lines *l = context;
    for (size_t n = 0; n < batch->game_count && !l->stopped; n++) {
        const survey_game *game = &batch->games[n];
        l->line.number++;
        l->line.start = game->start;
        l->line.moves = batch->moves + game->first;
        l->line.plies = game->plies;
        l->line.is_cut = game->is_cut;
        l->stopped = !l->take(l->context, &l->line);
    }
}

static bool read_pgn(lines *l, peeked *p)
{
    const stamma_input source = {.context = p, .read = read_peeked};
    survey_batch batch = {0};
    l->line.is_game = true;
    const bool done = survey_read_input(&source, &batch, take_games, l);
    survey_batch_free(&batch);
    return done && !l->stopped;
}

/* ---- lines ---- */

/* Returns the end of the FEN at the front of a line: four fields and, if they are numbers, the two clocks. */
static char *fen_end(char *text)
{
    char *end = text;
    for (unsigned field = 0; field < 6; field++) {
        char *word = end + strspn(end, " \t");
        const size_t size = strcspn(word, " \t");
        if (size == 0 || (field >= 4 && strspn(word, "0123456789") != size))
            break;
        end = word + size;
    }
    return end;
}

/* Splits a line into its position and its words. */
static bool split_line(encode_line *line, char *text)
{
    unsigned problems = 0;
    line->words = text;
    line->start = stamma_position_start();
    if (!memchr(text, '/', strcspn(text, " \t")))
        return true;
    char *end = fen_end(text);
    const stamma_text fen = {text, (size_t)(end - text)};
    line->words = end;
    if (stamma_fen_read(fen, &line->start, &problems, NULL) == STAMMA_OK)
        return true;
    encode_say_line(line, "\"%.*s\" is not a position: %s", (int)(fen.size < 100 ? fen.size : 100), text,
                    problems ? stamma_setup_problem_text(problems) : "expected FEN");
    return false;
}

static bool end_line(lines *l)
{
    l->line.number++;
    while (l->size > 0 && isspace((unsigned char)l->text[l->size - 1]))
        l->size--;
    l->text[l->size] = 0;
    l->size = 0;
    if (l->text[0] == '#')
        return true;
    if (!split_line(&l->line, l->text))
        l->line.words = NULL;
    return l->take(l->context, &l->line);
}

static bool add_byte(lines *l, char byte)
{
    if (l->size + 1 >= l->space) {
        if (l->size >= LINE_MAX_SIZE) {
            l->line.number++;
            encode_say_line(&l->line, "longer than %d bytes", LINE_MAX_SIZE);
            return false;
        }
        l->space = l->space ? 2 * l->space : 4096;
        l->text = survey_resize(l->text, l->space, 1);
    }
    l->text[l->size++] = byte;
    return true;
}

static bool read_text(lines *l, peeked *p)
{
    static char piece[PIECE];
    ptrdiff_t got;
    bool good = add_byte(l, '\n'); /* so that the buffer exists */
    l->size = 0;
    while (good && (got = read_peeked(p, piece, sizeof piece)) > 0)
        for (ptrdiff_t n = 0; n < got && good; n++)
            good = piece[n] == '\n' ? end_line(l) : add_byte(l, piece[n]);
    if (good && got < 0)
        return false;
    return good && (l->size == 0 || end_line(l));
}

bool encode_read_lines(const char *path, bool (*take)(void *context, encode_line *line), void *context)
{
    static const char mark[] = "\xEF\xBB\xBF";
    lines l = {.line = {.path = path}, .take = take, .context = context};
    static peeked p;
    p = (peeked){.input = tool_input_open(path, false)};
    if (!p.input)
        return false;
    const ptrdiff_t got = tool_input_read(p.input, p.bytes, sizeof p.bytes);
    p.size = got > 0 ? (size_t)got : 0;
    if (p.size >= 3 && memcmp(p.bytes, mark, 3) == 0)
        p.at = 3;
    size_t first = p.at;
    while (first < p.size && isspace((unsigned char)p.bytes[first]))
        first++;
    const bool is_pgn = first < p.size && p.bytes[first] == '[';
    const bool done = got >= 0 && (is_pgn ? read_pgn(&l, &p) : read_text(&l, &p));
    (void)tool_input_say_skipped(p.input);
    tool_input_close(p.input);
    free(l.text);
    return done;
}
