// SPDX-License-Identifier: MIT
use std::any::Any;
use std::ffi::c_void;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;

use crate::error::{Error, Result, check};
use crate::{options, sys};

/// How an archive is written.
#[derive(Clone, Copy, Debug)]
pub struct PackOptions {
    /// 1: a move in at most one byte. 2: moves coded with a trained predictor, in a third of the space and 10 to 20 times
    /// slower to decode. 3: the smallest archives.
    pub level: i32,
    /// Memory limit in bytes; 0: 512 MiB.
    pub memory: u64,
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions { level: 1, memory: 0 }
    }
}

/// Counts of the packed games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Moves of main lines.
    pub plies: u64,
    /// Bytes that were read.
    pub text_size: u64,
    /// Bytes that were written.
    pub archive_size: u64,
}

/// An output of the library that writes to a `Write`. Errors and panics of the `Write` are kept until the call of the
/// library has returned.
pub(crate) struct Output<W> {
    inner: W,
    error: Option<std::io::Error>,
    panic: Option<Box<dyn Any + Send>>,
}

impl<W: Write> Output<W> {
    pub(crate) fn new(inner: W) -> Output<W> {
        Output { inner, error: None, panic: None }
    }

    /// Returns the callbacks, which are valid while `self` is not moved.
    pub(crate) fn callbacks(&mut self) -> sys::stamma_output {
        sys::stamma_output { context: ptr::from_mut(self).cast(), write: Some(Output::<W>::write), sync: None }
    }

    unsafe extern "C" fn write(context: *mut c_void, bytes: *const c_void, size: usize) -> bool {
        // SAFETY: `context` is the output whose callbacks the library was passed, and `bytes` has `size` bytes.
        let (output, bytes) = unsafe {
            let empty = bytes.is_null() || size == 0;
            let bytes = if empty { &[] } else { std::slice::from_raw_parts(bytes.cast::<u8>(), size) };
            (&mut *context.cast::<Output<W>>(), bytes)
        };
        match catch_unwind(AssertUnwindSafe(|| output.inner.write_all(bytes))) {
            Ok(Ok(())) => return true,
            Ok(Err(error)) => output.error = Some(error),
            Err(panic) => output.panic = Some(panic),
        }
        false
    }

    /// Flushes the `Write`, or returns its error. Continues its panic.
    pub(crate) fn result(&mut self) -> Result<()> {
        if let Some(panic) = self.panic.take() {
            resume_unwind(panic);
        }
        match self.error.take() {
            Some(error) => Err(Error::Io(error)),
            None => self.inner.flush().map_err(Error::Io),
        }
    }
}

struct Writer(*mut sys::stamma_archive_writer);

impl Drop for Writer {
    fn drop(&mut self) {
        // SAFETY: the writer is open, or null.
        unsafe { sys::stamma_archive_writer_close(self.0) }
    }
}

impl Writer {
    fn pack(&self, input: &mut impl Read) -> Result<sys::stamma_archive_counts> {
        let mut buffer = vec![0u8; 1 << 18];
        loop {
            match input.read(&mut buffer) {
                Ok(0) => break,
                // SAFETY: the writer is open, and `size` bytes were read.
                Ok(size) => check(unsafe { sys::stamma_archive_writer_write(self.0, buffer.as_ptr().cast(), size) })?,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::Io(error)),
            }
        }
        // SAFETY: zero bytes are valid counts; the writer is open.
        unsafe {
            let mut counts: sys::stamma_archive_counts = std::mem::zeroed();
            check(sys::stamma_archive_writer_finish(self.0, &mut counts)).map(|()| counts)
        }
    }
}

/// Packs PGN, or any bytes, into an archive. Every block is decoded and compared before it is written.
///
/// ```
/// let text = b"[White \"NN\"]\n\n1. e4 e5 *\n\nand text that is not chess";
/// let mut bytes = Vec::new();
/// let counts = stamma::pack(&text[..], &mut bytes, &stamma::PackOptions { level: 2, ..Default::default() })?;
/// assert_eq!(counts.plies, 2);
/// let mut again = Vec::new();
/// stamma::Archive::from_bytes(&bytes)?.unpack(&mut again)?;
/// assert_eq!(again, text);
/// # Ok::<(), stamma::Error>(())
/// ```
pub fn pack(mut input: impl Read, output: impl Write, choices: &PackOptions) -> Result<Counts> {
    let mut output = Output::new(output);
    let callbacks = output.callbacks();
    let mut writer = Writer(ptr::null_mut());
    // SAFETY: the structs are valid during the call, which copies the callbacks. `output` outlives the writer.
    let code = unsafe {
        let mut options: sys::stamma_archive_writer_options = options();
        (options.level, options.memory) = (choices.level, choices.memory);
        sys::stamma_archive_writer_open(&callbacks, &options, &mut writer.0)
    };
    let packed = check(code).and_then(|()| writer.pack(&mut input));
    drop(writer);
    output.result()?;
    let counts = packed?;
    let (games, plies, text_size) = (counts.games, counts.plies, counts.text_size);
    Ok(Counts { games, plies, text_size, archive_size: counts.archive_size })
}
