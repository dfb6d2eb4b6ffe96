/* SPDX-License-Identifier: MIT */
/* Trains the move predictor: a network and tables of weights (src/model/model.h) by stochastic gradient descent. Each
 * step uses one position of each of many games. The result depends only on the games, the options and the seed, not on
 * the number of threads.
 *
 * usage: train OUT STEPS RATE HASHED_RATE THREADS FROM GAMES...      FROM: weights to continue from, or "-"
 *
 * RATE is the rate of Adam, without momentum; it decreases by a cosine to one fiftieth. HASHED_RATE is the rate of
 * AdaGrad for the hashed tables; it decreases to one tenth. GAMES are written by prepare_games. Every 500 steps the
 * weights are saved and the mean bits per ply since the last report are printed. export_weights converts the weights to
 * the library's integers. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <pthread.h>

#include "games.h"
#include "model/model.h"

enum {
    BATCH = 2048,
    DENSE = PREDICT_EXCHANGES + PREDICT_RETURNS + PREDICT_DISTANCES,
    REPORT = 500,
    WARM_UP = 200,
    HIDE = 16 /* one in this number of games is learned without its context */
};
#define SMALL \
    0.03f /* smaller gradients are rounded at random to this size or to 0: dropping them would bias the network */

const char program[] = "train";

typedef float units[PREDICT_UNITS];
typedef float outputs[PREDICT_OUTPUTS];

/* Rows of weights, second moments of their gradients, and the number of updates of each row. */
static units *first, *first_moment; /* one row per input; the last is the bias */
static uint32_t first_updates[PREDICT_INPUTS + 1];
static outputs second[PREDICT_PAIRS + 1], second_moment[PREDICT_PAIRS + 1]; /* the last is the bias */
static uint32_t second_updates[PREDICT_PAIRS + 1];
static outputs *vectors, *vector_moment;
static uint32_t vector_updates[2 * PREDICT_VECTORS];
static float dense[DENSE], dense_gradient[DENSE], dense_moment[DENSE];
static float bias[2 * PREDICT_VECTORS], bias_gradient[2 * PREDICT_VECTORS], bias_moment[2 * PREDICT_VECTORS];
typedef struct cell {
    float weight, squares;
} cell;
static cell *hashed[PREDICT_HASHED];

/* One position of a step, and its results. */
typedef struct lesson {
    predict_features features;
    bool taught; /* there was more than one legal move */
    float bits;
    float sums[PREDICT_UNITS], products[PREDICT_PAIRS], before[PREDICT_OUTPUTS], out[PREDICT_OUTPUTS];
    float logits[STAMMA_MOVES_MAX];
    uint32_t slots[STAMMA_MOVES_MAX][PREDICT_HASHED];
    float of_sums[PREDICT_UNITS], of_before[PREDICT_OUTPUTS]; /* gradients */
    float of_move[STAMMA_MOVES_MAX];                          /* 0: no gradient */
} lesson;

/* A game being replayed. */
typedef struct player {
    const game_head *head;
    size_t next; /* index of the next game, in the shuffled order */
    stamma_position position;
    predict_game game;
    uint32_t played;
    uint64_t random;
} player;

static lesson *lessons;
static player players[BATCH];
static game_list games;
static float rate, hashed_rate;
static unsigned thread_count;
static pthread_barrier_t barrier;
static bool done;

/* ---- games ---- */

static void begin_game(player *p)
{
    p->head = games.games[p->next % games.count];
    p->next += BATCH;
    predict_context context = {
        {p->head->ratings[0], p->head->ratings[1]}, p->head->time, p->head->result, p->head->plies};
    if (next_random(&p->random) % HIDE == 0)
        context = (predict_context){{0, 0}, 0, 0, 0};
    p->position = stamma_position_start();
    stamma_predict_begin(&p->game, &context, &p->position);
    p->played = 0;
}

static void play_move(player *p)
{
    stamma_move move = moves_of(p->head)[p->played++];
    stamma_predict_play(&p->game, &p->position, move);
    stamma_position_make(&p->position, move, &p->position);
}

/* Starts each player at a different ply of its first game, so that every step includes all phases of games. */
static void begin_players(void)
{
    for (size_t n = 0; n < BATCH; n++) {
        player *p = &players[n];
        p->next = n;
        p->random = n * 2 + 1;
        begin_game(p);
        for (uint64_t left = next_random(&p->random) % p->head->plies; left > 0; left--)
            play_move(p);
    }
}

