/* SPDX-License-Identifier: MIT */
/* The values of a query's rules: pieces, material, squares, attacks and moves. */
#include "query/query.h"

/* ---- letters of pieces ---- */

query_word stamma_query_pieces(char letter)
{
    static const char letters[] = "PNBRQKpnbrqk";
    const char *found = letter ? strchr(letters, letter) : NULL;
    switch (letter) {
    case 'A': return 0x3F;
    case 'a': return 0xFC0;
    case '?': return QUERY_ALL_PIECES;
    case '.': return 1u << QUERY_EMPTY;
    default: return found ? 1u << (found - letters) : 0;
    }
}

bool stamma_query_read_letters(query_parser *parser, const json_value *value, size_t begin, size_t end, query_word but,
                               query_word *pieces)
{
    stamma_text text = json_text(&parser->json, value);
    *pieces = 0;
    for (size_t i = begin; i < end; i++) {
        query_word set = stamma_query_pieces(text.data[i]);
        if (!set || set & but)
            return stamma_query_fault_text(parser, value, i, 1,
                                           "this is no piece; expected letters of KQRBNP, kqrbnp, A and a");
        *pieces |= set;
    }
    return begin < end || stamma_query_fault_value(parser, value, "expected letters of pieces");
}

bool stamma_query_parse_pieces(query_parser *parser, const json_value *value, void *word)
{
    return stamma_query_is_text(parser, value, "expected letters of pieces such as \"nb\"") &&
           stamma_query_read_letters(parser, value, 0, value->text_size, 1u << QUERY_EMPTY, word);
}

/* ---- material ---- */

static const char type_letters[] = "PNBRQK"; /* indexed by stamma_piece_type */

static const char *find_type(char letter)
{
    return letter ? strchr(type_letters, letter) : NULL;
}

/* Adds one piece to the allowed numbers. `?` allows one piece or none, `+` one or more, `*` any number. */
static void add_material(query_material *m, unsigned color, unsigned type, char sign)
{
    unsigned low = m->low[color][type], high = m->high[color][type] + 1u;
    low += sign != '?' && sign != '*';
    m->low[color][type] = (uint8_t)(low > 254 ? 254 : low);
    m->high[color][type] = (uint8_t)(sign == '*' || sign == '+' || high > 255 ? 255 : high);
}

bool stamma_query_parse_material(query_parser *parser, const json_value *value, void *material)
{
    query_material *m = material;
    stamma_text text = json_text(&parser->json, value);
    unsigned kings = 0;
    if (!stamma_query_is_text(parser, value, "expected material such as \"KRPKR\""))
        return false;
    for (size_t i = 0; i < text.size; i++) {
        const char *type = find_type(text.data[i]);
        char next = i + 1 < text.size ? text.data[i + 1] : ' ',
             sign = next == '?' || next == '*' || next == '+' ? next : ' ';
        if (!type)
            return stamma_query_fault_text(parser, value, i, 1,
                                           "expected a piece (K, Q, R, B, N, P), optionally followed by ?, * or +");
        kings += *type == 'K';
        if (kings == 0)
            return stamma_query_fault_text(parser, value, i, 1, "material begins with White's king, as in \"KRPKR\"");
        if (kings > 2)
            return stamma_query_fault_text(parser, value, i, 1, "a third king");
        if (*type == 'K' && sign != ' ')
            return stamma_query_fault_text(parser, value, i, 2, "each side has one king");
        add_material(m, kings - 1, (unsigned)(type - type_letters), sign);
        i += sign != ' ';
    }
    return kings == 2 ||
           stamma_query_fault_value(parser, value, "expected both kings, White's pieces first: \"KRPKR\"");
}

