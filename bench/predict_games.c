/* SPDX-License-Identifier: MIT */
/* Measures the size of games' moves under the predictor, and its speed.
 *
 * usage: predict_games NAME GAMES <games.pgn     run by predict.sh
 *
 * Predicts each move of the first GAMES games on standard input that begin in the initial position, with the ratings,
 * time control, result and length from the tags. Prints bits per ply in total, by ply, by mean rating, and without
 * context. Then prints plies per second of processor time, for the prediction only. */
#include "bench.h"

#include <math.h>

enum { PLIES_MAX = 2048, PLY_BUCKETS = 8, RATING_BUCKETS = 7, RATING_LOW = 1000, RATING_STEP = 300 };

typedef struct tally {
    double bits;
    unsigned long long plies;
} tally;

static tally all, blind, by_ply[PLY_BUCKETS], by_rating[RATING_BUCKETS];
static double seconds;
static const unsigned ply_limits[PLY_BUCKETS] = {10, 20, 30, 40, 60, 80, 120, PLIES_MAX};

typedef struct game {
    stamma_move moves[PLIES_MAX];
    size_t plies;
    stamma_game_context context;
    char time_control[32]; /* memory for the context's text */
    bool other;            /* another start, or an error in the moves */
} game;

static bool is(stamma_text text, const char *name)
{
    return text.size == strlen(name) && memcmp(text.data, name, text.size) == 0;
}

static void take_tag(game *g, const stamma_pgn_event *e)
{
    if (is(e->text, "WhiteElo"))
        g->context.white_rating = (uint16_t)stamma_rating_read(e->value);
    else if (is(e->text, "BlackElo"))
        g->context.black_rating = (uint16_t)stamma_rating_read(e->value);
    else if (is(e->text, "TimeControl")) {
        (void)snprintf(g->time_control, sizeof g->time_control, "%.*s", (int)e->value.size, e->value.data);
        g->context.time_control = stamma_text_of(g->time_control);
    } else if (is(e->text, "FEN"))
        g->other = true;
}

static void take_result(game *g, stamma_text text)
{
    g->context.result = stamma_result_read(text);
}

static void add(tally *t, double bits)
{
    t->bits += bits;
    t->plies++;
}

static tally *rating_tally(const stamma_game_context *c)
{
    unsigned mean = (c->white_rating + c->black_rating) / 2u;
    unsigned bucket = mean < RATING_LOW ? 0 : 1 + (mean - RATING_LOW) / RATING_STEP;
    return &by_rating[bucket < RATING_BUCKETS ? bucket : RATING_BUCKETS - 1];
}

static void measure(game *g)
{
    static uint32_t frequencies[PLIES_MAX], unknown[PLIES_MAX];
    stamma_position start = stamma_position_start();
    g->context.plies = (uint32_t)g->plies;
    double begun = bench_processor();
    stamma_error error = stamma_predict_game(&start, g->moves, g->plies, &g->context, frequencies);
    seconds += bench_processor() - begun;
    if (!error)
        error = stamma_predict_game(&start, g->moves, g->plies, NULL, unknown);
    bench_check("predict_games", error);
    bool rated = g->context.white_rating && g->context.black_rating;
    for (size_t n = 0; n < g->plies; n++) {
        double bits = log2((double)STAMMA_PREDICT_TOTAL / frequencies[n]);
        unsigned bucket = 0;
        while (n >= ply_limits[bucket])
            bucket++;
        add(&all, bits);
        add(&by_ply[bucket], bits);
        if (rated)
            add(rating_tally(&g->context), bits);
        add(&blind, log2((double)STAMMA_PREDICT_TOTAL / unknown[n]));
    }
}

static unsigned long read_games(unsigned long limit)
{
    static game g;
    unsigned long games = 0;
    stamma_pgn_reader *reader;
    stamma_pgn_event e;
    stamma_pgn_options options = {.size = sizeof options};
    const stamma_input input = {.context = stdin, .read = bench_read};
    if (stamma_pgn_reader_open(&input, &options, &reader))
        return 0;
    while (games < limit && stamma_pgn_reader_next(reader, &e) == STAMMA_OK && e.kind != STAMMA_PGN_END) {
        switch (e.kind) {
        case STAMMA_PGN_GAME_BEGIN: g = (game){.context = {.size = sizeof g.context}}; break;
        case STAMMA_PGN_TAG: take_tag(&g, &e); break;
        case STAMMA_PGN_MOVE:
            if (e.depth == 0) {
                g.other |= e.error || g.plies == PLIES_MAX;
                if (!g.other)
                    g.moves[g.plies++] = e.move;
            }
            break;
        case STAMMA_PGN_RESULT:
            if (e.depth == 0)
                take_result(&g, e.text);
            break;
        case STAMMA_PGN_GAME_END:
            if (!g.other && g.plies > 0) {
                measure(&g);
                games++;
            }
            break;
        default: break;
        }
    }
    stamma_pgn_reader_close(reader);
    return games;
}

static double mean(const tally *t)
{
    return t->plies ? t->bits / (double)t->plies : 0;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        puts("predict_games: see predict.sh");
        return 0;
    }
    unsigned long games = read_games(strtoul(arguments[2], NULL, 10));
    printf("%s: %lu games, %llu plies: %.4f bits a ply; %.4f with nothing known of the game; %.0f plies a second\n",
           arguments[1], games, all.plies, mean(&all), mean(&blind), seconds > 0 ? (double)all.plies / seconds : 0);
    printf("  by ply:   ");
    for (unsigned n = 0; n < PLY_BUCKETS; n++)
        printf(" <%u %.3f", ply_limits[n], mean(&by_ply[n]));
    printf("\n  by rating:");
    for (unsigned n = 0; n < RATING_BUCKETS; n++)
        if (by_rating[n].plies)
            printf(" %u+ %.3f", n ? RATING_LOW + (n - 1) * RATING_STEP : 0, mean(&by_rating[n]));
    printf("\n");
    return 0;
}
