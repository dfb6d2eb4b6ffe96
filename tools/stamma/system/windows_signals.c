/* SPDX-License-Identifier: MIT */
/* Ctrl-C, Ctrl-Break, the end of the console and the end of the session, and consoles of Windows. The system calls a
 * handler in another thread. */
#include "system/windows_system.h"

/* Exit status of a program that Ctrl-C or a closed pipe has ended, as in Unix shells. */
enum { INTERRUPTED = 130, PIPE_CLOSED = 141 };

static void (*undo_all)(void);
static void (*interrupted)(void);
static HANDLE ended; /* event: the server shall end; NULL: there is no server */
static CRITICAL_SECTION held;

static BOOL WINAPI handle_end(DWORD event)
{
    if (ended) {
        (void)SetEvent(ended);
        if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
            Sleep(INFINITE); /* the program is ended when this function returns */
        return TRUE;
    }
    if (interrupted && event == CTRL_C_EVENT) {
        interrupted();
        return TRUE;
    }
    EnterCriticalSection(&held);
    undo_all();
    ExitProcess(INTERRUPTED);
}

void system_signals_watch(void (*undo)(void))
{
    undo_all = undo;
    InitializeCriticalSection(&held);
    (void)SetConsoleCtrlHandler(handle_end, TRUE);
}

void system_signals_hold(system_held *before)
{
    (void)before;
    EnterCriticalSection(&held);
}

void system_signals_release(const system_held *before)
{
    const int kept = errno;
    (void)before;
    LeaveCriticalSection(&held);
    errno = kept;
}

/* A closed pipe has several errors: EPIPE, EINVAL from the C library, and EIO in Wine. */
void system_output_failed(int error)
{
    const bool is_closed = error != EAGAIN && GetFileType(windows_handle(SYSTEM_OUTPUT)) == FILE_TYPE_PIPE;
    if (!is_closed || !undo_all)
        return;
    EnterCriticalSection(&held);
    undo_all();
    ExitProcess(PIPE_CLOSED);
}

void system_catch_interrupts(void (*call)(void))
{
    interrupted = call;
}

void system_ends_hold(bool hangup)
{
    (void)hangup;
    ended = CreateEventW(NULL, TRUE, FALSE, NULL);
}

bool system_ends_wait(int milliseconds)
{
    return WaitForSingleObject(ended, (DWORD)milliseconds) == WAIT_OBJECT_0;
}

/* ---- consoles ---- */

bool system_is_terminal(int file)
{
    DWORD mode;
    const HANDLE handle = windows_handle(file);
    return handle != INVALID_HANDLE_VALUE && GetConsoleMode(handle, &mode);
}

size_t system_terminal_columns(void)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    const HANDLE handle = windows_handle(SYSTEM_OUTPUT);
    if (handle == INVALID_HANDLE_VALUE || !GetConsoleScreenBufferInfo(handle, &info))
        return 0;
    return (size_t)(info.srWindow.Right - info.srWindow.Left + 1);
}

bool system_opened_terminal(void)
{
    DWORD processes[2]; /* the shell in a console is a process of that console, too */
    return system_is_terminal(SYSTEM_ERRORS) && GetConsoleProcessList(processes, 2) == 1;
}
