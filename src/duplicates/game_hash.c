/* SPDX-License-Identifier: MIT */
/* Computes the hash of a game. Games with equal hashes are practically always the same game. */
#include "duplicates/duplicates.h"

#include <xxhash.h>

enum { PLAYED = 'P', PLAYED_SHORT = 'S', TEXT = 'T' };

static stamma_text tag_of(const stamma_archive_game *game, const char *name)
{
    return stamma_archive_game_tag(game, stamma_text_of(name));
}

static stamma_text folded_tag(const stamma_archive_game *game, const char *name, hash_work *work)
{
    work->folded.size = 0;
    stamma_fold_value(tag_of(game, name), &work->plain, &work->folded);
    return (stamma_text){(const char *)work->folded.data, work->folded.size};
}

/* ---- the parts of a game on which the hash depends ---- */

static bool is_letter(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 0x80 || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

/* Returns whether a name is missing: it has no letter or digit, or only the letter N. */
static bool is_unknown(stamma_text name)
{
    size_t letters = 0, others = 0;
    for (size_t n = 0; n < name.size; n++) {
        letters += is_letter(name.data[n]);
        others += is_letter(name.data[n]) && name.data[n] != 'n' && name.data[n] != 'N';
    }
    return letters == 0 || (letters <= 2 && others == 0);
}

/* Returns whether a part of a game is kept as text. This is not the case if only its layout differs from its style. */
static bool is_partly_text(const stamma_archive_game *game)
{
    return game->reason != STAMMA_REASON_NONE && game->reason != STAMMA_REASON_LAYOUT;
}

bool stamma_game_hash_needs_text(const stamma_archive_game *game)
{
    return game && (is_partly_text(game) || is_unknown(tag_of(game, "White")) || is_unknown(tag_of(game, "Black")));
}

bool stamma_game_is_hashable(const stamma_archive_game *game)
{
    if (game->continuation || (!game->tags && game->tag_count > 0) || (!game->moves && game->ply_count > 0))
        return false;
    return game->text.data || !stamma_game_hash_needs_text(game);
}

/* ---- the bytes that are hashed ---- */

static void add_name(const stamma_archive_game *game, const char *name, hash_work *work)
{
    stamma_name_words(folded_tag(game, name, work), &work->bytes);
    buffer_add_byte(&work->bytes, 0);
}

static void add_tag(const stamma_archive_game *game, const char *name, hash_work *work)
{
    stamma_text value = folded_tag(game, name, work);
    buffer_add(&work->bytes, value.data, value.size);
    buffer_add_byte(&work->bytes, 0);
}

static void add_number(hash_work *work, uint64_t number)
{
    uint8_t bytes[8];
    store_u64(bytes, number);
    buffer_add(&work->bytes, bytes, sizeof bytes);
}

static void add_moves(const stamma_archive_game *game, hash_work *work)
{
    if (!buffer_reserve(&work->bytes, size_multiply(game->ply_count, 2)))
        return;
    for (size_t n = 0; n < game->ply_count; n++) {
        uint8_t move[2];
        store_u16(move, (uint16_t)game->moves[n]);
        buffer_add(&work->bytes, move, sizeof move);
    }
}

static void add_played(const stamma_archive_game *game, hash_work *work)
{
    bool is_short = game->ply_count < SHORT_PLIES;
    buffer_add_byte(&work->bytes, is_short ? PLAYED_SHORT : PLAYED);
    add_name(game, "White", work);
    add_name(game, "Black", work);
    if (is_short) {
        add_tag(game, "Event", work);
        add_tag(game, "Site", work);
        add_tag(game, "Round", work);
    }
    add_number(work, stamma_date_of(game));
    add_number(work, (uint64_t)stamma_archive_game_result(game));
    add_number(work, stamma_position_key(&game->start));
    add_moves(game, work);
}

static bool is_blank(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Adds a text without the blanks before and after it, and without a byte order mark. */
static void add_text(stamma_text text, hash_work *work)
{
    if (text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0)
        text = (stamma_text){text.data + 3, text.size - 3};
    while (text.size > 0 && is_blank(text.data[text.size - 1]))
        text.size--;
    while (text.size > 0 && is_blank(*text.data))
        text = (stamma_text){text.data + 1, text.size - 1};
    buffer_add_byte(&work->bytes, TEXT);
    buffer_add(&work->bytes, text.data, text.size);
}

bool stamma_game_hash_read(const stamma_archive_game *game, hash_work *work, uint8_t hash[GAME_HASH_SIZE])
{
    XXH128_canonical_t canonical;
    work->bytes.size = 0;
    if (stamma_game_hash_needs_text(game))
        add_text(game->text, work);
    else
        add_played(game, work);
    bool failed = work->bytes.failed || work->folded.failed || work->plain.failed;
    work->bytes.failed = work->folded.failed = work->plain.failed = false;
    if (failed)
        return false;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(work->bytes.data, work->bytes.size));
    memcpy(hash, canonical.digest, GAME_HASH_SIZE);
    return true;
}

uint64_t stamma_game_hash_part(const stamma_archive_game *game, hash_work *work)
{
    uint8_t hash[GAME_HASH_SIZE];
    if (stamma_game_hash_needs_text(game))
        return 0;
    if (!stamma_game_hash_read(game, work, hash)) {
        work->bytes.failed = true;
        return 0;
    }
    return load_u64(hash);
}

stamma_error stamma_game_hash(const stamma_archive_game *game, const stamma_allocator *given, uint8_t hash[16])
{
    if (!game || !hash || !allocator_is_given(given) || !stamma_game_is_hashable(game))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_allocator allocator = stamma_allocator_or_default(given);
    hash_work work = {{.allocator = &allocator}, {.allocator = &allocator}, {.allocator = &allocator}};
    bool right = stamma_game_hash_read(game, &work, hash);
    stamma_buffer_release(&work.plain);
    stamma_buffer_release(&work.folded);
    stamma_buffer_release(&work.bytes);
    return right ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

stamma_error stamma_name_hash(stamma_text name, const stamma_allocator *given, uint64_t *hash)
{
    if (!hash || (!name.data && name.size > 0) || !allocator_is_given(given))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_allocator allocator = stamma_allocator_or_default(given);
    buffer folded = {.allocator = &allocator}, words = {.allocator = &allocator};
    stamma_fold(name, &folded);
    stamma_name_words((stamma_text){(const char *)folded.data, folded.size}, &words);
    const bool right = !folded.failed && !words.failed;
    if (right)
        *hash = words.size > 0 ? XXH3_64bits(words.data, words.size) : 0;
    stamma_buffer_release(&folded);
    stamma_buffer_release(&words);
    return right ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}
