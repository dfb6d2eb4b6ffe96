/* SPDX-License-Identifier: MIT */
/* Renders the remaining parts of a game of a damaged block in export format (PGN standard 3.2 and 8), after a tag that
 * lists the missing parts. */
#include "salvage/salvage.h"

enum { LINE_WIDTH = 79 };

typedef struct salvage_text {
    buffer *out;
    stamma_text line_end;
    size_t column;    /* bytes in the last line */
    bool number_due;  /* Black's next move needs its number */
    bool parenthesis; /* the last token opens a variation */
} salvage_text;

static void add(buffer *out, const char *word)
{
    buffer_add(out, word, strlen(word));
}

static void end_line(salvage_text *t)
{
    buffer_add(t->out, t->line_end.data, t->line_end.size);
    t->column = 0;
}

/* Writes a token of the movetext. */
static void put(salvage_text *t, stamma_text token)
{
    bool glued = t->parenthesis || (token.size == 1 && token.data[0] == ')');
    if (t->column > 0 && t->column + 1 + token.size > LINE_WIDTH)
        end_line(t);
    else if (t->column > 0 && !glued)
        buffer_add_byte(t->out, ' ');
    buffer_add(t->out, token.data, token.size);
    t->column += token.size + 1;
    t->parenthesis = token.size == 1 && token.data[0] == '(';
}

static void put_move(salvage_text *t, const item *it)
{
    char text[STAMMA_SAN_SIZE + 16];
    size_t size = 0;
    if (it->side == STAMMA_WHITE || t->number_due) {
        size = spell_number(it->fullmove, text);
        memcpy(text + size, "...", 3);
        size += it->side == STAMMA_WHITE ? 1 : 3;
        put(t, (stamma_text){text, size});
    }
    size = spell_move(it->move, it->san_facts, 0, text);
    put(t, (stamma_text){text, size});
    t->number_due = false;
}

static void put_number(salvage_text *t, unsigned number)
{
    char text[8] = "$";
    put(t, (stamma_text){text, 1 + spell_number(number, text + 1)});
}

/* Writes a comment. Comments after ; and % extend to the end of their line. */
static void put_comment(salvage_text *t, const item *it)
{
    const char *open = it->kind == ITEM_COMMENT ? "{" : it->kind == ITEM_ESCAPE ? "%" : ";";
    if (it->kind == ITEM_ESCAPE && t->column > 0)
        end_line(t);
    else if (t->column > 0)
        buffer_add_byte(t->out, ' ');
    add(t->out, open);
    buffer_add(t->out, it->text.data, it->text.size);
    t->column += it->text.size + 3;
    t->parenthesis = false;
    if (it->kind == ITEM_COMMENT)
        add(t->out, "}");
    else
        end_line(t);
    t->number_due = true;
}

/* Returns whether a comment begins with a command, such as a clock. */
static bool is_command(stamma_text comment)
{
    const size_t blank = comment.data[0] == ' ';
    return comment.size > blank && comment.data[blank] == '[';
}

/* Returns whether an item is written. Without the moves, only comments for people are useful, and text items would be
 * read as other moves. */
static bool is_kept(const item *it, unsigned missing)
{
    const bool moves = !(missing & STAMMA_GAME_MOVES),
               line = it->depth == 0 || (moves && !(missing & STAMMA_GAME_VARIATIONS));
    switch (it->kind) {
    case ITEM_COMMENT:
    case ITEM_LINE_COMMENT:
    case ITEM_ESCAPE:
        return !(missing & STAMMA_GAME_COMMENTS) && it->text.size > 0 && (moves || !is_command(it->text)) && line;
    case ITEM_NAG:
    case ITEM_SUFFIX: return !(missing & STAMMA_GAME_NAGS) && moves && line;
    case ITEM_MOVE: return moves && line;
    case ITEM_VARIATION_BEGIN:
    case ITEM_VARIATION_END: return moves && !(missing & STAMMA_GAME_VARIATIONS);
    case ITEM_TEXT: return it->text.data != NULL && moves && line;
    case ITEM_RESULT: return !(missing & STAMMA_GAME_RESULT);
    default: return false;
    }
}

static void put_item(salvage_text *t, const item *it)
{
    switch (it->kind) {
    case ITEM_MOVE: put_move(t, it); break;
    case ITEM_COMMENT:
    case ITEM_LINE_COMMENT:
    case ITEM_ESCAPE: put_comment(t, it); break;
    case ITEM_NAG:
    case ITEM_SUFFIX: put_number(t, it->number); break;
    case ITEM_VARIATION_BEGIN: put(t, stamma_text_of("(")); break;
    case ITEM_VARIATION_END: put(t, stamma_text_of(")")); break;
    case ITEM_TEXT: put(t, it->text); break;
    default: put(t, stamma_text_of(stamma_result_words[it->number])); break; /* a result; other kinds are not written */
    }
    t->number_due |= it->kind == ITEM_VARIATION_BEGIN || it->kind == ITEM_VARIATION_END;
}

