/* The fields of a game, as members of a JSON object and as cells of a table. */
#include "games/game_views.h"

/* ---- ratings, clocks, evaluations ---- */

/* Returns the rating in a tag, or -1 if it has none. */
static int64_t rating(const stamma_archive_game *game, const char *tag)
{
    unsigned number = stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of(tag)));
    return number > 0 ? (int64_t)number : -1;
}

static void json_rating(const char *key, int64_t number)
{
    if (number < 0)
        tool_json_string(key, NULL);
    else
        tool_json_number(key, (uint64_t)number);
}

void tool_clock_text(int64_t milliseconds, char out[TOOL_NUMBER_SIZE])
{
    *out = 0;
    if (milliseconds < 0)
        return;
    int size = snprintf(out, TOOL_NUMBER_SIZE, "%" PRId64 ".%03d", milliseconds / 1000, (int)(milliseconds % 1000));
    while (out[size - 1] == '0')
        out[--size] = 0;
    if (out[size - 1] == '.')
        out[--size] = 0;
}

void tool_json_clock(const char *key, int64_t milliseconds)
{
    if (milliseconds < 0)
        tool_json_string(key, NULL);
    else if (milliseconds % 1000 == 0)
        tool_json_number(key, (uint64_t)milliseconds / 1000);
    else
        tool_json_real(key, (double)milliseconds / 1000, milliseconds % 100 == 0 ? 1 : milliseconds % 10 == 0 ? 2 : 3);
}

void tool_json_evaluation(const char *key, stamma_evaluation evaluation)
{
    if (evaluation.kind == STAMMA_EVALUATION_NONE) {
        tool_json_string(key, NULL);
    } else if (evaluation.kind == STAMMA_EVALUATION_CENTIPAWNS) {
        tool_json_integer(key, evaluation.value);
    } else {
        tool_json_open(key, '{');
        tool_json_integer("mate", evaluation.value);
        tool_json_close('}');
    }
}

void tool_evaluation_text(stamma_evaluation evaluation, char out[TOOL_NUMBER_SIZE])
{
    *out = 0;
    if (evaluation.kind != STAMMA_EVALUATION_NONE)
        (void)snprintf(out, TOOL_NUMBER_SIZE, "%s%" PRId32, evaluation.kind == STAMMA_EVALUATION_MATE ? "#" : "",
                       evaluation.value);
}

/* ---- members ---- */

static bool is_repeated(const stamma_archive_game *game, size_t index)
{
    stamma_text name = game->tags[index].name;
    for (size_t i = 0; i < index; i++) {
        stamma_text other = game->tags[i].name;
        if (other.size == name.size && memcmp(other.data, name.data, name.size) == 0)
            return true;
    }
    return false;
}

/* "tags" has the first value of each name. "repeated_tags", a list of pairs, has the others if there are any. */
static void json_tags(const tool_view *v)
{
    const stamma_archive_game *game = v->game;
    size_t repeated = 0;
    tool_json_open("tags", '{');
    for (size_t i = 0; i < game->tag_count; i++) {
        if (is_repeated(game, i)) {
            repeated++;
            continue;
        }
        stamma_text value = tool_text_unescape(game->tags[i].value);
        tool_json_named_text(game->tags[i].name, value);
        free((char *)(uintptr_t)value.data);
    }
    tool_json_close('}');
    if (repeated == 0)
        return;
    tool_json_open("repeated_tags", '[');
    for (size_t i = 0; i < game->tag_count; i++) {
        if (!is_repeated(game, i))
            continue;
        stamma_text value = tool_text_unescape(game->tags[i].value);
        tool_json_open(NULL, '[');
        tool_json_text(NULL, game->tags[i].name);
        tool_json_text(NULL, value);
        tool_json_close(']');
        free((char *)(uintptr_t)value.data);
    }
    tool_json_close(']');
}