bool stamma_query_parse_imbalance(query_parser *parser, const json_value *value, void *imbalance)
{
    query_imbalance *m = imbalance;
    stamma_text text = json_text(&parser->json, value);
    bool right = false;
    if (!stamma_query_is_text(parser, value, "expected an imbalance such as \"PPvN\""))
        return false;
    for (size_t i = 0; i < text.size; i++) {
        const char *type = find_type(text.data[i]);
        if (text.data[i] == 'v' && !right) {
            right = true;
            continue;
        }
        if (!type || *type == 'K')
            return stamma_query_fault_text(parser, value, i, 1,
                                           "expected a piece (Q, R, B, N, P) or one v between the sides");
        int8_t *more = &m->more[type - type_letters];
        if (*more > -100 && *more < 100)
            *more = (int8_t)(*more + (right ? -1 : 1));
    }
    return right || stamma_query_fault_value(parser, value, "expected a v between the sides, as in \"PPvN\"");
}

/* ---- squares ---- */

static bool is_file(char c)
{
    return c >= 'a' && c <= 'h';
}
static bool is_rank(char c)
{
    return c >= '1' && c <= '8';
}

/* Returns the rectangle between two squares, which may be any opposite corners. */
static uint64_t rectangle(const char *one, const char *other)
{
    uint64_t squares = 0;
    int file0 = one[0] < other[0] ? one[0] : other[0], file1 = one[0] + other[0] - file0;
    int rank0 = one[1] < other[1] ? one[1] : other[1], rank1 = one[1] + other[1] - rank0;
    for (int rank = rank0; rank <= rank1; rank++)
        for (int file = file0; file <= file1; file++)
            squares |= square_bit((unsigned)((rank - '1') * 8 + file - 'a'));
    return squares;
}

static bool is_word(stamma_text text, const char *word)
{
    return text_equal(text, (stamma_text){word, strlen(word)});
}

uint64_t stamma_query_square_word(stamma_text word)
{
    const char *c = word.data;
    if (word.size == 1 && is_file(c[0]))
        return FILE_A << (c[0] - 'a');
    if (word.size == 1 && is_rank(c[0]))
        return RANK_1 << 8 * (c[0] - '1');
    if (word.size == 2 && is_file(c[0]) && is_rank(c[1]))
        return rectangle(c, c);
    if (word.size == 5 && is_file(c[0]) && is_rank(c[1]) && c[2] == '-' && is_file(c[3]) && is_rank(c[4]))
        return rectangle(c, c + 3);
    return is_word(word, "light") ? QUERY_LIGHT_SQUARES : is_word(word, "dark") ? ~QUERY_LIGHT_SQUARES : 0;
}

static bool parse_squares(query_parser *parser, const json_value *value, size_t begin, uint64_t *squares)
{
    stamma_text text = json_text(&parser->json, value);
    *squares = 0;
    for (size_t i = begin; i < text.size;) {
        size_t end = i;
        while (end < text.size && text.data[end] != ' ')
            end++;
        uint64_t read = stamma_query_square_word((stamma_text){text.data + i, end - i});
        if (end > i && !read)
            return stamma_query_fault_text(parser, value, i, end - i,
                                           "expected squares such as e4, files (e), ranks (4), rectangles (c3-f6), "
                                           "light or dark");
        *squares |= read;
        i = end + 1;
    }
    return *squares != 0 || stamma_query_fault_value(parser, value, "expected squares such as \"d4 e4\"");
}

/* ---- objects ---- */

bool stamma_query_read_members(query_parser *parser, const json_value *value, const char *const *names,
                               const char *message, const json_value **members)
{
    if (value->kind != JSON_OBJECT)
        return stamma_query_fault_value(parser, value, message);
    for (const json_value *v = json_first(&parser->json, value); v; v = json_next(&parser->json, v)) {
        size_t i = 0;
        while (names[i] && !text_equal(json_name(&parser->json, v), (stamma_text){names[i], strlen(names[i])}))
            i++;
        if (!names[i])
            return stamma_query_unknown(parser, v->name_offset, v->name_end - v->name_offset, "member",
                                        json_name(&parser->json, v), names);
        members[i] = v;
    }
    return true;
}

