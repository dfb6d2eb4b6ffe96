/* From a record and its style to text (clauses 4 and 6). The decoder's heart; the writer compares what it gives with
 * what was to be packed. */
#include "archive/archive.h"

/* The longest text that a move, its number and a template can take beside texts from the record. */
enum { ITEM_ROOM = 64, NUMBER_SIZE_MAX = 5 };

typedef struct renderer {
    const record *record;
    const style *style;
    buffer *out;
    size_t start; /* where the record's text begins in out */
    size_t line_start;
    size_t last_blank;               /* fit: the last breakable blank of the line, or SIZE_MAX */
    limit_range range;               /* of limits that would have given the same text so far */
    const exception *next_exception; /* NULL where there is none left */
} renderer;

/* Whether a line of `length` bytes up to here is too long, so that a blank in it is to break. */
static bool is_too_long(renderer *r, size_t length)
{
    bool breaks = length >= r->style->limit_low;
    if (breaks && length < r->range.high)
        r->range.high = length;
    if (!breaks && length >= r->range.low)
        r->range.low = length + 1;
    return breaks;
}

/* A unit ends here: where the line is too long, the last breakable blank becomes a line end (6.4). */
static bool end_unit(renderer *r)
{
    buffer *out = r->out;
    if (r->last_blank == SIZE_MAX || !is_too_long(r, out->size - r->line_start))
        return true;
    stamma_text end = stamma_line_ends[r->style->line_end];
    if (end.size == 2) {
        if (!buffer_reserve(out, 1))
            return false;
        memmove(out->data + r->last_blank + 2, out->data + r->last_blank + 1, out->size - r->last_blank - 1);
        out->size++;
    }
    memcpy(out->data + r->last_blank, end.data, end.size);
    r->line_start = r->last_blank + end.size;
    r->last_blank = SIZE_MAX;
    return true;
}

/* Writes text that may hold line ends, which end units and begin lines. Only where the style wraps. */
static bool add_lines(renderer *r, stamma_text text)
{
    buffer *out = r->out;
    size_t done = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] != '\n' && text.data[i] != '\r')
            continue;
        buffer_add(out, text.data + done, i - done);
        if (r->style->wrap == WRAP_FIT && !end_unit(r))
            return false;
        buffer_add_byte(out, (uint8_t)text.data[i]);
        done = i + 1;
        r->line_start = out->size;
        r->last_blank = SIZE_MAX;
    }
    buffer_add(out, text.data + done, text.size - done);
    return !out->failed;
}

static bool add_text(renderer *r, stamma_text text)
{
    if (r->style->wrap != WRAP_NONE)
        return add_lines(r, text);
    buffer_add(r->out, text.data, text.size);
    return !r->out->failed;
}

/* A breakable blank (6.4). */
static bool add_breakable(renderer *r)
{
    buffer *out = r->out;
    if (r->style->wrap == WRAP_THRESHOLD) {
        if (!is_too_long(r, out->size - r->line_start)) {
            buffer_add_byte(out, ' ');
            return !out->failed;
        }
        stamma_text end = stamma_line_ends[r->style->line_end];
        buffer_add(out, end.data, end.size);
        r->line_start = out->size;
        return !out->failed;
    }
    if (!end_unit(r))
        return false;
    r->last_blank = out->size;
    buffer_add_byte(out, ' ');
    return !out->failed;
}

/* A comment whose blanks are breakable. */
static bool add_words(renderer *r, stamma_text text)
{
    while (text.size > 0) {
        const char *blank = (const char *)memchr(text.data, ' ', text.size);
        size_t size = blank ? (size_t)(blank - text.data) : text.size;
        if (!add_lines(r, (stamma_text){text.data, size}))
            return false;
        if (!blank)
            return true;
        if (!add_breakable(r))
            return false;
        text.data += size + 1;
        text.size -= size + 1;
    }
    return true;
}

