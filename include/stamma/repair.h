/* SPDX-License-Identifier: MIT */
/* Damaged archives: kinds of damage, verification and repair.
 *
 *     stamma_archive_verdict verdict = {.size = sizeof verdict};
 *     stamma_error error = stamma_archive_verify(archive, NULL, &verdict);
 *     if (error == STAMMA_OK && verdict.damages == 0)
 *         puts("sound");
 *
 * The sound blocks of a damaged archive can be read (stamma/archive.h). Repair writes a new archive with everything
 * that is sound, and with the parts of damaged blocks that can be decoded. Source:
 * doc/format/archive.md, 7.3 and 13. */
#ifndef STAMMA_API_REPAIR_H
#define STAMMA_API_REPAIR_H

#include "stamma/archive.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of damage to an archive; doc/format/archive.md explains the terms. Permanent values. */
typedef enum stamma_damage_kind {
    STAMMA_DAMAGE_NONE = 0,
    STAMMA_DAMAGE_HEADER = 1,  /* the file's header */
    STAMMA_DAMAGE_FRAME = 2,   /* a frame is missing or incomplete where one must begin, or has a later format */
    STAMMA_DAMAGE_HEAD = 3,    /* the head of a block: its contents are unknown, or only known from its commit */
    STAMMA_DAMAGE_COLUMN = 4,  /* a stored column of a block */
    STAMMA_DAMAGE_CONTENT = 5, /* checksums are right, but a block does not decode to the text that was packed */
    STAMMA_DAMAGE_COMMIT = 6,  /* a commit is damaged or contradicts the blocks */
    STAMMA_DAMAGE_END = 7,      /* the archive is truncated */
    STAMMA_DAMAGE_TAIL = 8,     /* data after the last finished commit, which is not part of the archive */
    STAMMA_DAMAGE_END_MARK = 9, /* the last bytes of a commit, which its checksum determines: nothing is lost */
    STAMMA_DAMAGE_ORDER = 10,   /* a block or a commit is repeated or in the wrong place */
    STAMMA_DAMAGE_SEARCH = 11,  /* a search column is damaged or contradicts the games; the games are complete */
    STAMMA_DAMAGE_TABLE = 12,   /* a table of blocks is damaged or contradicts the blocks; the games are complete */
    STAMMA_DAMAGE_SOURCE = 13   /* a record of an input file is damaged; the games are complete */
} stamma_damage_kind;

/* Returns a short English text such as "damaged head of a block". Never NULL. Static. */
STAMMA_API const char *stamma_damage_text(stamma_damage_kind kind);

/* A damaged place and the blocks, games and text that it affects. Heads of blocks and commits determine these ranges.
 * If both are damaged, a range may be too large; an unknown end is UINT64_MAX. */
typedef struct stamma_archive_damage {
    stamma_damage_kind kind;
    stamma_error error;     /* CORRUPT; or UNSUPPORTED: not damaged, but of a later format */
    uint64_t offset;        /* of the damaged bytes in the archive: the frame, or the column */
    uint64_t size;          /* 0 if something is missing */
    uint64_t frame;         /* number of the frame, from 1; bytes that are not a frame count as one. 0: none */
    uint64_t first_block;   /* numbers of blocks, from 1; 0: none is affected */
    uint64_t last_block;
    uint64_t first_game;    /* numbers of games, from 1; 0: none */
    uint64_t last_game;
    uint64_t text_offset;   /* in the packed text */
    uint64_t text_size;     /* 0: no text is affected */
    /* as in stamma_archive_column, valid until the callback returns; NULL: not a single column */
    const char *column;
    uint64_t game;          /* CONTENT: number of the game that does not decode; 0: unknown */
} stamma_archive_damage;

/* ---- verification ---- */

