/* SPDX-License-Identifier: MIT */
/* Parses texts that programs write, such as "[%clk 0:01:00]" or "d=28, tl=1708200, pv=d4", into a template and numbers.
 *
 * In a template, FIELD_MARK and a type represent a field. Parsing is strict: writing a field's value reproduces its
 * bytes exactly. Text that matches no type stays in the template. */
#include "fields/fields.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static size_t digits_at(const char *at, const char *end)
{
    const char *p = at;
    while (p < end && is_digit(*p))
        p++;
    return (size_t)(p - at);
}

static int64_t number_of(const char *at, size_t digits)
{
    int64_t value = 0;
    while (digits-- > 0)
        value = value * 10 + (*at++ - '0');
    return value;
}

/* Parses h:mm:ss, or hh:mm:ss with always two digits, and a tenth that is not 0. The value is in tenths of a second. */
static size_t parse_time(const char *at, const char *end, size_t hours, char *type, int64_t *value)
{
    const char *p = at + hours;
    if (end - p < 6 || p[0] != ':' || digits_at(p + 1, end) != 2 || p[3] != ':' || digits_at(p + 4, end) < 2 ||
        p[1] > '5' || p[4] > '5' || hours > 4 || (end - p > 6 && is_digit(p[6])))
        return 0;
    bool two = hours == 2, plain = hours == 1 || (hours > 2 && at[0] != '0');
    if (!two && !plain)
        return 0;
    *type = two ? FIELD_TIME_TWO : FIELD_TIME;
    *value = (number_of(at, hours) * 3600 + number_of(p + 1, 2) * 60 + number_of(p + 4, 2)) * 10;
    p += 6;
    if (end - p >= 2 && p[0] == '.' && p[1] > '0' && p[1] <= '9' && (end - p == 2 || !is_digit(p[2]))) {
        *value += p[1] - '0';
        p += 2;
    }
    return (size_t)(p - at);
}

/* Parses a number with 1 to 3 decimals, starting at its sign. -0.00 is not accepted, because it has the same value as
 * 0.00. `plus`: numbers above 0 have a plus sign in this place. */
static size_t parse_decimal(const char *begin, const char *at, const char *end, char sign, bool plus, char *type,
                            int64_t *value)
{
    const char *p = at + (sign != 0);
    if (at > begin && at[-1] == '.')
        return 0;
    size_t whole = digits_at(p, end);
    if (whole == 0 || whole > 12 || (whole > 1 && *p == '0') || (size_t)(end - p) <= whole + 1 || p[whole] != '.')
        return 0;
    size_t decimals = digits_at(p + whole + 1, end);
    const char *after = p + whole + 1 + decimals;
    if (decimals == 0 || decimals > 3 || (after < end && *after == '.'))
        return 0;
    int64_t power = decimals == 1 ? 10 : decimals == 2 ? 100 : 1000;
    int64_t magnitude = number_of(p, whole) * power + number_of(p + whole + 1, decimals);
    if (magnitude == 0 && sign != 0)
        return 0;
    *value = sign == '-' ? -magnitude : magnitude;
    bool signed_type = sign == '+' || (plus && *value <= 0);
    *type = (char)(FIELD_DECIMAL + decimals - 1 + (signed_type ? 3 : 0));
    return (size_t)(after - at);
}

/* Returns whether two digits follow `.` or `:`, as in dates and times: 00 to 99. */
static bool is_pair(const char *begin, const char *at, size_t digits)
{
    return digits == 2 && at - begin >= 2 && (at[-1] == '.' || at[-1] == ':') && is_digit(at[-2]);
}

