/* Output files. A regular file appears, or grows, only when everything is written. Standard output, devices and pipes
 * are written directly. */
#include "shared/tool.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK ((size_t)256 * 1024)

struct tool_output {
    char *name;    /* the name in messages */
    char *path;    /* final path; NULL: written directly */
    bool replace;  /* an existing file may be replaced */
    bool grows;    /* appends to a file of the caller */
    bool terminal; /* text for a terminal: control characters are replaced */
    bool partial;  /* a later run can resume it */
    bool stays;    /* keep it for that run, whatever fails */
    bool named;    /* its name is durable */
    bool whole;    /* all output is written */
    bool failed;
    uint64_t old_size; /* size after the last cut */
    uint64_t least;    /* least size of a cut */
    int fd;
    size_t size; /* bytes waiting in `bytes` */
    uint8_t bytes[CHUNK];
};

static bool fail(tool_output *output)
{
    if (!output->failed)
        tool_say(output->name, "%s", strerror(errno));
    output->failed = true;
    return false;
}

/* Stores the directory that contains `path` in `directory`. */
static bool parent(const char *path, char directory[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const char *from = slash ? path : ".";
    size_t length = !slash || slash == path ? 1 : (size_t)(slash - path);
    if (length >= PATH_MAX || *path == 0) {
        errno = *path ? ENAMETOOLONG : ENOENT;
        return false;
    }
    memcpy(directory, from, length);
    directory[length] = 0;
    return true;
}

/* Returns the permissions of a new file, or of the file that is replaced. */
static mode_t permissions(const char *path, bool replace)
{
    struct stat status;
    if (replace && stat(path, &status) == 0)
        return status.st_mode & 0777;
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

static bool fail_partial(tool_output *output)
{
    if (errno == EAGAIN)
        tool_say(tool_temporary_path(), "is being written by another process");
    else if (errno == EEXIST)
        tool_say(tool_temporary_path(), "exists and was not written by this command");
    else
        return fail(output);
    return false;
}

static bool open_temporary(tool_output *output)
{
    char directory[PATH_MAX];
    if (!parent(output->path, directory))
        return fail(output);
    output->fd = output->partial ? tool_temporary_open_partial(output->path) : tool_temporary_open(directory);
    if (output->fd < 0 && output->partial)
        return fail_partial(output);
    if (output->fd < 0 || fchmod(output->fd, permissions(output->path, output->replace)) != 0)
        return fail(output);
    return true;
}

/* Returns whether the path names an open descriptor, such as "/dev/fd/3". A descriptor may refer to a regular file,
 * but that file is written in place. Everything below /proc is treated as a descriptor. */
static bool names_a_descriptor(const char *path)
{
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0 || strcmp(path, "/dev/stdin") == 0 ||
           strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0;
}

static bool open_path(tool_output *output, const char *path, bool force)
{
    struct stat status;
    bool exists = lstat(path, &status) == 0;
    bool reached = stat(path, &status) == 0;
    if (reached && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return fail(output);
    }
    if (names_a_descriptor(path) || (reached && !S_ISREG(status.st_mode))) {
        output->partial = false;
        output->fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
        return output->fd >= 0 || fail(output);
    }
    if (exists && !force) {
        tool_say(path, "exists already; -f overwrites it");
        return false;
    }
    /* a symbolic link is kept and the file that it names is replaced */
    output->path = reached ? realpath(path, NULL) : strdup(path);
    output->replace = force;
    return output->path ? open_temporary(output) : fail(output);
}

static tool_output *make(const char *name, int fd)
{
    tool_output *output = malloc(sizeof *output);
    char *copy = strdup(name);
    if (!output || !copy) {
        tool_say(name, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
        free(output);
        free(copy);
        return NULL;
    }
    memset(output, 0, offsetof(tool_output, bytes));
    output->name = copy;
    output->fd = fd;
    return output;
}

static tool_output *open_output(const char *path, bool force, bool partial)
{
    /* opening /dev/stdout would write from the start of the file */
    bool standard = strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
    tool_output *output = make(standard ? "standard output" : path, standard ? STDOUT_FILENO : -1);
    if (output)
        output->partial = partial && !standard;
    if (output && standard)
        output->terminal = !force && isatty(STDOUT_FILENO);
    if (!output || standard || open_path(output, path, force))
        return output;
    tool_output_close(output);
    return NULL;
}

tool_output *tool_output_open(const char *path, bool force)
{
    return open_output(path, force, false);
}

tool_output *tool_output_open_partial(const char *path, bool force)
{
    return open_output(path, force, true);
}

/* Text on a terminal goes through the filter of tool_print_bytes. */
static bool write_terminal(tool_output *output, const uint8_t *bytes, size_t size)
{
    tool_print_bytes((const char *)bytes, size);
    return fflush(stdout) == 0 || fail(output);
}

static bool write_out(tool_output *output, const uint8_t *bytes, size_t size)
{
    if (output->terminal)
        return write_terminal(output, bytes, size);
    while (size > 0) {
        ssize_t count = write(output->fd, bytes, size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fail(output);
        bytes += count;
        size -= (size_t)count;
    }
    return true;
}

static bool flush(tool_output *output)
{
    size_t size = output->size;
    output->size = 0;
    return write_out(output, output->bytes, size);
}

bool tool_output_write(tool_output *output, const void *bytes, size_t size)
{
    if (output->failed)
        return false;
    if (size > CHUNK - output->size && !flush(output))
        return false;
    if (size >= CHUNK)
        return write_out(output, bytes, size);
    memcpy(output->bytes + output->size, bytes, size);
    output->size += size;
    return true;
}

bool tool_output_take_printed(tool_output *output)
{
    tool_print_name(output->name);
    tool_print_redirected();
    return output->fd == STDOUT_FILENO || dup2(output->fd, STDOUT_FILENO) >= 0 || fail(output);
}

static bool close_file(tool_output *output)
{
    int fd = output->fd;
    output->fd = -1;
    return output->grows || fd <= STDERR_FILENO || close(fd) == 0;
}

/* Makes a name durable, which requires a sync of its directory. If that is impossible, the file is still correct. */
static void sync_directory(const char *path)
{
    char directory[PATH_MAX];
    int fd = parent(path, directory) ? open(directory, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

/* ---- resumed and appended files ---- */

tool_output *tool_output_grow(int fd, const char *name)
{
    tool_output *output = make(name, fd);
    if (output)
        output->grows = true;
    return output;
}

bool tool_output_left(tool_output *output, tool_file *file)
{
    return output->partial && tool_file_borrow(output->fd, tool_temporary_path(), file) && file->size > 0;
}

void tool_output_resume(tool_output *output, uint64_t least)
{
    output->stays = true;
    output->least = least;
    tool_temporary_leave(output->name);
}

void tool_output_committed(tool_output *output, bool stays)
{
    if (!output->partial && !output->grows)
        return;
    tool_temporary_leave(output->name);
    output->stays |= stays;
}

bool tool_output_cut(void *context, uint64_t size)
{
    tool_output *output = context;
    if (size < output->least && output->grows)
        tool_say(output->name, "the interrupted run had other input; -f starts again");
    else if (size < output->least)
        tool_say(output->name, "%s was written from other input; -f starts again", tool_temporary_path());
    if (size < output->least)
        output->failed = true;
    if (output->failed || !flush(output))
        return false;
    if (ftruncate(output->fd, (off_t)size) != 0 || fsync(output->fd) != 0 ||
        lseek(output->fd, (off_t)size, SEEK_SET) < 0)
        return fail(output);
    output->old_size = size;
    if (output->grows)
        tool_temporary_shrink_on_signal(output->fd, size);
    else
        tool_temporary_take();
    return true;
}

uint64_t tool_output_kept(const tool_output *output)
{
    return output->old_size;
}

static bool finish_growing(tool_output *output)
{
    if (fsync(output->fd) != 0)
        return fail(output);
    tool_temporary_forget();
    output->whole = true;
    return true;
}

/* Truncates what is unfinished. If that fails, the bytes are still not part of the archive. */
static void shrink(tool_output *output)
{
    tool_temporary_forget();
    if (output->old_size > 0 && !output->whole && ftruncate(output->fd, (off_t)output->old_size) == 0)
        (void)fsync(output->fd);
}

static bool keep(tool_output *output)
{
    int left;
    if (!tool_temporary_keep(output->path, output->replace, &left))
        return false;
    if (left != 0)
        tool_say(output->name, "is written, but its temporary name, %s, cannot be removed: %s", tool_temporary_path(),
                 strerror(left));
    return true;
}

/* Renames the file before closing it, because closing it releases the lock. The file is then complete and durable, so
 * an error on closing is not a failed write. */
static bool finish_partial(tool_output *output)
{
    if (fsync(output->fd) != 0 || !keep(output))
        return false;
    if (!close_file(output))
        tool_say(output->name, "is written, but closing it failed: %s", strerror(errno));
    return true;
}

static bool finish_temporary(tool_output *output)
{
    return fsync(output->fd) == 0 && close_file(output) && keep(output);
}

bool tool_output_finish(tool_output *output)
{
    if (output->failed || !flush(output))
        return false;
    if (output->grows)
        return finish_growing(output);
    if (!output->path)
        return close_file(output) || fail(output);
    if (!(output->partial ? finish_partial(output) : finish_temporary(output)))
        return fail(output);
    sync_directory(output->path);
    return true;
}

void tool_output_close(tool_output *output)
{
    if (!output)
        return;
    if (output->stays)
        tool_temporary_forget();
    else if (output->grows)
        shrink(output);
    if (output->path)
        tool_temporary_remove();
    (void)close_file(output);
    free(output->path);
    free(output->name);
    free(output);
}

bool tool_output_failed(const tool_output *output)
{
    return output->failed;
}

const char *tool_output_name(const tool_output *output)
{
    return output->name;
}

static bool write_callback(void *context, const void *bytes, size_t size)
{
    return tool_output_write(context, bytes, size);
}

/* Makes the name durable with the first commit, because a later run must find what is committed. */
static bool sync_callback(void *context)
{
    tool_output *output = context;
    if (output->failed || !flush(output))
        return false;
    if (fsync(output->fd) != 0)
        return fail(output);
    if (output->partial && !output->named)
        sync_directory(output->path);
    output->named = true;
    return true;
}

stamma_output tool_output_callbacks(tool_output *output)
{
    /* no sync for a file that no run can resume */
    return (stamma_output){output, write_callback, output->grows || output->partial ? sync_callback : NULL};
}

static bool is_same(const struct stat *one, const struct stat *other)
{
    return S_ISREG(one->st_mode) && one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

bool tool_output_is(const tool_output *output, const char *path)
{
    struct stat ours, other;
    int known = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &other) : stat(path, &other);
    if (known != 0)
        return false;
    return (fstat(output->fd, &ours) == 0 && is_same(&ours, &other)) ||
           (output->path && stat(output->path, &ours) == 0 && is_same(&ours, &other));
}
