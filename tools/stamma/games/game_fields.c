/* SPDX-License-Identifier: MIT */
/* The fields of a game, as members of a JSON object and as cells of a table. */
#include "games/game_views.h"
#include "games/tag_order.h"

/* ---- ratings, times, evaluations ---- */

/* Returns the rating in a tag, or 0 if it has none. */
static unsigned rating(const stamma_archive_game *game, const char *tag)
{
    return stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of(tag)));
}

void tool_time_text(int64_t milliseconds, char out[TOOL_NUMBER_SIZE])
{
    *out = 0;
    if (milliseconds >= 0)
        (void)snprintf(out, TOOL_NUMBER_SIZE, "%" PRId64, milliseconds);
}

void tool_json_time(const char *key, int64_t milliseconds)
{
    if (milliseconds < 0)
        tool_json_string(key, NULL);
    else
        tool_json_number(key, (uint64_t)milliseconds);
}

void tool_json_evaluation(const char *key, stamma_evaluation evaluation, stamma_evaluation_kind kind)
{
    if (evaluation.kind == kind)
        tool_json_integer(key, evaluation.value);
    else
        tool_json_string(key, NULL);
}

void tool_evaluation_text(stamma_evaluation evaluation, stamma_evaluation_kind kind, char out[TOOL_NUMBER_SIZE])
{
    *out = 0;
    if (evaluation.kind == kind)
        (void)snprintf(out, TOOL_NUMBER_SIZE, "%" PRId32, evaluation.value);
}

/* ---- members ---- */

/* Prints the first tag of each name as a member. Returns the number of other tags. */
static size_t json_first_tags(const tool_view *v, const tool_tag_order *order)
{
    size_t repeated = 0;
    for (size_t i = 0; i < order->game->tag_count && !tool_is_stopped(v->stop, i); i++) {
        const stamma_tag *tag = &order->game->tags[i];
        if (tool_tag_order_find(order, tag->name) != tag) {
            repeated++;
            continue;
        }
        stamma_text value = tool_text_unescape(tag->value);
        tool_json_named_text(tag->name, value);
        free((char *)(uintptr_t)value.data);
    }
    return repeated;
}

static void json_repeated_tags(const tool_view *v, const tool_tag_order *order)
{
    for (size_t i = 0; i < order->game->tag_count && !tool_is_stopped(v->stop, i); i++) {
        const stamma_tag *tag = &order->game->tags[i];
        if (tool_tag_order_find(order, tag->name) == tag)
            continue;
        stamma_text value = tool_text_unescape(tag->value);
        tool_json_open(NULL, '[');
        tool_json_text(NULL, tag->name);
        tool_json_text(NULL, value);
        tool_json_close(']');
        free((char *)(uintptr_t)value.data);
    }
}

/* Writes "tags" with the first value of each name, and "repeated_tags", a list of pairs, with the other values if there
 * are any. */
static void json_tags(const tool_view *v)
{
    tool_tag_order order = tool_tag_order_make(v->game);
    tool_json_open("tags", '{');
    const size_t repeated = json_first_tags(v, &order);
    tool_json_close('}');
    if (repeated > 0) {
        tool_json_open("repeated_tags", '[');
        json_repeated_tags(v, &order);
        tool_json_close(']');
    }
    tool_tag_order_free(&order);
}

/* Writes the moves. Plays them only for SAN, and for castling in Chess960. */
static void json_moves(const tool_view *v, bool san)
{
    char text[STAMMA_SAN_SIZE];
    stamma_position position = v->game->start;
    tool_json_open(san ? "san" : "uci", '[');
    for (size_t i = 0; i < v->game->ply_count && !tool_is_stopped(v->stop, i); i++) {
        size_t size = san ? stamma_san_write(&position, v->game->moves[i], text, sizeof text)
                          : stamma_uci_write(&position, v->game->moves[i], v->chess960, text, sizeof text);
        tool_json_word(NULL, (stamma_text){text, size});
        if (san || v->chess960)
            stamma_position_make(&position, v->game->moves[i], &position);
    }
    tool_json_close(']');
}

static void json_number(const tool_view *v)
{
    tool_json_known("number", v->game->number);
}

static void json_result(const tool_view *v)
{
    tool_json_text("result", tool_result(v->game));
}

