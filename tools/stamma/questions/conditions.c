/* SPDX-License-Identifier: MIT */
/* Conditions of searches: options, compiled into the JSON text of one query (doc/reference/search.md), and messages
 * about errors in them. */
#include "games/saved_questions.h"
#include "questions/condition_names.h"
#include "questions/find.h"

typedef enum condition_kind {
    TEXT,     /* any text */
    RANGE,    /* a number, or a range as text */
    HOLDS,    /* a flag that is a rule */
    MODIFIER, /* a flag that modifies other rules */
    TOP,      /* a flag that modifies the complete query */
    TAG,      /* NAME=PATTERN */
    LACKS,    /* text; a rule that must not hold */
    NAMES,    /* a file that other rules use */
    PERSON,   /* becomes a query */
    MOVES,    /* played to make a rule "fen" */
    QUERY,    /* JSON */
    SAVED     /* replaced by its QUERY when options are read */
} condition_kind;

static const struct condition {
    const char *name; /* name of the option and of the rule */
    const char *value;
    const char *help;
    condition_kind kind;
    bool turns; /* flipcolor and mirror apply */
} conditions[] = {
    {"fen", "FEN", "position, reached by any moves; with --moves: their start position", TEXT, true},
    {"moves", "MOVES", "position after these moves, reached by any moves: \"e4 c5 Nf3\"", MOVES, true},
    {"ignore-castling", NULL, "ignore castling rights in --fen and --moves", MODIFIER, false},
    {"ignore-en-passant", NULL, "ignore en passant squares in --fen and --moves", MODIFIER, false},
    {"sub-fen", "PLACEMENT", "part of a position: pieces; digits: squares with any contents;\n.: empty square", TEXT,
     true},
    {"material", "PIECES",
     "pieces on the board, White's first, such as KRPKR; after a piece,\n?: zero or one, *: any number, +: at least "
     "one",
     TEXT, true},
    {"imbalance", "PIECES", "RvBN: White has a rook more; Black has a bishop and a knight more", TEXT, true},
    {"pawns", "PLACEMENT", "exactly these pawns", TEXT, true},
    {"attacks", "PIECES", "Nxq: a white knight attacks a black queen; \"Bxf7 h7\": attacked\nsquares", TEXT, true},
    {"pinned", "PIECES", "one of these pieces is pinned to its king", TEXT, true},
    {"balance", "RANGE", "White's points minus Black's: pawn 1, knight and bishop 3, rook 5, queen 9", RANGE, true},
    {"mover-balance", "RANGE", "points of the side that moved minus the other side's", RANGE, false},
    {"opposite-bishops", NULL, "each side has one bishop, on squares of different colours", HOLDS, false},
    {"ray", "PIECES", "pieces in line, the first moves on this line: \"QRB n k\" is a pin", TEXT, true},
    {"battery", "PIECES", "two of these pieces of a side support each other on a line: QB", TEXT, true},
    {"path", "PIECE SQUARES", "one piece visits these squares: \"N g1 f3 e5\"", TEXT, true},
    {"flipcolor", NULL, "also match with colours exchanged", MODIFIER, false},
    {"mirror", NULL, "also match with the files mirrored", MODIFIER, false},
    {"shift", NULL, "also match --sub-fen elsewhere on the board", MODIFIER, false},
    {"check", NULL, "the side to move is in check", HOLDS, false},
    {"mate", NULL, "the side to move is mated", HOLDS, false},
    {"stalemate", NULL, "the side to move is stalemated", HOLDS, false},
    {"side-to-move", "COLOUR", "white or black is to move", TEXT, true},
    {"ply", "RANGE", "number of plies before the position: 20..40", RANGE, false},
    {"move-number", "RANGE", "number of the next move", RANGE, false},
    {"halfmove-clock", "RANGE", "plies since the last capture or pawn move: 100..", RANGE, false},
    {"repetition", "RANGE", "number of times that the position has occurred in the game: 3..", RANGE, false},
    {"move", "MOVE", "this move was played: Nxf7, e8=N, e2e4; e5: any pawn to e5", TEXT, true},
    {"white-move", "MOVE", "White played this move", TEXT, true},
    {"black-move", "MOVE", "Black played this move", TEXT, true},
    {"moved", "PIECES", "a piece of one of these types moved: QR", TEXT, false},
    {"captured", "PIECES", "a piece of one of these types was captured", TEXT, false},
    {"promoted", "PIECES", "a pawn was promoted to one of these types", TEXT, false},
    {"castling", "SIDE", "castling move: short, long or any", TEXT, false},
    {"en-passant", NULL, "en passant capture", HOLDS, false},
    {"by", "COLOUR", "white or black made the move", TEXT, true},
    {"evaluation", "RANGE", "evaluation in comments, in pawns, from White's view: 3..", RANGE, false},
    {"swing", "RANGE", "change of the evaluation, up or down, in pawns", RANGE, false},
    {"mover-swing", "RANGE", "change of the evaluation for the side that moved: ..-3", RANGE, false},
    {"nag", "GLYPH", "annotation of the move: !, ?, !!, ??, !?, ?! or a number", RANGE, false},
    {"ply-comment", "TEXT", "text in a comment after the move", TEXT, false},
    {"clock", "RANGE", "seconds left on the clock: ..10", RANGE, false},
    {"player", "NAME",
     "beginning of a player's name, or =NAME: exactly this name;\n=NAME|=NAME: one of these names; given twice: both "
     "players",
     TEXT, false},
    {"white", "NAME", "beginning of White's name", TEXT, false},
    {"black", "NAME", "beginning of Black's name", TEXT, false},
    {"person", "PERSON",
     "all names and accounts of a person: an id, a FIDE id or a name in\nthe file of persons (doc/reference/names.md); "
     "also: "
     "--player @PERSON",
     PERSON, false},
    {"white-person", "PERSON", "White is this person", PERSON, false},
    {"black-person", "PERSON", "Black is this person", PERSON, false},
    {"persons", "FILE", "file of persons; default: ARCHIVE.persons", NAMES, false},
    {"names", "TABLE", "players, events and sites match all spellings in this table (see\nstamma names)", NAMES, false},
    {"event", "PATTERN", "Event tag; *: any text, ?: any character", TEXT, false},
    {"site", "PATTERN", "Site tag", TEXT, false},
    {"round", "PATTERN", "Round tag", TEXT, false},
    {"time-control", "PATTERN", "TimeControl tag", TEXT, false},
    {"speed", "WORD", "one of ultraBullet, bullet, blitz, rapid, classical, correspondence", TEXT, false},
    {"termination", "PATTERN", "Termination tag", TEXT, false},
    {"tag", "NAME=PATTERN", "any tag", TAG, false},
    {"eco", "RANGE", "B90..B99, C54, or B9 (all codes that start with B9)", TEXT, false},
    {"opening", "TEXT", "part of the opening's name, as in the tag or by the moves: Najdorf", TEXT, false},
    {"result", "RESULT", "1-0, 0-1, 1/2-1/2 or *", TEXT, false},
    {"result-type", "WORD", "mate or stalemate: how the game ended", TEXT, false},
    {"rating", "RANGE", "mean rating of both players: 2400..2600", RANGE, false},
    {"white-rating", "RANGE", "White's rating", RANGE, false},
    {"black-rating", "RANGE", "Black's rating", RANGE, false},
    {"each-rating", "RANGE", "ratings of both players", RANGE, false},
    {"rating-difference", "RANGE", "White's rating minus Black's: 200..", RANGE, false},
    {"date", "RANGE", "2010, 2010-05, 2008..2010-05-31", TEXT, false},
    {"plies", "RANGE", "number of plies of the game", RANGE, false},
    {"comment", "TEXT", "text in a comment", TEXT, false},
    {"flag", "NAME", "flag of the game: deleted, favourite, or a to z (doc/reference/flags.md)", TEXT, false},
    {"not-flag", "NAME", "the game does not have this flag", LACKS, false},
    {"has", "WHAT", "one of clocks, evaluations, comments, variations, nags, setup, text", TEXT, false},
    {"variations", NULL, "also search variations; the ply where a variation begins is reported", TOP, false},
    {"all-matches", NULL, "report all plies of a game at which the conditions hold, not only the\nfirst", TOP, false},
    {"query", "JSON", "any condition, as described in doc/reference/search.md", QUERY, false},
    {"use", "NAME", "a question that find --save NAME has saved next to the archive", SAVED, false},
};
enum { CONDITIONS = sizeof conditions / sizeof *conditions, OPTIONS_MAX = 32 };

