/* SPDX-License-Identifier: MIT */
/* Tests rules on openings and ECO codes with the classes of games in an index file. */
#include "search/search_plan.h"

bool stamma_rule_is_class(query_kind kind)
{
    return kind == QUERY_OPENING || kind == QUERY_ECO;
}

/* Verdicts by class. They are found when first used. */
typedef struct class_verdicts {
    stamma_matcher matcher; /* only its texts are used */
    const query_rule *rule;
    uint8_t known[CLASS_OPENINGS + 1]; /* 1 plus the verdict; 0: not found yet */
} class_verdicts;

static verdict verdict_of(class_verdicts *v, uint16_t class)
{
    char code[3];
    if (class > CLASS_OPENINGS)
        return VERDICT_MAYBE;
    if (class == 0)
        return VERDICT_NO;
    if (v->known[class] == 0) {
        const bool coded = stamma_index_code_text(class, code);
        const stamma_text text = v->rule->kind == QUERY_OPENING ? stamma_opening_name(class)
                                                                : (stamma_text){coded ? code : "", coded ? 3 : 0};
        const bool holds = stamma_match_value(&v->matcher, v->rule, text);
        v->known[class] = 1 + (holds ? VERDICT_YES : VERDICT_NO);
    }
    return (verdict)(v->known[class] - 1);
}

/* Sets the bits of a range of ranks. */
static void mark_range(uint64_t *words, uint32_t begin, uint32_t end)
{
    for (uint32_t rank = begin; rank < end;) {
        const uint32_t word = rank / 64, last = (word + 1) * 64 < end ? (word + 1) * 64 : end;
        const uint64_t above = last % 64 == 0 ? UINT64_MAX : (UINT64_C(1) << last % 64) - 1;
        words[word] |= above & UINT64_MAX << rank % 64;
        rank = last;
    }
}

static bool mark_classes(const plan_filter *f, class_verdicts *v, uint64_t *sure, uint64_t *possible)
{
    const index_section section = v->rule->kind == QUERY_OPENING ? SECTION_OPENINGS : SECTION_CODES;
    index_classes c;
    bool begun = stamma_index_classes_begin(f->file, f->segment, section, &c);
    while (begun && stamma_index_classes_next(&c)) {
        const verdict found = verdict_of(v, c.class);
        if (found != VERDICT_NO)
            mark_range(found == VERDICT_YES ? sure : possible, c.begin, c.end);
    }
    return begun && !atomic_load_explicit(&f->file->damaged, memory_order_relaxed) && !v->matcher.failed;
}

bool stamma_plan_filter_add_class(plan_filter *f, const query_rule *rule, bool required)
{
    const stamma_allocator *allocator = &f->file->allocator;
    const size_t count = (size_t)f->segment->counts[COUNT_GAMES] / 64 + 1;
    if (f->class_rules == CLASS_RULES_MAX || !index_has_classes(f->segment))
        return true;
    class_rule *r = &f->classes[f->class_rules++];
    *r = (class_rule){rule, required, {.allocator = allocator}, {.allocator = allocator}};
    class_verdicts *v = (class_verdicts *)memory_allocate(allocator, sizeof *v);
    uint64_t *sure = (uint64_t *)buffer_array(&r->sure, count, sizeof *sure);
    uint64_t *possible = (uint64_t *)buffer_array(&r->possible, count, sizeof *possible);
    bool added = v && sure && possible;
    if (added) {
        memset(sure, 0, count * sizeof *sure);
        memset(possible, 0, count * sizeof *possible);
        memset(v, 0, sizeof *v);
        v->rule = rule;
        v->matcher.plain.allocator = v->matcher.folded.allocator = allocator;
        added = mark_classes(f, v, sure, possible);
        stamma_buffer_release(&v->matcher.plain);
        stamma_buffer_release(&v->matcher.folded);
    }
    memory_release(allocator, v);
    return added;
}

bool stamma_plan_filter_list_classes(plan_filter *f)
{
    const size_t count = (size_t)f->segment->counts[COUNT_GAMES] / 64 + 1;
    for (size_t n = 0; n < f->class_rules; n++) {
        const class_rule *r = &f->classes[n];
        const uint64_t *sure = (const uint64_t *)(const void *)r->sure.data;
        const uint64_t *possible = (const uint64_t *)(const void *)r->possible.data;
        const bool first = f->listed.size == 0;
        uint64_t *listed = (uint64_t *)(void *)f->listed.data;
        if (!r->required)
            continue;
        if (first)
            listed = (uint64_t *)buffer_array(&f->listed, count, sizeof *listed);
        if (!listed)
            return false;
        for (size_t k = 0; k < count; k++)
            listed[k] = (first ? UINT64_MAX : listed[k]) & (sure[k] | possible[k]);
    }
    return true;
}

verdict stamma_plan_filter_class(const plan_filter *f, const query_rule *rule, uint32_t rank)
{
    for (size_t n = 0; n < f->class_rules; n++) {
        const class_rule *r = &f->classes[n];
        if (r->rule != rule)
            continue;
        if (((const uint64_t *)(const void *)r->sure.data)[rank / 64] >> rank % 64 & 1)
            return VERDICT_YES;
        return ((const uint64_t *)(const void *)r->possible.data)[rank / 64] >> rank % 64 & 1 ? VERDICT_MAYBE
                                                                                              : VERDICT_NO;
    }
    return VERDICT_MAYBE;
}

void stamma_plan_filter_release_classes(plan_filter *f)
{
    for (size_t n = 0; n < f->class_rules; n++) {
        stamma_buffer_release(&f->classes[n].sure);
        stamma_buffer_release(&f->classes[n].possible);
    }
}
