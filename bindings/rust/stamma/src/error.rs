// SPDX-License-Identifier: MIT
use std::fmt;

use crate::sys;

/// Why a call failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Memory is exhausted.
    NoMemory,
    /// Reading or writing failed.
    Io(std::io::Error),
    /// An argument is not valid.
    BadArgument,
    /// A text does not have the expected form.
    Syntax,
    /// A query is not valid: the place of the problem in its bytes, and what is wrong.
    Query {
        /// Offset of the invalid part in bytes.
        offset: usize,
        /// English text.
        message: String,
    },
    /// Well-formed, but against the rules of chess.
    Illegal,
    /// The archive is damaged at this offset.
    Corrupt(u64),
    /// A later version of the format, or an encoding that cannot represent the value.
    Unsupported,
    /// A callback stopped the call.
    Cancelled,
    /// The text matches several legal moves.
    Ambiguous,
    /// The limit of memory was reached.
    Limit,
    /// The input differs from the input of an interrupted run.
    Mismatch,
    /// The bytes are not a Stamma archive.
    NoArchive,
    /// The library's output or tables are wrong: memory is faulty, or the library has an error.
    SelfCheck,
    /// An error of a later version of the library.
    Other(u32),
}

/// A result with an error of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Converts an error of the library. `offset` is the place in the archive.
    pub(crate) fn at(code: sys::stamma_error, offset: u64) -> Error {
        match code {
            sys::STAMMA_ERROR_NO_MEMORY => Error::NoMemory,
            sys::STAMMA_ERROR_IO => Error::Io(std::io::Error::other("reading or writing failed")),
            sys::STAMMA_ERROR_BAD_ARGUMENT => Error::BadArgument,
            sys::STAMMA_ERROR_SYNTAX => Error::Syntax,
            sys::STAMMA_ERROR_ILLEGAL => Error::Illegal,
            sys::STAMMA_ERROR_CORRUPT => Error::Corrupt(offset),
            sys::STAMMA_ERROR_UNSUPPORTED => Error::Unsupported,
            sys::STAMMA_ERROR_CANCELLED => Error::Cancelled,
            sys::STAMMA_ERROR_AMBIGUOUS => Error::Ambiguous,
            sys::STAMMA_ERROR_LIMIT => Error::Limit,
            sys::STAMMA_ERROR_MISMATCH => Error::Mismatch,
            sys::STAMMA_ERROR_NO_ARCHIVE => Error::NoArchive,
            sys::STAMMA_ERROR_SELF_CHECK => Error::SelfCheck,
            other => Error::Other(other),
        }
    }

    fn code(&self) -> sys::stamma_error {
        match self {
            Error::NoMemory => sys::STAMMA_ERROR_NO_MEMORY,
            Error::Io(_) => sys::STAMMA_ERROR_IO,
            Error::BadArgument => sys::STAMMA_ERROR_BAD_ARGUMENT,
            Error::Syntax | Error::Query { .. } => sys::STAMMA_ERROR_SYNTAX,
            Error::Illegal => sys::STAMMA_ERROR_ILLEGAL,
            Error::Corrupt(_) => sys::STAMMA_ERROR_CORRUPT,
            Error::Unsupported => sys::STAMMA_ERROR_UNSUPPORTED,
            Error::Cancelled => sys::STAMMA_ERROR_CANCELLED,
            Error::Ambiguous => sys::STAMMA_ERROR_AMBIGUOUS,
            Error::Limit => sys::STAMMA_ERROR_LIMIT,
            Error::Mismatch => sys::STAMMA_ERROR_MISMATCH,
            Error::NoArchive => sys::STAMMA_ERROR_NO_ARCHIVE,
            Error::SelfCheck => sys::STAMMA_ERROR_SELF_CHECK,
            Error::Other(code) => *code,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the function returns a static string for every code.
        let text = unsafe { std::ffi::CStr::from_ptr(sys::stamma_error_text(self.code())) };
        match self {
            Error::Io(error) => error.fmt(f),
            Error::Query { offset, message } => write!(f, "query, byte {offset}: {message}"),
            Error::Corrupt(offset) => write!(f, "{} at byte {offset}", text.to_string_lossy()),
            _ => f.write_str(&text.to_string_lossy()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::Io(error)
    }
}

/// Returns an error of the library, or nothing.
pub(crate) fn check(code: sys::stamma_error) -> Result<()> {
    check_at(code, || 0)
}

/// Like `check`; `offset` returns the place of an error.
pub(crate) fn check_at(code: sys::stamma_error, offset: impl FnOnce() -> u64) -> Result<()> {
    if code == sys::STAMMA_OK { Ok(()) } else { Err(Error::at(code, offset())) }
}