/* A piece of the JSON text, and the piece of an option's value that it was made from. */
typedef struct part {
    const tool_value *value;
    size_t from, size; /* in the value */
    size_t begin, end;
    bool quoted;
} part;

struct tool_query_text {
    const tool_values *values;
    FILE *out; /* writes to `json` */
    char *json;
    size_t size;
    part *parts;
    size_t part_count;
    size_t members;    /* members of the list that contains everything */
    const char *start; /* start position of --moves */
    bool moves;        /* --moves was given */
};

/* ---- saved questions ---- */

/* Appends the query of a saved question and a NUL. */
static bool add_saved(const tool_values *values, const char *name, tool_buffer *texts)
{
    bool found = false;
    for (size_t n = 0; n < values->archive_count && !found; n++) {
        saved_questions questions = {.list = NULL};
        const bool right = saved_questions_read(values->archives[n], &questions);
        const saved_question *one = right ? saved_questions_find(&questions, name) : NULL;
        found = one && tool_buffer_add(texts, one->query.data, one->query.size) && tool_buffer_add(texts, "", 1);
        saved_questions_close(&questions);
        if (!right || texts->failed)
            return false;
    }
    if (!found)
        tool_say(NULL, "option --use: there is no saved question \"%s\"; find --save \"%s\" saves one", name, name);
    return found;
}

