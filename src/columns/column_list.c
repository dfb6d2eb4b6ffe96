/* SPDX-License-Identifier: MIT */
/* Converts names of columns to a plan, and lists all columns of an archive. */
#include <stdio.h>

#include "columns/columns.h"
#include "query/query.h"

const known_table stamma_known_tables[STAMMA_TABLES] = {
    {"games", stamma_game_columns, &stamma_game_column_count},
    {"plies", stamma_ply_columns, &stamma_ply_column_count},
    {"positions", stamma_position_columns, &stamma_position_column_count},
};

static const char tag_prefix[] = "tag:";
enum { TAG_PREFIX = sizeof tag_prefix - 1 };

/* ---- names of tags ---- */

static bool is_small(unsigned c)
{
    return c - 'a' < 26u;
}

static bool is_capital(unsigned c)
{
    return c - 'A' < 26u;
}

static unsigned letter_at(stamma_text name, size_t at)
{
    return at < name.size ? (uint8_t)name.data[at] : 0;
}

/* Returns whether a capital letter begins a word: after a small letter or a digit, or before a small letter. */
static bool begins_word(stamma_text name, size_t at)
{
    const unsigned before = letter_at(name, at - 1), after = letter_at(name, at + 1);
    return is_small(before) || text_is_digit((int)before) || (is_capital(before) && is_small(after));
}

void stamma_tag_name_convert(stamma_text name, buffer *converted)
{
    for (size_t at = 0; at < name.size; at++) {
        const unsigned c = letter_at(name, at);
        if (at > 0 && is_capital(c) && begins_word(name, at))
            buffer_add_byte(converted, '_');
        const bool plain = is_small(c) || is_capital(c) || text_is_digit((int)c);
        buffer_add_byte(converted, (uint8_t)(!plain ? '_' : is_capital(c) ? c - 'A' + 'a' : c));
    }
}

void stamma_tag_names_init(tag_names *t, const stamma_allocator *allocator)
{
    *t = (tag_names){.names = {.allocator = allocator, .copies = true}};
}

void stamma_tag_names_release(tag_names *t)
{
    stamma_text_table_release(&t->names);
}

/* Adds the names of the tags of a block, as far as its directory is valid. */
static void add_names(tag_names *t, const found_block *at)
{
    cursor directory = {at->payload, at->payload + at->head_size, false};
    block_head head;
    column_entry e;
    if (stamma_block_read_head(&directory, &head) != STAMMA_OK)
        return;
    for (uint64_t n = 0; n < head.columns && stamma_column_read_entry(&directory, &e); n++)
        if (e.id == COLUMN_TAG)
            (void)stamma_text_table_add(&t->names, e.name);
}

stamma_error stamma_tag_names_read(tag_names *t, const block_list *list, const stamma_bytes *source)
{
    buffer head = {.allocator = t->names.allocator};
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < list->count && error == STAMMA_OK; n++) {
        found_block at;
        error = stamma_block_find_head(&list->places[n], source, &head, &at);
        if (error == STAMMA_OK)
            add_names(t, &at);
        if (error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED)
            error = STAMMA_OK; /* the stream reports the block */
        if (t->names.failed)
            error = STAMMA_ERROR_NO_MEMORY;
    }
    stamma_buffer_release(&head);
    return error;
}

/* ---- known columns ---- */

static const known_column *find_known(stamma_table table, stamma_text name)
{
    const known_table *t = &stamma_known_tables[table];
    for (size_t n = 0; n < *t->count; n++)
        if (text_equal(stamma_text_of(t->columns[n].name), name))
            return &t->columns[n];
    return NULL;
}

/* Finds a column by its earlier name, which is still accepted. */
static const known_column *find_earlier(stamma_table table, stamma_text name)
{
    static const struct {
        stamma_table table;
        const char *earlier, *name;
    } renamed[] = {
        {STAMMA_TABLE_GAMES, "clocks", "clock_ms"},       {STAMMA_TABLE_GAMES, "times_spent", "time_spent_ms"},
        {STAMMA_TABLE_PLIES, "clock", "clock_ms"},        {STAMMA_TABLE_PLIES, "time_spent", "time_spent_ms"},
        {STAMMA_TABLE_POSITIONS, "side", "side_to_move"}, {STAMMA_TABLE_POSITIONS, "clock", "clock_ms"},
    };
    for (size_t n = 0; n < sizeof renamed / sizeof *renamed; n++)
        if (renamed[n].table == table && text_equal(stamma_text_of(renamed[n].earlier), name))
            return find_known(table, stamma_text_of(renamed[n].name));
    return NULL;
}

/* ---- the plan ---- */

/* Returns the index of a wanted tag, which is added if it is new; WANTED_NONE if memory is exhausted. There are fewer
 * than WANTED_NONE wanted tags, because each of at most COLUMNS_MAX columns wants three tags. */
