/* SPDX-License-Identifier: MIT */
/* What a system supplies to the command: files, memory, signals, terminals, folders and processes. Only this folder
 * contains code that differs between systems; the Makefile chooses its files: posix_*.c with linux_*.c or macos_*.c, or
 * windows_*.c. Threads are POSIX threads, which all systems have.
 *
 * Paths, names and arguments are UTF-8 on Windows, and bytes elsewhere. A function that fails sets errno; it prints
 * nothing. */
#ifndef STAMMA_SYSTEM_H
#define STAMMA_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { SYSTEM_INPUT = 0, SYSTEM_OUTPUT = 1, SYSTEM_ERRORS = 2 }; /* the standard files */
enum { SYSTEM_PATH_SIZE = 4096 };                                /* bytes of the longest path, with its NUL */

/* ---- the start of the program ---- */

/* Prepares the standard files, and replaces the arguments by those of the system in the encoding of paths. */
void system_begin(int *argc, char ***argv);

/* Stores a time in UTC. */
bool system_utc(time_t time, struct tm *utc);

/* ---- files ---- */

/* How a file is opened. Programs that this one starts do not inherit it. */
enum {
    SYSTEM_READ = 0,
    SYSTEM_WRITE = 1,      /* for reading and writing */
    SYSTEM_TRUNCATE = 2,   /* only for writing, from the start of an empty file */
    SYSTEM_NEW = 4,        /* fails with EEXIST if the file exists; only this user may read the file */
    SYSTEM_APPEND = 8,     /* always writes at the end */
    SYSTEM_NO_WAIT = 16,   /* does not wait for the other end of a pipe */
    SYSTEM_NO_FOLLOW = 32, /* fails if the name is a symbolic link */
};

/* Opens a file. Returns -1 on failure. */
int system_open(const char *path, unsigned how);
/* Creates a file for reading and writing; the six X at the end of `path` are replaced. Returns -1 on failure. */
int system_open_unique(char *path);
/* Opens a file in a folder, for reading and writing, that is deleted when it is closed and has no name, or one that
 * begins with ".stamma-". Returns -1 on failure. */
int system_open_unnamed(const char *folder);
/* Returns the folder for temporary files, to be released with free(), or NULL. */
char *system_temporary_folder(void);
/* Opens a file without a name, in the folder for temporary files. Returns NULL on failure. */
FILE *system_temporary(void);
bool system_close(int file);

/* Reads from the current place. Returns the number of bytes, 0 at the end of the file, or -1. */
ptrdiff_t system_read(int file, void *bytes, size_t size);
/* Reads from an offset, without changing the current place. */
ptrdiff_t system_read_at(int file, void *bytes, size_t size, uint64_t offset);
/* Write all bytes, or fail. */
bool system_write(int file, const void *bytes, size_t size);
bool system_write_at(int file, const void *bytes, size_t size, uint64_t offset);
/* Sets the current place. */
bool system_seek(int file, uint64_t offset);
bool system_seek_end(int file);
/* Returns the current place, or -1 if the file has none. */
int64_t system_place_of(int file);
bool system_truncate(int file, uint64_t size);
/* Makes the contents of a file durable. */
bool system_sync(int file);
/* Makes the name of a file durable, if the system can do that. */
void system_sync_name(const char *path);
/* Makes the descriptor `to` refer to a file. */
bool system_redirect(int file, int to);
/* Returns whether a path names an open descriptor of this program, such as "/dev/fd/3", or its standard output. */
bool system_is_descriptor(const char *path);
bool system_is_standard_output(const char *path);

/* Excludes other processes that lock the file, until it is closed. Where the system has no locks of open files, the
 * lock is also released when this process closes the file elsewhere. Returns false only if another process has the
 * lock. */
bool system_lock(int file);

typedef enum system_kind { SYSTEM_REGULAR, SYSTEM_FOLDER, SYSTEM_LINK, SYSTEM_OTHER } system_kind;

/* A file at one time. */
typedef struct system_status {
    system_kind kind;
    bool is_private; /* belongs to this user, and has no other name */
    uint64_t device, file, size;
    struct timespec changed;
} system_status;

