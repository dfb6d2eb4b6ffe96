// SPDX-License-Identifier: MIT
use std::borrow::Cow;
use std::ffi::c_void;
use std::fs::File;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::ptr::{self, NonNull};

use crate::error::{Result, check, check_at};
use crate::game::Game;
use crate::pack::Output;
use crate::{options, sys};

/// Where the bytes of an archive or an index file are. The library keeps a pointer to the file or to
/// the bytes, which do not move with this value.
enum Source<'a> {
    File(Box<File>),
    Bytes(Cow<'a, [u8]>),
}

impl Source<'_> {
    fn open(path: &Path) -> Result<Self> {
        Ok(Source::File(Box::new(File::open(path)?)))
    }

    fn bytes(&self) -> Result<sys::stamma_bytes> {
        Ok(match self {
            Source::File(file) => sys::stamma_bytes {
                size: file.metadata()?.len(),
                memory: ptr::null(),
                context: (&raw const **file).cast_mut().cast(),
                read_at: Some(read_at),
            },
            Source::Bytes(bytes) => sys::stamma_bytes {
                size: bytes.len() as u64,
                memory: bytes.as_ptr().cast(),
                context: ptr::null_mut(),
                read_at: None,
            },
        })
    }
}

/// Reads a part of a file. Several threads may call it at the same time.
unsafe extern "C" fn read_at(context: *mut c_void, offset: u64, bytes: *mut c_void, size: usize) -> bool {
    // SAFETY: `context` is the file of an open archive, and the library owns `size` bytes at `bytes`.
    let (file, into) = unsafe {
        bytes.cast::<u8>().write_bytes(0, size);
        (&*context.cast::<File>(), std::slice::from_raw_parts_mut(bytes.cast::<u8>(), size))
    };
    read_exact_at(file, into, offset).is_ok()
}

#[cfg(unix)]
fn read_exact_at(file: &File, into: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut into: &mut [u8], mut offset: u64) -> std::io::Result<()> {
    while !into.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_read(file, into, offset)?;
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        into = &mut into[count..];
        offset += count as u64;
    }
    Ok(())
}

/// An open archive. Any number of threads may use it at the same time.
pub struct Archive<'a> {
    handle: NonNull<sys::stamma_archive>,
    _archive: Source<'a>,
    _index: Option<Source<'a>>,
}

// SAFETY: any number of threads may use an archive of the library, and its sources are Send and Sync.
unsafe impl Send for Archive<'_> {}
// SAFETY: as above.
unsafe impl Sync for Archive<'_> {}

impl Drop for Archive<'_> {
    fn drop(&mut self) {
        // SAFETY: readers and searches borrow the archive, so none is open.
        unsafe { sys::stamma_archive_close(self.handle.as_ptr()) }
    }
}

impl Archive<'static> {
    /// Opens a file, with the index file `PATH.index` if it exists. The file must not change while it is open.
    pub fn open(path: impl AsRef<Path>) -> Result<Archive<'static>> {
        let path = path.as_ref();
        let mut index = path.as_os_str().to_owned();
        index.push(".index");
        Archive::new(Source::open(path)?, Source::open(&PathBuf::from(index)).ok())
    }
}

impl<'a> Archive<'a> {
    /// Opens an archive in memory.
    pub fn from_bytes(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Archive<'a>> {
        Archive::new(Source::Bytes(bytes.into()), None)
    }

