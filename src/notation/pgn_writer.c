/* SPDX-License-Identifier: MIT */
/* The PGN writer: export format, PGN standard 3.2 and 8. A line is filled token by token. The last token is held back,
 * because a closing parenthesis may have to be appended to it. */
#include "notation/notation.h"

struct stamma_pgn_writer {
    stamma_allocator allocator;
    stamma_output output;
    uint64_t width;
    stamma_error broken; /* returned by every later call */
    bool has_tags;
    bool in_movetext;
    bool number_due;   /* Black's next move needs its number */
    bool glue;         /* the word is only an opening parenthesis, to which the next token is appended */
    bool line_end_due; /* the word is a ; comment */
    uint64_t column;   /* number of bytes in the last line of `text` */
    buffer text;       /* waiting for output */
    buffer word;       /* the last token, with adjacent parentheses */
    pgn_line moves;
};

enum { LINE_WIDTH_DEFAULT = 79, TEXT_PIECE = 1 << 16 };

/* ---- opening and closing ---- */

static void begin_game(stamma_pgn_writer *w)
{
    stamma_position start = stamma_position_start();
    stamma_pgn_line_start(&w->moves, &start);
    w->has_tags = w->in_movetext = false;
    w->number_due = true;
}

#define HAS(options, member) \
    ((options) && (options)->size >= offsetof(stamma_pgn_writer_options, member) + sizeof(options)->member)

