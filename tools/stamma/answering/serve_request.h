/* SPDX-License-Identifier: MIT */
/* The parameters of a request: fields of a URL or a form, which are read and checked without archives. */
#ifndef STAMMA_SERVE_REQUEST_H
#define STAMMA_SERVE_REQUEST_H

#include "games/persons.h"

/* ---- the fields of a URL or a form (serve_form.c) ---- */

enum { SERVE_FIELDS = 64 };

typedef struct serve_field {
    const char *name, *value; /* decoded */
} serve_field;

typedef struct serve_form {
    serve_field fields[SERVE_FIELDS];
    size_t count;
    char *memory[2]; /* text of the URL and of the body */
    size_t texts;
} serve_form;

/* Why a request cannot be answered. Status 0: no error. */
typedef struct serve_fault {
    int status; /* HTTP status */
    char message[320];
} serve_fault;

/* Sets the error, and returns false. */
bool serve_fail(serve_fault *fault, int status, const char *format, ...);
/* Sets the error of exhausted memory, and returns false. */
bool serve_fail_memory(serve_fault *fault);

/* Adds the fields of "a=1&b=x+y%20z"; fields without a value are skipped. May be called twice. Returns false with an
 * error if there are too many fields, an invalid escape or a NUL. */
bool serve_form_add(serve_form *form, const char *text, size_t size, serve_fault *fault);
/* Adds a field with a literal value, unless it is empty. May be called once, instead of a second serve_form_add. */
bool serve_form_add_value(serve_form *form, const char *name, const char *text, size_t size, serve_fault *fault);
/* Adds the fields of a body with a media type: a form, which is the type if it is NULL, or a query as JSON. May be
 * called once, instead of a second serve_form_add. Returns false with an error if the type is another one. */
bool serve_form_add_body(serve_form *form, const char *type, const char *body, size_t size, serve_fault *fault);
/* Returns the value of the last field with that name, or NULL. */
const char *serve_form_value(const serve_form *form, const char *name);
void serve_form_free(serve_form *form);

/* ---- requests (serve_request.c) ---- */

typedef enum serve_endpoint {
    SERVE_MASTERS,
    SERVE_LICHESS,
    SERVE_HISTORY,
    SERVE_PLAYER,
    SERVE_NAMES,
    SERVE_REPORT,
    SERVE_NOVELTY,
    SERVE_ORDERS,
    SERVE_FIND,
    SERVE_STATS,
    SERVE_LINE,
    SERVE_GAME,
    SERVE_PGN,
    SERVE_ARCHIVES,
    SERVE_QUESTIONS,
    SERVE_HEALTH,
    SERVE_METRICS,
    SERVE_ENGINE,
    SERVE_UPLOADS,
    SERVE_BOARD,
    SERVE_ENCODINGS,
    SERVE_ENCODE,
    SERVE_SIZES,
    SERVE_DECODE,
    SERVE_TABLEBASE,
    SERVE_PAGE,
    SERVE_ENDPOINTS
} serve_endpoint;

typedef enum serve_format { SERVE_JSON, SERVE_PGN_TEXT, SERVE_CSV } serve_format;

enum {
    SERVE_ALL = -1,            /* all archives that the command names; all uploaded archives if it names none */
    SERVE_EVERY = -2,          /* these and the uploaded archives */
    SERVE_CHOSEN_MAX = 64,     /* limit of the archives that a request chooses */
    SERVE_ARCHIVES_MAX = 2000, /* limit that keeps ids from being numbers: see serve_id_write */
    SERVE_PLIES_MAX = 1000,
    SERVE_SEARCHED_MAX = 40,  /* moves that an analysis considers */
    SERVE_GAMES_MAX = 10000,  /* limit of a page of /find as PGN or CSV, and of the games that are sorted */
    SERVE_NAMES_MAX = 100,    /* limit of /players */
    SERVE_CODES_MAX = 600,    /* limit of the moves whose codes are requested, in plies */
    SERVE_REPORT_MAX = 50000, /* limit of the games of /report */
    SERVE_ID_SIZE = 9
};

typedef struct serve_request {
    serve_endpoint endpoint;
    const serve_form *form; /* must remain valid */
    const tool_persons *persons;
    const char *operand; /* the rest of the path, after the endpoint: a game */
    stamma_position position;
    bool positioned;       /* the request names a position */
    stamma_position start; /* position before the moves that reach it */
    stamma_move played[SERVE_PLIES_MAX];
    size_t plies;
    bool nowhere;                  /* the variant is one of those whose games archives contain only as text */
    long archive;                  /* index from 0, or SERVE_ALL */
    long chosen[SERVE_CHOSEN_MAX]; /* several archives in ascending order, if there are two or more */
    size_t chosen_count;
    size_t moves, top_games, recent_games;
    bool flip; /* of a picture: Black is at the bottom */
    bool history, bits, openings, unnamed, count, stream;
    const char *sort; /* of a stream: "rating", "-date" ...; NULL: in the order of the archives */
    int color;        /* -1: none */
    uint64_t offset, limit, rows, game;
    size_t lines, depth, movetime; /* of an analysis; depth 0: any; milliseconds, 0: any */
    stamma_move searched[SERVE_SEARCHED_MAX];
    size_t searched_count; /* an analysis considers only these moves; 0: all */
    serve_format format;
    tool_buffer filters; /* all filters as JSON */
    stamma_query *query; /* `filters` as a query; NULL: all games */
} serve_request;

/* Returns the endpoint of a path, and stores the rest of the path as the operand (serve_answer.c). */
serve_endpoint serve_route(const char *path, const char **operand);

/* Reads the fields of the endpoint; unknown fields are ignored. Filters may name one of the persons. Returns false with
 * an error. Call serve_request_close in any case. */
bool serve_request_read(serve_request *request, serve_endpoint endpoint, const char *operand, const serve_form *form,
                        const tool_persons *persons, serve_fault *fault);
void serve_request_close(serve_request *request);

/* Parses the filters into request->query, including the position if it is a condition (serve_filter.c). */
bool serve_filter_read(serve_request *request, serve_fault *fault);
/* Parses a query, which may name persons. Returns false with an error. */
bool serve_filter_parse(const tool_persons *persons, stamma_text json, stamma_query **query, serve_fault *fault);

/* Writes the id of a game: 8 characters, the first of which is a letter, in base 62, from the numbers of the archive
 * and the game. */
void serve_id_write(long archive, uint64_t game, char out[SERVE_ID_SIZE]);
/* Returns false if the text is not an id. */
bool serve_id_read(const char *text, long *archive, uint64_t *game);

#endif