bool stamma_query_read_n(query_parser *parser, const json_value *value, query_ranges *n)
{
    static const query_range some = {1, INT64_MAX};
    if (value)
        return stamma_query_parse_ranges(parser, value, n);
    *n = (query_ranges){&some, 1};
    return true;
}

/* Reads `pieces` and, unless it is NULL, `squares`. */
static bool read_counted(query_parser *parser, const json_value *pieces, const json_value *squares,
                         query_counted *counted)
{
    counted->squares = ~UINT64_C(0);
    return stamma_query_is_text(parser, pieces, "expected letters of pieces such as \"Pp\"") &&
           stamma_query_read_letters(parser, pieces, 0, pieces->text_size, 0, &counted->pieces) &&
           (!squares || (stamma_query_is_text(parser, squares, "expected squares such as \"d4 e4\"") &&
                         parse_squares(parser, squares, 0, &counted->squares)));
}

bool stamma_query_parse_count(query_parser *parser, const json_value *value, void *count)
{
    static const char message[] =
        "expected pieces such as {\"pieces\": \"Pp\", \"squares\": \"d4 e4\", \"n\": \"2..\"}";
    static const char *const names[] = {"pieces", "squares", "n", NULL};
    const json_value *members[3] = {NULL};
    query_count *c = count;
    if (!stamma_query_read_members(parser, value, names, message, members))
        return false;
    if (!members[0])
        return stamma_query_fault_value(parser, value, message);
    return read_counted(parser, members[0], members[1], &c->of) && stamma_query_read_n(parser, members[2], &c->n);
}

/* Reads letters of pieces, or an object with pieces and squares. */
static bool read_side(query_parser *parser, const json_value *value, query_counted *counted)
{
    static const char message[] = "expected pieces such as \"N\" or {\"pieces\": \"N\", \"squares\": \"e5\"}";
    static const char *const names[] = {"pieces", "squares", NULL};
    const json_value *members[2] = {value, NULL};
    if (value->kind != JSON_TEXT) {
        members[0] = NULL;
        if (!stamma_query_read_members(parser, value, names, message, members))
            return false;
    }
    return members[0] ? read_counted(parser, members[0], members[1], counted)
                      : stamma_query_fault_value(parser, value, message);
}

bool stamma_query_parse_difference(query_parser *parser, const json_value *value, void *difference)
{
    static const char message[] = "expected two counts such as {\"of\": \"N\", \"minus\": \"b\", \"n\": \"1..\"}";
    static const char *const names[] = {"of", "minus", "n", NULL};
    const json_value *members[3] = {NULL};
    query_difference *d = difference;
    if (!stamma_query_read_members(parser, value, names, message, members))
        return false;
    if (!members[0] || !members[1])
        return stamma_query_fault_value(parser, value, message);
    return read_side(parser, members[0], &d->of) && read_side(parser, members[1], &d->minus) &&
           stamma_query_read_n(parser, members[2], &d->n);
}

/* Reads numbers of White and of Black, at least one of them. */
static bool read_sides(query_parser *parser, const json_value *value, const char *message, query_pawn_counts *c)
{
    static const char *const names[] = {"white", "black", NULL};
    const json_value *members[2] = {NULL};
    if (!stamma_query_read_members(parser, value, names, message, members))
        return false;
    if (!members[0] && !members[1])
        return stamma_query_fault_value(parser, value, message);
    return (!members[0] || stamma_query_parse_ranges(parser, members[0], &c->of[0])) &&
           (!members[1] || stamma_query_parse_ranges(parser, members[1], &c->of[1]));
}

bool stamma_query_parse_pawn_counts(query_parser *parser, const json_value *value, void *counts)
{
    return read_sides(parser, value, "expected numbers of pawns such as {\"white\": \"1..\", \"black\": 0}", counts);
}

bool stamma_query_parse_points(query_parser *parser, const json_value *value, void *counts)
{
    return read_sides(parser, value, "expected points such as {\"white\": \"..10\", \"black\": \"..10\"}", counts);
}

