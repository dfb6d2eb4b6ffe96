/* SPDX-License-Identifier: MIT */
/* Messages about games kept as text or corrected, while packing and when an archive is read again. */
#include "shared/tool.h"

#define NOTICES_SHOWN 20
#define NOTICE_TEXT 80 /* maximum length of the library's excerpts */

static const char *expected(stamma_archive_reason reason)
{
    switch (reason) {
    case STAMMA_REASON_BAD_FEN: return "expected a legal position in the FEN tag";
    case STAMMA_REASON_VARIANT: return "expected the rules of chess or Chess960";
    case STAMMA_REASON_SYNTAX: return "expected a tag, a move, a comment or a result";
    case STAMMA_REASON_ILLEGAL_MOVE: return "expected a legal move";
    case STAMMA_REASON_AMBIGUOUS_MOVE: return "expected a move that only one piece can make";
    case STAMMA_REASON_DEPTH: return "expected variations nested less deeply";
    case STAMMA_REASON_SIZE: return "expected a smaller game";
    case STAMMA_REASON_UNSUPPORTED: return "expected a position with fewer moves";
    case STAMMA_REASON_INEXACT: return "kept as text; nothing is lost";
    default: return "expected a game";
    }
}

/* Prints the first line of a text, at most 40 bytes. */
static void print_excerpt(FILE *out, stamma_text text)
{
    size_t length = 0;
    while (length < text.size && length < 40 && text.data[length] != '\n' && text.data[length] != '\r')
        length++;
    if (length == 0)
        return;
    (void)fputs(" \"", out);
    (void)tool_text_print(out, (stamma_text){text.data, length});
    (void)fputs(length < text.size ? "...\"" : "\"", out);
}

/* Prints white space in a visible form. */
static void print_blank(FILE *out, stamma_text blank)
{
    (void)fputs(" \"", out);
    for (size_t i = 0; i < blank.size; i++) {
        char byte = blank.data[i];
        if (byte == '\n' || byte == '\r' || byte == '\t')
            (void)fprintf(out, "\\%c", byte == '\n' ? 'n' : byte == '\r' ? 'r' : 't');
        else
            (void)tool_text_print(out, (stamma_text){&blank.data[i], 1});
    }
    (void)putc('"', out);
}

static bool is_blank(stamma_text text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!strchr(" \t\r\n\v\f", text.data[i]))
            return false;
    return true;
}

static void print_layout(FILE *out, const stamma_archive_notice *notice)
{
    if (notice->expected.size > 0) {
        (void)fputs(": ", out);
        (void)tool_text_print(out, notice->found);
        (void)fputs(", where ", out);
        (void)tool_text_print(out, notice->expected);
        (void)fputs(" is expected", out);
    } else if (notice->found.data && is_blank(notice->found)) {
        (void)fputs(notice->found.size > 0 ? ": the spacing" : ": no space", out);
        if (notice->found.size > 0)
            print_blank(out, notice->found);
    } else {
        print_excerpt(out, notice->found.size > 0 ? notice->found : notice->text);
    }
}

void tool_notice_print(FILE *out, const stamma_archive_notice *notice, bool several)
{
    (void)fprintf(out, "line %" PRIu64 ", game %" PRIu64 "%s, after ply %" PRIu32 ": %s", notice->place.line,
                  notice->game, several ? " of the archive" : "", notice->place.ply,
                  stamma_archive_reason_text(notice->reason));
    if (notice->reason == STAMMA_REASON_LAYOUT) {
        print_layout(out, notice);
    } else {
        print_excerpt(out, notice->text);
        (void)fprintf(out, "; %s", expected(notice->reason));
    }
    (void)fputc('\n', out);
}

bool tool_notice_is_loss(stamma_archive_reason reason)
{
    return reason != STAMMA_REASON_NONE && reason != STAMMA_REASON_LAYOUT;
}

bool tool_notices_take(tool_notices *n, const stamma_archive_notice *notice, bool verbose)
{
    bool loss = tool_notice_is_loss(notice->reason);
    n->kept += loss;
    n->kept_bytes += loss ? notice->kept : 0;
    n->corrected += !loss;
    n->corrected_bytes += loss ? 0 : notice->kept;
    if (notice->reason < STAMMA_REASON_COUNT)
        n->reasons[notice->reason]++;
    return verbose || (loss && n->kept <= NOTICES_SHOWN);
}

/* Prints "661 games" followed by a verb or noun. */
static void print_games(uint64_t games, const char *what)
{
    char number[TOOL_NUMBER_SIZE];
    (void)fprintf(stderr, "; %s game%s %s", tool_number(games, number), games == 1 ? "" : "s", what);
}

static void print_bytes(uint64_t bytes)
{
    char number[TOOL_NUMBER_SIZE];
    (void)fprintf(stderr, ", %s", tool_bytes((double)bytes, number));
}

