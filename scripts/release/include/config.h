/* SPDX-License-Identifier: MIT */
/* The sources of libmd include a file of this name. All their settings are optional. */
