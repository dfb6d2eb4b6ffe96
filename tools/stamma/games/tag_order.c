/* SPDX-License-Identifier: MIT */
/* Finds tags of one game by their names. */
#include "games/tag_order.h"

enum { TAGS_FEW = 16 }; /* with at most this number of tags, a list is searched */

static int compare_texts(stamma_text a, stamma_text b)
{
    const int order = memcmp(a.data, b.data, a.size < b.size ? a.size : b.size);
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

/* Tags with the same name keep their order. */
static int compare_tags(const void *a, const void *b)
{
    const stamma_tag *one = *(const stamma_tag *const *)a, *two = *(const stamma_tag *const *)b;
    const int order = compare_texts(one->name, two->name);
    return order != 0 ? order : (one > two) - (one < two);
}

tool_tag_order tool_tag_order_make(const stamma_archive_game *game)
{
    tool_tag_order order = {.game = game};
    if (game->tag_count > TAGS_FEW)
        order.sorted = malloc(game->tag_count * sizeof(const stamma_tag *));
    if (!order.sorted)
        return order;
    for (size_t i = 0; i < game->tag_count; i++)
        order.sorted[i] = &game->tags[i];
    qsort((void *)order.sorted, game->tag_count, sizeof(const stamma_tag *), compare_tags);
    return order;
}

const stamma_tag *tool_tag_order_find(const tool_tag_order *order, stamma_text name)
{
    const stamma_archive_game *game = order->game;
    size_t low = 0, high = game->tag_count;
    if (!order->sorted) {
        while (low < high && !tool_text_equal(game->tags[low].name, name))
            low++;
        return low < high ? &game->tags[low] : NULL;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_texts(order->sorted[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < game->tag_count && tool_text_equal(order->sorted[low]->name, name) ? order->sorted[low] : NULL;
}

void tool_tag_order_free(tool_tag_order *order)
{
    free((void *)order->sorted);
    order->sorted = NULL;
}