/* Replaces each saved question by its query. Returns false after a message. */
static bool use_saved(tool_values *values)
{
    tool_buffer texts = {NULL, 0, 0, false};
    for (size_t i = 0; i < values->count; i++)
        if (strcmp(values->list[i].name, "use") == 0 && !add_saved(values, values->list[i].text, &texts)) {
            tool_buffer_free(&texts);
            return false;
        }
    values->saved = texts.bytes;
    for (size_t i = 0, at = 0; i < values->count; i++)
        if (strcmp(values->list[i].name, "use") == 0) {
            values->list[i] = (tool_value){"query", texts.bytes + at};
            at += strlen(texts.bytes + at) + 1;
        }
    return true;
}

bool tool_conditions_read(const tool_usage *usage, tool_values *values, int argc, char **argv, int *operands,
                          int *status)
{
    tool_option options[OPTIONS_MAX + CONDITIONS];
    tool_usage all = *usage;
    memcpy(options, usage->options, usage->option_count * sizeof *options);
    for (size_t i = 0; i < CONDITIONS; i++)
        options[all.option_count++] =
            (tool_option){.name = conditions[i].name,
                          .value = conditions[i].value,
                          .help = conditions[i].help,
                          .values = values,
                          .earlier = strcmp(conditions[i].name, "side-to-move") == 0 ? "stm" : NULL,
                          .is_condition = true};
    all.options = options;
    const bool right = tool_options_read(&all, argc, argv, operands, status);
    values->archives = argv;
    values->archive_count = right ? (size_t)*operands : 0;
    if (!right || use_saved(values))
        return right;
    *status = TOOL_ERROR;
    return false;
}

void tool_conditions_help(void)
{
    puts("Conditions of find, tree, stats, export, report and edit. All must hold; those of positions and moves at\n"
         "the same ply of a game. A range is A..B, A.. or ..B. doc/reference/search.md describes all conditions.\n\n"
         "conditions:");
    for (size_t i = 0; i < CONDITIONS; i++)
        tool_option_print(0, conditions[i].name, conditions[i].value, conditions[i].help);
}

static const struct condition *condition_of(const tool_value *value)
{
    for (size_t i = 0; i < CONDITIONS; i++)
        if (strcmp(conditions[i].name, value->name) == 0)
            return &conditions[i];
    return NULL;
}

/* ---- errors ---- */

