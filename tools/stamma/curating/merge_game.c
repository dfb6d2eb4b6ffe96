/* SPDX-License-Identifier: MIT */
/* Adds the tags, comments and variations of other records of a game to the text of the game. Tags with a known value,
 * and the moves of the main line, never change. If only tags are added, the movetext stays unchanged, byte for byte. */
#include "curating/merge_game.h"

/* ---- texts ---- */

/* Stores the offset of the movetext of a game, and whether a tree contains everything in it. */
static stamma_error scan(stamma_text text, size_t *movetext, bool *sound)
{
    const stamma_pgn_options options = {.size = sizeof options, .tokens_only = true, .move_numbers = true};
    stamma_pgn_reader *reader = NULL;
    stamma_pgn_event event = {.kind = STAMMA_PGN_GAME_BEGIN};
    stamma_error error = stamma_pgn_reader_open_memory(text.data, text.size, &options, &reader);
    bool found = false;
    *movetext = text.size;
    *sound = true;
    while (!error && event.kind != STAMMA_PGN_END && event.kind != STAMMA_PGN_GAME_END) {
        error = stamma_pgn_reader_next(reader, &event);
        *sound = *sound && event.kind != STAMMA_PGN_ERROR && event.kind != STAMMA_PGN_ESCAPE;
        if (event.kind == STAMMA_PGN_TAG || event.kind == STAMMA_PGN_GAME_BEGIN)
            found = false;
        else if (!found) {
            *movetext = (size_t)event.place.offset;
            found = true;
        }
    }
    if (event.kind == STAMMA_PGN_GAME_END && !found)
        *movetext = text.size;
    stamma_pgn_reader_close(reader);
    return error;
}

static stamma_error read_tree(stamma_game *game, stamma_text text, bool *sound)
{
    stamma_pgn_reader *reader = NULL;
    stamma_error error = stamma_pgn_reader_open_memory(text.data, text.size, NULL, &reader), wrong = STAMMA_OK;
    bool found = false;
    if (!error)
        error = stamma_game_read(game, reader, &found, &wrong, NULL);
    *sound = found && wrong == STAMMA_OK;
    stamma_pgn_reader_close(reader);
    return error;
}

/* ---- tags ---- */

static bool is_word(stamma_text name, const char *const *words)
{
    while (*words && !tool_text_is(name, *words))
        words++;
    return *words != NULL;
}

/* Returns whether a value means unknown: "", "?", "-", "????.??.??". */
static bool is_unknown(stamma_text value)
{
    size_t at = 0;
    while (at < value.size && (value.data[at] == '?' || value.data[at] == '.' || value.data[at] == '-'))
        at++;
    return at == value.size;
}

/* Only these tags can be changed twice: first to a value that is partly known, and then to a completely known value. */
static const char *const dates[] = {"Date", "UTCDate", "EventDate", NULL};

/* Returns whether another value may replace a value of the kept game: it is unknown, or a partly known date. */
static bool is_less(stamma_text name, stamma_text kept, stamma_text other)
{
    const bool partial = kept.size > 0 && memchr(kept.data, '?', kept.size) && is_word(name, dates) &&
                         !memchr(other.data, '?', other.size);
    return !is_unknown(other) && (is_unknown(kept) || partial);
}

/* Returns whether a tag has already been changed. */
static bool is_noted(const tool_merging *m, stamma_text name)
{
    const char *noted = m->names.bytes;
    for (size_t n = 0; n < m->names_count && is_word(name, dates); n++, noted += strlen(noted) + 1)
        if (tool_text_is(name, noted))
            return true;
    return false;
}

static bool note(tool_merging *m, stamma_text name, tool_merged *added)
{
    bool right = (added->tags.size == 0 || tool_buffer_add(&added->tags, ",", 1)) &&
                 tool_buffer_add(&added->tags, name.data, name.size);
    if (is_noted(m, name))
        return right;
    m->names_count++;
    return right && tool_buffer_add(&m->names, name.data, name.size) && tool_buffer_add(&m->names, "", 1);
}

static void merge_tags(tool_merging *m, tool_merged *added)
{
    /* The values of these tags belong to the moves or to the result of the game. */
    static const char *const own[] = {"FEN", "SetUp", "Result", "PlyCount", "ECO", "Opening", "Variation", NULL};
    stamma_text name, value;
    for (size_t n = 0; !m->error && stamma_game_tag_at(m->other, n, &name, &value) == STAMMA_OK; n++) {
        if (is_word(name, own) || !is_less(name, stamma_game_tag(m->kept, name), value))
            continue;
        m->error = stamma_game_set_tag(m->kept, name, value);
        if (m->error == STAMMA_ERROR_BAD_ARGUMENT) { /* a value that a writer cannot write */
            m->error = STAMMA_OK;
            continue;
        }
        if (!m->error && !note(m, name, added))
            m->error = STAMMA_ERROR_NO_MEMORY;
    }
}

