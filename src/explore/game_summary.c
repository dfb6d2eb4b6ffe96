/* Reads players' ratings, result and date from a game's tags, and finds a position in a game. */
#include "search/search.h"
#include "explore/explore.h"

uint32_t stamma_date_number(stamma_text value)
{
    stamma_date date = {0};
    return stamma_date_read(value, &date) ? date.year * 10000u + date.month * 100u + date.day : 0;
}

game_summary stamma_game_summary_of(const stamma_archive_game *game)
{
    game_summary s = {{(uint16_t)stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of("WhiteElo"))),
                       (uint16_t)stamma_rating_read(stamma_archive_game_tag(game, stamma_text_of("BlackElo")))},
                      stamma_archive_game_result(game),
                      stamma_date_number(stamma_archive_game_tag(game, stamma_text_of("Date")))};
    if (s.date == 0)
        s.date = stamma_date_number(stamma_archive_game_tag(game, stamma_text_of("UTCDate")));
    return s;
}

size_t stamma_game_find_position(const stamma_archive_game *game, const stamma_position *wanted, stamma_position *p)
{
    *p = game->start;
    if (game->no_start)
        return SIZE_MAX;
    for (size_t ply = 0;; ply++) {
        if (STAMMA_UNLIKELY(p->key == wanted->key) && stamma_position_equal(p, wanted))
            return ply;
        if (ply == game->ply_count)
            return SIZE_MAX;
        stamma_position_make(p, game->moves[ply], p);
    }
}

/* ---- texts ---- */

/* Returns the length of the UTF-8 sequence at the start (RFC 3629: no overlong forms, no surrogates); 0: invalid. */
static size_t sequence_length(const uint8_t *bytes, size_t size)
{
    unsigned first = bytes[0];
    size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (length == 0 || length > size)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xC0u) != 0x80)
            return 0;
    bool bad = length > 2 && ((first == 0xE0 && bytes[1] < 0xA0) || (first == 0xED && bytes[1] > 0x9F) ||
                              (first == 0xF0 && bytes[1] < 0x90) || (first == 0xF4 && bytes[1] > 0x8F));
    return bad ? 0 : length;
}

static bool is_utf8(stamma_text text)
{
    for (size_t at = 0, length; at < text.size; at += length) {
        length = sequence_length((const uint8_t *)text.data + at, text.size - at);
        if (length == 0)
            return false;
    }
    return true;
}

bool stamma_tag_text(stamma_text value, buffer *utf8)
{
    bool whole = is_utf8(value);
    utf8->size = 0;
    for (size_t i = 0; i < value.size; i++) {
        uint8_t byte = (uint8_t)value.data[i];
        bool escapes = byte == '\\' && i + 1 < value.size && (value.data[i + 1] == '"' || value.data[i + 1] == '\\');
        if (escapes)
            byte = (uint8_t)value.data[++i];
        if (byte >= 0x80 && !whole)
            buffer_add_byte(utf8, (uint8_t)(0xC0u | byte >> 6));
        buffer_add_byte(utf8, byte >= 0x80 && !whole ? (uint8_t)(0x80u | (byte & 0x3Fu)) : byte);
    }
    return !utf8->failed;
}
