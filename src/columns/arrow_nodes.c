/* SPDX-License-Identifier: MIT */
/* Columns that grow row by row, and become arrays of the Arrow C data interface. */
#include "columns/columns.h"

#define SIMPLE(layout, format, text, size)  \
    {                                       \
        layout, format, text, size, {NULL}, \
        {                                   \
            NULL                            \
        }                                   \
    }

const node_type stamma_type_bool = SIMPLE(NODE_BITS, "b", "bool", 0);
const node_type stamma_type_u8 = SIMPLE(NODE_VALUES, "C", "uint8", 1);
const node_type stamma_type_i8 = SIMPLE(NODE_VALUES, "c", "int8", 1);
const node_type stamma_type_u16 = SIMPLE(NODE_VALUES, "S", "uint16", 2);
const node_type stamma_type_i16 = SIMPLE(NODE_VALUES, "s", "int16", 2);
const node_type stamma_type_i32 = SIMPLE(NODE_VALUES, "i", "int32", 4);
const node_type stamma_type_i64 = SIMPLE(NODE_VALUES, "l", "int64", 8);
const node_type stamma_type_u64 = SIMPLE(NODE_VALUES, "L", "uint64", 8);
const node_type stamma_type_f64 = SIMPLE(NODE_VALUES, "g", "double", 8);
const node_type stamma_type_date = SIMPLE(NODE_VALUES, "tdD", "date32", 4);
const node_type stamma_type_timestamp = SIMPLE(NODE_VALUES, "tsu:UTC", "timestamp[us, UTC]", 8);
const node_type stamma_type_text = SIMPLE(NODE_TEXT, "u", "utf8", 0);
const node_type stamma_type_bytes = SIMPLE(NODE_TEXT, "z", "binary", 0);
const node_type stamma_type_names = SIMPLE(NODE_DICTIONARY, "i", "dictionary<int32, utf8>", 4);
static const node_type type_f32 = SIMPLE(NODE_VALUES, "f", "float", 4);
const node_type stamma_type_moves = {NODE_LIST, "+l", "list<uint16>", 0, {&stamma_type_u16}, {"item"}};
const node_type stamma_type_texts = {NODE_LIST, "+l", "list<utf8>", 0, {&stamma_type_text}, {"item"}};
const node_type stamma_type_clocks = {NODE_LIST, "+l", "list<int32>", 0, {&stamma_type_i32}, {"item"}};
const node_type stamma_type_evaluations = {NODE_LIST, "+l", "list<int16>", 0, {&stamma_type_i16}, {"item"}};
const node_type stamma_type_bits = {NODE_LIST, "+l", "list<float>", 0, {&type_f32}, {"item"}};
static const node_type type_nag = {
    NODE_STRUCT, "+s", "struct<ply: int32, nag: uint8>", 0, {&stamma_type_i32, &stamma_type_u8}, {"ply", "nag"}};
static const node_type type_comment = {
    NODE_STRUCT, "+s", "struct<ply: int32, text: utf8>", 0, {&stamma_type_i32, &stamma_type_text}, {"ply", "text"}};
const node_type stamma_type_nags = {NODE_LIST, "+l", "list<struct<ply: int32, nag: uint8>>", 0, {&type_nag}, {"item"}};
const node_type stamma_type_comments = {NODE_LIST,       "+l",    "list<struct<ply: int32, text: utf8>>", 0,
                                        {&type_comment}, {"item"}};
const node_type stamma_type_board = {NODE_FIXED_LIST,   "+w:64", "fixed_size_list<uint8>[64]", 64,
                                     {&stamma_type_u8}, {"item"}};
const node_type stamma_type_planes = {NODE_FIXED_LIST,    "+w:12", "fixed_size_list<uint64>[12]", 12,
                                      {&stamma_type_u64}, {"item"}};
const node_type stamma_type_counts = {NODE_FIXED_LIST,   "+w:12", "fixed_size_list<uint8>[12]", 12,
                                      {&stamma_type_u8}, {"item"}};

/* ---- nodes ---- */

enum { BUFFERS_MAX = 3 };

static size_t list_buffers(column_node *n, buffer *all[BUFFERS_MAX])
{
    all[0] = &n->validity;
    all[1] = &n->offsets;
    all[2] = &n->values;
    return BUFFERS_MAX;
}

column_node *stamma_node_new(const node_type *type, const stamma_allocator *allocator)
{
    buffer *all[BUFFERS_MAX];
    column_node *n = (column_node *)memory_allocate(allocator, sizeof *n);
    if (!n)
        return NULL;
    *n = (column_node){.type = type, .allocator = allocator};
    for (size_t i = 0; i < list_buffers(n, all); i++)
        all[i]->allocator = allocator;
    n->texts.allocator = allocator;
    n->texts.copies = true;
    for (size_t i = 0; i < NODE_CHILDREN_MAX && type->children[i]; i++)
        if (!(n->children[i] = stamma_node_new(type->children[i], allocator))) {
            stamma_node_delete(n);
            return NULL;
        }
    return n;
}

