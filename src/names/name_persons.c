/* SPDX-License-Identifier: MIT */
/* Players in lists. */
#include "names/names.h"

stamma_error stamma_names_add_person(stamma_names *n, const stamma_name_person *given)
{
    stamma_name_person p;
    stamma_error error = n && given ? stamma_options_read(given, &p, sizeof p) : STAMMA_ERROR_BAD_ARGUMENT;
    if (error)
        return error;
    if (n->found || !text_is_given(p.name) || p.name.size == 0 || !text_is_given(p.id) ||
        !text_is_given(p.federation) || !text_is_given(p.title))
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (!(n->fields & 1u << STAMMA_NAME_PLAYER))
        return STAMMA_OK;
    const uint32_t node = stamma_names_node(n, stamma_names_number(n, p.name), stamma_names_number(n, p.id));
    listed_person person = {.node = node,
                            .federation = stamma_names_number(n, p.federation),
                            .title = stamma_names_number(n, p.title),
                            .countries = {stamma_country_at(p.federation, 0), 0},
                            .born = p.born,
                            .rating = p.rating,
                            .rank = stamma_title_rank(p.title)};
    if (p.federation.size > 3)
        person.countries[1] = stamma_country_at(p.federation, p.federation.size - 3);
    if (n->persons.size == 0)
        buffer_add(&n->persons, &(listed_person){0}, sizeof person);
    if (node != 0) {
        nodes_of(n)[node].known = node;
        nodes_of(n)[node].person = (uint32_t)(n->persons.size / sizeof person);
        buffer_add(&n->persons, &person, sizeof person);
    }
    return stamma_names_state(n);
}

size_t stamma_names_player_count(const stamma_names *n)
{
    return n && n->found && node_count(n) > 0 ? node_count(n) - 1 : 0;
}

stamma_error stamma_names_player(const stamma_names *n, size_t index, stamma_name_player *player)
{
    if (!player || !stamma_result_has_size(player) || index >= stamma_names_player_count(n))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const player_node *all = nodes_of(n), *node = &all[index + 1], *group = &all[node->group];
    const stamma_name_player made = {.size = sizeof made,
                                     .name = name_text(n, node->text),
                                     .id = name_text(n, node->id),
                                     .to = name_text(n, group->target != 0 ? all[group->target].text : node->text),
                                     .player_id = name_text(n, group->player_id),
                                     .games = node->games,
                                     .group = node->group,
                                     .person = group->listed};
    stamma_result_write(&made, sizeof made, player);
    return STAMMA_OK;
}

stamma_error stamma_names_person(const stamma_names *n, uint32_t number, stamma_name_person *person)
{
    if (!n || !person || !stamma_result_has_size(person) || number == 0 ||
        number >= n->persons.size / sizeof(listed_person))
        return STAMMA_ERROR_BAD_ARGUMENT;
    const listed_person *p = &persons_of(n)[number];
    const player_node *node = &nodes_of(n)[p->node];
    const stamma_name_person made = {.size = sizeof made,
                                     .name = name_text(n, node->text),
                                     .id = name_text(n, node->id),
                                     .federation = name_text(n, p->federation),
                                     .title = name_text(n, p->title),
                                     .born = p->born,
                                     .rating = p->rating};
    stamma_result_write(&made, sizeof made, person);
    return STAMMA_OK;
}