static void json_fen(const tool_view *v)
{
    tool_json_string("fen", v->set_up ? v->fen : NULL);
}

static void json_tag(const tool_view *v, const char *key, const char *tag)
{
    tool_json_value(key, stamma_archive_game_tag(v->game, stamma_text_of(tag)));
}

static void json_white(const tool_view *v)
{
    json_tag(v, "white", "White");
}

static void json_black(const tool_view *v)
{
    json_tag(v, "black", "Black");
}

static void json_event(const tool_view *v)
{
    json_tag(v, "event", "Event");
}

static void json_site(const tool_view *v)
{
    json_tag(v, "site", "Site");
}

static void json_round(const tool_view *v)
{
    json_tag(v, "round", "Round");
}

static void json_date(const tool_view *v)
{
    char text[TOOL_DATE_SIZE];
    tool_json_string("date", tool_iso_date(v->game, text));
}

static void json_chess960(const tool_view *v)
{
    tool_json_bool("chess960", v->chess960);
}

static void json_plies(const tool_view *v)
{
    tool_json_number("plies", v->game->ply_count);
}

static void json_moves_bits(const tool_view *v)
{
    tool_json_number("moves_bits", v->game->moves_bits);
}

static void json_bits(const tool_view *v)
{
    tool_json_open("bits", '[');
    for (size_t i = 0; v->frequencies && i < v->game->ply_count && !tool_is_stopped(v->stop, i); i++)
        tool_json_real(NULL, tool_view_bits(v, i), 2);
    tool_json_close(']');
}

static const char *kept(const tool_view *v)
{
    return tool_notice_is_loss(v->game->reason) ? tool_reason_word(v->game->reason) : NULL;
}

static void json_kept(const tool_view *v)
{
    tool_json_string("kept_as_text", kept(v));
}

/* Writes the names of the flags. Returns `text`. */
static const char *flags_of(const tool_view *v, char text[STAMMA_FLAGS_SIZE])
{
    (void)stamma_flags_text(v->game->flags, text, STAMMA_FLAGS_SIZE);
    return text;
}

static void json_flags(const tool_view *v)
{
    char text[STAMMA_FLAGS_SIZE];
    tool_json_string("flags", v->game->flags ? flags_of(v, text) : NULL);
}

static void json_uci(const tool_view *v)
{
    json_moves(v, false);
}

static void json_san(const tool_view *v)
{
    json_moves(v, true);
}

static void json_white_rating(const tool_view *v)
{
    tool_json_known("white_rating", rating(v->game, "WhiteElo"));
}

static void json_black_rating(const tool_view *v)
{
    tool_json_known("black_rating", rating(v->game, "BlackElo"));
}

static void json_times(const tool_view *v, const char *key, const int64_t *times)
{
    tool_json_open(key, '[');
    for (size_t i = 0; i < v->game->ply_count && !tool_is_stopped(v->stop, i); i++)
        tool_json_time(NULL, times[i]);
    tool_json_close(']');
}

static void json_clocks(const tool_view *v)
{
    json_times(v, "clock_ms", v->game->clocks_ms);
}

static void json_times_spent(const tool_view *v)
{
    json_times(v, "time_spent_ms", v->game->times_spent_ms);
}

/* Writes the numbers of evaluations of one kind, and null for all other plies. */
static void json_evaluations(const tool_view *v, const char *key, stamma_evaluation_kind kind)
{
    tool_json_open(key, '[');
    for (size_t i = 0; i < v->game->ply_count && !tool_is_stopped(v->stop, i); i++)
        tool_json_evaluation(NULL, v->game->evaluations[i], kind);
    tool_json_close(']');
}

static void json_eval_cp(const tool_view *v)
{
    json_evaluations(v, "eval_cp", STAMMA_EVALUATION_CENTIPAWNS);
}

static void json_mate(const tool_view *v)
{
    json_evaluations(v, "mate", STAMMA_EVALUATION_MATE);
}

/* ---- openings ---- */

/* A text of the opening, and whether it is derived from the moves. */
typedef stamma_text opening_text(const stamma_archive_game *game, bool *derived);

static void json_opening_text(const tool_view *v, const char *key, opening_text *text)
{
    tool_json_value(key, text(v->game, NULL));
}

