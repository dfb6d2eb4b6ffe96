/* SPDX-License-Identifier: MIT */
/* Writes lines of moves in comments (clause 18). A line that would not be restored byte for byte remains text. */
#include "block/comment_lines.h"

void stamma_comment_lines_init(comment_lines_writer *c, const stamma_allocator *allocator)
{
    memset(c, 0, sizeof *c);
    c->allocator = allocator;
    stamma_known_lines_init(&c->known, allocator);
    c->run.allocator = c->breaks.allocator = c->sizes.allocator = c->steps.allocator = c->step_ends.allocator =
        allocator;
}

void stamma_comment_lines_release(comment_lines_writer *c)
{
    stamma_known_lines_release(&c->known);
    stamma_buffer_release(&c->run);
    stamma_buffer_release(&c->breaks);
    stamma_buffer_release(&c->sizes);
    stamma_buffer_release(&c->steps);
    stamma_buffer_release(&c->step_ends);
    memory_release(c->allocator, c->lines);
}

bool stamma_comment_lines_have_failed(const comment_lines_writer *c)
{
    bool failed = c->run.failed || c->breaks.failed || c->sizes.failed || c->steps.failed || c->step_ends.failed;
    for (size_t n = 0; n < KNOWN_LINES; n++)
        failed |= c->known.lines[n].failed;
    return failed;
}

/* ---- words that may be moves ---- */

enum { WORD_BEFORE = 1, WORD_FIRST = 2, WORD_SECOND = 4, WORD_MOVE = 8, WORD_INSIDE = 16 };
/* Character classes: may precede a line; may start a move; may be its second byte; may occur in a move; must not be
 * adjacent to a move. */
static const uint8_t classes[256] = {
    ['a'] = 30, ['b'] = 30, ['c'] = 30, ['d'] = 30, ['e'] = 30, ['f'] = 30, ['g'] = 30, ['h'] = 30,
    ['1'] = 28, ['2'] = 28, ['3'] = 28, ['4'] = 28, ['5'] = 28, ['6'] = 28, ['7'] = 28, ['8'] = 28,
    ['K'] = 26, ['Q'] = 26, ['R'] = 26, ['B'] = 26, ['N'] = 26, ['O'] = 26, ['x'] = 28, ['n'] = 24,
    ['q'] = 24, ['r'] = 24, ['-'] = 28, ['='] = 25, ['+'] = 24, ['#'] = 24, [' '] = 1,  ['('] = 1,
    [':'] = 1,  ['\n'] = 1, ['['] = 1,  ['"'] = 1,  ['9'] = 16, ['0'] = 16};

STAMMA_INLINE unsigned class_of(char byte)
{
    return classes[(uint8_t)byte];
}

/* Returns the size of the word at `at`, or 0 if the word cannot be a move. */
static size_t word_size(const char *at, const char *end)
{
    size_t size = 0;
    while (at + size < end && class_of(at[size]) & WORD_MOVE)
        size++;
    bool more = at + size < end && ((unsigned)((at[size] | 32) - 'a') < 26 || class_of(at[size]) & WORD_INSIDE);
    return size < 2 || size > LINE_WORD_SIZE || more ? 0 : size;
}

/* Returns whether a word has the form of coordinates, such as e2e4. */
static bool is_coordinates(const char *word, size_t size)
{
    return (size == 4 || size == 5) && (unsigned)(word[0] - 'a') < 8 && (unsigned)(word[1] - '1') < 8 &&
           (unsigned)(word[2] - 'a') < 8 && (unsigned)(word[3] - '1') < 8;
}

static bool may_be_move(const char *word, size_t size)
{
    move_name name;
    return size > 0 && (is_coordinates(word, size) || stamma_san_name(word, size, &name));
}

/* Returns the size of a separator of moves at `at`, or 0 if there is none. */
static size_t gap_size(const char *at, const char *end)
{
    if (end - at > 1 && (*at == ' ' || *at == '\n'))
        return 1;
    return end - at > 2 && at[0] == '\r' && at[1] == '\n' ? 2 : 0;
}

