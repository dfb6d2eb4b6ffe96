/* Output: a regular file appears whole or not at all; standard output, devices and pipes are written directly. */
#include "tool.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK ((size_t)256 * 1024)

struct tool_output {
    char *name;   /* as the user knows it */
    char *path;   /* where the finished file goes; NULL: written directly */
    bool replace; /* something may stand there */
    bool failed;
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

/* The directory that `path` stands in, in `directory`. */
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

/* The permissions that a new file gets, or those of the file that is replaced. */
static mode_t permissions(const char *path, bool replace)
{
    struct stat status;
    if (replace && stat(path, &status) == 0)
        return status.st_mode & 0777;
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

static bool open_temporary(tool_output *output)
{
    char directory[PATH_MAX];
    if (!parent(output->path, directory))
        return fail(output);
    output->fd = tool_temporary_open(directory);
    if (output->fd < 0 || fchmod(output->fd, permissions(output->path, output->replace)) != 0)
        return fail(output);
    return true;
}

/* Whether this is a device or names an open descriptor: "/dev/fd/3" may lead to a regular file, but means what is open.
 */
static bool names_a_device(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
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
    if (names_a_device(path) || (reached && !S_ISREG(status.st_mode))) {
        output->fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
        return output->fd >= 0 || fail(output);
    }
    if (exists && !force) {
        tool_say(path, "exists already; -f overwrites it");
        return false;
    }
    /* A link keeps standing: what it leads to is replaced. */
    output->path = reached ? realpath(path, NULL) : strdup(path);
    output->replace = force;
    return output->path ? open_temporary(output) : fail(output);
}

tool_output *tool_output_open(const char *path, bool force)
{
    /* Opening /dev/stdout again would write from the file's start, over what stands there. */
    bool standard = strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
    tool_output *output = malloc(sizeof *output);
    char *name = strdup(standard ? "standard output" : path);
    if (!output || !name) {
        tool_say(path, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
        free(output);
        free(name);
        return NULL;
    }
    memset(output, 0, offsetof(tool_output, bytes));
    output->name = name;
    output->fd = standard ? STDOUT_FILENO : -1;
    if (standard || open_path(output, path, force))
        return output;
    tool_output_close(output);
    return NULL;
}

static bool write_out(tool_output *output, const uint8_t *bytes, size_t size)
{
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

static bool close_file(tool_output *output)
{
    int fd = output->fd;
    output->fd = -1;
    return fd <= STDERR_FILENO || close(fd) == 0;
}

/* A name is durable only when its directory is; where that cannot be had the file is still right. */
static void sync_directory(const char *path)
{
    char directory[PATH_MAX];
    int fd = parent(path, directory) ? open(directory, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

bool tool_output_finish(tool_output *output)
{
    if (output->failed || !flush(output))
        return false;
    if (!output->path)
        return close_file(output) || fail(output);
    if (fsync(output->fd) != 0 || !close_file(output) || !tool_temporary_keep(output->path, output->replace))
        return fail(output);
    sync_directory(output->path);
    return true;
}

void tool_output_close(tool_output *output)
{
    if (!output)
        return;
    (void)close_file(output);
    if (output->path)
        tool_temporary_remove();
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

stamma_output tool_output_callbacks(tool_output *output)
{
    /* No sync: only tool_output_finish gives the file its name. */
    return (stamma_output){output, write_callback, NULL};
}