typedef struct stamma_archive_verify_options {
    size_t size;
    /* `allocator`, `executor` and `memory` replace the archive's; NULL and 0: the archive's are used. */
    const stamma_allocator *allocator;
    bool quick;                      /* check checksums and commits only: blocks are not decoded */
    const stamma_executor *executor; /* NULL: none */
    uint64_t memory;                 /* memory limit in bytes, with LIMIT, as for reading; default 512 MiB */
    void *context;
    /* Called for each damaged place, in the order of the file, by the calling thread. May be NULL. */
    void (*damage)(void *context, const stamma_archive_damage *damage);
    /* Called after each block with the number of bytes of the archive processed so far; `total` is 0: unknown. Return
     * false to stop: the function then returns CANCELLED. May be NULL. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    /* Called before each game, by the threads that decode blocks, also by several at the same time. Return true to
     * stop: the function then returns CANCELLED. The callback must return true from then on. May be NULL. */
    bool (*stop)(void *context);
} stamma_archive_verify_options;

typedef struct stamma_archive_verdict {
    size_t size;                   /* sizeof(stamma_archive_verdict), set by the caller */
    uint64_t damages;              /* damaged places; 0: the archive is sound */
    /* contents of the sound blocks, without moves_bytes; archive_size is the size of their frames */
    stamma_archive_counts sound;
    uint64_t sound_blocks;
    /* totals of the last finished commit, or of the last commit if none is finished; archive_size is the end of this
     * commit. If the commit is damaged, games and bytes are counted from the heads of blocks */
    stamma_archive_counts all;
    uint64_t all_blocks;
    uint64_t input_size;           /* size of the input in bytes */
    uint64_t tail_offset;          /* end of the archive, where an interrupted writer may have left data */
    uint64_t tail_size;            /* bytes of this data; 0: none */
    uint64_t tail_blocks;          /* complete blocks in this data */
    uint64_t tail_games;           /* games in these blocks */
} stamma_archive_verdict;

/* Checks an archive from its first to its last byte, and continues after damage. Returns OK if the end was reached,
 * even if damage was found; otherwise *verdict is unchanged, although damage may have been reported. Checksums of 32
 * and 64 bits cover all bytes of known frames. They detect damage, but not changes made on purpose, because the
 * checksums can be changed, too. With `quick`, blocks that were written incorrectly are not detected.
 * Source: doc/format/archive.md, 7.3 and 13.
 * Errors:
 *   NO_ARCHIVE   the bytes are not a Stamma archive
 *   UNSUPPORTED  a later version of the format
 *   CANCELLED    the progress callback returned false
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_verify(stamma_archive *archive, const stamma_archive_verify_options *options,
                                              stamma_archive_verdict *verdict);
/* Checks an archive that is read once, in order. Otherwise like stamma_archive_verify. */
STAMMA_API stamma_error stamma_archive_verify_stream(const stamma_input *input,
                                                     const stamma_archive_verify_options *options,
                                                     stamma_archive_verdict *verdict);

/* ---- repair ---- */

/* The result of salvaging a game of a damaged block. Permanent values. */
typedef enum stamma_salvage_state {
    STAMMA_SALVAGE_EXACT = 0,       /* its text is confirmed to be the text that was packed (format 11.6) */
    STAMMA_SALVAGE_UNCONFIRMED = 1, /* its text is complete, but not confirmed: its checksum also covers damaged data */
    STAMMA_SALVAGE_INCOMPLETE = 2,  /* parts are missing */
    STAMMA_SALVAGE_LOST = 3
} stamma_salvage_state;

/* Games of a damaged block, one after another, with the same result. */
typedef struct stamma_archive_salvage {
    uint64_t block;      /* number of the block, from 1 */
    uint64_t first_game; /* numbers of the games in the damaged archive, from 1; 0: unknown */
    uint64_t last_game;
    uint64_t games;      /* number of games; 0: only the end of a game that begins in the block before */
    stamma_salvage_state state;
    /* INCOMPLETE: the missing parts, a sum of STAMMA_GAME_... values. TAGS: one or more tags. TEXT: only the layout, or
     * text that is not PGN */
    unsigned missing;
    stamma_text text;    /* their text in the new archive; valid until the callback returns */
} stamma_archive_salvage;

