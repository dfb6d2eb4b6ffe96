/* SPDX-License-Identifier: MIT */
/* Words, numbers and cells of tables about events. */
#include "reporting/event_view.h"

const char *event_half(uint32_t points, char out[EVENT_POINTS_SIZE])
{
    (void)snprintf(out, EVENT_POINTS_SIZE, "%" PRIu32 ".%c", points / 2, points % 2 ? '5' : '0');
    return out;
}

const char *event_quarter(uint32_t points, char out[EVENT_POINTS_SIZE])
{
    (void)snprintf(out, EVENT_POINTS_SIZE, "%" PRIu32 ".%02" PRIu32, points / 4, points % 4 * 25);
    return out;
}

const char *event_tie_break(const stamma_event_player *p, stamma_tie_break rule, char out[EVENT_POINTS_SIZE])
{
    switch (rule) {
    case STAMMA_TIE_BREAK_DIRECT: return event_half(p->direct, out);
    case STAMMA_TIE_BREAK_BUCHHOLZ: return event_half(p->buchholz, out);
    case STAMMA_TIE_BREAK_BUCHHOLZ_CUT: return event_half(p->buchholz_cut, out);
    case STAMMA_TIE_BREAK_SONNEBORN: return event_quarter(p->sonneborn, out);
    case STAMMA_TIE_BREAK_KOYA: return event_half(p->koya, out);
    default: (void)snprintf(out, EVENT_POINTS_SIZE, "%" PRIu32, p->won); return out;
    }
}

static const char *result_word(const stamma_event_game *g, bool white, const char *draw)
{
    if (g->result == STAMMA_RESULT_UNKNOWN)
        return "*";
    if (g->result == STAMMA_RESULT_DRAW)
        return draw;
    const bool won = (g->result == STAMMA_RESULT_WHITE) == white;
    return g->unplayed ? won ? "+" : "-" : won ? "1" : "0";
}

/* Appends to a cell. A cell that is full ends with "..". */
static void append(char out[EVENT_CELL_SIZE], const char *text)
{
    const size_t size = strlen(out);
    if (size + strlen(text) + 3 < EVENT_CELL_SIZE)
        (void)strcpy(out + size, text);
    else if (size + 2 < EVENT_CELL_SIZE && (size < 2 || strcmp(out + size - 2, "..") != 0))
        (void)strcpy(out + size, "..");
}

const char *event_cross_cell(const event_view *v, size_t player, size_t other, const char *draw,
                             char out[EVENT_CELL_SIZE])
{
    out[0] = 0;
    for (size_t i = v->first[player]; i < v->first[player + 1]; i++) {
        const stamma_event_game *g = &v->games[v->list[i]];
        const bool white = g->white == player;
        if (!g->repeated && (white ? g->black : g->white) == other)
            append(out, result_word(g, white, draw));
    }
    return out;
}

const char *event_round_cell(const event_view *v, size_t player, uint32_t round, const char *draw,
                             char out[EVENT_CELL_SIZE])
{
    out[0] = 0;
    for (size_t i = v->first[player]; i < v->first[player + 1]; i++) {
        const stamma_event_game *g = &v->games[v->list[i]];
        const bool white = g->white == player;
        const uint32_t other = white ? g->black : g->white;
        char text[EVENT_CELL_SIZE];
        if (g->repeated || g->round != round)
            continue;
        if (other == STAMMA_EVENT_NO_PLAYER)
            (void)snprintf(text, sizeof text, "%sbye%s", out[0] ? " " : "", result_word(g, white, draw));
        else
            (void)snprintf(text, sizeof text, "%s%" PRIu32 "%c%s", out[0] ? " " : "", other + 1, white ? 'w' : 'b',
                           result_word(g, white, draw));
        append(out, text);
    }
    return out;
}

