/* SPDX-License-Identifier: MIT */
/* Runs scripts with python3. */
#include "shared/python_script.h"

bool python_script_start(const python_script *script, const int files[3], system_process *process)
{
    const char *const *a = script->arguments;
    const char *all[] = {"python3", "-c", script->source, a[0], a[1], a[2], NULL};
    int error = system_process_start(process, all, true, files);
    if (error == ENOENT) {
        all[0] = "python"; /* its name on Windows */
        error = system_process_start(process, all, true, files);
    }
    if (error == ENOENT)
        tool_say(NULL, "a Parquet file needs python3 with %s; there is no python3 in PATH", script->libraries);
    else if (error)
        tool_say("python3", "%s", strerror(error));
    return !error;
}

int python_script_join(const python_script *script, system_process *process)
{
    const int status = system_process_join(process);
    if (status == PYTHON_NO_LIBRARY)
        tool_say(NULL, "a Parquet file needs %s: 'pip install pyarrow' for the python3 in PATH", script->libraries);
    else if (status > SYSTEM_SIGNAL)
        tool_say("python3", "ended by signal %d", status - SYSTEM_SIGNAL);
    return status;
}
