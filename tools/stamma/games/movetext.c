/* SPDX-License-Identifier: MIT */
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
    size_t instead_begin, instead_size; /* text in m->replaced that replaces the token; size 0: none */
} tool_token;

/* ---- tokens ---- */

static bool add_token(tool_tokens *t, const stamma_pgn_event *event)
{
    if (t->count == t->room) {
        const size_t room = 2 * t->room + 64;
        tool_token *list = realloc(t->list, room * sizeof *list);
        if (!list)
            return false;
        t->list = list;
        t->room = room;
    }
    const char *dot = event->kind == STAMMA_PGN_MOVE_NUMBER ? memchr(event->text.data, '.', event->text.size) : NULL;
    const bool black = dot && event->text.data + event->text.size - dot > 1;
    t->list[t->count++] = (tool_token){.begin = (size_t)event->place.offset,
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

/* Sets the ends of the tokens. Each token ends before the white space that precedes the next token. */
static void end_tokens(tool_tokens *t, stamma_text text, size_t end)
{
    for (size_t n = t->count; n-- > 0; end = t->list[n].begin) {
        tool_token *token = &t->list[n];
        token->end = end;
        while (token->end > token->begin + 1 && is_white(text.data[token->end - 1]))
            token->end--;
    }
}

/* Adds the token of an event of the first game. Text before the last tag is not movetext. */
static bool take_event(tool_tokens *t, stamma_text text, const stamma_pgn_event *event)
{
    if (event->kind == STAMMA_PGN_TAG || event->kind == STAMMA_PGN_GAME_BEGIN)
        t->count = 0;
    else if (event->kind == STAMMA_PGN_GAME_END)
        end_tokens(t, text, (size_t)event->place.offset);
    else if (event->kind != STAMMA_PGN_ERROR || event->text.size > 0)
        return add_token(t, event);
    return true;
}

/* Reads the tokens of the first game of a text, and counts all games. Returns SAME, REFUSED or FAILED. */
static tool_movetext_outcome read_tokens(tool_tokens *t, stamma_text text)
{
    const stamma_pgn_options options = {
        .size = sizeof options, .tokens_only = true, .move_numbers = true, .max_token = text.size + 256};
    stamma_pgn_reader *reader = NULL;
    stamma_pgn_event event;
    stamma_error error = stamma_pgn_reader_open_memory(text.data, text.size, &options, &reader);
    bool right = true, open = false, in_game = false;
    t->count = t->games = 0;
    while (!error && right && !(error = stamma_pgn_reader_next(reader, &event)) && event.kind != STAMMA_PGN_END) {
        open |= event.kind == STAMMA_PGN_ERROR && event.text.size == 0;
        in_game |= event.kind == STAMMA_PGN_GAME_BEGIN;
        t->games += event.kind == STAMMA_PGN_GAME_BEGIN;
        right = !in_game || t->games > 1 || take_event(t, text, &event);
        in_game &= event.kind != STAMMA_PGN_GAME_END;
    }
    stamma_pgn_reader_close(reader);
    return error || !right ? TOOL_MOVETEXT_FAILED : open ? TOOL_MOVETEXT_REFUSED : TOOL_MOVETEXT_SAME;
}

/* ---- removing and replacing tokens ---- */

/* Replaces a token by other text, between the characters of `around`. */
static bool replace(tool_movetext *m, tool_token *t, stamma_text text, const char *around)
{
    const size_t used = m->replaced.size, open = *around ? 1 : 0;
    t->instead_begin = used;
    bool right = tool_buffer_add(&m->replaced, around, open) && tool_buffer_add(&m->replaced, text.data, text.size) &&
                 tool_buffer_add(&m->replaced, around + open, strlen(around + open));
    t->instead_size = m->replaced.size - used;
    return right;
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
    bool right = removed == 0 || t->dropped || replace(m, t, (stamma_text){rest, size}, braces ? "{}" : ";");
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
    return replace(m, t, *edit->result, "");
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
    for (size_t n = 0; n < m->tokens.count; n++) {
        tool_token *t = &m->tokens.list[n];
        bool move = t->depth == 0 && t->kind == STAMMA_PGN_MOVE;
        if (move && ply++ == plies)
            for (size_t k = n; k-- > 0 && m->tokens.list[k].kind == STAMMA_PGN_MOVE_NUMBER;)
                m->tokens.list[k].dropped = true;
        changes->plies += move && ply > plies;
        if (ply > plies && !(t->depth == 0 && t->kind == STAMMA_PGN_RESULT))
            t->dropped = true;
    }
}

/* Removes Black's move numbers after removed comments, variations and NAGs: 1. e4 {...} 1... e5. */
static void drop_numbers(tool_movetext *m)
{
    stamma_pgn_kind last = STAMMA_PGN_TAG;
    bool gap = false;
    for (size_t n = 0; n < m->tokens.count; n++) {
        tool_token *t = &m->tokens.list[n];
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
    m->replaced.size = 0;
    *changes = (tool_movetext_changes){.comments = 0};
    cut_plies(m, edit->plies, changes);
    for (size_t n = 0; n < m->tokens.count; n++)
        if (!m->tokens.list[n].dropped && !edit_token(m, &m->tokens.list[n], text, edit, changes))
            return TOOL_MOVETEXT_FAILED;
    for (size_t n = 0; n < m->tokens.count; n++)
        changed |= m->tokens.list[n].dropped || m->tokens.list[n].instead_size > 0;
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
    tool_movetext *m;
    stamma_text text;
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
    size_t from = token > 0 ? w->m->tokens.list[token - 1].end : w->m->tokens.list[token].begin;
    return (stamma_text){w->text.data + from, w->m->tokens.list[token].begin - from};
}

/* Returns whether the line end after a token belongs to the token. The line end after an error may separate text that
 * looks like a tag from the movetext. */
static bool ends_line(stamma_pgn_kind kind)
{
    return kind == STAMMA_PGN_LINE_COMMENT || kind == STAMMA_PGN_ESCAPE || kind == STAMMA_PGN_ERROR;
}

/* Returns the white space between two tokens that are now adjacent. `last` is SIZE_MAX before the first token. */
static gap gap_between(const writing *w, size_t last, size_t next)
{
    const tool_token *tokens = w->m->tokens.list;
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
    const tool_token *t = &w->m->tokens.list[token];
    return t->instead_size > 0 ? (stamma_text){w->m->replaced.bytes + t->instead_begin, t->instead_size}
                               : (stamma_text){w->text.data + t->begin, t->end - t->begin};
}

static size_t next_kept(const writing *w, size_t token)
{
    while (token < w->m->tokens.count && w->m->tokens.list[token].dropped)
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
        if (line < text.size || next == w->m->tokens.count || gap_between(w, token, next).text.size > 0)
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
    return tool_buffer_add(&w->m->text, text.data, text.size);
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
    size_t begin = w->m->tokens.list[0].begin, end = w->m->tokens.list[w->m->tokens.count - 1].end, longest = 0;
    bool broken = false;
    for (size_t n = 1; n < w->m->tokens.count && !broken; n++)
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
    size_t last = SIZE_MAX, end = w->m->tokens.list[w->m->tokens.count - 1].end;
    measure_lines(w);
    bool right = put(w, (stamma_text){w->text.data, w->m->tokens.list[0].begin});
    for (size_t n = next_kept(w, 0); n < w->m->tokens.count && right; last = n, n = next_kept(w, n + 1)) {
        const gap g = gap_between(w, last, n);
        right = put_gap(w, &g, n) && put(w, token_text(w, n));
    }
    return right && put(w, (stamma_text){w->text.data + end, w->text.size - end});
}

/* ---- the edited text is read again ---- */

/* Returns whether the edited text has the tokens that stay. */
static bool has_tokens(const writing *w)
{
    const tool_movetext *m = w->m;
    size_t n = 0;
    for (size_t old = next_kept(w, 0); old < m->tokens.count; old = next_kept(w, old + 1), n++) {
        if (n == m->again.count || m->again.list[n].kind != m->tokens.list[old].kind)
            return false;
        const tool_token *t = &m->again.list[n];
        if (!tool_text_equal(token_text(w, old), (stamma_text){m->text.bytes + t->begin, t->end - t->begin}))
            return false;
    }
    return n == m->again.count;
}

/* Reads the edited text with another game after it. */
static tool_movetext_outcome check(const writing *w)
{
    const stamma_text next = stamma_text_of("\n\n[Event \"?\"]\n\n*\n");
    tool_movetext *m = w->m;
    const size_t size = m->text.size;
    if (!tool_buffer_add(&m->text, next.data, next.size))
        return TOOL_MOVETEXT_FAILED;
    const tool_movetext_outcome outcome = read_tokens(&m->again, (stamma_text){m->text.bytes, m->text.size});
    m->text.size = size;
    if (outcome != TOOL_MOVETEXT_SAME)
        return outcome;
    return m->again.games == 2 && has_tokens(w) ? TOOL_MOVETEXT_EDITED : TOOL_MOVETEXT_REFUSED;
}

tool_movetext_outcome tool_movetext_run(tool_movetext *m, stamma_text game, const tool_movetext_edit *edit,
                                        tool_movetext_changes *changes)
{
    tool_movetext_outcome outcome = read_tokens(&m->tokens, game);
    writing w = {.m = m, .text = game};
    m->text.size = 0;
    if (outcome == TOOL_MOVETEXT_SAME)
        outcome = edit_tokens(m, game, edit, changes);
    if (outcome == TOOL_MOVETEXT_EDITED)
        outcome = write_tokens(&w) ? check(&w) : TOOL_MOVETEXT_FAILED;
    if (outcome != TOOL_MOVETEXT_EDITED)
        *changes = (tool_movetext_changes){.comments = 0};
    return outcome;
}

void tool_movetext_free(tool_movetext *m)
{
    free(m->tokens.list);
    free(m->again.list);
    tool_buffer_free(&m->replaced);
    tool_buffer_free(&m->text);
    *m = (tool_movetext){.tokens = {NULL, 0, 0, 0}};
}
