/* SPDX-License-Identifier: MIT */
/* Fuzz target: the requests of `stamma serve`. The first line of the input is a path and, after a question mark, the
 * fields of the URL. The second line is the media type of the body (empty: none), and the body follows. A rejected
 * request must have a status and a message. An accepted request must be within the limits. Requests to decode a value
 * are also answered: they need no archive. */
#include "answering/serve_answers.h"
#include "target.h"

/* Checks that each field has a value and is found by its name. */
static void check_fields(const serve_form *form)
{
    demand(form->count <= SERVE_FIELDS);
    for (size_t i = 0; i < form->count; i++) {
        demand(form->fields[i].value[0] != 0);
        demand(serve_form_value(form, form->fields[i].name) != NULL);
    }
}

static bool has_position(serve_endpoint endpoint)
{
    switch (endpoint) {
    case SERVE_MASTERS:
    case SERVE_LICHESS:
    case SERVE_HISTORY:
    case SERVE_PLAYER:
    case SERVE_ORDERS:
    case SERVE_FIND:
    case SERVE_STATS:
    case SERVE_LINE:
    case SERVE_TABLEBASE:
    case SERVE_ENGINE:
    case SERVE_BOARD:
    case SERVE_ENCODE:
    case SERVE_SIZES:
    case SERVE_DECODE: return true;
    default: return false;
    }
}

static void check_request(const serve_request *r)
{
    stamma_setup setup = stamma_position_setup(&r->position);
    bool explores = r->endpoint <= SERVE_PLAYER;
    demand(r->nowhere || !has_position(r->endpoint) || stamma_setup_problems(&setup) == 0);
    demand(r->endpoint < SERVE_ENCODE || r->endpoint > SERVE_DECODE || r->plies <= SERVE_CODES_MAX);
    demand(r->plies <= SERVE_PLIES_MAX && r->archive >= SERVE_ALL && r->archive <= SERVE_ARCHIVES_MAX);
    demand(r->color >= -1 && r->color <= 1 && r->limit <= SERVE_GAMES_MAX);
    demand(!explores || (r->moves <= STAMMA_MOVES_MAX && r->top_games <= 15 && r->recent_games <= 8));
    demand(r->endpoint != SERVE_PLAYER || r->query);
}

static void check_fault(const serve_fault *fault)
{
    demand(fault->status >= 400 && fault->status < 600);
    demand(fault->message[0] && memchr(fault->message, 0, sizeof fault->message));
}

/* Checks that an ID which can be read is written identically. */
static void check_id(const char *text)
{
    char id[SERVE_ID_SIZE];
    long archive;
    uint64_t game;
    if (!serve_id_read(text, &archive, &game))
        return;
    serve_id_write(archive, game, id);
    demand(strcmp(id, text) == 0 && strspn(id, "0123456789") < SERVE_ID_SIZE - 1);
}

const work_limit fuzz_limit = {.fixed = 50000, .per_byte = 2000};
enum { DECODING_FIXED = 1000000, DECODING_PER_BYTE = 20000 }; /* as in codec_fuzz.c */

/* Answers a request to decode. Returns false with an error. The limit of the work is that of decoding a game. */
static bool decode(serve_exchange *x, size_t size)
{
    limit_work(DECODING_FIXED + DECODING_PER_BYTE * (uint64_t)size);
    const bool right = serve_decode(x);
    demand(!right || x->body.size == 0 || x->body.bytes[x->body.size - 1] == '\n');
    return right;
}

/* Ends a line with a zero, and returns it. Stores its size without the line feed, and advances *at beyond both. */
static char *take_line(char **at, const char *end, size_t *size)
{
    char *line = *at, *feed = memchr(line, '\n', (size_t)(end - line));
    *size = feed ? (size_t)(feed - line) : (size_t)(end - line);
    *at = line + *size + (feed != NULL);
    line[*size] = 0;
    return line;
}

/* Adds the fields of the URL, which begin after the path, and of the body. Returns false with an error. */
static bool add_fields(serve_exchange *x, char *input, size_t size)
{
    const char *end = input + size;
    char *at = input;
    size_t line, type_size;
    (void)take_line(&at, end, &line);
    const size_t path = strcspn(input, "?");
    const char *type = take_line(&at, end, &type_size);
    input[path] = 0;
    return (path >= line || serve_form_add(&x->form, input + path + 1, line - path - 1, &x->fault)) &&
           serve_form_add_body(&x->form, type_size > 0 ? type : NULL, at, (size_t)(end - at), &x->fault);
}

/* Returns the persons that filters may name. */
static const tool_persons *known_persons(void)
{
    static tool_persons persons;
    tool_persons_problem problem;
    if (persons.count > 0)
        return &persons;
    char *text = strdup("[a]\nname = A\naccount = b @ c\nname = B @ 1\n");
    demand(text && tool_persons_add(&persons, text, &problem));
    return &persons;
}

void fuzz_input(const uint8_t *data, size_t size)
{
    static serve_exchange x;
    const char *operand;
    char *input = malloc(size + 1);
    demand(input != NULL);
    if (size > 0)
        memcpy(input, data, size);
    input[size] = 0;
    serve_exchange_open(&x, NULL, &(serve_receiver){.context = NULL});
    bool right = add_fields(&x, input, size);
    check_fields(&x.form);
    const serve_endpoint endpoint = serve_route(input, &operand);
    check_id(operand);
    right = right && serve_request_read(&x.request, endpoint, operand, &x.form, known_persons(), &x.fault);
    if (right)
        check_request(&x.request);
    if (right && endpoint == SERVE_DECODE)
        right = decode(&x, size);
    if (!right)
        check_fault(&x.fault);
    demand(right == (x.fault.status == 0));
    serve_exchange_close(&x);
    free(input);
}
