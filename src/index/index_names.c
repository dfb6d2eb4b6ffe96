/* Finds players: names are sorted by their folded texts, and each has a list of its games. */
#include "index/index.h"
#include "query/query.h"

stamma_text stamma_index_name(index_file *x, const index_segment *s, uint32_t name)
{
    const stamma_text none = {NULL, 0};
    if (name == 0 || name > s->counts[COUNT_NAMES])
        return none;
    uint32_t span[2];
    const uint8_t *text = stamma_index_ascending(x, s, SECTION_NAME_STARTS, name, span)
                              ? index_bytes(x, s, SECTION_NAMES, span[0], span[1] - span[0])
                              : NULL;
    return text ? (stamma_text){(const char *)text, span[1] - span[0]} : none;
}

/* Returns the folded name, which is valid until the next call; {NULL, 0} if the index is damaged. */
static stamma_text folded_name(index_file *x, const index_segment *s, uint32_t name, buffer *plain, buffer *folded)
{
    stamma_text text = stamma_index_name(x, s, name);
    plain->size = folded->size = 0;
    if (!text.data)
        return text;
    stamma_fold_value(text, plain, folded);
    return (stamma_text){folded->data ? (const char *)folded->data : "", folded->size};
}

/* Compares the first bytes of a text, at most as many as a beginning has, with the beginning. */
static int compare_beginning(stamma_text text, stamma_text beginning)
{
    size_t size = text.size < beginning.size ? text.size : beginning.size;
    int order = size > 0 ? memcmp(text.data, beginning.data, size) : 0;
    return order != 0 ? order : text.size < beginning.size ? -1 : 0;
}

static size_t match_from(index_file *x, const index_segment *s, stamma_text pattern, stamma_text beginning,
                         uint8_t *matches, buffer work[2])
{
    uint32_t low = 1, high = s->counts[COUNT_NAMES] + 1;
    size_t found = 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_beginning(folded_name(x, s, middle, &work[0], &work[1]), beginning) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low <= s->counts[COUNT_NAMES]; low++) {
        stamma_text text = folded_name(x, s, low, &work[0], &work[1]);
        if (!text.data || compare_beginning(text, beginning) != 0)
            break;
        matches[low] = stamma_pattern_matches(pattern, text);
        found += matches[low];
    }
    return found;
}

size_t stamma_index_names_match(index_file *x, const index_segment *s, stamma_text pattern, uint8_t *matches)
{
    buffer work[2] = {{.allocator = &x->allocator}, {.allocator = &x->allocator}};
    stamma_text beginning = {pattern.data, 0};
    while (beginning.size < pattern.size && pattern.data[beginning.size] != '*' && pattern.data[beginning.size] != '?')
        beginning.size++;
    size_t found = match_from(x, s, pattern, beginning, matches, work);
    if (work[0].failed || work[1].failed || atomic_load_explicit(&x->damaged, memory_order_relaxed))
        found = SIZE_MAX;
    stamma_buffer_release(&work[0]);
    stamma_buffer_release(&work[1]);
    return found;
}

bool stamma_index_name_games(index_file *x, const index_segment *s, uint32_t name, index_list *list)
{
    uint32_t span[2];
    const uint8_t *bytes = stamma_index_ascending(x, s, SECTION_NAME_LIST_STARTS, name, span)
                               ? index_bytes(x, s, SECTION_NAME_LISTS, span[0], span[1] - span[0])
                               : NULL;
    if (!bytes)
        return false;
    stamma_index_list_begin(list, bytes, span[1] - span[0], s->counts[COUNT_GAMES]);
    return !list->failed;
}
