/* SPDX-License-Identifier: MIT */
/* Renders a record and its style to text (clauses 4 and 6). Decoders return this text; the writer compares it with the
 * text to be packed. */
#include "record/record.h"

/* Room for a move or the braces of a comment; the maximum size of a number. */
enum { ITEM_ROOM = 64, NUMBER_SIZE_MAX = 5 };

typedef struct renderer {
    const record *record;
    const style *style;
    buffer *out;
    size_t start; /* where the record's text begins in out */
    size_t line_start;
    size_t last_blank;               /* fit: the last breakable blank of the line, or SIZE_MAX */
    size_t limit_high;               /* the largest limit that would produce the same text so far */
    const exception *next_exception; /* NULL if there are no more */
} renderer;

/* Returns whether a line of `length` bytes is too long, and one of its blanks must break. */
static bool is_too_long(renderer *r, size_t length)
{
    bool breaks = length >= r->style->limit_low;
    if (breaks && length < r->limit_high)
        r->limit_high = length;
    return breaks;
}

/* Ends a unit of rule fit: if the line is too long, the last breakable blank becomes a line end (6.4). */
static void end_unit(renderer *r)
{
    buffer *out = r->out;
    bool open = r->style->wrap == WRAP_FIT && r->last_blank != SIZE_MAX;
    if (!open || !is_too_long(r, out->size - r->line_start))
        return;
    stamma_text end = stamma_line_ends[r->style->line_end];
    if (end.size == 2) {
        if (!buffer_reserve(out, 1))
            return;
        memmove(out->data + r->last_blank + 2, out->data + r->last_blank + 1, out->size - r->last_blank - 1);
        out->size++;
    }
    memcpy(out->data + r->last_blank, end.data, end.size);
    r->line_start = r->last_blank + end.size;
    r->last_blank = SIZE_MAX;
}

/* Returns the first line feed or carriage return of a text, or NULL. */
static const char *find_line_end(stamma_text text)
{
    const char *feed = (const char *)memchr(text.data, '\n', text.size);
    const char *carriage = (const char *)memchr(text.data, '\r', feed ? (size_t)(feed - text.data) : text.size);
    return carriage ? carriage : feed;
}

/* Writes text that may contain line ends. A line end ends a unit and begins a line. Called only if the style wraps. */
static void add_lines(renderer *r, stamma_text text)
{
    buffer *out = r->out;
    const char *end;
    while (text.size > 0 && (end = find_line_end(text)) != NULL) {
        size_t size = (size_t)(end - text.data);
        buffer_add(out, text.data, size);
        end_unit(r);
        buffer_add_byte(out, (uint8_t)*end);
        text.data = end + 1;
        text.size -= size + 1;
        r->line_start = out->size;
        r->last_blank = SIZE_MAX;
    }
    buffer_add(out, text.data, text.size);
}

static void add_text(renderer *r, stamma_text text)
{
    if (r->style->wrap != WRAP_NONE)
        add_lines(r, text);
    else
        buffer_add(r->out, text.data, text.size);
}

/* Writes the style's line end. The caller must have made room. */
static void end_line(renderer *r)
{
    buffer *out = r->out;
    end_unit(r);
    stamma_text end = stamma_line_ends[r->style->line_end];
    memcpy(out->data + out->size, end.data, 2); /* the second may be a zero byte, which is not counted */
    out->size += end.size;
    r->line_start = out->size;
    r->last_blank = SIZE_MAX;
}

/* Writes a breakable blank (6.4) after a line that has reached the limit: this blank or the previous breakable blank
 * becomes a line end. */
static void break_line(renderer *r)
{
    if (r->style->wrap == WRAP_THRESHOLD) {
        (void)is_too_long(r, r->out->size - r->line_start); /* always true here; the call records the length */
        end_line(r);
        return;
    }
    end_unit(r);
    r->last_blank = r->out->size;
    r->out->data[r->out->size++] = ' ';
}