/* ---- comments ---- */

/* Writes a comment with single blanks. */
static void simplify(stamma_text comment, tool_buffer *out)
{
    out->size = 0;
    for (size_t n = 0; n < comment.size; n++) {
        const char byte = comment.data[n];
        const bool blank = byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
        if (!blank)
            tool_buffer_add(out, &byte, 1);
        else if (out->size > 0 && out->bytes[out->size - 1] != ' ')
            tool_buffer_add(out, " ", 1);
    }
    while (out->size > 0 && out->bytes[out->size - 1] == ' ')
        out->size--;
}

/* Comparisons of all comments and variations of two games would need time quadratic in their size. This number limits
 * the work: the comparisons for each byte of both games. Items that were not compared count as different, and are
 * added. */
enum { WORK_PER_BYTE = 64 };

/* Returns false if no work is left. */
static bool spend(tool_merging *m, size_t work)
{
    const bool right = work <= m->work;
    m->work = right ? m->work - work : 0;
    return right;
}

/* Stores for each byte of m->two the length of the longest beginning of the text that ends there, except all of it
 * (Knuth, Morris, Pratt). */
static bool read_borders(tool_merging *m)
{
    size_t border = 0;
    m->borders.size = 0;
    for (size_t n = 0; n < m->two.size; n++) {
        const size_t *borders = (const size_t *)(const void *)m->borders.bytes;
        while (n > 0 && border > 0 && m->two.bytes[border] != m->two.bytes[n])
            border = borders[border - 1];
        border += n > 0 && m->two.bytes[border] == m->two.bytes[n];
        if (!tool_buffer_add(&m->borders, &border, sizeof border))
            return false;
    }
    return true;
}

/* Returns whether m->one contains m->two, whose borders were read. */
static bool contains(const tool_merging *m)
{
    const size_t *borders = (const size_t *)(const void *)m->borders.bytes;
    size_t same = 0;
    for (size_t n = 0; n < m->one.size && same < m->two.size; n++) {
        while (same > 0 && m->two.bytes[same] != m->one.bytes[n])
            same = borders[same - 1];
        same += m->two.bytes[same] == m->one.bytes[n];
    }
    return same == m->two.size;
}

/* Returns whether comment number n of a node of the kept game contains the comment in m->two. */
static bool is_contained(tool_merging *m, stamma_node node, bool before, size_t n)
{
    simplify(stamma_game_comment(m->kept, node, before, n), &m->one);
    return contains(m);
}

/* Returns whether a comment of the node contains the comment, which is number n of its node. */
static bool has_comment(tool_merging *m, stamma_node node, stamma_text comment, bool before, size_t n)
{
    if (tool_text_equal(stamma_game_comment(m->kept, node, before, n), comment))
        return true;
    simplify(comment, &m->two);
    if (!read_borders(m))
        return false;
    for (int first = 0; first < 2; first++)
        for (size_t k = 0; k < stamma_game_comment_count(m->kept, node, first); k++) {
            const size_t size = stamma_game_comment(m->kept, node, first, k).size;
            if (!spend(m, 1 + size))
                return false;
            if (is_contained(m, node, first, k))
                return true;
        }
    return m->two.size == 0;
}

/* Sets a bit for each NAG of a node of the kept game. */
static void read_nags(const tool_merging *m, stamma_node node, bool nags[UINT8_MAX + 1])
{
    const size_t count = stamma_game_nag_count(m->kept, node);
    memset(nags, 0, UINT8_MAX + 1);
    for (size_t n = 0; n < count; n++)
        nags[stamma_game_nag(m->kept, node, n)] = true;
}

static void merge_comments(tool_merging *m, stamma_node kept, stamma_node other, bool before, tool_merged *added)
{
    const size_t count = stamma_game_comment_count(m->other, other, before);
    for (size_t n = 0; !m->error && n < count; n++) {
        const stamma_text comment = stamma_game_comment(m->other, other, before, n);
        if (has_comment(m, kept, comment, before, n))
            continue;
        m->error = stamma_game_add_comment(m->kept, kept, before, comment);
        added->comments++;
    }
}

static void merge_nags(tool_merging *m, stamma_node kept, stamma_node other, tool_merged *added)
{
    bool known[UINT8_MAX + 1];
    const size_t count = stamma_game_nag_count(m->other, other);
    if (count > 0)
        read_nags(m, kept, known);
    for (size_t n = 0; !m->error && n < count; n++) {
        const unsigned nag = stamma_game_nag(m->other, other, n);
        if (known[nag])
            continue;
        m->error = stamma_game_add_nag(m->kept, kept, nag);
        known[nag] = true;
        added->nags++;
    }
}

