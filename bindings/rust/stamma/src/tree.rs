// SPDX-License-Identifier: MIT
use std::ptr::{self, NonNull};

use crate::archive::Archive;
use crate::error::{Error, Result, check, check_at};
use crate::find::Query;
use crate::position::{Move, Position};
use crate::{sys, text_of};

/// Numbers of games by result. The other games are unfinished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Results {
    /// All games.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Mean of all ratings in games with both ratings; 0: none.
    pub rating: u32,
}

impl Results {
    fn of(counts: &sys::stamma_tree_counts) -> Results {
        let (white, draws, black) = (counts.white_wins, counts.draws, counts.black_wins);
        // SAFETY: the counts are valid.
        let rating = unsafe { sys::stamma_tree_rating(counts) };
        Results { games: counts.games, white, draws, black, rating }
    }
}

/// A move that was played in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeMove {
    /// The move.
    pub played: Move,
    /// The move in short algebraic notation.
    pub san: String,
    /// The games with this move.
    pub results: Results,
    /// Number of the game with the highest mean rating.
    pub top_game: u64,
}

/// The moves that were played in a position, the most frequent first.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All games that reach the position.
    pub total: Results,
    /// The moves.
    pub moves: Vec<TreeMove>,
}

struct Handle(NonNull<sys::stamma_tree>);

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the tree is open.
        unsafe { sys::stamma_tree_close(self.0.as_ptr()) }
    }
}

impl Archive<'_> {
    /// Returns the moves that were played in a position, in all games or in those that match a query in JSON.
    ///
    /// ```no_run
    /// let archive = stamma::Archive::open("games.stamma")?;
    /// for one in archive.tree(&stamma::Position::start(), None)?.moves {
    ///     println!("{}: {} games", one.san, one.results.games);
    /// }
    /// # Ok::<(), stamma::Error>(())
    /// ```
    pub fn tree(&self, position: &Position, query: Option<&str>) -> Result<Tree> {
        let query = query.map(Query::parse).transpose()?;
        let mut tree = ptr::null_mut();
        // SAFETY: the position is valid; the allocator may be null.
        check(unsafe { sys::stamma_tree_open(&position.0, ptr::null(), &mut tree) })?;
        let tree = Handle(NonNull::new(tree).ok_or(Error::NoMemory)?);
        let asked = query.as_ref().map_or(ptr::null(), Query::pointer);
        // SAFETY: zero bytes are a valid place; all pointers are valid during the call.
        unsafe {
            let mut place: sys::stamma_place = std::mem::zeroed();
            let name = text_of(b"");
            let code =
                sys::stamma_tree_add_archive(tree.0.as_ptr(), name, self.handle(), asked, ptr::null(), &mut place);
            check_at(code, || place.offset)?;
        }
        Ok(Tree::read(&tree, position))
    }
}

impl Tree {
    fn read(tree: &Handle, position: &Position) -> Tree {
        let pointer = tree.0.as_ptr();
        // SAFETY: the tree is open, and its moves are valid until it changes.
        unsafe {
            let total = Results::of(&sys::stamma_tree_total(pointer));
            let count = sys::stamma_tree_move_count(pointer);
            let moves = (0..count).filter_map(|n| sys::stamma_tree_move_at(pointer, n).as_ref());
            let moves = moves.map(|one| TreeMove {
                played: Move(one.r#move),
                san: position.san(Move(one.r#move)),
                results: Results::of(&one.counts),
                top_game: one.top.game,
            });
            Tree { total, moves: moves.collect() }
        }
    }
}
