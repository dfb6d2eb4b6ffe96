/* From the columns of a block to records (clauses 3 to 5). Nothing in a column is trusted. */
#include "archive/archive.h"
#include "codec/codec.h"

void stamma_block_reader_init(block_reader *b, const stamma_allocator *allocator)
{
    memset(b, 0, sizeof *b);
    b->allocator = allocator;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        b->columns[id].allocator = allocator;
    b->main_line.allocator = b->comment_sizes.allocator = b->copies.values.allocator = allocator;
}

void stamma_block_reader_release(block_reader *b)
{
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        stamma_buffer_release(&b->columns[id]);
    for (size_t i = 0; i < b->tag_capacity; i++) {
        stamma_copied_values_release(&b->tags[i].values);
        if (b->tags[i].streams)
            stamma_field_streams_release(b->tags[i].streams);
        memory_release(b->allocator, b->tags[i].streams);
        stamma_buffer_release(&b->tags[i].name);
    }
    stamma_field_column_release(b->comments, b->allocator);
    stamma_buffer_release(&b->comment_sizes);
    stamma_buffer_release(&b->main_line);
    stamma_tag_copies_release(&b->copies, b->allocator);
    stamma_tag_numbers_release(&b->numbers, b->allocator);
    memory_release(b->allocator, b->tags);
    memory_release(b->allocator, b->rosters);
    stamma_styles_release(&b->styles, b->allocator);
    stamma_record_release(&b->record, b->allocator);
    stamma_byte_packer_release(&b->coder);
}

stamma_error stamma_block_read_head(cursor *in, block_head *head)
{
    const uint8_t *fixed = cursor_take(in, 16);
    if (!fixed)
        return STAMMA_ERROR_CORRUPT;
    head->text_size = load_u64(fixed);
    head->text_check = load_u64(fixed + 8);
    head->records = stamma_cursor_varint(in);
    stamma_archive_counts c = {.bytes_in = head->text_size};
    c.games = stamma_cursor_varint(in);
    c.plies = stamma_cursor_varint(in);
    c.variation_plies = stamma_cursor_varint(in);
    c.games_verbatim = stamma_cursor_varint(in);
    c.games_partly_verbatim = stamma_cursor_varint(in);
    c.games_corrected = stamma_cursor_varint(in);
    c.verbatim_bytes = stamma_cursor_varint(in);
    uint8_t flags = cursor_byte(in);
    head->columns = stamma_cursor_varint(in);
    if (in->failed || head->text_size > BLOCK_TEXT_MAX || flags > 1 || head->records == 0 ||
        head->records > BLOCK_RECORDS_MAX || c.games > head->records)
        return STAMMA_ERROR_CORRUPT;
    head->counts = c;
    head->continues = flags;
    return STAMMA_OK;
}

/* ---- loading ---- */

static tag_source *add_tag(block_reader *b)
{
    if (b->tag_count == b->tag_capacity) {
        size_t capacity = b->tag_capacity < 16 ? 16 : b->tag_capacity * 2;
        void *resized = memory_resize(b->allocator, b->tags, capacity * sizeof *b->tags);
        if (!resized)
            return NULL;
        b->tags = (tag_source *)resized;
        for (; b->tag_capacity < capacity; b->tag_capacity++)
            b->tags[b->tag_capacity] = (tag_source){.values.rules.allocator = b->allocator,
                                                    .values.symbols.allocator = b->allocator,
                                                    .values.literals.allocator = b->allocator,
                                                    .name.allocator = b->allocator};
    }
    return &b->tags[b->tag_count++];
}

static bool has_tag(const block_reader *b, stamma_text name)
{
    for (size_t i = 0; i < b->tag_count; i++)
        if (b->tags[i].name.size == name.size && memcmp(b->tags[i].name.data, name.data, name.size) == 0)
            return true;
    return false;
}

/* Whether a column's values are only read when the record's main line is known: it looks at the game (14.5), or holds
 * numbers. */
static bool is_late(const block_reader *b, size_t column)
{
    return column < COPY_COLUMNS_MAX && b->copies.columns[column].late;
}

static bool is_numeric(const block_reader *b, size_t column)
{
    return column < COPY_COLUMNS_MAX && b->numbers.columns[column].coded;
}