/* Returns whether a text names squares: it contains a digit, or consists of `light` and `dark`. */
static bool names_squares(stamma_text text)
{
    stamma_text word = text;
    for (size_t i = 0; i < text.size; i++)
        if (text_is_digit((unsigned char)text.data[i]))
            return true;
    while (word.size > 0 && word.data[word.size - 1] == ' ')
        word.size--;
    for (size_t i = word.size; i-- > 0;)
        if (word.data[i] == ' ') {
            word.data += i + 1;
            word.size -= i + 1;
            break;
        }
    return word.size > 1 && stamma_query_square_word(word) != 0;
}

bool stamma_query_read_target(query_parser *parser, const json_value *value, size_t begin, query_word *pieces,
                              uint64_t *squares)
{
    stamma_text text = json_text(&parser->json, value);
    *pieces = 0;
    *squares = 0;
    if (names_squares((stamma_text){text.data + begin, text.size - begin}))
        return parse_squares(parser, value, begin, squares);
    return stamma_query_read_letters(parser, value, begin, text.size, 1u << QUERY_EMPTY, pieces);
}

static bool parse_attacks_text(query_parser *parser, const json_value *value, query_attacks *attacks)
{
    stamma_text text = json_text(&parser->json, value);
    size_t at = 0;
    while (at < text.size && text.data[at] != 'x')
        at++;
    if (at == 0 || at + 1 >= text.size)
        return stamma_query_fault_value(parser, value,
                                        "expected an x between what attacks and what is attacked: \"BNxq\"");
    (void)stamma_query_read_n(parser, NULL, &attacks->n);
    return stamma_query_read_letters(parser, value, 0, at, 1u << QUERY_EMPTY, &attacks->from) &&
           stamma_query_read_target(parser, value, at + 1, &attacks->to, &attacks->squares);
}

bool stamma_query_parse_attacks(query_parser *parser, const json_value *value, void *attacks)
{
    static const char message[] =
        "expected an attack such as \"BNxq\" or {\"from\": \"BN\", \"to\": \"q\", \"n\": \"2..\"}";
    static const char *const names[] = {"from", "to", "n", NULL};
    const json_value *members[3] = {NULL};
    query_attacks *a = attacks;
    if (value->kind == JSON_TEXT)
        return parse_attacks_text(parser, value, a);
    if (!stamma_query_read_members(parser, value, names, message, members))
        return false;
    if (!members[0] || !members[1])
        return stamma_query_fault_value(parser, value, message);
    return stamma_query_is_text(parser, members[0], "expected letters of pieces such as \"BN\"") &&
           stamma_query_read_letters(parser, members[0], 0, members[0]->text_size, 1u << QUERY_EMPTY, &a->from) &&
           stamma_query_is_text(parser, members[1], "expected pieces such as \"q\" or squares such as \"e4 d5\"") &&
           stamma_query_read_target(parser, members[1], 0, &a->to, &a->squares) &&
           stamma_query_read_n(parser, members[2], &a->n);
}

/* ---- moves ---- */

/* Returns whether castling is written with a mixture of letters and zeros. */
static bool mixes_castling(stamma_text text, const san_pattern *pattern)
{
    bool zero = false, letter = false;
    for (size_t i = 0; i < text.size; i++) {
        zero |= text.data[i] == '0';
        letter |= text.data[i] == 'O' || text.data[i] == 'o';
    }
    return pattern->kind == SAN_CASTLING && zero && letter;
}

bool stamma_query_parse_move(query_parser *parser, const json_value *value, void *move)
{
    static const char message[] = "expected a move in SAN or UCI such as \"Nf3\", \"e8=Q\", \"O-O\" or \"g1f3\"";
    query_move *m = move;
    stamma_text text = json_text(&parser->json, value);
    if (!stamma_query_is_text(parser, value, message))
        return false;
    if (!stamma_san_parse(text, false, &m->pattern) || mixes_castling(text, &m->pattern))
        return stamma_query_fault_value(parser, value, message);
    for (size_t i = 0; i < text.size; i++)
        m->takes |= text.data[i] == 'x';
    return true;
}