typedef struct stamma_archive_repair_options {
    size_t size;
    const stamma_allocator *allocator;
    const stamma_executor *executor; /* NULL: none */
    uint64_t memory;                 /* memory limit in bytes, with LIMIT, as for reading; default 512 MiB */
    void *context;
    /* Called for each damaged place, by the calling thread. May be NULL. */
    void (*damage)(void *context, const stamma_archive_damage *damage);
    /* Called for all games of damaged blocks, in order, by the calling thread. Return false to stop: the function then
     * returns CANCELLED. May be NULL. */
    bool (*salvaged)(void *context, const stamma_archive_salvage *games);
    bool exact_only; /* omit games whose text is not confirmed */
    uint64_t reserved[2]; /* 0 */
    /* as in stamma_archive_verify_options; the output is then incomplete */
    bool (*stop)(void *context);
} stamma_archive_repair_options;

typedef struct stamma_archive_repair_result {
    size_t size;                /* sizeof(stamma_archive_repair_result), set by the caller */
    stamma_archive_counts kept; /* contents of the new archive; archive_size is its size */
    uint64_t kept_blocks;       /* blocks of the old archive that the new archive contains */
    uint64_t repacked_blocks;   /* number of these blocks that were packed again */
    stamma_archive_counts all;  /* contents of the old archive, counted as in stamma_archive_verdict */
    uint64_t all_blocks;
    bool known; /* `all` is certain: the last commit was found, and nothing follows it */
    bool whole; /* the new archive contains everything */
    uint64_t salvaged_blocks; /* damaged blocks of which games were salvaged */
    uint64_t salvaged[4];     /* games of damaged blocks, by stamma_salvage_state */
} stamma_archive_repair_result;

/* Writes a new archive with everything that is sound in a damaged archive. Each block is decoded to check it, and
 * copied unchanged, once. The copies are in the order of the block numbers, whatever the order of the blocks in the
 * input. Blocks that an interrupted writer left after the end are kept. If a game continues in a block that is lost,
 * the blocks with its other parts are packed again from their text; they unpack to the same bytes, and each part is a
 * separate game.
 *
 * If a frame's header is damaged, its block is found by the head of the block; if all blocks in the damaged bytes are
 * found, options->damage is called for these bytes with no affected block and no affected game.
 *
 * Everything in a damaged block that does not depend on the damage is salvaged. Games whose text is confirmed (format
 * 11.6) are written unchanged. A confirmation is not a proof: a checksum of 32 bits is right by chance once in 2^32
 * times, and changes made on purpose can have right checksums. All other games receive an additional first tag,
 * StammaRepair. Its value is "unconfirmed", or lists the missing parts: "without moves, ECO". An incomplete game is
 * written in export format. If the head of a block is damaged, names of tags may be wrong. Names that neither a right
 * checksum of games nor a neighbouring block confirms are added to the value: "without moves; unconfirmed Termination".
 *
 * options->damage is called for each damaged place. Returns OK if the new archive was written, even if parts of the old
 * archive are missing: see result->whole. Source: doc/format/archive.md, 13.
 * Errors:
 *   NO_ARCHIVE    the bytes contain no frame of an archive
 *   UNSUPPORTED   a later version of the format
 *   LIMIT         a block needs more memory
 *   CANCELLED     the callback returned false
 *   SELF_CHECK    as stamma_archive_writer_write
 *   IO, NO_MEMORY */
STAMMA_API stamma_error stamma_archive_repair(const stamma_bytes *bytes, const stamma_output *output,
                                              const stamma_archive_repair_options *options,
                                              stamma_archive_repair_result *result);

#ifdef __cplusplus
}
#endif

#endif