stamma_error stamma_pgn_writer_open(const stamma_output *output, const stamma_pgn_writer_options *options,
                                    stamma_pgn_writer **writer)
{
    if (!output_is_given(output) || !writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(HAS(options, allocator) ? options->allocator : NULL);
    if (!allocator_is_given(&allocator))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_pgn_writer *w = memory_allocate(&allocator, sizeof *w);
    if (!w)
        return STAMMA_ERROR_NO_MEMORY;
    memset(w, 0, sizeof *w);
    w->allocator = allocator;
    w->output = *output;
    w->width = HAS(options, line_width) && options->line_width != 0 ? options->line_width : LINE_WIDTH_DEFAULT;
    if (w->width == UINT32_MAX)
        w->width = UINT64_MAX;
    w->text.allocator = w->word.allocator = w->moves.allocator = &w->allocator;
    begin_game(w);
    *writer = w;
    return STAMMA_OK;
}

void stamma_pgn_writer_close(stamma_pgn_writer *writer)
{
    if (!writer)
        return;
    stamma_allocator allocator = writer->allocator;
    stamma_buffer_release(&writer->text);
    stamma_buffer_release(&writer->word);
    stamma_pgn_line_release(&writer->moves);
    memory_release(&allocator, writer);
}

/* ---- words and lines ---- */

static void add_text(buffer *to, const char *text)
{
    buffer_add(to, text, strlen(text));
}

static void end_line(stamma_pgn_writer *w)
{
    buffer_add_byte(&w->text, '\n');
    w->column = 0;
}

static bool is_line_end(uint8_t byte)
{
    return byte == '\n' || byte == '\r';
}

/* Appends the waiting word to the line, or to a new line if the line has no room. */
static void place_word(stamma_pgn_writer *w)
{
    if (w->word.size == 0)
        return;
    const uint8_t *word = w->word.data;
    size_t first = 0, last = 0; /* lengths of its first and last line; comments may have several lines */
    while (first < w->word.size && !is_line_end(word[first]))
        first++;
    while (last < w->word.size && !is_line_end(word[w->word.size - 1 - last]))
        last++;
    if (w->column != 0 && (w->column >= w->width || first >= w->width - w->column))
        end_line(w);
    if (w->column != 0)
        buffer_add_byte(&w->text, ' ');
    buffer_add(&w->text, word, w->word.size);
    w->column = last < w->word.size ? last : w->column + (w->column != 0) + last;
    if (w->line_end_due)
        end_line(w);
    w->line_end_due = false;
    w->word.size = 0;
}

/* Prepares the word for the next token. */
static void next_word(stamma_pgn_writer *w)
{
    if (!w->in_movetext && w->has_tags)
        end_line(w);
    w->in_movetext = true;
    if (!w->glue)
        place_word(w);
    w->glue = false;
}

/* Ends each call that writes movetext or tags. Sends the text to the output if it has at least `least` bytes. */
static stamma_error finish(stamma_pgn_writer *w, size_t least)
{
    if (w->text.failed || w->word.failed)
        return w->broken = STAMMA_ERROR_NO_MEMORY;
    if (w->text.size >= least) {
        if (!w->output.write(w->output.context, w->text.data, w->text.size))
            w->broken = STAMMA_ERROR_IO;
        w->text.size = 0;
    }
    return w->broken;
}

/* ---- tags and the start ---- */

stamma_error stamma_pgn_writer_tag(stamma_pgn_writer *writer, stamma_text name, stamma_text value)
{
    if (!writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (writer->broken)
        return writer->broken;
    if (writer->in_movetext || !stamma_pgn_tag_is_sound(name, value))
        return STAMMA_ERROR_BAD_ARGUMENT;
    buffer *text = &writer->text;
    buffer_add_byte(text, '[');
    buffer_add(text, name.data, name.size);
    add_text(text, " \"");
    for (size_t i = 0; i < value.size; i++) {
        if (value.data[i] == '"' || value.data[i] == '\\')
            buffer_add_byte(text, '\\');
        buffer_add_byte(text, (uint8_t)value.data[i]);
    }
    add_text(text, "\"]\n");
    writer->has_tags = true;
    return finish(writer, TEXT_PIECE);
}

stamma_error stamma_pgn_writer_start(stamma_pgn_writer *writer, const stamma_position *position)
{
    if (!writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (writer->broken)
        return writer->broken;
    if (writer->in_movetext || !position)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_pgn_line_start(&writer->moves, position);
    return STAMMA_OK;
}

/* ---- movetext ---- */

/* Appends `start`, a number and `end`. */
static void add_number(buffer *to, const char *start, unsigned number, const char *end)
{
    char digits[NUMBER_DIGITS];
    add_text(to, start);
    buffer_add(to, digits, (size_t)(digits_write(number, 1, digits) - digits));
    add_text(to, end);
}

stamma_error stamma_pgn_writer_move(stamma_pgn_writer *writer, stamma_move move)
{
    if (!writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (writer->broken)
        return writer->broken;
    const stamma_position *position = pgn_line_position(&writer->moves);
    if (move == STAMMA_MOVE_NULL ? stamma_position_in_check(position) : !stamma_move_is_legal(position, move))
        return STAMMA_ERROR_ILLEGAL;
    if (position->side == STAMMA_WHITE || writer->number_due) {
        next_word(writer);
        add_number(&writer->word, "", position->fullmove_number, position->side == STAMMA_WHITE ? "." : "...");
    }
    char san[SAN_LENGTH_MAX];
    next_word(writer);
    buffer_add(&writer->word, san, stamma_san_spell(move, move_san_facts(position, move), san));
    pgn_line_play(&writer->moves, move);
    writer->number_due = false;
    return finish(writer, TEXT_PIECE);
}

stamma_error stamma_pgn_writer_comment(stamma_pgn_writer *writer, stamma_text comment)
{
    if (!writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (writer->broken)
        return writer->broken;
    pgn_comment_form form = stamma_pgn_comment_form(comment);
    if (form == PGN_COMMENT_NONE)
        return STAMMA_ERROR_BAD_ARGUMENT;
    next_word(writer);
    buffer_add_byte(&writer->word, form == PGN_COMMENT_BRACES ? '{' : ';');
    buffer_add(&writer->word, comment.data, comment.size);
    if (form == PGN_COMMENT_BRACES)
        buffer_add_byte(&writer->word, '}');
    writer->line_end_due = form == PGN_COMMENT_LINE;
    writer->number_due = true;
    return finish(writer, TEXT_PIECE);
}

stamma_error stamma_pgn_writer_nag(stamma_pgn_writer *writer, unsigned nag)
{
    if (!writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (writer->broken)
        return writer->broken;
    if (nag > UINT8_MAX)
        return STAMMA_ERROR_BAD_ARGUMENT;
    next_word(writer);
    add_number(&writer->word, "$", nag, "");
    return finish(writer, TEXT_PIECE);
}

stamma_error stamma_pgn_writer_variation_begin(stamma_pgn_writer *writer)
{
    if (!writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (writer->broken)
        return writer->broken;
    if (writer->moves.state == PGN_LINE_FRESH)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (!stamma_pgn_line_branch(&writer->moves))
        return writer->broken = STAMMA_ERROR_NO_MEMORY;
    next_word(writer);
    buffer_add_byte(&writer->word, '(');
    writer->glue = writer->number_due = true;
    return finish(writer, TEXT_PIECE);
}

stamma_error stamma_pgn_writer_variation_end(stamma_pgn_writer *writer)
{
    if (!writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (writer->broken)
        return writer->broken;
    if (writer->moves.depth == 0)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_pgn_line_return(&writer->moves);
    if (writer->line_end_due)
        place_word(writer);
    buffer_add_byte(&writer->word, ')');
    writer->glue = false;
    writer->number_due = true;
    return finish(writer, TEXT_PIECE);
}

stamma_error stamma_pgn_writer_result(stamma_pgn_writer *writer, stamma_text result)
{
    if (!writer)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (writer->broken)
        return writer->broken;
    if (writer->moves.depth != 0 || !text_is_given(result) || stamma_result_find(result) == RESULTS)
        return STAMMA_ERROR_BAD_ARGUMENT;
    next_word(writer);
    buffer_add(&writer->word, result.data, result.size);
    place_word(writer);
    end_line(writer);
    end_line(writer);
    begin_game(writer);
    return finish(writer, 1);
}
