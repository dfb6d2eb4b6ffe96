// SPDX-License-Identifier: MIT
//! Archives of chess games, which are restored byte for byte.
//!
//! ```
//! # fn main() -> Result<(), stamma::Error> {
//! let pgn = b"[White \"Reti, Richard\"]\n[Black \"Tartakower, Savielly\"]\n[Result \"1-0\"]\n\n\
//!     1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 1-0\n\n";
//! let mut bytes = Vec::new();
//! stamma::pack(&pgn[..], &mut bytes, &stamma::PackOptions::default())?;
//!
//! let archive = stamma::Archive::from_bytes(bytes)?;
//! assert_eq!(archive.len()?, 1);
//! for found in archive.find(r#"{"player": "reti", "result": "1-0"}"#)? {
//!     let game = archive.game(found?.game)?.unwrap();
//!     assert_eq!(game.tag("Black").as_deref(), Some("Tartakower, Savielly"));
//!     assert_eq!(game.san()[..3], ["e4", "c6", "d4"]);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! - [`Archive`] reads an archive: games by number or in order, searches, trees of moves, the packed bytes.
//! - [`pack`] writes an archive from PGN.
//! - [`Position`] and [`Move`] are the rules and the notation of chess, with Chess960.
//!
//! Texts of games may be in any character encoding: functions that return `str` replace invalid UTF-8.
//! [`sys`] has all functions of the C library.
#![warn(missing_docs)]

mod archive;
mod error;
mod find;
mod game;
mod pack;
mod position;
mod tree;

pub use archive::{Archive, Games};
pub use error::{Error, Result};
pub use find::{Match, Matches};
pub use game::Game;
pub use pack::{Counts, PackOptions, pack};
pub use position::{Move, Position};
pub use stamma_sys as sys;
pub use tree::{Results, Tree, TreeMove};

/// Returns the version of the library, such as "1.0.0".
pub fn version() -> &'static str {
    // SAFETY: the function returns a static string of ASCII characters.
    let text = unsafe { std::ffi::CStr::from_ptr(sys::stamma_version()) };
    text.to_str().unwrap_or("")
}

/// Returns a struct of options with its size and without any option.
///
/// # Safety
/// `T` must be a struct of the library whose first member is its size, and for which zero bytes are valid.
unsafe fn options<T>() -> T {
    // SAFETY: the caller guarantees that zero bytes and a size at the start are valid.
    unsafe {
        let mut options: T = std::mem::zeroed();
        (&raw mut options).cast::<usize>().write(size_of::<T>());
        options
    }
}

/// Returns the bytes of a text of the library.
///
/// # Safety
/// The text must be valid for the lifetime `'a`.
unsafe fn bytes<'a>(text: sys::stamma_text) -> &'a [u8] {
    if text.size == 0 {
        return &[];
    }
    // SAFETY: a text that is not empty refers to its bytes.
    unsafe { std::slice::from_raw_parts(text.data.cast(), text.size) }
}

/// Returns bytes as a text of the library, which refers to them.
fn text_of(bytes: &[u8]) -> sys::stamma_text {
    sys::stamma_text { data: bytes.as_ptr().cast(), size: bytes.len() }
}