static bool is_fen(const tag_source *tag)
{
    return tag->name.size == 3 && memcmp(tag->name.data, "FEN", 3) == 0;
}

/* The column among those so far that tells the same of the other player; COPY_COLUMNS_MAX where there is none. */
static size_t find_twin(const block_reader *b, const buffer *name)
{
    stamma_text own = {(const char *)name->data, name->size};
    for (size_t i = 0; i < b->tag_count && i < COPY_COLUMNS_MAX; i++)
        if (stamma_are_twins((stamma_text){(const char *)b->tags[i].name.data, b->tags[i].name.size}, own))
            return i;
    return COPY_COLUMNS_MAX;
}

/* A column in codec 4 (clause 15). */
static stamma_error load_numbers(block_reader *b, tag_source *tag, const column_entry *e, const uint8_t *stored)
{
    size_t column = b->tag_count - 1;
    number_plan plan;
    if (column >= COPY_COLUMNS_MAX)
        return STAMMA_ERROR_CORRUPT;
    if (!tag->streams) {
        tag->streams = (field_streams *)memory_allocate(b->allocator, sizeof *tag->streams);
        if (!tag->streams)
            return STAMMA_ERROR_NO_MEMORY;
        stamma_field_streams_init(tag->streams, b->allocator);
    }
    stamma_error error = stamma_column_read_numbers(&b->coder, e, stored, &plan, tag->streams);
    if (error != STAMMA_OK)
        return error;
    const buffer *streams = tag->streams->streams;
    stamma_tag_numbers_set(&b->numbers, column, find_twin(b, &tag->name), &plan);
    for (size_t i = 0; i <= plan.count; i++, streams += 2)
        b->numbers.columns[column].sources[i] =
            (number_source){buffer_cursor(&streams[0]), {streams[1].data, streams[1].size * 8, 0, false}};
    tag->at = buffer_cursor(streams);
    b->copies.columns[column].late = b->copies.late = b->copies.any = true;
    return STAMMA_OK;
}

static stamma_error load_copies(block_reader *b, tag_source *tag, const column_entry *e, const uint8_t *stored)
{
    stamma_error error = stamma_column_read_copies(&b->coder, e, stored, &tag->values);
    if (error == STAMMA_OK)
        error = stamma_tag_copies_set(&b->copies, b->tag_count - 1, find_twin(b, &tag->name), &tag->values,
                                      (size_t)e->plain_size);
    tag->at = buffer_cursor(&tag->values.literals);
    return error;
}

static stamma_error load_values(block_reader *b, tag_source *tag, const column_entry *e, const uint8_t *stored)
{
    if (e->codec == CODEC_NUMBERS)
        return load_numbers(b, tag, e, stored);
    if (e->codec == CODEC_COPIES)
        return load_copies(b, tag, e, stored);
    stamma_error error = stamma_column_read(&b->coder, e, stored, &tag->values.literals);
    tag->at = buffer_cursor(&tag->values.literals);
    return error;
}

static stamma_error load_tag(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    if (b->tag_count == TAG_COLUMNS_MAX || has_tag(b, e->name))
        return STAMMA_ERROR_CORRUPT;
    tag_source *tag = add_tag(b);
    if (!tag)
        return STAMMA_ERROR_NO_MEMORY;
    tag->name.size = 0;
    buffer_add(&tag->name, e->name.data, e->name.size);
    tag->left = e->plain_size;
    stamma_error error = tag->name.failed ? STAMMA_ERROR_NO_MEMORY : load_values(b, tag, e, stored);
    if (error == STAMMA_OK && is_late(b, b->tag_count - 1) && is_fen(tag))
        error = STAMMA_ERROR_CORRUPT;
    return error;
}

/* A column that cannot be read: may it be left out (3.3)? */
static stamma_error ignore_column(const column_entry *e)
{
    return e->flags & ENTRY_MANDATORY ? STAMMA_ERROR_UNSUPPORTED : STAMMA_OK;
}

/* Comments that are fields are decoded record by record, while they are at hand. */
static stamma_error open_comments(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    if (!b->comments && !(b->comments = stamma_field_column_new(b->allocator)))
        return STAMMA_ERROR_NO_MEMORY;
    b->comments_are_fields = true;
    return stamma_field_column_open(&b->coder, e, stored, b->allocator, b->comments);
}

