/* SPDX-License-Identifier: MIT */
/* The archives from which requests are answered. The caller provides their bytes, and decides when an archive is
 * replaced. */
#ifndef STAMMA_SERVE_ARCHIVES_H
#define STAMMA_SERVE_ARCHIVES_H

#include "answering/serve_request.h"

#include <pthread.h>
#include <stdatomic.h>

struct serve_exchange;

/* ---- one archive (serve_archive.c) ---- */

/* An open archive. Everything except `users` and `readers` is constant while it is used. */
typedef struct serve_archive serve_archive;
struct serve_archive {
    long number;
    const char *name;    /* shown: the file name without folders */
    stamma_bytes bytes;  /* the caller's bytes; serve_archive_open sets their size to the size of the archive */
    stamma_flags *flags; /* of the games; NULL: there are none, or they cannot be used */
    bool flags_unfit;    /* there is a file of flags that cannot be used */
    stamma_pages *pages; /* pages of the archive; NULL: none */
    bool counted;        /* the caller has set the counts: `games` to `blocks`, and `timed` */
    bool uploaded;       /* the server has made it from a file that a client sent */
    /* Returns whether another program has changed the index; NULL: none can. */
    bool (*is_changed)(const serve_archive *archive);
    void (*close)(serve_archive *archive); /* called after the last use */
    /* set by serve_archive_open */
    stamma_archive *handle; /* searches are slower until it has an index */
    uint64_t serial;        /* unique for each open archive */
    uint64_t games, plies;
    uint64_t last;        /* number of the last game; more than `games` if some are lost to damage */
    uint64_t blocks[4];   /* by level */
    bool timed;           /* some games have a TimeControl tag */
    bool damaged;         /* only the sound part is served */
    atomic_int online;    /* see serve_archive_is_online; 0: not known yet, 1: no, 2: yes */
    atomic_ullong *kinds; /* cached facts of games: see serve_archive_kind */
    unsigned users;
    struct serve_reader *readers; /* idle readers */
    unsigned reader_count;
};

/* Opens an archive whose first members are set, and reads its counts from all blocks unless it is counted. Data that
 * another process is appending may follow the end of the archive: `bytes.size` becomes the size of the archive. Call
 * serve_archive_close in any case. */
stamma_error serve_archive_open(serve_archive *archive, const stamma_executor *executor, stamma_place *place);
/* Releases everything that serve_archive_open has allocated. */
void serve_archive_close(serve_archive *archive);

/* Returns whether reading games is slow because moves are decoded with the predictor. */
bool serve_archive_is_slow(const serve_archive *archive);
/* Returns the kind of the index; NONE until it is open. */
stamma_index_kind serve_archive_index(const serve_archive *archive);
/* Returns "file", "memory", or NULL if the index is not open. */
const char *serve_archive_index_word(const serve_archive *archive);

/* ---- all archives (serve_archives.c) ---- */

/* The problem of an archive's file. */
typedef enum serve_problem {
    SERVE_SOUND,
    SERVE_DAMAGED,    /* only the sound part is served */
    SERVE_MISSING,    /* the file was deleted: the open archive is served */
    SERVE_UNREADABLE, /* the file has changed and cannot be opened: the open archive is served */
    SERVE_PROBLEMS
} serve_problem;

/* The archive with a number. */
typedef struct serve_slot {
    serve_archive *now; /* NULL: it was closed */
    const char *path;   /* shown with a problem */
    serve_problem problem;
} serve_slot;

typedef struct serve_archives {
    pthread_mutex_t lock; /* protects the following members, and the users and readers of archives */
    serve_slot *slots;
    size_t room;
    atomic_size_t count; /* numbers, also of archives that were closed */
    /* Called before archives are used for a request; may replace archives. NULL: nothing is called. */
    void (*look)(void *context);
    void *context;
} serve_archives;

