/* SPDX-License-Identifier: MIT */
/* Replaces the tags, the moves or the annotation of a game by those of a PGN file. The new text is packed and read
 * again, so that it is one game with the expected tags and moves. */
#include "curating/edit_replace.h"

bool edit_replace_read(const char *list, unsigned *what)
{
    static const char *const names[] = {"tags", "moves", "annotation"};
    enum { NAMES = sizeof names / sizeof *names };
    for (const char *at = list; at && *at;) {
        const stamma_text word = {at, strcspn(at, ",")};
        size_t n = 0;
        while (n < NAMES && !tool_text_is(word, names[n]))
            n++;
        if (n == NAMES) {
            tool_say(NULL, "--replace: \"%.*s\" is unknown; use tags, moves, annotation", (int)word.size, word.data);
            return false;
        }
        *what |= 1u << n;
        at += word.size + (at[word.size] == ',');
    }
    return true;
}

/* ---- a game in memory ---- */

static void close_game(edit_game *g)
{
    stamma_archive_reader_close(g->reader);
    stamma_archive_close(g->archive);
    tool_buffer_free(&g->bytes);
    *g = (edit_game){.game = NULL};
}

/* Opens the packed archive, and reads its game. Stores NULL if it does not contain exactly one game. */
static stamma_error read_game(edit_game *g)
{
    const unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | STAMMA_GAME_MOVES | STAMMA_GAME_TEXT;
    const stamma_bytes bytes = stamma_bytes_of(g->bytes.bytes, g->bytes.size);
    uint64_t games = 0;
    stamma_error error = stamma_archive_open(&bytes, NULL, &g->archive);
    if (!error)
        error = stamma_archive_games(g->archive, &games);
    if (!error)
        error = stamma_archive_reader_open(g->archive, NULL, &g->reader);
    if (!error)
        error = stamma_archive_reader_select(g->reader, parts);
    if (!error && games == 1)
        error = stamma_archive_reader_next(g->reader, &g->game);
    return error;
}

static stamma_error pack_text(edit_game *g, stamma_text text)
{
    const stamma_output output = tool_buffer_output(&g->bytes);
    stamma_archive_writer *writer = NULL;
    stamma_error error = stamma_archive_writer_open(&output, NULL, &writer);
    if (!error)
        error = stamma_archive_writer_write(writer, text.data, text.size);
    if (!error)
        error = stamma_archive_writer_finish(writer, NULL);
    stamma_archive_writer_close(writer);
    return error == STAMMA_ERROR_IO ? STAMMA_ERROR_NO_MEMORY : error;
}

static bool check(stamma_error error)
{
    if (error)
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}

static bool open_text(edit_game *g, stamma_text text)
{
    return check(pack_text(g, text)) && check(read_game(g));
}

/* ---- the file ---- */

static bool read_file(const char *path, tool_buffer *text)
{
    char bytes[1 << 14];
    ptrdiff_t size = 0;
    tool_input *input = tool_input_open(path, false);
    if (!input)
        return false;
    while ((size = tool_input_read(input, bytes, sizeof bytes)) > 0 && tool_buffer_add(text, bytes, (size_t)size))
        continue;
    (void)tool_input_say_skipped(input);
    tool_input_close(input);
    return size == 0 && (!text->failed || tool_fail_memory(path));
}

bool edit_replace_open(edit_replace *r, const char *path)
{
    tool_buffer text = {0};
    bool right = tool_inputs_note(path, TOOL_INPUT) && read_file(path, &text) &&
                 open_text(&r->from, (stamma_text){text.bytes, text.size});
    const stamma_archive_game *game = r->from.game;
    if (right && !game)
        tool_say(path, "does not contain exactly one game");
    else if (right && tool_notice_is_loss(game->reason))
        tool_say(path, "the game has text that is not a legal move");
    right = right && game && !tool_notice_is_loss(game->reason);
    tool_buffer_free(&text);
    return right;
}

/* ---- sections ---- */

/* Offsets in the text of a game. */
typedef struct sections {
    size_t tags;  /* the first token */
    size_t moves; /* the first token after the tags */
    size_t end;   /* the end of the last token */
} sections;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Finds the sections of a game's text. */
static bool find_sections(stamma_text text, sections *s)
{
    const stamma_pgn_options options = {
        .size = sizeof options, .tokens_only = true, .move_numbers = true, .max_token = text.size + 256};
    stamma_pgn_reader *reader = NULL;
    stamma_pgn_event event = {.kind = STAMMA_PGN_GAME_BEGIN};
    bool first = true, tagged = false, moved = false;
    stamma_error error = stamma_pgn_reader_open_memory(text.data, text.size, &options, &reader);
    *s = (sections){.end = text.size};
    while (s->end > 0 && is_blank(text.data[s->end - 1]))
        s->end--;
    s->tags = s->moves = s->end;
    while (!error && !(error = stamma_pgn_reader_next(reader, &event)) && event.kind != STAMMA_PGN_END &&
           event.kind != STAMMA_PGN_GAME_END) {
        if (event.kind == STAMMA_PGN_GAME_BEGIN)
            continue;
        s->tags = first ? (size_t)event.place.offset : s->tags;
        first = false;
        if (event.kind == STAMMA_PGN_TAG) {
            tagged = true;
            moved = false;
        } else if (!moved) {
            moved = true;
            s->moves = (size_t)event.place.offset;
        }
    }
    if (tagged && !moved)
        s->moves = s->end;
    stamma_pgn_reader_close(reader);
    return check(error);
}

