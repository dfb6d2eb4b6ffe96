/* SPDX-License-Identifier: MIT */
/* Trains the second stage of the adaptive predictor (src/model/second_net.inc) on top of the library's weights: tables
 * and a small network by stochastic gradient descent. Each ply is one step; games follow one another in random order.
 *
 * usage: train_second OUT PLIES GAMES...
 *
 * Rates are those of AdaGrad and decrease to one tenth. GAMES are written by prepare_games. The mean bits per ply of
 * the first stage only and of both stages are printed twenty times. export_weights converts the result to the library's
 * integers. */
#include <math.h>

#include "games.h"
#include "model/model.h"

enum { REPORTS = 20 };
#define SMALL 0.03f /* smaller gradients are randomly rounded to this or 0 */
#define TABLE_RATE 0.1f
#define NETWORK_RATE 0.05f
#define NATS_OF_LOGIT (0.69314718f / SECOND_LOGIT_ONE)

const char program[] = "train_second";

static float table[SECOND_OWN], table_squares[SECOND_OWN];
static float embedding[SECOND_ALL][SECOND_UNITS], row_squares[SECOND_ALL];
static float context[SECOND_UNITS][PREDICT_OUTPUTS], context_squares[SECOND_UNITS];
static float output[SECOND_UNITS], output_squares[SECOND_UNITS];

static second_prediction look;
static float probability[STAMMA_MOVES_MAX], unit[STAMMA_MOVES_MAX][SECOND_UNITS], in[PREDICT_OUTPUTS];
static uint64_t random_state = 1;

static size_t row_of(unsigned move, unsigned k)
{
    const predict_move *m = &look.features.move[move];
    const unsigned others[] = {m->vector % PREDICT_VECTORS, m->distance, m->exchange, m->back};
    return second_begins[k] + (k < SECOND_TABLES ? look.rows[move][k] : others[k - SECOND_TABLES]);
}

static float output_of(unsigned move, const float biases[SECOND_UNITS])
{
    float sum = 0, *u = unit[move];
    memcpy(u, biases, sizeof unit[0]);
    for (unsigned k = 0; k < SECOND_ROWS; k++) {
        const float *row = embedding[row_of(move, k)];
        for (unsigned j = 0; j < SECOND_UNITS; j++)
            u[j] += row[j];
    }
    for (unsigned j = 0; j < SECOND_UNITS; j++)
        sum += output[j] * (u[j] > 0 ? u[j] : 0);
    return sum;
}

/* Sets the probabilities. Returns the bits of the move that was played. */
static float find_probabilities(unsigned played, bool both)
{
    float biases[SECOND_UNITS] = {0}, best = -1e30f, sum = 0;
    for (unsigned q = 0; q < PREDICT_OUTPUTS; q++)
        in[q] = look.outputs[q] / 1024.0f;
    for (unsigned j = 0; j < SECOND_UNITS; j++)
        for (unsigned q = 0; q < PREDICT_OUTPUTS; q++)
            biases[j] += context[j][q] * in[q];
    for (unsigned i = 0; i < look.features.moves; i++) {
        probability[i] = (float)look.logits[i] * NATS_OF_LOGIT;
        for (unsigned k = 0; both && k < SECOND_TABLES; k++)
            probability[i] += table[row_of(i, k)];
        if (both)
            probability[i] += output_of(i, biases);
        best = probability[i] > best ? probability[i] : best;
    }
    for (unsigned i = 0; i < look.features.moves; i++)
        sum += probability[i] = expf(probability[i] - best);
    for (unsigned i = 0; i < look.features.moves; i++)
        probability[i] /= sum;
    return -log2f(probability[played] + 1e-9f);
}

static void learn_tables(unsigned played, float rate)
{
    for (unsigned i = 0; i < look.features.moves; i++) {
        float d = probability[i] - (i == played);
        for (unsigned k = 0; fabsf(d) > 0.002f && k < SECOND_TABLES; k++) {
            size_t row = row_of(i, k);
            table_squares[row] += d * d;
            table[row] -= rate * d / sqrtf(table_squares[row] + 4);
        }
    }
}

