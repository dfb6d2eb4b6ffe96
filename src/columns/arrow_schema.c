/* SPDX-License-Identifier: MIT */
/* Schemas of the Arrow C data interface. */
#include "columns/columns.h"

/* The memory that a schema owns. */
typedef struct schema_memory {
    stamma_allocator allocator;
    char *name;
    char *metadata;
    struct ArrowSchema *children; /* `count` schemas */
    struct ArrowSchema **pointers;
    size_t count;
    struct ArrowSchema dictionary;
} schema_memory;

static void release_if(struct ArrowSchema *schema)
{
    if (schema->release)
        schema->release(schema);
}

static void release_schema(struct ArrowSchema *schema)
{
    schema_memory *m = (schema_memory *)schema->private_data;
    const stamma_allocator allocator = m->allocator;
    for (size_t i = 0; i < m->count; i++)
        release_if(&m->children[i]);
    release_if(&m->dictionary);
    memory_release(&allocator, m->name);
    memory_release(&allocator, m->metadata);
    memory_release(&allocator, m->children);
    memory_release(&allocator, m->pointers);
    memory_release(&allocator, m);
    schema->release = NULL;
}

/* ---- metadata ---- */

static void put_int(char **at, size_t value)
{
    const int32_t number = (int32_t)value; /* in the byte order of the machine */
    memcpy(*at, &number, sizeof number);
    *at += sizeof number;
}

static void put_text(char **at, stamma_text text)
{
    put_int(at, text.size);
    memcpy(*at, text.data, text.size);
    *at += text.size;
}

/* Returns pairs in the form of the interface; NULL if memory is exhausted. */
static char *make_metadata(const schema_pair *pairs, size_t count, const stamma_allocator *allocator)
{
    size_t size = sizeof(int32_t);
    for (size_t i = 0; i < count; i++)
        size += 2 * sizeof(int32_t) + strlen(pairs[i].key) + pairs[i].value.size;
    char *metadata = (char *)memory_allocate(allocator, size), *at = metadata;
    if (!metadata)
        return NULL;
    put_int(&at, count);
    for (size_t i = 0; i < count; i++) {
        put_text(&at, stamma_text_of(pairs[i].key));
        put_text(&at, pairs[i].value);
    }
    return metadata;
}

static bool add_metadata(struct ArrowSchema *schema, const schema_pair *pairs, size_t count)
{
    schema_memory *m = (schema_memory *)schema->private_data;
    m->metadata = make_metadata(pairs, count, &m->allocator);
    schema->metadata = m->metadata;
    return m->metadata != NULL;
}

/* ---- schemas ---- */

static bool add_children(struct ArrowSchema *schema, size_t count)
{
    schema_memory *m = (schema_memory *)schema->private_data;
    m->children = (struct ArrowSchema *)memory_allocate(&m->allocator, size_multiply(count, sizeof *m->children));
    m->pointers =
        (struct ArrowSchema **)memory_allocate(&m->allocator, size_multiply(count, sizeof(struct ArrowSchema *)));
    if (!m->children || !m->pointers)
        return false;
    m->count = count;
    for (size_t i = 0; i < count; i++) {
        m->children[i] = (struct ArrowSchema){.release = NULL};
        m->pointers[i] = &m->children[i];
    }
    schema->n_children = (int64_t)count;
    schema->children = m->pointers;
    return true;
}

/* Makes a schema without children, metadata and dictionary. */
static bool make_schema(struct ArrowSchema *schema, const char *format, stamma_text name,
                        const stamma_allocator *allocator)
{
    schema_memory *m = (schema_memory *)memory_allocate(allocator, sizeof *m);
    if (!m)
        return false;
    *m = (schema_memory){.allocator = *allocator};
    *schema = (struct ArrowSchema){
        .format = format, .flags = ARROW_FLAG_NULLABLE, .release = release_schema, .private_data = m};
    m->name = (char *)memory_allocate(allocator, name.size + 1);
    if (!m->name) {
        release_schema(schema);
        return false;
    }
    memcpy(m->name, name.data, name.size);
    m->name[name.size] = 0;
    schema->name = m->name;
    return true;
}

static bool make_typed(const node_type *type, bool plain, stamma_text name, const stamma_allocator *allocator,
                       struct ArrowSchema *schema)
{
    size_t count = 0;
    const node_type *shown = plain ? &stamma_type_text : type;
    if (!make_schema(schema, shown->format, name, allocator))
        return false;
    schema_memory *m = (schema_memory *)schema->private_data;
    while (count < NODE_CHILDREN_MAX && shown->children[count])
        count++;
    bool fine = count == 0 || add_children(schema, count);
    for (size_t i = 0; i < count && fine; i++)
        fine = make_typed(shown->children[i], false, stamma_text_of(shown->child_names[i]), allocator, &m->children[i]);
    if (fine && shown->layout == NODE_DICTIONARY) {
        fine = make_schema(&m->dictionary, "u", stamma_text_of(""), allocator);
        schema->dictionary = &m->dictionary;
    }
    if (!fine)
        release_schema(schema);
    return fine;
}

bool stamma_schema_of_column(const node_type *type, bool plain, stamma_text name, stamma_text meaning,
                             const stamma_allocator *allocator, struct ArrowSchema *schema)
{
    const schema_pair pair = {"description", meaning};
    if (!make_typed(type, plain, name, allocator, schema))
        return false;
    if (add_metadata(schema, &pair, 1))
        return true;
    release_schema(schema);
    return false;
}

bool stamma_schema_of_columns(struct ArrowSchema *children, size_t count, const schema_pair *pairs, size_t pair_count,
                              const stamma_allocator *allocator, struct ArrowSchema *schema)
{
    bool made = make_schema(schema, "+s", stamma_text_of(""), allocator);
    bool fine = made && add_children(schema, count);
    for (size_t i = 0; i < count; i++)
        if (fine)
            ((schema_memory *)schema->private_data)->children[i] = children[i];
        else
            release_if(&children[i]);
    if (fine) {
        schema->flags = 0;
        fine = add_metadata(schema, pairs, pair_count);
    }
    if (made && !fine)
        release_schema(schema);
    return fine;
}
