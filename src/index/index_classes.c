/* SPDX-License-Identifier: MIT */
/* Classes of games by rank: their openings and ECO codes, as runs of games with the same class. Games in the order of
 * their moves have the same opening in long runs. */
#include "index/index_build.h"
#include "query/query.h"

/* ---- classes ---- */

bool stamma_index_code_text(unsigned class, char text[3])
{
    if (class == 0 || class > CLASS_CODES)
        return false;
    text[0] = (char)('A' + (class - 1) / 100);
    text[1] = (char)('0' + (class - 1) / 10 % 10);
    text[2] = (char)('0' + (class - 1) % 10);
    return true;
}

/* Ranges of codes compare at most three characters, and ignore the case of the letter. */
uint16_t stamma_index_code_class(stamma_text tag)
{
    size_t at = 0;
    while (at < tag.size && text_is_blank((unsigned char)tag.data[at]))
        at++;
    const char *code = tag.data + at;
    const unsigned letter = at < tag.size ? (unsigned)(code[0] & ~0x20) : 0;
    if (letter < 'A' || letter > 'E')
        return 0;
    if (tag.size - at < 3 || !text_is_digit((unsigned char)code[1]) || !text_is_digit((unsigned char)code[2]))
        return CLASS_OTHER;
    return (uint16_t)(1 + 100 * (letter - 'A') + 10 * (unsigned)(code[1] - '0') + (unsigned)(code[2] - '0'));
}

uint16_t stamma_index_opening_class(stamma_text tag, unsigned played)
{
    if (!opening_is_known(tag) || (played > 0 && text_equal(tag, stamma_opening_name(played))))
        return (uint16_t)played;
    return CLASS_OTHER;
}

/* ---- writing ---- */

void stamma_index_add_class(class_writer *w, uint16_t class)
{
    if (w->games > 0 && class != w->class)
        stamma_index_end_classes(w);
    w->class = class;
    w->games++;
}

void stamma_index_end_classes(class_writer *w)
{
    if (w->games > 0) {
        stamma_buffer_add_varint(w->out, w->games);
        stamma_buffer_add_varint(w->out, w->class);
    }
    w->games = 0;
}

/* ---- reading ---- */

bool stamma_index_classes_begin(index_file *x, const index_segment *s, index_section section, index_classes *c)
{
    const index_part *part = &s->parts[section];
    const uint8_t *bytes = index_bytes(x, s, section, 0, part->size);
    *c = (index_classes){.file = x, .segment = s};
    if (bytes)
        c->in = (cursor){bytes, bytes + part->size, false};
    return bytes != NULL;
}

bool stamma_index_classes_next(index_classes *c)
{
    const uint32_t games = c->segment->counts[COUNT_GAMES];
    c->begin = c->end;
    if (c->in.at == c->in.end && c->end == games)
        return false;
    const uint64_t count = stamma_cursor_varint(&c->in), class = stamma_cursor_varint(&c->in);
    if (c->in.failed || count == 0 || count > games - c->end || (class > CLASS_OPENINGS && class != CLASS_OTHER)) {
        (void)stamma_index_damaged(c->file);
        return false;
    }
    c->end += (uint32_t)count;
    c->class = (uint16_t) class;
    return true;
}