/* The positions are only needed for SAN, and for castling in Chess960. */
static void json_moves(const tool_view *v, bool san)
{
    char text[STAMMA_SAN_SIZE];
    stamma_position position = v->game->start;
    tool_json_open(san ? "san" : "uci", '[');
    for (size_t i = 0; i < v->game->ply_count; i++) {
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
    tool_json_game_number(v->game->number);
}

static void json_result(const tool_view *v)
{
    tool_json_text("result", tool_result(v->game));
}

static void json_fen(const tool_view *v)
{
    tool_json_string("fen", v->set_up ? v->fen : NULL);
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
    for (size_t i = 0; v->frequencies && i < v->game->ply_count; i++)
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
    json_rating("white_rating", rating(v->game, "WhiteElo"));
}

static void json_black_rating(const tool_view *v)
{
    json_rating("black_rating", rating(v->game, "BlackElo"));
}

static void json_clocks(const tool_view *v)
{
    tool_json_open("clocks", '[');
    for (size_t i = 0; i < v->game->ply_count; i++)
        tool_json_clock(NULL, v->game->clocks_ms[i]);
    tool_json_close(']');
}

static void json_evals(const tool_view *v)
{
    tool_json_open("evals", '[');
    for (size_t i = 0; i < v->game->ply_count; i++)
        tool_json_evaluation(NULL, v->game->evaluations[i]);
    tool_json_close(']');
}

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
static void json_notes(const stamma_archive_game *game, stamma_archive_item_kind kind, const char *key)
{
    tool_json_open(key, '[');
    for (size_t i = 0; i < game->item_count; i++)
        if (game->items[i].kind == kind && game->items[i].depth == 0)
            json_note(&game->items[i]);
    tool_json_close(']');
}

static void json_comments(const tool_view *v)
{
    json_notes(v->game, STAMMA_ITEM_COMMENT, "comments");
}

static void json_nags(const tool_view *v)
{
    json_notes(v->game, STAMMA_ITEM_NAG, "nags");
}

/* Prints the items of one kind in a variation. Moves are printed as SAN or UCI. */
static void json_inside(const tool_view *v, size_t variation, stamma_archive_item_kind kind, const char *key)
{
    const tool_variations *all = v->variations;
    bool uci = strcmp(key, "uci") == 0;
    tool_json_open(key, '[');
    for (size_t i = all->list[variation].first; i != SIZE_MAX; i = all->notes[i].next) {
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
    for (size_t i = 0; i < v->variations->count; i++) {
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

static void put_cell_byte(const tool_table *t, uint8_t byte, bool utf8)
{
    if (t->tabs && (byte == '\t' || byte == '\n' || byte == '\r')) {
        tool_put_char(' ');
    } else if (byte >= 0x80 && !utf8) {
        tool_put_char((char)(0xC0 | byte >> 6));
        tool_put_char((char)(0x80 | (byte & 0x3F)));
    } else {
        tool_put_char((char)byte);
    }
}

static void begin_cell(tool_table *t)
{
    if (t->cells++ > 0)
        tool_put_char(t->tabs ? '\t' : ',');
}

/* Returns whether a spreadsheet reads the text as a number: digits with a sign and a point. */
static bool is_number(stamma_text text)
{
    size_t digits = 0, points = 0;
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.data[i];
        digits += byte >= '0' && byte <= '9';
        points += byte == '.';
        if ((byte < '0' || byte > '9') && byte != '.' && (i > 0 || (byte != '-' && byte != '+')))
            return false;
    }
    return digits > 0 && points <= 1;
}

/* Returns whether a spreadsheet would evaluate the text (OWASP, CSV Injection). */
static bool is_formula(stamma_text text)
{
    return text.size > 1 && memchr("=+-@\t\r", text.data[0], 6) && !is_number(text);
}

static void put_cell(tool_table *t, stamma_text text)
{
    bool plain = true, quoted = false, guarded = !t->tabs && !t->raw && is_formula(text);
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.data[i];
        plain &= (uint8_t)byte < 0x80 && byte != '\t';
        quoted |= byte == ',' || byte == '"' || byte == '\n' || byte == '\r';
    }
    begin_cell(t);
    if (plain && !quoted) {
        if (guarded)
            tool_put_char('\'');
        tool_put(text.data, text.size);
        return;
    }
    bool utf8 = tool_text_is_utf8(text);
    quoted = quoted && !t->tabs;
    if (quoted)
        tool_put_char('"');
    if (guarded)
        tool_put_char('\'');
    for (size_t i = 0; i < text.size; i++) {
        put_cell_byte(t, (uint8_t)text.data[i], utf8);
        if (quoted && text.data[i] == '"')
            tool_put_char('"');
    }
    if (quoted)
        tool_put_char('"');
}

void tool_cell_string(tool_table *t, const char *string)
{
    put_cell(t, stamma_text_of(string));
}

void tool_cell_word(tool_table *t, stamma_text word)
{
    begin_cell(t);
    tool_put(word.data, word.size);
}

void tool_cell_number(tool_table *t, uint64_t number)
{
    begin_cell(t);
    tool_put_number(number);
}

void tool_row_end(tool_table *t)
{
    tool_put_string(t->tabs ? "\n" : "\r\n");
    tool_put_flush();
    t->cells = 0;
}

static void cell_rating(tool_table *t, int64_t number)
{
    if (number < 0)
        tool_cell_string(t, "");
    else
        tool_cell_number(t, (uint64_t)number);
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
    put_cell(t, tool_result(v->game));
}

static void cell_fen(const tool_view *v, tool_table *t)
{
    tool_cell_string(t, v->set_up ? v->fen : "");
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

static void cell_white_rating(const tool_view *v, tool_table *t)
{
    cell_rating(t, rating(v->game, "WhiteElo"));
}

static void cell_black_rating(const tool_view *v, tool_table *t)
{
    cell_rating(t, rating(v->game, "BlackElo"));
}

/* Separates the moves with blanks, so that the cell needs no quotes. */
static void cell_moves(const tool_view *v, tool_table *t, bool san)
{
    char text[STAMMA_SAN_SIZE];
    stamma_position position = v->game->start;
    begin_cell(t);
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
    {"result", json_result, cell_result, RESULT},
    {"fen", json_fen, cell_fen, MOVES},
    {"chess960", json_chess960, cell_chess960, MOVES},
    {"plies", json_plies, cell_plies, 0},
    {"moves_bits", json_moves_bits, cell_moves_bits, STAMMA_GAME_MOVES},
    {"bits", json_bits, cell_bits, MOVES},
    {"kept_as_text", json_kept, cell_kept, 0},
    {"uci", json_uci, cell_uci, MOVES},
    {"san", json_san, cell_san, MOVES},
    {"white_rating", json_white_rating, cell_white_rating, TAGS},
    {"black_rating", json_black_rating, cell_black_rating, TAGS},
    {"clocks", json_clocks, NULL, STAMMA_GAME_CLOCKS},
    {"evals", json_evals, NULL, STAMMA_GAME_EVALUATIONS},
    {"comments", json_comments, NULL, STAMMA_GAME_COMMENTS},
    {"nags", json_nags, NULL, STAMMA_GAME_NAGS},
    {"variations", json_variations, NULL, VARIATIONS},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const struct field *find_field(stamma_text name)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (strlen(fields[i].name) == name.size && memcmp(fields[i].name, name.data, name.size) == 0)
            return &fields[i];
    return NULL;
}

/* Reads the next name of a comma-separated list. */
static bool next_name(const char **list, stamma_text *name)
{
    if (**list == 0)
        return false;
    *name = (stamma_text){*list, strcspn(*list, ",")};
    *list += name->size + ((*list)[name->size] == ',');
    return true;
}

/* Returns whether a name is a tag name: these begin with a capital (PGN standard 8.1.1), names of fields do not. */
static bool is_tag(stamma_text name)
{
    return name.size > 0 && name.data[0] >= 'A' && name.data[0] <= 'Z';
}

const char *tool_fields_all(bool bits)
{
    return bits ? "number,tags,result,fen,chess960,plies,moves_bits,bits,kept_as_text,uci,san,white_rating,"
                  "black_rating,clocks,evals,comments,nags,variations"
                : "number,tags,result,fen,chess960,plies,moves_bits,kept_as_text,uci,san,white_rating,"
                  "black_rating,clocks,evals,comments,nags,variations";
}

bool tool_fields_check(const char *list, bool table, unsigned *parts)
{
    stamma_text name = {list, 0};
    *parts = 0;
    if (*list == 0)
        tool_say(NULL, "--fields has no field");
    for (bool right = *list != 0; right && next_name(&list, &name);) {
        const struct field *field = find_field(name);
        right = is_tag(name) || (field && (field->cell || !table));
        if (!right)
            tool_say(NULL, "there is no field \"%.*s\"%s; fields are tag names and %s", (int)name.size, name.data,
                     field ? " in a table" : "",
                     table ? "number,result,fen,chess960,plies,moves_bits,bits,kept_as_text,uci,san,white_rating,"
                             "black_rating"
                           : tool_fields_all(true));
        if (!right)
            return false;
        *parts |= field ? field->parts : TAGS;
    }
    return name.size > 0;
}

/* Returns a tag's value without escapes, to be released with free(). */
static stamma_text listed_tag(const stamma_archive_game *game, stamma_text name)
{
    return tool_text_unescape(stamma_archive_game_tag(game, name));
}

void tool_fields_members(const char *list, const tool_view *v)
{
    stamma_text name;
    while (next_name(&list, &name)) {
        const struct field *field = find_field(name);
        if (field) {
            field->json(v);
            continue;
        }
        stamma_text value = listed_tag(v->game, name);
        tool_json_named_text(name, value);
        free((char *)(uintptr_t)value.data);
    }
}

void tool_fields_json(const char *list, const tool_view *v)
{
    tool_json_open(NULL, '{');
    tool_fields_members(list, v);
    tool_json_close('}');
    tool_json_end();
}

void tool_fields_cells_head(const char *list, tool_table *t)
{
    stamma_text name;
    while (next_name(&list, &name))
        put_cell(t, name);
}

void tool_fields_head(const char *list, tool_table *t)
{
    tool_fields_cells_head(list, t);
    tool_row_end(t);
}

void tool_fields_cells(const char *list, const tool_view *v, tool_table *t)
{
    stamma_text name;
    while (next_name(&list, &name)) {
        const struct field *field = find_field(name);
        if (field) {
            field->cell(v, t);
            continue;
        }
        stamma_text value = listed_tag(v->game, name);
        put_cell(t, value);
        free((char *)(uintptr_t)value.data);
    }
}

void tool_fields_row(const char *list, const tool_view *v, tool_table *t)
{
    tool_fields_cells(list, v, t);
    tool_row_end(t);
}
