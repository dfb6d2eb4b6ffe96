/* SPDX-License-Identifier: MIT */
/* Finds the style that renders a record to its text, and exceptions for the rest (clauses 4.5 and 6).
 *
 * Matching checks at each place of the text whether the rules of the style produce it. A style may be incomplete: it
 * lacks the templates of contexts that have not occurred, and its limit may be a range. Later records complete the
 * style, without changing how earlier records are rendered. */
#include "record/record.h"

/* The current line of the text (6.4). */
typedef struct line_state {
    size_t start;
    size_t last_blank;  /* fit: the last breakable blank, or SIZE_MAX */
    bool last_broken;   /* this blank is written as a line end */
    uint32_t last_slot; /* of the gap that contains it; UINT32_MAX: a comment */
} line_state;

typedef struct matcher {
    style_search *search;
    style *style;
    record *record;
    const item_place *places; /* of its items */
    bool lenient;             /* differences become exceptions */
    const char *text;
    size_t size; /* of the text */
    line_state line;
    uint8_t filled[CONTEXTS]; /* templates set by this match, to be undone */
    unsigned filled_count;
    uint32_t old_low, old_high;
} matcher;

static stamma_text slice(const matcher *m, size_t begin, size_t end)
{
    return (stamma_text){m->text + begin, end - begin};
}

static stamma_text gap_text(const matcher *m, size_t index)
{
    size_t begin = index == 0 ? 0 : m->places[index - 1].end;
    return slice(m, begin, m->places[index].begin);
}

static void except(matcher *m, size_t slot, stamma_text text)
{
    if (!stamma_record_except(m->record, (uint32_t)slot, text, m->search->allocator))
        m->search->out_of_memory = true;
}

/* Sorts the exceptions and removes duplicates. They are nearly in order: a wrapped blank is checked only after the
 * spelling that follows it. A gap has two exceptions if the style wraps two of its blanks differently. */
static void sort_exceptions(record *r)
{
    size_t count = 0;
    for (size_t next = 0; next < r->exception_count; next++) {
        exception moved = r->exceptions[next];
        size_t i = count;
        while (i > 0 && r->exceptions[i - 1].slot > moved.slot)
            i--;
        if (i > 0 && r->exceptions[i - 1].slot == moved.slot)
            continue;
        memmove(r->exceptions + i + 1, r->exceptions + i, (count - i) * sizeof moved);
        r->exceptions[i] = moved;
        count++;
    }
    r->exception_count = count;
}

/* Returns whether a line end of one or two bytes is at `at`. */
STAMMA_INLINE bool starts_with(const char *at, size_t left, stamma_text line_end)
{
    return left >= line_end.size && at[0] == line_end.data[0] && (line_end.size == 1 || at[1] == line_end.data[1]);
}

/* Narrows the range of the limit T (6.4). `broken`: whether the line is broken that has `length` bytes up to a
 * breakable blank or the end of a unit. Returns false if this contradicts the style. */
static bool narrow(matcher *m, size_t length, bool broken)
{
    style *s = m->style;
    if (broken) {
        if (length < s->limit_low)
            return false;
        if (length < s->limit_high)
            s->limit_high = (uint32_t)length;
        return true;
    }
    if (length >= s->limit_high)
        return false;
    if (length >= s->limit_low)
        s->limit_low = (uint32_t)length + 1;
    return true;
}

/* Ends a unit at `at` (6.4, fit), and checks the last breakable blank. */
static bool end_unit(matcher *m, size_t at)
{
    if (m->line.last_blank == SIZE_MAX)
        return true;
    size_t end_size = stamma_line_ends[m->style->line_end].size;
    size_t length = at - m->line.start - (m->line.last_broken ? end_size - 1 : 0);
    bool fine = narrow(m, length, m->line.last_broken);
    if (!fine && m->lenient && m->line.last_slot != UINT32_MAX) {
        except(m, m->line.last_slot, gap_text(m, m->line.last_slot / 2));
        fine = true;
    }
    if (m->line.last_broken)
        m->line.start = m->line.last_blank + end_size;
    m->line.last_blank = SIZE_MAX;
    return fine;
}

