/* SPDX-License-Identifier: MIT */
/* Finds the columns of a damaged block that can be read: columns that are not damaged and need no damaged column. */
#include "block/block.h"

enum {
    OF_EVENTS = 1 << COLUMN_EVENTS | 1 << COLUMN_EVENT_COUNTS,
    OF_TAGS = 1 << COLUMN_ROSTERS | 1 << COLUMN_ROSTER_LIST,
    OF_STYLES = 1 << COLUMN_STYLES | 1 << COLUMN_STYLE_LIST | 1 << COLUMN_LAYOUT | 1 << COLUMN_LAYOUT_TEXT,
    OF_TEXT = 1 << COLUMN_VERBATIM_SIZES | 1 << COLUMN_VERBATIM,
    OF_LINES = 1 << COLUMN_LINES | 1 << COLUMN_LINE_SIZES | 1 << COLUMN_LINE_MOVES,
    OF_MOVES = 1 << COLUMN_MOVES | 1 << COLUMN_VARIATION_MOVES | OF_LINES,
    ALL_BUT_TAGS = OF_EVENTS | OF_STYLES | OF_TEXT | OF_MOVES | 1 << COLUMN_COMMENTS | 1 << COLUMN_NAGS |
                   1 << COLUMN_RESULTS | 1 << COLUMN_EXTRA_TAGS
};

/* Events determine the parts of each record in other columns. Tags outside the roster may contain the start
 * position. */
uint32_t stamma_salvage_closure(uint32_t lost)
{
    lost |= lost & OF_EVENTS ? ALL_BUT_TAGS : 0;
    lost |= lost & OF_TAGS ? OF_TAGS : 0;
    lost |= lost & OF_STYLES ? OF_STYLES : 0;
    lost |= lost & OF_TEXT ? OF_TEXT : 0;
    lost |= lost & (1 << COLUMN_MOVES | 1 << COLUMN_EXTRA_TAGS) ? OF_MOVES : 0;
    lost |= lost & (OF_LINES | 1 << COLUMN_COMMENTS) ? OF_LINES : 0;
    return lost;
}

static bool is_lost(const block_reader *b, unsigned id)
{
    return b->plan.lost >> id & 1;
}

/* A damaged column in codec 3 is read only to find out whether later columns are read after the moves (16.5). */
stamma_error stamma_block_salvage_tag(block_reader *b, const column_entry *e, const uint8_t *stored)
{
    block_columns *c = &b->columns;
    const cursor bytes = {stored, stored + e->stored_size, false};
    bool whole = column_is_whole(e, stored);
    stamma_error error = STAMMA_ERROR_CORRUPT;
    c->coder.partial = !whole;
    if (whole || codec_is_tags(e->codec))
        error = stamma_tag_reader_add(&c->tags, &c->coder, e->name, e->codec, bytes, e->plain_size);
    c->coder.partial = false;
    if (error == STAMMA_OK && !whole)
        c->tags.columns[c->tags.count - 1].lost = true;
    if (error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED)
        error = stamma_tag_reader_add_lost(&c->tags, e->name, e->codec);
    return error;
}

/* Returns whether decoding moves needs a value of this column: the start position, or context of the predictor. */
static bool is_for_moves(const block_reader *b, size_t column, unsigned codec)
{
    const unsigned tags = codec_is_adaptive(codec) ? CONTEXT_TAGS : codec == CODEC_PREDICTED ? CONTEXT_PLAYERS : 0;
    const stamma_text name = tag_column_name(&b->columns.tags, column);
    bool needed = text_equal(name, stamma_text_of("FEN"));
    for (unsigned n = 0; n < tags; n++)
        needed |= text_equal(name, stamma_text_of(stamma_context_tags[n]));
    return needed;
}

/* Returns whether decoding moves needs tags that are lost. */
static bool moves_need_lost(const block_reader *b, unsigned codec)
{
    const block_columns *c = &b->columns;
    bool predicted = c->moves == MOVES_PREDICTED;
    bool needed = is_lost(b, COLUMN_ROSTERS) && (predicted || c->may_be_set_up);
    for (size_t n = 0; n < c->tags.count; n++) {
        const tag_column *t = &c->tags.columns[n];
        needed |= t->lost && (is_for_moves(b, n, codec) || (predicted && t->post_game && !t->coded));
    }
    return needed;
}

void stamma_block_lose_dependents(block_reader *b, unsigned codec)
{
    block_plan *p = &b->plan;
    const bool plies = is_lost(b, COLUMN_EVENTS);
    stamma_tag_reader_lose(&b->columns.tags, is_lost(b, COLUMN_MOVES), plies);
    if (!is_lost(b, COLUMN_MOVES) && moves_need_lost(b, codec)) {
        p->lost = stamma_salvage_closure(p->lost | 1 << COLUMN_MOVES);
        stamma_tag_reader_lose(&b->columns.tags, true, plies);
    }
    p->wanted &= ~p->lost;
    p->decodes_main_line &= !is_lost(b, COLUMN_MOVES);
}

/* ---- missing parts of a record ---- */

static bool has_mark(stamma_text comment)
{
    return memchr(comment.data, LINE_MARK, comment.size) != NULL;
}

static unsigned missing_of(const block_reader *b, const item *it)
{
    switch (it->kind) {
    case ITEM_TAG: return it->text.data ? 0 : STAMMA_GAME_TAGS;
    case ITEM_MOVE: return is_lost(b, COLUMN_MOVES) ? STAMMA_GAME_MOVES : 0;
    case ITEM_VARIATION_BEGIN: return is_lost(b, COLUMN_VARIATION_MOVES) ? STAMMA_GAME_VARIATIONS : 0;
    case ITEM_COMMENT:
    case ITEM_LINE_COMMENT:
    case ITEM_ESCAPE:
        return !it->text.data || (is_lost(b, COLUMN_LINES) && has_mark(it->text)) ? STAMMA_GAME_COMMENTS : 0;
    case ITEM_NAG:
    case ITEM_SUFFIX: return is_lost(b, COLUMN_NAGS) ? STAMMA_GAME_NAGS : 0;
    case ITEM_RESULT: return is_lost(b, COLUMN_RESULTS) || it->number >= RESULTS ? STAMMA_GAME_RESULT : 0;
    case ITEM_TEXT: return is_lost(b, COLUMN_VERBATIM) ? STAMMA_GAME_TEXT : 0;
    default: return 0;
    }
}

unsigned stamma_salvage_missing(const block_reader *b)
{
    const record *r = &b->state.record;
    unsigned missing = is_lost(b, COLUMN_STYLES) ? STAMMA_GAME_TEXT : 0;
    missing |= is_lost(b, COLUMN_ROSTERS) ? STAMMA_GAME_TAGS : 0;
    if (is_lost(b, COLUMN_EVENTS))
        missing |= STAMMA_GAME_MOVES | STAMMA_GAME_COMMENTS | STAMMA_GAME_NAGS | STAMMA_GAME_VARIATIONS;
    for (size_t n = 0; n < r->item_count; n++)
        missing |= missing_of(b, &r->items[n]);
    if (missing & STAMMA_GAME_MOVES && r->text_items > 0) /* text after moves depends on them */
        missing |= STAMMA_GAME_TEXT;
    return missing;
}