/* ---- tags ---- */

static void add_tag(const item *it, stamma_text line_end, buffer *out)
{
    add(out, "[");
    buffer_add(out, it->name.data, it->name.size);
    add(out, " \"");
    buffer_add(out, it->text.data, it->text.size);
    add(out, "\"]");
    buffer_add(out, line_end.data, line_end.size);
}

/* A list of words, written after `before`. An empty list writes nothing. */
typedef struct word_list {
    const char *before;
    unsigned count;
    buffer *out;
} word_list;

static void add_word(word_list *words, stamma_text word)
{
    add(words->out, words->count++ == 0 ? words->before : ", ");
    buffer_add(words->out, word.data, word.size);
}

/* Returns whether a name of a tag can be written: a damaged name may contain any bytes. */
static bool is_printable(stamma_text name)
{
    for (size_t n = 0; n < name.size; n++)
        if ((unsigned char)name.data[n] < ' ' || name.data[n] == '"')
            return false;
    return name.data != NULL;
}

static void add_lost_tags(const block_reader *b, const salvage_names *names, word_list *words)
{
    const record *r = &b->state.record;
    bool unnamed = words->count == 0;
    for (size_t n = 0; n < r->item_count; n++) {
        const item *it = &r->items[n];
        if (it->kind != ITEM_TAG || it->text.data)
            continue;
        const bool named = is_printable(it->name) && stamma_salvage_name_is_sure(names, it->name);
        if (named)
            add_word(words, it->name);
        unnamed = !named || (unnamed && words->count == 0);
    }
    if (unnamed)
        add_word(words, stamma_text_of("tags"));
}

/* Lists the tags of the roster whose names are not certain. Names of tags outside the roster are stored with their
 * values. */
static void add_doubtful_tags(const block_reader *b, const salvage_names *names, word_list *words)
{
    const record *r = &b->state.record;
    for (size_t n = 0; n < r->roster_count; n++) {
        const item *it = &r->items[n];
        if (it->text.data && !stamma_salvage_name_is_sure(names, it->name))
            add_word(words, is_printable(it->name) ? it->name : stamma_text_of("tags"));
    }
}

void stamma_salvage_mark(const block_reader *b, unsigned missing, const salvage_names *names, stamma_text line_end,
                         buffer *out)
{
    static const struct {
        unsigned part;
        const char *word;
    } parts[] = {{STAMMA_GAME_MOVES, "moves"},       {STAMMA_GAME_VARIATIONS, "variations"},
                 {STAMMA_GAME_COMMENTS, "comments"}, {STAMMA_GAME_NAGS, "NAGs"},
                 {STAMMA_GAME_RESULT, "result"},     {STAMMA_GAME_TEXT, "text"}};
    word_list lost = {"without ", 0, out}, doubtful = {"; unconfirmed ", 0, out};
    add(out, "[StammaRepair \"");
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++)
        if (missing & parts[n].part)
            add_word(&lost, stamma_text_of(parts[n].word));
    if (missing & STAMMA_GAME_TAGS)
        add_lost_tags(b, names, &lost);
    if (b)
        add_doubtful_tags(b, names, &doubtful);
    add(out, b ? "\"]" : "unconfirmed\"]");
    buffer_add(out, line_end.data, line_end.size);
}

static void add_movetext(salvage_text *t, const record *r, unsigned missing)
{
    unsigned result = stamma_result_find(stamma_record_tag(r, "Result"));
    bool ended = false;
    for (size_t n = 0; n < r->item_count; n++) {
        const item *it = &r->items[n];
        if (!is_kept(it, missing))
            continue;
        put_item(t, it);
        ended |= it->kind == ITEM_RESULT || it->kind == ITEM_TEXT;
    }
    if (!ended && !r->continuation)
        put(t, stamma_text_of(stamma_result_words[result < RESULTS ? result : STAMMA_RESULT_UNKNOWN]));
}

stamma_error stamma_salvage_render(const block_reader *b, unsigned missing, const salvage_names *names,
                                   stamma_text line_end, buffer *out)
{
    const record *r = &b->state.record;
    salvage_text t = {.out = out, .line_end = line_end, .number_due = true};
    stamma_salvage_mark(b, missing, names, line_end, out);
    for (size_t n = 0; n < r->item_count; n++)
        if (r->items[n].kind == ITEM_TAG && r->items[n].text.data)
            add_tag(&r->items[n], line_end, out);
    end_line(&t);
    add_movetext(&t, r, missing);
    end_line(&t);
    end_line(&t);
    return out->failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}