/* Checks a breakable blank at `at`, which is written as a blank or as a line end. */
static bool pass_breakable(matcher *m, size_t at, bool broken, uint32_t slot)
{
    if (m->style->wrap == WRAP_THRESHOLD) {
        bool fine = narrow(m, at - m->line.start, broken);
        if (broken)
            m->line.start = at + stamma_line_ends[m->style->line_end].size;
        return fine;
    }
    if (!end_unit(m, at))
        return false;
    m->line.last_blank = at;
    m->line.last_broken = broken;
    m->line.last_slot = slot;
    return true;
}

/* Handles text that is rendered unchanged: each of its line ends ends a unit and begins a line. */
static bool pass_text(matcher *m, size_t begin, size_t end)
{
    if (m->style->wrap == WRAP_NONE)
        return true;
    for (size_t i = begin; i < end; i++) {
        if (m->text[i] != '\n' && m->text[i] != '\r')
            continue;
        if (!end_unit(m, i))
            return false;
        m->line.start = i + 1;
    }
    return true;
}

/* ---- templates ---- */

/* Returns the size of the digits at `at` if they are `number` without leading zeros; otherwise 0. */
static size_t match_number(const matcher *m, size_t at, size_t end, unsigned number)
{
    unsigned value = 0;
    size_t size = 0;
    while (at + size < end && m->text[at + size] >= '0' && m->text[at + size] <= '9' && value <= number)
        value = value * 10 + (unsigned)(m->text[at + size++] - '0');
    bool padded = size > 1 && m->text[at] == '0';
    return value == number && !padded ? size : 0;
}

/* Returns whether the gap before item `index`, from `at` to `end`, matches the template. */
static bool match_template(matcher *m, const gap_template *t, size_t index, size_t at, size_t end)
{
    const item *it = &m->record->items[index];
    stamma_text line_end = stamma_line_ends[m->style->line_end];
    for (unsigned i = 0; i < t->size; i++) {
        uint8_t byte = t->bytes[i];
        bool breaks = t->breaks >> i & 1;
        if (STAMMA_LIKELY(byte >= ' ' && !breaks)) {
            if (at == end || (uint8_t)m->text[at] != byte || (byte == ' ' && t->fixed && !end_unit(m, at)))
                return false;
            at++;
        } else if (breaks) {
            bool broken = starts_with(m->text + at, end - at, line_end);
            if ((!broken && (at == end || m->text[at] != ' ')) || !pass_breakable(m, at, broken, (uint32_t)(2 * index)))
                return false;
            at += broken ? line_end.size : 1;
        } else if (byte == TEMPLATE_NUMBER) {
            size_t size = match_number(m, at, end, it->fullmove);
            if (size == 0)
                return false;
            at += size;
        } else if (byte == TEMPLATE_LINE_END) {
            if (!starts_with(m->text + at, end - at, line_end) || !pass_text(m, at, at + line_end.size))
                return false;
            at += line_end.size;
        } else {
            if (at == end || (uint8_t)m->text[at] != byte || !pass_text(m, at, at + 1))
                return false;
            at++;
        }
    }
    return at == end;
}

/* Returns whether a line end at `at` in a gap looks like a wrapped blank: it begins the gap, no other line end follows
 * it, and its line has at least 40 bytes. */
static bool looks_wrapped(const matcher *m, size_t at, size_t begin, size_t end)
{
    size_t size = stamma_line_ends[m->style->line_end].size;
    size_t line = at;
    while (line > 0 && m->text[line - 1] != '\n' && m->text[line - 1] != '\r')
        line--;
    bool alone = at == begin && (at + size == end || (m->text[at + size] != '\n' && m->text[at + size] != '\r'));
    return alone && at - line >= 40;
}

