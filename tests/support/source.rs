//! Reads the workspace's own sources, for the checks of its layout.

use std::fs;
use std::path::{Path, PathBuf};

/// The workspace's folder.
#[must_use]
pub fn workspace() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("the tests' package is a folder of the workspace")
        .to_owned()
}

/// A file's text.
///
/// # Panics
/// Where it cannot be read.
#[must_use]
pub fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder of the workspace with this extension, sorted; neither what was built
/// nor hidden folders.
///
/// # Panics
/// Where there is none: a check that looks at nothing proves nothing.
#[must_use]
pub fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![workspace().join(folder)]);
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder);
        let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("a folder's entry").path()) {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty(), "no .{extension} file below {folder}");
    found.sort();
    found
}

/// A Rust file, taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The text without comments and without the insides of string literals; lines are kept.
    pub code: String,
    /// The inside of each string literal, as it is written, in order.
    pub strings: Vec<String>,
}

impl Source {
    /// Takes a Rust file apart.
    ///
    /// # Panics
    /// Where the file cannot be read.
    #[must_use]
    pub fn read(path: &Path) -> Self {
        Self::parse(&text(path))
    }

    /// Takes a Rust text apart. Knows nested comments, raw strings, and quotes in characters.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (mut source, mut rest) = (Self::default(), text);
        while let Some(first) = rest.chars().next() {
            let before = source.code.chars().next_back();
            let in_word = before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                block_comment(rest)
            } else if let Some((open, inside, close)) = string(rest, in_word) {
                let end = open + inside;
                source.code.push_str(&rest[..open]);
                source.strings.push(rest[open..end].to_owned());
                keep_lines(&mut source.code, &rest[open..end]);
                source.code.push_str(&rest[end..end + close]);
                rest = &rest[end + close..];
                continue;
            } else {
                let length = character(rest).unwrap_or(first.len_utf8());
                source.code.push_str(&rest[..length]);
                rest = &rest[length..];
                continue;
            };
            keep_lines(&mut source.code, &rest[..length]);
            rest = &rest[length..];
        }
        source
    }

    /// Whether the code has this identifier or path as a word of its own.
    #[must_use]
    pub fn names(&self, word: &str) -> bool {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        self.code.match_indices(word).any(|(at, _)| {
            !self.code[..at].ends_with(is_part)
                && !self.code[at + word.len()..].starts_with(is_part)
        })
    }
}

fn keep_lines(code: &mut String, hidden: &str) {
    code.extend(hidden.chars().filter(|letter| *letter == '\n'));
}

/// The length of a block comment; they nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let step = match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// A string literal at the start of the text: the lengths of its opening (without a prefix letter
/// other than `r`), of its inside, and of its closing.
fn string(text: &str, in_word: bool) -> Option<(usize, usize, usize)> {
    if let Some(inside) = text.strip_prefix('"') {
        let mut escaped = false;
        let end = inside.find(|letter| {
            let ends = letter == '"' && !escaped;
            escaped = letter == '\\' && !escaped;
            ends
        });
        return Some((1, end?, 1));
    }
    // `r` or `br` or `cr`, and not the end of a longer word.
    let raw = ["r", "br", "cr"]
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix))?;
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    let inside = raw[hashes..].strip_prefix('"').filter(|_| !in_word)?;
    let close = format!("\"{}", "#".repeat(hashes));
    Some((text.len() - inside.len(), inside.find(&close)?, close.len()))
}

/// The length of a character literal; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    let first = inside.chars().next()?;
    let skipped = if first == '\\' {
        1 + inside[1..].chars().next()?.len_utf8()
    } else {
        first.len_utf8()
    };
    let end = inside[skipped..].find('\'')?;
    (end == 0 || first == '\\').then_some(1 + skipped + end + 1)
}