/* ---- the new text ---- */

static stamma_text part(stamma_text text, size_t from, size_t end)
{
    return (stamma_text){text.data + from, end - from};
}

static void add(tool_buffer *to, stamma_text text)
{
    (void)tool_buffer_add(to, text.data, text.size);
}

/* Adds tags, which end with an empty line. */
static void add_tags(tool_buffer *to, stamma_text tags)
{
    while (tags.size > 0 && is_blank(tags.data[tags.size - 1]))
        tags.size--;
    add(to, tags);
    if (tags.size > 0)
        add(to, stamma_text_of("\n\n"));
}

/* Joins the sections of the game and of the file. */
static bool join(const edit_replace *r, stamma_text old, tool_buffer *to)
{
    const stamma_text made = r->from.game->text;
    const bool tags = r->what & EDIT_REPLACE_TAGS, moves = r->what & (EDIT_REPLACE_MOVES | EDIT_REPLACE_ANNOTATION);
    sections a, b;
    if (!find_sections(old, &a) || !find_sections(made, &b))
        return false;
    add(to, part(old, 0, a.tags));
    if (tags)
        add_tags(to, part(made, b.tags, b.moves));
    else
        add(to, part(old, a.tags, a.moves));
    add(to, moves ? part(made, b.moves, b.end) : part(old, a.moves, a.end));
    add(to, part(old, a.end, old.size));
    return !to->failed || tool_fail_memory(NULL);
}

static bool same_moves(const stamma_archive_game *a, const stamma_archive_game *b)
{
    return a->ply_count == b->ply_count &&
           (a->ply_count == 0 || memcmp(a->moves, b->moves, a->ply_count * sizeof *a->moves) == 0);
}

/* Returns whether the parts fit to each other. */
static bool fits(const edit_replace *r, const stamma_archive_game *game)
{
    const stamma_archive_game *made = r->from.game;
    const unsigned all = EDIT_REPLACE_TAGS | EDIT_REPLACE_MOVES;
    const bool same_start =
        stamma_position_key(&game->start) == stamma_position_key(&made->start) && game->no_start == made->no_start;
    if (game->reason == STAMMA_REASON_SIZE)
        tool_say(NULL, "game %" PRIu64 " is too large to be replaced", game->number);
    else if ((r->what & all) != all && !same_start)
        tool_say(NULL, "the games have different start positions: replace tags,moves");
    else if (r->what & EDIT_REPLACE_ANNOTATION && !(r->what & EDIT_REPLACE_MOVES) && !same_moves(game, made))
        tool_say(NULL, "the moves of the games differ: replace moves, which have the annotation");
    else
        return true;
    return false;
}

/* ---- results and numbers of plies ---- */

/* Changes a tag if it exists and differs. */
static bool fix_tag(tool_buffer *text, const stamma_archive_game *game, const char *name, const char *value)
{
    const stamma_text old = stamma_archive_game_tag(game, stamma_text_of(name));
    const stamma_tag_edit edit = {.name = stamma_text_of(name), .value = stamma_text_of(value)};
    tool_buffer fixed = {0};
    const stamma_output output = tool_buffer_output(&fixed);
    if (!old.data || tool_text_is(old, value))
        return true;
    const stamma_error error = stamma_pgn_edit_tags((stamma_text){text->bytes, text->size}, &edit, 1, &output);
    if (!check(error == STAMMA_ERROR_IO ? STAMMA_ERROR_NO_MEMORY : error)) {
        tool_buffer_free(&fixed);
        return false;
    }
    tool_buffer_free(text);
    *text = fixed;
    return true;
}

/* Changes the result after the moves. */
static bool fix_marker(edit_replace *r, tool_buffer *text, stamma_text result)
{
    const tool_movetext_edit edit = {.plies = UINT64_MAX, .result = &result};
    tool_movetext_changes changes;
    const tool_movetext_outcome outcome =
        tool_movetext_run(&r->movetext, (stamma_text){text->bytes, text->size}, &edit, &changes);
    if (outcome == TOOL_MOVETEXT_FAILED)
        return tool_fail_memory(NULL);
    if (outcome == TOOL_MOVETEXT_EDITED) {
        text->size = 0;
        add(text, (stamma_text){r->movetext.text.bytes, r->movetext.text.size});
    }
    return !text->failed || tool_fail_memory(NULL);
}

