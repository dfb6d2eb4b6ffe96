/* SPDX-License-Identifier: MIT */
/* The columns room: games, plies and positions of archives as Arrow record batches (doc/reference/columns.md).
 *
 *   column_list.c      converts names of columns to a plan: the parts to decode, and how to compute each column
 *   columns_stream.c   the stream: assigns blocks to jobs, and returns their batches
 *   columns_job.c      makes batches of the games of one block
 *   game_columns.c, game_lists.c, ply_columns.c, position_columns.c   the columns of the tables
 *   arrow_nodes.c, arrow_schema.c   growing columns, which become Arrow arrays and schemas */
#ifndef STAMMA_COLUMNS_H
#define STAMMA_COLUMNS_H

#include "archive/block_list.h"
#include "base/tables.h"
#include "notation/notation.h"
#include "search/search.h"

/* ---- arrow_nodes.c: columns that grow row by row ---- */

/* The layout of a column. */
typedef enum node_layout {
    NODE_VALUES,     /* values of `size` bytes */
    NODE_BITS,       /* bool */
    NODE_TEXT,       /* offsets and bytes */
    NODE_DICTIONARY, /* numbers of texts */
    NODE_LIST,       /* offsets; one child */
    NODE_FIXED_LIST, /* `size` values of the child */
    NODE_STRUCT
} node_layout;

enum { NODE_CHILDREN_MAX = 2, FIXED_TEXTS_MAX = 16 };

/* The type of a column. Static. */
typedef struct node_type {
    node_layout layout;
    const char *format; /* of the Arrow C data interface */
    const char *text;   /* for users: "list<uint16>" */
    size_t size;
    const struct node_type *children[NODE_CHILDREN_MAX];
    const char *child_names[NODE_CHILDREN_MAX];
} node_type;

extern const node_type stamma_type_bool, stamma_type_u8, stamma_type_i8, stamma_type_u16, stamma_type_i16,
    stamma_type_i32, stamma_type_i64, stamma_type_u64, stamma_type_f64, stamma_type_date, stamma_type_timestamp,
    stamma_type_text, stamma_type_bytes, stamma_type_names, stamma_type_moves, stamma_type_texts, stamma_type_clocks,
    stamma_type_evaluations, stamma_type_bits, stamma_type_nags, stamma_type_comments, stamma_type_board,
    stamma_type_planes, stamma_type_counts;

typedef struct column_node {
    const node_type *type;
    const stamma_allocator *allocator;
    size_t length;
    size_t nulls;
    buffer validity;    /* a bit for each row; empty until the first null */
    buffer offsets;     /* int32_t; of texts and lists, the ends of the rows after a 0 */
    buffer values;      /* values, bits, bytes of texts, or int32_t numbers of texts in the dictionary */
    size_t reserves[3]; /* sizes of these buffers in the last batch */
    struct column_node *children[NODE_CHILDREN_MAX];
    /* of NODE_DICTIONARY: */
    text_table texts;         /* as written */
    bool escaped;             /* texts are values of tags, with their escapes */
    const char *const *fixed; /* if not NULL: the texts of the dictionary, followed by NULL */
} column_node;

/* Creates a node with its children. Returns NULL if memory is exhausted. The allocator must outlive the node. */
column_node *stamma_node_new(const node_type *type, const stamma_allocator *allocator);
void stamma_node_delete(column_node *n);
/* Prepares an empty node for a batch. Returns false if memory is exhausted. */
bool stamma_node_begin(column_node *n);
/* Adds a null. Its value is 0 or empty. */
void stamma_node_add_null(column_node *n);
/* Adds rows of several bytes. The text is converted to UTF-8. `escaped`: a tag's value. */
void stamma_node_add_text(column_node *n, stamma_text text, bool escaped);
/* Returns whether memory was exhausted. */
bool stamma_node_failed(const column_node *n);
/* Returns the number of bytes of the batch so far. */
size_t stamma_node_bytes(const column_node *n);
/* Moves the rows to an Arrow array, which becomes their owner. Returns false if memory is exhausted; the node is then
 * empty. */
bool stamma_node_export(column_node *n, struct ArrowArray *array);
/* Makes a struct array of `length` rows of the arrays in `children`, which it owns. Returns false and releases the
 * children if memory is exhausted. */
bool stamma_array_of_columns(struct ArrowArray *children, size_t count, size_t length,
                             const stamma_allocator *allocator, struct ArrowArray *array);