static void learn_move(unsigned i, float d, float rate, float *of_output, float *of_biases)
{
    float of_unit[SECOND_UNITS], mean = 0;
    for (unsigned j = 0; j < SECOND_UNITS; j++) {
        of_output[j] += unit[i][j] > 0 ? d * unit[i][j] : 0;
        of_unit[j] = unit[i][j] > 0 ? d * output[j] : 0;
        of_biases[j] += of_unit[j];
        mean += of_unit[j] * of_unit[j] / SECOND_UNITS;
    }
    for (unsigned k = 0; k < SECOND_ROWS; k++) {
        size_t row = row_of(i, k);
        row_squares[row] += mean;
        float step = rate / sqrtf(row_squares[row] + 0.01f);
        for (unsigned j = 0; j < SECOND_UNITS; j++)
            embedding[row][j] -= step * of_unit[j];
    }
}

static void learn_network(unsigned played, float rate)
{
    float of_output[SECOND_UNITS] = {0}, of_biases[SECOND_UNITS] = {0};
    for (unsigned i = 0; i < look.features.moves; i++) {
        float d = probability[i] - (i == played), size = fabsf(d);
        if (size < SMALL)
            d = uniform(&random_state) * SMALL >= size ? 0 : d < 0 ? -SMALL : SMALL;
        if (d != 0)
            learn_move(i, d, rate, of_output, of_biases);
    }
    for (unsigned j = 0; j < SECOND_UNITS; j++) {
        output_squares[j] += of_output[j] * of_output[j];
        output[j] -= rate * of_output[j] / sqrtf(output_squares[j] + 1);
        context_squares[j] += of_biases[j] * of_biases[j];
        float step = rate * of_biases[j] / sqrtf(context_squares[j] + 1);
        for (unsigned q = 0; q < PREDICT_OUTPUTS; q++)
            context[j][q] -= step * in[q];
    }
}

static double bits[2];

static unsigned learn_game(const game_head *head, float fall)
{
    predict_context known = {{head->ratings[0], head->ratings[1]}, head->time, head->result, head->plies};
    stamma_position position = stamma_position_start();
    predict_game game;
    stamma_predict_begin(&game, &known, &position);
    memset(&look.memory, 0, sizeof look.memory);
    for (unsigned n = 0; n < head->plies; n++) {
        stamma_move move = moves_of(head)[n];
        stamma_predict_run_both(stamma_predict_weights(), NULL, &game, &position, &look);
        unsigned played = 0, count = look.features.moves;
        while (played < count && look.features.move[played].move != move)
            played++;
        if (played == count)
            fail("an illegal move");
        if (count > 1) {
            bits[0] += find_probabilities(played, false);
            bits[1] += find_probabilities(played, true);
            learn_tables(played, TABLE_RATE * fall);
            learn_network(played, NETWORK_RATE * fall);
        }
        stamma_predict_play(&game, &position, move);
        stamma_position_make(&position, move, &position);
    }
    return head->plies;
}

static void learn_games(const game_list *games, unsigned long plies)
{
    unsigned long done = 0, since = 0, next = plies / REPORTS;
    for (size_t n = 0; done < plies; n++) {
        unsigned some = learn_game(games->games[n % games->count], 1 - 0.9f * (float)done / (float)plies);
        done += some;
        since += some;
        if (done < next && done < plies)
            continue;
        printf("%.2f million plies: %.4f -> %.4f bits a ply\n", (double)done * 1e-6, bits[0] / (double)since,
               bits[1] / (double)since);
        fflush(stdout);
        bits[0] = bits[1] = 0;
        since = 0;
        next += plies / REPORTS;
    }
}

/* Clears rows that were never trained, which still have random weights. */
static void forget_unused(void)
{
    for (size_t row = 0; row < SECOND_ALL; row++)
        if (row_squares[row] == 0)
            memset(embedding[row], 0, sizeof embedding[row]);
}

static void save(const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(table, sizeof table, 1, file) != 1 || fwrite(embedding, sizeof embedding, 1, file) != 1 ||
        fwrite(context, sizeof context, 1, file) != 1 || fwrite(output, sizeof output, 1, file) != 1 ||
        fclose(file) != 0)
        fail("cannot write the weights");
}

int main(int count, char **arguments)
{
    if (count < 4)
        fail("usage: train_second OUT PLIES GAMES...");
    game_list games = list_games(count, arguments, 3, 0, &random_state);
    fill(embedding[0], (size_t)SECOND_ALL * SECOND_UNITS, 0.1f, &random_state);
    fill(context[0], (size_t)SECOND_UNITS * PREDICT_OUTPUTS, 0.1f, &random_state);
    fill(output, SECOND_UNITS, 0.25f, &random_state);
    learn_games(&games, strtoul(arguments[2], NULL, 10));
    forget_unused();
    save(arguments[1]);
    return 0;
}
