// SPDX-License-Identifier: MIT
use std::ffi::CStr;
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use crate::archive::Archive;
use crate::error::{Error, Result, check, check_at};
use crate::{sys, text_of};

/// A parsed query.
pub(crate) struct Query(NonNull<sys::stamma_query>);

impl Query {
    pub(crate) fn parse(json: &str) -> Result<Query> {
        let mut query = ptr::null_mut();
        // SAFETY: zero bytes are a valid problem; all pointers are valid during the call.
        let (code, problem) = unsafe {
            let mut problem: sys::stamma_query_problem = std::mem::zeroed();
            let text = text_of(json.as_bytes());
            (sys::stamma_query_parse(text, ptr::null(), &mut problem, &mut query), problem)
        };
        if code == sys::STAMMA_ERROR_SYNTAX {
            // SAFETY: the library stores a text that ends with a NUL.
            let message = unsafe { CStr::from_ptr(problem.message.as_ptr()) };
            let message = message.to_string_lossy().into_owned();
            return Err(Error::Query { offset: problem.offset, message });
        }
        check(code)?;
        NonNull::new(query).map(Query).ok_or(Error::NoMemory)
    }

    pub(crate) fn pointer(&self) -> *const sys::stamma_query {
        self.0.as_ptr()
    }
}

impl Drop for Query {
    fn drop(&mut self) {
        // SAFETY: searches that use the query own it, and close before it.
        unsafe { sys::stamma_query_close(self.0.as_ptr()) }
    }
}

/// A game that matches a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Number in the archive, from 1.
    pub game: u64,
    /// Plies at which the query holds; 0 is the start of the game.
    pub plies: Vec<u32>,
}

/// The games that match a query, in the order of the archive. The iterator ends after an error.
pub struct Matches<'a> {
    search: NonNull<sys::stamma_search>,
    _query: Query,
    ended: bool,
    _archive: PhantomData<&'a Archive<'a>>,
}

// SAFETY: one thread at a time uses a search, which is not Sync. A query is immutable.
unsafe impl Send for Matches<'_> {}

impl Archive<'_> {
    /// Finds the games that match a query in JSON (doc/reference/search.md), such as `{"player": "Tal", "result": "1-0"}`.
    pub fn find(&self, query: &str) -> Result<Matches<'_>> {
        let query = Query::parse(query)?;
        let mut search = ptr::null_mut();
        // SAFETY: the handle is open; the search borrows it, and owns the query.
        check(unsafe { sys::stamma_search_open(self.handle(), query.pointer(), ptr::null(), &mut search) })?;
        let search = NonNull::new(search).ok_or(Error::NoMemory)?;
        Ok(Matches { search, _query: query, ended: false, _archive: PhantomData })
    }
}

impl Iterator for Matches<'_> {
    type Item = Result<Match>;

    fn next(&mut self) -> Option<Result<Match>> {
        if self.ended {
            return None;
        }
        let mut found = ptr::null();
        // SAFETY: the search is open.
        let code = unsafe { sys::stamma_search_next(self.search.as_ptr(), &mut found) };
        self.ended = code != sys::STAMMA_OK || found.is_null();
        // SAFETY: the search is open.
        let offset = || unsafe { sys::stamma_search_place(self.search.as_ptr()).offset };
        if let Err(error) = check_at(code, offset) {
            return Some(Err(error));
        }
        // SAFETY: the match is valid until the next call. Its plies are NULL if there are none.
        unsafe {
            found.as_ref().map(|found| {
                let empty = found.plies.is_null() || found.ply_count == 0;
                let plies = if empty { &[] } else { std::slice::from_raw_parts(found.plies, found.ply_count) };
                Ok(Match { game: found.game, plies: plies.to_vec() })
            })
        }
    }
}

impl Drop for Matches<'_> {
    fn drop(&mut self) {
        // SAFETY: the search is open.
        unsafe { sys::stamma_search_close(self.search.as_ptr()) }
    }
}