void tool_notices_say(const tool_notices *n, const stamma_archive_counts *counts, const char *name, bool verbose)
{
    char number[TOOL_NUMBER_SIZE];
    const char *before = " (";
    if (n->kept + n->corrected == 0)
        return;
    tool_message_begin(name);
    (void)fputs("all bytes kept", stderr);
    const uint64_t whole = counts->games_verbatim, part = counts->games_partly_verbatim;
    if (n->kept > 0) {
        if (whole > 0)
            print_games(whole, "kept as text");
        if (part > 0)
            print_games(part, "kept as text from a move on");
        if (n->kept > whole + part)
            print_games(n->kept - whole - part, "with other parts kept as text");
        print_bytes(n->kept_bytes);
        for (int reason = 1; reason < STAMMA_REASON_COUNT; reason++) {
            if (n->reasons[reason] == 0 || reason == STAMMA_REASON_LAYOUT)
                continue;
            (void)fprintf(stderr, "%s%s %s", before, tool_number(n->reasons[reason], number),
                          stamma_archive_reason_text((stamma_archive_reason)reason));
            before = ", ";
        }
        (void)fputc(')', stderr);
    }
    if (n->corrected > 0) {
        print_games(n->corrected, "with irregular spacing or spelling");
        print_bytes(n->corrected_bytes);
    }
    (void)fputs(!verbose && (n->corrected > 0 || n->kept > NOTICES_SHOWN) ? " (-v lists them)\n" : "\n", stderr);
}

/* ---- warnings ---- */

void tool_warnings_take(tool_warnings *w, const char *file, uint64_t line, uint64_t game)
{
    if (w->count < TOOL_WARNINGS_SHOWN) {
        w->places[w->count].file = file;
        w->places[w->count].line = line;
        w->places[w->count].game = game;
    }
    w->count++;
}

void tool_warnings_say(const tool_warnings *w, stamma_warning kind, const char *name)
{
    static const struct {
        const char *one, *several, *advice;
    } texts[STAMMA_WARNING_COUNT] = {
        [STAMMA_WARNING_TWO_EVENTS] = {"has two Event tags", "have two Event tags",
                                       "if another game begins there, write an empty line before the tag"},
        [STAMMA_WARNING_MOVES_END] = {"ends early, at text that is not a legal move",
                                      "end early, at text that is not a legal move",
                                      "searches do not see what follows there. Correct the text and pack again"},
    };
    char number[TOOL_NUMBER_SIZE];
    if (w->count == 0)
        return;
    tool_message_begin(name);
    (void)fprintf(stderr, "warning: %s game%s %s", tool_number(w->count, number), w->count == 1 ? "" : "s",
                  w->count == 1 ? texts[kind].one : texts[kind].several);
    for (uint64_t n = 0; n < w->count && n < TOOL_WARNINGS_SHOWN; n++) {
        (void)fputs(n == 0 ? ": " : ", ", stderr);
        (void)tool_text_print(stderr, stamma_text_of(w->places[n].file));
        (void)fprintf(stderr, " line %" PRIu64 " (game %" PRIu64 ")", w->places[n].line, w->places[n].game);
    }
    if (w->count > TOOL_WARNINGS_SHOWN)
        (void)fprintf(stderr, " and %s more", tool_number(w->count - TOOL_WARNINGS_SHOWN, number));
    (void)fprintf(stderr, "; %s\n", texts[kind].advice);
}

/* ---- of an archive ---- */

/* Counts line ends: LF, CR LF, or CR without LF. */
static void count_lines(tool_notice_finder *f, stamma_text text)
{
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.data[i];
        f->lines += byte == '\r' || (byte == '\n' && !f->after_return);
        f->after_return = byte == '\r';
    }
}

/* Returns the number of typed main-line moves that begin before `offset`, or of all typed moves if memory is
 * exhausted. */
static uint32_t plies_before(const stamma_archive_game *game, size_t offset)
{
    uint32_t plies = 0;
    stamma_pgn_reader *reader;
    stamma_pgn_options options = {.size = sizeof options, .tokens_only = true};
    stamma_pgn_event event = {.kind = STAMMA_PGN_GAME_BEGIN};
    if (stamma_pgn_reader_open_memory(game->text.data, game->text.size, &options, &reader) != STAMMA_OK)
        return (uint32_t)game->ply_count;
    while (stamma_pgn_reader_next(reader, &event) == STAMMA_OK && event.kind != STAMMA_PGN_END &&
           event.place.offset < offset)
        plies += event.kind == STAMMA_PGN_MOVE && event.depth == 0;
    stamma_pgn_reader_close(reader);
    return plies < game->ply_count ? plies : (uint32_t)game->ply_count;
}

bool tool_notice_find(tool_notice_finder *f, const stamma_archive_game *game, stamma_archive_notice *notice)
{
    size_t offset = game->reason_offset < game->text.size ? game->reason_offset : game->text.size;
    size_t left = game->text.size - offset;
    bool any = game->reason != STAMMA_REASON_NONE && !game->continuation;
    count_lines(f, (stamma_text){game->text.data, any ? offset : game->text.size});
    if (!any)
        return false;
    *notice = (stamma_archive_notice){.game = game->number,
                                      .reason = game->reason,
                                      .text = {game->text.data + offset, left < NOTICE_TEXT ? left : NOTICE_TEXT},
                                      .found = game->found,
                                      .expected = game->expected};
    if (game->reason == STAMMA_REASON_BAD_FEN || game->reason == STAMMA_REASON_VARIANT)
        notice->text =
            stamma_archive_game_tag(game, stamma_text_of(game->reason == STAMMA_REASON_BAD_FEN ? "FEN" : "Variant"));
    if (notice->text.size > NOTICE_TEXT)
        notice->text.size = NOTICE_TEXT;
    notice->place = (stamma_place){offset, f->lines + 1, game->number, plies_before(game, offset)};
    count_lines(f, (stamma_text){game->text.data + offset, left});
    return true;
}
