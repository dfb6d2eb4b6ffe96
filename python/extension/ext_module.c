/* SPDX-License-Identifier: MIT */
/* The module _stamma. */
#include "ext.h"

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_stamma", NULL, -1, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__stamma(void);

PyMODINIT_FUNC PyInit__stamma(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    if (PyModule_AddStringConstant(module, "version", stamma_version()) == 0 && ext_source_add(module) &&
        ext_archive_add(module) && ext_position_add(module) && ext_reader_add(module) && ext_writer_add(module) &&
        ext_check_add(module) && ext_search_add(module) && ext_answers_add(module) && ext_codes_add(module) &&
        ext_survey_add(module) && ext_boards_add(module) && ext_tags_add(module) && ext_pgn_add(module) &&
        ext_zstd_add(module) && ext_columns_add(module) && ext_call_add(module))
        return module;
    Py_DECREF(module);
    return NULL;
}
