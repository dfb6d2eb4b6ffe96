/* SPDX-License-Identifier: MIT */
/* Fuzz target: the requests of `stamma serve`. The first byte of the input selects the endpoint and the kind of the
 * body. The query string of the URL follows, then a line feed and the body. A rejected request must have a status
 * and a message. An accepted request must be within the limits. */
#include "answering/serve_request.h"
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

void fuzz_input(const uint8_t *data, size_t size)
{
    serve_form form = {.count = 0};
    serve_fault fault = {.status = 0};
    serve_request *request = calloc(1, sizeof *request);
    const char *text = (const char *)data + 1;
    if (size == 0 || !request) {
        free(request);
        return;
    }
    const char *end = memchr(text, '\n', size - 1);
    size_t fields = end ? (size_t)(end - text) : size - 1, body = end ? size - 2 - fields : 0;
    bool right = serve_form_add(&form, text, fields, &fault);
    if (right && end)
        right = data[0] & 0x80 ? serve_form_add_value(&form, "query", end + 1, body, &fault)
                               : serve_form_add(&form, end + 1, body, &fault);
    check_fields(&form);
    const char *operand = form.count > 0 ? form.fields[0].value : "";
    check_id(operand);
    if (right)
        right = serve_request_read(request, (serve_endpoint)(data[0] % SERVE_ENDPOINTS), operand, &form, &fault);
    if (right)
        check_request(request);
    else
        check_fault(&fault);
    demand(right == (fault.status == 0));
    serve_request_close(request);
    serve_form_free(&form);
    free(request);
}