/* Adds the comments and NAGs of a node of the other record. */
static void merge_node(tool_merging *m, stamma_node kept, stamma_node other, tool_merged *added)
{
    merge_comments(m, kept, other, false, added);
    merge_comments(m, kept, other, true, added);
    merge_nags(m, kept, other, added);
}

/* ---- variations ---- */

/* The same position in both trees. */
typedef struct place {
    stamma_node kept, other;
    bool kept_main, other_main; /* the node is in the main line */
} place;

/* Returns a node of the kept game, or its first sibling after it, that has a move. */
static stamma_node with_move(tool_merging *m, stamma_node node, stamma_move move)
{
    while (node != STAMMA_NODE_NONE && stamma_game_move(m->kept, node) != move)
        node = spend(m, 1) ? stamma_game_next_sibling(m->kept, node) : STAMMA_NODE_NONE;
    return node;
}

/* Returns the line of the kept game that begins with the same move as a line of the other record. A variation may begin
 * with the move that was played; it is then another line than the main line. */
static stamma_node same_line(tool_merging *m, place at, stamma_node line)
{
    const stamma_move move = stamma_game_move(m->other, line);
    const stamma_node main = stamma_game_first_child(m->kept, at.kept),
                      first = stamma_game_first_child(m->other, at.other);
    if (line == first)
        return with_move(m, main, move);
    if (main == STAMMA_NODE_NONE)
        return main;
    const stamma_node variation = with_move(m, stamma_game_next_sibling(m->kept, main), move);
    if (variation != STAMMA_NODE_NONE || stamma_game_move(m->other, first) == move)
        return variation;
    return stamma_game_move(m->kept, main) == move ? main : STAMMA_NODE_NONE;
}

static stamma_node copy_node(tool_merging *m, stamma_node kept, stamma_node other)
{
    tool_merged ignored = {0}; /* it belongs to the variation */
    stamma_node added = STAMMA_NODE_NONE;
    if (!m->error)
        m->error = stamma_game_add_move(m->kept, kept, stamma_game_move(m->other, other), &added);
    if (!m->error)
        merge_node(m, added, other, &ignored);
    return added;
}

/* Adds a line of the other record, with its variations, after a node. */
static void copy_line(tool_merging *m, stamma_node kept, stamma_node other)
{
    stamma_node node = copy_node(m, kept, other), next;
    while (!m->error && (next = stamma_game_first_child(m->other, other)) != STAMMA_NODE_NONE) {
        const stamma_node after = copy_node(m, node, next);
        for (stamma_node n = stamma_game_next_sibling(m->other, next); n != STAMMA_NODE_NONE && !m->error;
             n = stamma_game_next_sibling(m->other, n))
            copy_line(m, node, n);
        node = after;
        other = next;
    }
}

/* Returns whether the line of a node has a comment, a NAG or a variation. */
static bool is_annotated(const stamma_game *game, stamma_node node)
{
    for (; node != STAMMA_NODE_NONE; node = stamma_game_first_child(game, node))
        if (stamma_game_comment_count(game, node, false) > 0 || stamma_game_comment_count(game, node, true) > 0 ||
            stamma_game_nag_count(game, node) > 0 ||
            stamma_game_next_sibling(game, stamma_game_first_child(game, node)) != STAMMA_NODE_NONE)
            return true;
    return false;
}

/* Adds a line of the other record that the kept game does not have. Other moves of the main line are only added if
 * they have annotations, which would be lost otherwise. The main line of the game is never made longer. */
static void add_line(tool_merging *m, place at, stamma_node line, tool_merged *added)
{
    const bool is_next = line == stamma_game_first_child(m->other, at.other);
    if (!(m->what & TOOL_MERGE_VARIATIONS) ||
        (at.kept_main && stamma_game_first_child(m->kept, at.kept) == STAMMA_NODE_NONE) ||
        (at.other_main && is_next && !is_annotated(m->other, line)))
        return;
    copy_line(m, at.kept, line);
    added->variations++;
}

