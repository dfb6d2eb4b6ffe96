/* The layout: whatever style a text is written in is found, and what no style says is kept exactly all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"
#include "game_texts.h"

static void expect_clean(const char *name, const stamma_archive_counts *counts)
{
    if (counts->games_corrected + counts->games_partly_verbatim + counts->games_verbatim == 0)
        return;
    fail_msg("%s: %d games corrected, %d partly verbatim, %d verbatim", name, (int)counts->games_corrected,
             (int)counts->games_partly_verbatim, (int)counts->games_verbatim);
}

/* Every style of a program is found without a single exception. */
static void test_styles_of_programs(void **state)
{
    (void)state;
    for (const text_style *s = text_styles; s->name; s++) {
        listing text = {0};
        stamma_archive_counts counts;
        for (int i = 0; i < 80; i++)
            list_game(&text, s);
        assert_round_trip(text.text, text.size, &counts);
        assert_int_equal(counts.games, 80);
        expect_clean(s->name, &counts);
        free(text.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_styles_of_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