/* Writes a breakable blank. The caller must have made room. A hot path. */
STAMMA_INLINE void add_breakable(renderer *r)
{
    buffer *out = r->out;
    if (STAMMA_UNLIKELY(out->size - r->line_start >= r->style->limit_low)) {
        break_line(r);
        return;
    }
    r->last_blank = out->size;
    out->data[out->size++] = ' ';
}

/* Writes a fixed blank (6.4). The caller must have made room. */
static void add_fixed(renderer *r)
{
    end_unit(r);
    r->last_blank = SIZE_MAX;
    r->out->data[r->out->size++] = ' ';
}

/* Writes a comment whose blanks are breakable. */
static void add_words(renderer *r, stamma_text text)
{
    const char *blank;
    while (text.size > 0 && (blank = (const char *)memchr(text.data, ' ', text.size)) != NULL) {
        size_t size = (size_t)(blank - text.data);
        add_lines(r, (stamma_text){text.data, size});
        if (!buffer_reserve(r->out, 2))
            return;
        add_breakable(r);
        text.data += size + 1;
        text.size -= size + 1;
    }
    add_lines(r, text);
}

/* Returns the text of the exception for this slot, or NULL. Advances to the next exception. */
static const stamma_text *take_exception(renderer *r, size_t slot)
{
    const exception *taken = r->next_exception;
    if (!taken || taken->slot != slot)
        return NULL;
    bool last = taken + 1 == r->record->exceptions + r->record->exception_count;
    r->next_exception = last ? NULL : taken + 1;
    return &taken->text;
}

/* Room for a rendered template. A byte becomes at most five digits, or a line end and one more byte if a line breaks
 * before it. */
enum { GAP_ROOM = TEMPLATE_SIZE_MAX * NUMBER_SIZE_MAX + COPY_STEP };

/* Makes room for a gap, a move, and `more` bytes after them. */
STAMMA_INLINE bool make_room(buffer *out, size_t more)
{
    return buffer_reserve(out, GAP_ROOM + ITEM_ROOM + more);
}

/* Renders the bytes of a template before `plain_from`, some of which are not plain text. */
static void begin_template(renderer *r, const gap_template *t, unsigned fullmove)
{
    buffer *out = r->out;
    for (unsigned i = 0; i < t->plain_from; i++) {
        uint8_t byte = t->bytes[i];
        if (byte == TEMPLATE_NUMBER)
            out->size += spell_number(fullmove, (char *)out->data + out->size);
        else if (byte == TEMPLATE_LINE_END)
            end_line(r);
        else if (t->breaks >> i & 1)
            add_breakable(r);
        else if (byte == ' ' && t->fixed)
            add_fixed(r);
        else
            add_text(r, (stamma_text){(const char *)&byte, 1});
    }
}

/* Renders the gap before an item. `before` is the class of the previous item. The caller must have made room. Returns
 * false if the style has no such gap. A hot path. */
STAMMA_INLINE bool render_gap(renderer *r, unsigned before, const item *it)
{
    buffer *out = r->out;
    const gap_template *t = &r->style->templates[before << 4 | item_class_after(it)];
    unsigned from = t->plain_from;
    if (STAMMA_UNLIKELY(!t->set))
        return false;
    if (from == 1 && t->breaks & 1)
        add_breakable(r);
    else if (from > 0)
        begin_template(r, t, it->fullmove);
    uint8_t *at = copy_few(out->data + out->size, t->bytes + from, t->number_at - from);
    if (t->number_at < t->size) {
        at += spell_number(it->fullmove, (char *)at);
        at = copy_few(at, t->bytes + t->number_at + 1, t->size - t->number_at - 1u);
    }
    out->size = (size_t)(at - out->data);
    return true;
}

/* Writes an exception in place of a gap. */
static void replace_gap(renderer *r, stamma_text text)
{
    end_unit(r);
    r->last_blank = SIZE_MAX; /* blanks before an exception do not break */
    add_text(r, text);
}

static void add_short(renderer *r, const char *text)
{
    buffer_add(r->out, text, strlen(text));
}

