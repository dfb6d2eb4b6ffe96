/* SPDX-License-Identifier: MIT */
/* Measures questions to a file of pages: how many parts and bytes they read, and how long they need. Asks about the
 * first 20 plies of 200 games of the archive: ply after ply with one open file, which keeps parts that it has read, and
 * each with a file that is opened for it. The bytes of opening a file are not counted. Compares 2,000 random positions
 * with the answers of the archive: of games, and after moves that nobody need have played.
 *
 * usage: pages_bench ARCHIVE PAGES [INDEX]     run by pages.sh */
#include "bench.h"

enum { PLIES = 20, GAMES = 200, POSITIONS = 2000, DEEPEST = 48, KINDS = 3, MOST = GAMES * (PLIES + 1) };

/* ---- files ---- */

static stamma_bytes map(const char *path)
{
    struct stat status;
    const int fd = open(path, O_RDONLY);
    void *bytes = fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0
                      ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0)
                      : MAP_FAILED;
    bench_check(path, bytes == MAP_FAILED ? STAMMA_ERROR_IO : STAMMA_OK);
    return stamma_bytes_of(bytes, (size_t)status.st_size);
}

/* A file whose reads are counted. */
static stamma_bytes file;
static size_t reads, bytes_read;

static bool read_counted(void *context, uint64_t offset, void *bytes, size_t size)
{
    (void)context;
    reads++;
    bytes_read += size;
    memcpy(bytes, (const char *)file.memory + offset, size);
    return true;
}

static stamma_pages *open_pages(void)
{
    const stamma_bytes counted = {.size = file.size, .read_at = read_counted};
    stamma_pages *pages = NULL;
    bench_check("pages", stamma_pages_open(&counted, NULL, NULL, &pages));
    return pages;
}

/* ---- questions ---- */

/* Kinds of questions: popular positions, rare positions, and positions that the pages do not answer. */
typedef struct figures {
    size_t count;
    double reads[MOST], bytes[MOST], seconds[MOST];
} figures;

typedef struct line {
    stamma_position positions[DEEPEST + 2];
    size_t plies;
} line;

static stamma_archive *archive;
static uint64_t games, min_games;
static stamma_archive_reader *reader;

static bool read_line(uint64_t game, line *l)
{
    const stamma_archive_game *g = NULL;
    bench_check("games", stamma_archive_reader_seek(reader, game));
    bench_check("games", stamma_archive_reader_next(reader, &g));
    if (!g || g->continuation)
        return false;
    l->positions[0] = g->start;
    l->plies = g->ply_count < DEEPEST ? g->ply_count : DEEPEST;
    for (size_t n = 0; n < l->plies; n++)
        stamma_position_make(&l->positions[n], g->moves[n], &l->positions[n + 1]);
    return true;
}

static void ask(stamma_pages *pages, const line *l, size_t ply, figures kinds[KINDS])
{
    stamma_tree *tree = NULL;
    bool found;
    bench_check("tree", stamma_tree_open(&l->positions[ply], NULL, &tree));
    reads = bytes_read = 0;
    const double begun = bench_elapsed();
    bench_check("pages", stamma_tree_add_pages(tree, stamma_text_of("a"), pages, l->positions, ply, &found));
    const double seconds = bench_elapsed() - begun;
    figures *f = &kinds[!found ? 2 : stamma_tree_total(tree).games < min_games];
    f->reads[f->count] = (double)reads;
    f->bytes[f->count] = (double)bytes_read;
    f->seconds[f->count++] = seconds;
    stamma_tree_close(tree);
}

static void print(const char *name, figures kinds[KINDS])
{
    static const char *const words[KINDS] = {"popular", "rare", "asks the archive"};
    for (size_t n = 0; n < KINDS; n++) {
        figures *f = &kinds[n];
        if (f->count == 0)
            continue;
        const double middle[] = {bench_median(f->reads, f->count), bench_median(f->bytes, f->count),
                                 bench_median(f->seconds, f->count)};
        printf("%-12s %-17s %6zu  %5.0f %5.0f  %8.0f %8.0f  %8.1f %8.1f\n", name, words[n], f->count, middle[0],
               f->reads[f->count - 1], middle[1], f->bytes[f->count - 1], middle[2] * 1e6,
               f->seconds[f->count - 1] * 1e6);
        f->count = 0;
    }
}

static void measure(void)
{
    static figures kinds[KINDS];
    uint64_t state = 46;
    line l;
    for (unsigned fresh = 0; fresh < 2; fresh++) {
        stamma_pages *pages = open_pages();
        for (unsigned n = 0; n < GAMES; n++) {
            if (!read_line(1 + bench_random(&state) % games, &l))
                continue;
            for (size_t ply = 0; ply <= PLIES && ply <= l.plies; ply++) {
                if (fresh) {
                    stamma_pages_close(pages);
                    pages = open_pages();
                }
                ask(pages, &l, ply, kinds);
            }
        }
        stamma_pages_close(pages);
        print(fresh ? "without moves" : "with moves", kinds);
    }
}

