// SPDX-License-Identifier: MIT
use std::fmt;

use crate::error::{Result, check};
use crate::{sys, text_of};

/// A move in 16 bits: target square in bits 0-5, origin in bits 6-11, flags in bits 12-15. 0 is the null move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Move(pub u16);

impl Move {
    /// Returns the origin square: a1 is 0, b1 is 1, h8 is 63.
    pub fn from(self) -> u8 {
        (self.0 >> 6 & 63) as u8
    }

    /// Returns the target square.
    pub fn to(self) -> u8 {
        (self.0 & 63) as u8
    }
}

/// A position: board, side to move, castling rights, en passant square and clocks.
///
/// ```
/// let mut position = stamma::Position::start();
/// assert_eq!(position.legal_moves().len(), 20);
/// let knight = position.read_san("Nf3")?;
/// assert_eq!((position.san(knight), position.uci(knight)), ("Nf3".into(), "g1f3".into()));
/// position.play(knight)?;
/// assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
/// assert!(position.read_san("e4").is_err());
/// # Ok::<(), stamma::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Position(pub(crate) sys::stamma_position);

impl Position {
    /// Returns the initial position.
    pub fn start() -> Position {
        // SAFETY: the function has no conditions.
        Position(unsafe { sys::stamma_position_start() })
    }

    /// Reads a FEN leniently: the last fields may be missing, and castling rights may be those of Chess960.
    pub fn from_fen(fen: &str) -> Result<Position> {
        let mut position = Position::start();
        let text = text_of(fen.as_bytes());
        // SAFETY: the text and the position are valid during the call; the other pointers may be null.
        let code = unsafe { sys::stamma_fen_read(text, &mut position.0, std::ptr::null_mut(), std::ptr::null_mut()) };
        check(code).map(|()| position)
    }

    /// Returns the FEN.
    pub fn fen(&self) -> String {
        let style = sys::STAMMA_FEN_STANDARD;
        // SAFETY: the writer stores at most `size` bytes.
        written(|out, size| unsafe { sys::stamma_fen_write(&self.0, style, out, size) })
    }

    /// Returns all legal moves.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = [0; sys::STAMMA_MOVES_MAX as usize];
        // SAFETY: the array has the size that the function requires.
        let count = unsafe { sys::stamma_legal_moves(&self.0, moves.as_mut_ptr()) };
        moves[..count].iter().map(|&one| Move(one)).collect()
    }

    /// Returns whether a move is legal. The null move is not legal.
    pub fn is_legal(&self, one: Move) -> bool {
        // SAFETY: the function accepts any 16 bits.
        unsafe { sys::stamma_move_is_legal(&self.0, one.0) }
    }

    /// Makes a legal move, or the null move, which only passes the turn. Returns `Illegal` for other moves.
    pub fn play(&mut self, one: Move) -> Result<()> {
        if one != Move(0) && !self.is_legal(one) {
            return Err(crate::Error::Illegal);
        }
        self.make(one);
        Ok(())
    }

    /// Makes a move of the library, which is legal.
    pub(crate) fn make(&mut self, one: Move) {
        let before = self.0;
        // SAFETY: the function has no undefined behaviour for any move.
        unsafe { sys::stamma_position_make(&before, one.0, &mut self.0) }
    }

    /// Returns a legal move in short algebraic notation, such as "Nbd7".
    pub fn san(&self, one: Move) -> String {
        // SAFETY: the writer stores at most `size` bytes.
        written(|out, size| unsafe { sys::stamma_san_write(&self.0, one.0, out, size) })
    }

    /// Returns a move in UCI notation, such as "e7e8q". Castling is the king's two squares.
    pub fn uci(&self, one: Move) -> String {
        // SAFETY: the writer stores at most `size` bytes.
        written(|out, size| unsafe { sys::stamma_uci_write(&self.0, one.0, false, out, size) })
    }

    /// Returns a move in UCI notation. Castling is king takes rook, as for Chess960.
    pub fn uci_chess960(&self, one: Move) -> String {
        // SAFETY: the writer stores at most `size` bytes.
        written(|out, size| unsafe { sys::stamma_uci_write(&self.0, one.0, true, out, size) })
    }

    /// Reads a move in short algebraic notation, and in notations that people use.
    pub fn read_san(&self, san: &str) -> Result<Move> {
        let mut one = 0;
        // SAFETY: the text and the move are valid during the call.
        check(unsafe { sys::stamma_san_read(&self.0, text_of(san.as_bytes()), &mut one) }).map(|()| Move(one))
    }

    /// Reads a move in UCI notation.
    pub fn read_uci(&self, uci: &str) -> Result<Move> {
        let mut one = 0;
        // SAFETY: the text and the move are valid during the call.
        check(unsafe { sys::stamma_uci_read(&self.0, text_of(uci.as_bytes()), &mut one) }).map(|()| Move(one))
    }

    /// Returns a 64-bit key, which is the same in every version of the library.
    pub fn key(&self) -> u64 {
        // SAFETY: the position is valid.
        unsafe { sys::stamma_position_key(&self.0) }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}

impl PartialEq for Position {
    /// Compares board, side to move, castling rights and possible en passant captures, as for repetitions.
    fn eq(&self, other: &Position) -> bool {
        // SAFETY: both positions are valid.
        unsafe { sys::stamma_position_equal(&self.0, &other.0) }
    }
}

/// Calls a text writer of the library with enough memory for a FEN, the longest text.
fn written(write: impl FnOnce(*mut std::ffi::c_char, usize) -> usize) -> String {
    let mut out = [0u8; sys::STAMMA_FEN_SIZE as usize];
    let size = write(out.as_mut_ptr().cast(), out.len()).min(out.len());
    String::from_utf8_lossy(&out[..size]).into_owned()
}