/* Prints the line of a text that contains an error, with a caret below the error. */
static void show_fault(const char *text, size_t offset, size_t size)
{
    enum { SHOWN = 76, BEFORE = 50 };
    size_t begin = offset, end = offset;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    if (offset - begin > BEFORE)
        begin = offset - BEFORE;
    while (((uint8_t)text[begin] & 0xC0) == 0x80)
        begin++;
    while (text[end] && text[end] != '\n' && end - begin < SHOWN)
        end++;
    (void)fputs("  ", stderr);
    (void)tool_text_print(stderr, (stamma_text){text + begin, end - begin});
    size_t columns = tool_text_print(NULL, (stamma_text){text + begin, offset - begin});
    size_t wide = tool_text_print(NULL, (stamma_text){text + offset, offset + size <= end ? size : end - offset});
    (void)fprintf(stderr, "\n  %*s^", (int)columns, "");
    for (size_t i = 1; i < wide && columns + i < SHOWN; i++)
        (void)fputc('~', stderr);
    (void)fputc('\n', stderr);
}

static bool say_fault(const tool_value *value, size_t offset, size_t size, const char *message)
{
    size_t length = strlen(value->text);
    offset = offset < length ? offset : length;
    size = size < length - offset ? size : length - offset;
    tool_say(NULL, "option --%s: %s", value->name, message);
    show_fault(value->text, offset, size);
    return false;
}

/* Returns the number of bytes of JSON for a byte between quotes. Text that is not UTF-8 is read as Windows-1252. */
static size_t escaped_size(uint8_t byte, bool utf8)
{
    if (byte == '"' || byte == '\\')
        return 2;
    return byte < 0x20 || (byte >= 0x7F && !utf8) ? 6 : 1;
}

/* Returns the offset in the option's value of an offset in its part of the JSON text. */
static size_t place_in_value(const part *p, size_t at)
{
    const char *text = p->value->text;
    bool utf8 = tool_text_is_utf8(stamma_text_of(text));
    size_t offset = p->from, json = p->begin + p->quoted;
    for (; json < at && offset < p->from + p->size; offset++) {
        size_t size = p->quoted ? escaped_size((uint8_t)text[offset], utf8) : 1;
        if (json + size > at)
            break;
        json += size;
    }
    return offset;
}

/* Reports an error in a query, with the value that contains it. A flag has no value. */
static bool say_query_fault(const struct tool_query_text *t, const stamma_query_problem *fault)
{
    for (size_t i = 0; i < t->part_count; i++) {
        const part *p = &t->parts[i];
        if (fault->offset < p->begin || fault->offset >= p->end + !p->quoted)
            continue;
        if (condition_of(p->value)->kind == MOVES) /* its position is valid */
            break;
        size_t from = place_in_value(p, fault->offset), to = place_in_value(p, fault->offset + fault->size);
        return say_fault(p->value, from, to - from, fault->message);
    }
    for (size_t i = 0; i < CONDITIONS; i++) {
        const struct condition *c = &conditions[i];
        if (c->kind == MODIFIER && fault->size == strlen(c->name) + 2 &&
            memcmp(t->json + fault->offset + 1, c->name, strlen(c->name)) == 0) {
            tool_say(NULL, "option --%s: %s", c->name, fault->message);
            return false;
        }
    }
    tool_say(NULL, "the query: %s", fault->message);
    show_fault(t->json, fault->offset < t->size ? fault->offset : t->size, fault->size);
    return false;
}

/* ---- JSON ---- */

static size_t place(struct tool_query_text *t)
{
    long at = ftell(t->out);
    return at < 0 ? 0 : (size_t)at;
}

static void put_quoted(FILE *out, stamma_text text)
{
    bool utf8 = tool_text_is_utf8(text);
    (void)fputc('"', out);
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = (uint8_t)text.data[i];
        size_t size = escaped_size(byte, utf8);
        if (size == 6)
            (void)fprintf(out, "\\u%04x", stamma_windows_1252_read(byte));
        else
            (void)fprintf(out, "%s%c", size == 2 ? "\\" : "", byte);
    }
    (void)fputc('"', out);
}

