//! Reads the paths, such as `std::fs::read`, out of Rust source: enough of the language for the rules, so
//! that a word in a comment or a text never breaks one, and a grouped import never hides one.

/// A path that the source names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) line: usize,
    pub(super) path: Vec<String>,
    pub(super) imported: bool,
}

impl Mention {
    /// Whether the path is this one, or one below it.
    pub(super) fn is_below(&self, path: &[&str]) -> bool {
        self.path.len() >= path.len() && self.path.iter().zip(path).all(|(found, wanted)| found == wanted)
    }
}

/// Every path of at least two names, and every imported one.
pub(super) fn mentions(source: &str) -> Vec<Mention> {
    let mut reader = Reader { tokens: tokens(source), next: 0, found: Vec::new() };
    while let Some((line, token)) = reader.take() {
        match token {
            Token::Name(name) if name == "use" => reader.imports(&[]),
            Token::Name(name) => {
                let path = reader.path(name);
                if path.len() > 1 {
                    reader.found.push(Mention { line, path, imported: false });
                }
            }
            _ => {}
        }
    }
    reader.found
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Name(String),
    /// `::`
    Below,
    Other(char),
}

struct Reader {
    tokens: Vec<(usize, Token)>,
    next: usize,
    found: Vec<Mention>,
}

impl Reader {
    fn take(&mut self) -> Option<(usize, Token)> {
        let token = self.tokens.get(self.next).cloned();
        self.next += 1;
        token
    }

    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.next + ahead).map(|(_, token)| token)
    }

    /// The rest of a path whose first name has been taken.
    fn path(&mut self, first: String) -> Vec<String> {
        let mut path = vec![first];
        while let (Some(Token::Below), Some(Token::Name(name))) = (self.peek(0), self.peek(1)) {
            path.push(name.clone());
            self.next += 2;
        }
        path
    }

    /// One tree of imports below a prefix, up to the `,`, `}` or `;` that ends it, which stays.
    fn imports(&mut self, prefix: &[String]) {
        while let Some((line, token)) = self.tokens.get(self.next).cloned() {
            match token {
                Token::Other(',' | '}' | ';') => return,
                Token::Other('{') => {
                    self.next += 1;
                    self.group(prefix);
                }
                Token::Name(name) if name == "as" => self.next += 2,
                Token::Name(name) => {
                    self.next += 1;
                    let mut path = prefix.to_vec();
                    path.extend(
                        self.path(name).into_iter().filter(|name| name != "self" || prefix.is_empty()),
                    );
                    if self.peek(0) == Some(&Token::Below) {
                        self.next += 1;
                        self.imports(&path);
                    } else {
                        self.found.push(Mention { line, path, imported: true });
                    }
                }
                Token::Other('*') => {
                    self.next += 1;
                    self.found.push(Mention { line, path: prefix.to_vec(), imported: true });
                }
                _ => self.next += 1,
            }
        }
    }

    fn group(&mut self, prefix: &[String]) {
        while let Some(token) = self.peek(0).cloned() {
            match token {
                Token::Other('}') => {
                    self.next += 1;
                    return;
                }
                // Source that is being written; the compiler will say more.
                Token::Other(';') => return,
                Token::Other(',') => self.next += 1,
                _ => self.imports(prefix),
            }
        }
    }
}

fn tokens(source: &str) -> Vec<(usize, Token)> {
    let mut tokens = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = text(rest) {
            length
        } else if rest.starts_with("::") {
            tokens.push((line, Token::Below));
            2
        } else if first.is_alphabetic() || first == '_' {
            let plain = rest.strip_prefix("r#").unwrap_or(rest);
            let end = plain.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(plain.len());
            tokens.push((line, Token::Name(plain[..end].to_owned())));
            rest.len() - plain.len() + end
        } else {
            if !first.is_whitespace() {
                tokens.push((line, Token::Other(first)));
            }
            first.len_utf8()
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

fn block_comment(source: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < source.len() {
        let rest = &source[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    source.len()
}

/// The length of a string, raw string or character that the source begins with. A lifetime is none of them.
fn text(source: &str) -> Option<usize> {
    let after_prefix = source.strip_prefix(['b', 'c']).unwrap_or(source);
    if let Some(raw) = after_prefix.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = source.len() - raw.len() + hashes + 1;
            return Some(source[start..].find(&end).map_or(source.len(), |found| start + found + end.len()));
        }
    }
    let start = source.len() - after_prefix.len();
    let quote = after_prefix.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    if quote == '\'' {
        let mut inside = after_prefix[1..].chars();
        let (first, second) = (inside.next()?, inside.next());
        if first != '\\' && second != Some('\'') {
            return None;
        }
    }
    let mut escaped = false;
    for (at, c) in after_prefix.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(start + at + 1),
            _ => {}
        }
    }
    Some(source.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        mentions(source)
            .iter()
            .map(|mention| format!("{} {}", mention.line, mention.path.join("::")))
            .collect()
    }

    #[test]
    fn a_grouped_import_is_taken_apart() {
        let source = "use std::{\n    fs::{self, File},\n    io as input,\n};\nuse tauri::*;";
        assert_eq!(found(source), ["2 std::fs", "2 std::fs::File", "3 std::io", "5 tauri"]);
    }

    #[test]
    fn a_path_in_the_middle_of_an_expression_is_found() {
        assert_eq!(
            found("fn f() {\n let x = ::std::fs::read(&y)?.g::<a::B>();\n}"),
            ["2 std::fs::read", "2 a::B"]
        );
    }

    #[test]
    fn an_attribute_names_a_path() {
        assert_eq!(found("#[tauri::command]\nfn f() {}"), ["1 tauri::command"]);
    }

    #[test]
    fn comments_and_texts_name_nothing() {
        let source = "// std::fs\n/* std::fs /* std::fs */ std::fs */\nlet a = \"std::fs \\\" std::fs\";\n\
                      let b = r#\"std::fs \" std::fs\"#;\nlet c = '\"'; d::e()";
        assert_eq!(found(source), ["5 d::e"]);
    }

    #[test]
    fn a_lifetime_does_not_begin_a_text() {
        assert_eq!(found("fn f<'a>(x: &'a str) -> b::C<'a> {}"), ["1 b::C"]);
    }
}
