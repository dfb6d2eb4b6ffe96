/* SPDX-License-Identifier: MIT */
/* Rules about the items after a move: numeric annotation glyphs and comments. */
#include "query/query.h"

static bool comment_contains(stamma_matcher *m, const query_rule *rule, stamma_text text)
{
    const query_pattern *parts = rule->values;
    stamma_text comment = stamma_match_folded(m, text);
    for (size_t n = 0; n < rule->count; n++)
        if (stamma_text_contains(comment, parts[n].text))
            return true;
    return false;
}

static bool item_is(stamma_matcher *m, const query_rule *rule, const stamma_archive_item *item)
{
    if (rule->kind == QUERY_NAG)
        return item->kind == STAMMA_ITEM_NAG && query_in_ranges(rule->values, rule->count, item->nag);
    return item->kind == STAMMA_ITEM_COMMENT && comment_contains(m, rule, item->text);
}

static void clear_between(uint64_t *plies, size_t first, size_t end)
{
    for (size_t ply = first; ply < end;) {
        if (ply % 64 == 0 && end - ply >= 64) {
            plies[ply / 64] = 0;
            ply += 64;
        } else {
            plies[ply / 64] &= ~(UINT64_C(1) << ply % 64);
            ply++;
        }
    }
}

/* Items of the main line are in the order of their plies. Items of variations are skipped. */
void stamma_match_items(stamma_matcher *m, const query_rule *rule, uint64_t *plies)
{
    size_t next = 0; /* plies before this ply are finished */
    for (size_t n = 0; n < m->game->item_count && !m->failed; n++) {
        const stamma_archive_item *item = &m->game->items[n];
        if (item->depth > 0 || item->ply < next || item->ply > m->plies)
            continue;
        if (!(plies[item->ply / 64] >> item->ply % 64 & 1) || !item_is(m, rule, item))
            continue;
        clear_between(plies, next, item->ply);
        next = item->ply + 1;
    }
    clear_between(plies, next, m->plies + 1);
}
