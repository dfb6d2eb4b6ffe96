/* SPDX-License-Identifier: MIT */
/* Reads and writes the plan of a column of tag values (clause 15.3). */
#include "tags/tags.h"

enum {
    FORM_NUMBERS = 1,
    FORM_SHARED = 2,
    FORM_INDEXED = 4,
    FORM_PLUS = 4,
    FORM_FIELDS = 8,
    FORM_SPELT = 16,
    FORM_DATES = 32
};

static bool is_column(uint8_t what)
{
    return what < TAG_CODED_MAX || what == TAG_NONE;
}

static bool read_text_source(cursor *in, unsigned codec, tag_source *s)
{
    s->kind = cursor_byte(in);
    s->what = cursor_byte(in);
    switch (s->kind) {
    case SOURCE_EQUAL: return s->what < FACTS_END && s->what != FACT_OPENING;
    case SOURCE_RECALL: return s->what < FACT_OPENING || (s->what == FACT_OPENING && codec == CODEC_TAGS);
    case SOURCE_BEGIN: return s->what < TAG_CODED_MAX;
    case SOURCE_MAP: return s->what == FACT_OPENING && codec == CODEC_MAPPED;
    default: return false;
    }
}

static bool read_number_source(cursor *in, tag_source *s)
{
    s->what = cursor_byte(in);
    s->base = cursor_byte(in);
    unsigned factors = cursor_byte(in);
    s->now = (int8_t)((int)(factors % 3) - 1);
    s->then = (int8_t)((int)(factors / 3) - 1);
    return (is_column(s->what) || s->what == TAG_CODED_MAX) && is_column(s->base) && factors < 9;
}

bool stamma_tag_plan_read(cursor *in, unsigned codec, tag_plan *plan)
{
    unsigned form = cursor_byte(in);
    *plan = (tag_plan){.numbers = form & FORM_NUMBERS, .shared = form & FORM_SHARED, .fields = form & FORM_FIELDS};
    plan->spelt = form & FORM_SPELT;
    plan->dates = form & FORM_DATES;
    plan->indexed = !plan->numbers && form & FORM_INDEXED;
    plan->plus = plan->numbers && form & FORM_PLUS;
    plan->source_count = cursor_byte(in);
    if (form > (codec == CODEC_MAPPED ? 63 : 15) || plan->source_count > TAG_SOURCES_MAX ||
        (plan->spelt && (plan->numbers || plan->fields)) || (plan->dates && (!plan->numbers || plan->plus)))
        return false;
    for (size_t i = 0; i < plan->source_count; i++)
        if (!(plan->numbers ? read_number_source(in, &plan->sources[i])
                            : read_text_source(in, codec, &plan->sources[i])))
            return false;
    plan->others[0] = cursor_byte(in);
    plan->others[1] = cursor_byte(in);
    return !in->failed && is_column(plan->others[0]) && is_column(plan->others[1]);
}

void stamma_tag_plan_write(const tag_plan *plan, buffer *out)
{
    buffer_add_byte(out, (uint8_t)(plan->numbers * FORM_NUMBERS + plan->shared * FORM_SHARED +
                                   (plan->indexed || plan->plus) * FORM_INDEXED + plan->fields * FORM_FIELDS +
                                   plan->spelt * FORM_SPELT + plan->dates * FORM_DATES));
    buffer_add_byte(out, plan->source_count);
    for (size_t i = 0; i < plan->source_count; i++) {
        const tag_source *s = &plan->sources[i];
        uint8_t text[2] = {s->kind, s->what};
        uint8_t number[3] = {s->what, s->base, (uint8_t)(s->now + 1 + 3 * (s->then + 1))};
        buffer_add(out, plan->numbers ? number : text, plan->numbers ? sizeof number : sizeof text);
    }
    buffer_add(out, plan->others, sizeof plan->others);
}

bool stamma_tag_plan_is_post_game(const tag_plan *plan)
{
    for (size_t i = 0; i < plan->source_count && !plan->numbers; i++)
        if (plan->sources[i].what >= FACT_OPENING)
            return true;
    return false;
}
