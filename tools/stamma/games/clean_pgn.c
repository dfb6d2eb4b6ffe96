/* SPDX-License-Identifier: MIT */
/* Games in PGN export format (PGN standard 3.2 and 8): chosen tags, the seven of the roster first; moves in SAN with
 * move numbers; lines of at most 79 bytes. */
#include "games/game_text.h"

/* The roster of tags that each game has, and their values if they are unknown (PGN standard 8.1.1). */
static const struct {
    const char *name, *unknown;
} roster[] = {{"Event", "?"}, {"Site", "?"},  {"Date", "????.??.??"}, {"Round", "?"},
              {"White", "?"}, {"Black", "?"}, {"Result", NULL}};
enum { ROSTER = sizeof roster / sizeof *roster };

/* Errors of the output are reported when the output is closed. */
static bool check(stamma_error error)
{
    if (error && error != STAMMA_ERROR_IO)
        tool_say(NULL, "%s", stamma_error_text(error));
    return !error;
}

bool tool_clean_pgn_open(tool_clean_pgn *c, const stamma_output *output)
{
    return check(stamma_pgn_writer_open(output, NULL, &c->writer)) && check(stamma_game_open(NULL, &c->tree));
}

void tool_clean_pgn_close(tool_clean_pgn *c)
{
    stamma_pgn_writer_close(c->writer);
    stamma_game_close(c->tree);
    tool_movetext_free(&c->movetext);
    c->writer = NULL;
    c->tree = NULL;
}

/* ---- tags ---- */

static bool is_in_roster(stamma_text name)
{
    size_t n = 0;
    while (n < ROSTER && !tool_text_is(name, roster[n].name))
        n++;
    return n < ROSTER;
}

/* Returns whether a tag is one of the two that write_start writes. */
static bool is_of_start(stamma_text name)
{
    return tool_text_is(name, "SetUp") || tool_text_is(name, "FEN");
}

/* Writes a tag if the game has it. */
static stamma_error write_tag(const tool_clean_pgn *c, stamma_text name)
{
    const stamma_text value = stamma_game_tag(c->tree, name);
    return value.data ? stamma_pgn_writer_tag(c->writer, name, value) : STAMMA_OK;
}

/* Writes the tags of a game that does not start in the initial position (PGN standard 9.7). */
static stamma_error write_start(const tool_clean_pgn *c)
{
    const stamma_text fen = stamma_text_of("FEN");
    if (!stamma_game_tag(c->tree, fen).data)
        return STAMMA_OK;
    const stamma_error error = stamma_pgn_writer_tag(c->writer, stamma_text_of("SetUp"), stamma_text_of("1"));
    return error ? error : write_tag(c, fen);
}

static stamma_error write_roster(const tool_clean_pgn *c)
{
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < ROSTER && !error; n++) {
        const stamma_text name = stamma_text_of(roster[n].name), value = stamma_game_tag(c->tree, name);
        const stamma_text unknown = roster[n].unknown ? stamma_text_of(roster[n].unknown) : stamma_game_result(c->tree);
        error = value.data ? write_tag(c, name) : stamma_pgn_writer_tag(c->writer, name, unknown);
    }
    return error;
}

/* Writes the roster, then the other tags in the order of the game. A repeated tag is written once. */
static stamma_error write_all_tags(const tool_clean_pgn *c)
{
    stamma_error error = write_roster(c);
    for (size_t n = 0; n < stamma_game_tag_count(c->tree) && !error; n++) {
        stamma_text name, value;
        (void)stamma_game_tag_at(c->tree, n, &name, &value);
        if (!is_in_roster(name) && !is_of_start(name) && stamma_game_tag(c->tree, name).data == value.data)
            error = write_tag(c, name);
    }
    return error ? error : write_start(c);
}

/* Writes the tags of the list, and those without which the moves cannot be read. */
static stamma_error write_chosen_tags(const tool_clean_pgn *c)
{
    const stamma_text variant = stamma_text_of("Variant");
    bool needs_variant = stamma_game_tag(c->tree, stamma_text_of("FEN")).data != NULL;
    stamma_error error = STAMMA_OK;
    for (const char *at = c->tags; *at && !error;) {
        const stamma_text name = {at, strcspn(at, ",")};
        needs_variant &= !tool_text_is(name, variant.data);
        if (name.size > 0 && !is_of_start(name))
            error = write_tag(c, name);
        at += name.size + (at[name.size] == ',');
    }
    if (needs_variant && !error)
        error = write_tag(c, variant);
    return error ? error : write_start(c);
}

/* ---- games ---- */

/* Reads a game from its text into the tree. Sets *found to whether there is a game, at least a tag or a legal move. */
static stamma_error read_tree(tool_clean_pgn *c, stamma_text text, bool *found)
{
    stamma_pgn_reader *reader = NULL;
    stamma_error loss = STAMMA_OK, error = stamma_pgn_reader_open_memory(text.data, text.size, NULL, &reader);
    if (!error)
        error = stamma_game_read(c->tree, reader, found, &loss, NULL);
    stamma_pgn_reader_close(reader);
    if (error || !*found)
        return error;
    c->incomplete += loss != STAMMA_OK;
    *found = !loss || stamma_game_tag_count(c->tree) > 0 || stamma_game_first_child(c->tree, 0) != STAMMA_NODE_NONE;
    c->games += *found;
    return STAMMA_OK;
}

/* Removes parts of the movetext. A movetext that cannot be edited, for example with an open comment, keeps all parts.
 */
static bool strip(tool_clean_pgn *c, stamma_text *text)
{
    const tool_movetext_edit edit = {.strip = c->strip, .plies = UINT64_MAX};
    tool_movetext_changes changes;
    const tool_movetext_outcome outcome = tool_movetext_run(&c->movetext, *text, &edit, &changes);
    if (outcome == TOOL_MOVETEXT_EDITED)
        *text = (stamma_text){c->movetext.text.bytes, c->movetext.text.size};
    return outcome != TOOL_MOVETEXT_FAILED || check(STAMMA_ERROR_NO_MEMORY);
}

bool tool_clean_pgn_write(tool_clean_pgn *c, stamma_text game)
{
    bool found = false;
    if (c->strip && !strip(c, &game))
        return false;
    stamma_error error = read_tree(c, game, &found);
    if (error || !found)
        return check(error);
    error = c->tags ? write_chosen_tags(c) : write_all_tags(c);
    return check(error ? error : stamma_game_write_moves(c->tree, c->writer));
}
