/* SPDX-License-Identifier: MIT */
/* Changes the tags of a game in its text, and leaves all other bytes unchanged. */
#include "base/tables.h"
#include "notation/notation.h"

/* With more edits than this number, a table finds the edit of a name. */
enum { EDITS_FEW = 16 };

/* The state of an edit: the text of a game, and how much of it was written. */
typedef struct editing {
    stamma_text game;
    size_t written; /* bytes of `game` that were written or dropped */
    const stamma_tag_edit *edits;
    size_t count;
    const stamma_output *output;
    text_table names; /* of the edits, if many; mark: 2 * index of the first edit, + 1: the game has the tag */
    bool failed;
} editing;

/* Facts about the tag section, found before it is edited. */
typedef struct tag_section {
    bool any;         /* there is a tag */
    bool has_game;    /* there is a tag or movetext */
    size_t last;      /* start of the last tag */
    size_t movetext;  /* start of the first token after the tags, or the size of the text */
    stamma_text line; /* the line end after the last tag; "\n" if there is none */
} tag_section;

static stamma_text slice_of(stamma_text text, size_t begin, size_t end)
{
    return (stamma_text){text.data + begin, end - begin};
}

/* ---- the tags ---- */

static void begin_tags(pgn_lexer *lexer, stamma_text game)
{
    stamma_pgn_lexer_init(lexer, game.size < PGN_TOKEN_MAX_LEAST ? PGN_TOKEN_MAX_LEAST : game.size);
    stamma_pgn_lexer_slice(lexer, game.data, game.size, 0, true);
}

/* Reads the next tag. Returns false at the end of the tags; `token` is then the token after them. */
static bool next_tag(pgn_lexer *lexer, pgn_token *token)
{
    pgn_token_kind kind;
    do
        kind = stamma_pgn_lexer_next(lexer, token);
    while (kind == PGN_TOKEN_ESCAPE || kind == PGN_TOKEN_LINE_COMMENT || kind == PGN_TOKEN_GARBAGE ||
           (kind == PGN_TOKEN_COMMENT && lexer->section == PGN_OUTSIDE));
    return kind == PGN_TOKEN_TAG;
}

static stamma_text line_end_at(stamma_text text, size_t at)
{
    const size_t begin = at;
    while (at < text.size && (text.data[at] == ' ' || text.data[at] == '\t'))
        at++;
    const size_t first = at;
    if (at < text.size && text.data[at] == '\r')
        at++;
    if (at < text.size && text.data[at] == '\n')
        at++;
    return at > first ? slice_of(text, first, at) : slice_of(text, begin, begin);
}

static tag_section survey(stamma_text game)
{
    tag_section s = {.line = {"\n", 1}};
    pgn_lexer lexer;
    pgn_token token;
    begin_tags(&lexer, game);
    while (next_tag(&lexer, &token)) {
        const stamma_text line = line_end_at(game, token.end);
        s.any = true;
        s.last = token.begin;
        if (line.size > 0)
            s.line = line;
    }
    s.movetext = token.kind == PGN_TOKEN_END ? game.size : token.begin;
    s.has_game = s.any || token.kind != PGN_TOKEN_END;
    return s;
}

static const stamma_tag_edit *edit_named(const editing *e, stamma_text name)
{
    if (e->count > EDITS_FEW) {
        const uint32_t number = stamma_text_table_find(&e->names, name);
        return number == 0 ? NULL : &e->edits[e->names.texts[number].mark / 2];
    }
    for (size_t n = 0; n < e->count; n++)
        if (text_equal(e->edits[n].name, name))
            return &e->edits[n];
    return NULL;
}

/* Returns the edit for the name of a tag as written; if there is none, the edit for the name in its usual case. */
static const stamma_tag_edit *edit_of(const editing *e, stamma_text name)
{
    const stamma_tag_edit *edit = edit_named(e, name);
    return edit ? edit : edit_named(e, stamma_pgn_tag_name(name));
}

/* Makes the table of names. Returns false if memory is exhausted. */
static bool index_edits(editing *e, const stamma_allocator *memory)
{
    e->names.allocator = memory;
    for (size_t n = 0; n < e->count && e->count > EDITS_FEW; n++) {
        const size_t known = e->names.count;
        const uint32_t number = stamma_text_table_add(&e->names, e->edits[n].name);
        if (number != 0 && e->names.count > known)
            e->names.texts[number].mark = (uint32_t)n * 2;
    }
    return !e->names.failed;
}

static void mark_name(editing *e, stamma_text name)
{
    const uint32_t number = stamma_text_table_find(&e->names, name);
    if (number != 0)
        e->names.texts[number].mark |= 1;
}

/* Marks the names of tags that the game has. */
static void mark_tags(editing *e)
{
    pgn_lexer lexer;
    pgn_token token;
    begin_tags(&lexer, e->game);
    while (next_tag(&lexer, &token)) {
        const stamma_text name = slice_of(e->game, token.inner_begin, token.inner_end);
        mark_name(e, name);
        mark_name(e, stamma_pgn_tag_name(name));
    }
}

/* Returns whether a tag has a name, as written or in its usual case. */
static bool is_named(stamma_text written, stamma_text name)
{
    return text_equal(written, name) || text_equal(stamma_pgn_tag_name(written), name);
}

