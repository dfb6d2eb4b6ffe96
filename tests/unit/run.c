/* SPDX-License-Identifier: MIT */
/* Runs one unit test of a room: the test that the name of the program's symbolic link or the first argument selects.
 * The build defines TESTS, the room's tests as TEST(name)..., and compiles the main function of each test under the
 * test's name. */
#include <stdio.h>
#include <string.h>

#define TEST(name) int name(void);
TESTS
#undef TEST

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {
#define TEST(name) {#name, name},
    TESTS
#undef TEST
};
enum { COUNT = sizeof tests / sizeof *tests };

int main(int count, char **arguments)
{
    const char *slash = strrchr(arguments[0], '/');
    const char *name = count > 1 ? arguments[1] : slash ? slash + 1 : arguments[0];
    for (int i = 0; i < COUNT; i++)
        if (strcmp(tests[i].name, name) == 0)
            return tests[i].run();
    fprintf(stderr, "%s is not one of these tests:\n", name);
    for (int i = 0; i < COUNT; i++)
        fprintf(stderr, "  %s\n", tests[i].name);
    return 2;
}
