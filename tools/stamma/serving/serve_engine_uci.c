/* SPDX-License-Identifier: MIT */
/* The UCI protocol: lines of the engine, and the lines of an analysis. */
#include "games/game_views.h"
#include "serving/serve_engine.h"

#include <ctype.h>
#include <strings.h>

#define SCORE_MAX 1000000 /* larger scores are not centipawns or moves to mate */

/* ---- words ---- */

/* Removes the next word. Its size is 0 at the end. */
static stamma_text next_word(const char **at)
{
    const char *begin = *at + strspn(*at, " \t");
    size_t size = strcspn(begin, " \t");
    *at = begin + size;
    return (stamma_text){begin, size};
}

static uint64_t number_of(stamma_text word)
{
    return word.size > 0 && isdigit((unsigned char)*word.data) ? strtoull(word.data, NULL, 10) : 0;
}

bool engine_line_is(const char *line, const char *word)
{
    return tool_text_is(next_word(&line), word);
}

/* ---- options ---- */

/* Returns the number after a word in the description of an option. */
static uint64_t number_after(const char *text, const char *name)
{
    for (stamma_text word = next_word(&text); word.size > 0; word = next_word(&text))
        if (tool_text_is(word, name))
            return number_of(next_word(&text));
    return 0;
}

static void read_spin(engine_spin *spin, const char *description)
{
    spin->least = number_after(description, "min");
    spin->most = number_after(description, "max");
    spin->known = spin->most >= spin->least && spin->most > 0;
}

/* Reads an option, from the bytes after "option name". Names of options ignore case. */
static void read_option(engine_features *f, const char *text)
{
    const char *type = strstr(text, " type ");
    const size_t size = type ? (size_t)(type - text) : 0;
    const struct {
        const char *name;
        engine_spin *spin;
        bool *flag;
    } options[] = {{"Threads", &f->threads, NULL},
                   {"Hash", &f->hash, NULL},
                   {"MultiPV", &f->lines, NULL},
                   {"UCI_Chess960", NULL, &f->chess960},
                   {"UCI_AnalyseMode", NULL, &f->analyse}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (size != strlen(options[i].name) || strncasecmp(text, options[i].name, size) != 0)
            continue;
        if (options[i].spin)
            read_spin(options[i].spin, type);
        else
            *options[i].flag = true;
    }
}

bool engine_features_read(engine_features *f, const char *line)
{
    static const char name[] = "id name ", option[] = "option name ";
    if (strncmp(line, name, sizeof name - 1) == 0)
        (void)snprintf(f->name, sizeof f->name, "%s", line + sizeof name - 1);
    else if (strncmp(line, option, sizeof option - 1) == 0)
        read_option(f, line + sizeof option - 1);
    return engine_line_is(line, "uciok");
}

uint64_t engine_spin_value(const engine_spin *spin, uint64_t wanted)
{
    if (!spin->known)
        return 0;
    return wanted < spin->least ? spin->least : wanted > spin->most ? spin->most : wanted;
}

/* ---- evaluations ---- */

/* Reads "cp 31" or "mate -3". A mate in 0 has no moves. */
static void read_score(const char **at, engine_info *info)
{
    stamma_text unit = next_word(at), value = next_word(at);
    long score = value.size > 0 ? strtol(value.data, NULL, 10) : 0;
    info->mate = tool_text_is(unit, "mate");
    info->scored = value.size > 0 && score > -SCORE_MAX && score < SCORE_MAX &&
                   (info->mate ? score != 0 : tool_text_is(unit, "cp"));
    info->score = info->scored ? (int)score : 0;
}

static bool is_move(stamma_text word)
{
    return (word.size == 4 || word.size == 5) && word.data[0] >= 'a' && word.data[0] <= 'h' &&
           isdigit((unsigned char)word.data[1]);
}

/* Reads moves up to the first other word. */
static void read_moves(const char **at, engine_info *info)
{
    info->moves = (stamma_text){*at, 0};
    for (const char *next = *at; is_move(next_word(&next)); *at = next)
        info->moves.size = (size_t)(next - info->moves.data);
}

static unsigned small_number(stamma_text word)
{
    uint64_t number = number_of(word);
    return number < 1000 ? (unsigned)number : 1000;
}

bool engine_info_read(const char *line, engine_info *info)
{
    *info = (engine_info){.line = 1};
    if (!tool_text_is(next_word(&line), "info"))
        return false;
    for (stamma_text word = next_word(&line); word.size > 0; word = next_word(&line)) {
        if (tool_text_is(word, "string"))
            break;
        if (tool_text_is(word, "depth"))
            info->depth = small_number(next_word(&line));
        else if (tool_text_is(word, "seldepth"))
            info->seldepth = small_number(next_word(&line));
        else if (tool_text_is(word, "multipv"))
            info->line = small_number(next_word(&line));
        else if (tool_text_is(word, "nodes"))
            info->nodes = number_of(next_word(&line));
        else if (tool_text_is(word, "nps"))
            info->nps = number_of(next_word(&line));
        else if (tool_text_is(word, "score"))
            read_score(&line, info);
        else if (tool_text_is(word, "pv"))
            read_moves(&line, info);
        else
            info->bound |= tool_text_is(word, "lowerbound") || tool_text_is(word, "upperbound");
    }
    return info->scored && !info->bound && info->moves.size > 0 && info->line > 0;
}

/* ---- lines of an analysis ---- */

bool engine_variation_read(const stamma_position *position, const engine_info *info, engine_variation *v)
{
    stamma_position now = *position;
    const char *at = info->moves.data, *end = at + info->moves.size;
    bool white = position->side == STAMMA_WHITE;
    v->depth = info->depth;
    v->mate = info->mate;
    v->score = white ? info->score : -info->score;
    for (v->plies = 0; at < end && v->plies < ENGINE_PLIES_MAX; v->plies++) {
        stamma_move move;
        if (stamma_uci_read(&now, next_word(&at), &move) || move == STAMMA_MOVE_NULL)
            break;
        v->moves[v->plies] = move;
        stamma_position_make(&now, move, &now);
    }
    return v->plies > 0;
}

/* Writes the moves as a list, in SAN or in UCI. */
static void put_moves(const stamma_position *position, const engine_variation *v, bool san)
{
    char text[STAMMA_SAN_SIZE];
    stamma_position now = *position;
    bool chess960 = tool_is_chess960(position);
    tool_json_open(san ? "san" : "uci", '[');
    for (size_t i = 0; i < v->plies; i++) {
        size_t size = san ? stamma_san_write(&now, v->moves[i], text, sizeof text)
                          : stamma_uci_write(&now, v->moves[i], chess960, text, sizeof text);
        tool_json_word(NULL, (stamma_text){text, size});
        stamma_position_make(&now, v->moves[i], &now);
    }
    tool_json_close(']');
}

void engine_variation_put(const stamma_position *position, const engine_variation *v)
{
    tool_json_open(NULL, '{');
    tool_json_number("depth", v->depth);
    tool_json_integer(v->mate ? "mate" : "eval_cp", v->score);
    put_moves(position, v, false);
    put_moves(position, v, true);
    tool_json_close('}');
}
