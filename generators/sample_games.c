/* SPDX-License-Identifier: MIT */
/* Samples games from the move predictor, to measure with collections larger than those that exist.
 *
 * usage: sample_games --games N [OPTION...] >games.pgn
 *
 *   --kind otb|online  games over the board (default), or of a server: user names, UTC times, rating changes
 *   --seed N           number of the collection; default 1
 *   --games N          number of games to write
 *   --start N          number of the first game, from 0 (default)
 *   --total N          games of the complete collection, over which the dates are spread; default: start + games
 *   --players N        number of players; default: an eighth of the total, at least 1,000 and at most 400,000
 *   --clocks           writes a comment with the clock after each move
 *   --plain            draws moves with the predictor's frequencies, without the changes that sample_moves.h describes
 *
 * A game depends only on its number and on --kind, --seed, --total, --players, --clocks and --plain. Several processes
 * can therefore write parts of a collection: `sample_games --total 2000 --games 1000` and `sample_games --total 2000
 * --games 1000 --start 1000` write the two halves of `sample_games --games 2000`. All arithmetic is integer arithmetic:
 * a collection has the same bytes on every machine. doc/explain/measurements.md compares the games with real games. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample_events.h"
#include "sample_moves.h"
#include "sample_outcome.h"
#include "sample_players.h"
#include "sample_random.h"
#include "stamma.h"

enum { OPENING_PLIES = 40, OUT_OF_TIME = 250 /* of 1,000 decided games of a server */, RATING_CHANGE = 12 };

typedef struct options {
    bool online, clocks, plain;
    uint64_t seed, start, games, total, players;
} options;

typedef struct game {
    uint64_t number;
    random_state random;
    meeting meeting;
    int rating[2];
    stamma_result result;
    bool out_of_time;
    sampled_moves moves;
} game;

static options chosen = {.seed = 1};
static pool people;
static event tournament = {.number = UINT64_MAX};
static stamma_pgn_writer *writer;

static void check(stamma_error error)
{
    if (error != STAMMA_OK) {
        fprintf(stderr, "sample_games: %s\n", stamma_error_text(error));
        exit(1);
    }
}

/* ---- the game ---- */

static void meet(game *g)
{
    if (chosen.online) {
        meet_online(&g->meeting, &people, g->number, chosen.total, &g->random);
    } else {
        if (tournament.number != g->number / EVENT_GAMES)
            begin_event(&tournament, &people, g->number / EVENT_GAMES, chosen.total);
        meet_in_event(&g->meeting, &tournament, g->number);
    }
    for (unsigned n = 0; n < 2; n++)
        g->rating[n] = player_rating(&people, g->meeting.player[n], g->meeting.day / 30);
}

static void set_result(game *g)
{
    if (g->moves.status == STAMMA_STATUS_CHECKMATE)
        g->result = g->moves.plies % 2 == 1 ? STAMMA_RESULT_WHITE : STAMMA_RESULT_BLACK;
    else if (is_over(&g->moves))
        g->result = STAMMA_RESULT_DRAW;
    g->out_of_time =
        !is_over(&g->moves) && g->result != STAMMA_RESULT_DRAW && random_below(&g->random, CHANCE_ONE) < OUT_OF_TIME;
}

/* Draws the result, the number of plies, and the moves, which are predicted with both as context. If the rules end the
 * game earlier, the last position determines the result. Over the board the time control is not a part of the context,
 * because the games that the predictor was trained with have none. */
static void draw_game(game *g)
{
    const kind_facts *facts = chosen.online ? &online_facts : &otb_facts;
    g->result = draw_result(facts, &g->random, g->rating[0], g->rating[1]);
    const stamma_game_context context = {.size = sizeof context,
                                         .white_rating = (uint16_t)g->rating[0],
                                         .black_rating = (uint16_t)g->rating[1],
                                         .time_control = stamma_text_of(chosen.online ? g->meeting.control->text : ""),
                                         .result = g->result,
                                         .plies = draw_plies(facts, &g->random, g->result)};
    const move_style *style = chosen.plain ? &plain_style : chosen.online ? &online_style : &otb_style;
    const move_plan plan = {context, style, random_below(&g->random, style->theory_plies), &g->random};
    draw_moves(&g->moves, &plan);
    set_result(g);
}

/* ---- the tags ---- */