/* Makes a template of the gap before item `index`. Returns false if that is not possible. */
static bool learn_template(const matcher *m, unsigned context, size_t index, size_t begin, size_t end)
{
    const item *it = &m->record->items[index];
    gap_template *t = &m->style->templates[context];
    unsigned blanks = 0;
    stamma_text line_end = stamma_line_ends[m->style->line_end];
    t->size = 0;
    for (size_t at = begin; at < end;) {
        if (t->size == TEMPLATE_SIZE_MAX)
            return false;
        uint8_t byte = (uint8_t)m->text[at];
        size_t number = byte >= '0' && byte <= '9' ? match_number(m, at, end, it->fullmove) : 0;
        if (number > 0) {
            t->bytes[t->size++] = TEMPLATE_NUMBER;
            at += number;
        } else if (starts_with(m->text + at, end - at, line_end)) {
            bool blank =
                gap_blank_breaks(m->style, context >> 4, context & 15, blanks) && looks_wrapped(m, at, begin, end);
            blanks += blank;
            t->bytes[t->size++] = blank ? ' ' : TEMPLATE_LINE_END;
            at += line_end.size;
        } else if (byte == TEMPLATE_NUMBER || byte == TEMPLATE_LINE_END) {
            return false;
        } else {
            blanks += byte == ' ';
            t->bytes[t->size++] = byte;
            at++;
        }
    }
    t->set = true;
    stamma_style_prepare(m->style, context);
    return true;
}

/* Matches a gap with its template. Adds an exception if the template does not match. */
static bool match_gap_leniently(matcher *m, const gap_template *t, size_t index, size_t begin, size_t end)
{
    line_state line = m->line;
    uint32_t low = m->style->limit_low, high = m->style->limit_high;
    size_t exceptions = m->record->exception_count;
    if (t->set && match_template(m, t, index, begin, end))
        return true;
    m->line = line;
    m->style->limit_low = low;
    m->style->limit_high = high;
    m->record->exception_count = exceptions;
    if (!end_unit(m, begin))
        return false;
    except(m, 2 * index, slice(m, begin, end));
    return pass_text(m, begin, end);
}

static bool match_gap(matcher *m, size_t index)
{
    const item *it = &m->record->items[index];
    size_t begin = index == 0 ? 0 : m->places[index - 1].end, end = m->places[index].begin;
    unsigned context = item_class_before(m->record, index) << 4 | item_class_after(it);
    gap_template *t = &m->style->templates[context];
    if (!t->set && learn_template(m, context, index, begin, end))
        m->filled[m->filled_count++] = (uint8_t)context;
    if (m->lenient)
        return match_gap_leniently(m, t, index, begin, end);
    return t->set && match_template(m, t, index, begin, end);
}

/* ---- items ---- */

/* Matches a comment whose blanks are breakable: a line end in it may be a wrapped blank. */
static bool match_words(matcher *m, const item_place *place)
{
    stamma_text line_end = stamma_line_ends[m->style->line_end];
    size_t end = place->end - 1;
    for (size_t at = place->begin + 1; at < end;) {
        bool broken = starts_with(m->text + at, end - at, line_end);
        if (broken || m->text[at] == ' ') {
            if (!pass_breakable(m, at, broken, UINT32_MAX))
                return false;
            at += broken ? line_end.size : 1;
        } else {
            if (!pass_text(m, at, at + 1))
                return false;
            at++;
        }
    }
    return true;
}

static bool match_spelling(matcher *m, size_t index)
{
    const item *it = &m->record->items[index];
    const item_place *place = &m->places[index];
    if (it->noncanonical) {
        except(m, 2 * index + 1, slice(m, place->begin, place->end));
        return pass_text(m, place->begin, place->end);
    }
    if (it->kind == ITEM_MOVE || m->style->wrap == WRAP_NONE)
        return true;
    if (it->kind == ITEM_COMMENT && m->style->comment_words)
        return match_words(m, place);
    return pass_text(m, place->begin, place->end);
}

static bool match_items(matcher *m)
{
    for (size_t i = 0; i < m->record->item_count; i++) {
        if (m->record->items[i].kind == ITEM_END_OF_PIECE)
            break;
        if (!match_gap(m, i) || !match_spelling(m, i))
            return false;
    }
    return end_unit(m, m->size);
}