/* Parses the field at `at`, which is a digit or a sign. Returns its size, or 0 if there is none. */
static size_t parse_number(const char *begin, const char *at, const char *end, const bool plus_after[256], char *type,
                           int64_t *value)
{
    bool inside = at > begin && (is_letter(at[-1]) || is_digit(at[-1]) || at[-1] == '_');
    char sign = is_digit(*at) ? 0 : *at;
    if (inside || (sign && at > begin && (at[-1] == '+' || at[-1] == '-')))
        return 0;
    bool plus = plus_after[at > begin ? (unsigned char)at[-1] : 0];
    size_t size = parse_decimal(begin, at, end, sign, plus, type, value);
    if (size > 0 || sign)
        return size;
    size_t digits = digits_at(at, end);
    size = parse_time(at, end, digits, type, value);
    if (size > 0)
        return size;
    if (is_pair(begin, at, digits)) {
        *type = FIELD_PAIR;
    } else if (digits <= 15 && (digits == 1 || *at != '0')) {
        *type = FIELD_NUMBER;
    } else {
        return 0;
    }
    *value = number_of(at, digits);
    return digits;
}

/* Returns the size of a word after `=` that is not a number: up to the next comma or the end of the text. */
static size_t parse_word(const char *at, const char *end)
{
    const char *comma = (const char *)memchr(at, ',', (size_t)(end - at));
    return (size_t)((comma ? comma : end) - at);
}

static bool add_field(field_text *t, char type, int64_t value, stamma_text text)
{
    if (t->field_count == FIELDS_MAX || t->size > FIELD_TEMPLATE_MAX - 3)
        return false;
    t->bytes[t->size++] = FIELD_MARK;
    t->bytes[t->size++] = (uint8_t)type;
    t->values[t->field_count] = value;
    t->texts[t->field_count++] = text;
    return true;
}

void stamma_field_find_signs(const uint8_t *data, size_t size, bool plus_after[256])
{
    memset(plus_after, 0, 256 * sizeof *plus_after);
    const uint8_t *end = data + size;
    for (const uint8_t *at = data; at < end; at++) {
        at = (const uint8_t *)memchr(at, '+', (size_t)(end - at));
        if (!at)
            return;
        if (at + 1 < end && is_digit((char)at[1]))
            plus_after[at > data ? at[-1] : 0] = true;
    }
}

/* Bytes that may begin a field; `=`, which may be followed by a field that begins with any byte; and FIELD_MARK, which
 * templates cannot contain as text. */
static const bool is_special[256] = {
    ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true,
    ['7'] = true, ['8'] = true, ['9'] = true, ['+'] = true, ['-'] = true, ['='] = true, [FIELD_MARK] = true};

/* Copies bytes that do not belong to a field. Returns their number, or SIZE_MAX if there are too many. */
static size_t copy_plain(const char *begin, const char *at, const char *end, field_text *t)
{
    size_t size = 0;
    if (at > begin && at[-1] == '=')
        return 0;
    while (at + size < end && !is_special[(unsigned char)at[size]])
        size++;
    if (t->size + size > FIELD_TEMPLATE_MAX - 2)
        return SIZE_MAX;
    memcpy(t->bytes + t->size, at, size);
    t->size += size;
    return size;
}

/* Returns whether the byte that represents moves is the complete text after `=` (clause 18.1). It is not parsed as a
 * word, because it is always the same. */
static bool is_line(const char *at, const char *end)
{
    enum { LINE_MARK = 2 };
    return *at == LINE_MARK && (end - at == 1 || at[1] == ',');
}

/* Parses the field at `at`. Returns its size, which may be 0, and sets *type, which is 0 if there is no field. After
 * `=`, a number that is followed by more of a word, as in 12ab or 1-0, is a word. */
static size_t parse_field(const char *begin, const char *at, const char *end, const bool plus_after[256], char *type,
                          int64_t *value)
{
    bool numeric = is_digit(*at) || ((*at == '+' || *at == '-') && end - at > 1 && is_digit(at[1]));
    *type = 0;
    size_t size = numeric ? parse_number(begin, at, end, plus_after, type, value) : 0;
    bool after_sign = at > begin && at[-1] == '=';
    if (!after_sign || (size > 0 && (at + size == end || at[size] == ',' || at[size] == ' ' || at[size] == ';'))) {
        *type = size > 0 ? *type : 0;
        return size;
    }
    if (is_line(at, end))
        return 0;
    *type = FIELD_WORD;
    return parse_word(at, end);
}