static void json_derived(const tool_view *v, const char *key, opening_text *text)
{
    bool derived = false;
    if (text(v->game, &derived).data)
        tool_json_bool(key, derived);
    else
        tool_json_string(key, NULL);
}

static void json_eco(const tool_view *v)
{
    json_opening_text(v, "eco", stamma_archive_game_eco);
}

static void json_eco_derived(const tool_view *v)
{
    json_derived(v, "eco_derived", stamma_archive_game_eco);
}

static void json_opening(const tool_view *v)
{
    json_opening_text(v, "opening", stamma_archive_game_opening);
}

static void json_opening_derived(const tool_view *v)
{
    json_derived(v, "opening_derived", stamma_archive_game_opening);
}

/* ---- comments, NAGs and variations ---- */

static void json_note(const stamma_archive_item *item)
{
    tool_json_open(NULL, '{');
    tool_json_number("ply", item->ply);
    if (item->kind == STAMMA_ITEM_NAG)
        tool_json_number("nag", item->nag);
    else
        tool_json_text("text", item->text);
    tool_json_close('}');
}

/* Prints the comments or the NAGs of the main line. */
static void json_notes(const tool_view *v, stamma_archive_item_kind kind, const char *key)
{
    tool_json_open(key, '[');
    const stamma_archive_game *game = v->game;
    for (size_t i = 0; i < game->item_count && !tool_is_stopped(v->stop, i); i++)
        if (game->items[i].kind == kind && game->items[i].depth == 0)
            json_note(&game->items[i]);
    tool_json_close(']');
}

static void json_comments(const tool_view *v)
{
    json_notes(v, STAMMA_ITEM_COMMENT, "comments");
}

static void json_nags(const tool_view *v)
{
    json_notes(v, STAMMA_ITEM_NAG, "nags");
}

/* Prints the items of one kind in a variation. Moves are printed as SAN or UCI. */
static void json_inside(const tool_view *v, size_t variation, stamma_archive_item_kind kind, const char *key)
{
    const tool_variations *all = v->variations;
    bool uci = strcmp(key, "uci") == 0;
    tool_json_open(key, '[');
    for (size_t i = all->list[variation].first; i != SIZE_MAX && !tool_is_stopped(v->stop, i); i = all->notes[i].next) {
        if (v->game->items[i].kind != kind)
            continue;
        if (kind == STAMMA_ITEM_MOVE)
            tool_json_word(NULL, stamma_text_of(uci ? all->notes[i].uci : all->notes[i].san));
        else
            json_note(&v->game->items[i]);
    }
    tool_json_close(']');
}

/* Prints all variations in the order in which they begin, each with the number, from 0, of the enclosing variation. */
static void json_variations(const tool_view *v)
{
    tool_json_open("variations", '[');
    for (size_t i = 0; i < v->variations->count && !tool_is_stopped(v->stop, i); i++) {
        const tool_variation *variation = &v->variations->list[i];
        tool_json_open(NULL, '{');
        tool_json_number("ply", variation->ply);
        if (variation->within == SIZE_MAX)
            tool_json_string("within", NULL);
        else
            tool_json_number("within", variation->within);
        json_inside(v, i, STAMMA_ITEM_MOVE, "uci");
        json_inside(v, i, STAMMA_ITEM_MOVE, "san");
        json_inside(v, i, STAMMA_ITEM_COMMENT, "comments");
        json_inside(v, i, STAMMA_ITEM_NAG, "nags");
        tool_json_close('}');
    }
    tool_json_close(']');
}

/* ---- cells ---- */

static void cell_rating(tool_table *t, unsigned number)
{
    if (number == 0)
        tool_cell_string(t, "");
    else
        tool_cell_number(t, number);
}

static void cell_number(const tool_view *v, tool_table *t)
{
    if (v->game->number > 0)
        tool_cell_number(t, v->game->number);
    else
        tool_cell_string(t, "");
}

static void cell_result(const tool_view *v, tool_table *t)
{
    tool_cell_text(t, tool_result(v->game));
}

static void cell_fen(const tool_view *v, tool_table *t)
{
    tool_cell_string(t, v->set_up ? v->fen : "");
}

static void cell_white(const tool_view *v, tool_table *t)
{
    tool_tag_cell(v->game, stamma_text_of("White"), t);
}