/* Prepares a list of at most `room` archives. Returns false if memory is exhausted. */
bool serve_archives_open(serve_archives *archives, size_t room);
/* Closes all archives. */
void serve_archives_close(serve_archives *archives);
/* Adds an archive with the next number. Only one thread at a time may add archives. */
void serve_archives_add(serve_archives *archives, serve_archive *archive, const char *path);
/* Replaces an archive by another with the same number. Requests that use the earlier archive continue. */
void serve_archives_replace(serve_archives *archives, serve_archive *archive);
/* Removes an archive. Requests that use it continue. No other archive gets its number. Returns false if there is no
 * archive with this number. */
bool serve_archives_remove(serve_archives *archives, size_t number);
void serve_archives_set_problem(serve_archives *archives, size_t number, serve_problem problem);
serve_problem serve_archives_problem(serve_archives *archives, size_t number);

/* Archives in use by a request. */
typedef struct serve_archive_list {
    serve_archive **list;
    size_t count;
} serve_archive_list;

/* Acquires one archive, or several (SERVE_ALL, SERVE_EVERY). Returns false with an error. */
bool serve_archives_take(serve_archives *archives, long which, serve_archive_list *taken, serve_fault *fault);
/* Acquires the archives with these numbers, which are in ascending order. Returns false with an error. */
bool serve_archives_take_chosen(serve_archives *archives, const long *numbers, size_t count, serve_archive_list *taken,
                                serve_fault *fault);
void serve_archives_release(serve_archives *archives, serve_archive_list *taken);
/* Acquires the archives of a request. Fails if its query depends on flags that cannot be used. */
bool serve_archives_asked(struct serve_exchange *x, serve_archive_list *taken);
/* Acquires one archive. Its look function is not called. */
serve_archive *serve_archives_hold(serve_archives *archives, size_t number);
void serve_archives_let_go(serve_archives *archives, serve_archive *archive);
/* Returns the archive with a number, or NULL. */
serve_archive *serve_archive_numbered(const serve_archive_list *taken, long number);
/* Removes archives from a list and releases them: those for which drops[i] is set. */
void serve_archives_drop(serve_archives *archives, serve_archive_list *taken, const bool *drops);

/* ---- games (serve_archive.c) ---- */

/* Reads `parts` of a game for a request, and passes it and its further pieces to `visit`, until that returns false.
 * Returns false with an error, also if the request must end (serve_search_reads). */
bool serve_archive_read(struct serve_exchange *x, serve_archive *archive, uint64_t game, unsigned parts,
                        bool (*visit)(void *context, const stamma_archive_game *game), void *context);

/* Acquires a reader of an archive for many games. No other request uses the reader until it is released. Returns NULL
 * with an error. */
struct serve_reader *serve_reader_take(serve_archives *archives, serve_archive *archive, unsigned parts,
                                       serve_fault *fault);
/* Like serve_archive_read, with a reader that was acquired. */
bool serve_reader_read(struct serve_exchange *x, struct serve_reader *reader, const serve_archive *archive,
                       uint64_t game, unsigned parts, bool (*visit)(void *context, const stamma_archive_game *game),
                       void *context);
/* Releases a reader. Accepts NULL. */
void serve_reader_give_back(serve_archives *archives, serve_archive *archive, struct serve_reader *reader);

typedef struct serve_kind {
    stamma_speed speed;
    stamma_mode mode;
} serve_kind;

/* Returns the kind of a game from its tags. If `reads` is set, the game is read on first use, and the result is
 * cached. Otherwise returns zeros for a game that was not read. */
serve_kind serve_archive_kind(struct serve_exchange *x, serve_archive *archive, uint64_t game, bool reads);

/* Returns whether most of the first games of an archive were played on a chess site, according to their Site tags
 * (serve_masters.c). */
bool serve_archive_is_online(struct serve_exchange *x, serve_archive *archive);
/* Removes the archives with games of chess sites from a list of several archives, unless this would remove all. */
void serve_masters_choose(struct serve_exchange *x, serve_archive_list *taken);

#endif