static uint16_t want_tag(columns_plan *p, stamma_text name, bool converted)
{
    const size_t count = plan_wanted_count(p);
    for (size_t n = 0; n < count; n++)
        if (plan_wanted(p)[n].converted == converted && text_equal(buffer_text(&plan_wanted(p)[n].name), name))
            return (uint16_t)n;
    wanted_tag added = {.name.allocator = &p->allocator, .converted = converted};
    buffer_add(&added.name, name.data, name.size);
    if (added.name.failed || !buffer_reserve(&p->wanted, sizeof added)) {
        stamma_buffer_release(&added.name);
        p->wanted.failed = true;
        return WANTED_NONE;
    }
    buffer_add(&p->wanted, &added, sizeof added);
    return (uint16_t)count;
}

/* Adds a column. `tag` and `written`: the index and the name of its tag, if it is stamma_tag_column. */
static void add_column(columns_plan *p, const known_column *known, stamma_text name, uint16_t tag, stamma_text written)
{
    planned_column c = {.known = known, .name.allocator = &p->allocator, .tags = {tag, WANTED_NONE}};
    c.meaning.allocator = &p->allocator;
    stamma_utf8_add(name, false, &c.name);
    for (size_t n = 0; n < 2 && known->tags[n]; n++)
        c.tags[n] = want_tag(p, stamma_text_of(known->tags[n]), false);
    if (known == &stamma_tag_column) {
        static const char begin[] = "value of the tag ";
        buffer_add(&c.meaning, begin, sizeof begin - 1);
        stamma_utf8_add(written, false, &c.meaning);
    }
    p->parts |= known->parts | (known->tags[0] || tag != WANTED_NONE ? STAMMA_GAME_TAGS : 0);
    if (p->options.table != STAMMA_TABLE_GAMES)
        p->parts |= STAMMA_GAME_MOVES;
    p->opening |= known->opening;
    p->game_tags |= known->game_tags;
    p->predicts |= known->add == stamma_add_bits;
    if (c.name.failed || c.meaning.failed || !buffer_reserve(&p->columns, sizeof c)) {
        stamma_buffer_release(&c.name);
        stamma_buffer_release(&c.meaning);
        p->columns.failed = true;
        return;
    }
    buffer_add(&p->columns, &c, sizeof c);
}

static bool plan_failed(const columns_plan *p)
{
    return p->columns.failed || p->wanted.failed;
}

/* Adds a known column with a name, which may be an earlier name of the column. */
static void add_known(columns_plan *p, const known_column *known, stamma_text name)
{
    add_column(p, known, name, WANTED_NONE, (stamma_text){"", 0});
}

/* Adds a column of the tags with a name, exactly or converted. `written`: the name of a tag as written. */
static void add_tag(columns_plan *p, stamma_text column, stamma_text name, bool converted, stamma_text written)
{
    const uint16_t tag = want_tag(p, name, converted);
    if (tag != WANTED_NONE)
        add_column(p, &stamma_tag_column, column, tag, written);
}

/* Returns whether the plan has a column with a name. */
static bool is_planned(const columns_plan *p, stamma_text name)
{
    for (size_t n = 0; n < plan_column_count(p); n++)
        if (text_equal(buffer_text(&plan_columns(p)[n].name), name))
            return true;
    return false;
}