/* Returns whether the record matches style `s`. If it matches, completes `s` from the record and sets the record's
 * exceptions. Otherwise leaves `s` unchanged. `lenient`: adds exceptions where the layout differs. */
static bool match(style_search *l, style *s, parsed_record *r, bool lenient)
{
    matcher m;
    m.search = l;
    m.style = s;
    m.record = &r->record;
    m.places = r->places;
    m.lenient = lenient;
    m.text = r->text.data;
    m.size = r->text.size;
    m.line.start = 0;
    m.line.last_blank = SIZE_MAX;
    m.filled_count = 0;
    m.old_low = s->limit_low;
    m.old_high = s->limit_high;
    r->record.exception_count = 0;
    if (match_items(&m) && !l->out_of_memory) {
        sort_exceptions(&r->record);
        return true;
    }
    while (m.filled_count > 0)
        s->templates[m.filled[--m.filled_count]].set = false;
    s->limit_low = m.old_low;
    s->limit_high = m.old_high;
    return false;
}

/* ---- making styles ---- */

static unsigned find_line_end(stamma_text text)
{
    const char *lf = (const char *)memchr(text.data, '\n', text.size);
    const char *cr = (const char *)memchr(text.data, '\r', lf ? (size_t)(lf - text.data) : text.size);
    if (!cr)
        return LINE_END_LF;
    return lf == cr + 1 ? LINE_END_CRLF : LINE_END_CR;
}

static void init_style(style *s, unsigned line_end, unsigned spelling)
{
    memset(s, 0, sizeof *s);
    s->line_end = (uint8_t)line_end;
    s->spelling = (uint8_t)spelling;
    s->limit_high = UINT32_MAX;
}

/* Learns from the gaps without line ends first, because line ends may be wrapped blanks. */
static void learn_plain_gaps(style *s, parsed_record *r)
{
    matcher m = {.style = s, .record = &r->record, .places = r->places, .text = r->text.data};
    for (size_t i = 0; i < r->record.item_count; i++) {
        stamma_text gap = gap_text(&m, i);
        unsigned context = item_class_before(&r->record, i) << 4 | item_class_after(&r->record.items[i]);
        bool plain = !memchr(gap.data, '\n', gap.size) && !memchr(gap.data, '\r', gap.size);
        if (plain && !s->templates[context].set) {
            size_t begin = i == 0 ? 0 : r->places[i - 1].end;
            learn_template(&m, context, i, begin, r->places[i].begin);
        }
    }
}

/* The kinds of wrapping to try for a new style, most likely first. */
static const struct {
    uint8_t wrap, breakable;
    bool words;
} wrappings[] = {
    {WRAP_NONE, BREAK_NONE, false},      {WRAP_FIT, BREAK_ALL, false},
    {WRAP_FIT, BREAK_MOVES, false}, /* no break between a move and its comment, as cutechess-cli writes */
    {WRAP_FIT, BREAK_ALL, true},         {WRAP_FIT, BREAK_NOT_RESULT, false}, /* as in The Week in Chess */
    {WRAP_FIT, BREAK_NOT_RESULT, true},  {WRAP_FIT, BREAK_FIRST, false},
    {WRAP_FIT, BREAK_FIRST, true},       {WRAP_THRESHOLD, BREAK_WHITE, false},
    {WRAP_THRESHOLD, BREAK_ALL, false},  {WRAP_THRESHOLD, BREAK_ALL, true},
    {WRAP_FIT, BREAK_WHITE, false},      {WRAP_THRESHOLD, BREAK_FIRST, false},
    {WRAP_THRESHOLD, BREAK_FIRST, true}, {WRAP_THRESHOLD, BREAK_NOT_RESULT, false},
};
enum { UNWRAPPED = 0, WRAPPINGS = sizeof wrappings / sizeof *wrappings };

static void make_style(style *s, parsed_record *r, unsigned spelling, size_t wrapping)
{
    init_style(s, find_line_end(r->text), spelling);
    s->wrap = wrappings[wrapping].wrap;
    s->breakable = wrappings[wrapping].breakable;
    s->comment_words = wrappings[wrapping].words;
    learn_plain_gaps(s, r);
}

