#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Answers without a server: a program that links tools/stamma/answering, but not serving, answers requests from an
# archive in memory like `stamma serve`.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
[ -z "${SANITIZE:-}" ] || { echo "the objects of the command need the sanitizers' flags"; exit 77; }
root=$PWD build=$(realpath "$BUILD")
serve_folder
run 0 pack -q "$pgn" -o games.stamma
cat >answers.c <<'PROGRAM'
#include "answering/serve_exchange.h"

static bool begin(void *context, const serve_reply *reply)
{
    (void)context;
    return printf("%d %s\n", reply->status, reply->headers.type) > 0;
}

static bool piece(void *context, const void *bytes, size_t size)
{
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size;
}

static bool is_gone(void *context)
{
    (void)context;
    return false;
}

/* Answers "PATH?FIELDS". */
static void answer(serve *shared, char *address)
{
    serve_exchange x;
    const char *operand, *path = strtok(address, "?"), *fields = strtok(NULL, "");
    serve_exchange_open(&x, shared, &(serve_receiver){NULL, begin, piece, is_gone});
    serve_endpoint endpoint = serve_route(path, &operand);
    if (fields && !serve_form_add(&x.form, fields, strlen(fields), &x.fault))
        serve_reply_fault(&x);
    else
        serve_answer(&x, endpoint, operand);
    if (!x.reply.produce || !serve_produce(&x)) {
        (void)begin(NULL, &x.reply);
        (void)piece(NULL, x.reply.bytes, x.reply.size);
    }
    serve_exchange_close(&x);
}

int main(int argc, char **argv)
{
    static serve shared = {.seconds = 60, .memory = TOOL_MEMORY};
    static serve_archive archive = {.name = "games.stamma", .close = serve_archive_close};
    tool_file file;
    stamma_place place;
    size_t size = 0;
    const char *bytes = argc < 3 || !tool_file_open(argv[1], &file) ? NULL : tool_file_read_all(&file, &size);
    archive.bytes = stamma_bytes_of(bytes, size);
    if (!bytes || serve_archive_open(&archive, NULL, &place) || !serve_open(&shared, 1))
        return 1;
    serve_archives_add(&shared.archives, &archive, argv[1]);
    answer(&shared, argv[2]);
    serve_close(&shared);
    return 0;
}
PROGRAM
# Only objects whose sources exist: objects of moved files may be left.
objects=$(cd "$root" && ls tools/stamma/{answering,encodings,questions,reporting,games,pictures,shared}/*.c \
    tools/stamma/system/{posix,linux}_*.c bindings/threads/{worker,posix}_*.c |
    sed -e "s|^|$build/|" -e 's|c$|o|')" $build/web_files.o"
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -Wall -Werror -I"$root/include" -I"$root/tools/stamma" answers.c $objects "$build/libstamma.a" ${LDFLAGS:-} \
    -lzstd -lbz2 -lxxhash -lz -llzma -lmd -lpthread -lm -o answers 2>link || fail "the program does not link" "$(head -5 link)"
python3 - <<'PYTHON' || fail "answers"
import re
import subprocess
from serve_client import Checks, Server

check, server = Checks(), Server("games.stamma")
for address in ("/masters?play=e2e4", "/lichess?fen=x", "/player?player=Carlsen&color=white", "/player?player=Carlsen",
                "/find?limit=5&fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR%20b%20KQkq%20-%200%201", "/find?count=1",
                "/find?format=csv", "/find?format=pgn&limit=3", "/find?stream=1&limit=3", "/stats", "/line?play=e2e4,e7e5", "/game/1",
                "/game/1?format=pgn", "/game/999999", "/archives", "/health", "/board.svg?play=e2e4", "/players?q=c", "/novelty/2",
                "/report?player=Carlsen", "/orders?play=e2e4", "/encode?play=e2e4", "/encodings", "/decode?codec=tarrasch&value=65", "/find?a=%zz"):
    made = subprocess.run(["./answers", "games.stamma", address], stdout=subprocess.PIPE, check=True).stdout
    head, body = made.split(b"\n", 1)
    answer = server.ask(address)
    if address == "/archives":  # the server has an index in memory
        answer.body = answer.body.replace(b'"index":"memory"', b'"index":null')
    if address == "/health":
        answer.body = answer.body.replace(b'"indexed":1', b'"indexed":0')
    if "stream" in address:  # without the lines of progress
        body, answer.body = (re.sub(rb'(?m)^\{"searched".*\n', b"", one) for one in (body, answer.body))
    check.that(head.decode() == "%d %s" % (answer.status, answer.headers["content-type"]), address, head)
    check.that(body == answer.body, address, body[:300], answer.body[:300])
check.that(server.stop() == 0, "the server ends")
check.end()
PYTHON
finish
