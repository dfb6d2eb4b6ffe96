// SPDX-License-Identifier: MIT
//! Compares the answers of the crate with those of the command. Environment: STAMMA is the command, and STAMMA_GAMES are
//! files of PGN, separated like the folders of PATH; tests/nightly/rust.sh sets both. Without STAMMA, only the crate is
//! tested, with data/games.pgn.
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use stamma::{Archive, Error, PackOptions, Position, pack};

const QUERIES: [&str; 5] = [
    "{}",
    r#"{"mate": true}"#,
    r#"{"result": "1-0", "each-rating": [1500, 3500]}"#,
    r#"{"fen": "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"}"#,
    r#"{"sequence": [{"captured": "Q"}, {"mate": true}], "gap": 8}"#,
];

fn games() -> Vec<PathBuf> {
    match std::env::var_os("STAMMA_GAMES") {
        Some(list) => std::env::split_paths(&list).collect(),
        None => vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../data/games.pgn")],
    }
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("stamma-rust-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the command and returns its lines. None: there is no command.
fn command(arguments: &[&str]) -> Option<Vec<String>> {
    let program = std::env::var_os("STAMMA")?;
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.code() != Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn packed(text: &[u8], level: i32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let counts = pack(text, &mut bytes, &PackOptions { level, ..Default::default() }).unwrap();
    assert_eq!((counts.text_size, counts.archive_size), (text.len() as u64, bytes.len() as u64));
    bytes
}

fn uci_line(game: &stamma::Game) -> String {
    if game.start == Position::start() {
        return game.uci().join(" ");
    }
    let (mut position, mut line) = (game.start, format!("fen {} moves", game.start.fen()));
    for &one in &game.moves {
        let chess960 = game.tag("Variant").is_some();
        line = line + " " + &if chess960 { position.uci_chess960(one) } else { position.uci(one) };
        position.play(one).unwrap();
    }
    line
}

fn assert_lines(actual: &[String], expected: &[String], what: &str) {
    for (n, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        assert_eq!(actual, expected, "{what}, line {}", n + 1);
    }
    assert_eq!(actual.len(), expected.len(), "{what}");
}

#[test]
fn archives_are_equal_and_unpack() {
    for file in games() {
        let (text, folder) = (std::fs::read(&file).unwrap(), Folder::new());
        for level in 1..=3 {
            let size = if level == 3 { text.len().min(200_000) } else { text.len() };
            let (text, bytes) = (&text[..size], packed(&text[..size], level));
            let mut again = Vec::new();
            Archive::from_bytes(&bytes).unwrap().unpack(&mut again).unwrap();
            assert!(again == text, "{}, level {level}: other bytes", file.display());
            let [pgn, archive] = ["part.pgn", "part.stamma"].map(|name| folder.0.join(name).display().to_string());
            std::fs::write(&pgn, text).unwrap();
            if command(&["pack", "-q", "-f", &format!("-{level}"), "-o", &archive, &pgn]).is_some() {
                // The command also records the name of the file, after the blocks.
                let theirs = std::fs::read(&archive).unwrap();
                let blocks = bytes.len() * 9 / 10;
                assert!(theirs[..blocks] == bytes[..blocks], "{}, level {level}: another archive", file.display());
            }
        }
    }
}

#[test]
fn games_are_those_of_the_command() {
    for file in games() {
        let folder = Folder::new();
        let path = folder.0.join("games.stamma");
        let name = path.display().to_string();
        std::fs::write(&path, packed(&std::fs::read(&file).unwrap(), 1)).unwrap();
        let archive = Archive::open(&path).unwrap();
        let games: Vec<_> = archive.games().unwrap().map(Result::unwrap).filter(|game| !game.continuation).collect();
        assert_eq!(games.len() as u64, archive.len().unwrap());
        assert_eq!(games[games.len() - 1].text, archive.game(games.len() as u64).unwrap().unwrap().text);
        assert!(archive.game(games.len() as u64 + 1).unwrap().is_none());
        let Some(expected) = command(&["cat", "--format", "uci", &name]) else { continue };
        assert_lines(&games.iter().map(uci_line).collect::<Vec<_>>(), &expected, "moves");
        let columns = command(&["cat", "--format", "tsv", "--columns", "white,black,result,san", &name]).unwrap();
        let row = |game: &stamma::Game| {
            let tag = |name| game.tag(name).unwrap_or_default().replace(['\t', '\n'], " ");
            let result = if game.tag("Result").is_some() { tag("Result") } else { game.result.clone() };
            [tag("White"), tag("Black"), result, game.san().join(" ")].join("\t")
        };
        assert_lines(&games.iter().map(row).collect::<Vec<_>>(), &columns[1..], "tags and moves");
    }
}

#[test]
fn questions_have_the_answers_of_the_command() {
    for file in games() {
        let folder = Folder::new();
        let path = folder.0.join("games.stamma");
        let name = path.display().to_string();
        std::fs::write(&path, packed(&std::fs::read(&file).unwrap(), 1)).unwrap();
        for index in [false, true] {
            if index && command(&["index", "-q", &name]).is_none() {
                return;
            }
            let archive = Archive::open(&path).unwrap();
            assert_eq!(archive.has_index(), index);
            for query in QUERIES {
                questions(&archive, &name, query);
            }
        }
    }
}

fn questions(archive: &Archive, name: &str, query: &str) {
    let line = |found: stamma::Match| {
        let plies = found.plies.iter().map(|ply| format!(" {ply}")).collect::<String>();
        format!("{}{plies}", found.game)
    };
    let matches: Vec<_> = archive.find(query).unwrap().map(|found| line(found.unwrap())).collect();
    let tree = archive.tree(&Position::start(), Some(query)).unwrap();
    assert!(!matches.is_empty() || tree.moves.is_empty());
    let Some(expected) = command(&["find", name, "--query", query, "--matches"]) else { return };
    assert_lines(&matches, &expected, query);
    let rows = command(&["tree", name, "--query", query, "--format", "tsv"]).unwrap();
    let rows: Vec<_> = rows.iter().skip(1).map(|row| row.split('\t').take(7).collect::<Vec<_>>().join("\t")).collect();
    let row = |one: &stamma::TreeMove| {
        let (uci, results) = (Position::start().uci(one.played), one.results);
        let rating = if results.rating == 0 { String::new() } else { results.rating.to_string() };
        format!(
            "{uci}\t{}\t{}\t{}\t{}\t{}\t{rating}",
            one.san, results.games, results.white, results.draws, results.black
        )
    };
    assert_lines(&tree.moves.iter().map(row).collect::<Vec<_>>(), &rows, query);
}

#[test]
fn errors_have_reasons() {
    assert!(matches!(Archive::from_bytes(&b"no archive"[..]), Err(Error::NoArchive)));
    assert!(matches!(Archive::from_bytes(Vec::new()), Err(Error::NoArchive)));
    assert!(matches!(Archive::open("/does/not/exist"), Err(Error::Io(error)) if error.raw_os_error() == Some(2)));
    let mut bytes = packed(b"[White \"NN\"]\n\n1. e4 e5 *\n\n", 1);
    let archive = Archive::from_bytes(&bytes).unwrap();
    match archive.find(r#"{"materal": "KRPKR"}"#).err() {
        Some(Error::Query { offset: 1, message }) => assert!(message.contains("material"), "{message}"),
        other => panic!("{other:?}"),
    }
    drop(archive);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = Archive::from_bytes(&bytes).and_then(|archive| archive.unpack(std::io::sink()));
    assert!(matches!(damaged, Err(Error::Corrupt(_))), "{damaged:?}");
}

struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

struct Panics;

impl std::io::Write for Panics {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        panic!("the disk is on fire")
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn errors_and_panics_of_outputs_are_returned() {
    let full = pack(&b"1. e4 *\n"[..], Full, &PackOptions::default());
    assert!(matches!(full, Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::StorageFull));
    let panic = std::panic::catch_unwind(|| pack(&b"1. e4 *\n"[..], Panics, &PackOptions::default()));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"the disk is on fire"));
}

#[test]
fn threads_share_an_archive() {
    let text = std::fs::read(&games()[0]).unwrap();
    let archive = Archive::from_bytes(packed(&text, 2)).unwrap();
    let count = || archive.find(r#"{"mate": true}"#).unwrap().map(Result::unwrap).count();
    let expected = count();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(count)).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), expected);
        }
    });
}
