/* SPDX-License-Identifier: MIT */
/* Huffman codes of the rests of strings (clause 19.4). Codes are assigned to lengths as in RFC 1951 (3.2.2). */
#include "entropy/prefix_column.h"

/* ---- lengths ---- */

typedef struct tree_node {
    uint32_t count; /* 0: already joined */
    uint16_t parent;
} tree_node;

/* Joins the rarest node to the next parent. Returns the node's count. */
static uint32_t join_rarest(tree_node *nodes, unsigned count)
{
    unsigned rarest = 0;
    uint32_t least = UINT32_MAX;
    for (unsigned n = 0; n < count; n++)
        if (nodes[n].count > 0 && nodes[n].count < least) {
            least = nodes[n].count;
            rarest = n;
        }
    nodes[rarest] = (tree_node){0, (uint16_t)count};
    return least;
}

/* Computes the lengths of Huffman's tree. Returns the largest. */
static unsigned find_lengths(const uint32_t counts[PREFIX_SYMBOLS], unsigned symbols, uint8_t lengths[PREFIX_SYMBOLS])
{
    tree_node nodes[2 * PREFIX_SYMBOLS];
    unsigned count = PREFIX_SYMBOLS, longest = 0;
    for (unsigned n = 0; n < PREFIX_SYMBOLS; n++)
        nodes[n] = (tree_node){counts[n], 0};
    for (unsigned left = symbols; left > 1; left--, count++) {
        uint32_t sum = join_rarest(nodes, count);
        sum += join_rarest(nodes, count);
        nodes[count] = (tree_node){sum, 0};
    }
    for (unsigned n = 0; n < PREFIX_SYMBOLS; n++) {
        unsigned length = symbols == 1;
        for (unsigned at = n; counts[n] > 0 && symbols > 1 && at != count - 1; at = nodes[at].parent)
            length++;
        lengths[n] = (uint8_t)(counts[n] > 0 ? length : 0);
        longest = lengths[n] > longest ? lengths[n] : longest;
    }
    return longest;
}

void stamma_prefix_lengths(const uint32_t counts[PREFIX_SYMBOLS], uint8_t lengths[PREFIX_SYMBOLS])
{
    uint32_t flattened[PREFIX_SYMBOLS];
    unsigned symbols = 0;
    for (unsigned n = 0; n < PREFIX_SYMBOLS; n++) {
        flattened[n] = counts[n];
        symbols += counts[n] > 0;
    }
    while (find_lengths(flattened, symbols, lengths) > PREFIX_BITS_MAX)
        for (unsigned n = 0; n < PREFIX_SYMBOLS; n++)
            flattened[n] = (flattened[n] + 1) / 2;
}

/* ---- codes ---- */

static unsigned reversed(unsigned code, unsigned length)
{
    unsigned turned = 0;
    for (unsigned n = 0; n < length; n++)
        turned |= (code >> n & 1) << (length - 1 - n);
    return turned;
}

bool stamma_prefix_codes(const uint8_t lengths[PREFIX_SYMBOLS], uint16_t codes[PREFIX_SYMBOLS])
{
    unsigned next[PREFIX_BITS_MAX + 1] = {0}, counts[PREFIX_BITS_MAX + 1] = {0}, code = 0;
    for (unsigned n = 0; n < PREFIX_SYMBOLS; n++) {
        if (lengths[n] > PREFIX_BITS_MAX)
            return false;
        counts[lengths[n]]++;
    }
    counts[0] = 0;
    for (unsigned length = 1; length <= PREFIX_BITS_MAX; length++) {
        code = (code + counts[length - 1]) << 1;
        next[length] = code;
        if (code + counts[length] > 1u << length)
            return false;
    }
    for (unsigned n = 0; n < PREFIX_SYMBOLS; n++)
        codes[n] = lengths[n] ? (uint16_t)reversed(next[lengths[n]]++, lengths[n]) : 0;
    return true;
}

bool stamma_prefix_table(const uint8_t lengths[PREFIX_SYMBOLS], uint16_t table[1 << PREFIX_BITS_MAX])
{
    uint16_t codes[PREFIX_SYMBOLS];
    if (!stamma_prefix_codes(lengths, codes))
        return false;
    memset(table, 0, sizeof(uint16_t) << PREFIX_BITS_MAX);
    for (unsigned n = 0; n < PREFIX_SYMBOLS; n++)
        for (unsigned at = codes[n]; lengths[n] && at < 1u << PREFIX_BITS_MAX; at += 1u << lengths[n])
            table[at] = (uint16_t)(n << 8 | lengths[n]);
    return true;
}

/* ---- decoding ---- */

enum { AT_ONCE = 5 /* Huffman codes contained in one load */ };

/* Returns the next 57 bits or more; zeros after the end. */
STAMMA_INLINE uint64_t bits_at(const uint8_t *bytes, size_t size, size_t at)
{
    size_t byte = at >> 3;
    if (STAMMA_LIKELY(byte + 8 <= size))
        return load_u64(bytes + byte) >> (at & 7);
    uint64_t bits = 0;
    for (unsigned n = 0; byte + n < size; n++)
        bits |= (uint64_t)bytes[byte + n] << 8 * n;
    return bits >> (at & 7);
}

/* Looks up several codes for each load of bits. A hot loop. */
bool stamma_prefix_decode(const prefix_table *tables, const uint8_t *bytes, size_t size, size_t *at, size_t place,
                          uint8_t *codes, size_t count)
{
    size_t bit = *at, bound = 8 * size;
    unsigned none = 0; /* the highest bit is set if an entry was 0 */
    for (size_t n = 0; n < count;) {
        const uint16_t *table = tables[prefix_table_of(place + n)];
        size_t end = n + PREFIX_STEP - (place + n) % PREFIX_STEP;
        end = end < count ? end : count;
        while (n < end) {
            uint64_t bits = bits_at(bytes, size, bit);
            for (size_t stop = n + AT_ONCE < end ? n + AT_ONCE : end; n < stop; n++) {
                unsigned entry = table[bits & ((1u << PREFIX_BITS_MAX) - 1)];
                codes[n] = (uint8_t)(entry >> 8);
                none |= entry - 1;
                bits >>= entry & 63;
                bit += entry & 63;
            }
        }
        if (none >> 31 || bit > bound)
            return false;
    }
    *at = bit;
    return true;
}