static void cell_black(const tool_view *v, tool_table *t)
{
    tool_tag_cell(v->game, stamma_text_of("Black"), t);
}

static void cell_event(const tool_view *v, tool_table *t)
{
    tool_tag_cell(v->game, stamma_text_of("Event"), t);
}

static void cell_site(const tool_view *v, tool_table *t)
{
    tool_tag_cell(v->game, stamma_text_of("Site"), t);
}

static void cell_round(const tool_view *v, tool_table *t)
{
    tool_tag_cell(v->game, stamma_text_of("Round"), t);
}

static void cell_date(const tool_view *v, tool_table *t)
{
    char text[TOOL_DATE_SIZE];
    const char *date = tool_iso_date(v->game, text);
    tool_cell_string(t, date ? date : "");
}

static void cell_chess960(const tool_view *v, tool_table *t)
{
    tool_cell_string(t, v->chess960 ? "true" : "false");
}

static void cell_plies(const tool_view *v, tool_table *t)
{
    tool_cell_number(t, v->game->ply_count);
}

static void cell_moves_bits(const tool_view *v, tool_table *t)
{
    tool_cell_number(t, v->game->moves_bits);
}

/* Separates the values with blanks. */
static void cell_bits(const tool_view *v, tool_table *t)
{
    tool_cell_string(t, "");
    for (size_t i = 0; v->frequencies && i < v->game->ply_count; i++) {
        char text[TOOL_NUMBER_SIZE];
        (void)snprintf(text, sizeof text, "%s%.2f", i > 0 ? " " : "", tool_view_bits(v, i));
        tool_put_string(text);
    }
}

static void cell_kept(const tool_view *v, tool_table *t)
{
    tool_cell_string(t, kept(v) ? kept(v) : "");
}

static void cell_flags(const tool_view *v, tool_table *t)
{
    char text[STAMMA_FLAGS_SIZE];
    tool_cell_string(t, flags_of(v, text));
}

static void cell_white_rating(const tool_view *v, tool_table *t)
{
    cell_rating(t, rating(v->game, "WhiteElo"));
}

static void cell_black_rating(const tool_view *v, tool_table *t)
{
    cell_rating(t, rating(v->game, "BlackElo"));
}

static void cell_opening_text(const tool_view *v, tool_table *t, opening_text *text)
{
    stamma_text plain = tool_text_unescape(text(v->game, NULL));
    tool_cell_text(t, plain);
    free((char *)(uintptr_t)plain.data);
}

static void cell_derived(const tool_view *v, tool_table *t, opening_text *text)
{
    bool derived = false;
    bool known = text(v->game, &derived).data != NULL;
    tool_cell_string(t, !known ? "" : derived ? "true" : "false");
}

static void cell_eco(const tool_view *v, tool_table *t)
{
    cell_opening_text(v, t, stamma_archive_game_eco);
}

static void cell_eco_derived(const tool_view *v, tool_table *t)
{
    cell_derived(v, t, stamma_archive_game_eco);
}

static void cell_opening(const tool_view *v, tool_table *t)
{
    cell_opening_text(v, t, stamma_archive_game_opening);
}

static void cell_opening_derived(const tool_view *v, tool_table *t)
{
    cell_derived(v, t, stamma_archive_game_opening);
}

/* Puts a value of a cell that has one for each ply, separated by blanks: `-` is an unknown value. */
static void put_listed(size_t ply, const char *value)
{
    if (ply > 0)
        tool_put_char(' ');
    tool_put_string(*value ? value : "-");
}

static void cell_times(tool_table *t, const tool_view *v, const int64_t *times)
{
    char text[TOOL_NUMBER_SIZE];
    tool_cell_begin(t);
    for (size_t i = 0; i < v->game->ply_count; i++) {
        tool_time_text(times[i], text);
        put_listed(i, text);
    }
}

static void cell_clocks(const tool_view *v, tool_table *t)
{
    cell_times(t, v, v->game->clocks_ms);
}

static void cell_times_spent(const tool_view *v, tool_table *t)
{
    cell_times(t, v, v->game->times_spent_ms);
}

