/* SPDX-License-Identifier: MIT */
/* Several archives on a command line, and words in a file instead of operands. */
#include "shared/tool.h"

#include <limits.h>

int tool_archives_count(char **operands, int count)
{
    int archives = 1;
    while (archives < count && !tool_games_named(operands[archives]))
        archives++;
    return archives;
}

int tool_archives_each(char **paths, int count, int (*visit)(void *context, const char *path), void *context)
{
    int worst = TOOL_DONE;
    for (int i = 0; i < count && tool_printed(); i++) {
        int status = visit(context, paths[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* Ends each word with a NUL. Returns the number of words, and stores them in `word` unless it is NULL. */
static size_t split(char *text, size_t size, char **word)
{
    size_t count = 0;
    bool within = false;
    for (size_t i = 0; i < size; i++) {
        bool blank = text[i] == 0 || strchr(" \t\r\n", text[i]);
        if (!blank && !within && word)
            word[count] = text + i;
        count += !blank && !within;
        within = !blank;
        if (blank)
            text[i] = 0;
    }
    return count;
}

bool tool_words_read(const char *path, char **others, int count, tool_words *words)
{
    tool_file file;
    size_t size = 0;
    *words = (tool_words){NULL, 0, NULL};
    if (!tool_file_open(path, &file))
        return false;
    words->text = tool_file_read_all(&file, &size);
    size_t more = words->text ? split(words->text, size, NULL) : 0;
    if (words->text && more < (size_t)(INT_MAX - count))
        words->word = malloc(((size_t)count + more + 1) * sizeof *words->word);
    if (words->text && !words->word)
        (void)tool_fail_memory(file.name);
    if (words->word) {
        memcpy(words->word, others, (size_t)count * sizeof *others);
        words->count = count + (int)split(words->text, size, words->word + count);
    }
    tool_file_close(&file);
    if (!words->word)
        tool_words_free(words);
    return words->word != NULL;
}

void tool_words_free(tool_words *words)
{
    free(words->word);
    free(words->text);
    words->word = NULL;
    words->text = NULL;
}