/* ---- forward pass ---- */

static float within_one(float x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static void find_outputs(lesson *l)
{
    memcpy(l->sums, first[PREDICT_INPUTS], sizeof l->sums);
    for (unsigned k = 0; k < l->features.inputs; k++) {
        const float *row = first[l->features.input[k]];
        for (unsigned j = 0; j < PREDICT_UNITS; j++)
            l->sums[j] += row[j];
    }
    for (unsigned j = 0; j < PREDICT_PAIRS; j++)
        l->products[j] = within_one(l->sums[j]) * within_one(l->sums[j + PREDICT_PAIRS]);
    memcpy(l->before, second[PREDICT_PAIRS], sizeof l->before);
    for (unsigned j = 0; j < PREDICT_PAIRS; j++)
        for (unsigned q = 0; q < PREDICT_OUTPUTS; q++)
            l->before[q] += l->products[j] * second[j][q];
    for (unsigned q = 0; q < PREDICT_OUTPUTS; q++)
        l->out[q] = within_one(l->before[q]) * within_one(l->before[q]);
}

static float logit_of(lesson *l, unsigned n)
{
    const predict_move *m = &l->features.move[n];
    float logit = bias[m->vector] + dense[m->exchange] + dense[PREDICT_EXCHANGES + m->back] +
                  dense[PREDICT_EXCHANGES + PREDICT_RETURNS + m->distance];
    const float *vector = vectors[m->vector];
    for (unsigned q = 0; q < PREDICT_OUTPUTS; q++)
        logit += l->out[q] * vector[q];
    uint32_t spread = stamma_predict_spread[m->vector % PREDICT_VECTORS];
    for (unsigned k = 0; k < PREDICT_HASHED; k++) {
        uint32_t context = l->features.contexts[k], row = context >> (32 - predict_hashed_bits[k]) & ~UINT32_C(255);
        l->slots[n][k] = row | (spread >> (context & 15) & 255);
        logit += hashed[k][l->slots[n][k]].weight;
    }
    return logit;
}

/* Replaces the logits by probabilities. */
static void find_probabilities(lesson *l)
{
    float best = -1e30f, sum = 0;
    for (unsigned n = 0; n < l->features.moves; n++) {
        l->logits[n] = logit_of(l, n);
        best = l->logits[n] > best ? l->logits[n] : best;
    }
    for (unsigned n = 0; n < l->features.moves; n++)
        sum += l->logits[n] = expf(l->logits[n] - best);
    for (unsigned n = 0; n < l->features.moves; n++)
        l->logits[n] /= sum;
}

/* ---- backward pass: separate for each lesson ---- */

static void find_gradients(lesson *l, unsigned played, uint64_t *random)
{
    outputs of_out = {0};
    for (unsigned n = 0; n < l->features.moves; n++) {
        float d = l->logits[n] - (n == played), size = fabsf(d);
        const float *vector = vectors[l->features.move[n].vector];
        for (unsigned q = 0; q < PREDICT_OUTPUTS; q++)
            of_out[q] += d * vector[q];
        if (size < SMALL)
            d = uniform(random) * SMALL >= size ? 0 : d < 0 ? -SMALL : SMALL;
        l->of_move[n] = d;
    }
    for (unsigned q = 0; q < PREDICT_OUTPUTS; q++)
        l->of_before[q] = l->before[q] > 0 && l->before[q] < 1 ? 2 * l->before[q] * of_out[q] : 0;
    for (unsigned j = 0; j < PREDICT_PAIRS; j++) {
        float of_product = 0, a = l->sums[j], b = l->sums[j + PREDICT_PAIRS];
        for (unsigned q = 0; q < PREDICT_OUTPUTS; q++)
            of_product += second[j][q] * l->of_before[q];
        l->of_sums[j] = a > 0 && a < 1 ? of_product * within_one(b) : 0;
        l->of_sums[j + PREDICT_PAIRS] = b > 0 && b < 1 ? of_product * within_one(a) : 0;
    }
}

static void learn(lesson *l, player *p)
{
    if (p->played >= p->head->plies)
        begin_game(p);
    stamma_predict_features(&p->game, &p->position, &l->features);
    stamma_move move = moves_of(p->head)[p->played];
    unsigned played = 0;
    while (played < l->features.moves && l->features.move[played].move != move)
        played++;
    if (played == l->features.moves)
        fail("an illegal move");
    l->taught = l->features.moves > 1;
    l->bits = 0;
    if (l->taught) {
        find_outputs(l);
        find_probabilities(l);
        l->bits = -log2f(l->logits[played] + 1e-9f);
        find_gradients(l, played, &p->random);
    }
    play_move(p);
}

/* ---- updates: each row belongs to one thread ---- */

static void adam(float *w, const float *gradient, float *moment, unsigned size, float limit, uint32_t *updates)
{
    float correction = ++*updates > 10000 ? 1 : (float)(1 / (1 - pow(0.999, *updates)));
    for (unsigned n = 0; n < size; n++) {
        float g = gradient[n] / BATCH;
        moment[n] = moment[n] * 0.999f + g * g * 0.001f;
        float x = w[n] - rate * g / (sqrtf(moment[n] * correction) + 1e-7f);
        w[n] = x > limit ? limit : x < -limit ? -limit : x;
    }
}

static void add_row(float *to, const float *row, float factor, unsigned size)
{
    for (unsigned n = 0; n < size; n++)
        to[n] += factor * row[n];
}

static void update_first(unsigned thread)
{
    static _Thread_local uint32_t starts[PREDICT_INPUTS + 2], list[BATCH * PREDICT_INPUTS_MAX];
    memset(starts, 0, sizeof starts);
    for (unsigned s = 0; s < BATCH; s++)
        for (unsigned k = 0; k < lessons[s].features.inputs && lessons[s].taught; k++)
            starts[lessons[s].features.input[k] + 2]++;
    for (unsigned r = 2; r < PREDICT_INPUTS + 2; r++)
        starts[r] += starts[r - 1];
    for (unsigned s = 0; s < BATCH; s++)
        for (unsigned k = 0; k < lessons[s].features.inputs && lessons[s].taught; k++)
            list[starts[lessons[s].features.input[k] + 1]++] = s;
    for (unsigned r = thread; r <= PREDICT_INPUTS; r += thread_count) {
        units gradient = {0};
        bool is_bias = r == PREDICT_INPUTS;
        for (uint32_t n = is_bias ? 0 : starts[r]; n < (is_bias ? BATCH : starts[r + 1]); n++) {
            const lesson *l = &lessons[is_bias ? n : list[n]];
            if (l->taught)
                add_row(gradient, l->of_sums, 1, PREDICT_UNITS);
        }
        if (is_bias || starts[r + 1] > starts[r])
            adam(first[r], gradient, first_moment[r], PREDICT_UNITS, 0.99f, &first_updates[r]);
    }
}

static void update_second(unsigned thread)
{
    for (unsigned r = thread; r <= PREDICT_PAIRS; r += thread_count) {
        outputs gradient = {0};
        for (unsigned s = 0; s < BATCH; s++) {
            float factor = !lessons[s].taught ? 0 : r == PREDICT_PAIRS ? 1 : lessons[s].products[r];
            if (factor != 0)
                add_row(gradient, lessons[s].of_before, factor, PREDICT_OUTPUTS);
        }
        adam(second[r], gradient, second_moment[r], PREDICT_OUTPUTS, 4, &second_updates[r]);
    }
}

static void update_vectors(unsigned thread)
{
    static _Thread_local outputs gradients[2 * PREDICT_VECTORS];
    static _Thread_local bool touched[2 * PREDICT_VECTORS];
    for (unsigned s = 0; s < BATCH; s++) {
        const lesson *l = &lessons[s];
        for (unsigned n = 0; n < l->features.moves && l->taught; n++) {
            unsigned vector = l->features.move[n].vector;
            if (vector % thread_count == thread && l->of_move[n] != 0) {
                touched[vector] = true;
                add_row(gradients[vector], l->out, l->of_move[n], PREDICT_OUTPUTS);
            }
        }
    }
    for (unsigned r = thread; r < 2 * PREDICT_VECTORS; r += thread_count)
        if (touched[r]) {
            adam(vectors[r], gradients[r], vector_moment[r], PREDICT_OUTPUTS, 2.7f, &vector_updates[r]);
            memset(gradients[r], 0, sizeof gradients[r]);
            touched[r] = false;
        }
}

static void adam_each(float *w, float *gradient, float *moment, unsigned size)
{
    for (unsigned n = 0; n < size; n++) {
        float g = gradient[n] / BATCH;
        if (g == 0)
            continue;
        moment[n] = moment[n] * 0.999f + g * g * 0.001f;
        w[n] -= 2 * rate * g / (sqrtf(moment[n]) + 1e-7f);
        gradient[n] = 0;
    }
}

static void update_dense(void)
{
    for (unsigned s = 0; s < BATCH; s++) {
        const lesson *l = &lessons[s];
        for (unsigned n = 0; n < l->features.moves && l->taught; n++) {
            const predict_move *m = &l->features.move[n];
            bias_gradient[m->vector] += l->of_move[n];
            dense_gradient[m->exchange] += l->of_move[n];
            dense_gradient[PREDICT_EXCHANGES + m->back] += l->of_move[n];
            dense_gradient[PREDICT_EXCHANGES + PREDICT_RETURNS + m->distance] += l->of_move[n];
        }
    }
    adam_each(dense, dense_gradient, dense_moment, DENSE);
    adam_each(bias, bias_gradient, bias_moment, 2 * PREDICT_VECTORS);
}

static void update_hashed(unsigned table)
{
    for (unsigned s = 0; s < BATCH; s++) {
        const lesson *l = &lessons[s];
        for (unsigned n = 0; n < l->features.moves && l->taught; n++) {
            cell *c = &hashed[table][l->slots[n][table]];
            if (l->of_move[n] == 0)
                continue;
            c->squares += l->of_move[n] * l->of_move[n];
            c->weight -= hashed_rate * l->of_move[n] / sqrtf(c->squares + 1.0f);
        }
    }
}

static void update(unsigned thread)
{
    update_first(thread);
    update_second(thread);
    update_vectors(thread);
    if (thread == 0)
        update_dense();
    for (unsigned table = thread; table < PREDICT_HASHED; table += thread_count)
        update_hashed(table);
}

static void *work(void *context)
{
    unsigned thread = (unsigned)(size_t)context;
    for (;;) {
        pthread_barrier_wait(&barrier);
        if (done)
            return NULL;
        for (unsigned s = thread; s < BATCH; s += thread_count)
            learn(&lessons[s], &players[s]);
        pthread_barrier_wait(&barrier);
        update(thread);
        pthread_barrier_wait(&barrier);
    }
}

/* ---- files of weights: floats in the order of src/model/model.h; hashed tables without squares ---- */

typedef struct part {
    void *at;
    size_t count;
} part;
enum { PARTS = 5 };
static void list_parts(part parts[PARTS])
{
    const part all[PARTS] = {{first, (size_t)(PREDICT_INPUTS + 1) * PREDICT_UNITS},
                             {second, (size_t)(PREDICT_PAIRS + 1) * PREDICT_OUTPUTS},
                             {vectors, (size_t)2 * PREDICT_VECTORS * PREDICT_OUTPUTS},
                             {bias, (size_t)2 * PREDICT_VECTORS},
                             {dense, DENSE}};
    memcpy(parts, all, sizeof all);
}
static const int32_t sizes[4] = {PREDICT_INPUTS, PREDICT_UNITS, PREDICT_OUTPUTS, PREDICT_VECTORS};

static void save(const char *path)
{
    FILE *file = fopen(path, "wb");
    part parts[PARTS];
    list_parts(parts);
    if (!file || fwrite(sizes, sizeof sizes, 1, file) != 1)
        fail("cannot write the weights");
    for (unsigned n = 0; n < PARTS; n++)
        if (fwrite(parts[n].at, sizeof(float), parts[n].count, file) != parts[n].count)
            fail("cannot write the weights");
    for (unsigned k = 0; k < PREDICT_HASHED; k++)
        for (size_t n = 0; n < (size_t)1 << predict_hashed_bits[k]; n++)
            if (fwrite(&hashed[k][n].weight, sizeof(float), 1, file) != 1)
                fail("cannot write the weights");
    if (fclose(file) != 0)
        fail("cannot write the weights");
}

static void load(const char *path)
{
    FILE *file = fopen(path, "rb");
    part parts[PARTS];
    int32_t of_file[4];
    list_parts(parts);
    if (!file || fread(of_file, sizeof of_file, 1, file) != 1 || memcmp(of_file, sizes, sizeof sizes) != 0)
        fail("these are not the weights of this predictor");
    for (unsigned n = 0; n < PARTS; n++)
        if (fread(parts[n].at, sizeof(float), parts[n].count, file) != parts[n].count)
            fail("the weights end too early");
    for (unsigned k = 0; k < PREDICT_HASHED; k++)
        for (size_t n = 0; n < (size_t)1 << predict_hashed_bits[k]; n++) {
            if (fread(&hashed[k][n].weight, sizeof(float), 1, file) != 1)
                fail("the weights end too early");
            hashed[k][n].squares = hashed[k][n].weight == 0 ? 0 : 3;
        }
    fclose(file);
}

static void make_weights(uint64_t *random)
{
    first = calloc(PREDICT_INPUTS + 1, sizeof *first);
    first_moment = calloc(PREDICT_INPUTS + 1, sizeof *first);
    vectors = calloc(2 * PREDICT_VECTORS, sizeof *vectors);
    vector_moment = calloc(2 * PREDICT_VECTORS, sizeof *vectors);
    lessons = calloc(BATCH, sizeof *lessons);
    for (unsigned k = 0; k < PREDICT_HASHED; k++)
        hashed[k] = calloc((size_t)1 << predict_hashed_bits[k], sizeof(cell));
    if (!first || !first_moment || !vectors || !vector_moment || !lessons || !hashed[0] || !hashed[1] || !hashed[2])
        fail("no memory");
    fill(first[0], (size_t)PREDICT_INPUTS * PREDICT_UNITS, 0.12f, random);
    fill(second[0], (size_t)PREDICT_PAIRS * PREDICT_OUTPUTS, 0.15f, random);
    fill(vectors[0], (size_t)2 * PREDICT_VECTORS * PREDICT_OUTPUTS, 0.1f, random);
    for (unsigned j = 0; j < PREDICT_UNITS; j++)
        first[PREDICT_INPUTS][j] = 0.3f;
    for (unsigned q = 0; q < PREDICT_OUTPUTS; q++)
        second[PREDICT_PAIRS][q] = 0.4f;
    for (unsigned n = 0; n < DENSE; n++)
        dense_moment[n] = 1e-7f;
    for (unsigned n = 0; n < 2 * PREDICT_VECTORS; n++)
        bias_moment[n] = 1e-7f;
}

/* ---- training ---- */

static void run_steps(const char *out, unsigned long steps, float first_rate, float first_hashed_rate)
{
    double bits = 0;
    for (unsigned long step = 1; step <= steps; step++) {
        float at = (float)step / (float)steps, warm = step < WARM_UP ? (float)step / WARM_UP : 1;
        rate = first_rate * warm * (0.02f + 0.49f * (1 + cosf(3.14159265f * at)));
        hashed_rate = first_hashed_rate * (0.1f + 0.9f * (1 - at));
        pthread_barrier_wait(&barrier);
        for (unsigned s = 0; s < BATCH; s += thread_count)
            learn(&lessons[s], &players[s]);
        pthread_barrier_wait(&barrier);
        update(0);
        for (unsigned s = 0; s < BATCH; s++)
            bits += lessons[s].bits;
        pthread_barrier_wait(&barrier);
        if (step % REPORT == 0 || step == steps) {
            unsigned long since = step % REPORT ? step % REPORT : REPORT;
            printf("step %lu, %.2f million plies: %.4f bits a ply\n", step, (double)step * BATCH * 1e-6,
                   bits / (double)since / BATCH);
            fflush(stdout);
            bits = 0;
            save(out);
        }
    }
}

int main(int count, char **arguments)
{
    enum { THREADS_MAX = 256 };
    pthread_t threads[THREADS_MAX];
    uint64_t random = 1;
    if (count < 8)
        fail("usage: train OUT STEPS RATE HASHED_RATE THREADS FROM GAMES...");
    thread_count = (unsigned)strtoul(arguments[5], NULL, 10);
    if (thread_count < 1 || thread_count > THREADS_MAX)
        fail("1 to 256 threads");
    games = list_games(count, arguments, 7, 2, &random);
    make_weights(&random);
    if (strcmp(arguments[6], "-") != 0)
        load(arguments[6]);
    begin_players();
    pthread_barrier_init(&barrier, NULL, thread_count);
    for (unsigned n = 1; n < thread_count; n++)
        if (pthread_create(&threads[n], NULL, work, (void *)(size_t)n) != 0)
            fail("cannot start a thread");
    run_steps(arguments[1], strtoul(arguments[2], NULL, 10), strtof(arguments[3], NULL), strtof(arguments[4], NULL));
    done = true;
    pthread_barrier_wait(&barrier);
    for (unsigned n = 1; n < thread_count; n++)
        pthread_join(threads[n], NULL);
    return 0;
}