/* Returns whether a line may begin with the word at `at`: after an equals sign, or if two moves follow one another. */
static bool begins_line(const char *begin, const char *at, const char *end)
{
    size_t size = word_size(at, end);
    if (!may_be_move(at, size))
        return false;
    if (at > begin && at[-1] == '=')
        return true;
    size_t gap = gap_size(at + size, end);
    return gap > 0 && may_be_move(at + size + gap, word_size(at + size + gap, end));
}

/* Returns the next place where a line may begin, or NULL. A hot path: eight bytes are examined at a time. `seen` is the
 * set of classes WORD_BEFORE to WORD_SECOND that the last bytes match as a sequence. Each class is twice the class that
 * must precede it, so that a shift advances the match (R. Baeza-Yates, G. Gonnet: A New Approach to Text Searching). */
static const char *find_line(const char *begin, const char *at, const char *end)
{
    enum { STEP = 8 };
    unsigned seen = at == begin ? WORD_BEFORE : class_of(at[-1]) & WORD_BEFORE;
    while (at < end) {
        const char *stop = end - at < STEP ? end : at + STEP;
        unsigned after = seen, all = 0;
        if (stop == at + STEP) {
            for (size_t n = 0; n < STEP; n++)
                all |= after = (2 * after + 1) & class_of(at[n]);
            if (STAMMA_LIKELY(!(all & WORD_SECOND))) {
                at = stop;
                seen = after;
                continue;
            }
        }
        while (at < stop) {
            seen = (2 * seen + 1) & class_of(*at++);
            if ((seen & WORD_SECOND) && begins_line(begin, at - 2, end))
                return at - 2;
        }
    }
    return NULL;
}

/* Returns whether a comment begins with a command, as do comments that contain only clocks and evaluations. */
static bool is_command(stamma_text text)
{
    size_t blank = text.size > 0 && text.data[0] == ' ';
    return text.size > blank + 1 && text.data[blank] == '[' && text.data[blank + 1] == '%';
}

static bool has_line(stamma_text text)
{
    return !is_command(text) && find_line(text.data, text.data, text.data + text.size) != NULL;
}

/* ---- following the game ---- */

void stamma_comment_lines_begin(comment_lines_writer *c, const record *r)
{
    c->following = c->movetext = false;
    stamma_known_lines_clear(&c->known);
    c->sizes.size = c->steps.size = c->step_ends.size = 0;
    c->marks = c->depth = c->moves = 0;
    const bool startless = r->reason == STAMMA_REASON_BAD_FEN; /* the record then has no moves (4.7) */
    for (size_t i = r->roster_count; i < r->item_count && !c->following && !startless; i++)
        c->following = event_is_comment(r->items[i].kind) && has_line(r->items[i].text);
    if (!c->following)
        return;
    if (!c->lines)
        c->lines = (game_state *)memory_allocate(c->allocator, (VARIATION_DEPTH_MAX + 1) * sizeof *c->lines);
    if (!c->lines) {
        c->run.failed = true;
        c->following = false;
        return;
    }
    game_state *line = &c->lines[0];
    line->last = STAMMA_MOVE_NULL;
    line->position = line->before = r->start;
}

void stamma_comment_lines_follow(comment_lines_writer *c, const item *it)
{
    if (it->kind == ITEM_TAG)
        return;
    c->movetext = true;
    game_state *line = &c->lines[c->depth];
    if (it->kind == ITEM_MOVE) {
        stamma_known_lines_play(&c->known, it->move);
        line->before = line->position;
        line->last = it->move;
        line->last_facts = it->san_facts;
        stamma_position_make(&line->before, it->move, &line->position);
    } else if (it->kind == ITEM_VARIATION_BEGIN) {
        stamma_known_lines_clear(&c->known);
        game_state *inner = &c->lines[++c->depth];
        inner->position = inner->before = line->before;
        inner->last = STAMMA_MOVE_NULL;
    } else if (it->kind == ITEM_VARIATION_END) {
        stamma_known_lines_clear(&c->known);
        c->depth--;
    }
}

/* ---- reading a line ---- */