/* Makes the result and the number of plies agree: those of the movetext if it is replaced, otherwise the result of the
 * tags; annotation changes no result. */
static bool fix(edit_replace *r, const stamma_archive_game *game, tool_buffer *text)
{
    const bool tags = r->what & EDIT_REPLACE_TAGS, moves = r->what & EDIT_REPLACE_MOVES;
    char plies[TOOL_NUMBER_SIZE];
    const stamma_archive_game *made = r->from.game;
    if (moves && !tags) {
        (void)snprintf(plies, sizeof plies, "%zu", made->ply_count);
        return fix_tag(text, game, "PlyCount", plies) &&
               (made->result.size == 0 ||
                fix_tag(text, game, "Result", stamma_result_text(stamma_result_read(made->result))));
    }
    if (moves)
        return true;
    const stamma_text tag = stamma_archive_game_tag(tags ? made : game, stamma_text_of("Result"));
    if (tags)
        return !tool_text_is(tag, stamma_result_text(stamma_result_read(tag))) || fix_marker(r, text, tag);
    return game->result.size == 0 || fix_marker(r, text, game->result);
}

/* ---- the game ---- */

/* Reads the new text again: it must be one game with the expected tags and moves. */
static bool is_expected(const edit_replace *r, const stamma_archive_game *game, const tool_buffer *text,
                        edit_game *again)
{
    const bool tags = r->what & EDIT_REPLACE_TAGS, moves = r->what & EDIT_REPLACE_MOVES;
    const stamma_archive_game *tagged = tags ? r->from.game : game;
    if (!open_text(again, (stamma_text){text->bytes, text->size}))
        return false;
    const stamma_archive_game *now = again->game;
    bool right = now && same_moves(now, moves ? r->from.game : game) && now->tag_count == tagged->tag_count;
    for (size_t n = 0; right && n < now->tag_count; n++)
        right = tool_text_equal(now->tags[n].name, tagged->tags[n].name);
    if (!right)
        tool_say(NULL, "game %" PRIu64 ": the new text would be read as another game", game->number);
    return right;
}

/* Lists the tags that change, and whether the movetext does. */
static void list_changes(const edit_replace *r, const stamma_archive_game *game, const stamma_archive_game *now,
                         tool_changes *list)
{
    for (size_t n = 0; n < game->tag_count; n++) {
        const stamma_text after = stamma_archive_game_tag(now, game->tags[n].name);
        const stamma_text plain = tool_text_unescape(after);
        if (!after.data || !tool_text_equal(after, game->tags[n].value))
            tool_changes_tag(list, game->tags[n].name, game->tags[n].value, plain);
        free((char *)(uintptr_t)plain.data);
    }
    for (size_t n = 0; n < now->tag_count; n++)
        if (!stamma_archive_game_tag(game, now->tags[n].name).data) {
            const stamma_text plain = tool_text_unescape(now->tags[n].value);
            tool_changes_tag(list, now->tags[n].name, (stamma_text){NULL, 0}, plain);
            free((char *)(uintptr_t)plain.data);
        }
    if (r->what & (EDIT_REPLACE_MOVES | EDIT_REPLACE_ANNOTATION))
        tool_changes_note(list, r->what & EDIT_REPLACE_MOVES ? "moves" : "annotation", stamma_text_of("replaced"));
}

static bool make(edit_replace *r, const stamma_archive_game *game, tool_buffer *text, edit_game *again)
{
    return fits(r, game) && join(r, game->text, text) && fix(r, game, text) && is_expected(r, game, text, again);
}

tool_verdict edit_replace_apply(edit_replace *r, const stamma_archive_game *game, tool_buffer *edited,
                                tool_changes *list)
{
    tool_buffer text = {0};
    edit_game again = {.game = NULL};
    tool_verdict verdict = make(r, game, &text, &again) ? TOOL_GAME_EDIT : TOOL_GAME_FAIL;
    const bool same = verdict == TOOL_GAME_EDIT && tool_text_equal((stamma_text){text.bytes, text.size}, game->text);
    if (same)
        verdict = TOOL_GAME_KEEP;
    else if (verdict == TOOL_GAME_EDIT && list)
        list_changes(r, game, again.game, list);
    else if (verdict == TOOL_GAME_EDIT && !tool_buffer_add(edited, text.bytes, text.size))
        verdict = TOOL_GAME_FAIL;
    close_game(&again);
    tool_buffer_free(&text);
    return verdict;
}

void edit_replace_close(edit_replace *r)
{
    close_game(&r->from);
    tool_movetext_free(&r->movetext);
}
