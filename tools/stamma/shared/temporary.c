/* The file that is being written. Nothing unfinished outlives the program, neither after an error nor after a signal.
 */
#include "shared/tool.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

/* State for the signal handler. `exists` is set while a temporary file with this name is ours; `grows` is set while a
 * file is being appended to that had `size` bytes before. */
static struct {
    atomic_int exists; /* atomic, because `stamma serve` ends while another thread writes an index */
    char path[PATH_MAX];
    volatile sig_atomic_t stays; /* keep it for another run, and print `words` */
    char words[PATH_MAX + 128];
    volatile sig_atomic_t grows;
    int fd;
    off_t size;
} temporary;

/* Signals that end a program by default, except those raised by its own errors. */
static const int ending_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
                                     SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2, SIGVTALRM};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

/* Prints the message with the only function that is safe in a signal handler. Its failure is ignored. */
static void say_that_it_stays(void)
{
    ssize_t written = write(STDERR_FILENO, temporary.words, strlen(temporary.words));
    (void)written;
}

/* Deletes or truncates the unfinished file and raises the signal again with its default action. */
static void end_by_signal(int signal_number)
{
    bool stays = temporary.stays && temporary.exists;
    if (stays)
        say_that_it_stays();
    else if (temporary.exists)
        (void)unlink(temporary.path);
    if (!stays && temporary.grows && ftruncate(temporary.fd, temporary.size) != 0)
        temporary.grows = 0; /* if this fails, the bytes are still not part of the archive */
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

void tool_temporary_watch(void)
{
    struct sigaction action = {.sa_handler = end_by_signal};
    (void)sigfillset(&action.sa_mask);
    for (int i = 0; i < ENDING_SIGNALS; i++) {
        struct sigaction old;
        /* Signals that nohup or a background shell ignores stay ignored. A closed pipe always ends the program. */
        bool ignored = sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN;
        if (!ignored || ending_signals[i] == SIGPIPE)
            (void)sigaction(ending_signals[i], &action, NULL);
    }
    /* a file that exceeds the size limit is a failed write with a message */
    (void)signal(SIGXFSZ, SIG_IGN);
}

/* Blocks signals while the file and `exists` differ. */
static void hold_signals(sigset_t *before)
{
    sigset_t held;
    (void)sigemptyset(&held);
    for (int i = 0; i < ENDING_SIGNALS; i++)
        (void)sigaddset(&held, ending_signals[i]);
    (void)sigprocmask(SIG_BLOCK, &held, before);
}

static void release_signals(const sigset_t *before)
{
    int kept = errno;
    (void)sigprocmask(SIG_SETMASK, before, NULL);
    errno = kept;
}

int tool_temporary_open(const char *directory)
{
    int length = snprintf(temporary.path, sizeof temporary.path, "%s/.stamma-XXXXXX", directory);
    if (length < 0 || (size_t)length >= sizeof temporary.path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    sigset_t before;
    hold_signals(&before);
    int fd = mkstemp(temporary.path);
    temporary.stays = 0; /* that was an earlier file */
    temporary.exists = fd >= 0;
    release_signals(&before);
    if (fd >= 0)
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

/* Opens or creates the file with this name, and locks it. *made is set if it was created. Returns -1 with errno set on
 * failure: EAGAIN if another process has the lock. */
static int open_locked(const char *path, bool *made)
{
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        *made = fd >= 0;
        if (fd < 0 && errno != EEXIST)
            return -1;
        if (fd < 0)
            fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0 && errno == ENOENT)
            continue;
        int locked = fd < 0 ? 0 : tool_file_lock(path, fd);
        if (fd < 0 || locked > 0)
            return fd;
        (void)close(fd);
        errno = EAGAIN;
        if (locked == 0)
            return -1;
    }
}

/* Returns whether a file of an earlier run belongs to this user only. In a directory that anyone can write, a file
 * with this name may be a trap. */
static bool is_ours(const struct stat *status)
{
    return S_ISREG(status->st_mode) && status->st_nlink == 1 && status->st_uid == geteuid();
}

int tool_temporary_open_partial(const char *path)
{
    sigset_t before;
    struct stat status;
    bool made;
    int length = snprintf(temporary.path, sizeof temporary.path, "%s.partial", path);
    if (length < 0 || (size_t)length >= sizeof temporary.path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    hold_signals(&before);
    int fd = open_locked(temporary.path, &made);
    bool ours = fd >= 0 && fstat(fd, &status) == 0 && (made || is_ours(&status));
    temporary.exists = ours && status.st_size == 0;
    release_signals(&before);
    if (fd < 0 || ours)
        return fd;
    (void)close(fd);
    errno = EEXIST;
    return -1;
}

const char *tool_temporary_path(void)
{
    return temporary.path;
}

void tool_temporary_take(void)
{
    temporary.exists = 1;
}

void tool_temporary_leave(const char *name)
{
    (void)snprintf(temporary.words, sizeof temporary.words,
                   "stamma: %.1000s: interrupted; the same command with --resume goes on where it stopped\n", name);
    temporary.stays = 1;
    temporary.exists = 1;
}

/* Moves the file to a name that must not exist. A hard link fails if the name exists, where a rename would replace the
 * file. Some file systems have no links. Once the link exists the file is complete, even if the old name cannot be
 * removed. */
static bool place_new(const char *path, int *left)
{
    struct stat status;
    if (link(temporary.path, path) == 0) {
        *left = unlink(temporary.path) == 0 ? 0 : errno;
        return true;
    }
    if (errno == EEXIST)
        return false;
    if (lstat(path, &status) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(temporary.path, path) == 0;
}

bool tool_temporary_keep(const char *path, bool replace, int *left)
{
    sigset_t before;
    *left = 0;
    hold_signals(&before);
    bool done = replace ? rename(temporary.path, path) == 0 : place_new(path, left);
    if (done)
        temporary.exists = 0;
    release_signals(&before);
    return done;
}

void tool_temporary_remove(void)
{
    sigset_t before;
    hold_signals(&before);
    if (temporary.exists)
        (void)unlink(temporary.path);
    temporary.exists = 0;
    release_signals(&before);
}

void tool_temporary_shrink_on_signal(int fd, uint64_t size)
{
    sigset_t before;
    hold_signals(&before);
    temporary.fd = fd;
    temporary.size = (off_t)size;
    temporary.grows = 1;
    release_signals(&before);
}

void tool_temporary_forget(void)
{
    temporary.grows = 0;
    temporary.exists = 0;
}
