/* SPDX-License-Identifier: MIT */
/* Looks for tables in folders. */
#include "tablebases/tablebase.h"

/* Returns the number of pieces of a table by its file name, such as KQvKR.rtbw; 0 for another file. */
static unsigned men_of(const char *name)
{
    const size_t letters = strspn(name, "KQRBNP"),
                 more = name[letters] == 'v' ? strspn(name + letters + 1, "KQRBNP") : 0;
    const size_t men = letters + more;
    return letters > 0 && more > 0 && men <= TABLEBASE_MEN_MAX && strcmp(name + men + 1, ".rtbw") == 0 ? (unsigned)men
                                                                                                       : 0;
}

static bool look_at(void *context, const char *name)
{
    unsigned *men = context;
    const unsigned found = men_of(name);
    *men = found > *men ? found : *men;
    return true;
}

static bool look_into(const char *folder, unsigned *men)
{
    if (system_folder_each(folder, look_at, men))
        return true;
    tool_say(folder, "%s", strerror(errno));
    return false;
}

bool tablebase_check(const char *folders, unsigned *men)
{
    *men = 0;
#ifndef TOOL_FATHOM
    (void)look_into;
    tool_say(NULL, "option --syzygy: this program was built without the library Fathom (Debian: libfathom-dev)");
    return false;
#endif
    char *list = strdup(folders), *rest = list;
    bool right = list || tool_fail_memory(NULL);
    for (char *end; right && rest; rest = end) {
        end = strchr(rest, ':');
        if (end)
            *end++ = 0;
        right = look_into(rest, men);
    }
    free(list);
    if (right && *men == 0)
        tool_say(folders, "no tablebase (file .rtbw) is in this folder");
    return right && *men > 0;
}