static void cell_evaluations(const tool_view *v, tool_table *t, stamma_evaluation_kind kind)
{
    char text[TOOL_NUMBER_SIZE];
    tool_cell_begin(t);
    for (size_t i = 0; i < v->game->ply_count; i++) {
        tool_evaluation_text(v->game->evaluations[i], kind, text);
        put_listed(i, text);
    }
}

static void cell_eval_cp(const tool_view *v, tool_table *t)
{
    cell_evaluations(v, t, STAMMA_EVALUATION_CENTIPAWNS);
}

static void cell_mate(const tool_view *v, tool_table *t)
{
    cell_evaluations(v, t, STAMMA_EVALUATION_MATE);
}

/* Separates the moves with blanks, so that the cell needs no quotes. */
static void cell_moves(const tool_view *v, tool_table *t, bool san)
{
    char text[STAMMA_SAN_SIZE];
    stamma_position position = v->game->start;
    tool_cell_begin(t);
    for (size_t i = 0; i < v->game->ply_count; i++) {
        size_t size = san ? stamma_san_write(&position, v->game->moves[i], text, sizeof text)
                          : stamma_uci_write(&position, v->game->moves[i], v->chess960, text, sizeof text);
        if (i > 0)
            tool_put_char(' ');
        tool_put(text, size);
        if (san || v->chess960)
            stamma_position_make(&position, v->game->moves[i], &position);
    }
}

static void cell_uci(const tool_view *v, tool_table *t)
{
    cell_moves(v, t, false);
}

static void cell_san(const tool_view *v, tool_table *t)
{
    cell_moves(v, t, true);
}

/* ---- fields by name ---- */

enum {
    TAGS = STAMMA_GAME_TAGS,
    RESULT = STAMMA_GAME_TAGS | STAMMA_GAME_RESULT,
    MOVES = STAMMA_GAME_MOVES | STAMMA_GAME_TAGS, /* the Variant tag is needed to recognise Chess960 */
    VARIATIONS = MOVES | STAMMA_GAME_VARIATIONS | STAMMA_GAME_COMMENTS | STAMMA_GAME_NAGS
};

static const struct field {
    const char *name;
    void (*json)(const tool_view *v);
    void (*cell)(const tool_view *v, tool_table *t); /* NULL: JSON only */
    unsigned parts;                                  /* STAMMA_GAME_... */
} fields[] = {
    {"number", json_number, cell_number, 0},
    {"tags", json_tags, NULL, TAGS},
    {"white", json_white, cell_white, TAGS},
    {"black", json_black, cell_black, TAGS},
    {"result", json_result, cell_result, RESULT},
    {"date", json_date, cell_date, TAGS},
    {"event", json_event, cell_event, TAGS},
    {"site", json_site, cell_site, TAGS},
    {"round", json_round, cell_round, TAGS},
    {"fen", json_fen, cell_fen, MOVES},
    {"chess960", json_chess960, cell_chess960, MOVES},
    {"plies", json_plies, cell_plies, 0},
    {"moves_bits", json_moves_bits, cell_moves_bits, STAMMA_GAME_MOVES},
    {"bits", json_bits, cell_bits, MOVES},
    {"kept_as_text", json_kept, cell_kept, 0},
    {"flags", json_flags, cell_flags, 0},
    {"uci", json_uci, cell_uci, MOVES},
    {"san", json_san, cell_san, MOVES},
    {"white_rating", json_white_rating, cell_white_rating, TAGS},
    {"black_rating", json_black_rating, cell_black_rating, TAGS},
    {"eco", json_eco, cell_eco, MOVES},
    {"eco_derived", json_eco_derived, cell_eco_derived, MOVES},
    {"opening", json_opening, cell_opening, MOVES},
    {"opening_derived", json_opening_derived, cell_opening_derived, MOVES},
    {"clock_ms", json_clocks, cell_clocks, STAMMA_GAME_CLOCKS},
    {"time_spent_ms", json_times_spent, cell_times_spent, STAMMA_GAME_CLOCKS},
    {"eval_cp", json_eval_cp, cell_eval_cp, STAMMA_GAME_EVALUATIONS},
    {"mate", json_mate, cell_mate, STAMMA_GAME_EVALUATIONS},
    {"comments", json_comments, NULL, STAMMA_GAME_COMMENTS},
    {"nags", json_nags, NULL, STAMMA_GAME_NAGS},
    {"variations", json_variations, NULL, VARIATIONS},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const struct field *find_field(stamma_text name)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (tool_text_is(name, fields[i].name))
            return &fields[i];
    return NULL;
}

