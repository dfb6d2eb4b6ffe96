/* SPDX-License-Identifier: MIT */
/* Record batches in Arrow's IPC format, by the library nanoarrow. */
#include "sql/sql.h"

#ifndef TOOL_NANOARROW

bool export_has_ipc(void)
{
    tool_say(NULL, "this program was built without nanoarrow, which writes Arrow and Parquet files; run "
                   "'scripts/setup' and build it again");
    return false;
}

bool export_ipc(export_file *file, bool is_file, bool (*write)(void *context, const void *bytes, size_t size),
                void *context)
{
    (void)file;
    (void)is_file;
    (void)write;
    (void)context;
    return export_has_ipc();
}

#else

/* stamma.h defined the structs of the C data interface with the same guards. */
#include <nanoarrow/nanoarrow_ipc.h>

bool export_has_ipc(void)
{
    return true;
}

typedef struct destination {
    bool (*write)(void *context, const void *bytes, size_t size);
    void *context;
    bool failed;
} destination;

static ArrowErrorCode write_callback(struct ArrowIpcOutputStream *stream, const void *bytes, int64_t size,
                                     int64_t *written, struct ArrowError *error)
{
    destination *d = stream->private_data;
    (void)error;
    d->failed |= size > 0 && !d->write(d->context, bytes, (size_t)size);
    *written = d->failed ? 0 : size;
    return d->failed ? EIO : NANOARROW_OK;
}

static void release_callback(struct ArrowIpcOutputStream *stream)
{
    stream->release = NULL;
}

static bool fail(const destination *d, ArrowErrorCode code, const struct ArrowError *error)
{
    if (code == ENOMEM)
        (void)tool_fail_memory(NULL);
    else if (!d->failed)
        tool_say(NULL, "nanoarrow: %s", error->message[0] ? error->message : "cannot write these columns");
    return false;
}

static bool write_batches(export_file *file, struct ArrowIpcWriter *writer, struct ArrowArrayView *view, destination *d,
                          struct ArrowError *error)
{
    struct ArrowArray batch;
    for (;;) {
        if (file->stream->get_next(file->stream, &batch))
            return export_fail(file);
        if (!batch.release)
            return true;
        ArrowErrorCode code = ArrowArrayViewSetArray(view, &batch, error);
        if (!code)
            code = ArrowIpcWriterWriteArrayView(writer, view, error);
        file->rows += (uint64_t)batch.length;
        batch.release(&batch);
        if (code)
            return fail(d, code, error);
    }
}

static bool write_all(export_file *file, bool is_file, struct ArrowIpcWriter *writer, destination *d)
{
    struct ArrowError error = {.message = ""};
    struct ArrowSchema schema;
    struct ArrowArrayView view = {.array = NULL};
    if (file->stream->get_schema(file->stream, &schema))
        return export_fail(file);
    ArrowErrorCode code = ArrowArrayViewInitFromSchema(&view, &schema, &error);
    if (!code && is_file)
        code = ArrowIpcWriterStartFile(writer, &error);
    if (!code)
        code = ArrowIpcWriterWriteSchema(writer, &schema, &error);
    bool right = code ? fail(d, code, &error) : write_batches(file, writer, &view, d, &error);
    if (right)
        code = is_file ? ArrowIpcWriterFinalizeFile(writer, &error)
                       : ArrowIpcWriterWriteArrayView(writer, NULL, &error); /* the mark of the end */
    ArrowArrayViewReset(&view);
    schema.release(&schema);
    return right && (!code || fail(d, code, &error));
}

bool export_ipc(export_file *file, bool is_file, bool (*write)(void *context, const void *bytes, size_t size),
                void *context)
{
    destination d = {write, context, false};
    struct ArrowIpcOutputStream stream = {.write = write_callback, .release = release_callback, .private_data = &d};
    struct ArrowIpcWriter writer;
    if (ArrowIpcWriterInit(&writer, &stream) != NANOARROW_OK)
        return tool_fail_memory(NULL);
    const bool right = write_all(file, is_file, &writer, &d);
    ArrowIpcWriterReset(&writer);
    return right;
}

#endif

bool export_arrow(export_file *file)
{
    const stamma_output output = tool_output_callbacks(file->output);
    return export_ipc(file, true, output.write, output.context);
}