static void render_tag(renderer *r, const item *it)
{
    buffer *out = r->out;
    if (!buffer_reserve(out, it->name.size + it->text.size + 6))
        return;
    uint8_t *at = out->data + out->size;
    *at++ = '[';
    memcpy(at, it->name.data, it->name.size);
    at += it->name.size;
    memcpy(at, " \"", 2);
    out->size = (size_t)(at + 2 - out->data);
    add_text(r, it->text);
    add_short(r, "\"]");
}

static void render_comment(renderer *r, const item *it)
{
    add_short(r, "{");
    if (r->style->comment_words)
        add_words(r, it->text);
    else
        add_text(r, it->text);
    add_short(r, "}");
}

/* Renders a comment up to the end of its line. */
static void render_line(renderer *r, const char *mark, const item *it)
{
    add_short(r, mark);
    add_text(r, it->text);
}

static const char *const suffixes[7] = {"", "!", "?", "!!", "??", "!?", "?!"};

static void render_number(renderer *r, const item *it)
{
    char text[11] = "$";
    size_t size = 1 + stamma_spell_number(it->number, text + 1);
    buffer_add(r->out, text, size);
}

/* Renders the spelling of any item except a move. */
static void render_other(renderer *r, const item *it)
{
    switch (it->kind) {
    case ITEM_TAG: render_tag(r, it); break;
    case ITEM_COMMENT: render_comment(r, it); break;
    case ITEM_LINE_COMMENT: render_line(r, ";", it); break;
    case ITEM_ESCAPE: render_line(r, "%", it); break;
    case ITEM_NAG: render_number(r, it); break;
    case ITEM_SUFFIX: add_short(r, suffixes[it->number]); break;
    case ITEM_VARIATION_BEGIN: add_short(r, "("); break;
    case ITEM_VARIATION_END: add_short(r, ")"); break;
    case ITEM_RESULT: add_short(r, stamma_result_words[it->number]); break;
    case ITEM_TEXT: add_text(r, it->text); break;
    default: break;
    }
}

/* Renders the spelling of an item. The caller must have made room for a move, and for a comment if the style does not
 * wrap. A hot path. */
STAMMA_INLINE void render_spelling(renderer *r, const item *it)
{
    buffer *out = r->out;
    uint8_t *at = out->data + out->size;
    if (it->kind == ITEM_MOVE) {
        out->size += spell_move(it->move, it->san_facts, r->style->spelling, (char *)at);
        return;
    }
    if (it->kind != ITEM_COMMENT || r->style->wrap != WRAP_NONE) {
        render_other(r, it);
        return;
    }
    *at = '{';
    copy_some(at + 1, it->text.data, it->text.size);
    at[it->text.size + 1] = '}';
    out->size += it->text.size + 2;
}

/* Renders an item while there are exceptions left, for this item or for later items. */
static stamma_error render_exceptional(renderer *r, size_t index)
{
    const item *it = &r->record->items[index];
    const stamma_text *gap = take_exception(r, 2 * index);
    if (gap)
        replace_gap(r, *gap);
    size_t more = it->kind == ITEM_COMMENT ? it->text.size : 0;
    if (!make_room(r->out, more))
        return STAMMA_ERROR_NO_MEMORY;
    if (!gap && !render_gap(r, item_class_before(r->record, index), it))
        return STAMMA_ERROR_CORRUPT;
    const stamma_text *spelling = take_exception(r, 2 * index + 1);
    if (spelling)
        add_text(r, *spelling);
    else
        render_spelling(r, it);
    return STAMMA_OK;
}

/* Renders an item after the last exception. */
STAMMA_INLINE stamma_error render_usual(renderer *r, unsigned before, const item *it)
{
    if (!make_room(r->out, it->kind == ITEM_COMMENT ? it->text.size : 0))
        return STAMMA_ERROR_NO_MEMORY;
    if (!render_gap(r, before, it))
        return STAMMA_ERROR_CORRUPT;
    render_spelling(r, it);
    return STAMMA_OK;
}