void stamma_node_delete(column_node *n)
{
    buffer *all[BUFFERS_MAX];
    if (!n)
        return;
    for (size_t i = 0; i < NODE_CHILDREN_MAX; i++)
        stamma_node_delete(n->children[i]);
    for (size_t i = 0; i < list_buffers(n, all); i++)
        stamma_buffer_release(all[i]);
    stamma_text_table_release(&n->texts);
    memory_release(n->allocator, n);
}

static bool has_offsets(const column_node *n)
{
    return n->type->layout == NODE_TEXT || n->type->layout == NODE_LIST;
}

bool stamma_node_begin(column_node *n)
{
    static const int32_t zero = 0;
    buffer *all[BUFFERS_MAX];
    bool fine = true;
    n->length = n->nulls = 0;
    for (size_t i = 0; i < list_buffers(n, all); i++) {
        all[i]->size = 0;
        all[i]->failed = false;
        fine &= i == 0 || buffer_reserve(all[i], n->reserves[i] + sizeof zero);
    }
    if (has_offsets(n))
        buffer_add(&n->offsets, &zero, sizeof zero);
    stamma_text_table_clear(&n->texts);
    n->texts.failed = false;
    for (size_t i = 0; i < NODE_CHILDREN_MAX && n->children[i]; i++)
        fine &= stamma_node_begin(n->children[i]);
    return fine;
}

bool stamma_node_failed(const column_node *n)
{
    bool failed = n->validity.failed || n->offsets.failed || n->values.failed || n->texts.failed;
    for (size_t i = 0; i < NODE_CHILDREN_MAX && n->children[i]; i++)
        failed |= stamma_node_failed(n->children[i]);
    return failed;
}

size_t stamma_node_bytes(const column_node *n)
{
    size_t bytes = n->validity.size + n->offsets.size + n->values.size;
    for (size_t i = 0; i < NODE_CHILDREN_MAX && n->children[i]; i++)
        bytes += stamma_node_bytes(n->children[i]);
    return bytes;
}

/* ---- rows ---- */

static void set_bit(buffer *bits, size_t at, bool bit)
{
    if (at % 8 == 0)
        buffer_add_byte(bits, bit);
    else if (bit && bits->size > at / 8)
        bits->data[at / 8] |= (uint8_t)(1u << at % 8);
}

void stamma_node_mark(column_node *n, bool valid)
{
    if (n->validity.size == 0) /* no earlier row is null */
        for (size_t i = 0; i < n->length; i++)
            set_bit(&n->validity, i, true);
    set_bit(&n->validity, n->length, valid);
    n->nulls += !valid;
}

void stamma_node_add_bool(column_node *n, bool value)
{
    set_bit(&n->values, n->length, value);
    node_count(n);
}

/* Adds the end of a row without counting it. */
static void add_end(column_node *n)
{
    size_t end = n->type->layout == NODE_TEXT ? n->values.size : n->children[0]->length;
    const int32_t offset = (int32_t)end;
    n->offsets.failed |= end > INT32_MAX;
    buffer_add(&n->offsets, &offset, sizeof offset);
}

void stamma_node_end_row(column_node *n)
{
    if (has_offsets(n))
        add_end(n);
    node_count(n);
}

/* Adds a zero of at most 8 bytes. */
static void add_zero_value(buffer *values, size_t size)
{
    if (buffer_reserve(values, sizeof(uint64_t))) {
        store_u64(values->data + values->size, 0);
        values->size += size;
    }
}

static void add_zero(column_node *n)
{
    switch (n->type->layout) {
    case NODE_VALUES:
    case NODE_DICTIONARY: add_zero_value(&n->values, n->type->size); break;
    case NODE_BITS: set_bit(&n->values, n->length, false); break;
    default: add_end(n); break; /* a text, because lists and structs are never null */
    }
}

void stamma_node_add_null(column_node *n)
{
    add_zero(n);
    stamma_node_mark(n, false);
    n->length++;
}

void stamma_node_add_text(column_node *n, stamma_text text, bool escaped)
{
    stamma_utf8_add(text, escaped, &n->values);
    stamma_node_end_row(n);
}

/* ---- arrays ---- */

/* The memory that an array owns. */
typedef struct array_memory {
    stamma_allocator allocator;
    void *data[BUFFERS_MAX];
    const void *buffers[BUFFERS_MAX];
    struct ArrowArray *children; /* `count` arrays */
    struct ArrowArray **pointers;
    size_t count;
    struct ArrowArray dictionary;
} array_memory;

