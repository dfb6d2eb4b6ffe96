/* SPDX-License-Identifier: MIT */
/* A game on one line: number, players, result, date, ECO code, plies, event. */
#include "games/game_views.h"

/* Returns the Date tag; if it is missing, the UTCDate tag. */
stamma_text tool_date(const stamma_archive_game *game)
{
    stamma_text date = stamma_archive_game_tag(game, stamma_text_of("Date"));
    return date.data ? date : stamma_archive_game_tag(game, stamma_text_of("UTCDate"));
}

const char *tool_iso_date(const stamma_archive_game *game, char text[TOOL_DATE_SIZE])
{
    static const char *const tags[] = {"Date", "UTCDate"};
    for (size_t i = 0; i < 2; i++) {
        stamma_date date = {0};
        if (!stamma_date_read(stamma_archive_game_tag(game, stamma_text_of(tags[i])), &date) || date.year == 0)
            continue;
        (void)stamma_date_write(date.year * 10000u + date.month * 100u + date.day, '-', text, TOOL_DATE_SIZE);
        return text;
    }
    return NULL;
}

/* Divides the columns that fixed columns leave between names and event. */
void tool_rows_fit(tool_rows *r, const char *archive)
{
    enum { NUMBER = 10, RESULT = 9, DATE = 12, ECO = 5, PLIES = 7, GAPS = 4, NAME_LEAST = 8, NAME_MOST = 22 };
    size_t taken = archive ? strlen(archive) + 1 : 0;
    size_t fixed = taken + NUMBER + RESULT + DATE + ECO + PLIES + GAPS;
    r->archive = archive;
    r->columns = tool_terminal_columns();
    r->name = NAME_MOST;
    r->event = SIZE_MAX;
    r->narrow = false;
    if (r->columns == 0)
        return;
    r->narrow = r->columns < fixed + 2 * NAME_LEAST;
    fixed -= r->narrow ? DATE + ECO + PLIES : 0;
    size_t left = r->columns > fixed ? r->columns - fixed : 0;
    r->name = r->narrow ? left / 2 : left / 3;
    r->name = r->name > NAME_MOST ? NAME_MOST : r->name < NAME_LEAST && !r->narrow ? NAME_LEAST : r->name;
    r->event = r->narrow || left < 2 * r->name ? 0 : left - 2 * r->name;
}

static void print_value(const tool_rows *r, stamma_text value, size_t width)
{
    stamma_text plain = tool_text_unescape(value);
    size_t columns = 0;
    if (plain.size > 0)
        columns = r->columns > 0 ? tool_text_print_cut(stdout, plain, width) : tool_text_print(stdout, plain);
    if (width < SIZE_MAX)
        printf("%*s", (int)(columns < width ? width - columns : 0), "");
    free((char *)(uintptr_t)plain.data);
}

static void print_cell(const tool_rows *r, stamma_text value, size_t width)
{
    print_value(r, value, width);
    (void)fputs("  ", stdout);
}

void tool_row_print(const tool_rows *r, const stamma_archive_game *game)
{
    if (r->archive) {
        (void)tool_text_print(stdout, stamma_text_of(r->archive));
        putchar(':');
    }
    if (game->number > 0)
        printf("%8" PRIu64 "  ", game->number);
    else
        printf("%8s  ", "?");
    print_cell(r, stamma_archive_game_tag(game, stamma_text_of("White")), r->name);
    print_cell(r, stamma_archive_game_tag(game, stamma_text_of("Black")), r->name);
    print_value(r, tool_result(game), 7);
    if (!r->narrow) {
        (void)fputs("  ", stdout);
        print_cell(r, tool_date(game), 10);
        print_cell(r, stamma_archive_game_tag(game, stamma_text_of("ECO")), 3);
        printf("%5zu", game->ply_count);
    }
    if (r->event > 2) {
        (void)fputs("  ", stdout);
        stamma_text event = tool_text_unescape(stamma_archive_game_tag(game, stamma_text_of("Event")));
        (void)(r->columns > 0 ? tool_text_print_cut(stdout, event, r->event - 2) : tool_text_print(stdout, event));
        free((char *)(uintptr_t)event.data);
    }
    putchar('\n');
}
