/* SPDX-License-Identifier: MIT */
/* Texts, errors and arguments of Windows. */
#define _CRT_RAND_S
#include "system/windows_system.h"

#include <fcntl.h>
#include <io.h>
#include <wchar.h>

/* ---- errors ---- */

bool windows_fail_with(DWORD error)
{
    windows_set_errno(error);
    return false;
}

bool windows_fail(void)
{
    return windows_fail_with(GetLastError());
}

/* ---- names ---- */

void windows_randomize(char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    char *at = name + strlen(name) - 6;
    unsigned number = 0;
    (void)rand_s(&number);
    for (int i = 0; i < 6; i++, number >>= 5)
        at[i] = letters[number & 31];
}

/* ---- arguments ---- */

/* Arguments in UTF-8. */
typedef struct arguments {
    char **list;
    size_t count, room;
} arguments;

static void add(arguments *a, char *text)
{
    if (a->count + 1 >= a->room) {
        char **more = realloc(a->list, (a->room * 2 + 16) * sizeof *more);
        text = more ? text : NULL;
        a->room = a->room * 2 + 16;
        a->list = more;
    }
    if (!text)
        exit(2);
    a->list[a->count++] = text;
    a->list[a->count] = NULL;
}

/* Reads the next argument of a command line into `word`, with the rules of Microsoft's C library. *quoted: a part of it
 * is in quotes. */
static const wchar_t *read_argument(const wchar_t *at, wchar_t *word, bool *quoted)
{
    bool inside = false;
    *quoted = false;
    while (*at && (inside || (*at != ' ' && *at != '\t'))) {
        size_t slashes = wcsspn(at, L"\\");
        const bool quote = at[slashes] == '"';
        for (size_t n = quote ? slashes / 2 : slashes; n > 0; n--)
            *word++ = '\\';
        at += slashes;
        if (quote && slashes % 2 == 0 && inside && at[1] == '"') {
            *word++ = '"';
            at += 2;
        } else if (quote && slashes % 2 == 0) {
            inside = !inside;
            *quoted = true;
            at++;
        } else if (*at && (quote || inside || (*at != ' ' && *at != '\t'))) {
            *word++ = *at++;
        }
    }
    *word = 0;
    return at + wcsspn(at, L" \t");
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the files that a pattern names, because the command processor does not do that. Returns false if there are
 * none. */
static bool add_matches(arguments *a, const wchar_t *pattern)
{
    WIN32_FIND_DATAW found;
    const HANDLE search = FindFirstFileW(pattern, &found);
    const size_t before = a->count;
    char *text = windows_narrow(pattern);
    if (search == INVALID_HANDLE_VALUE || !text) {
        free(text);
        return false;
    }
    const size_t folder = (size_t)(system_base_name(text) - text);
    do {
        char *name = windows_narrow(found.cFileName), *path = name ? malloc(folder + strlen(name) + 1) : NULL;
        const bool hidden = found.cFileName[0] == '.' || found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
        if (path)
            (void)sprintf(path, "%.*s%s", (int)folder, text, name);
        if (!hidden)
            add(a, path);
        free(name);
    } while (FindNextFileW(search, &found));
    (void)FindClose(search);
    free(text);
    if (a->count > before)
        qsort(a->list + before, a->count - before, sizeof *a->list, compare_names);
    return a->count > before;
}

static void read_arguments(int *argc, char ***argv)
{
    arguments a = {.list = NULL};
    const wchar_t *at = GetCommandLineW();
    wchar_t *word = malloc((wcslen(at) + 1) * sizeof *word);
    bool quoted, after_option = false;
    while (word && *at) {
        at = read_argument(at, word, &quoted);
        const bool pattern = !quoted && !after_option && a.count > 0 && *word != '-' && wcspbrk(word, L"*?");
        after_option = *word == '-' && word[1];
        if (!pattern || !add_matches(&a, word))
            add(&a, windows_narrow(word));
    }
    free(word);
    if (a.count > 0) {
        *argc = (int)a.count;
        *argv = a.list;
    }
}

bool system_utc(time_t time, struct tm *utc)
{
    return gmtime_s(utc, &time) == 0;
}

/* ---- the start ---- */

static UINT input_page, output_page;

static void restore_console(void)
{
    (void)SetConsoleCP(input_page);
    (void)SetConsoleOutputCP(output_page);
}

/* Sets the console to UTF-8, and lets it interpret colors. */
static void set_console(void)
{
    static const DWORD outputs[] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    DWORD mode;
    input_page = GetConsoleCP();
    output_page = GetConsoleOutputCP();
    if (input_page == 0 || output_page == 0)
        return; /* there is no console */
    (void)SetConsoleCP(CP_UTF8);
    (void)SetConsoleOutputCP(CP_UTF8);
    (void)atexit(restore_console);
    for (size_t n = 0; n < sizeof outputs / sizeof *outputs; n++)
        if (GetConsoleMode(GetStdHandle(outputs[n]), &mode))
            (void)SetConsoleMode(GetStdHandle(outputs[n]), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

static void ignore_parameter(const wchar_t *expression, const wchar_t *function, const wchar_t *file, unsigned line,
                             uintptr_t reserved)
{
    (void)expression, (void)function, (void)file, (void)line, (void)reserved;
}

void system_begin(int *argc, char ***argv)
{
    static char output[1 << 16]; /* without it, the console receives characters byte by byte */
    (void)_set_invalid_parameter_handler(ignore_parameter);
    for (int file = SYSTEM_INPUT; file <= SYSTEM_ERRORS; file++)
        (void)_setmode(file, _O_BINARY);
    (void)setvbuf(stdout, output, _IOFBF, sizeof output);
    set_console();
    read_arguments(argc, argv);
}
