// SPDX-License-Identifier: MIT
use std::borrow::Cow;

use crate::position::{Move, Position};
use crate::{bytes, sys};

/// A game of an archive.
#[derive(Clone, Debug)]
pub struct Game {
    /// Number in the archive, from 1.
    pub number: u64,
    /// The exact bytes of the game.
    pub text: Vec<u8>,
    /// Names and values of the tags in their order, without escapes.
    pub tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// The result at the end of the moves: "1-0", "0-1", "1/2-1/2", "*", or empty.
    pub result: String,
    /// The position before the first move.
    pub start: Position,
    /// The moves of the main line. If a move is not legal, only the moves before it.
    pub moves: Vec<Move>,
    /// This is another piece of a game that is too large for one block. Only `text` is set.
    pub continuation: bool,
}

impl Game {
    /// Copies a game that a reader owns.
    ///
    /// # Safety
    /// The game must have been returned by a reader that has not been used since.
    pub(crate) unsafe fn copied(game: &sys::stamma_archive_game) -> Game {
        // SAFETY: the lists of a game are valid until the next call of the reader, and a list without entries may be NULL.
        unsafe {
            let tags = if game.tag_count == 0 { &[] } else { std::slice::from_raw_parts(game.tags, game.tag_count) };
            let plies = if game.moves.is_null() { 0 } else { game.ply_count };
            let moves = if plies == 0 { &[] } else { std::slice::from_raw_parts(game.moves, plies) };
            Game {
                number: game.number,
                text: bytes(game.text).to_vec(),
                tags: tags.iter().map(|tag| (bytes(tag.name).to_vec(), unescaped(tag.value))).collect(),
                result: String::from_utf8_lossy(bytes(game.result)).into_owned(),
                start: Position(game.start),
                moves: moves.iter().map(|&one| Move(one)).collect(),
                continuation: game.continuation,
            }
        }
    }

    /// Returns the value of the first tag with a name.
    pub fn tag(&self, name: &str) -> Option<Cow<'_, str>> {
        let found = self.tags.iter().find(|(tag, _)| tag == name.as_bytes());
        found.map(|(_, value)| String::from_utf8_lossy(value))
    }

    /// Returns the moves in short algebraic notation.
    pub fn san(&self) -> Vec<String> {
        self.played(|position, one| position.san(one))
    }

    /// Returns the moves in UCI notation.
    pub fn uci(&self) -> Vec<String> {
        self.played(|position, one| position.uci(one))
    }

    fn played<T>(&self, mut each: impl FnMut(&Position, Move) -> T) -> Vec<T> {
        let mut position = self.start;
        let step = |&one: &Move| {
            let value = each(&position, one);
            position.make(one);
            value
        };
        self.moves.iter().map(step).collect()
    }
}

/// Returns the value of a tag without escapes.
///
/// # Safety
/// The text must be valid.
unsafe fn unescaped(value: sys::stamma_text) -> Vec<u8> {
    let mut plain = vec![0; value.size];
    // SAFETY: the function stores at most `value.size` bytes.
    let size = unsafe { sys::stamma_pgn_unescape(value, plain.as_mut_ptr().cast()) };
    plain.truncate(size);
    plain
}