/* Returns whether the move is spelt like the word. */
STAMMA_INLINE bool is_spelt(const played_move *played, bool coordinates, const char *word, size_t size, const char *end)
{
    char text[STAMMA_SAN_SIZE] = {0};
    if (stamma_line_spell(played->move, played->san_facts, coordinates, text) != size)
        return false;
    if (STAMMA_UNLIKELY(end - word < 8))
        return memcmp(text, word, size) == 0;
    return (load_u64(text) ^ load_u64(word)) << 8 * (8 - size) == 0; /* a word has one to seven bytes */
}

static size_t run_moves(const comment_lines_writer *c)
{
    return c->run.size / sizeof(played_move);
}

/* Returns the position after the run. */
static const stamma_position *line_position(comment_lines_writer *c)
{
    const played_move *run = (const played_move *)(const void *)c->run.data;
    for (size_t count = run_moves(c); c->made < count; c->made++)
        stamma_position_make(&c->position, run[c->made].move, &c->position);
    return &c->position;
}

/* Plays the move that matches a name on the board, which is set up if it is not at the end of the run. Returns false
 * if the move must be found in the position; the board is then invalid. */
static bool play_named(comment_lines_writer *c, const move_name *name, played_move *played)
{
    if (!c->board_stands)
        PIECE_GAME(set_up, &c->board, line_position(c));
    unsigned side = (c->position.side + (unsigned)(run_moves(c) - c->made)) & 1;
    c->board_stands = PIECE_GAME(play_named, &c->board, side, name, played);
    return c->board_stands;
}

/* Finds the move of a word in the position, if the board cannot. */
static bool find_slowly(comment_lines_writer *c, const char *word, size_t size, bool coordinates, played_move *played)
{
    const stamma_position *before = line_position(c);
    stamma_move move = STAMMA_MOVE_NULL;
    c->board_stands = false;
    if (coordinates && stamma_uci_read(before, (stamma_text){word, size}, &move) != STAMMA_OK)
        return false;
    if (!coordinates)
        move = stamma_san_read_fast(before, word, size);
    if (move == STAMMA_MOVE_NULL || stamma_byte_encode(before, move, &played->code) != STAMMA_OK)
        return false;
    played->move = move;
    played->san_facts = (uint8_t)move_san_facts(before, move);
    return true;
}

/* A line of moves in a comment. */
typedef struct found_line {
    unsigned begin, breaks;
    bool coordinates;
    const char *after;
    size_t known, shared;
} found_line;

/* Skips the text before the next move if the line may contain it. Returns NULL for other text. */
static const char *pass_gap(comment_lines_writer *c, const char *at, const char *end, found_line *f)
{
    size_t size = gap_size(at, end);
    if (size == 0)
        return NULL;
    if (*at != ' ') {
        unsigned breaks = size == 1 ? BREAK_BY_LF : BREAK_BY_CRLF;
        uint32_t place = (uint32_t)(c->run.size / sizeof(played_move) + (f->begin == LINE_PLAYED));
        if (f->breaks != BREAK_BY_NONE && f->breaks != breaks)
            return NULL;
        f->breaks = breaks;
        buffer_add(&c->breaks, &place, sizeof place);
    }
    return at + size;
}

/* Adds a move, and skips its word and the text after it. Returns NULL if the line does not continue. */
static const char *add_move(comment_lines_writer *c, const played_move *played, const char *after, const char *end,
                            found_line *f)
{
    buffer_add(&c->run, played, sizeof *played);
    f->after = after;
    return pass_gap(c, after, end, f);
}

/* Adds the moves of a known line after the run, as long as the words match. The coordinates of castling may also be the
 * coordinates of another king move (Chess960). */
static const char *follow_known(comment_lines_writer *c, size_t n, const char *at, const char *end, found_line *f)
{
    const played_move *run = (const played_move *)(const void *)c->run.data;
    size_t count, same = 0, begin = run_moves(c);
    const played_move *line = known_line(&c->known, n, &count);
    while (same < begin && same < count && line[same].move == run[same].move)
        same++;
    for (; same >= begin && same < count && at; same++) {
        size_t size = word_size(at, end);
        bool either = f->coordinates && stamma_move_is_castling(line[same].move);
        if (size == 0 || either || !is_spelt(&line[same], f->coordinates, at, size, end))
            break;
        at = add_move(c, &line[same], at + size, end, f);
    }
    return at;
}

