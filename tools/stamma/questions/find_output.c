/* SPDX-License-Identifier: MIT */
/* Prints the games that `stamma find` has found. */
#include "games/game_views.h"
#include "questions/answer_search.h"

bool find_output_reads(const find_output *o)
{
    return o->form != FIND_COUNT && o->form != FIND_MATCHES && o->form != FIND_NUMBERS && o->form != FIND_NOTHING;
}

/* Returns whether a field is about the match, and stores that it was requested. */
static bool is_of_match(find_output *o, const char *name, size_t size)
{
    bool fen = size == 9 && memcmp(name, "match.fen", size) == 0;
    bool san = size == 9 && memcmp(name, "match.san", size) == 0;
    o->match_fen |= fen;
    o->match_san |= san;
    return fen || san || (size == 5 && memcmp(name, "match", size) == 0);
}

/* Separates the fields of the match, which are always last, from the other fields of --fields. */
static bool leave_match_out(find_output *o)
{
    size_t used = 0;
    bool any = false;
    for (const char *at = o->fields; *at;) {
        size_t size = strcspn(at, ",");
        bool match = is_of_match(o, at, size);
        if (used + size + 2 > sizeof o->other_fields) {
            tool_say(NULL, "--fields is too long");
            return false;
        }
        if (!match)
            used += (size_t)snprintf(o->other_fields + used, sizeof o->other_fields - used, "%s%.*s",
                                     used > 0 ? "," : "", (int)size, at);
        any |= match;
        at += size + (at[size] == ',');
    }
    if (used > 0 || any) {
        o->other_fields[used] = 0;
        o->fields = o->other_fields;
    }
    return true;
}

/* Reports options that the form does not use. */
static bool check_options(const find_output *o, bool fields)
{
    if (o->fields && !fields)
        tool_say(NULL, "--columns requires the format json, csv or tsv");
    else if (o->mark && o->form != FIND_PGN)
        tool_say(NULL, "--mark requires the format pgn");
    else if (o->board && o->form != FIND_ROWS)
        tool_say(NULL, "--board cannot be used with another form of output");
    else
        return true;
    return false;
}

bool find_output_choose(find_output *o)
{
    bool table = o->form == FIND_CSV || o->form == FIND_TSV;
    o->table.tabs = o->form == FIND_TSV;
    o->parts = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT;
    if (o->form == FIND_PGN || o->form == FIND_ARCHIVE)
        o->parts = STAMMA_GAME_TEXT;
    if (o->board)
        o->parts |= STAMMA_GAME_MOVES;
    if (!check_options(o, table || o->form == FIND_JSON))
        return false;
    if (!table && o->form != FIND_JSON)
        return true;
    if (!o->fields)
        o->fields = tool_fields_listed();
    else if (!leave_match_out(o))
        return false;
    if (*o->fields && !tool_fields_check(o->fields, table, &o->parts))
        return false;
    o->parts |= o->match_fen || o->match_san ? STAMMA_GAME_MOVES : 0;
    return true;
}

static bool fail(find_output *o, stamma_error error)
{
    if (!o->output || !tool_output_failed(o->output))
        tool_say(o->output ? tool_output_name(o->output) : NULL, "%s", stamma_error_text(error));
    o->failed = true;
    return false;
}

/* Prints the names of the columns before the first game, or at the end if there is none. */
static void put_head(find_output *o)
{
    const bool table = o->form == FIND_CSV || o->form == FIND_TSV;
    if (!table || !tool_fields_head(&o->table, o->fields, o->several))
        return;
    tool_cell_string(&o->table, "match");
    if (o->match_fen)
        tool_cell_string(&o->table, "match.fen");
    if (o->match_san)
        tool_cell_string(&o->table, "match.san");
    tool_row_end(&o->table);
}

bool find_output_begin(find_output *o, const stamma_archive_writer_options *writing)
{
    if (o->form != FIND_ARCHIVE)
        return true;
    const stamma_output out = tool_output_callbacks(o->output);
    stamma_error error = stamma_archive_writer_open(&out, writing, &o->writer);
    return !error || fail(o, error);
}

/* ---- games that are not read ---- */

static void put_number(const find_output *o, const found_game *found, const char *archive)
{
    if (o->several) {
        tool_put_flush();
        (void)tool_text_print(stdout, stamma_text_of(archive));
        tool_put_char(':');
    }
    tool_put_number(found->number);
}

void find_output_number(find_output *o, const found_game *found, const char *archive)
{
    o->count++;
    if (o->form != FIND_MATCHES && o->form != FIND_NUMBERS)
        return;
    put_number(o, found, archive);
    for (size_t i = 0; o->form == FIND_MATCHES && i < found->ply_count; i++) {
        tool_put_char(' ');
        tool_put_number(found->plies[i]);
    }
    tool_put_char('\n');
}

/* ---- games that are read ---- */

static void put_row(find_output *o, const stamma_archive_game *game)
{
    if (o->fitted != o->now->archive + 1)
        tool_rows_fit(&o->rows, o->several ? o->archive : NULL);
    o->fitted = o->now->archive + 1;
    tool_row_print(&o->rows, game);
    if (o->board)
        find_match_board(o->now, game);
}