/* A hot loop: room is made once for an item and its gap. If memory runs out, text is missing; stamma_render returns the
 * error at the end. */
static stamma_error render_items(renderer *r)
{
    const record *record = r->record;
    buffer *out = r->out;
    unsigned before = 0;
    const item *end = record->items + record->item_count;
    for (const item *it = record->items; it < end; it++) {
        if (STAMMA_UNLIKELY(it->kind == ITEM_END_OF_PIECE))
            break;
        stamma_error error = STAMMA_UNLIKELY(r->next_exception != NULL)
                                 ? render_exceptional(r, (size_t)(it - record->items))
                                 : render_usual(r, before, it);
        if (error != STAMMA_OK)
            return error;
        if (out->size - r->start > PIECE_TEXT_MAX)
            return STAMMA_ERROR_CORRUPT;
        before = it->kind;
    }
    return STAMMA_OK;
}

stamma_error stamma_render(const record *record, const style *s, buffer *out, size_t *limit_high)
{
    renderer r;
    r.record = record;
    r.style = s;
    r.out = out;
    r.start = r.line_start = out->size;
    r.last_blank = SIZE_MAX;
    r.limit_high = SIZE_MAX;
    r.next_exception = record->exception_count > 0 ? record->exceptions : NULL;
    stamma_error error = render_items(&r);
    if (error != STAMMA_OK)
        return error;
    end_unit(&r);
    if (limit_high)
        *limit_high = r.limit_high;
    if (out->failed)
        return STAMMA_ERROR_NO_MEMORY;
    return r.next_exception ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

/* ---- comparing in place ---- */

/* Returns whether a gap contains exactly the text that render_gap writes. */
static STAMMA_NOINLINE bool any_gap_stands(const style *s, const gap_template *t, unsigned fullmove, stamma_text gap)
{
    char number[NUMBER_SIZE_MAX];
    for (unsigned i = 0; i < t->size; i++) {
        stamma_text part = {(const char *)t->bytes + i, 1};
        if (t->bytes[i] == TEMPLATE_NUMBER)
            part = (stamma_text){number, spell_number(fullmove, number)};
        else if (t->bytes[i] == TEMPLATE_LINE_END)
            part = stamma_line_ends[s->line_end];
        if (gap.size < part.size || memcmp(gap.data, part.data, part.size) != 0)
            return false;
        gap.data += part.size;
        gap.size -= part.size;
    }
    return t->set && gap.size == 0;
}

/* Like any_gap_stands, faster for gaps of less than eight bytes, which are the most frequent: plain bytes and one
 * number are rendered to a word, if eight bytes can be read. A hot path. */
STAMMA_INLINE bool gap_stands(const style *s, const gap_template *t, unsigned fullmove, stamma_text gap, size_t left)
{
    char number[8] = {0};
    unsigned at = t->number_at, digits = 0, size = t->size;
    uint64_t bytes = load_u64(t->bytes);
    if (at < size && at < 8) {
        digits = (unsigned)spell_number(fullmove, number);
        uint64_t rest = bytes >> 8 * at >> 8 << 8 * digits; /* the number is one byte of the template */
        bytes = (bytes & (square_bit(8 * at & 63) - 1)) | (load_u64(number) | rest) << 8 * at;
        size += digits - 1;
    }
    if (STAMMA_UNLIKELY(!t->set || t->plain_from != 0 || gap.size != size || size >= 8 || left < 8))
        return any_gap_stands(s, t, fullmove, gap);
    return ((bytes ^ load_u64(gap.data)) & (square_bit(8 * size) - 1)) == 0;
}

/* Returns whether `text` is the text that render_spelling writes for an item. Kinds that are not listed have only one
 * spelling. */
static STAMMA_NOINLINE bool any_spelling_stands(const style *s, const item *it, stamma_text text)
{
    char spelt[ITEM_ROOM] = "$";
    stamma_text expected = {spelt, 0};
    switch (it->kind) {
    case ITEM_TAG:
    case ITEM_SUFFIX: return !it->noncanonical;
    case ITEM_MOVE: expected.size = spell_move(it->move, it->san_facts, s->spelling, spelt); break;
    case ITEM_NAG: expected.size = 1 + stamma_spell_number(it->number, spelt + 1); break;
    case ITEM_RESULT:
        expected = (stamma_text){stamma_result_words[it->number], strlen(stamma_result_words[it->number])};
        break;
    default: return true;
    }
    return text.size == expected.size && memcmp(text.data, expected.data, text.size) == 0;
}

/* Like any_spelling_stands, faster for comments and most moves. A hot path. */
STAMMA_INLINE bool spelling_stands(const parsed_record *r, const style *s, const item *it, const item_place *place)
{
    bool plain = it->kind == ITEM_COMMENT;
    if (it->kind == ITEM_MOVE)
        plain = place->strict && (s->spelling == 0 || !is_spelt_specially(it->move, it->san_facts));
    return plain || any_spelling_stands(s, it, (stamma_text){r->text.data + place->begin, place->end - place->begin});
}

/* A hot loop. */
bool stamma_stands_as_rendered(const parsed_record *r, const style *s)
{
    size_t at = 0;
    unsigned before = 0;
    const item *end = r->record.items + r->record.item_count;
    const item_place *place = r->places;
    for (const item *it = r->record.items; it < end; it++, place++) {
        const gap_template *t = &s->templates[before << 4 | item_class_after(it)];
        if (STAMMA_UNLIKELY(it->kind == ITEM_END_OF_PIECE))
            break;
        if (!gap_stands(s, t, it->fullmove, (stamma_text){r->text.data + at, place->begin - at}, r->text.size - at))
            return false;
        if (!spelling_stands(r, s, it, place))
            return false;
        before = it->kind;
        at = place->end;
    }
    return at == r->text.size;
}

/* ---- comparing wrapped lines in place (6.4) ---- */

typedef struct wrapped {
    stamma_text text;
    const style *style;
    stamma_text line_end;
    size_t line_start;
    size_t last_blank; /* fit: the last breakable blank of the line, or SIZE_MAX */
    bool last_broken;  /* this blank is written as a line end */
    size_t limit_high; /* the largest limit with the same lines so far */
} wrapped;

/* Returns whether a renderer makes the same decision about a line of `length` bytes: to break it, or not. */
STAMMA_INLINE bool break_fits(wrapped *f, size_t length, bool broken)
{
    if (broken != (length >= f->style->limit_low))
        return false;
    if (broken && length < f->limit_high)
        f->limit_high = length;
    return true;
}

/* Rule fit: ends a unit at `at`, and compares the last breakable blank. */
STAMMA_INLINE bool unit_fits(wrapped *f, size_t at)
{
    if (f->last_blank == SIZE_MAX)
        return true;
    size_t end_size = f->last_broken ? f->line_end.size : 1;
    bool fits = break_fits(f, at - f->line_start - (end_size - 1), f->last_broken);
    if (f->last_broken)
        f->line_start = f->last_blank + end_size;
    f->last_blank = SIZE_MAX;
    return fits;
}

STAMMA_INLINE bool is_line_end(const wrapped *f, size_t at)
{
    return f->text.size - at >= f->line_end.size && f->text.data[at] == f->line_end.data[0] &&
           (f->line_end.size == 1 || f->text.data[at + 1] == f->line_end.data[1]);
}

/* Compares a breakable blank at *at, and moves *at to its end. */
STAMMA_INLINE bool blank_fits(wrapped *f, size_t *at)
{
    size_t blank = *at;
    bool broken = blank < f->text.size && f->text.data[blank] != ' ';
    if (blank == f->text.size || (broken && !is_line_end(f, blank)))
        return false;
    *at += broken ? f->line_end.size : 1;
    if (f->style->wrap == WRAP_THRESHOLD) {
        bool fits = break_fits(f, blank - f->line_start, broken);
        f->line_start = broken ? *at : f->line_start;
        return fits;
    }
    if (!unit_fits(f, blank))
        return false;
    f->last_blank = blank;
    f->last_broken = broken;
    return true;
}

/* Handles text that is rendered unchanged and may contain line ends. */
static bool lines_stand(wrapped *f, size_t begin, size_t end)
{
    const char *found;
    while (begin < end && (found = find_line_end((stamma_text){f->text.data + begin, end - begin})) != NULL) {
        size_t at = (size_t)(found - f->text.data);
        if (!unit_fits(f, at)) /* rule threshold: no unit is open */
            return false;
        f->line_start = begin = at + 1;
    }
    return true;
}

/* Compares the bytes of a template before `plain_from`, some of which are not plain text. */
static STAMMA_NOINLINE bool any_begin_fits(wrapped *f, const gap_template *t, unsigned fullmove, size_t *at)
{
    for (unsigned i = 0; i < t->plain_from; i++) {
        char number[NUMBER_SIZE_MAX];
        stamma_text part = {(const char *)t->bytes + i, 1};
        if (t->breaks >> i & 1) {
            if (!blank_fits(f, at))
                return false;
            continue;
        }
        if (t->fixed && t->bytes[i] == ' ' && !unit_fits(f, *at))
            return false;
        if (t->bytes[i] == TEMPLATE_NUMBER)
            part = (stamma_text){number, spell_number(fullmove, number)};
        else if (t->bytes[i] == TEMPLATE_LINE_END)
            part = f->line_end;
        if (f->text.size - *at < part.size || memcmp(f->text.data + *at, part.data, part.size) != 0 ||
            !lines_stand(f, *at, *at + part.size))
            return false;
        *at += part.size;
    }
    return true;
}

/* Compares the rest of a template: plain bytes, and at most one number. */
STAMMA_INLINE bool rest_stands(const wrapped *f, const gap_template *t, unsigned fullmove, size_t at, size_t end)
{
    const char *text = f->text.data;
    if (t->size == t->plain_from)
        return at == end;
    for (unsigned i = t->plain_from; i < t->size; i++) {
        if (i == t->number_at) {
            char number[NUMBER_SIZE_MAX];
            size_t size = spell_number(fullmove, number);
            if (end - at < size || memcmp(text + at, number, size) != 0)
                return false;
            at += size;
        } else if (at == end || (uint8_t)text[at++] != t->bytes[i]) {
            return false;
        }
    }
    return at == end;
}

/* A hot loop. */
static bool items_fit(wrapped *f, const parsed_record *r)
{
    size_t at = 0;
    unsigned before = 0;
    const item *end = r->record.items + r->record.item_count;
    const item_place *place = r->places;
    for (const item *it = r->record.items; it < end; it++, place++) {
        const gap_template *t = &f->style->templates[before << 4 | item_class_after(it)];
        if (STAMMA_UNLIKELY(it->kind == ITEM_END_OF_PIECE))
            break;
        bool blank = t->plain_from == 1 && t->breaks & 1;
        if (!t->set || !(blank ? blank_fits(f, &at) : any_begin_fits(f, t, it->fullmove, &at)) || at > place->begin ||
            !rest_stands(f, t, it->fullmove, at, place->begin) || !spelling_stands(r, f->style, it, place))
            return false;
        at = place->end;
        bool lines = it->kind == ITEM_COMMENT || it->kind == ITEM_TEXT; /* other items have one line (4.3) */
        if (lines && !lines_stand(f, place->begin, at))
            return false;
        before = it->kind;
    }
    return at == f->text.size && unit_fits(f, at);
}

bool stamma_fits_wrapped(const parsed_record *r, const style *s, size_t *limit_high)
{
    wrapped f = {.text = r->text,
                 .style = s,
                 .line_end = stamma_line_ends[s->line_end],
                 .last_blank = SIZE_MAX,
                 .limit_high = SIZE_MAX};
    bool fits = items_fit(&f, r);
    *limit_high = f.limit_high;
    return fits;
}
