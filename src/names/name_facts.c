/* SPDX-License-Identifier: MIT */
/* What the tags of games say about players: years, titles and federations. */
#include "names/names.h"

/* ---- titles and countries ---- */

uint8_t stamma_title_rank(stamma_text title)
{
    static const char *const titles[] = {"WCM", "WFM", "CM", "WIM", "FM", "WGM", "IM", "GM"};
    enum { TITLES = sizeof titles / sizeof *titles };
    unsigned rank = 0;
    for (size_t at = 0, size; at < title.size; at += size + 1) {
        for (size = 0; at + size < title.size && title.data[at + size] != '+';)
            size++;
        for (unsigned n = 0; n < TITLES; n++)
            if (text_equal((stamma_text){title.data + at, size}, stamma_text_of(titles[n])) && n + 1 > rank)
                rank = n + 1;
    }
    return (uint8_t)rank;
}

uint16_t stamma_country_at(stamma_text text, size_t at)
{
    unsigned code = 0;
    for (size_t n = at; n < at + 3; n++) {
        if (n >= text.size || text.data[n] < 'A' || text.data[n] > 'Z')
            return 0;
        code = code << 5 | (unsigned)(text.data[n] - 'A' + 1);
    }
    return (uint16_t)code;
}

/* Returns the country at the end of a site, such as "Linares ESP". */
static uint16_t site_country(stamma_text site)
{
    return site.size > 4 && site.data[site.size - 4] == ' ' ? stamma_country_at(site, site.size - 3) : 0;
}

/* ---- facts of games ---- */

static uint16_t federation_of(const stamma_archive_game *game, unsigned color)
{
    static const char *const tags[][2] = {
        {"WhiteFederation", "BlackFederation"}, {"WhiteFed", "BlackFed"}, {"WhiteCountry", "BlackCountry"}};
    uint16_t code = 0;
    for (size_t n = 0; n < sizeof tags / sizeof *tags && code == 0; n++) {
        const stamma_text value = stamma_archive_game_tag(game, stamma_text_of(tags[n][color]));
        code = value.size == 3 ? stamma_country_at(value, 0) : 0;
    }
    return code;
}

/* Counts the country of a site. The country that remains has most sites if one of them has more than half of them. */
static void vote(player_facts *facts, uint16_t country, uint32_t votes)
{
    if (facts->country == country) {
        facts->country_votes += votes;
    } else if (votes > facts->country_votes) {
        facts->country = country;
        facts->country_votes = votes - facts->country_votes;
    } else {
        facts->country_votes -= votes;
    }
}

void stamma_facts_note(stamma_names *n, const stamma_archive_game *game, const uint32_t node[2])
{
    const uint8_t rank[2] = {stamma_title_rank(stamma_archive_game_tag(game, stamma_text_of("WhiteTitle"))),
                             stamma_title_rank(stamma_archive_game_tag(game, stamma_text_of("BlackTitle")))};
    const uint16_t country = site_country(stamma_archive_game_tag(game, stamma_text_of("Site")));
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++) {
        player_facts *facts = &nodes_of(n)[node[color]].facts;
        facts->title = rank[color] > facts->title ? rank[color] : facts->title;
        facts->untitled += rank[color] == 0 && rank[!color] > 0;
        facts->federation = facts->federation != 0 ? facts->federation : federation_of(game, color);
        if (country != 0)
            vote(facts, country, 1);
    }
}

void stamma_facts_add(player_facts *facts, const player_facts *more)
{
    if (more->first_year != 0 && (facts->first_year == 0 || more->first_year < facts->first_year))
        facts->first_year = more->first_year;
    facts->last_year = more->last_year > facts->last_year ? more->last_year : facts->last_year;
    facts->title = more->title > facts->title ? more->title : facts->title;
    facts->untitled += more->untitled;
    facts->federation = facts->federation != 0 ? facts->federation : more->federation;
    if (more->country != 0)
        vote(facts, more->country, more->country_votes);
}