/* Puts `size` bytes of an option's value from offset `from`. */
static void put_part(struct tool_query_text *t, const tool_value *value, size_t from, size_t size, bool quoted)
{
    part *p = &t->parts[t->part_count++];
    *p = (part){.value = value, .from = from, .size = size, .begin = place(t), .quoted = quoted};
    stamma_text text = {value->text + from, size};
    if (quoted)
        put_quoted(t->out, text);
    else
        (void)fwrite(text.data, 1, size, t->out);
    p->end = place(t);
}

/* Returns whether a text is a JSON number such as -12 or 0.5. */
static bool is_number(const char *text)
{
    const char *at = text + (*text == '-');
    size_t digits = strspn(at, "0123456789");
    bool right = digits > 0 && (*at != '0' || digits == 1);
    at += digits;
    if (*at == '.') {
        digits = strspn(++at, "0123456789");
        right = right && digits > 0;
        at += digits;
    }
    return right && *at == 0;
}

/* ---- one option ---- */

static bool put_tag(struct tool_query_text *t, const tool_value *value)
{
    size_t name = strcspn(value->text, "=");
    if (name == 0 || value->text[name] == 0)
        return say_fault(value, name, 0, "expected NAME=PATTERN, such as Annotator=*botvinnik*");
    (void)fputs("\"tag\":{", t->out);
    put_part(t, value, 0, name, true);
    (void)fputc(':', t->out);
    put_part(t, value, name + 1, strlen(value->text) - name - 1, true);
    (void)fputc('}', t->out);
    return true;
}

/* Adds a position to a list. Returns false, after a message, if memory is exhausted. */
static bool add_position(tool_line *line, const stamma_position *position)
{
    stamma_position *list = realloc(line->list, (line->count + 1) * sizeof *list);
    if (!list)
        return tool_fail_memory(NULL);
    line->list = list;
    list[line->count++] = *position;
    return true;
}

/* Plays the moves of a text, with or without move numbers. `before` receives the positions before the last; NULL: they
 * are not needed. */
static bool play(const tool_value *value, stamma_position *position, tool_line *before)
{
    const char *text = value->text;
    for (size_t at = 0;;) {
        at += strspn(text + at, " \t\r\n");
        size_t size = strcspn(text + at, " \t\r\n");
        if (size == 0)
            return true;
        char word[32] = {0};
        memcpy(word, text + at, size < sizeof word ? size : sizeof word - 1);
        size_t number = (size_t)(tool_skip_move_number(word) - word);
        stamma_move move;
        stamma_error error = STAMMA_OK;
        if (word[number])
            error = stamma_san_read(position, (stamma_text){text + at + number, size - number}, &move);
        if (error)
            return say_fault(value, at + number, size - number,
                             error == STAMMA_ERROR_ILLEGAL     ? "no legal move"
                             : error == STAMMA_ERROR_AMBIGUOUS ? "several moves are written so"
                                                               : "no move");
        if (word[number] && before && !add_position(before, position))
            return false;
        if (word[number])
            stamma_position_make(position, move, position);
        at += size;
    }
}

