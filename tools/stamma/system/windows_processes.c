/* SPDX-License-Identifier: MIT */
/* Programs that this one starts, and pipes, on Windows. A job contains the program and the programs that it starts. */
#include "system/windows_system.h"

#include <shellapi.h>
#include <wchar.h>

enum { STANDARD_FILES = 3, KILLED = 9, CRASHED = 11 };

/* What the id of a system_process refers to. */
typedef struct running {
    HANDLE process, job;
} running;

static running *running_of(const system_process *process)
{
    return (running *)process->id;
}

/* ---- the command line ---- */

/* Adds an argument in quotes. Backslashes before a quote are doubled. Returns the end. */
static wchar_t *quote(wchar_t *out, const wchar_t *argument)
{
    *out++ = '"';
    for (;; argument++) {
        const size_t slashes = wcsspn(argument, L"\\");
        argument += slashes;
        const bool doubled = !*argument || *argument == '"';
        for (size_t n = doubled ? 2 * slashes : slashes; n > 0; n--)
            *out++ = '\\';
        if (!*argument)
            break;
        if (*argument == '"')
            *out++ = '\\';
        *out++ = *argument;
    }
    *out++ = '"';
    *out = 0;
    return out;
}

/* Returns the command line with all arguments, or NULL. */
static wchar_t *command_line(const char *const *arguments)
{
    size_t size = 1;
    for (size_t n = 0; arguments[n]; n++)
        size += 2 * strlen(arguments[n]) + 3;
    wchar_t *line = malloc(size * sizeof *line), *end = line;
    for (size_t n = 0; line && arguments[n]; n++) {
        wchar_t *wide = windows_wide(arguments[n]);
        if (!wide) {
            free(line);
            return NULL;
        }
        if (n > 0)
            *end++ = ' ';
        end = quote(end, wide);
        free(wide);
    }
    return line;
}

/* Returns the path of a program, whose ending ".exe" may be missing, or NULL with errno set. */
static wchar_t *find_program(const char *name, bool searches)
{
    wchar_t *wide = searches ? windows_wide(name) : windows_path(name), *found = NULL;
    const wchar_t *folder = searches ? NULL : L".";
    if (!wide)
        return NULL;
    if (!searches && GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES)
        return wide;
    const DWORD size = SearchPathW(folder, wide, L".exe", 0, NULL, NULL);
    if (size > 0 && (found = malloc((size + 1) * sizeof *found)) != NULL)
        (void)SearchPathW(folder, wide, L".exe", size, found, NULL);
    else
        errno = ENOENT;
    free(wide);
    return found;
}

/* ---- start ---- */

/* Returns a handle that the new program inherits: a copy of a file, or nothing for -1. */
static HANDLE inherit(int file, bool writes)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    HANDLE copy = INVALID_HANDLE_VALUE;
    if (file < 0)
        return CreateFileW(L"NUL", writes ? GENERIC_WRITE : GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE,
                           &inherited, OPEN_EXISTING, 0, NULL);
    const HANDLE handle = windows_handle(file), self = GetCurrentProcess();
    if (handle == INVALID_HANDLE_VALUE || !DuplicateHandle(self, handle, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS))
        return INVALID_HANDLE_VALUE;
    return copy;
}

/* Creates the process, which inherits these handles and no others. It does not run yet. */
static bool create(const wchar_t *program, wchar_t *line, HANDLE *handles, PROCESS_INFORMATION *info)
{
    STARTUPINFOEXW start = {.StartupInfo = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES}};
    SIZE_T size = 0;
    start.StartupInfo.hStdInput = handles[0];
    start.StartupInfo.hStdOutput = handles[1];
    start.StartupInfo.hStdError = handles[2];
    (void)InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    start.lpAttributeList = malloc(size);
    bool right = start.lpAttributeList && InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size);
    if (right) {
        right = UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles,
                                          STANDARD_FILES * sizeof *handles, NULL, NULL) &&
                CreateProcessW(program, line, NULL, NULL, TRUE,
                               CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP |
                                   EXTENDED_STARTUPINFO_PRESENT,
                               NULL, NULL, &start.StartupInfo, info);
        if (!right)
            (void)windows_fail();
        DeleteProcThreadAttributeList(start.lpAttributeList);
    }
    free(start.lpAttributeList);
    return right;
}

/* Puts the process into a job, and lets it run. */
static bool run(const PROCESS_INFORMATION *info, system_process *process)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
        .BasicLimitInformation = {.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}};
    running *r = malloc(sizeof *r);
    if (r) {
        *r = (running){info->hProcess, CreateJobObjectW(NULL, NULL)};
        if (r->job) {
            (void)SetInformationJobObject(r->job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
            (void)AssignProcessToJobObject(r->job, info->hProcess);
        }
        (void)ResumeThread(info->hThread);
        process->id = (intptr_t)r;
    } else {
        (void)TerminateProcess(info->hProcess, KILLED);
        (void)CloseHandle(info->hProcess);
    }
    (void)CloseHandle(info->hThread);
    return r != NULL;
}

