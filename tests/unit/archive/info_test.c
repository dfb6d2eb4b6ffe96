/* SPDX-License-Identifier: MIT */
/* Tests the sums of columns of an archive with more column names than the list can contain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive_support.h"

enum { ARCHIVES = 20, TAGS = 250, NAMES_MAX = 4096 };

typedef struct sums {
    size_t columns;
    uint64_t stored, plain; /* of all columns */
    uint64_t others;        /* stored bytes of the columns without a name */
} sums;

static void add_column(void *context, const stamma_archive_column *column)
{
    sums *s = context;
    s->columns++;
    s->stored += column->stored_bytes;
    s->plain += column->plain_bytes;
    s->others += strcmp(column->name, "others") == 0 ? column->stored_bytes : 0;
}

static sums sum_up(const listing *archive)
{
    sums s = {.columns = 0};
    archive_source source;
    stamma_archive_reader *reader = open_archive(&source, archive, true);
    assert_int_equal(stamma_archive_reader_info(reader, NULL, NULL, 0, add_column, &s), STAMMA_OK);
    close_reader(reader);
    return s;
}

/* Each block has other tags. */
static void many_names(void **state)
{
    (void)state;
    listing archives[ARCHIVES];
    sums wanted = {.columns = 0};
    for (unsigned n = 0; n < ARCHIVES; n++) {
        listing text = {0};
        for (unsigned tag = 0; tag < TAGS; tag++)
            list_format(&text, "[T%u_%u \"%u\"]\n", n, tag, tag * tag);
        list_word(&text, "\n1. e4 *\n");
        archives[n] = pack(text.text, text.size, NULL);
        const sums one = sum_up(&archives[n]);
        assert_in_range(one.columns, TAGS + 1, TAGS + 30);
        assert_int_equal(one.others, 0);
        wanted.stored += one.stored;
        wanted.plain += one.plain;
        free(text.text);
    }
    listing all = copy_archives(archives, ARCHIVES, NULL);
    const sums found = sum_up(&all);
    assert_int_equal(found.columns, NAMES_MAX + 1);
    assert_int_equal(found.stored, wanted.stored);
    assert_int_equal(found.plain, wanted.plain);
    assert_in_range(found.others, ARCHIVES * TAGS - NAMES_MAX, wanted.stored / 2);
    free(all.text);
    for (unsigned n = 0; n < ARCHIVES; n++)
        free(archives[n].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