/* The text of an exception for this slot, or NULL. */
static const stamma_text *take_exception(renderer *r, size_t slot)
{
    const exception *taken = r->next_exception;
    if (!taken || taken->slot != slot)
        return NULL;
    bool last = taken + 1 == r->record->exceptions + r->record->exception_count;
    r->next_exception = last ? NULL : taken + 1;
    return &taken->text;
}

/* The bytes of a template that are not written as they stand. */
static bool add_special(renderer *r, uint8_t byte)
{
    if (byte == ' ')
        return add_breakable(r);
    stamma_text literal = {(const char *)&byte, 1};
    return add_text(r, byte == TEMPLATE_LINE_END ? stamma_line_ends[r->style->line_end] : literal);
}

/* A hot path: room for all that a template can give is made at once, and the place is kept at hand. */
STAMMA_INLINE bool render_template(renderer *r, const gap_template *t, unsigned fullmove)
{
    buffer *out = r->out;
    if (!buffer_reserve(out, TEMPLATE_SIZE_MAX * NUMBER_SIZE_MAX))
        return false;
    uint8_t *at = out->data + out->size;
    for (unsigned i = 0; i < t->size; i++) {
        uint8_t byte = t->bytes[i];
        if (STAMMA_LIKELY(byte >= ' ' && !(t->breaks >> i & 1))) {
            *at++ = byte;
        } else if (byte == TEMPLATE_NUMBER) {
            at += stamma_spell_number(fullmove, (char *)at);
        } else {
            out->size = (size_t)(at - out->data);
            if (!add_special(r, byte))
                return false;
            at = out->data + out->size;
        }
    }
    out->size = (size_t)(at - out->data);
    return true;
}

