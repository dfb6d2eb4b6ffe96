/* SPDX-License-Identifier: MIT */
/* Tests tags whose texts are split into fields: many columns of fields in a block, and large columns, which are decoded
 * in a different way than few small columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

/* Three numbers with few digits each: the time of a clock and the number of a table. */
static void list_address(listing *text, unsigned tag)
{
    list_format(text, "[Address%u \"site %u, table %u, clock %u:%02u:%02u\"]\n", tag, tag,
                1 + (unsigned)random_below(400), (unsigned)random_below(3), (unsigned)random_below(60),
                (unsigned)random_below(60));
}

/* Returns games with addresses in `tags` tags. */
static listing make_games(unsigned games, unsigned tags)
{
    listing text = {0};
    for (unsigned n = 0; n < games; n++) {
        for (unsigned tag = 0; tag < tags; tag++)
            list_address(&text, tag);
        list_word(&text, "\n1. e4 *\n\n");
    }
    return text;
}

/* Games read one at a time have the tags of the text. */
static void assert_tags(const listing *archive, const listing *text, unsigned tags)
{
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    const stamma_archive_game *game;
    const char *at = text->text;
    assert_int_equal(stamma_archive_reader_select(reader, STAMMA_GAME_TAGS), STAMMA_OK);
    while (stamma_archive_reader_next(reader, &game) == STAMMA_OK && game) {
        assert_int_equal(game->tag_count, tags);
        for (unsigned tag = 0; tag < tags; tag++) {
            at = strchr(at, '"') + 1;
            assert_memory_equal(game->tags[tag].value.data, at, game->tags[tag].value.size);
            at += game->tags[tag].value.size;
            assert_int_equal(*at++, '"');
        }
    }
    assert_null(strchr(at, '"'));
    close_reader(reader);
}

static void compare(int level, unsigned games, unsigned tags)
{
    listing text = make_games(games, tags), archive = pack_at(level, text.text, text.size, NULL);
    assert_gives_back(&archive, text.text, text.size);
    assert_tags(&archive, &text, tags);
    free(archive.text);
    free(text.text);
}

static void many_columns(void **state)
{
    (void)state;
    for (int level = 1; level <= (stamma_predictor_id() ? 2 : 1); level++)
        for (unsigned tags = 15; tags <= 40; tags += tags < 18 ? 1 : 11)
            compare(level, 300, tags);
}

static void large_columns(void **state)
{
    (void)state;
    compare(1, 50000, 1); /* about 35 bytes each */
    compare(1, 40000, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_columns), cmocka_unit_test(large_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