bool tool_fields_next(const char **list, stamma_text *name)
{
    if (**list == 0)
        return false;
    *name = (stamma_text){*list, strcspn(*list, ",")};
    *list += name->size + ((*list)[name->size] == ',');
    return true;
}

/* Names of tags begin with a capital (PGN standard 8.1.1), names of fields do not. */
bool tool_fields_is_tag(stamma_text name)
{
    return name.size > 0 && name.data[0] >= 'A' && name.data[0] <= 'Z';
}

#define FIELDS_BEFORE_BITS "number,tags,result,fen,chess960,plies,moves_bits,"
#define FIELDS_AFTER_BITS \
    "kept_as_text,uci,san,white_rating,black_rating,eco,eco_derived,opening,opening_derived,clock_ms,eval_cp,mate,"
#define FIELDS_LAST "comments,nags,variations"

const char *tool_fields_all(bool bits)
{
    return bits ? FIELDS_BEFORE_BITS "bits," FIELDS_AFTER_BITS FIELDS_LAST
                : FIELDS_BEFORE_BITS FIELDS_AFTER_BITS FIELDS_LAST;
}

const char *tool_fields_listed(void)
{
    return "number,white,black,white_rating,black_rating,result,date,event,site,round,TimeControl,ECO,Opening,plies";
}

bool tool_fields_has(const char *list, const char *name)
{
    stamma_text one;
    while (list && tool_fields_next(&list, &one))
        if (tool_text_is(one, name))
            return true;
    return false;
}

bool tool_fields_check(const char *list, bool table, unsigned *parts)
{
    stamma_text name = {list, 0};
    *parts = 0;
    if (*list == 0)
        tool_say(NULL, "--columns has no column");
    for (bool right = *list != 0; right && tool_fields_next(&list, &name);) {
        const struct field *field = find_field(name);
        right = tool_fields_is_tag(name) || (field && (field->cell || !table));
        if (!right)
            tool_say(
                NULL,
                "there is no column \"%.*s\"%s; columns are tag names and number,white,black,white_rating,"
                "black_rating,result,date,event,site,round,fen,chess960,plies,moves_bits,bits,kept_as_text,flags,uci,"
                "san,eco,eco_derived,opening,opening_derived,clock_ms,time_spent_ms,eval_cp,mate%s",
                (int)name.size, name.data, field ? " in a table" : "", table ? "" : ",tags,comments,nags,variations");
        if (!right)
            return false;
        *parts |= field ? field->parts : TAGS;
    }
    return name.size > 0;
}

void tool_tag_member(const stamma_archive_game *game, stamma_text name)
{
    stamma_text value = tool_text_unescape(stamma_archive_game_tag(game, name));
    tool_json_named_text(name, value);
    free((char *)(uintptr_t)value.data);
}

void tool_tag_cell(const stamma_archive_game *game, stamma_text name, tool_table *t)
{
    stamma_text value = tool_text_unescape(stamma_archive_game_tag(game, name));
    tool_cell_text(t, value);
    free((char *)(uintptr_t)value.data);
}

void tool_fields_members(const char *list, const tool_view *v)
{
    stamma_text name;
    while (tool_fields_next(&list, &name)) {
        const struct field *field = find_field(name);
        if (field)
            field->json(v);
        else
            tool_tag_member(v->game, name);
    }
}

void tool_fields_json(const char *list, const tool_view *v)
{
    tool_json_open(NULL, '{');
    tool_fields_members(list, v);
    tool_json_close('}');
    tool_json_end();
}

bool tool_fields_head(tool_table *t, const char *list, bool archive)
{
    stamma_text name;
    if (t->headed)
        return false;
    t->headed = true;
    if (archive)
        tool_cell_string(t, "archive");
    while (tool_fields_next(&list, &name))
        tool_cell_text(t, name);
    return true;
}

void tool_fields_cells(const char *list, const tool_view *v, tool_table *t)
{
    stamma_text name;
    while (tool_fields_next(&list, &name)) {
        const struct field *field = find_field(name);
        if (field)
            field->cell(v, t);
        else
            tool_tag_cell(v->game, name, t);
    }
}
