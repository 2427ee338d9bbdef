//! Reads the modules of a Rust file: what they import, and the paths that they write.
//!
//! What is compiled for tests alone is left out: a test may use what stands above the file that it tests.

/// A module of a file. The first one of a file is the file itself; the others stand in braces.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// Its own path below that of the file.
    pub(super) name: Vec<String>,
    /// What `use` names, with the name that it has here. An import of everything has the name `*`.
    pub(super) uses: Vec<(String, Path)>,
    /// Paths in the code.
    pub(super) paths: Vec<Path>,
}

/// A path as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
}

/// Returns the modules of a file.
pub(super) fn modules(source: &str) -> Vec<Module> {
    let mut reader = Reader { tokens: &tokens(source), at: 0, modules: Vec::new() };
    reader.module(Vec::new());
    reader.modules
}

/// A word, `::`, or a single sign, with its line.
type Token<'a> = (&'a str, usize);

struct Reader<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    modules: Vec<Module>,
}

impl<'a> Reader<'a> {
    fn peek(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.at + ahead).map_or("", |token| token.0)
    }

    fn next(&mut self) -> &'a str {
        let token = self.peek(0);
        self.at += 1;
        token
    }

    /// Reads up to the brace that ends the module.
    fn module(&mut self, name: Vec<String>) {
        let own = self.modules.len();
        self.modules.push(Module { name: name.clone(), ..Module::default() });
        let mut depth = 0_usize;
        while self.at < self.tokens.len() {
            match (self.peek(0), self.peek(1), self.peek(2)) {
                ("}", ..) if depth == 0 => break,
                ("#", "[", "cfg") if self.is_for_tests() => self.skip_item(),
                ("mod", child, "{") => {
                    self.at += 3;
                    self.module([&name[..], &[child.to_owned()]].concat());
                    self.at += 1;
                }
                ("use", ..) => {
                    self.at += 1;
                    let mut uses = Vec::new();
                    self.tree(&[], &mut uses);
                    self.modules[own].uses.extend(uses);
                }
                (first, "::", _) if is_word(first) => {
                    let path = self.path();
                    self.modules[own].paths.push(path);
                }
                (sign, ..) => {
                    match sign {
                        "{" => depth += 1,
                        "}" => depth -= 1,
                        _ => {}
                    }
                    self.at += 1;
                }
            }
        }
    }

    fn is_for_tests(&self) -> bool {
        self.peek(4) == "test" || (self.peek(4), self.peek(6)) == ("all", "test")
    }

    /// Passes an item with its attributes: up to its semicolon, or over its braces.
    fn skip_item(&mut self) {
        let mut depth = 0_usize;
        while self.at < self.tokens.len() {
            match self.next() {
                "{" | "(" | "[" => depth += 1,
                "}" if depth == 1 => return,
                "}" | ")" | "]" => depth -= 1,
                ";" | "," if depth == 0 => return,
                _ => {}
            }
        }
    }

    /// Reads what follows `use` or stands in its groups.
    fn tree(&mut self, before: &[String], uses: &mut Vec<(String, Path)>) {
        let mut segments = before.to_vec();
        let line = self.tokens.get(self.at).map_or(0, |token| token.1);
        loop {
            match self.next() {
                "{" => {
                    while !matches!(self.peek(0), "}" | "") {
                        self.tree(&segments, uses);
                        if self.peek(0) == "," {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    return;
                }
                "self" if !before.is_empty() => {}
                segment => segments.push(segment.to_owned()),
            }
            if self.peek(0) != "::" {
                break;
            }
            self.at += 1;
        }
        let mut name = segments.last().cloned().unwrap_or_default();
        if self.peek(0) == "as" {
            self.at += 1;
            name = self.next().to_owned();
        }
        uses.push((name, Path { segments, line }));
    }

    fn path(&mut self) -> Path {
        let line = self.tokens[self.at].1;
        let mut segments = vec![self.next().to_owned()];
        while self.peek(0) == "::" && is_word(self.peek(1)) {
            self.at += 1;
            segments.push(self.next().to_owned());
        }
        if self.peek(0) == "::" {
            self.at += 1;
        }
        Path { segments, line }
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(is_of_word)
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Splits code into words and signs, without comments, texts and characters.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while let Some(letter) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = if let Some(length) = ignored(rest) {
            length
        } else if is_of_word(letter) {
            rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            letter.len_utf8()
        };
        let text = &rest[..length];
        if ignored(rest).is_none() && !letter.is_whitespace() {
            tokens.push((text, line));
        }
        line += text.matches('\n').count();
        at += length;
    }
    tokens
}

/// The length of the comment, text, character or lifetime at the beginning of `rest`, if there is one.
fn ignored(rest: &str) -> Option<usize> {
    let up_to =
        |begin: usize, end: &str| rest[begin..].find(end).map_or(rest.len(), |at| begin + at + end.len());
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(up_to(2, "*/"));
    }
    let text = rest.trim_start_matches(['b', 'c']);
    if let Some(raw) = text.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let begin = rest.len() - raw.len() + hashes + 1;
            return Some(up_to(begin, &format!("\"{}", "#".repeat(hashes))));
        }
    }
    let begin = rest.len() - text.len();
    if text.starts_with('"') && begin < 2 {
        return Some(begin + quoted(text, '"'));
    }
    let character = rest.strip_prefix('\'')?;
    let mut letters = character.chars();
    let is_escape = letters.next() == Some('\\');
    Some(if is_escape || letters.next() == Some('\'') { quoted(rest, '\'') } else { 1 })
}

/// The length of a quoted text with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
