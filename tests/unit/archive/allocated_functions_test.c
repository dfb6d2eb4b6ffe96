/* Every public function that is passed an allocator, or an object opened with one, is called in a test of allocation
 * failures. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

/* Returns whether a public type is a structure of options with an allocator. */
static bool has_allocator(const char *header, const char *type)
{
    char begin[120], end[120];
    snprintf(begin, sizeof begin, "typedef struct %s {", type);
    snprintf(end, sizeof end, "} %s;", type);
    const char *structure = strstr(type, "_options") ? strstr(header, begin) : NULL;
    const char *member = structure ? strstr(structure, "allocator") : NULL;
    return member && member < strstr(structure, end);
}

/* Returns whether a declaration has a parameter that can reach an allocator: an allocator, or a pointer to an opaque
 * public type. Codecs are constants and do not count. */
static bool reaches_memory(const char *header, const char *parameters, size_t size)
{
    char type[80], opaque[200];
    for (size_t at = 0; at + 8 < size; at++) {
        if (strncmp(parameters + at, "stamma_", 7) != 0)
            continue;
        snprintf(type, sizeof type, "%.*s", (int)strcspn(parameters + at, " "), parameters + at);
        snprintf(opaque, sizeof opaque, "typedef struct %s %s;", type, type);
        if (!strstr(type, "codec") &&
            (has_allocator(header, type) || strstr(type, "_allocator") || strstr(header, opaque)))
            return true;
        at += strlen(type);
    }
    return false;
}

static void none_is_left_out(void **state)
{
    static const char mark[] = "STAMMA_API ";
    listing header = read_public_headers(), here = read_file("tests/unit/archive/allocation_test.c"),
            searches = read_file("tests/unit/search/search_allocation_test.c"),
            tables = read_file("tests/unit/columns/columns_test.c"),
            indexes = read_file("tests/unit/index/index_verify_test.c");
    unsigned count = 0;
    (void)state;
    assert_true(header.size > 0 && here.size > 0 && searches.size > 0 && tables.size > 0 && indexes.size > 0);
    list_bytes(&here, searches.text, searches.size);
    list_bytes(&here, tables.text, tables.size);
    list_bytes(&here, indexes.text, indexes.size);
    list_bytes(&here, "", 1);
    for (const char *at = header.text; (at = strstr(at, mark)) != NULL;) {
        char call[80];
        at += sizeof mark - 1;
        const char *open = at + strcspn(at, "("), *name = open;
        while (name[-1] == '_' || isalnum((unsigned char)name[-1]))
            name--;
        if (!reaches_memory(header.text, open, strcspn(open, ";{")))
            continue;
        snprintf(call, sizeof call, "%.*s(", (int)(open - name), name);
        if (!strstr(here.text, call))
            fail_msg("no call of %s)", call);
        count++;
    }
    assert_in_range(count, 90, 300);
    free(header.text);
    free(here.text);
    free(searches.text);
    free(tables.text);
    free(indexes.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(none_is_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
