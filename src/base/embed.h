/* SPDX-License-Identifier: MIT */
/* Embeds the bytes of a file in the library at compile time, without a generated C file. */
#ifndef STAMMA_EMBED_H
#define STAMMA_EMBED_H

#include <stdint.h>

#define EMBED_TEXT_OF(x) #x
#define EMBED_TEXT(x) EMBED_TEXT_OF(x)
/* The name of a symbol in assembly code. Some systems put an underscore before C's names. */
#define EMBED_SYMBOL(name) EMBED_TEXT(__USER_LABEL_PREFIX__) #name

#if defined(__APPLE__)
#define EMBED_SECTION(name) ".section __TEXT,__const\n.private_extern " EMBED_SYMBOL(name) "\n"
#define EMBED_END(name) ""
#elif defined(_WIN32)
#define EMBED_SECTION(name) ".section .rdata,\"dr\"\n"
#define EMBED_END(name) ""
#elif defined(__wasm__)
#define EMBED_SECTION(name) ".section .rodata." #name ",\"\",@\n.hidden " #name "\n.type " #name ",@object\n"
#define EMBED_END(name) ".size " #name ", .-" #name "\n"
#else
#define EMBED_SECTION(name) ".section .rodata\n.hidden " #name "\n.type " #name ",%object\n"
#define EMBED_END(name) ".size " #name ", .-" #name "\n"
#endif

/* Defines `name` as the bytes of the file `path`, a string literal that is resolved by the assembler. The array is
 * read-only, aligned to 64 bytes, and followed by 64 zero bytes. The symbol is not exported. Use at file scope. */
#if defined(__GNUC__)
#define EMBED_FILE(name, path)                                                              \
    extern const uint8_t name[] __attribute__((visibility("hidden"), aligned(64)));         \
    __asm__(EMBED_SECTION(name) ".balign 64\n.globl " EMBED_SYMBOL(name) "\n" EMBED_SYMBOL( \
        name) ":\n"                                                                         \
              ".incbin \"" path "\"\n.zero 64\n" EMBED_END(name) ".text\n")
#else
#error "this compiler cannot embed the weights: define STAMMA_NO_MODEL to build without them"
#endif

#endif