static stamma_error load_column(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    bool known = e->id == COLUMN_TAG || (e->id != 0 && e->id < COLUMN_IDS);
    if (!known || (e->id == COLUMN_REASONS && e->codec > CODEC_PACKED))
        return ignore_column(e);
    if (e->id == COLUMN_TAG)
        return load_tag(b, e, stored);
    if (e->id == COLUMN_COMMENTS && e->codec == CODEC_FIELDS)
        return open_comments(b, e, stored);
    return stamma_column_read(&b->coder, e, stored, &b->columns[e->id]);
}

static stamma_error load_columns(block_reader *b, cursor *directory, cursor *body)
{
    uint64_t total = 0;
    unsigned last = 0;
    for (uint64_t i = 0; i < b->head.columns; i++) {
        column_entry e;
        if (!stamma_column_read_entry(directory, &e) || (total += e.plain_size) > COLUMN_SIZE_MAX ||
            e.id < last + (last != COLUMN_TAG))
            return STAMMA_ERROR_CORRUPT;
        last = e.id;
        const uint8_t *stored = cursor_take(body, e.stored_size);
        stamma_error error = stored ? load_column(b, &e, stored) : STAMMA_ERROR_CORRUPT;
        if (error != STAMMA_OK)
            return error;
    }
    return cursor_left(directory) == 0 && cursor_left(body) == 0 ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* Checks the roster list and notes where each roster stands. */
static stamma_error load_rosters(block_reader *b)
{
    cursor *in = &b->at[COLUMN_ROSTER_LIST];
    for (b->roster_count = 0; cursor_left(in) > 0; b->roster_count++) {
        if (b->roster_count == ROSTERS_MAX)
            return STAMMA_ERROR_CORRUPT;
        if (b->roster_count == b->roster_capacity) {
            size_t capacity = b->roster_capacity < 16 ? 16 : b->roster_capacity * 2;
            void *resized = memory_resize(b->allocator, b->rosters, capacity * sizeof *b->rosters);
            if (!resized)
                return STAMMA_ERROR_NO_MEMORY;
            b->rosters = (cursor *)resized;
            b->roster_capacity = capacity;
        }
        uint64_t count = stamma_cursor_varint(in);
        const uint8_t *begin = in->at;
        for (uint64_t i = 0; i < count; i++)
            if (stamma_cursor_varint(in) >= b->tag_count || in->failed)
                return STAMMA_ERROR_CORRUPT;
        b->rosters[b->roster_count] = (cursor){begin, in->at, false};
    }
    return in->failed ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

/* Makes the tags ready whose columns are loaded. */
static void begin_numbers(block_reader *b)
{
    stamma_tag_numbers_ready(&b->numbers);
    for (size_t i = 0; i < b->numbers.looked_count; i++)
        b->copies.columns[b->numbers.looked[i]].keyed = true;
}

stamma_error stamma_block_reader_load(block_reader *b, const uint8_t *payload, size_t size, size_t head_size)
{
    cursor directory = {payload, payload + head_size, false}, body = {payload + head_size, payload + size, false};
    b->next = b->next_reason = 0;
    b->skipped = b->comments_are_fields = false;
    b->found = (stamma_archive_counts){0};
    b->tag_count = 0;
    stamma_tag_copies_clear(&b->copies);
    stamma_tag_numbers_clear(&b->numbers);
    b->styles.count = 0;
    b->head.records = 0;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        b->columns[id].size = 0;
    stamma_error error = stamma_block_read_head(&directory, &b->head);
    b->found.bytes_in = b->head.text_size; /* which the text's checksum bears out */
    if (error == STAMMA_OK)
        error = load_columns(b, &directory, &body);
    begin_numbers(b);
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        b->at[id] = buffer_cursor(&b->columns[id]);
    if (error == STAMMA_OK)
        error = load_rosters(b);
    if (error == STAMMA_OK)
        error = stamma_styles_read(&b->at[COLUMN_STYLE_LIST], &b->styles, b->allocator);
    if (error != STAMMA_OK)
        b->head.records = 0;
    return error;
}

bool stamma_block_reader_is_done(block_reader *b)
{
    size_t left = 0;
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        left += id == COLUMN_REASONS ? 0 : cursor_left(&b->at[id]);
    for (size_t i = 0; i < b->tag_count; i++)
        left += cursor_left(&b->tags[i].at) + (b->tags[i].left > 0 && !b->skipped);
    return left == 0 && stamma_tag_copies_is_done(&b->copies) && stamma_tag_numbers_is_done(&b->numbers) &&
           (!b->comments_are_fields || stamma_field_column_is_done(b->comments)) &&
           (b->skipped || stamma_counts_equal(&b->head.counts, &b->found));
}

/* ---- records ---- */

static stamma_text take_text(cursor *c, uint64_t size)
{
    const uint8_t *bytes = cursor_take(c, size);
    return bytes ? (stamma_text){(const char *)bytes, (size_t)size} : (stamma_text){"", 0};
}

/* Where a line of moves has come to. */
typedef struct line {
    stamma_position position; /* before its next move */
    stamma_position before;   /* before its last one; where there is none, where it began */
} line;

/* One record being read. */
typedef struct reading {
    block_reader *b;
    record *r;
    bool skip;
    bool corrupt;
    bool movetext;                 /* the tags are over (4.7) */
    bool bad_start;                /* the FEN tag gives no position: no move may follow */
    bool branches;                 /* there are variations */
    uint64_t main_count;           /* moves of the main line */
    size_t comments;               /* of all kinds */
    const uint32_t *comment_sizes; /* of those that are left, where they are fields */
    const stamma_move *main_line;  /* those that are left */
    const uint8_t *main_signs;     /* and their signs */
    uint8_t side;                  /* to move next */
    uint16_t fullmove;             /* number of that move */
    cursor roster;                 /* numbers of its tag columns */
    line line;                     /* where it branches; nothing else needs a position */
    line stack[VARIATION_DEPTH_MAX];
    unsigned depth;
    bool no_memory; /* not beside `corrupt`: compilers read both as one word, which waits for a write to one of them */
} reading;

static item *add_item(reading *x, unsigned kind)
{
    if (x->r->item_count == PIECE_ITEMS_MAX) {
        x->corrupt = true;
        return NULL;
    }
    item *it = record_add(x->r, x->b->allocator);
    if (!it) {
        x->no_memory = true;
        return NULL;
    }
    it->kind = (uint8_t)kind;
    it->side = x->side;
    it->fullmove = x->fullmove;
    return it;
}

static void turn_to(reading *x, const stamma_position *position)
{
    x->side = position->side;
    x->fullmove = position->fullmove_number;
}

/* The next value of a tag column. */
static stamma_text take_value(reading *x, size_t column)
{
    block_reader *b = x->b;
    tag_source *tag = &b->tags[column];
    stamma_text value = is_numeric(b, column) ? stamma_tag_numbers_take(&b->numbers, column, &tag->at, b->allocator)
                                              : stamma_tag_copies_take(&b->copies, column, &tag->at, b->allocator);
    x->no_memory |= b->copies.no_memory | b->numbers.no_memory;
    x->corrupt |= tag->at.failed || value.size >= tag->left;
    tag->left -= value.size < tag->left ? value.size + 1 : tag->left;
    return value;
}

static void read_roster(reading *x)
{
    block_reader *b = x->b;
    uint64_t number = cursor_varint(&b->at[COLUMN_ROSTERS]);
    if (number >= b->roster_count) {
        x->corrupt = true;
        return;
    }
    if (b->copies.any) {
        const cursor *codes = &b->at[COLUMN_MOVES];
        size_t count = cursor_left(codes) < x->main_count ? cursor_left(codes) : (size_t)x->main_count;
        stamma_tag_copies_begin(&b->copies, (stamma_text){count > 0 ? (const char *)codes->at : "", count});
    }
    x->roster = b->rosters[number];
    for (cursor roster = x->roster; cursor_left(&roster) > 0;) {
        size_t column = (size_t)cursor_varint(&roster);
        stamma_text value = is_late(b, column) ? (stamma_text){"", 0} : take_value(x, column);
        item *it = add_item(x, ITEM_TAG);
        if (!it)
            return;
        it->name = (stamma_text){(const char *)b->tags[column].name.data, b->tags[column].name.size};
        it->text = value;
        if (is_numeric(b, column)) {
            x->corrupt |= b->numbers.columns[column].place != 0;
            b->numbers.columns[column].place = x->r->item_count;
        }
    }
    x->r->roster_count = x->r->item_count;
}

enum { SLOTS_MAX = 2 * PIECE_ITEMS_MAX };

static void read_style(reading *x)
{
    uint64_t number = stamma_cursor_varint(&x->b->at[COLUMN_STYLES]);
    x->r->style = (uint32_t)(number >> 1);
    x->corrupt |= number >> 1 >= x->b->styles.count;
    if (!(number & 1))
        return;
    cursor *in = &x->b->at[COLUMN_LAYOUT];
    uint64_t count = stamma_cursor_varint(in), slot = 0;
    x->corrupt |= count == 0;
    for (; count > 0 && !x->corrupt && !x->no_memory; count--) {
        uint64_t more = stamma_cursor_varint(in);
        slot += more;
        uint64_t size = stamma_cursor_varint(in);
        stamma_text text = take_text(&x->b->at[COLUMN_LAYOUT_TEXT], size);
        x->corrupt |= more > SLOTS_MAX || slot > SLOTS_MAX || in->failed || x->b->at[COLUMN_LAYOUT_TEXT].failed;
        if (!x->corrupt && !stamma_record_except(x->r, (uint32_t)slot, text, x->b->allocator))
            x->no_memory = true;
        slot++;
    }
}

static bool is_comment(unsigned kind)
{
    return kind - ITEM_COMMENT <= (unsigned)(ITEM_ESCAPE - ITEM_COMMENT);
}

static bool is_end(unsigned kind)
{
    return kind <= ITEM_END_OF_PIECE || kind == ITEM_END_NO_GAME;
}

/* Looks ahead: how many moves the main line has and whether it branches, and how many comments there are. */
static void look_ahead(reading *x)
{
    cursor events = x->b->at[COLUMN_EVENTS];
    unsigned depth = 0;
    uint64_t main_count = 0;
    size_t comments = 0;
    x->branches = false;
    for (unsigned kind = ITEM_TAG; !is_end(kind) && !events.failed;) {
        uint8_t byte = cursor_byte(&events);
        uint64_t moves = byte >> 4;
        kind = byte & 15u;
        if (STAMMA_UNLIKELY(moves == 15))
            moves += stamma_cursor_varint(&events);
        main_count += depth == 0 && moves <= PIECE_ITEMS_MAX ? moves : 0;
        comments += is_comment(kind);
        if (kind == ITEM_VARIATION_BEGIN)
            depth++;
        else if (kind == ITEM_VARIATION_END)
            depth -= depth > 0;
        x->branches |= depth > 0;
    }
    x->main_count = main_count;
    x->comments = comments;
}

/* The record's comments that are fields take the place of the column. */
static void read_comments(reading *x)
{
    block_reader *b = x->b;
    buffer *texts = &b->columns[COLUMN_COMMENTS], *sizes = &b->comment_sizes;
    texts->size = sizes->size = 0;
    x->no_memory |= !buffer_reserve(sizes, x->comments * sizeof(uint32_t));
    uint32_t *size = (uint32_t *)(void *)sizes->data;
    x->comment_sizes = size;
    for (size_t n = 0; n < x->comments && !x->corrupt && !x->no_memory; n++) {
        size_t begin = texts->size;
        stamma_error error = stamma_field_column_take(b->comments, (uint32_t)b->next + 1, texts);
        x->corrupt |= error == STAMMA_ERROR_CORRUPT;
        x->no_memory |= error == STAMMA_ERROR_NO_MEMORY;
        *size++ = (uint32_t)(texts->size - begin);
    }
    b->at[COLUMN_COMMENTS] = buffer_cursor(texts);
}

/* The next comment's text. */
STAMMA_INLINE stamma_text take_comment(reading *x)
{
    cursor *texts = &x->b->at[COLUMN_COMMENTS];
    if (!x->b->comments_are_fields)
        return cursor_text(texts);
    stamma_text text = {(const char *)texts->at, *x->comment_sizes++ - 1u};
    texts->at += text.size + 1;
    return text;
}

static bool decode_line(reading *x, const stamma_position *start, const uint8_t *codes, size_t count)
{
    buffer *line = &x->b->main_line;
    line->size = 0;
    if (!buffer_reserve(line, count * (sizeof(stamma_move) + 1))) {
        x->no_memory = true;
        return false;
    }
    stamma_move *moves = (stamma_move *)(void *)line->data;
    uint8_t *signs = (uint8_t *)(moves + count);
    x->main_line = moves;
    x->main_signs = signs;
    x->corrupt |= stamma_byte_decode_game(start, codes, count, moves, signs) != STAMMA_OK;
    return !x->corrupt;
}

/* Decodes the whole main line, which is faster than move by move. */
static void read_main_line(reading *x, uint64_t count)
{
    if (count == 0)
        return;
    const uint8_t *codes = cursor_take(&x->b->at[COLUMN_MOVES], count);
    if (!codes || count > PIECE_ITEMS_MAX || x->bad_start)
        x->corrupt = true;
    else
        decode_line(x, &x->r->start, codes, (size_t)count);
}

/* Tells what the late columns are to know of a game that is skipped: its opening. */
static void play_skipped(reading *x, bool set_up)
{
    tag_copies *c = &x->b->copies;
    size_t count = c->codes.size < OPENING_PLIES ? c->codes.size : OPENING_PLIES;
    if (set_up || !c->openings || count == 0) {
        stamma_tag_copies_play(c, set_up, NULL, NULL, 0);
        return;
    }
    stamma_position start = stamma_position_start();
    if (decode_line(x, &start, (const uint8_t *)c->codes.data, count))
        stamma_tag_copies_play(c, set_up, NULL, x->main_line, count);
}

/* Reads the numbers, into their places in the roster (15.3). */
static void read_numbers(reading *x)
{
    tag_numbers *n = &x->b->numbers;
    stamma_tag_numbers_begin(n);
    for (size_t i = 0; i < n->looked_count; i++)
        n->keys[n->looked[i]] = stamma_tag_copies_key(&x->b->copies, n->looked[i]);
    for (size_t column; (column = stamma_tag_numbers_next(n)) < COPY_COLUMNS_MAX && !x->corrupt && !x->no_memory;) {
        x->r->items[n->columns[column].place - 1].text = take_value(x, column);
        n->columns[column].place = 0;
    }
}

/* Reads the tags that follow from the game (14.5), into their places in the roster. */
static void read_late_tags(reading *x)
{
    bool set_up = stamma_record_is_set_up(x->r);
    if (x->skip)
        play_skipped(x, set_up);
    else
        stamma_tag_copies_play(&x->b->copies, set_up, &x->r->start, x->main_line, (size_t)x->main_count);
    item *it = x->r->items;
    for (cursor roster = x->roster; cursor_left(&roster) > 0 && !x->corrupt && !x->no_memory; it++) {
        size_t column = (size_t)cursor_varint(&roster);
        if (is_late(x->b, column) && !is_numeric(x->b, column))
            it->text = take_value(x, column);
    }
    if (x->b->numbers.count > 0 && !x->corrupt && !x->no_memory)
        read_numbers(x);
}

/* The board is set up when the tags are over (4.7). A bad FEN tag gives the initial position, where no move is typed.
 */
static void begin_movetext(reading *x)
{
    x->movetext = true;
    if (!x->skip) {
        x->bad_start = stamma_record_start(x->r, &x->r->start) != STAMMA_OK;
        if (x->bad_start)
            x->r->start = stamma_position_start();
        x->line.position = x->line.before = x->r->start;
        turn_to(x, &x->r->start);
        stamma_record_number_items(x->r);
        read_main_line(x, x->main_count);
    }
    if (x->b->copies.late && !x->corrupt && !x->no_memory)
        read_late_tags(x);
}

/* A move of a variation. */
static bool decode_move(reading *x, item *it)
{
    cursor *codes = &x->b->at[COLUMN_VARIATION_MOVES];
    const stamma_position *position = &x->line.position;
    x->corrupt |= stamma_byte_decode(position, cursor_byte(codes), &it->move) != STAMMA_OK || codes->failed;
    if (!x->corrupt)
        it->signs = (uint8_t)move_signs(position, it->move);
    return !x->corrupt;
}

static void play(line *l, stamma_move move)
{
    l->before = l->position;
    stamma_position_make(&l->before, move, &l->position);
}

/* A run of moves. A hot path: room is made once. */
static void read_moves(reading *x, uint64_t count)
{
    record *r = x->r;
    bool main_line = x->depth == 0;
    if (r->item_count + count > PIECE_ITEMS_MAX || x->bad_start) {
        x->corrupt |= count > 0;
        return;
    }
    if (!record_reserve(r, (size_t)count, x->b->allocator)) {
        x->no_memory = true;
        return;
    }
    *(main_line ? &r->plies : &r->variation_plies) += (uint32_t)count;
    item *it = r->items + r->item_count, *end = it + count;
    r->item_count += (size_t)count;
    for (; it < end; it++) {
        it->kind = ITEM_MOVE;
        it->number = 0;
        it->depth = (uint8_t)x->depth;
        it->odd = false;
        it->side = x->side;
        it->fullmove = x->fullmove;
        if (main_line) {
            it->move = *x->main_line++;
            it->signs = *x->main_signs++;
        } else if (!decode_move(x, it)) {
            return;
        }
        if (STAMMA_UNLIKELY(x->branches))
            play(&x->line, it->move);
        x->fullmove = (uint16_t)(x->fullmove + (x->side & (x->fullmove < UINT16_MAX)));
        x->side ^= 1;
    }
}

static void skip_moves(reading *x, uint64_t count)
{
    cursor *codes = &x->b->at[x->depth ? COLUMN_VARIATION_MOVES : COLUMN_MOVES];
    cursor_take(codes, count);
    x->corrupt |= codes->failed;
}

static void enter_variation(reading *x)
{
    if (x->depth == VARIATION_DEPTH_MAX) {
        x->corrupt = true;
        return;
    }
    if (x->skip) {
        x->depth++;
        return;
    }
    x->stack[x->depth++] = x->line;
    x->line.position = x->line.before;
    turn_to(x, &x->line.position);
}

static void leave_variation(reading *x)
{
    if (x->depth == 0) {
        x->corrupt = true;
        return;
    }
    x->depth--;
    if (x->skip)
        return;
    x->line = x->stack[x->depth];
    turn_to(x, &x->line.position);
}

static uint8_t read_result(reading *x)
{
    static const char *const words[4] = {"*", "1-0", "0-1", "1/2-1/2"};
    uint8_t code = cursor_byte(&x->b->at[COLUMN_RESULTS]);
    x->corrupt |= x->b->at[COLUMN_RESULTS].failed || code > 4;
    if (code < 4 || x->skip)
        return code;
    stamma_text tag = stamma_record_tag(x->r, "Result");
    for (uint8_t i = 0; i < 4; i++)
        if (tag.size == strlen(words[i]) && memcmp(tag.data, words[i], tag.size) == 0)
            return i;
    x->corrupt = true;
    return 0;
}

static uint8_t read_number(reading *x, unsigned kind)
{
    uint8_t number = cursor_byte(&x->b->at[COLUMN_NAGS]);
    x->corrupt |= x->b->at[COLUMN_NAGS].failed || (kind == ITEM_SUFFIX && (number < 1 || number > 6));
    return number;
}

/* The item of an event (4.4). */
static void read_event(reading *x, unsigned kind)
{
    cursor *at = x->b->at;
    item *it = add_item(x, kind); /* its gap stands in the line that it ends or branches from */
    if (!it)
        return;
    it->depth = (uint8_t)x->depth;
    switch (kind) {
    case ITEM_COMMENT:
    case ITEM_LINE_COMMENT:
    case ITEM_ESCAPE:
        it->text = take_comment(x);
        x->corrupt |= at[COLUMN_COMMENTS].failed;
        break;
    case ITEM_NAG:
    case ITEM_SUFFIX: it->number = read_number(x, kind); break;
    case ITEM_RESULT: it->number = read_result(x); break;
    case ITEM_VARIATION_BEGIN: enter_variation(x); break;
    case ITEM_VARIATION_END: leave_variation(x); break;
    case ITEM_TEXT:
        it->text = take_text(&at[COLUMN_VERBATIM], stamma_cursor_varint(&at[COLUMN_VERBATIM_SIZES]));
        x->corrupt |= at[COLUMN_VERBATIM].failed || at[COLUMN_VERBATIM_SIZES].failed;
        x->r->text_items++;
        x->r->text_bytes += it->text.size;
        break;
    case ITEM_TAG:
        x->corrupt |= x->movetext;
        it->name = cursor_text(&at[COLUMN_ODD_TAGS]);
        it->text = cursor_text(&at[COLUMN_ODD_TAGS]);
        x->corrupt |= at[COLUMN_ODD_TAGS].failed;
        break;
    default: break;
    }
}

/* What may stand before tags (4.7). */
static bool is_before_movetext(unsigned kind)
{
    return kind == ITEM_TAG || is_comment(kind);
}

static void read_items(reading *x)
{
    cursor *events = &x->b->at[COLUMN_EVENTS];
    for (unsigned kind = ITEM_TAG; !is_end(kind);) {
        uint8_t byte = cursor_byte(events);
        kind = byte & 15u;
        uint64_t moves = byte >> 4;
        if (moves == 15)
            moves += stamma_cursor_varint(events);
        x->corrupt |= events->failed || kind > ITEM_END_NO_GAME || moves > PIECE_ITEMS_MAX;
        if (!x->movetext && (moves > 0 || !is_before_movetext(kind)))
            begin_movetext(x);
        if (x->skip && !x->corrupt)
            skip_moves(x, moves);
        if (!x->skip && moves > 0 && !x->corrupt && !x->no_memory)
            read_moves(x, moves);
        if (x->corrupt || x->no_memory)
            return;
        read_event(x, kind);
        x->b->last_kind = (uint8_t)kind;
        if (x->skip && x->movetext) /* before it, a FEN tag may stand outside the roster */
            x->r->item_count = x->r->roster_count;
        if (x->corrupt || x->no_memory)
            return;
    }
}

/* Of the pieces after the first and of text behind the last game nothing is stored (8.2). */
static void read_reason(reading *x)
{
    if (x->r->continuation) {
        x->r->reason = x->b->last_kind == ITEM_END_NO_GAME ? STAMMA_REASON_SYNTAX : STAMMA_REASON_SIZE;
        return;
    }
    cursor *in = &x->b->at[COLUMN_REASONS];
    cursor ahead = *in;
    if (cursor_left(in) == 0 || stamma_cursor_varint(&ahead) != x->b->next - x->b->next_reason || ahead.failed)
        return;
    x->r->reason = (stamma_archive_reason)cursor_byte(&ahead);
    x->r->reason_offset = (uint32_t)stamma_cursor_varint(&ahead);
    x->b->next_reason = x->b->next + 1;
    *in = ahead;
}

bool stamma_block_reader_continues(const block_reader *b)
{
    return b->next == 0 ? b->head.continues : b->last_kind == ITEM_END_OF_PIECE;
}

/* A piece after the first, and text behind the last game, is one text item (4.4, 4.6). */
static bool is_plain_text(const record *r)
{
    return r->item_count == 2 && r->items[0].kind == ITEM_TEXT;
}

static void end_record(reading *x, bool piece)
{
    record *r = x->r;
    bool no_game = x->b->last_kind == ITEM_END_NO_GAME;
    r->continuation = piece || no_game;
    read_reason(x);
    x->b->next++;
    x->b->skipped |= x->skip;
    if (x->skip)
        return;
    x->corrupt |= r->continuation && (!is_plain_text(r) || (piece && no_game));
    stamma_record_count(r, &x->b->found);
}

stamma_error stamma_block_reader_next(block_reader *b, bool skip)
{
    reading x;
    bool piece = stamma_block_reader_continues(b);
    x.b = b;
    x.r = &b->record;
    x.skip = skip;
    x.corrupt = x.no_memory = x.movetext = x.bad_start = false;
    x.depth = 0;
    stamma_record_clear(&b->record);
    b->record.start = stamma_position_start();
    turn_to(&x, &b->record.start);
    x.main_line = NULL;
    x.main_signs = NULL;
    look_ahead(&x);
    if (b->comments_are_fields)
        read_comments(&x);
    read_roster(&x);
    if (!x.corrupt && !x.no_memory)
        read_style(&x);
    if (!x.corrupt && !x.no_memory)
        read_items(&x);
    if (!x.corrupt && !x.no_memory)
        end_record(&x, piece);
    return x.no_memory ? STAMMA_ERROR_NO_MEMORY : x.corrupt ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}