/* ---- the spelling of moves ---- */

enum { SPELL_BITS = 7 };

typedef struct spelling_votes {
    unsigned yes[SPELL_BITS]; /* number of moves spelt with the bit */
    unsigned no[SPELL_BITS];  /* number of moves spelt without the bit */
} spelling_votes;

/* Returns the bits that the spelling of a move with these SAN facts shows. *shown receives the bits it could show. */
static unsigned spelling_of(stamma_text written, const char *canonical, size_t size, unsigned san_facts,
                            unsigned *shown)
{
    unsigned bits = 0;
    char mark = canonical[size - 1], last = written.data[written.size - 1];
    *shown = 0;
    if (mark == '+') {
        *shown |= SPELL_NO_CHECK;
        bits |= last != '+' ? SPELL_NO_CHECK : 0u;
    } else if (mark == '#') {
        bool twice = last == '+' && written.data[written.size - 2] == '+';
        *shown |= SPELL_NO_MATE | SPELL_MATE_PLUS | SPELL_MATE_PLUS_PLUS;
        bits |= last == '#' ? 0u : twice ? SPELL_MATE_PLUS_PLUS : last == '+' ? SPELL_MATE_PLUS : SPELL_NO_MATE;
    }
    if (canonical[0] == 'O') {
        *shown |= SPELL_CASTLE_ZERO;
        bits |= written.data[0] == '0' ? SPELL_CASTLE_ZERO : 0u;
    }
    if (memchr(canonical, '=', size)) {
        *shown |= SPELL_NO_EQUALS;
        bits |= memchr(written.data, '=', written.size) ? 0u : SPELL_NO_EQUALS;
    }
    if ((san_facts & (SAN_FACT_FILE | SAN_FACT_RANK)) == SAN_FACT_RANK) {
        *shown |= SPELL_RANK_WITH_FILE;
        bits |= written.data[1] >= 'a' && written.data[1] <= 'h' ? SPELL_RANK_WITH_FILE : 0u;
    }
    return bits;
}

static void vote(const item *it, stamma_text written, spelling_votes *votes)
{
    char canonical[STAMMA_SAN_SIZE];
    size_t size = stamma_san_spell(it->move, it->san_facts, canonical);
    unsigned shown, bits = spelling_of(written, canonical, size, it->san_facts, &shown);
    for (unsigned i = 0; i < SPELL_BITS; i++) {
        votes->yes[i] += bits >> i & 1;
        votes->no[i] += (shown & ~bits) >> i & 1;
    }
}

/* Returns the spelling of most moves. At most one of the bits for mates has a majority. */
static unsigned count_votes(const spelling_votes *votes)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < SPELL_BITS; i++)
        bits |= votes->yes[i] > votes->no[i] ? 1u << i : 0;
    return bits;
}

static bool is_spelt(const item *it, stamma_text written, unsigned bits)
{
    char spelt[STAMMA_SAN_SIZE + 2];
    size_t size = spell_move(it->move, it->san_facts, bits, spelt);
    return size == written.size && memcmp(spelt, written.data, size) == 0;
}

/* Finds how the record spells its moves: sets *bits to the spelling of most moves, and *shown to the bits that occur.
 * Marks the moves that are spelt otherwise as noncanonical. */
static void find_spelling(parsed_record *r, unsigned *bits, unsigned *shown)
{
    spelling_votes votes = {{0}, {0}};
    *shown = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < r->record.item_count; i++) {
            item *it = &r->record.items[i];
            stamma_text written = {r->text.data + r->places[i].begin, r->places[i].end - r->places[i].begin};
            if (it->kind != ITEM_MOVE)
                continue;
            if (pass == 0)
                vote(it, written, &votes);
            else
                it->noncanonical = !is_spelt(it, written, *bits);
        }
        if (pass == 0)
            *bits = count_votes(&votes);
    }
    for (unsigned i = 0; i < SPELL_BITS; i++)
        *shown |= votes.yes[i] + votes.no[i] > 0 ? 1u << i : 0;
}

/* ---- finding ---- */