static void tag(const char *name, const char *value)
{
    check(stamma_pgn_writer_tag(writer, stamma_text_of(name), stamma_text_of(value)));
}

static void tag_number(const char *name, int value)
{
    char text[TEXT_SIZE];
    (void)snprintf(text, sizeof text, "%d", value);
    tag(name, text);
}

/* Writes the tags of the last position of the game that the table of openings contains. */
static void tag_opening(const sampled_moves *moves)
{
    char text[TEXT_SIZE];
    stamma_text eco, name;
    uint32_t plies = moves->plies < OPENING_PLIES ? moves->plies : OPENING_PLIES;
    while (plies > 0 && !stamma_position_opening(&moves->position[plies], &eco, &name))
        plies--;
    (void)snprintf(text, sizeof text, "%.*s", plies ? (int)eco.size : 1, plies ? eco.data : "?");
    tag("ECO", text);
    (void)snprintf(text, sizeof text, "%.*s", plies ? (int)name.size : 1, plies ? name.data : "?");
    if (chosen.online)
        tag("Opening", text);
}

static void tag_players(const game *g)
{
    char name[NAME_SIZE];
    write_name(&people, g->meeting.player[0], name);
    tag("White", name);
    write_name(&people, g->meeting.player[1], name);
    tag("Black", name);
    tag("Result", stamma_result_text(g->result));
}

static void tag_otb_game(const game *g)
{
    char date[TEXT_SIZE], round[TEXT_SIZE];
    unsigned place = (unsigned)(g->number % EVENT_GAMES);
    write_date(g->meeting.day, date);
    (void)snprintf(round, sizeof round, "%u.%u", place / EVENT_BOARDS + 1, place % EVENT_BOARDS + 1);
    tag("Event", tournament.name);
    tag("Site", tournament.site);
    tag("Date", date);
    tag("Round", round);
    tag_players(g);
    tag_number("WhiteElo", g->rating[0]);
    tag_number("BlackElo", g->rating[1]);
    tag_opening(&g->moves);
    tag("TimeControl", g->meeting.control->text);
}

/* Writes a link with eight digits in base 36 that look random and are different for each number: a Feistel network of
 * the upper and the lower four digits. */
static void tag_link(uint64_t number)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    const uint64_t half = 36 * 36 * 36 * 36;
    char text[] = "https://games.example/00000000";
    uint64_t upper = number / half % half, lower = number % half;
    for (unsigned round = 0; round < 4; round++) {
        uint64_t next = (upper + random_mix(random_mix(chosen.seed + round) + lower)) % half;
        upper = lower;
        lower = next;
    }
    uint64_t left = upper * half + lower;
    for (char *at = text + sizeof text - 2; left > 0; at--, left /= 36)
        *at = digits[left % 36];
    tag("Site", text);
}

static void tag_rating_changes(const game *g)
{
    int score = g->result == STAMMA_RESULT_WHITE ? CHANCE_ONE : g->result == STAMMA_RESULT_DRAW ? CHANCE_ONE / 2 : 0;
    int change = RATING_CHANGE * (score - expected_score(g->rating[0] - g->rating[1])) / CHANCE_ONE;
    char text[TEXT_SIZE];
    (void)snprintf(text, sizeof text, "%+d", change);
    tag("WhiteRatingDiff", text);
    (void)snprintf(text, sizeof text, "%+d", -change);
    tag("BlackRatingDiff", text);
}

static void tag_online_game(const game *g)
{
    char text[TEXT_SIZE], date[TEXT_SIZE];
    unsigned second = g->meeting.second;
    write_date(g->meeting.day, date);
    (void)snprintf(text, sizeof text, "Rated %s game", g->meeting.control->speed);
    tag("Event", text);
    tag_link(g->number);
    tag("Date", date);
    tag("Round", "-");
    tag_players(g);
    tag("UTCDate", date);
    (void)snprintf(text, sizeof text, "%02u:%02u:%02u", second / 3600, second / 60 % 60, second % 60);
    tag("UTCTime", text);
    tag_number("WhiteElo", g->rating[0]);
    tag_number("BlackElo", g->rating[1]);
    tag_rating_changes(g);
    tag("TimeControl", g->meeting.control->text);
    tag_opening(&g->moves);
    tag("Termination", g->out_of_time ? "Time forfeit" : "Normal");
}

