/* SPDX-License-Identifier: MIT */
/* The tags of a game in the order of their names. A game may have very many tags, so each tag must be found without
 * comparing it with all others. */
#ifndef STAMMA_TOOL_TAG_ORDER_H
#define STAMMA_TOOL_TAG_ORDER_H

#include "shared/tool.h"

typedef struct tool_tag_order {
    const stamma_archive_game *game;
    const stamma_tag **sorted; /* NULL: few tags, or no memory; each tag is then compared */
} tool_tag_order;

/* The game must not change while the order is used. Release with tool_tag_order_free. */
tool_tag_order tool_tag_order_make(const stamma_archive_game *game);
/* Returns the first tag of the game with this name, or NULL. */
const stamma_tag *tool_tag_order_find(const tool_tag_order *order, stamma_text name);
void tool_tag_order_free(tool_tag_order *order);

#endif