static void store_words(record *r, const style *s, buffer *words)
{
    stamma_text line_end = stamma_line_ends[s->line_end];
    for (size_t i = 0; s->comment_words && i < r->item_count; i++) {
        item *it = &r->items[i];
        if (it->kind != ITEM_COMMENT || it->noncanonical || !memchr(it->text.data, line_end.data[0], it->text.size))
            continue;
        size_t begin = words->size;
        for (size_t at = 0; at < it->text.size;) {
            bool broken = starts_with(it->text.data + at, it->text.size - at, line_end);
            buffer_add_byte(words, broken ? ' ' : (uint8_t)it->text.data[at]);
            at += broken ? line_end.size : 1;
        }
        it->text = (stamma_text){(const char *)words->data + begin, words->size - begin};
    }
}

/* Renders the record. *alike receives whether the result is the record's text, *high the largest limit that produces
 * it. */
static stamma_error renders_alike(const style *s, parsed_record *r, style_search *l, size_t *high, bool *alike)
{
    *alike = false;
    l->text.size = l->words.size = 0;
    if (!buffer_reserve(&l->words, r->text.size))
        return STAMMA_ERROR_NO_MEMORY;
    store_words(&r->record, s, &l->words);
    stamma_error error = stamma_render(&r->record, s, &l->text, high);
    *alike =
        error == STAMMA_OK && l->text.size == r->text.size && memcmp(l->text.data, r->text.data, r->text.size) == 0;
    if (!*alike)
        for (size_t i = 0; i < r->record.item_count; i++)
            if (r->record.items[i].kind == ITEM_COMMENT)
                r->record.items[i].text =
                    (stamma_text){r->text.data + r->places[i].begin + 1, r->places[i].end - r->places[i].begin - 2};
    return error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
}

/* Checks that the style and exceptions that were found render the text, for every limit in the style's range. */
static stamma_error check_found(style_search *l, parsed_record *r, bool *alike)
{
    const style *s = &l->styles.styles[r->record.style];
    size_t high;
    stamma_error error = renders_alike(s, r, l, &high, alike);
    *alike = *alike && high >= s->limit_high;
    return error;
}

static bool has_comments(const record *r)
{
    for (size_t i = 0; i < r->item_count; i++)
        if (r->items[i].kind == ITEM_COMMENT)
            return true;
    return false;
}

/* Tries the style of the last record, which matches most records. Comparing or rendering is enough to decide this. */
static stamma_error try_last_style(style_search *l, parsed_record *r, bool *found)
{
    style *s = &l->styles.styles[l->recent[0]];
    size_t high;
    r->record.style = l->recent[0];
    r->record.exception_count = 0;
    if (s->wrap == WRAP_NONE) {
        *found = stamma_stands_as_rendered(r, s);
        return STAMMA_OK;
    }
    stamma_error error = STAMMA_OK;
    if (!s->comment_words || !has_comments(&r->record))
        *found = stamma_fits_wrapped(r, s, &high);
    else
        error = renders_alike(s, r, l, &high, found);
    if (*found && high < s->limit_high)
        s->limit_high = (uint32_t)high;
    return error;
}

/* Tries the styles of the block, most recently used first. */
static bool try_styles(style_search *l, parsed_record *r, unsigned bits, unsigned shown)
{
    for (size_t i = 0; i < l->styles.count && i < SEARCH_TRIES; i++) {
        uint32_t n = l->recent[i];
        style *s = &l->styles.styles[n];
        if (((s->spelling ^ bits) & shown) != 0 || !match(l, s, r, false))
            continue;
        memmove(l->recent + 1, l->recent, i * sizeof *l->recent);
        l->recent[0] = n;
        r->record.style = n;
        return true;
    }
    return false;
}

static stamma_error add_style(style_search *l, parsed_record *r, const style *made)
{
    style *added;
    if (!stamma_styles_add(&l->styles, l->allocator, &added))
        return STAMMA_ERROR_NO_MEMORY;
    *added = *made;
    r->record.style = (uint32_t)l->styles.count - 1;
    memmove(l->recent + 1, l->recent, (l->styles.count - 1) * sizeof *l->recent);
    l->recent[0] = r->record.style;
    return STAMMA_OK;
}