/* Merges a line of the other record into the same line of the kept game. */
static void merge_line(tool_merging *m, place at, tool_merged *added)
{
    while (!m->error && at.kept != STAMMA_NODE_NONE) {
        if (m->what & TOOL_MERGE_COMMENTS)
            merge_node(m, at.kept, at.other, added);
        const stamma_node first = stamma_game_first_child(m->other, at.other);
        const stamma_node main = stamma_game_first_child(m->kept, at.kept);
        place next = {STAMMA_NODE_NONE, first, false, at.other_main};
        for (stamma_node n = first; n != STAMMA_NODE_NONE && !m->error; n = stamma_game_next_sibling(m->other, n)) {
            const stamma_node found = same_line(m, at, n);
            const bool is_main = at.kept_main && found == main;
            if (found == STAMMA_NODE_NONE)
                add_line(m, at, n, added);
            else if (n == first)
                next = (place){found, first, is_main, at.other_main};
            else
                merge_line(m, (place){found, n, is_main, false}, added);
        }
        at = next;
    }
}

/* ---- the game ---- */

stamma_error tool_merge_begin(tool_merging *m, stamma_text kept, bool complete)
{
    size_t movetext;
    bool sound = false;
    m->text = kept;
    m->names.size = m->names_count = 0;
    m->sound = m->moves_changed = false;
    m->error = m->kept ? STAMMA_OK : stamma_game_open(NULL, &m->kept);
    if (!m->error && !m->other)
        m->error = stamma_game_open(NULL, &m->other);
    if (!m->error)
        m->error = read_tree(m->kept, kept, &sound);
    if (!m->error)
        m->error = scan(kept, &movetext, &m->sound);
    m->sound = m->sound && sound && complete;
    return m->error;
}

stamma_error tool_merge_add(tool_merging *m, stamma_text other, tool_merged *added)
{
    bool sound;
    m->work = WORK_PER_BYTE * ((uint64_t)m->text.size + other.size);
    if (!m->error)
        m->error = read_tree(m->other, other, &sound);
    if (!m->error && m->what & TOOL_MERGE_TAGS)
        merge_tags(m, added);
    if (!m->error && m->sound && m->what & (TOOL_MERGE_COMMENTS | TOOL_MERGE_VARIATIONS))
        merge_line(m, (place){0, 0, true, true}, added);
    m->moves_changed = m->moves_changed || added->comments + added->nags + added->variations > 0;
    if (m->one.failed || m->two.failed || m->borders.failed)
        m->error = STAMMA_ERROR_NO_MEMORY;
    return m->error;
}

/* Appends the text with the changed tags. */
static stamma_error write_tags(tool_merging *m, tool_buffer *text)
{
    stamma_tag_edit *edits = calloc(m->names_count + 1, sizeof *edits);
    const stamma_output output = tool_buffer_output(text);
    const char *name = m->names.bytes;
    if (!edits)
        return STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < m->names_count; n++, name += strlen(name) + 1) {
        edits[n].name = stamma_text_of(name);
        edits[n].value = stamma_game_tag(m->kept, edits[n].name);
    }
    stamma_error error = stamma_pgn_edit_tags(m->text, edits, m->names_count, &output);
    free(edits);
    return error;
}

/* Appends the movetext of the tree, with the line ends of the tags before it. */
static stamma_error write_moves(tool_merging *m, tool_buffer *text)
{
    const bool crlf = text->size > 0 && memchr(text->bytes, '\r', text->size);
    tool_buffer written = {0};
    const stamma_output output = tool_buffer_output(&written);
    stamma_pgn_writer *writer = NULL;
    size_t at = 0;
    bool sound;
    stamma_error error = stamma_pgn_writer_open(&output, NULL, &writer);
    if (!error)
        error = stamma_game_write(m->kept, writer);
    stamma_pgn_writer_close(writer);
    if (!error)
        error = scan((stamma_text){written.bytes, written.size}, &at, &sound);
    for (; at < written.size && !error; at++)
        if (!tool_buffer_add(text, crlf && written.bytes[at] == '\n' ? "\r\n" : &written.bytes[at],
                             crlf && written.bytes[at] == '\n' ? 2 : 1))
            error = STAMMA_ERROR_NO_MEMORY;
    tool_buffer_free(&written);
    return error;
}

stamma_error tool_merge_end(tool_merging *m, tool_buffer *text)
{
    size_t movetext;
    bool sound;
    if (!m->error && (m->names_count > 0 || m->moves_changed))
        m->error = write_tags(m, text);
    if (!m->error && m->moves_changed) {
        m->error = scan((stamma_text){text->bytes, text->size}, &movetext, &sound);
        text->size = movetext;
        m->error = m->error ? m->error : write_moves(m, text);
        if (m->error == STAMMA_ERROR_IO) /* the output is a buffer */
            m->error = STAMMA_ERROR_NO_MEMORY;
    }
    return m->error;
}

void tool_merge_close(tool_merging *m)
{
    stamma_game_close(m->kept);
    stamma_game_close(m->other);
    tool_buffer_free(&m->names);
    tool_buffer_free(&m->one);
    tool_buffer_free(&m->two);
    tool_buffer_free(&m->borders);
}
