/* SPDX-License-Identifier: MIT */
/* The subcommands of `stamma`. */
#ifndef STAMMA_TOOL_COMMANDS_H
#define STAMMA_TOOL_COMMANDS_H

/* The subcommands. argv[0] is the name of the subcommand. Each returns its exit code. */
int tool_pack(int argc, char **argv);
int tool_append(int argc, char **argv);
int tool_unpack(int argc, char **argv);
int tool_cat(int argc, char **argv);
int tool_find(int argc, char **argv);
int tool_tree(int argc, char **argv);
int tool_stats(int argc, char **argv);
int tool_merge_stats(int argc, char **argv);
int tool_serve(int argc, char **argv);
int tool_ls(int argc, char **argv);
int tool_info(int argc, char **argv);
int tool_verify(int argc, char **argv);
int tool_repair(int argc, char **argv);
int tool_merge(int argc, char **argv);
int tool_import(int argc, char **argv);
int tool_update(int argc, char **argv);
int tool_undo(int argc, char **argv);
int tool_compact(int argc, char **argv);
int tool_dedupe(int argc, char **argv);
int tool_diff(int argc, char **argv);
int tool_names(int argc, char **argv);
int tool_report(int argc, char **argv);
int tool_event(int argc, char **argv);
int tool_edit(int argc, char **argv);
int tool_classify(int argc, char **argv);
int tool_recompress(int argc, char **argv);
int tool_encode(int argc, char **argv);
int tool_survey(int argc, char **argv);
int tool_index(int argc, char **argv);
int tool_page_files(int argc, char **argv);
int tool_site(int argc, char **argv);
int tool_sql(int argc, char **argv);
int tool_export(int argc, char **argv);
int tool_perft(int argc, char **argv);
int tool_predict(int argc, char **argv);
int tool_board(int argc, char **argv);
int tool_tablebase(int argc, char **argv);

#endif