static bool put_moves(struct tool_query_text *t, const tool_value *value)
{
    stamma_position position;
    char fen[STAMMA_FEN_SIZE];
    if (!tool_fen_read(t->start, &position) || !play(value, &position, NULL))
        return false;
    size_t size = stamma_fen_write(&position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    (void)fputs("\"fen\":", t->out);
    t->parts[t->part_count++] = (part){.value = value, .begin = place(t), .end = place(t) + size + 2, .quoted = true};
    put_quoted(t->out, (stamma_text){fen, size});
    return true;
}

static bool put_rule(struct tool_query_text *t, const tool_value *value)
{
    const struct condition *c = condition_of(value);
    if (c->kind == TAG)
        return put_tag(t, value);
    if (c->kind == MOVES)
        return put_moves(t, value);
    if (c->kind == LACKS)
        (void)fputs("\"not\":{", t->out);
    (void)fprintf(t->out, "\"%s\":", c->kind == LACKS ? c->name + strlen("not-") : c->name);
    if (c->kind == HOLDS)
        (void)fputs("true", t->out);
    else
        put_part(t, value, 0, strlen(value->text), c->kind != RANGE || !is_number(value->text));
    if (c->kind == LACKS)
        (void)fputc('}', t->out);
    return true;
}

/* ---- all options ---- */

/* Returns the name of the option's rule in JSON. A --fen before --moves has none. */
static const char *rule_name(const struct tool_query_text *t, const tool_value *value)
{
    const struct condition *c = condition_of(value);
    bool rule = c->kind != QUERY && c->kind != MODIFIER && c->kind != TOP && !(t->moves && strcmp(c->name, "fen") == 0);
    return !rule ? NULL : c->kind == MOVES ? "fen" : c->name;
}

/* Returns the number of rules with the same name before this one. */
static size_t number_of(const struct tool_query_text *t, size_t index)
{
    size_t number = 0;
    const char *name = rule_name(t, &t->values->list[index]);
    for (size_t i = 0; i < index; i++) {
        const char *other = rule_name(t, &t->values->list[i]);
        number += other && strcmp(other, name) == 0;
    }
    return number;
}

/* Returns the rule that a modifier needs; NULL: any rule that can be turned. */
static const char *modified(const char *modifier)
{
    if (strcmp(modifier, "shift") == 0)
        return "sub-fen";
    return strncmp(modifier, "ignore-", 7) == 0 ? "fen" : NULL;
}

/* Returns whether one of the rules of a round is modified by `modifier`. */
static bool modifies(const struct tool_query_text *t, size_t round, const char *modifier)
{
    const char *only = modified(modifier);
    for (size_t i = 0; i < t->values->count; i++) {
        const char *rule = rule_name(t, &t->values->list[i]);
        if (!rule || number_of(t, i) != round)
            continue;
        if (only ? strcmp(rule, only) == 0 : condition_of(&t->values->list[i])->turns)
            return true;
    }
    return false;
}

/* Repeats each modifier in every round that has a rule which it modifies. The first round has all modifiers, because
 * it has at least one of every rule; a modifier without any rule is then an error. */
static void put_modifiers(struct tool_query_text *t, size_t round)
{
    for (size_t i = 0; i < CONDITIONS; i++)
        for (size_t k = 0; conditions[i].kind == MODIFIER && k < t->values->count; k++)
            if (strcmp(t->values->list[k].name, conditions[i].name) == 0) {
                if (round == 0 || modifies(t, round, conditions[i].name))
                    (void)fprintf(t->out, ",\"%s\":true", conditions[i].name);
                break;
            }
}

/* Puts an object. A name is unique in an object, so repeated options are in further objects. */
static bool put_object(struct tool_query_text *t, size_t round)
{
    bool any = false;
    for (size_t i = 0; i < t->values->count; i++) {
        const tool_value *value = &t->values->list[i];
        if (!rule_name(t, value) || number_of(t, i) != round)
            continue;
        (void)fputs(any ? "," : t->members++ > 0 ? ",{" : "{", t->out);
        any = true;
        if (!put_rule(t, value))
            return false;
    }
    put_modifiers(t, round);
    (void)fputc('}', t->out);
    return true;
}

/* Reports modifiers without a rule. */
static bool say_nothing_modified(const tool_values *values)
{
    const tool_value *value = values->list;
    while (condition_of(value)->kind != MODIFIER)
        value++;
    tool_say(NULL, "option --%s requires an option such as --%s; in a query it is a member beside its rules",
             value->name, modified(value->name) ? modified(value->name) : "sub-fen");
    return false;
}

/* Puts flags of the complete query after its rules. */
static void put_top(struct tool_query_text *t)
{
    for (size_t i = 0; i < CONDITIONS; i++)
        for (size_t k = 0; conditions[i].kind == TOP && k < t->values->count; k++)
            if (strcmp(t->values->list[k].name, conditions[i].name) == 0) {
                (void)fprintf(t->out, ",\"%s\":true", conditions[i].name);
                break;
            }
}

/* Puts all conditions. A single query is used unchanged; several queries, and options, are combined with "all". */
static bool put_conditions(struct tool_query_text *t)
{
    const tool_values *values = t->values;
    size_t queries = 0, rounds = 0, tops = 0;
    for (size_t i = 0; i < values->count; i++) {
        queries += condition_of(&values->list[i])->kind == QUERY;
        tops += condition_of(&values->list[i])->kind == TOP;
        if (rule_name(t, &values->list[i]) && number_of(t, i) >= rounds)
            rounds = number_of(t, i) + 1;
    }
    if (rounds == 0 && queries + tops < values->count)
        return say_nothing_modified(values);
    bool several = queries + rounds > 1 || tops > 0, right = true;
    (void)fputs(several ? "{\"all\":[" : "", t->out);
    (void)fputs(queries + rounds == 0 ? "{}" : "", t->out);
    for (size_t round = 0; round < rounds && right; round++)
        right = put_object(t, round);
    for (size_t i = 0; i < values->count && right; i++)
        if (condition_of(&values->list[i])->kind == QUERY) {
            (void)fputs(t->members++ > 0 ? "," : "", t->out);
            put_part(t, &values->list[i], 0, strlen(values->list[i].text), false);
        }
    (void)fputs(several ? "]" : "", t->out);
    put_top(t);
    (void)fputs(several ? "}" : "", t->out);
    return right;
}

static bool compile(struct tool_query_text *t)
{
    for (size_t i = 0; i < t->values->count; i++)
        t->moves |= condition_of(&t->values->list[i])->kind == MOVES;
    for (size_t i = 0; i < t->values->count && t->moves; i++)
        if (strcmp(t->values->list[i].name, "fen") == 0)
            t->start = t->values->list[i].text;
    t->parts = malloc(2 * t->values->count * sizeof *t->parts); /* a tag has two parts */
    system_text text;
    const bool opened = t->parts && system_text_open(&text);
    t->out = opened ? text.stream : NULL;
    const bool right = opened && put_conditions(t), written = opened && system_text_close(&text);
    t->json = written ? text.text : NULL;
    t->size = written ? text.size : 0;
    if (!written)
        (void)tool_fail_memory(NULL);
    return right && written;
}

void tool_conditions_hint(const tool_values *values)
{
    static const char *const patterns[] = {"event", "site", "round", "time-control", "termination", "tag"};
    for (size_t i = 0; i < values->count; i++) {
        const tool_value *value = &values->list[i];
        const char *name = strchr(value->text ? value->text : "", '=');
        bool tag = strcmp(value->name, "tag") == 0;
        const char *text = tag && name ? name + 1 : value->text;
        for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
            if (strcmp(value->name, patterns[k]) == 0 && *text && !strpbrk(text, "*?"))
                tool_say(NULL,
                         "option --%s: no game found; the pattern matches only a complete tag; \"*%s*\" finds a part",
                         value->name, text);
    }
}

static bool parse(const tool_values *values, stamma_query **query)
{
    struct tool_query_text t = {.values = values};
    stamma_query_problem fault = {0};
    bool right = compile(&t);
    if (right) {
        stamma_error error = stamma_query_parse((stamma_text){t.json, t.size}, NULL, &fault, query);
        if (error == STAMMA_ERROR_SYNTAX)
            (void)say_query_fault(&t, &fault);
        else if (error)
            tool_say(NULL, "%s", stamma_error_text(error));
        right = !error;
    }
    free(t.json);
    free(t.parts);
    return right;
}

/* Returns whether names of conditions have a meaning that must be looked up. */
static bool has_names(const tool_values *values)
{
    for (size_t i = 0; i < values->count; i++)
        if (condition_of(&values->list[i])->kind == NAMES || condition_names_meant(&values->list[i]))
            return true;
    return false;
}

bool tool_conditions_parse(const tool_values *values, stamma_query **query)
{
    tool_values expanded = {.count = 0};
    tool_buffer text = {NULL, 0, 0, false};
    *query = NULL;
    if (!has_names(values))
        return values->count == 0 || parse(values, query);
    bool right = condition_names_expand(values, &expanded, &text) && (expanded.count == 0 || parse(&expanded, query));
    free(expanded.list);
    tool_buffer_free(&text);
    return right;
}

/* ---- saving a question ---- */

/* Copies conditions, with persons as rules about a player: the question names the person, whose names may change later.
 * Returns false after a message. */
static bool copy_plain(const tool_values *values, tool_values *plain, tool_buffer *texts)
{
    plain->list = calloc(values->count + 1, sizeof *plain->list);
    for (size_t i = 0; i < values->count && plain->list; i++) {
        const tool_value *value = &values->list[i];
        const condition_kind kind = condition_of(value)->kind;
        if (kind == NAMES) {
            tool_say(NULL, "option --%s: a file is not part of a saved question", value->name);
            return false;
        }
        if (kind == PERSON)
            (void)(tool_buffer_add(texts, "@", 1) && tool_buffer_add(texts, value->text, strlen(value->text) + 1));
        plain->list[plain->count++] = *value;
    }
    return (plain->list && !texts->failed) || tool_fail_memory(NULL);
}

static void name_persons(tool_values *plain, const tool_buffer *texts)
{
    const char *at = texts->bytes;
    for (size_t i = 0; i < plain->count; i++) {
        tool_value *value = &plain->list[i];
        if (condition_of(value)->kind != PERSON)
            continue;
        value->name = *value->name == 'w' ? "white" : *value->name == 'b' ? "black" : "player";
        value->text = at;
        at += strlen(at) + 1;
    }
}

bool tool_conditions_save(const tool_values *values, const char *name)
{
    tool_values plain = {.count = 0};
    tool_buffer texts = {NULL, 0, 0, false};
    struct tool_query_text t = {.values = &plain};
    bool right = copy_plain(values, &plain, &texts);
    if (right) {
        name_persons(&plain, &texts);
        right = compile(&t) && saved_questions_save(values->archives[0], name, (stamma_text){t.json, t.size});
    }
    free(t.json);
    free(t.parts);
    free(plain.list);
    tool_buffer_free(&texts);
    return right;
}

/* ---- the player of an answer ---- */

/* Returns whether an option names a player of either colour. */
static bool names_player(const char *option)
{
    return strcmp(option, "player") == 0 || strcmp(option, "person") == 0;
}

const tool_value *tool_conditions_player(const tool_values *values)
{
    const tool_value *player = NULL;
    size_t count = 0;
    for (size_t i = 0; i < values->count; i++)
        if (names_player(values->list[i].name)) {
            player = &values->list[i];
            count++;
        }
    return count == 1 ? player : NULL;
}

bool tool_conditions_white(const tool_values *values, const tool_value *player, bool all, stamma_query **query)
{
    tool_values white = {.list = calloc(values->count + 1, sizeof *white.list),
                         .archive_count = values->archive_count,
                         .archives = values->archives};
    if (!white.list)
        return tool_fail_memory(NULL);
    for (size_t i = 0; i < values->count; i++)
        if (all || condition_of(&values->list[i])->kind == NAMES)
            white.list[white.count++] = values->list[i];
    const bool person = strcmp(player->name, "person") == 0;
    white.list[white.count++] = (tool_value){person ? "white-person" : "white", player->text};
    const bool right = tool_conditions_parse(&white, query);
    free(white.list);
    return right;
}

/* Returns whether an option describes the position, not the games. */
static bool is_of_position(const char *name)
{
    return strcmp(name, "fen") == 0 || strcmp(name, "moves") == 0;
}

bool tool_conditions_position(tool_values *values, stamma_position *position, tool_line *before)
{
    const tool_value *fen = NULL, *moves = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < values->count; i++) {
        const tool_value *value = &values->list[i];
        const tool_value **given = strcmp(value->name, "fen") == 0 ? &fen : &moves;
        if (strncmp(value->name, "ignore-", 7) == 0) {
            tool_say(NULL, "option --%s: a tree is of one position; use --fen or --moves", value->name);
            return false;
        }
        if (is_of_position(value->name) && *given) {
            tool_say(NULL, "option --%s is given twice", value->name);
            return false;
        }
        if (is_of_position(value->name))
            *given = value;
    }
    if (!tool_fen_read(fen ? fen->text : NULL, position) || (moves && !play(moves, position, before)))
        return false;
    for (size_t i = 0; i < values->count; i++)
        if (!is_of_position(values->list[i].name))
            values->list[kept++] = values->list[i];
    values->count = kept;
    return true;
}
