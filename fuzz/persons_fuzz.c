/* SPDX-License-Identifier: MIT */
/* Fuzz target: files of persons. A rejected text must have the number of an existing line and a message. Each person
 * that is accepted must be found by the id, and the conditions for the games must be valid queries. */
#include "games/persons.h"
#include "target.h"

const work_limit fuzz_limit = {.fixed = 400000, .per_byte = 40000};

static void check_condition(const tool_persons *p, size_t person, const char *rule)
{
    tool_buffer json = {NULL, 0, 0, false};
    stamma_query *query = NULL;
    tool_persons_put(p, person, rule, &json);
    demand(!json.failed);
    demand(stamma_query_parse((stamma_text){json.bytes, json.size}, NULL, NULL, &query) == STAMMA_OK);
    stamma_query_close(query);
    tool_buffer_free(&json);
}

static void check_person(const tool_persons *p, size_t person)
{
    char why[64];
    demand(tool_persons_with_id(p, p->list[person].id) == person);
    demand(tool_persons_find(p, p->list[person].id, why, sizeof why) == person);
    demand(tool_persons_name(p, person).size > 0);
    check_condition(p, person, "player");
    check_condition(p, person, "black");
}

void fuzz_input(const uint8_t *data, size_t size)
{
    enum { CHECKED = 4 }; /* persons and names: each condition contains all names of a person */
    tool_persons persons = {.count = 0};
    tool_persons_problem problem;
    char why[320];
    char *text = malloc(size + 1), *again = malloc(size + 1);
    size_t lines = 1;
    demand(text && again);
    for (size_t n = 0; n < size; n++) {
        text[n] = data[n] ? (char)data[n] : ' ';
        lines += text[n] == '\n';
    }
    text[size] = 0;
    memcpy(again, text, size + 1);
    const bool right = tool_persons_add(&persons, text, &problem);
    if (!right)
        demand(problem.line > 0 && problem.line <= lines && problem.message[0]);
    for (size_t n = 0; n < persons.count && n < CHECKED && right; n++)
        check_person(&persons, n);
    for (size_t n = 0; n < persons.line_count && n < CHECKED && right; n++)
        demand(tool_persons_find(&persons, persons.lines[n].value, why, sizeof why) <= persons.count);
    if (right) { /* the same persons in another file add no person that is found */
        demand(tool_persons_add(&persons, again, &problem));
        for (size_t n = 0; n < persons.line_count; n++)
            demand(persons.lines[n].person < persons.count / 2 || persons.count == 0);
    } else {
        free(again);
    }
    tool_persons_close(&persons);
}