/* Marks the next row as valid or not; called before its value is added. */
void stamma_node_mark(column_node *n, bool valid);
STAMMA_INLINE void node_count(column_node *n)
{
    if (STAMMA_UNLIKELY(n->validity.size > 0))
        stamma_node_mark(n, true);
    n->length++;
}
/* Adds a value of type->size bytes. */
STAMMA_INLINE void node_add(column_node *n, const void *value, size_t size)
{
    node_count(n);
    buffer_add(&n->values, value, size);
}
STAMMA_INLINE void node_add_i16(column_node *n, int16_t value)
{
    node_add(n, &value, sizeof value);
}
STAMMA_INLINE void node_add_u8(column_node *n, uint8_t value)
{
    node_count(n);
    buffer_add_byte(&n->values, value);
}
STAMMA_INLINE void node_add_u16(column_node *n, uint16_t value)
{
    node_add(n, &value, sizeof value);
}
STAMMA_INLINE void node_add_i32(column_node *n, int32_t value)
{
    node_add(n, &value, sizeof value);
}
STAMMA_INLINE void node_add_i64(column_node *n, int64_t value)
{
    node_add(n, &value, sizeof value);
}
STAMMA_INLINE void node_add_u64(column_node *n, uint64_t value)
{
    node_add(n, &value, sizeof value);
}
STAMMA_INLINE void node_add_f64(column_node *n, double value)
{
    node_add(n, &value, sizeof value);
}
void stamma_node_add_bool(column_node *n, bool value);
/* Ends a row of a text, or of a list whose elements were added to the child. */
void stamma_node_end_row(column_node *n);

/* ---- arrow_schema.c ---- */

/* A pair of the metadata of a schema. */
typedef struct schema_pair {
    const char *key;
    stamma_text value;
} schema_pair;

/* Makes the schema of a column, with its meaning as metadata. Returns false if memory is exhausted. */
bool stamma_schema_of_column(const node_type *type, bool plain, stamma_text name, stamma_text meaning,
                             const stamma_allocator *allocator, struct ArrowSchema *schema);
/* Makes the schema of a table. On failure, the children are released. */
bool stamma_schema_of_columns(struct ArrowSchema *children, size_t count, const schema_pair *pairs, size_t pair_count,
                              const stamma_allocator *allocator, struct ArrowSchema *schema);

/* ---- the plan (column_list.c) ---- */

/* A tag that a column needs. Its name is this name, or converts to this name. */
typedef struct wanted_tag {
    buffer name;
    bool converted;
} wanted_tag;

enum { WANTED_NONE = UINT16_MAX, COLUMNS_MAX = 2048 };

struct game_row;
struct output_column;
struct ply_row;

/* A column that every archive has. Static. */
typedef struct known_column {
    const char *name;
    const node_type *type;
    const char *meaning;
    unsigned parts;      /* the parts of games that it needs: STAMMA_GAME_... */
    const char *tags[2]; /* names of the tags that it needs, or NULL */
    bool not_default;
    bool of_tag;              /* by default only in archives that have its tag, in the place of the tag */
    bool opening;             /* needs the opening */
    bool game_tags;           /* needs the tags as members of the game */
    bool escaped;             /* its texts are values of tags */
    const char *const *fixed; /* its dictionary */
    /* Adds the value of a row. */
    void (*add)(const struct game_row *row, struct output_column *o);
    /* Sets values of the game in the rows of its plies; NULL: none. */
    void (*set)(const struct game_row *row, const struct output_column *o, struct ply_row *ply);
} known_column;

typedef struct known_table {
    const char *name;
    const known_column *columns;
    const size_t *count;
} known_table;

extern const known_table stamma_known_tables[STAMMA_TABLES];
extern const known_column stamma_tag_column; /* of any tag */
extern const known_column stamma_game_columns[], stamma_ply_columns[], stamma_position_columns[];
extern const size_t stamma_game_column_count, stamma_ply_column_count, stamma_position_column_count;

/* A column of the result. */
typedef struct planned_column {
    const known_column *known;
    buffer name;
    buffer meaning;   /* of a tag; otherwise empty */
    uint16_t tags[2]; /* index of the wanted tag, or WANTED_NONE */
} planned_column;

/* The plan of a stream. It does not change, and all jobs share it. */
typedef struct columns_plan {
    stamma_allocator allocator;
    stamma_columns_options options;
    unsigned parts;
    bool opening;
    bool game_tags;
    bool predicts;    /* needs the predictor */
    uint16_t variant; /* index of the wanted tag Variant, or WANTED_NONE */
    buffer columns;   /* planned_column[] */
    buffer wanted;    /* wanted_tag[] */
} columns_plan;

