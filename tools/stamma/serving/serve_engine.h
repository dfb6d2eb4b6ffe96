/* SPDX-License-Identifier: MIT */
/* The chess engine: its process, and the UCI protocol. The engine is a program that the server starts at the first
 * request for an analysis. */
#ifndef STAMMA_SERVE_ENGINE_H
#define STAMMA_SERVE_ENGINE_H

#include "serving/server.h"

enum {
    ENGINE_LINES_MAX = SERVE_SEARCHED_MAX, /* lines of an analysis */
    ENGINE_PLIES_MAX = 100,                /* plies of a line */
    ENGINE_BUFFER_SIZE = 65536             /* longer lines of the engine are skipped */
};

/* ---- the chess engine (serve_engine.c) ---- */

typedef struct serve_engine serve_engine;

/* Prepares analyses; no process is started. Returns NULL after a message if memory is exhausted. */
serve_engine *serve_engine_open(const serve_options *options);
/* Ends the process if it is idle. Must be called many times a second. Accepts NULL, like the following functions. */
void serve_engine_tidy(serve_engine *engine);
/* Kills the process. No other is started. */
void serve_engine_stop(serve_engine *engine);
/* Closes the engine. No request may use it any more. */
void serve_engine_close(serve_engine *engine);

/* ---- the process (serve_engine_process.c) ---- */

/* A running program that is connected by pipes. Initialise with zeros. */
typedef struct engine_process {
    system_process program; /* id 0: not running */
    int input, output;      /* pipes: to the program, from the program */
    size_t begin, end;      /* bytes that were received and not read */
    bool skipping;          /* the rest of a line that is too long is skipped */
    char bytes[ENGINE_BUFFER_SIZE];
} engine_process;

typedef enum engine_event { ENGINE_LINE, ENGINE_NOTHING, ENGINE_ENDED } engine_event;

/* Starts a program in a separate process group, without access to the files of this process. `arguments` are its path
 * and its arguments, and end with NULL. Returns 0 or an error of errno. */
int engine_start(engine_process *process, const char *const *arguments);
/* Sends text. Returns false if the program does not accept it at once. */
bool engine_send(const engine_process *process, const char *text, size_t size);
/* Reads a line without its end. It is valid until the next call. Returns ENGINE_NOTHING after this number of
 * milliseconds, and ENGINE_ENDED if the program has closed its output. */
engine_event engine_read(engine_process *process, int milliseconds, char **line);
/* Asks the program to quit, and kills it and its children after 0.1 s. Returns its status, as system_process_kill does.
 */
int engine_end(engine_process *process);
/* Kills the program and its children. The pipes stay open for a thread that uses them. */
void engine_kill(engine_process *process);

/* ---- the protocol (serve_engine_uci.c) ---- */

/* An option that is a number. */
typedef struct engine_spin {
    bool known;
    uint64_t least, most;
} engine_spin;

/* The name and the options that the engine reports. */
typedef struct engine_features {
    char name[80];
    engine_spin threads, hash, lines;
    bool chess960, analyse;
} engine_features;

/* Reads a line of the answer to "uci". Returns true at its end. */
bool engine_features_read(engine_features *features, const char *line);
/* Returns the nearest value that the option has; 0 if there is no such option. */
uint64_t engine_spin_value(const engine_spin *spin, uint64_t wanted);
/* Returns whether a line begins with a word. */
bool engine_line_is(const char *line, const char *word);

/* A line "info ...". */
typedef struct engine_info {
    unsigned line; /* from 1 */
    unsigned depth, seldepth;
    bool scored, mate, bound;
    int score; /* from the side to move: centipawns, or moves to mate */
    uint64_t nodes, nps;
    stamma_text moves; /* in UCI, separated by blanks */
} engine_info;

/* Reads a line. Returns false if it is not an evaluation with a line of moves. */
bool engine_info_read(const char *line, engine_info *info);

/* A line of an analysis. */
typedef struct engine_variation {
    unsigned depth;
    bool mate;
    int score; /* from White's side */
    size_t plies;
    stamma_move moves[ENGINE_PLIES_MAX];
} engine_variation;

/* Converts a line of the engine, up to the first move that is not legal. Returns false if there is no legal move. */
bool engine_variation_read(const stamma_position *position, const engine_info *info, engine_variation *variation);
/* Writes an object: depth, cp or mate, uci and san. */
void engine_variation_put(const stamma_position *position, const engine_variation *variation);

#endif