/* Reads moves from a position into c->run, up to the last move of the line. Moves of known lines are not played. */
static void read_moves(comment_lines_writer *c, const stamma_position *begin, const char *at, const char *end,
                       found_line *f)
{
    c->position = *begin;
    c->made = 0;
    c->board_stands = false;
    for (size_t n = 0; n < c->known.count && f->begin < LINE_BEFORE && at; n++)
        at = follow_known(c, n, at, end, f);
    while (at && !c->run.failed) {
        size_t size = word_size(at, end);
        played_move played;
        move_name name;
        if (size == 0 || is_coordinates(at, size) != f->coordinates)
            break;
        bool named = !f->coordinates && stamma_san_name(at, size, &name) && play_named(c, &name, &played);
        if ((!named && !find_slowly(c, at, size, f->coordinates, &played)) ||
            !is_spelt(&played, f->coordinates, at, size, end))
            break;
        at = add_move(c, &played, at + size, end, f);
    }
}

/* Removes a line end after the last move. */
static void end_breaks(comment_lines_writer *c, found_line *f)
{
    const uint32_t *breaks = (const uint32_t *)(const void *)c->breaks.data;
    size_t count = c->breaks.size / sizeof *breaks,
           moves = c->run.size / sizeof(played_move) + (f->begin == LINE_PLAYED);
    if (count > 0 && breaks[count - 1] == moves)
        c->breaks.size -= sizeof *breaks;
    if (c->breaks.size == 0)
        f->breaks = BREAK_BY_NONE;
}

/* Reads the line that begins at `at`. Stores its moves in c->run, without a first move that the game has just
 * played. Returns false if there is no line. */
static bool read_line(comment_lines_writer *c, const char *text, const char *at, const char *end, found_line *f)
{
    enum { LEAST = 4 /* smallest number of moves of a line that nothing else identifies as a line */ };
    const game_state *line = &c->lines[c->depth];
    size_t size = word_size(at, end);
    bool moved = line->last != STAMMA_MOVE_NULL;
    const played_move *reply = known_reply(&c->known), last = {.move = line->last, .san_facts = line->last_facts};
    c->run.size = c->breaks.size = 0;
    *f = (found_line){.begin = LINE_AFTER, .coordinates = is_coordinates(at, size), .after = at};
    if (reply->move != STAMMA_MOVE_NULL && at > text && at[-1] == '=' && gap_size(at + size, end) == 0 &&
        is_spelt(reply, f->coordinates, at, size, end)) {
        f->begin = LINE_REPLY;
        f->after = at + size;
        return true;
    }
    if (moved && is_spelt(&last, f->coordinates, at, size, end)) {
        f->begin = LINE_PLAYED;
        f->after = at + size;
        read_moves(c, &line->position, pass_gap(c, f->after, end, f), end, f);
    } else {
        read_moves(c, &line->position, at, end, f);
        if (f->after == at && moved) {
            f->begin = LINE_BEFORE;
            read_moves(c, &line->before, at, end, f);
        }
    }
    end_breaks(c, f);
    size_t moves = c->run.size / sizeof(played_move) + (f->begin == LINE_PLAYED);
    return f->after > at && (moves >= LEAST || (at > text && at[-1] == '='));
}

/* Finds the known line that has the largest number of moves in common with the line. */
static void find_known(const comment_lines_writer *c, found_line *f)
{
    const played_move *run = (const played_move *)(const void *)c->run.data;
    size_t count = c->run.size / sizeof *run;
    f->known = KNOWN_LINES;
    f->shared = 0;
    for (size_t n = 0; n < c->known.count && f->begin < LINE_BEFORE; n++) {
        size_t size, same = 0;
        const played_move *line = known_line(&c->known, n, &size);
        while (same < size && same < count && line[same].move == run[same].move)
            same++;
        if (same > f->shared) {
            f->shared = same;
            f->known = n;
        }
    }
}

/* ---- writing ---- */

static void add_step(comment_lines_writer *c, stamma_move step)
{
    buffer_add(&c->steps, &step, sizeof step);
}