int system_process_start(system_process *process, const char *const *arguments, bool searches, const int files[3])
{
    PROCESS_INFORMATION info;
    HANDLE handles[STANDARD_FILES];
    wchar_t *program = find_program(arguments[0], searches), *line = program ? command_line(arguments) : NULL;
    bool right = line != NULL;
    process->id = 0;
    for (int n = 0; n < STANDARD_FILES; n++) {
        handles[n] = inherit(files[n], n > 0);
        right = right && handles[n] != INVALID_HANDLE_VALUE;
    }
    right = right && create(program, line, handles, &info) && run(&info, process);
    const int error = right ? 0 : errno ? errno : ENOMEM;
    for (int n = 0; n < STANDARD_FILES; n++)
        if (handles[n] != INVALID_HANDLE_VALUE)
            (void)CloseHandle(handles[n]);
    free(program);
    free(line);
    return error;
}

/* ---- end ---- */

static int end(system_process *process)
{
    running *r = running_of(process);
    DWORD code = 0;
    (void)GetExitCodeProcess(r->process, &code);
    (void)CloseHandle(r->process);
    if (r->job)
        (void)CloseHandle(r->job);
    free(r);
    process->id = 0;
    return code < SYSTEM_SIGNAL ? (int)code : SYSTEM_SIGNAL + CRASHED;
}

bool system_process_ended(system_process *process, int *status)
{
    if (WaitForSingleObject(running_of(process)->process, 0) == WAIT_TIMEOUT)
        return false;
    *status = end(process);
    return true;
}

void system_process_wait(const system_process *process, int milliseconds)
{
    if (process->id)
        (void)WaitForSingleObject(running_of(process)->process, (DWORD)milliseconds);
}

int system_process_join(system_process *process)
{
    if (!process->id)
        return 0;
    (void)WaitForSingleObject(running_of(process)->process, INFINITE);
    return end(process);
}

int system_process_kill(system_process *process)
{
    if (!process->id)
        return 0;
    const bool runs = WaitForSingleObject(running_of(process)->process, 0) == WAIT_TIMEOUT;
    if (running_of(process)->job)
        (void)TerminateJobObject(running_of(process)->job, KILLED);
    (void)TerminateProcess(running_of(process)->process, KILLED);
    const int status = system_process_join(process);
    return runs ? SYSTEM_KILLED : status;
}

const char *system_program(void)
{
    static char *path;
    enum { SIZE = 32768 };
    wchar_t *wide = path ? NULL : malloc(SIZE * sizeof *wide);
    if (wide && GetModuleFileNameW(NULL, wide, SIZE) > 0)
        path = windows_narrow(wide);
    free(wide);
    return path;
}

int system_browse(const char *address, system_process *process)
{
    wchar_t *wide = windows_wide(address);
    const INT_PTR result = wide ? (INT_PTR)ShellExecuteW(NULL, L"open", wide, NULL, NULL, SW_SHOWNORMAL) : 0;
    process->id = 0;
    free(wide);
    return result > 32 ? 0 : ENOENT;
}

const char *system_browse_program(void)
{
    return "the default browser";
}

/* ---- pipes ---- */

bool system_pipe(int ends[2])
{
    enum { ROOM = 1 << 16 };
    HANDLE handles[2];
    if (!CreatePipe(&handles[0], &handles[1], NULL, ROOM))
        return windows_fail();
    ends[0] = windows_file_of(handles[0]);
    ends[1] = windows_file_of(handles[1]);
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    for (int n = 0; n < 2; n++)
        if (ends[n] >= 0)
            (void)system_close(ends[n]);
    errno = EMFILE;
    return false;
}

bool system_pipe_no_wait(int end)
{
    DWORD mode = PIPE_READMODE_BYTE | PIPE_NOWAIT;
    const HANDLE handle = windows_handle(end);
    return handle != INVALID_HANDLE_VALUE && (SetNamedPipeHandleState(handle, &mode, NULL, NULL) || windows_fail());
}

ptrdiff_t system_pipe_read(int end, void *bytes, size_t size, int milliseconds)
{
    enum { STEP = 2 };
    DWORD waiting = 0;
    const HANDLE handle = windows_handle(end);
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    for (int waited = 0; waited <= milliseconds; waited += STEP) {
        if (!PeekNamedPipe(handle, NULL, 0, NULL, &waiting, NULL))
            return 0; /* the other end is closed */
        if (waiting > 0)
            return system_read(end, bytes, size < waiting ? size : waiting);
        Sleep(STEP);
    }
    errno = EAGAIN;
    return -1;
}