/* ---- comparison with the archive ---- */

static bool same_game(const stamma_tree_game *a, const stamma_tree_game *b)
{
    return a->game == b->game && a->ended == b->ended && (a->ended || a->move == b->move) && a->date == b->date &&
           a->white_rating == b->white_rating && a->black_rating == b->black_rating && a->result == b->result;
}

static bool same_lists(const stamma_tree *a, const stamma_tree *b,
                       const stamma_tree_game *(*at)(const stamma_tree *tree, size_t n))
{
    for (size_t n = 0; n < 4; n++)
        if (!at(a, n) != !at(b, n) || (at(a, n) && !same_game(at(a, n), at(b, n))))
            return false;
    return true;
}

static bool same(const stamma_tree *a, const stamma_tree *b)
{
    const stamma_tree_counts x = stamma_tree_total(a), y = stamma_tree_total(b);
    bool right = memcmp(&x, &y, sizeof x) == 0 && stamma_tree_move_count(a) == stamma_tree_move_count(b);
    for (size_t n = 0; n < stamma_tree_move_count(a) && right; n++) {
        const stamma_tree_move *m = stamma_tree_move_at(a, n), *o = stamma_tree_move_at(b, n);
        right = m->move == o->move && memcmp(&m->counts, &o->counts, sizeof m->counts) == 0 &&
                (m->counts.games > 1 || same_game(&m->top, &o->top));
    }
    return right && same_lists(a, b, stamma_tree_top_game) && same_lists(a, b, stamma_tree_recent_game);
}

/* Compares an answer. Returns whether the pages have it. */
static bool compare(stamma_pages *pages, const stamma_position *p, const line *l, size_t count, size_t *wrong)
{
    stamma_tree *found = NULL, *wanted = NULL;
    bool answered;
    bench_check("tree", stamma_tree_open(p, NULL, &found));
    bench_check("tree", stamma_tree_open(p, NULL, &wanted));
    bench_check("pages", stamma_tree_add_pages(found, stamma_text_of("a"), pages, l->positions, count, &answered));
    if (answered) {
        bench_check("archive", stamma_tree_add_archive(wanted, stamma_text_of("a"), archive, NULL, NULL, NULL));
        *wrong += !same(found, wanted);
    }
    stamma_tree_close(found);
    stamma_tree_close(wanted);
    return answered;
}

static size_t compare_all(void)
{
    stamma_pages *pages = open_pages();
    uint64_t state = 2000;
    size_t answered = 0, wrong = 0;
    line l;
    for (unsigned n = 0; n < POSITIONS; n++) {
        stamma_move moves[STAMMA_MOVES_MAX];
        if (!read_line(1 + bench_random(&state) % games, &l))
            continue;
        const size_t ply = bench_random(&state) % (l.plies + 1);
        const size_t legal = stamma_legal_moves(&l.positions[ply], moves);
        stamma_position p = l.positions[ply];
        const bool other = legal > 0 && n % 4 == 0;
        if (other)
            stamma_position_make(&l.positions[ply], moves[bench_random(&state) % legal], &p);
        answered += compare(pages, &p, &l, n % 5 == 0 ? 0 : ply + other, &wrong);
    }
    stamma_pages_close(pages);
    printf("%d random positions: %zu answered, %zu wrong\n", POSITIONS, answered, wrong);
    return wrong;
}

int main(int argc, char **argv)
{
    stamma_pages_state state = {.size = sizeof state};
    if (argc < 3)
        return 2;
    const stamma_bytes bytes = map(argv[1]);
    stamma_archive_options options = {.size = sizeof options};
    stamma_bytes index;
    if (argc > 3) {
        index = map(argv[3]);
        options.index = &index;
    }
    file = map(argv[2]);
    bench_check(argv[1], stamma_archive_open(&bytes, &options, &archive));
    bench_check(argv[1], stamma_archive_games(archive, &games));
    bench_check(argv[1], stamma_archive_reader_open(archive, NULL, &reader));
    bench_check(argv[1], stamma_archive_reader_select(reader, STAMMA_GAME_MOVES));
    stamma_pages *pages = open_pages();
    bench_check(argv[2], stamma_pages_info(pages, &state));
    stamma_pages_close(pages);
    min_games = state.min_games;
    printf("opening: %zu reads, %zu bytes; %" PRIu64 " positions stored\n", reads, bytes_read, state.positions);
    printf("%-30s questions  reads  most     bytes     most   microseconds  most\n", "");
    if (games > 0)
        measure();
    const size_t wrong = games > 0 ? compare_all() : 0;
    stamma_archive_reader_close(reader);
    stamma_archive_close(archive);
    return wrong > 0;
}