bool stamma_field_parse(stamma_text text, const bool plus_after[256], field_text *t)
{
    const char *begin = text.data, *end = text.data + text.size;
    t->size = t->field_count = 0;
    for (const char *at = begin; at < end;) {
        size_t plain = copy_plain(begin, at, end, t);
        if (plain == SIZE_MAX)
            return false;
        at += plain;
        if (at == end)
            break;
        char type;
        int64_t value = 0;
        size_t size = parse_field(begin, at, end, plus_after, &type, &value);
        if (type != 0) {
            if (!add_field(t, type, value, (stamma_text){at, size}))
                return false;
            at += size;
            if (type != FIELD_WORD || at == end)
                continue;
        }
        if (*at == FIELD_MARK || t->size > FIELD_TEMPLATE_MAX - 3)
            return false;
        t->bytes[t->size++] = (uint8_t)*at++;
    }
    return true;
}

enum { SHORT_TIME = 10 }; /* number of bytes that must be readable */

/* Parses h:mm:ss with one digit for the hours, and a tenth that is not 0, like parse_time, but all digits in one step.
 * Returns 0 for other text, which may still be a time. */
STAMMA_INLINE size_t parse_short_time(const char *at, int64_t *value)
{
    const uint64_t zero = UINT64_C(0x0030303A30303A30), most = UINT64_C(0x00767A7F767A7F76); /* "0:00:00", "9:59:59" */
    uint64_t digits = (load_u64((const uint8_t *)at) ^ zero) & ~UINT64_C(0) >> 8;
    if (((digits | (digits + most)) & EACH_BYTE(0x80)) != 0 || is_digit(at[7]))
        return 0;
    uint64_t pairs = digits * 10 + (digits >> 8); /* values of two digits, in the bytes of the tens */
    *value = (int64_t)(((digits & 255) * 3600 + (pairs >> 16 & 255) * 60 + (pairs >> 40 & 255)) * 10);
    if (at[7] != '.')
        return 7;
    *value += at[8] - '0';
    return at[8] > '0' && at[8] <= '9' && !is_digit(at[9]) ? 9 : 0;
}

/* Returns whether a number after this byte may not be a field, or may be a field of another type. */
static bool joins_numbers(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == ':' || c == '+' || c == '-';
}

/* Parses a number or a decimal at `at` with the same result as parse_field. Returns 0 if this quick check cannot
 * decide. */
STAMMA_INLINE size_t parse_quickly(stamma_text text, const char *at, const bool plus_after[256], char *type,
                                   int64_t *value)
{
    const char *end = text.data + text.size, *p = at;
    char before = at > text.data ? at[-1] : 0, sign = *at == '-' || *at == '+' ? *at : 0;
    int64_t magnitude = 0;
    p += sign != 0;
    const char *digits = p;
    while (p < end && is_digit(*p) && p - digits < 13)
        magnitude = 10 * magnitude + (*p++ - '0');
    size_t whole = (size_t)(p - digits), decimals = 0;
    if (joins_numbers(before) || whole == 0 || whole > 12 || (whole > 1 && *digits == '0'))
        return 0;
    if (p < end && *p == '.') {
        for (p++; p < end && is_digit(*p) && decimals < 4; decimals++)
            magnitude = 10 * magnitude + (*p++ - '0');
        if (decimals == 0 || decimals > 3 || (magnitude == 0 && sign))
            return 0;
    }
    char after = p < end ? *p : ',';
    bool ends = after == ',' || after == ' ' || after == ';';
    if (after == '.' || after == ':' || (before == '=' && !ends) || (sign && decimals == 0))
        return 0;
    *value = sign == '-' ? -magnitude : magnitude;
    bool signed_type = sign == '+' || (plus_after[(unsigned char)before] && *value <= 0);
    *type = decimals == 0 ? FIELD_NUMBER : (char)(FIELD_DECIMAL + (int)decimals - 1 + (signed_type ? 3 : 0));
    return (size_t)(p - at);
}