/* Returns whether the game has a tag with the name of an edit. */
static bool has_tag(const editing *e, stamma_text name)
{
    pgn_lexer lexer;
    pgn_token token;
    if (e->count > EDITS_FEW)
        return e->names.texts[stamma_text_table_find(&e->names, name)].mark & 1;
    begin_tags(&lexer, e->game);
    while (next_tag(&lexer, &token))
        if (is_named(slice_of(e->game, token.inner_begin, token.inner_end), name))
            return true;
    return false;
}

/* ---- writing ---- */

static void put(editing *e, stamma_text text)
{
    if (text.size > 0 && !e->failed)
        e->failed = !e->output->write(e->output->context, text.data, text.size);
}

static void put_string(editing *e, const char *string)
{
    put(e, stamma_text_of(string));
}

/* Writes the text of the game up to `end` unchanged. */
static void keep(editing *e, size_t end)
{
    put(e, slice_of(e->game, e->written, end));
    e->written = end;
}

static void put_escaped(editing *e, stamma_text value)
{
    size_t from = 0;
    for (size_t at = 0; at < value.size; at++)
        if (value.data[at] == '"' || value.data[at] == '\\') {
            put(e, slice_of(value, from, at));
            put_string(e, "\\");
            from = at;
        }
    put(e, slice_of(value, from, value.size));
}

/* Returns whether the next byte to be written begins a line. */
static bool is_at_line_start(const editing *e)
{
    return e->written == 0 || e->game.data[e->written - 1] == '\n' || e->game.data[e->written - 1] == '\r';
}

/* Drops a tag, and its line if nothing else is in this line. */
static void drop_tag(editing *e, const pgn_token *token)
{
    const stamma_text line = line_end_at(e->game, token->end);
    keep(e, token->begin);
    e->written = line.size > 0 && is_at_line_start(e) ? (size_t)(line.data - e->game.data) + line.size : token->end;
}

static void edit_tag(editing *e, const pgn_token *token)
{
    const stamma_tag_edit *edit = edit_of(e, slice_of(e->game, token->inner_begin, token->inner_end));
    if (!edit)
        return;
    if (edit->remove) {
        drop_tag(e, token);
        return;
    }
    if (edit->new_name.data) {
        keep(e, token->inner_begin);
        put(e, edit->new_name);
        e->written = token->inner_end;
    }
    if (edit->value.data) {
        keep(e, token->value_begin);
        put_escaped(e, edit->value);
        e->written = token->value_end;
    }
}

static void put_tag(editing *e, const stamma_tag_edit *edit)
{
    put_string(e, "[");
    put(e, edit->new_name.data ? edit->new_name : edit->name);
    put_string(e, " \"");
    put_escaped(e, edit->value);
    put_string(e, "\"]");
}

/* Adds the tags that have a value and that the game does not have: after the last tag, or before the movetext. Each is
 * in a line by itself, because invalid text in the same line could change how the tag is read. */
static void add_tags(editing *e, const tag_section *s)
{
    const bool inside_line = !is_at_line_start(e), before = inside_line && s->any;
    bool added = false;
    for (size_t n = 0; n < e->count; n++) {
        const stamma_tag_edit *edit = &e->edits[n];
        if (edit->remove || !edit->value.data || has_tag(e, edit->name))
            continue;
        if (before || (inside_line && !added))
            put(e, s->line);
        put_tag(e, edit);
        if (!before)
            put(e, s->line);
        added = true;
    }
    if (added && !s->any)
        put(e, s->line);
}

static void edit_game(editing *e, const tag_section *s)
{
    pgn_lexer lexer;
    pgn_token token;
    if (e->count > EDITS_FEW)
        mark_tags(e);
    begin_tags(&lexer, e->game);
    while (next_tag(&lexer, &token)) {
        edit_tag(e, &token);
        if (token.begin == s->last) {
            if (e->written < token.end)
                keep(e, token.end);
            add_tags(e, s);
        }
    }
    if (!s->any) {
        keep(e, s->movetext);
        add_tags(e, s);
    }
    keep(e, e->game.size);
}

/* ---- the public function ---- */

static bool is_valid(const stamma_tag_edit *edit)
{
    static const stamma_text none = {"", 0};
    const stamma_text name = edit->new_name.data ? edit->new_name : edit->name;
    return edit->name.data && edit->name.size > 0 &&
           (edit->remove || stamma_pgn_tag_is_sound(name, edit->value.data ? edit->value : none));
}

stamma_error stamma_pgn_edit_tags(stamma_text game, const stamma_tag_edit *edits, size_t count,
                                  const stamma_output *output)
{
    if (!text_is_given(game) || !output_is_given(output) || (count > 0 && !edits))
        return STAMMA_ERROR_BAD_ARGUMENT;
    for (size_t n = 0; n < count; n++)
        if (!is_valid(&edits[n]))
            return STAMMA_ERROR_BAD_ARGUMENT;
    editing e = {.game = {game.size > 0 ? game.data : "", game.size}, .edits = edits, .count = count, .output = output};
    const tag_section section = survey(e.game);
    if (!section.has_game)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_allocator memory = stamma_allocator_or_default(NULL);
    const bool indexed = count < UINT32_MAX / 2 && index_edits(&e, &memory);
    if (indexed)
        edit_game(&e, &section);
    stamma_text_table_release(&e.names);
    return !indexed ? STAMMA_ERROR_NO_MEMORY : e.failed ? STAMMA_ERROR_IO : STAMMA_OK;
}