static void put_object(find_output *o, const tool_view *view)
{
    tool_json_open(NULL, '{');
    if (o->several)
        tool_json_string("archive", o->archive);
    tool_fields_members(o->fields, view);
    tool_json_open("match", '[');
    for (size_t i = 0; i < o->now->ply_count; i++)
        tool_json_number(NULL, o->now->plies[i]);
    tool_json_close(']');
    find_match_members(o->now, view->game, o->match_fen, o->match_san);
    tool_json_close('}');
    tool_json_end();
}

static void put_cells(find_output *o, const tool_view *view)
{
    if (o->several)
        tool_cell_string(&o->table, o->archive);
    tool_fields_cells(o->fields, view, &o->table);
    tool_cell_numbers(&o->table, o->now->plies, o->now->ply_count);
    find_match_cells(o->now, view->game, o->match_fen, o->match_san, &o->table);
    tool_row_end(&o->table);
}

static bool put_fields(find_output *o, const stamma_archive_game *game)
{
    tool_view view = {.variations = &o->variations};
    put_head(o);
    tool_view_game(&view, game);
    if (o->parts & STAMMA_GAME_VARIATIONS && !tool_variations_read(&o->variations, game, view.chess960)) {
        o->failed = true;
        return false;
    }
    if (o->form == FIND_JSON)
        put_object(o, &view);
    else
        put_cells(o, &view);
    return true;
}

static bool put_bytes(find_output *o, const char *bytes, size_t size)
{
    if (o->form == FIND_PGN) {
        tool_print_bytes(bytes, size);
        return !ferror(stdout);
    }
    stamma_error error = stamma_archive_writer_write(o->writer, bytes, size);
    return !error || fail(o, error);
}

/* Like `cat`, prints an empty line before a game if it is needed to separate the games. */
static bool put_text(find_output *o, const stamma_archive_game *game)
{
    if (!game->continuation && tool_text_needs_gap(game->text, o->last_end) && !put_bytes(o, "\n\n", 2))
        return false;
    o->last_end = tool_text_ends(game->text, o->last_end);
    if (!o->mark || game->continuation || o->now->ply_count == 0)
        return put_bytes(o, game->text.data, game->text.size);
    size_t size = 0;
    char *marked = find_match_mark(o->now, game, &size);
    bool right = marked && put_bytes(o, marked, size);
    o->failed |= !marked;
    free(marked);
    return right;
}

/* ---- results ---- */

/* Opens the query by which the colour of the player is found. */
static bool open_player(find_output *o)
{
    if (!tool_conditions_white(o->values, o->player, false, &o->white_query))
        return false;
    stamma_error error = stamma_matcher_open(o->white_query, NULL, &o->white_matcher);
    return !error || fail(o, error);
}

/* Counts a game for the player. If both names match, the player has White. */
static bool count_player(find_output *o, const stamma_archive_game *game, stamma_result result)
{
    static const stamma_result turned[] = {STAMMA_RESULT_UNKNOWN, STAMMA_RESULT_BLACK, STAMMA_RESULT_WHITE,
                                           STAMMA_RESULT_DRAW};
    bool white = false;
    if (!o->white_matcher && !open_player(o))
        return false;
    stamma_error error = stamma_matcher_test(o->white_matcher, game, &white, NULL, NULL);
    o->of_player[white ? result : turned[result]]++;
    return !error || fail(o, error);
}

static bool count_result(find_output *o, const stamma_archive_game *game)
{
    stamma_result result = stamma_archive_game_result(game);
    o->results[result]++;
    return !o->player || count_player(o, game, result);
}

bool find_output_game(find_output *o, const found_game *found, const char *archive, const stamma_archive_game *game)
{
    bool text = o->form == FIND_PGN || o->form == FIND_ARCHIVE;
    o->now = found;
    o->archive = archive;
    o->count += !game->continuation;
    if (text && !put_text(o, game))
        return false;
    if (text || game->continuation)
        return tool_printed();
    bool right = true;
    if (o->form == FIND_WDL)
        right = count_result(o, game);
    else if (o->form == FIND_ROWS)
        put_row(o, game);
    else
        right = put_fields(o, game);
    return right && tool_printed();
}

/* ---- the end ---- */

static bool print_results(const find_output *o)
{
    char *label = o->player ? tool_conditions_label(o->values, o->player) : NULL;
    const answer_side side = {label, o->of_player[0], o->of_player[1], o->of_player[2], o->of_player[3]};
    if (o->player && !label)
        return false;
    answer_results_print(o->results, label ? &side : NULL, o->json);
    free(label);
    return true;
}

bool find_output_end(find_output *o)
{
    put_head(o);
    if (o->form == FIND_COUNT)
        printf("%" PRIu64 "\n", o->count);
    if (o->form == FIND_WDL && !print_results(o))
        return false;
    if (o->form == FIND_ARCHIVE) {
        stamma_error error = stamma_archive_writer_finish(o->writer, &o->counts);
        if (error)
            return fail(o, error);
    }
    return tool_printed();
}

void find_output_close(find_output *o)
{
    stamma_archive_writer_close(o->writer);
    o->writer = NULL;
    tool_variations_free(&o->variations);
    stamma_matcher_close(o->white_matcher);
    stamma_query_close(o->white_query);
    o->white_matcher = NULL;
    o->white_query = NULL;
}
