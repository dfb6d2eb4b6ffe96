// SPDX-License-Identifier: MIT
//! The functions of the C library Stamma. The crate `stamma` is the safe interface.
//!
//! The build script compiles the library, with the weights of its move predictor, and needs a C11 compiler with the
//! assembler directives of GNU (gcc or clang). The headers in `include` of the repository describe all functions.
//!
//! ```
//! let version = unsafe { std::ffi::CStr::from_ptr(stamma_sys::stamma_version()) };
//! assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
//! ```
#![no_std]
#![allow(non_camel_case_types)]

// The library calls functions of these crates.
use {bzip2_sys as _, xxhash_c_sys as _, zstd_sys as _};

#[rustfmt::skip]
mod declarations;
pub use declarations::*;