/* ---- the movetext ---- */

/* Subtracts a thinking time: on average a fortieth of the time left and most of the increment. A quarter of the moves
 * are much faster. Returns the time left, in seconds. */
static uint32_t think(random_state *r, const time_control *control, uint32_t left, uint32_t ply)
{
    uint32_t mean = left / 40 + control->increment * 7 / 8, chance = random_below(r, 1024);
    uint32_t used = ply < 8 || chance < 256 ? mean * chance / 2048 : mean * (chance * chance >> 10) / 341;
    return left - (used < left ? used : left > 0 ? left - 1 : 0) + control->increment;
}

static void write_clock(uint32_t seconds)
{
    char text[TEXT_SIZE];
    (void)snprintf(text, sizeof text, " [%%clk %u:%02u:%02u] ", (unsigned)(seconds / 3600),
                   (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
    check(stamma_pgn_writer_comment(writer, stamma_text_of(text)));
}

static void write_game(game *g)
{
    const time_control *control = g->meeting.control;
    uint32_t left[2] = {control->base, control->base};
    if (chosen.online)
        tag_online_game(g);
    else
        tag_otb_game(g);
    for (uint32_t n = 0; n < g->moves.plies; n++) {
        check(stamma_pgn_writer_move(writer, g->moves.move[n]));
        if (chosen.clocks)
            write_clock(left[n % 2] = think(&g->random, control, left[n % 2], n));
    }
    check(stamma_pgn_writer_result(writer, stamma_text_of(stamma_result_text(g->result))));
}

/* ---- options ---- */

static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0';
}

/* Reads an option that has a value. */
static bool read_value(const char *name, const char *value)
{
    if (strcmp(name, "--kind") == 0) {
        chosen.online = strcmp(value, "online") == 0;
        return chosen.online || strcmp(value, "otb") == 0;
    }
    uint64_t *number = strcmp(name, "--seed") == 0      ? &chosen.seed
                       : strcmp(name, "--start") == 0   ? &chosen.start
                       : strcmp(name, "--games") == 0   ? &chosen.games
                       : strcmp(name, "--total") == 0   ? &chosen.total
                       : strcmp(name, "--players") == 0 ? &chosen.players
                                                        : NULL;
    return number && read_number(value, number);
}

static bool read_options(int count, char **arguments)
{
    const uint64_t limit = UINT64_C(1) << 40;
    for (int n = 1; n < count; n++) {
        if (strcmp(arguments[n], "--clocks") == 0)
            chosen.clocks = true;
        else if (strcmp(arguments[n], "--plain") == 0)
            chosen.plain = true;
        else if (n + 1 == count || !read_value(arguments[n], arguments[n + 1]))
            return false;
        else
            n++;
    }
    if (chosen.start > limit || chosen.games > limit || chosen.total > limit)
        return false;
    if (chosen.total == 0)
        chosen.total = chosen.start + chosen.games;
    if (chosen.players == 0)
        chosen.players = chosen.total < 8000 ? 1000 : chosen.total < 3200000 ? chosen.total / 8 : 400000;
    return chosen.start + chosen.games <= chosen.total && chosen.players >= 100 && chosen.players <= PLAYERS_MAX;
}

static bool write_output(void *context, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, (FILE *)context) == size;
}

int main(int count, char **arguments)
{
    static game g;
    const stamma_output output = {.context = stdout, .write = write_output};
    if (count == 1) {
        puts("sample_games: writes games with --games N; the options are in generators/sample_games.c");
        return 0;
    }
    if (!read_options(count, arguments) || !pool_open(&people, chosen.seed, chosen.online, (uint32_t)chosen.players)) {
        fprintf(stderr, "sample_games: invalid options (see generators/sample_games.c), or out of memory\n");
        return 1;
    }
    const stamma_pgn_writer_options style = {.size = sizeof style, .line_width = chosen.online ? UINT32_MAX : 79};
    check(stamma_pgn_writer_open(&output, &style, &writer));
    for (g.number = chosen.start; g.number < chosen.start + chosen.games; g.number++) {
        g.random = random_begin(chosen.seed, RANDOM_GAME, g.number);
        meet(&g);
        draw_game(&g);
        write_game(&g);
    }
    stamma_pgn_writer_close(writer);
    free(people.sum);
    return fflush(stdout) == 0 ? 0 : 1;
}