/* Adds the default columns: known columns, then other tags. */
static stamma_error add_defaults(columns_plan *p, const tag_names *tags)
{
    const known_table *t = &stamma_known_tables[p->options.table];
    for (size_t n = 0; n < *t->count; n++)
        if (!t->columns[n].not_default && !t->columns[n].of_tag)
            add_known(p, &t->columns[n], stamma_text_of(t->columns[n].name));
    buffer name = {.allocator = &p->allocator};
    for (size_t n = 1; n <= tags->names.count && plan_column_count(p) < COLUMNS_MAX; n++) {
        const stamma_text written = text_table_at(&tags->names, n);
        name.size = 0;
        stamma_tag_name_convert(written, &name);
        const known_column *known = find_known(STAMMA_TABLE_GAMES, buffer_text(&name));
        if (is_planned(p, buffer_text(&name)) || (known && !known->of_tag))
            continue;
        if (known)
            add_known(p, known, buffer_text(&name));
        else
            add_tag(p, buffer_text(&name), buffer_text(&name), true, written);
    }
    bool failed = name.failed || plan_failed(p);
    stamma_buffer_release(&name);
    return failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

static bool is_exact_tag(stamma_text name)
{
    return name.size > TAG_PREFIX && memcmp(name.data, tag_prefix, TAG_PREFIX) == 0;
}

/* Returns the first tag whose converted name is `name`; {NULL, 0} if there is none. Sets *no_memory if memory is
 * exhausted. */
static stamma_text find_tag(const tag_names *tags, stamma_text name, bool *no_memory)
{
    buffer converted = {.allocator = tags->names.allocator};
    stamma_text found = {NULL, 0};
    for (size_t n = 1; n <= tags->names.count && !found.data; n++) {
        converted.size = 0;
        stamma_tag_name_convert(text_table_at(&tags->names, n), &converted);
        if (text_equal(buffer_text(&converted), name))
            found = text_table_at(&tags->names, n);
    }
    *no_memory |= converted.failed;
    stamma_buffer_release(&converted);
    return found;
}

static stamma_error refuse(stamma_columns_problem *fault, size_t column, const char *what, stamma_text name,
                           const char *nearest)
{
    if (fault) {
        const int size = (int)(name.size < 60 ? name.size : 60);
        fault->column = column;
        (void)snprintf(fault->message, sizeof fault->message, "%s \"%.*s\"%s%s%s", what, size,
                       name.size > 0 ? name.data : "", nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                       nearest ? "\"?" : "");
    }
    return STAMMA_ERROR_SYNTAX;
}

static stamma_error refuse_unknown(const columns_plan *p, stamma_columns_problem *fault, size_t column,
                                   stamma_text name)
{
    enum { WORDS_MAX = 64 };
    const known_table *t = &stamma_known_tables[p->options.table];
    const char *words[WORDS_MAX + 1] = {NULL};
    for (size_t n = 0; n < *t->count && n < WORDS_MAX; n++)
        words[n] = t->columns[n].name;
    return refuse(fault, column, "unknown column", name, stamma_nearest_word(name, words));
}

static bool needs_tags(const columns_plan *p)
{
    const stamma_columns_options *o = &p->options;
    if (o->table != STAMMA_TABLE_GAMES)
        return false;
    for (size_t n = 0; n < o->column_count; n++)
        if (!find_known(o->table, o->columns[n]) && !is_exact_tag(o->columns[n]))
            return true;
    return o->column_count == 0;
}

/* Adds the column with a name. Returns false if there is none. Sets *no_memory if there was not enough memory to
 * compare names; the added column may then belong to another tag. */
static bool add_name(columns_plan *p, const tag_names *tags, stamma_text name, bool *no_memory)
{
    const bool games = p->options.table == STAMMA_TABLE_GAMES;
    const known_column *known = find_known(p->options.table, name);
    if (games && !known && is_exact_tag(name)) {
        const stamma_text tag = {name.data + TAG_PREFIX, name.size - TAG_PREFIX};
        add_tag(p, name, tag, false, tag);
        return true;
    }
    const stamma_text written = games && !known ? find_tag(tags, name, no_memory) : (stamma_text){NULL, 0};
    if (written.data) {
        add_tag(p, name, name, true, written);
        return true;
    }
    known = known ? known : find_earlier(p->options.table, name);
    if (known)
        add_known(p, known, name);
    return known != NULL;
}

static stamma_error add_named(columns_plan *p, const tag_names *tags, stamma_columns_problem *fault)
{
    const stamma_columns_options *o = &p->options;
    bool no_memory = false;
    for (size_t n = 0; n < o->column_count; n++) {
        const stamma_text name = o->columns[n];
        if (is_planned(p, name))
            return refuse(fault, n, "repeated column", name, NULL);
        const bool added = add_name(p, tags, name, &no_memory);
        if (no_memory || plan_failed(p))
            return STAMMA_ERROR_NO_MEMORY;
        if (!added)
            return refuse_unknown(p, fault, n, name);
    }
    return STAMMA_OK;
}

stamma_error stamma_columns_plan_make(columns_plan *p, const block_list *list, const stamma_bytes *source,
                                      stamma_columns_problem *fault)
{
    tag_names tags;
    p->columns.allocator = p->wanted.allocator = &p->allocator;
    stamma_tag_names_init(&tags, &p->allocator);
    stamma_error error = needs_tags(p) && list ? stamma_tag_names_read(&tags, list, source) : STAMMA_OK;
    if (error == STAMMA_OK)
        error = p->options.column_count > 0 ? add_named(p, &tags, fault) : add_defaults(p, &tags);
    stamma_tag_names_release(&tags);
    p->variant = WANTED_NONE;
    for (size_t n = 0; n < plan_wanted_count(p); n++)
        if (!plan_wanted(p)[n].converted && text_equal(buffer_text(&plan_wanted(p)[n].name), stamma_text_of("Variant")))
            p->variant = (uint16_t)n;
    return error;
}

void stamma_columns_plan_release(columns_plan *p)
{
    if (!p->columns.allocator) /* the plan was never made */
        return;
    for (size_t n = 0; n < plan_column_count(p); n++) {
        stamma_buffer_release(&plan_columns(p)[n].name);
        stamma_buffer_release(&plan_columns(p)[n].meaning);
    }
    for (size_t n = 0; n < plan_wanted_count(p); n++)
        stamma_buffer_release(&plan_wanted(p)[n].name);
    stamma_buffer_release(&p->columns);
    stamma_buffer_release(&p->wanted);
}
