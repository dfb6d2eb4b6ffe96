/* Tests the search for styles: the style of a text is found, and text that no style describes is still restored
 * exactly. */
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

/* The styles of programs are found without any exception. */
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

/* Single games, each with a habit that no other game here has: nothing needs a correction. */
static void test_habits(void **state)
{
    (void)state;
    static const char *const games[] = {
        /* the file is written before the rank if the rank would be sufficient, and only then */
        "1. a4 a5 2. h4 h5 3. Ra3 Ra6 4. Rah3 Rah6 5. Rh3h2 Rh6h7 6. Rh3 Rh6 *\n",
        /* lines end at any space, but the result stays on its line however long it becomes */
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8.\n"
        "c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4\n"
        "15. Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6 20. Nbd2 Nxd6 1/2-1/2\n",
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        stamma_archive_counts counts;
        assert_round_trip(games[i], strlen(games[i]), &counts);
        assert_int_equal(counts.games, 1);
        expect_clean(games[i], &counts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_styles_of_programs),
        cmocka_unit_test(test_habits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
