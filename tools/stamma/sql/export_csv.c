/* SPDX-License-Identifier: MIT */
/* Record batches as CSV (RFC 4180). Lists are JSON. */
#include "sql/sql.h"

#include "games/game_views.h"

bool export_fail(const export_file *file)
{
    const char *message = file->stream->get_last_error(file->stream);
    tool_say(NULL, "%s", message ? message : stamma_error_text(STAMMA_ERROR_IO));
    return false;
}

static void put_value(tool_table *t, const tables_value *v, tables_text *space)
{
    char digits[TOOL_NUMBER_SIZE];
    space->size = 0;
    switch (v->kind) {
    case TABLES_NULL: tool_cell_string(t, ""); break;
    case TABLES_INTEGER:
        (void)snprintf(digits, sizeof digits, "%" PRId64, v->integer);
        tool_cell_word(t, stamma_text_of(digits));
        break;
    case TABLES_UNSIGNED: tool_cell_number(t, (uint64_t)v->integer); break;
    case TABLES_REAL:
        tables_text_put_real(space, v->real);
        tool_cell_word(t, (stamma_text){space->data, space->size});
        break;
    case TABLES_BOOL: tool_cell_string(t, v->integer ? "true" : "false"); break;
    case TABLES_TEXT:
    case TABLES_BYTES:
    case TABLES_LIST:
        tables_text_add(space, v->text.data, v->text.size);
        tool_cell_string(t, space->data ? space->data : "");
        break;
    }
}

static void put_batch(export_file *file, const struct ArrowSchema *schema, const struct ArrowArray *batch,
                      tables_text *texts, tool_table *table)
{
    for (int64_t row = 0; row < batch->length; row++) {
        for (int64_t i = 0; i < schema->n_children; i++) {
            texts[0].size = 0;
            const tables_value v =
                tables_value_of(schema->children[i], batch->children[i], row + batch->offset, &texts[0]);
            put_value(table, &v, &texts[1]);
        }
        tool_row_end(table);
    }
    file->rows += (uint64_t)batch->length;
}

static bool put_batches(export_file *file, const struct ArrowSchema *schema, tables_text *texts)
{
    tool_table table = {.raw = file->csv_raw};
    struct ArrowArray batch;
    for (int64_t i = 0; i < schema->n_children; i++)
        tool_cell_string(&table, schema->children[i]->name);
    tool_row_end(&table);
    for (;;) {
        if (file->stream->get_next(file->stream, &batch))
            return export_fail(file);
        if (!batch.release)
            return true;
        put_batch(file, schema, &batch, texts, &table);
        batch.release(&batch);
        if (tool_output_failed(file->output))
            return false;
        if (texts[0].failed || texts[1].failed)
            return tool_fail_memory(NULL);
    }
}

bool export_csv(export_file *file)
{
    struct ArrowSchema schema;
    tables_text texts[2] = {{.data = NULL}, {.data = NULL}};
    const stamma_output callbacks = tool_output_callbacks(file->output);
    if (file->stream->get_schema(file->stream, &schema))
        return export_fail(file);
    tool_put_to(&callbacks);
    const bool right = put_batches(file, &schema, texts);
    tool_put_flush();
    tool_put_to(NULL);
    schema.release(&schema);
    free(texts[0].data);
    free(texts[1].data);
    return right && !tool_output_failed(file->output);
}