bool system_status_of(int file, system_status *status);
bool system_status_at(const char *path, system_status *status);
/* The same for a symbolic link itself. */
bool system_status_of_link(const char *path, system_status *status);
/* Returns whether both are the same file, whatever their contents. */
bool system_same_file(const system_status *a, const system_status *b);
/* Returns false only if a path does not exist. */
bool system_exists(const char *path);
/* Returns whether a path names a file that can be reached. */
bool system_is_there(const char *path);
/* Returns whether this user may read a file, or start a program. */
bool system_may_read(const char *path);
bool system_may_start(const char *path);
/* Sets the permissions of a file to those of the file at `path`, or of a new file if `path` is NULL. */
bool system_set_permissions(int file, const char *path);

/* Returns an absolute path without symbolic links, to be released with free(), or NULL. */
char *system_full_path(const char *path);
/* Returns the name after the last separator of a path. */
const char *system_base_name(const char *path);
bool system_delete(const char *path);
/* Replaces the file at `to` atomically. */
bool system_replace(const char *from, const char *to);
/* Renames a file to a name that must not exist; otherwise it fails with EEXIST. *stays: the old name could not be
 * removed, for the reason in errno. */
bool system_place(const char *from, const char *to, bool *stays);
/* Opens a stream for reading. */
FILE *system_stream(const char *path);
/* Returns the file of a stream. */
int system_number_of(FILE *stream);

/* ---- folders ---- */

/* Calls `visit` for each name in a folder, without "." and "..", until it returns false. Returns false if the folder
 * cannot be read. */
bool system_folder_each(const char *folder, bool (*visit)(void *context, const char *name), void *context);
/* Creates a folder that only this user can read. */
bool system_folder_make(const char *path);
/* The same with the permissions of new folders, as other programs create them. */
bool system_folder_make_shared(const char *path);
/* Creates a folder that only this user can read; the six X at the end of `path` are replaced. */
bool system_folder_make_unique(char *path);
bool system_folder_delete(const char *path);

/* ---- memory ---- */

/* Maps a regular file for reading. Returns NULL on failure. The file may be closed. */
const void *system_map(int file, size_t size);
void system_unmap(const void *bytes, size_t size);
/* Returns pages of a mapped file to the system. If they are read again, the system loads them again. Returns the number
 * of bytes. */
size_t system_map_forget(const void *bytes, size_t size);
/* The same as system_map; if the file is truncated later, the missing part reads as zeros. Before the first call,
 * system_guard must have succeeded. */
bool system_guard(void);
const void *system_map_guarded(int file, size_t size);
void system_unmap_guarded(const void *bytes, size_t size);

/* Returns zeroed memory in large pages, if the system has them, or NULL. `size` is a multiple of SYSTEM_PAGE_SIZE. */
#define SYSTEM_PAGE_SIZE ((size_t)2 << 20)
void *system_pages(size_t size);
void system_pages_release(void *memory, size_t size);
/* Makes malloc return each block of a megabyte and more to the system when it is released. Without this, malloc adapts
 * to such blocks and keeps them; threads that compress megabytes at a time then exceed the limit of --memory. */
void system_memory_return(void);
/* Returns the resident memory of this program in bytes; 0: unknown. */
uint64_t system_resident(void);

/* Text that is written as a stream and becomes a string. */
typedef struct system_text {
    FILE *stream;
    char *text; /* after system_text_close; to be released with free() */
    size_t size;
} system_text;
bool system_text_open(system_text *text);
/* Closes the stream. Returns false if a write has failed; `text` is then NULL. */
bool system_text_close(system_text *text);

/* ---- signals ---- */

/* Calls `undo` when a signal, Ctrl-C or the end of the session ends the program. Only functions that are safe in a
 * handler of signals may be called: system_delete, system_truncate, system_write and system_status_... */
void system_signals_watch(void (*undo)(void));