    /// Opens an archive in memory with its index file.
    pub fn from_bytes_and_index(
        bytes: impl Into<Cow<'a, [u8]>>,
        index: impl Into<Cow<'a, [u8]>>,
    ) -> Result<Archive<'a>> {
        Archive::new(Source::Bytes(bytes.into()), Some(Source::Bytes(index.into())))
    }

    fn new(archive: Source<'a>, index: Option<Source<'a>>) -> Result<Archive<'a>> {
        let bytes = archive.bytes()?;
        let index_bytes = index.as_ref().map(Source::bytes).transpose()?;
        let mut handle = ptr::null_mut();
        // SAFETY: the structs are valid during the call, which copies them; the sources live as long as the handle.
        let code = unsafe {
            let mut choices: sys::stamma_archive_options = options();
            choices.index = index_bytes.as_ref().map_or(ptr::null(), ptr::from_ref);
            sys::stamma_archive_open(&bytes, &choices, &mut handle)
        };
        check(code)?;
        let handle = NonNull::new(handle).ok_or(crate::Error::NoMemory)?;
        Ok(Archive { handle, _archive: archive, _index: index })
    }

    pub(crate) fn handle(&self) -> *mut sys::stamma_archive {
        self.handle.as_ptr()
    }

    /// Returns the number of games.
    pub fn len(&self) -> Result<u64> {
        let mut games = 0;
        // SAFETY: the handle is open.
        check(unsafe { sys::stamma_archive_games(self.handle(), &mut games) }).map(|()| games)
    }

    /// Returns whether the archive has no games.
    pub fn is_empty(&self) -> Result<bool> {
        self.len().map(|games| games == 0)
    }

    /// Returns whether searches use an index file. An index file of another archive, or that is damaged, is not used.
    pub fn has_index(&self) -> bool {
        // SAFETY: the handle is open.
        unsafe {
            let mut state: sys::stamma_index_state = options();
            sys::stamma_archive_index(self.handle(), &mut state) == sys::STAMMA_OK
                && state.kind != sys::STAMMA_INDEX_NONE
        }
    }

    /// Returns all games in their order.
    pub fn games(&self) -> Result<Games<'_>> {
        let mut reader = ptr::null_mut();
        // SAFETY: the handle is open, and the reader borrows it.
        check(unsafe { sys::stamma_archive_reader_open(self.handle(), ptr::null(), &mut reader) })?;
        let reader = NonNull::new(reader).ok_or(crate::Error::NoMemory)?;
        Ok(Games { reader, ended: false, _archive: PhantomData })
    }

    /// Returns a game by its number, from 1. To read many games, use [`Games::seek`].
    pub fn game(&self, number: u64) -> Result<Option<Game>> {
        let mut games = self.games()?;
        games.seek(number)?;
        games.next().transpose()
    }

    /// Writes exactly the bytes that were packed.
    pub fn unpack(&self, output: impl std::io::Write) -> Result<()> {
        let games = self.games()?;
        let mut output = Output::new(output);
        // SAFETY: the reader is open, and the output is valid during the call.
        let code = unsafe { sys::stamma_archive_reader_unpack(games.reader.as_ptr(), &output.callbacks()) };
        output.result()?;
        check_at(code, || games.offset())
    }
}

/// The games of an archive in their order. The iterator ends after an error.
pub struct Games<'a> {
    reader: NonNull<sys::stamma_archive_reader>,
    ended: bool,
    _archive: PhantomData<&'a Archive<'a>>,
}

// SAFETY: one thread at a time uses a reader, which is not Sync.
unsafe impl Send for Games<'_> {}

impl Games<'_> {
    /// Moves to a game by its number, from 1. A number after the last game moves to the end.
    pub fn seek(&mut self, number: u64) -> Result<()> {
        self.ended = false;
        // SAFETY: the reader is open.
        let code = unsafe { sys::stamma_archive_reader_seek(self.reader.as_ptr(), number) };
        check_at(code, || self.offset())
    }

    fn offset(&self) -> u64 {
        // SAFETY: the reader is open.
        unsafe { sys::stamma_archive_reader_place(self.reader.as_ptr()).offset }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game>;

    fn next(&mut self) -> Option<Result<Game>> {
        if self.ended {
            return None;
        }
        let mut game = ptr::null();
        // SAFETY: the reader is open, and the game is copied before the next call.
        let code = unsafe { sys::stamma_archive_reader_next(self.reader.as_ptr(), &mut game) };
        self.ended = code != sys::STAMMA_OK || game.is_null();
        match check_at(code, || self.offset()) {
            Err(error) => Some(Err(error)),
            // SAFETY: as above.
            Ok(()) => unsafe { game.as_ref().map(|game| Ok(Game::copied(game))) },
        }
    }
}

impl Drop for Games<'_> {
    fn drop(&mut self) {
        // SAFETY: the reader is open.
        unsafe { sys::stamma_archive_reader_close(self.reader.as_ptr()) }
    }
}