const char *event_team_cell(const event_view *v, size_t team, size_t other, char out[EVENT_CELL_SIZE])
{
    char points[EVENT_POINTS_SIZE];
    out[0] = 0;
    for (size_t i = 0; i < v->facts.matches; i++) {
        const stamma_event_match *m = &v->matches[i];
        const bool second = m->sides[1] == team;
        if (m->sides[second] != team || m->sides[!second] != other)
            continue;
        if (out[0])
            append(out, " ");
        append(out, event_half(m->points[second], points));
    }
    return out;
}

const char *event_dates(const stamma_event_facts *facts, char out[40])
{
    char first[16], last[16];
    if (facts->first_day == 0)
        (void)snprintf(out, 40, "?");
    else {
        (void)stamma_date_write(facts->first_day, '-', first, sizeof first);
        (void)stamma_date_write(facts->last_day, '-', last, sizeof last);
        (void)snprintf(out, 40, facts->first_day == facts->last_day ? "%s" : "%s to %s", first, last);
    }
    return out;
}

/* ---- findings ---- */

const char *event_finding_words(stamma_event_finding_kind kind)
{
    static const char *const words[] = {
        "",
        "missing games of two players",
        "rounds without games",
        "missing boards",
        "games that occur twice",
        "players with two opponents in a round",
        "byes and forfeits",
        "games without a result",
        "results that differ between the tag and the movetext",
        "results that contradict the last position",
        "players with two ratings in a month",
        "players with two titles",
    };
    return (size_t)kind < sizeof words / sizeof *words ? words[kind] : "";
}

static void put_place(const event_report *r, const event_view *v, size_t game, FILE *out)
{
    const uint64_t number = v->games[game].number;
    const size_t archive = (size_t)(number >> EVENT_ARCHIVE_SHIFT);
    if (r->path_count > 1)
        (void)fprintf(out, "%s ", r->paths[archive]);
    (void)fprintf(out, "game %" PRIu64, number & (((uint64_t)1 << EVENT_ARCHIVE_SHIFT) - 1));
}

static const char *name_of(const event_view *v, const stamma_event_finding *f, int side)
{
    const uint32_t index = f->players[side];
    const bool teams = f->kind == STAMMA_EVENT_MISSING_BOARD;
    return index == STAMMA_EVENT_NO_PLAYER ? "bye" : teams ? v->team_names[index] : v->names[index];
}

static void put_finding(const event_report *r, const event_view *v, const stamma_event_finding *f, FILE *out)
{
    const bool pair = f->players[1] != STAMMA_EVENT_NO_PLAYER || f->kind == STAMMA_EVENT_UNPLAYED;
    if (f->round > 0)
        (void)fprintf(out, "round %" PRIu32 ": ", f->round);
    if (pair)
        (void)fprintf(out, "%s - %s", name_of(v, f, 0), name_of(v, f, 1));
    else if (f->players[0] != STAMMA_EVENT_NO_PLAYER)
        (void)fputs(name_of(v, f, 0), out);
    if (f->kind == STAMMA_EVENT_MISSING_GAME)
        (void)fprintf(out, ": %" PRIu32 " missing", f->count);
    if (f->kind == STAMMA_EVENT_MISSING_BOARD)
        (void)fprintf(out, "%s%" PRIu32 " missing", pair ? ": " : "", f->count);
    if (f->kind == STAMMA_EVENT_MISSING_ROUND)
        (void)fputs("no games", out);
    for (int i = 0; i < 2; i++)
        if (f->games[i] != SIZE_MAX) {
            (void)fputs(i == 0 ? " (" : ", ", out);
            put_place(r, v, f->games[i], out);
        }
    if (f->games[0] != SIZE_MAX)
        (void)fputc(')', out);
}

char *event_finding_text(const event_report *r, const event_view *v, const stamma_event_finding *f)
{
    system_text text;
    const bool opened = system_text_open(&text);
    if (opened)
        put_finding(r, v, f, text.stream);
    if (opened && system_text_close(&text))
        return text.text;
    (void)tool_fail_memory(NULL);
    return NULL;
}