/* Signals that were held before. */
typedef struct system_held {
    uint64_t words[16];
} system_held;
/* Delays the signals that end the program. Does not change errno. */
void system_signals_hold(system_held *before);
void system_signals_release(const system_held *before);

/* Call after a write to standard output has failed with `error`. If the reader of a pipe has closed it, deletes
 * unfinished files and ends the program, as SIGPIPE does on POSIX. */
void system_output_failed(int error);

/* Calls `call` for Ctrl-C, instead of ending the program. */
void system_catch_interrupts(void (*call)(void));
/* Holds the signals that end a server in this thread and in those that it starts; with `hangup`, also the end of the
 * terminal, unless it is ignored. */
void system_ends_hold(bool hangup);
/* Waits for one of these signals. Returns false after this number of milliseconds. */
bool system_ends_wait(int milliseconds);

/* ---- terminals ---- */

bool system_is_terminal(int file);
/* Returns the number of columns of the terminal on standard output; 0: unknown. */
size_t system_terminal_columns(void);
/* Returns whether this program runs in a terminal that the system opened for this program, as after a double click on
 * Windows. The terminal closes when the program ends. */
bool system_opened_terminal(void);

/* ---- processes ---- */

typedef struct system_process {
    intptr_t id; /* 0: none */
} system_process;

/* Starts a program, without a shell, in a separate group of processes. `arguments` are its path and its arguments, and
 * end with NULL. With `searches`, the program is searched in the usual folders. `files` are its standard input, output
 * and error; -1: nothing. It gets no other files of this program. Returns 0 or an error of errno. */
int system_process_start(system_process *process, const char *const *arguments, bool searches, const int files[3]);
enum { SYSTEM_SIGNAL = 256, SYSTEM_KILLED = SYSTEM_SIGNAL + 9 };
/* Returns whether a process has ended, and then sets its id to 0 and stores its exit status. The status is above
 * SYSTEM_SIGNAL if a signal ended the process; the rest is the number of the signal. */
bool system_process_ended(system_process *process, int *status);
/* Waits until a process has ended, without changing its id, at most this number of milliseconds. */
void system_process_wait(const system_process *process, int milliseconds);
/* Waits until a process has ended, and sets its id to 0. Returns its exit status, as above; 0 if there is none. */
int system_process_join(system_process *process);
/* The same, after killing the process and its children. */
int system_process_kill(system_process *process);
/* Returns the path of this program, or NULL. */
const char *system_program(void);
/* Shows an address in the user's browser. *process: the program that does that, if it must be waited for. Returns 0 or
 * an error of errno. */
int system_browse(const char *address, system_process *process);
/* Returns the name of the program that shows addresses. */
const char *system_browse_program(void);

/* ---- pipes and sockets ---- */

/* Opens a pipe: ends[0] for reading, ends[1] for writing. */
bool system_pipe(int ends[2]);
/* Makes writes fail with EAGAIN instead of waiting. */
bool system_pipe_no_wait(int end);
/* Reads from a pipe. Returns -1 with EAGAIN after this number of milliseconds. */
ptrdiff_t system_pipe_read(int end, void *bytes, size_t size, int milliseconds);

enum { SYSTEM_ADDRESS_SIZE = 16 };
/* Reads an address of IPv4 or, with `six`, of IPv6, in the order of the network. */
bool system_address_read(const char *text, bool six, uint8_t bytes[SYSTEM_ADDRESS_SIZE]);

/* The other end of a connection. */
typedef struct system_peer {
    char address[48];
    int port;
} system_peer;

/* Returns whether a number is a connection, and stores its peer. *open: whether the number is in use. The HTTP library
 * does not reveal its sockets: they are found by their numbers, which are small. */
bool system_socket_peer(int number, system_peer *peer, bool *open);
/* Shuts down the direction from the peer only. */
void system_socket_end_requests(int number);
/* Returns whether the peer has closed the connection or its direction to this program, without waiting. */
bool system_socket_is_ended(int number);
/* Returns why this program cannot listen on an address, or NULL if it can. *six: it is an address of IPv6. */
const char *system_why_not_listen(const char *host, const char *port, bool *six);

#endif
