/* stamma ls: a line a game. */
#include "tool.h"

static const char about[] = "Lists games of an archive, all of them or those named by number (17  100..200\n"
                            "5000..  ..10  last), a line a game: number, White, Black, result, date, ECO, plies,\n"
                            "event. ARCHIVE may be - for standard input, which is read front to back.\n"
                            "With --json a line is an object: number, white, black, result, date, event, eco, plies;\n"
                            "a tag that the game does not have is null.";

/* The date as the Date tag gives it, else UTCDate. */
static stamma_text date_of(const stamma_archive_game *game)
{
    stamma_text date = tool_tag(game, "Date");
    return date.data ? date : tool_tag(game, "UTCDate");
}

static void print_cell(stamma_text value, size_t width)
{
    stamma_text plain = tool_text_unescape(value);
    size_t characters = plain.size > 0 ? tool_text_print(stdout, plain) : 0;
    printf("%*s", 2 + (int)(characters < width ? width - characters : 0), "");
    free((char *)(uintptr_t)plain.data);
}

static bool print_row(void *context, const stamma_archive_game *game)
{
    (void)context;
    if (game->continuation)
        return tool_printed();
    if (game->number > 0)
        printf("%8" PRIu64 "  ", game->number);
    else
        printf("%8s  ", "?");
    print_cell(tool_tag(game, "White"), 22);
    print_cell(tool_tag(game, "Black"), 22);
    print_cell(tool_result(game), 7);
    print_cell(date_of(game), 10);
    print_cell(tool_tag(game, "ECO"), 3);
    printf("%5zu  ", game->ply_count);
    stamma_text event = tool_text_unescape(tool_tag(game, "Event"));
    (void)tool_text_print(stdout, event);
    free((char *)(uintptr_t)event.data);
    putchar('\n');
    return tool_printed();
}

static void print_member(const char *key, stamma_text value)
{
    if (!value.data) {
        tool_json_string(key, NULL);
        return;
    }
    stamma_text plain = tool_text_unescape(value);
    tool_json_text(key, plain);
    free((char *)(uintptr_t)plain.data);
}

static bool print_object(void *context, const stamma_archive_game *game)
{
    (void)context;
    if (game->continuation)
        return tool_printed();
    tool_json_open(NULL, '{');
    tool_json_game_number(game->number);
    print_member("white", tool_tag(game, "White"));
    print_member("black", tool_tag(game, "Black"));
    print_member("result", tool_result(game));
    print_member("date", date_of(game));
    print_member("event", tool_tag(game, "Event"));
    print_member("eco", tool_tag(game, "ECO"));
    tool_json_number("plies", game->ply_count);
    tool_json_close('}');
    tool_json_end();
    return tool_printed();
}

int tool_ls(int argc, char **argv)
{
    bool json = false;
    const tool_option options[] = {
        {.name = "json", .help = "a JSON object a line", .flag = &json},
    };
    const tool_usage usage = {"ls", "ARCHIVE [GAMES...]", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    tool_archive archive;
    if (!tool_archive_open(argv[0], &archive))
        return TOOL_ERROR;
    status = tool_games_each(&archive, argv + 1, operands - 1, STAMMA_GAME_TAGS | STAMMA_GAME_RESULT,
                             json ? print_object : print_row, NULL);
    status = tool_archive_status(&archive, status);
    tool_archive_close(&archive);
    return status;
}