/* Parses a field of the given type. Returns its size, or SIZE_MAX if there is none. Most are times, numbers and
 * decimals. */
STAMMA_INLINE size_t match_field(stamma_text text, const char *at, const bool plus_after[256], char type,
                                 int64_t *value)
{
    const char *end = text.data + text.size;
    char found = 0;
    size_t size = 0;
    if (type == FIELD_TIME)
        size = end - at >= SHORT_TIME ? parse_short_time(at, value) : 0;
    else if (at < end)
        size = parse_quickly(text, at, plus_after, &found, value);
    if (STAMMA_LIKELY(size > 0))
        return type == FIELD_TIME || found == type ? size : SIZE_MAX;
    *value = 0;
    size = at == end            ? 0
           : type == FIELD_TIME ? parse_time(at, end, digits_at(at, end), &found, value)
                                : parse_field(text.data, at, end, plus_after, &found, value);
    return found == type ? size : SIZE_MAX;
}

/* Returns how many of the template's bytes at `bytes`, up to the next mark, are also at `at`, if both have at least
 * eight bytes. Returns 0 if this quick check cannot decide. */
STAMMA_INLINE size_t match_eight(const char *at, const char *end, const char *bytes, const char *stop)
{
    if (end - at < 8 || stop - bytes < 8)
        return 0;
    uint64_t wanted = load_u64(bytes), other = load_u64(at) ^ wanted;
    other |= zero_bytes(wanted ^ EACH_BYTE(FIELD_MARK));
    return other == 0 ? 8 : bits_first(other) / 8;
}

bool stamma_field_match(stamma_text text, stamma_text template, const bool plus_after[256], field_text *t)
{
    const char *at = text.data, *end = at + text.size, *bytes = template.data, *stop = bytes + template.size;
    t->field_count = 0;
    while (bytes < stop) {
        size_t same = match_eight(at, end, bytes, stop);
        at += same;
        bytes += same;
        if (bytes == stop || *bytes != FIELD_MARK) {
            if (bytes < stop && (at == end || *at++ != *bytes++))
                return false;
            continue;
        }
        int64_t *value = &t->values[t->field_count];
        *value = 0;
        size_t size = match_field(text, at, plus_after, bytes[1], value);
        if (size == SIZE_MAX)
            return false;
        t->texts[t->field_count++] = (stamma_text){at, size};
        at += size;
        bytes += 2;
    }
    return at == end;
}

/* ---- clocks ---- */

/* Returns a mask of the first `size` of eight bytes. */
static uint64_t first_bytes(size_t size)
{
    return size == 0 ? 0 : ~UINT64_C(0) >> 8 * (8 - size);
}

static uint64_t bytes_of(const char *at, size_t size)
{
    uint8_t bytes[8] = {0};
    memcpy(bytes, at, size);
    return load_u64(bytes);
}

void stamma_field_clock_find(stamma_text template, field_clock *c)
{
    *c = (field_clock){.after_size = 0};
    const char *mark = template.size > 1 ? (const char *)memchr(template.data, FIELD_MARK, template.size - 1) : NULL;
    size_t before = mark ? (size_t)(mark - template.data) : 0, after = mark ? template.size - before - 2 : 0;
    if (!mark || mark[1] != FIELD_TIME || before > 8 || after > 7 || memchr(mark + 2, FIELD_MARK, after))
        return;
    *c = (field_clock){bytes_of(template.data, before), first_bytes(before), bytes_of(mark + 2, after),
                       first_bytes(after + 1),          (uint8_t)before,     (uint8_t)(after + 1)};
}

