/* SPDX-License-Identifier: MIT */
/* Defines __SANITIZE_ADDRESS__ in builds with AddressSanitizer, which gcc does itself. */
#ifndef STAMMA_FUZZ_ADDRESS_SANITIZER_H
#define STAMMA_FUZZ_ADDRESS_SANITIZER_H

#ifdef __has_feature
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#endif
