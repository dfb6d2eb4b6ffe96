/* SPDX-License-Identifier: MIT */
/* Reads the openings of an .eco file of Scid: a code, a name in quotes, moves, and an asterisk. A # at the beginning of
 * a word begins a comment. */
#include "curating/classify.h"

#include <xxhash.h>

typedef struct eco_opening {
    XXH128_hash_t key; /* of the pieces and the side to move */
    size_t order;
    eco_name name;
} eco_opening;

typedef struct eco_reader {
    eco_file *eco;
    const char *path;
    const char *at;
    size_t line;
} eco_reader;

static XXH128_hash_t key_of(const stamma_position *p)
{
    uint64_t words[9];
    memcpy(words, p->by_color, sizeof p->by_color);
    memcpy(words + 2, p->by_type, sizeof p->by_type);
    words[8] = p->side;
    return XXH3_128bits(words, sizeof words);
}

static bool fail(const eco_reader *r, const char *what)
{
    tool_say(r->path, "line %zu: %s", r->line, what);
    return false;
}

static void skip_blanks(eco_reader *r)
{
    for (; *r->at; r->at++) {
        if (*r->at == '#')
            r->at += strcspn(r->at, "\n");
        r->line += *r->at == '\n';
        if (!*r->at || !strchr(" \t\r\n", *r->at))
            return;
    }
}

/* Reads a text up to one of `ends`. */
static stamma_text take(eco_reader *r, const char *ends)
{
    const stamma_text text = {r->at, strcspn(r->at, ends)};
    r->at += text.size;
    return text;
}

static bool read_code(eco_reader *r, stamma_text *code)
{
    *code = take(r, " \t\r\n\"");
    const char *c = code->data;
    if (code->size < 3 || *c < 'A' || *c > 'E' || c[1] < '0' || c[1] > '9' || c[2] < '0' || c[2] > '9')
        return fail(r, "expected an ECO code such as B90");
    code->size = 3; /* Scid's extensions are not part of the tag ECO */
    return true;
}

static bool read_name(eco_reader *r, stamma_text *name)
{
    skip_blanks(r);
    if (*r->at != '"')
        return fail(r, "expected a name in quotes");
    r->at++;
    *name = take(r, "\"\n");
    if (*r->at != '"')
        return fail(r, "the name is not closed by a quote");
    r->at++;
    return true;
}

/* Plays the moves up to the asterisk. */
static bool read_moves(eco_reader *r, stamma_position *position, size_t *plies)
{
    *position = stamma_position_start();
    for (*plies = 0;;) {
        skip_blanks(r);
        if (*r->at == '*')
            return r->at++, true;
        const stamma_text word = take(r, " \t\r\n*");
        if (word.size == 0)
            return fail(r, "the moves do not end with *");
        char san[32] = {0};
        memcpy(san, word.data, word.size < sizeof san ? word.size : sizeof san - 1);
        const char *move = tool_skip_move_number(san);
        stamma_move played;
        if (*move == 0)
            continue;
        if (stamma_san_read(position, stamma_text_of(move), &played))
            return fail(r, "a move that is not legal");
        stamma_position_make(position, played, position);
        ++*plies;
    }
}

static bool add(eco_reader *r, const eco_opening *opening, size_t plies)
{
    eco_file *eco = r->eco;
    if (eco->count == eco->room) {
        const size_t room = 2 * eco->room + 1024;
        eco_opening *openings = realloc(eco->openings, room * sizeof *openings);
        if (!openings)
            return tool_fail_memory(NULL);
        eco->openings = openings;
        eco->room = room;
    }
    eco->openings[eco->count++] = *opening;
    eco->plies = plies > eco->plies ? plies : eco->plies;
    return true;
}

static bool read_opening(eco_reader *r)
{
    eco_opening opening = {.order = r->eco->count};
    stamma_position position;
    size_t plies;
    if (!read_code(r, &opening.name.code) || !read_name(r, &opening.name.name) || !read_moves(r, &position, &plies))
        return false;
    opening.key = key_of(&position);
    return plies == 0 || add(r, &opening, plies); /* the initial position is no opening */
}

static int compare(const void *left, const void *right)
{
    const eco_opening *a = left, *b = right;
    const int order = XXH128_cmp(&a->key, &b->key);
    return order != 0 ? order : a->order < b->order ? -1 : 1;
}

/* Sorts the openings by their keys. Of several openings with the same position, keeps the first in the file. */
static void sort(eco_file *eco)
{
    size_t kept = 0;
    if (eco->count > 0)
        qsort(eco->openings, eco->count, sizeof *eco->openings, compare);
    for (size_t n = 0; n < eco->count; n++)
        if (kept == 0 || XXH128_cmp(&eco->openings[kept - 1].key, &eco->openings[n].key) != 0)
            eco->openings[kept++] = eco->openings[n];
    eco->count = kept;
}

bool eco_file_read(const char *path, eco_file *eco)
{
    tool_file file;
    size_t size;
    *eco = (eco_file){.text = NULL};
    if (!tool_file_open(path, &file))
        return false;
    eco->text = tool_file_read_all(&file, &size);
    tool_file_close(&file);
    eco_reader r = {eco, path, eco->text, 1};
    bool right = eco->text != NULL;
    while (right && (skip_blanks(&r), *r.at))
        right = read_opening(&r);
    if (right && eco->count == 0) {
        tool_say(path, "there is no opening in the file");
        right = false;
    }
    sort(eco);
    return right;
}

void eco_file_free(eco_file *eco)
{
    free(eco->text);
    free(eco->openings);
    *eco = (eco_file){.text = NULL};
}

static int compare_key(const void *key, const void *element)
{
    const eco_opening *opening = element;
    return XXH128_cmp(key, &opening->key);
}

eco_name eco_file_find(const eco_file *eco, const stamma_position *position)
{
    eco_name name = {{NULL, 0}, {NULL, 0}};
    if (!eco->text) {
        (void)stamma_position_opening(position, &name.code, &name.name);
        return name;
    }
    const XXH128_hash_t key = key_of(position);
    const eco_opening *found = bsearch(&key, eco->openings, eco->count, sizeof *eco->openings, compare_key);
    return found ? found->name : name;
}