size_t stamma_field_clock_match(const field_clock *c, const uint8_t *at, size_t left, int64_t *value)
{
    enum { ROOM = 8 + 9 + 8 };
    const uint8_t *begin = at;
    if (left < ROOM || c->after_size == 0 || ((load_u64(at) ^ c->before) & c->before_mask) != 0)
        return 0;
    at += c->before_size;
    size_t size = parse_short_time((const char *)at, value);
    if (size == 0)
        return 0;
    at += size;
    if (((load_u64(at) ^ c->after) & c->after_mask) != 0)
        return 0;
    return (size_t)(at - begin) + c->after_size;
}

/* ---- writing ---- */

const char stamma_pairs[60][2] = {
    {'0', '0'}, {'0', '1'}, {'0', '2'}, {'0', '3'}, {'0', '4'}, {'0', '5'}, {'0', '6'}, {'0', '7'}, {'0', '8'},
    {'0', '9'}, {'1', '0'}, {'1', '1'}, {'1', '2'}, {'1', '3'}, {'1', '4'}, {'1', '5'}, {'1', '6'}, {'1', '7'},
    {'1', '8'}, {'1', '9'}, {'2', '0'}, {'2', '1'}, {'2', '2'}, {'2', '3'}, {'2', '4'}, {'2', '5'}, {'2', '6'},
    {'2', '7'}, {'2', '8'}, {'2', '9'}, {'3', '0'}, {'3', '1'}, {'3', '2'}, {'3', '3'}, {'3', '4'}, {'3', '5'},
    {'3', '6'}, {'3', '7'}, {'3', '8'}, {'3', '9'}, {'4', '0'}, {'4', '1'}, {'4', '2'}, {'4', '3'}, {'4', '4'},
    {'4', '5'}, {'4', '6'}, {'4', '7'}, {'4', '8'}, {'4', '9'}, {'5', '0'}, {'5', '1'}, {'5', '2'}, {'5', '3'},
    {'5', '4'}, {'5', '5'}, {'5', '6'}, {'5', '7'}, {'5', '8'}, {'5', '9'},
};

static char *put_time(char *out, uint64_t tenths, unsigned hour_digits)
{
    uint64_t seconds = tenths / 10, minutes = seconds / 60, hours = minutes / 60;
    unsigned tenth = (unsigned)(tenths % 10);
    out = digits_write(hours, hour_digits, out);
    *out++ = ':';
    memcpy(out, stamma_pairs[minutes % 60], 2);
    out[2] = ':';
    memcpy(out + 3, stamma_pairs[seconds % 60], 2);
    out += 5;
    if (tenth != 0) {
        *out++ = '.';
        *out++ = (char)('0' + tenth);
    }
    return out;
}

static char *put_decimal(char *out, int64_t value, unsigned decimals, bool plus)
{
    uint64_t magnitude = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
    uint64_t power = decimals == 1 ? 10 : decimals == 2 ? 100 : 1000;
    if (value < 0 || (plus && value > 0))
        *out++ = value < 0 ? '-' : '+';
    out = digits_write(magnitude / power, 1, out);
    *out++ = '.';
    return digits_write(magnitude % power, decimals, out);
}

size_t stamma_field_write_any(char type, int64_t value, char *out)
{
    uint64_t natural = (uint64_t)value;
    switch (type) {
    case FIELD_NUMBER: return (size_t)(digits_write(natural, 1, out) - out);
    case FIELD_PAIR: return (size_t)(digits_write(natural, 2, out) - out);
    case FIELD_TIME: return (size_t)(put_time(out, natural, 1) - out);
    case FIELD_TIME_TWO: return (size_t)(put_time(out, natural, 2) - out);
    default: break;
    }
    unsigned kind = (unsigned)(type - FIELD_DECIMAL);
    return (size_t)(put_decimal(out, value, kind % 3 + 1, kind >= 3) - out);
}
