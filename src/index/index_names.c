/* SPDX-License-Identifier: MIT */
/* Finds players: names are sorted by their folded texts, and each name has a list of its games. */
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

/* Folds a text. If memory runs out, the result is incomplete. */
static stamma_text folded(stamma_text text, bool in_order, buffer work[2])
{
    work[0].size = work[1].size = 0;
    if (in_order)
        stamma_fold_latin1(text, &work[0], &work[1]);
    else
        stamma_fold_value(text, &work[0], &work[1]);
    return (stamma_text){work[1].data ? (const char *)work[1].data : "", work[1].size};
}

/* Compares the first bytes of a text with a beginning, up to the size of the beginning. */
static int compare_beginning(stamma_text text, stamma_text beginning)
{
    size_t size = text.size < beginning.size ? text.size : beginning.size;
    int order = size > 0 ? memcmp(text.data, beginning.data, size) : 0;
    return order != 0 ? order : text.size < beginning.size ? -1 : 0;
}

/* Finds the first name that does not sort before `beginning`. */
static uint32_t find_beginning(index_file *x, const index_segment *s, stamma_text beginning, buffer work[2])
{
    uint32_t low = 1, high = s->counts[COUNT_NAMES] + 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const stamma_text text = folded(stamma_index_name(x, s, middle), true, work);
        if (compare_beginning(text, beginning) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Tests the names that sort after a beginning. Returns the number of new matches. */
static size_t match_from(index_file *x, const index_segment *s, stamma_text pattern, stamma_text beginning,
                         uint8_t *matches, buffer work[2])
{
    size_t found = 0;
    for (uint32_t n = find_beginning(x, s, beginning, work); n <= s->counts[COUNT_NAMES]; n++) {
        const stamma_text name = stamma_index_name(x, s, n);
        if (!name.data || compare_beginning(folded(name, true, work), beginning) != 0)
            break;
        const bool matched = stamma_pattern_matches(pattern, folded(name, false, work));
        found += matched && !matches[n];
        matches[n] |= matched;
    }
    return found;
}

/* Names with letters of Windows-1252 from 80 to 9F match a beginning, but do not sort after it: in their order, these
 * letters are U+0080 to U+009F, which begin with the byte C2. */
static size_t match_windows_1252(index_file *x, const index_segment *s, stamma_text pattern, stamma_text beginning,
                                 uint8_t *matches, buffer work[3])
{
    size_t found = 0;
    for (size_t size = 0; size < beginning.size; size++) {
        work[2].size = 0;
        buffer_add(&work[2], beginning.data, size);
        buffer_add_byte(&work[2], 0xC2);
        if (!work[2].failed)
            found += match_from(x, s, pattern, (stamma_text){(const char *)work[2].data, work[2].size}, matches, work);
    }
    return found;
}

size_t stamma_index_names_match(index_file *x, const index_segment *s, stamma_text pattern, uint8_t *matches)
{
    buffer work[3] = {{.allocator = &x->allocator}, {.allocator = &x->allocator}, {.allocator = &x->allocator}};
    stamma_text beginning = {pattern.data, 0};
    while (beginning.size < pattern.size && pattern.data[beginning.size] != '*' && pattern.data[beginning.size] != '?')
        beginning.size++;
    size_t found = match_from(x, s, pattern, beginning, matches, work);
    found += match_windows_1252(x, s, pattern, beginning, matches, work);
    if (work[0].failed || work[1].failed || work[2].failed ||
        atomic_load_explicit(&x->damaged, memory_order_relaxed))
        found = SIZE_MAX;
    for (size_t n = 0; n < 3; n++)
        stamma_buffer_release(&work[n]);
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
