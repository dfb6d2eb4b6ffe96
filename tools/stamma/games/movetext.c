/* Removes parts of the movetext of a game, and replaces its termination marker. The text is edited token by token, so
 * that text that is not legal chess stays unchanged. */
#include "games/game_text.h"

/* Lines have at most this number of bytes (PGN standard 4.3). */
enum { LINE_MAX_SIZE = 255 };

/* A token between the last tag and the end of the game. */
typedef struct tool_token {
    size_t begin, end; /* in the text, with brackets and separate marks such as + */
    size_t inner;      /* bytes of the event's text: of a comment, between its brackets */
    stamma_pgn_kind kind;
    uint32_t depth;
    bool black; /* a move number with several dots */
    bool dropped;
    size_t instead_begin, instead_size; /* text of the movetext editor that replaces the token; size 0: none */
} tool_token;

/* ---- tokens ---- */

static void *more_room(void *list, size_t *room, size_t wanted, size_t size)
{
    size_t grown = *room < 64 ? 64 : *room;
    while (grown < wanted)
        grown *= 2;
    void *larger = grown == *room ? list : realloc(list, grown * size);
    if (larger)
        *room = grown;
    return larger;
}

static bool add_token(tool_movetext *m, const stamma_pgn_event *event)
{
    tool_token *tokens = more_room(m->tokens, &m->room, m->count + 1, sizeof *tokens);
    if (!tokens)
        return false;
    m->tokens = tokens;
    const char *dot = event->kind == STAMMA_PGN_MOVE_NUMBER ? memchr(event->text.data, '.', event->text.size) : NULL;
    bool black = dot && event->text.data + event->text.size - dot > 1;
    tokens[m->count++] = (tool_token){.begin = (size_t)event->place.offset,
                                      .inner = event->text.size,
                                      .kind = event->kind,
                                      .depth = event->depth,
                                      .black = black};
    return true;
}