static void release_if(struct ArrowArray *array)
{
    if (array->release)
        array->release(array);
}

static void release_array(struct ArrowArray *array)
{
    array_memory *m = (array_memory *)array->private_data;
    const stamma_allocator allocator = m->allocator;
    for (size_t i = 0; i < m->count; i++)
        release_if(&m->children[i]);
    release_if(&m->dictionary);
    for (size_t i = 0; i < BUFFERS_MAX; i++)
        memory_release(&allocator, m->data[i]);
    memory_release(&allocator, m->children);
    memory_release(&allocator, m->pointers);
    memory_release(&allocator, m);
    array->release = NULL;
}

/* Makes an array with room for `count` children, which are not set. */
static bool make_array(struct ArrowArray *array, size_t count, size_t length, const stamma_allocator *allocator)
{
    array_memory *m = (array_memory *)memory_allocate(allocator, sizeof *m);
    if (!m)
        return false;
    *m = (array_memory){.allocator = *allocator};
    *array = (struct ArrowArray){.length = (int64_t)length, .release = release_array, .private_data = m};
    array->buffers = m->buffers;
    if (count == 0)
        return true;
    m->children = (struct ArrowArray *)memory_allocate(allocator, count * sizeof *m->children);
    m->pointers = (struct ArrowArray **)memory_allocate(allocator, count * sizeof(struct ArrowArray *));
    if (!m->children || !m->pointers) {
        release_array(array);
        return false;
    }
    m->count = count;
    for (size_t i = 0; i < count; i++) {
        m->children[i] = (struct ArrowArray){.release = NULL};
        m->pointers[i] = &m->children[i];
    }
    array->n_children = (int64_t)count;
    array->children = m->pointers;
    return true;
}

bool stamma_array_of_columns(struct ArrowArray *children, size_t count, size_t length,
                             const stamma_allocator *allocator, struct ArrowArray *array)
{
    bool fine = make_array(array, count, length, allocator);
    for (size_t i = 0; i < count; i++)
        if (fine)
            ((array_memory *)array->private_data)->children[i] = children[i];
        else
            release_if(&children[i]);
    if (fine)
        array->n_buffers = 1; /* no nulls */
    return fine;
}

/* Moves the bytes of a buffer to an array. */
static void give_buffer(array_memory *m, struct ArrowArray *array, buffer *b)
{
    size_t at = (size_t)array->n_buffers++;
    m->data[at] = b->data;
    m->buffers[at] = b->data;
    b->data = NULL;
    b->size = b->capacity = 0;
}

/* Makes the array of the texts of a dictionary. */
static bool export_texts(const column_node *n, struct ArrowArray *array)
{
    column_node *texts = stamma_node_new(&stamma_type_text, n->allocator);
    bool fine = texts && stamma_node_begin(texts);
    for (size_t i = 1; fine && !n->fixed && i <= n->texts.count; i++)
        stamma_node_add_text(texts, text_table_at(&n->texts, i), n->escaped);
    for (size_t i = 0; fine && n->fixed && n->fixed[i]; i++)
        stamma_node_add_text(texts, stamma_text_of(n->fixed[i]), false);
    fine = fine && !stamma_node_failed(texts) && stamma_node_export(texts, array);
    stamma_node_delete(texts);
    return fine;
}

static bool export_parts(column_node *n, struct ArrowArray *array)
{
    array_memory *m = (array_memory *)array->private_data;
    buffer *all[BUFFERS_MAX];
    for (size_t i = 0; i < list_buffers(n, all); i++)
        n->reserves[i] = all[i]->size;
    array->null_count = (int64_t)n->nulls;
    if (n->nulls > 0)
        give_buffer(m, array, &n->validity);
    else
        array->n_buffers = 1;
    if (has_offsets(n))
        give_buffer(m, array, &n->offsets);
    if (n->type->layout <= NODE_DICTIONARY)
        give_buffer(m, array, &n->values);
    for (size_t i = 0; i < m->count; i++)
        if (!stamma_node_export(n->children[i], &m->children[i]))
            return false;
    if (n->type->layout == NODE_DICTIONARY && !export_texts(n, &m->dictionary))
        return false;
    if (n->type->layout == NODE_DICTIONARY)
        array->dictionary = &m->dictionary;
    return true;
}

bool stamma_node_export(column_node *n, struct ArrowArray *array)
{
    size_t count = 0;
    while (count < NODE_CHILDREN_MAX && n->children[count])
        count++;
    if (!make_array(array, count, n->length, n->allocator))
        return false;
    if (export_parts(n, array))
        return true;
    release_array(array);
    return false;
}
