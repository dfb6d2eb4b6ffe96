/* SPDX-License-Identifier: MIT */
/* Packs PGN from memory into an archive in memory, unpacks the archive, and reads a single game. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stamma.h"

static const char pgn[] = "[White \"Reti, Richard\"]\n[Black \"Tartakower, Savielly\"]\n[Result \"1-0\"]\n\n"
                          "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5\n"
                          "8. O-O-O Nxe4 9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0\n\n"
                          "[White \"Gibaud, Amedee\"]\n[Black \"Lazard, Frederic\"]\n[Result \"0-1\"]\n\n"
                          "1. d4 Nf6 2. Nd2 e5 3. dxe5 Ng4 4. h3 Ne3 0-1\n\nand a line that is no chess at all\n";

/* ---- memory as output ---- */

typedef struct memory {
    char *bytes;
    size_t size, capacity;
} memory;

static bool memory_write(void *context, const void *bytes, size_t size)
{
    memory *m = context;
    if (m->capacity - m->size < size) {
        size_t capacity = 2 * (m->capacity + size);
        char *grown = realloc(m->bytes, capacity);
        if (!grown)
            return false;
        m->bytes = grown;
        m->capacity = capacity;
    }
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
    return true;
}

/* ---- the three steps ---- */

static stamma_error pack(memory *archive)
{
    stamma_output output = {.context = archive, .write = memory_write};
    stamma_archive_writer *writer = NULL;
    stamma_archive_counts counts = {0};
    stamma_error error = stamma_archive_writer_open(&output, NULL, &writer);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_write(writer, pgn, sizeof pgn - 1);
    if (error == STAMMA_OK)
        error = stamma_archive_writer_finish(writer, &counts);
    stamma_archive_writer_close(writer);
    if (error == STAMMA_OK)
        printf("packed %" PRIu64 " plies of %" PRIu64 " bytes of text\n", counts.plies, counts.text_size);
    return error;
}

static stamma_error show_second_game(stamma_archive_reader *reader)
{
    const stamma_archive_game *game;
    stamma_error error = stamma_archive_reader_seek(reader, 2);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_next(reader, &game);
    if (error != STAMMA_OK || !game)
        return error;
    printf("game %" PRIu64 ":", game->number);
    stamma_position position = game->start;
    for (size_t ply = 0; ply < game->ply_count; ply++) {
        char lan[STAMMA_LAN_SIZE];
        stamma_lan_write(&position, game->moves[ply], lan, sizeof lan);
        stamma_position_make(&position, game->moves[ply], &position);
        printf(" %s", lan);
    }
    printf(" %.*s\n", (int)game->result.size, game->result.data);
    return STAMMA_OK;
}

static stamma_error unpack(const memory *packed, memory *text)
{
    const stamma_bytes bytes = stamma_bytes_of(packed->bytes, packed->size);
    stamma_output output = {.context = text, .write = memory_write};
    stamma_archive *archive = NULL;
    stamma_archive_reader *reader = NULL;
    stamma_error error = stamma_archive_open(&bytes, NULL, &archive);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_open(archive, NULL, &reader);
    if (error == STAMMA_OK)
        error = stamma_archive_reader_unpack(reader, &output);
    if (error == STAMMA_OK)
        error = show_second_game(reader);
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    return error;
}

int main(void)
{
    memory archive = {0}, text = {0};
    stamma_error error = pack(&archive);
    if (error == STAMMA_OK)
        error = unpack(&archive, &text);
    bool same = error == STAMMA_OK && text.size == sizeof pgn - 1 && memcmp(text.bytes, pgn, text.size) == 0;
    printf("%s\n", error != STAMMA_OK ? stamma_error_text(error) : same ? "the same, byte for byte" : "different");
    free(archive.bytes);
    free(text.bytes);
    return same ? 0 : 2;
}