STAMMA_INLINE size_t plan_column_count(const columns_plan *p)
{
    return p->columns.size / sizeof(planned_column);
}
STAMMA_INLINE planned_column *plan_columns(const columns_plan *p)
{
    return (planned_column *)(void *)p->columns.data;
}
STAMMA_INLINE size_t plan_wanted_count(const columns_plan *p)
{
    return p->wanted.size / sizeof(wanted_tag);
}
STAMMA_INLINE wanted_tag *plan_wanted(const columns_plan *p)
{
    return (wanted_tag *)(void *)p->wanted.data;
}
STAMMA_INLINE stamma_text buffer_text(const buffer *b)
{
    return b->size > 0 ? (stamma_text){(const char *)b->data, b->size} : (stamma_text){"", 0};
}
STAMMA_INLINE stamma_text column_meaning(const planned_column *c)
{
    return c->meaning.size > 0 ? buffer_text(&c->meaning) : stamma_text_of(c->known->meaning);
}
/* Returns whether dictionaries of the column are plain texts. */
STAMMA_INLINE bool plan_is_plain(const columns_plan *p, const known_column *c)
{
    return p->options.plain_texts && c->type->layout == NODE_DICTIONARY;
}

/* Names of the tags of an archive, in the order of first occurrence. */
typedef struct tag_names {
    text_table names; /* as written */
} tag_names;

void stamma_tag_names_init(tag_names *t, const stamma_allocator *allocator);
void stamma_tag_names_release(tag_names *t);
/* Reads the names from the heads of all blocks. Damaged heads are skipped. Errors: IO, NO_MEMORY. */
stamma_error stamma_tag_names_read(tag_names *t, const block_list *list, const stamma_bytes *source);
/* Appends a tag's name in small letters with underscores: "white_elo" for WhiteElo, "utc_date" for UTCDate. */
void stamma_tag_name_convert(stamma_text name, buffer *converted);

/* Makes the plan from the names of columns. `tags` are read if they are needed. The plan must be released even after
 * an error. Errors: SYNTAX with *fault; IO, NO_MEMORY. */
stamma_error stamma_columns_plan_make(columns_plan *p, const block_list *list, const stamma_bytes *source,
                                      stamma_columns_problem *fault);
void stamma_columns_plan_release(columns_plan *p);

/* ---- rows ---- */

/* A value of a tag in the current game. */
typedef struct tag_here {
    stamma_text value; /* {NULL, 0}: the game does not have the tag */
    uint32_t index;    /* in the dictionary of the block's column `owner`; 0: not in it */
    uint16_t owner;
} tag_here;

/* A ply of a game, for the tables of plies and positions. */
typedef struct ply_row {
    stamma_position position; /* before the move */
    uint64_t game;
    uint32_t ply;     /* from 1 */
    int32_t clock_ms; /* -1: unknown */
    stamma_evaluation evaluation;
    uint16_t rating[2]; /* 0: unknown */
    stamma_move move;
    uint8_t result; /* stamma_result */
} ply_row;

/* The current game. */
typedef struct game_row {
    const stamma_archive_game *game;
    const tag_here *tags; /* of the plan's wanted tags */
    unsigned opening;
    bool chess960;
    const uint8_t *san_facts; /* of the moves; NULL: unknown */
    const ply_row *ply;
    const stamma_position *after; /* the move of `ply`, in the table of plies */
    bool no_memory;
} game_row;

/* A short text and its number in the batch. */
typedef struct short_code {
    uint64_t bytes;
    uint32_t size;
    uint32_t code; /* 0: the entry is free */
} short_code;

enum { SHORT_CODES = 512, SHORT_TEXT_MAX = 8 };

/* A column that a job fills. */
typedef struct output_column {
    const planned_column *planned;
    column_node *node;
    buffer codes; /* uint32_t by index in the dictionary of `owner`: number in the batch; 0: unknown */
    uint16_t owner;
    buffer opening_codes; /* the same by opening */
    buffer short_codes;   /* short_code[SHORT_CODES]: a cache of short texts; empty before the first */
    buffer last;          /* the last value of a tag; the next members are its meaning */
    bool known;           /* `last` is set */
    int64_t number;       /* -1: nothing */
    unsigned detail;
} output_column;

/* Returns the value of a column's first or second tag, which the column must have. */
STAMMA_INLINE const tag_here *row_tag(const game_row *row, const output_column *o, unsigned which)
{
    return &row->tags[o->planned->tags[which]];
}
/* Adds a text to a column of names, plain or as a dictionary. */
void stamma_output_add_text(output_column *o, stamma_text text);
/* Adds one of the fixed texts of a column by its index. */
void stamma_output_add_fixed(output_column *o, unsigned index);
/* Returns the result of the game, for a column with the tag Result and the part RESULT. */
stamma_result stamma_row_result(const game_row *row, const output_column *o);

/* ---- game_lists.c: columns of the table of games that are lists ---- */