static bool is_white(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Each token ends before the white space before the next one. */
static void end_tokens(tool_movetext *m, stamma_text text, size_t end)
{
    for (size_t n = m->count; n-- > 0; end = m->tokens[n].begin) {
        m->tokens[n].end = end;
        while (m->tokens[n].end > m->tokens[n].begin + 1 && is_white(text.data[m->tokens[n].end - 1]))
            m->tokens[n].end--;
    }
}

/* Reads the tokens of the first game of a text. Returns SAME, OPEN or FAILED. */
static tool_movetext_outcome read_tokens(tool_movetext *m, stamma_text text)
{
    const stamma_pgn_options options = {
        .size = sizeof options, .tokens_only = true, .move_numbers = true, .max_token = text.size + 256};
    stamma_pgn_reader *reader = NULL;
    stamma_pgn_event event = {.kind = STAMMA_PGN_GAME_BEGIN};
    stamma_error error = stamma_pgn_reader_open_memory(text.data, text.size, &options, &reader);
    bool right = true, open = false, in_game = false;
    m->count = 0;
    while (!error && right && !(error = stamma_pgn_reader_next(reader, &event)) && event.kind != STAMMA_PGN_GAME_END &&
           event.kind != STAMMA_PGN_END) {
        open |= event.kind == STAMMA_PGN_ERROR && event.text.size == 0;
        in_game |= event.kind == STAMMA_PGN_GAME_BEGIN;
        if (event.kind == STAMMA_PGN_TAG || event.kind == STAMMA_PGN_GAME_BEGIN)
            m->count = 0; /* what precedes the last tag is not movetext */
        else if (in_game && event.text.size + (event.kind != STAMMA_PGN_ERROR) > 0)
            right = add_token(m, &event);
    }
    if (!error && right)
        end_tokens(m, text, (size_t)event.place.offset);
    stamma_pgn_reader_close(reader);
    return error || !right ? TOOL_MOVETEXT_FAILED : open ? TOOL_MOVETEXT_OPEN : TOOL_MOVETEXT_SAME;
}

/* ---- what is removed ---- */

/* Replaces a token by other text, between the characters of `around`; NULL: none. */
static bool replace(tool_movetext *m, tool_token *t, const char *bytes, size_t size, const char *around)
{
    size_t used = m->comment_size, open = around ? 1 : 0, close = around && around[1] ? 1 : 0;
    char *text = more_room(m->comment, &m->comment_room, used + size + 2, 1);
    if (!text)
        return false;
    m->comment = text;
    if (open)
        text[used] = around[0];
    memmove(text + used + open, bytes, size);
    if (close)
        text[used + open + size] = around[1];
    t->instead_begin = used;
    t->instead_size = open + size + close;
    m->comment_size = used + t->instead_size;
    return true;
}

/* Removes a comment, or commands in it. A comment that has only blanks afterwards is removed. */
static bool strip_comment(tool_movetext *m, tool_token *t, stamma_text text, const tool_movetext_edit *edit,
                          tool_movetext_changes *changes)
{
    bool braces = t->kind == STAMMA_PGN_COMMENT;
    const stamma_text comment = {text.data + t->begin + 1, t->inner};
    if (edit->strip & TOOL_STRIP_COMMENTS) {
        t->dropped = true;
        changes->comments++;
        return true;
    }
    char *rest = malloc(comment.size + 1);
    if (!rest)
        return false;
    size_t removed = 0, blanks = 0, size = tool_strip_comment(comment, edit->strip, rest, &removed);
    while (blanks < size && is_white(rest[blanks]))
        blanks++;
    changes->commands += removed;
    t->dropped = removed > 0 && blanks == size;
    bool right = removed == 0 || t->dropped || replace(m, t, rest, size, braces ? "{}" : ";");
    free(rest);
    return right;
}

static bool set_result(tool_movetext *m, tool_token *t, stamma_text text, const tool_movetext_edit *edit,
                       tool_movetext_changes *changes)
{
    stamma_text old = {text.data + t->begin, t->end - t->begin};
    if (!edit->result || t->depth > 0 ||
        (old.size == edit->result->size && memcmp(old.data, edit->result->data, old.size) == 0))
        return true;
    changes->result = true;
    return replace(m, t, edit->result->data, edit->result->size, NULL);
}

static bool edit_token(tool_movetext *m, tool_token *t, stamma_text text, const tool_movetext_edit *edit,
                       tool_movetext_changes *changes)
{
    if (t->depth > 0 && edit->strip & TOOL_STRIP_VARIATIONS) {
        changes->variations += t->kind == STAMMA_PGN_VARIATION_BEGIN;
        t->dropped = true;
    } else if (t->kind == STAMMA_PGN_COMMENT || t->kind == STAMMA_PGN_LINE_COMMENT) {
        return strip_comment(m, t, text, edit, changes);
    } else if (t->kind == STAMMA_PGN_NAG && edit->strip & TOOL_STRIP_NAGS) {
        changes->nags++;
        t->dropped = true;
    } else if (t->kind == STAMMA_PGN_RESULT) {
        return set_result(m, t, text, edit, changes);
    }
    return true;
}

/* Removes the moves after the last ply that stays, with everything that follows except the termination marker. */
static void cut_plies(tool_movetext *m, uint64_t plies, tool_movetext_changes *changes)
{
    uint64_t ply = 0;
    for (size_t n = 0; n < m->count; n++) {
        tool_token *t = &m->tokens[n];
        bool move = t->depth == 0 && t->kind == STAMMA_PGN_MOVE;
        if (move && ply++ == plies)
            for (size_t k = n; k-- > 0 && m->tokens[k].kind == STAMMA_PGN_MOVE_NUMBER;)
                m->tokens[k].dropped = true;
        changes->plies += move && ply > plies;
        if (ply > plies && !(t->depth == 0 && t->kind == STAMMA_PGN_RESULT))
            t->dropped = true;
    }
}

/* Black's move numbers after comments, variations and NAGs are removed with them: 1. e4 {...} 1... e5. */
static void drop_numbers(tool_movetext *m)
{
    stamma_pgn_kind last = STAMMA_PGN_TAG;
    bool gap = false;
    for (size_t n = 0; n < m->count; n++) {
        tool_token *t = &m->tokens[n];
        if (gap && t->black && (last == STAMMA_PGN_MOVE || last == STAMMA_PGN_NAG))
            t->dropped = true;
        gap = t->dropped;
        if (!t->dropped)
            last = t->kind;
    }
}

static tool_movetext_outcome edit_tokens(tool_movetext *m, stamma_text text, const tool_movetext_edit *edit,
                                         tool_movetext_changes *changes)
{
    bool changed = false;
    m->comment_size = 0;
    *changes = (tool_movetext_changes){.comments = 0};
    cut_plies(m, edit->plies, changes);
    for (size_t n = 0; n < m->count; n++)
        if (!m->tokens[n].dropped && !edit_token(m, &m->tokens[n], text, edit, changes))
            return TOOL_MOVETEXT_FAILED;
    for (size_t n = 0; n < m->count; n++)
        changed |= m->tokens[n].dropped || m->tokens[n].instead_size > 0;
    if (!changed)
        return TOOL_MOVETEXT_SAME;
    drop_numbers(m);
    return TOOL_MOVETEXT_EDITED;
}

/* ---- writing ---- */

/* White space before a token. */
typedef struct gap {
    stamma_text text;
    unsigned lines; /* line ends */
    bool fixed;     /* is written unchanged */
} gap;

typedef struct writing {
    const tool_movetext *m;
    stamma_text text;
    const stamma_output *output;
    const char *line_end;
    size_t width; /* SIZE_MAX: lines are not broken */
    size_t column;
} writing;

static unsigned count_lines(stamma_text text)
{
    unsigned lines = 0;
    for (size_t n = 0; n < text.size; n++)
        lines += text.data[n] == '\n' || (text.data[n] == '\r' && !(n + 1 < text.size && text.data[n + 1] == '\n'));
    return lines;
}

static stamma_text space_before(const writing *w, size_t token)
{
    size_t from = token > 0 ? w->m->tokens[token - 1].end : w->m->tokens[token].begin;
    return (stamma_text){w->text.data + from, w->m->tokens[token].begin - from};
}

/* Returns whether the line end after a token belongs to the token. After an error, it may separate what is not a tag
 * from the movetext. */
static bool ends_line(stamma_pgn_kind kind)
{
    return kind == STAMMA_PGN_LINE_COMMENT || kind == STAMMA_PGN_ESCAPE || kind == STAMMA_PGN_ERROR;
}

/* Returns the white space between two tokens that are now adjacent. `last` is SIZE_MAX before the first token. */
static gap gap_between(const writing *w, size_t last, size_t next)
{
    const tool_token *tokens = w->m->tokens;
    if (last == SIZE_MAX)
        return (gap){.fixed = true};
    const stamma_text after = space_before(w, last + 1), before = space_before(w, next);
    const bool adjacent = next == last + 1, after_line = ends_line(tokens[last].kind) && count_lines(after) > 0;
    gap g = {.text = {" ", 1}};
    if (adjacent || after_line || tokens[last].kind == STAMMA_PGN_VARIATION_BEGIN)
        g.text = after;
    else if (tokens[next].kind == STAMMA_PGN_VARIATION_END)
        g.text = before;
    g.lines = count_lines(g.text);
    if (tokens[next].kind == STAMMA_PGN_ESCAPE && g.lines == 0)
        g = (gap){.text = stamma_text_of(w->line_end), .lines = 1};
    g.fixed = g.lines > 1 || after_line || tokens[next].kind == STAMMA_PGN_ESCAPE;
    return g;
}

static stamma_text token_text(const writing *w, size_t token)
{
    const tool_token *t = &w->m->tokens[token];
    return t->instead_size > 0 ? (stamma_text){w->m->comment + t->instead_begin, t->instead_size}
                               : (stamma_text){w->text.data + t->begin, t->end - t->begin};
}

static size_t next_kept(const writing *w, size_t token)
{
    while (token < w->m->count && w->m->tokens[token].dropped)
        token++;
    return token;
}

static size_t first_line(stamma_text text)
{
    size_t size = 0;
    while (size < text.size && text.data[size] != '\n' && text.data[size] != '\r')
        size++;
    return size;
}

/* Returns the number of bytes from a token to the next white space or line end. */
static size_t word_size(const writing *w, size_t token)
{
    size_t size = 0;
    for (;;) {
        stamma_text text = token_text(w, token);
        size_t line = first_line(text), next = next_kept(w, token + 1);
        size += line;
        if (line < text.size || next == w->m->count || gap_between(w, token, next).text.size > 0)
            return size;
        token = next;
    }
}

static bool put(writing *w, stamma_text text)
{
    size_t last = 0;
    while (last < text.size && text.data[text.size - 1 - last] != '\n' && text.data[text.size - 1 - last] != '\r')
        last++;
    w->column = last < text.size ? last : w->column + last;
    return text.size == 0 || w->output->write(w->output->context, text.data, text.size);
}

/* Writes the white space before a token: a line end if the line has no room for the next word. */
static bool put_gap(writing *w, const gap *g, size_t token)
{
    if (g->fixed || g->text.size == 0 || (w->width == SIZE_MAX && g->lines == 0))
        return put(w, g->text);
    if (w->width < SIZE_MAX && w->column + 1 + word_size(w, token) > w->width)
        return put(w, stamma_text_of(w->line_end));
    return put(w, g->lines > 0 ? (stamma_text){" ", 1} : g->text);
}

/* Finds out how the lines of the old movetext end, and whether they are broken. */
static void measure_lines(writing *w)
{
    size_t begin = w->m->tokens[0].begin, end = w->m->tokens[w->m->count - 1].end, longest = 0;
    bool broken = false;
    for (size_t n = 1; n < w->m->count && !broken; n++)
        broken = count_lines(space_before(w, n)) == 1;
    for (size_t at = begin; at < end;) {
        size_t line = first_line((stamma_text){w->text.data + at, end - at});
        longest = line > longest ? line : longest;
        at += line + 1;
    }
    const char *feed = memchr(w->text.data, '\n', w->text.size);
    w->line_end = feed && feed > w->text.data && feed[-1] == '\r' ? "\r\n" : "\n";
    w->width = !broken ? SIZE_MAX : longest < LINE_MAX_SIZE ? longest : LINE_MAX_SIZE;
}

static bool write_tokens(writing *w)
{
    size_t last = SIZE_MAX, end = w->m->tokens[w->m->count - 1].end;
    measure_lines(w);
    bool right = put(w, (stamma_text){w->text.data, w->m->tokens[0].begin});
    for (size_t n = next_kept(w, 0); n < w->m->count && right; last = n, n = next_kept(w, n + 1)) {
        const gap g = gap_between(w, last, n);
        right = put_gap(w, &g, n) && put(w, token_text(w, n));
    }
    return right && put(w, (stamma_text){w->text.data + end, w->text.size - end});
}

tool_movetext_outcome tool_movetext_write(tool_movetext *m, stamma_text game, const tool_movetext_edit *edit,
                                          const stamma_output *output, tool_movetext_changes *changes)
{
    tool_movetext_outcome outcome = read_tokens(m, game);
    if (outcome == TOOL_MOVETEXT_SAME)
        outcome = edit_tokens(m, game, edit, changes);
    writing w = {.m = m, .text = game, .output = output};
    if (outcome == TOOL_MOVETEXT_EDITED && output && !write_tokens(&w))
        outcome = TOOL_MOVETEXT_FAILED;
    return outcome;
}

size_t tool_movetext_offset(stamma_text game)
{
    tool_movetext m = {.tokens = NULL};
    size_t offset = game.size;
    if (read_tokens(&m, game) != TOOL_MOVETEXT_FAILED && m.count > 0)
        offset = m.tokens[0].begin;
    tool_movetext_free(&m);
    return offset;
}

void tool_movetext_free(tool_movetext *m)
{
    free(m->tokens);
    free(m->comment);
    *m = (tool_movetext){.tokens = NULL};
}