static stamma_error try_new_styles(style_search *l, parsed_record *r, unsigned bits, bool *found)
{
    for (size_t w = 0; w < WRAPPINGS && l->styles.count < SEARCH_STYLES; w++) {
        make_style(&l->made, r, bits, w);
        if (match(l, &l->made, r, false)) {
            *found = true;
            return add_style(l, r, &l->made);
        }
    }
    return STAMMA_OK;
}

/* Finds the style that needs the fewest exceptions. Called if no style matches without exceptions. */
static stamma_error try_exceptions(style_search *l, parsed_record *r, unsigned bits, bool *found)
{
    size_t best = SIZE_MAX, wrapping = WRAPPINGS;
    if (l->styles.count > 0) {
        l->made = l->styles.styles[l->recent[0]];
        if (match(l, &l->made, r, true))
            best = r->record.exception_count;
    }
    for (size_t w = 0; best > 4 && w < WRAPPINGS && l->styles.count < SEARCH_STYLES; w++) {
        make_style(&l->made, r, bits, w);
        if (match(l, &l->made, r, true) && r->record.exception_count + 4 < best) {
            best = r->record.exception_count;
            wrapping = w;
        }
    }
    *found = best != SIZE_MAX;
    if (!*found)
        return STAMMA_OK;
    if (wrapping == WRAPPINGS) {
        r->record.style = l->recent[0];
        match(l, &l->styles.styles[r->record.style], r, true);
        return STAMMA_OK;
    }
    make_style(&l->made, r, bits, wrapping);
    match(l, &l->made, r, true);
    return add_style(l, r, &l->made);
}

static stamma_error find_slowly(style_search *l, parsed_record *r, bool *found)
{
    unsigned bits = 0, shown;
    find_spelling(r, &bits, &shown);
    *found = try_styles(l, r, bits, shown);
    stamma_error error = *found ? STAMMA_OK : try_new_styles(l, r, bits, found);
    return *found ? error : try_exceptions(l, r, bits, found);
}

/* Makes a style that does not wrap, with exceptions for the rest. This is possible for any record, but there may be
 * many exceptions. */
static stamma_error find_unwrapped(style_search *l, parsed_record *r, bool *found)
{
    unsigned bits, shown;
    *found = false;
    if (l->styles.count >= SEARCH_STYLES)
        return STAMMA_OK;
    find_spelling(r, &bits, &shown);
    make_style(&l->made, r, bits, UNWRAPPED);
    *found = match(l, &l->made, r, true);
    return *found ? add_style(l, r, &l->made) : STAMMA_OK;
}

stamma_error stamma_style_search_find(style_search *l, parsed_record *r, bool *found)
{
    stamma_error (*const searches[])(style_search *, parsed_record *, bool *) = {find_slowly, find_unwrapped};
    stamma_error error = STAMMA_OK;
    l->out_of_memory = *found = false;
    if (l->styles.count > 0)
        error = try_last_style(l, r, found);
    if (error == STAMMA_OK && !*found && l->styles.count > 0 && match(l, &l->styles.styles[l->recent[0]], r, false)) {
        r->record.style = l->recent[0];
        error = check_found(l, r, found);
    }
    for (size_t i = 0; i < 2 && error == STAMMA_OK && !*found; i++) {
        error = searches[i](l, r, found);
        if (error == STAMMA_OK && *found)
            error = check_found(l, r, found);
    }
    return l->out_of_memory ? STAMMA_ERROR_NO_MEMORY : error;
}

void stamma_style_search_init(style_search *l, const stamma_allocator *allocator)
{
    memset(l, 0, sizeof *l);
    l->allocator = l->text.allocator = l->words.allocator = allocator;
}

void stamma_style_search_clear(style_search *l)
{
    l->styles.count = 0;
}

void stamma_style_search_release(style_search *l)
{
    stamma_styles_release(&l->styles, l->allocator);
    stamma_buffer_release(&l->text);
    stamma_buffer_release(&l->words);
}