static void add_breaks(comment_lines_writer *c)
{
    const uint32_t *breaks = (const uint32_t *)(const void *)c->breaks.data;
    size_t count = c->breaks.size / sizeof *breaks;
    stamma_buffer_add_varint(c->kinds, count);
    for (size_t n = 0; n < count; n++)
        stamma_buffer_add_varint(c->kinds, breaks[n] - (n > 0 ? breaks[n - 1] : 0));
}

/* Adds the line that a mark in the text represents. */
static void add_line(comment_lines_writer *c, const found_line *f)
{
    const played_move *run = (const played_move *)(const void *)c->run.data;
    size_t count = c->run.size / sizeof *run, known = f->known < KNOWN_LINES ? f->known + 1 : 0;
    size_t form = f->coordinates + 2 * (f->breaks + LINE_BREAKS * known);
    buffer_add_byte(c->kinds, (uint8_t)(1 + f->begin + LINE_BEGINS * form));
    if (known > 0)
        stamma_buffer_add_varint(c->kinds, f->shared);
    if (f->breaks != BREAK_BY_NONE)
        add_breaks(c);
    stamma_buffer_add_varint(&c->sizes, count - f->shared);
    c->marks++;
    c->line_count++;
    c->moves += (uint32_t)(count - f->shared);
    add_step(c, f->begin == LINE_BEFORE ? STEP_LINE_BEFORE : STEP_LINE);
    for (size_t n = 0; n < count; n++) {
        if (n == f->shared)
            add_step(c, STEP_OWN);
        if (n >= f->shared)
            buffer_add_byte(c->codes, run[n].code);
        add_step(c, run[n].move);
    }
    add_step(c, STEP_LINE_END);
    if (f->begin == LINE_BEFORE)
        return;
    known_lines_expect(&c->known, run, count);
    if (count == f->shared)
        return;
    size_t size = 0;
    if (known > 0)
        (void)known_line(&c->known, f->known, &size);
    if (!stamma_known_lines_add(&c->known, run, count, size == f->shared ? f->known : KNOWN_LINES))
        c->run.failed = true;
}

/* Adds bytes that remain text. For a byte equal to the mark, adds kind 0: the byte itself. */
static void add_plain(comment_lines_writer *c, const char *begin, const char *end)
{
    if (begin == end)
        return;
    buffer_add(c->texts, begin, (size_t)(end - begin));
    while ((begin = (const char *)memchr(begin, LINE_MARK, (size_t)(end - begin))) != NULL) {
        buffer_add_byte(c->kinds, 0);
        buffer_add_byte(&c->sizes, 0);
        c->marks++;
        if (++begin == end)
            return;
    }
}

void stamma_comment_lines_add(comment_lines_writer *c, const item *it, size_t index)
{
    const char *begin = it->text.data, *end = begin + it->text.size, *plain = begin, *at = begin;
    if (c->following && c->movetext && !is_command(it->text)) {
        size_t before = c->steps.size;
        while ((at = find_line(begin, at, end)) != NULL) {
            found_line f;
            if (!read_line(c, begin, at, end, &f)) {
                at += word_size(at, end);
                continue;
            }
            find_known(c, &f);
            add_plain(c, plain, at);
            buffer_add_byte(c->texts, LINE_MARK);
            add_line(c, &f);
            plain = at = f.after;
        }
        if (c->steps.size > before) {
            const comment_steps steps = {index, c->steps.size / sizeof(stamma_move)};
            buffer_add(&c->step_ends, &steps, sizeof steps);
        }
    }
    add_plain(c, plain, end);
    buffer_add_byte(c->texts, 0);
}

void stamma_comment_lines_end(comment_lines_writer *c)
{
    stamma_buffer_add_varint(c->size_column, c->marks);
    buffer_add(c->size_column, c->sizes.data, c->sizes.size);
}

line_steps stamma_comment_lines_steps(const comment_lines_writer *c)
{
    return (line_steps){(const stamma_move *)(const void *)c->steps.data,
                        (const comment_steps *)(const void *)c->step_ends.data,
                        c->step_ends.size / sizeof(comment_steps), c->moves};
}