STAMMA_INLINE stamma_error render_gap(renderer *r, size_t index)
{
    const item *it = &r->record->items[index];
    const gap_template *t = &r->style->templates[item_class_before(r->record, index) << 4 | item_class_after(it)];
    if (STAMMA_UNLIKELY(!t->set))
        return STAMMA_ERROR_CORRUPT;
    return render_template(r, t, it->fullmove) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* An exception in place of a gap. */
static bool replace_gap(renderer *r, stamma_text text)
{
    if (r->style->wrap == WRAP_FIT && !end_unit(r))
        return false;
    r->last_blank = SIZE_MAX; /* what stands before an exception breaks no more */
    return add_text(r, text);
}

/* Writes a text between two characters; 0 for none. */
static bool add_between(renderer *r, char open, stamma_text text, char close)
{
    buffer *out = r->out;
    if (!buffer_reserve(out, text.size + 2))
        return false;
    out->data[out->size] = (uint8_t)open;
    out->size += open != 0;
    if (r->style->wrap == WRAP_NONE) {
        memcpy(out->data + out->size, text.data, text.size);
        out->size += text.size;
    } else if (!add_lines(r, text)) {
        return false;
    }
    if (close != 0)
        buffer_add_byte(out, (uint8_t)close);
    return !out->failed;
}

static bool add_short(renderer *r, const char *text)
{
    buffer_add(r->out, text, strlen(text));
    return !r->out->failed;
}

static bool render_tag(renderer *r, const item *it)
{
    buffer *out = r->out;
    if (!buffer_reserve(out, it->name.size + 3))
        return false;
    buffer_add_byte(out, '[');
    buffer_add(out, it->name.data, it->name.size);
    buffer_add(out, " \"", 2);
    return add_between(r, 0, it->text, '"') && add_short(r, "]");
}

static bool render_comment(renderer *r, const item *it)
{
    if (!r->style->comment_words)
        return add_between(r, '{', it->text, '}');
    buffer_add_byte(r->out, '{');
    bool fine = add_words(r, it->text);
    buffer_add_byte(r->out, '}');
    return fine && !r->out->failed;
}

static const char *const results[4] = {"*", "1-0", "0-1", "1/2-1/2"};
static const char *const suffixes[7] = {"", "!", "?", "!!", "??", "!?", "?!"};

static bool render_number(renderer *r, const item *it)
{
    char text[11] = "$";
    size_t size = 1 + stamma_spell_number(it->number, text + 1);
    buffer_add(r->out, text, size);
    return !r->out->failed;
}

/* The spelling of any item but a move. */
static bool render_other(renderer *r, const item *it)
{
    switch (it->kind) {
    case ITEM_TAG: return render_tag(r, it);
    case ITEM_COMMENT: return render_comment(r, it);
    case ITEM_LINE_COMMENT: return add_between(r, ';', it->text, 0);
    case ITEM_ESCAPE: return add_between(r, '%', it->text, 0);
    case ITEM_NAG: return render_number(r, it);
    case ITEM_SUFFIX: return add_short(r, suffixes[it->number]);
    case ITEM_VARIATION_BEGIN: return add_short(r, "(");
    case ITEM_VARIATION_END: return add_short(r, ")");
    case ITEM_RESULT: return add_short(r, results[it->number]);
    case ITEM_TEXT: return add_text(r, it->text);
    default: return true;
    }
}

/* A hot path too: in files with clocks there are as many comments as moves. */
STAMMA_INLINE bool add_comment(renderer *r, stamma_text text)
{
    buffer *out = r->out;
    if (!buffer_reserve(out, text.size + 2))
        return false;
    uint8_t *at = out->data + out->size;
    *at = '{';
    memcpy(at + 1, text.data, text.size);
    at[text.size + 1] = '}';
    out->size += text.size + 2;
    return true;
}

STAMMA_INLINE bool render_spelling(renderer *r, const item *it)
{
    if (it->kind == ITEM_COMMENT && r->style->wrap == WRAP_NONE)
        return add_comment(r, it->text);
    if (it->kind != ITEM_MOVE)
        return render_other(r, it);
    if (!buffer_reserve(r->out, ITEM_ROOM))
        return false;
    char *out = (char *)r->out->data + r->out->size;
    r->out->size += spell_move(it->move, it->signs, r->style->spelling, out);
    return true;
}

/* An item with exceptions to come, for its own gap or spelling or for later ones. */
static stamma_error render_exceptional(renderer *r, size_t index)
{
    const item *it = &r->record->items[index];
    const stamma_text *gap = take_exception(r, 2 * index);
    stamma_error error = gap ? replace_gap(r, *gap) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY : render_gap(r, index);
    if (error != STAMMA_OK)
        return error;
    const stamma_text *spelling = take_exception(r, 2 * index + 1);
    return (spelling ? add_text(r, *spelling) : render_spelling(r, it)) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

STAMMA_INLINE stamma_error render_item(renderer *r, size_t index)
{
    if (STAMMA_UNLIKELY(r->next_exception != NULL))
        return render_exceptional(r, index);
    stamma_error error = render_gap(r, index);
    if (error != STAMMA_OK)
        return error;
    return render_spelling(r, &r->record->items[index]) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static stamma_error render_items(renderer *r)
{
    const record *record = r->record;
    for (size_t i = 0; i < record->item_count && record->items[i].kind != ITEM_END_OF_PIECE; i++) {
        stamma_error error = render_item(r, i);
        if (error != STAMMA_OK)
            return error;
        if (r->out->size - r->start > PIECE_TEXT_MAX)
            return STAMMA_ERROR_CORRUPT;
    }
    return STAMMA_OK;
}

stamma_error stamma_render(const record *record, const style *s, buffer *out, limit_range *range)
{
    renderer r;
    r.record = record;
    r.style = s;
    r.out = out;
    r.start = r.line_start = out->size;
    r.last_blank = SIZE_MAX;
    r.range = (limit_range){0, SIZE_MAX};
    r.next_exception = record->exception_count > 0 ? record->exceptions : NULL;
    stamma_error error = render_items(&r);
    if (error != STAMMA_OK)
        return error;
    if (s->wrap == WRAP_FIT && !end_unit(&r))
        return STAMMA_ERROR_NO_MEMORY;
    if (range)
        *range = r.range;
    return r.next_exception ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}