void stamma_add_moves(const game_row *row, output_column *o);
void stamma_add_uci(const game_row *row, output_column *o);
void stamma_add_san(const game_row *row, output_column *o);
void stamma_add_clocks(const game_row *row, output_column *o);
void stamma_add_times_spent(const game_row *row, output_column *o);
void stamma_add_eval_cp(const game_row *row, output_column *o);
void stamma_add_mate(const game_row *row, output_column *o);
void stamma_add_nags(const game_row *row, output_column *o);
void stamma_add_comments(const game_row *row, output_column *o);
void stamma_add_bits(const game_row *row, output_column *o);
void stamma_add_game_text(const game_row *row, output_column *o);
void stamma_node_add_clock(column_node *n, int64_t ms);
/* Adds the value of an evaluation of one kind, or null. */
void stamma_node_add_evaluation(column_node *n, stamma_evaluation e, stamma_evaluation_kind kind);

/* ---- ply_columns.c, position_columns.c: rows of plies ---- */

struct columns_job;

/* Prepares the job for the plies of a new block. */
void stamma_begin_plies(struct columns_job *j);
/* Adds the rows of the job's game from the job's ply on, until the batch is full. Returns whether all were added. */
bool stamma_add_plies(struct columns_job *j);
/* Adds rows of the shuffle buffer, until it is empty or the batch is full. Returns whether any were added. */
bool stamma_add_shuffled(struct columns_job *j);

void stamma_add_ply_game(const game_row *row, output_column *o);
void stamma_add_ply_number(const game_row *row, output_column *o);
void stamma_add_ply_move(const game_row *row, output_column *o);
void stamma_add_ply_clock(const game_row *row, output_column *o);
void stamma_add_ply_eval_cp(const game_row *row, output_column *o);
void stamma_add_ply_mate(const game_row *row, output_column *o);

/* ---- columns_job.c ---- */

/* A column of tags in a block: the indices of the wanted tags that it has, by name and by converted name. */
typedef struct tag_link {
    uint16_t to[2]; /* or WANTED_NONE */
} tag_link;

/* Reads one block. */
typedef struct columns_job {
    /* input */
    const columns_plan *plan;
    search_limits *limits;
    found_block at;
    buffer payload; /* the block's frame, if the archive is read from an input */
    uint64_t first; /* numbers in the block, from 1, of the first and the last game to read */
    uint64_t last;
    bool is_listed; /* only the games in `listed` are read: uint32_t, numbers in the block, ascending */
    buffer listed;
    size_t queue_max; /* in bytes: no batch is begun while the queue has more; 0: it has at most one batch */
    uint64_t number;  /* of the block in the archive */
    /* output */
    buffer queue; /* struct ArrowArray[]; the arrays before queue_at were taken */
    size_t queue_at;
    size_t queued; /* bytes of the arrays from queue_at */
    bool ended;    /* the queue has the last batches of the block */
    stamma_error error;
    uint64_t error_game; /* in the block, from 1; 0: unknown */
    atomic_bool idle;    /* false while the job runs */
    /* private */
    bool open;
    stamma_archive_reader *reader; /* has read the only game of the job; NULL: the job reads the block */
    block_reader block;
    game_batch batch;
    uint64_t games_read;
    size_t listed_at;
    stamma_archive_game game;
    bool has_game; /* rows of `game` are left */
    buffer links;  /* tag_link[] by column of the block's tag reader */
    buffer here;   /* tag_here[] by wanted tag */
    output_column *outputs;
    size_t output_count;
    size_t rows;
    game_row row;
    ply_row ply;     /* of `game` */
    size_t next_ply; /* index of the next ply of `game` */
    buffer shuffled; /* ply_row[] */
    uint64_t random; /* state of the pseudo-random numbers of the block */
} columns_job;

/* Initialises a job for a plan, which must outlive it. Returns false if memory is exhausted. The job must be released
 * even then. */
bool stamma_columns_job_init(columns_job *j, const columns_plan *plan);
void stamma_columns_job_release(columns_job *j);
/* Prepares the job for a new block, whose input was set. */
void stamma_columns_job_begin(columns_job *j);
/* Prepares the job for a single game, and reads this game with the archive's cache of decoded blocks, so that many
 * look-ups decode a block once. If this is not possible, j->reader is NULL, and the job must read the block. Errors:
 * IO, NO_MEMORY. */
stamma_error stamma_columns_job_look_up(columns_job *j, stamma_archive *archive, uint64_t number);
/* Makes batches. `argument` is the job. */
void stamma_columns_job_run(void *argument);
STAMMA_INLINE size_t job_batches(const columns_job *j)
{
    return j->queue.size / sizeof(struct ArrowArray) - j->queue_at;
}

#endif
