//! Secrets in command lines without a name in front of them: `net use \\nas\gis x`, `sqlplus gis/x@db`, `-ugis:x`.
//!
//! [`masked`] is the entry point.

use std::borrow::Cow;
use std::ops::Range;

use regex::Regex;

use super::mask::MASK;
use super::values::{Pattern, is_prose, pattern};

/// Returns a text with these secrets masked.
pub(super) fn masked(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    // Every command has white space, `=`, `-`, or `@`, or a character beyond ASCII, which might stand for one of them. Most texts of
    // a site are names, paths and URLs without any, and are not searched.
    let may_have = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'-' | b'@' | 0x80..);
    if !text.bytes().any(may_have) {
        return text;
    }
    for (pattern, find) in &COMMANDS {
        text = each(pattern, *find, text);
    }
    text
}

/// Finds the secret in the arguments of a command: the rest of its line.
type Find = fn(arguments: &str) -> Option<Range<usize>>;

static COMMANDS: [(Pattern, Find); 17] = [
    (Pattern::new(|| pattern(r#"(?i)\bnet1?(?:\.exe)?["']?\s+use\s"#)), of_net_use),
    (Pattern::new(|| pattern(r#"(?i)\bnet1?(?:\.exe)?["']?\s+user\s"#)), of_net_user),
    (Pattern::new(|| pattern(r#"(?i)\bsmbclient(?:\.exe)?["']?\s+"?(?://|\\\\)[^\s"]+"?\s"#)), first_word),
    (Pattern::new(|| pattern(r"(?i)\bisql(?:\.exe)?\s+(?:-[a-z]+\s+)*")), third),
    (Pattern::new(|| pattern(r"(?i)\bhtpasswd(?:\.exe)?\s+(?:-[a-z0-9]+\s+)+")), last),
    (Pattern::new(|| pattern(r"(?i)\bldap(?:search|modify|add|delete|passwd|whoami|compare)\b\S*")), of_w),
    (Pattern::new(|| pattern(r"(?i)\bredis-cli\b\S*")), of_a),
    (Pattern::new(|| pattern(r"(?i)\becho\s+(?:-n\s+)?")), of_echo),
    (Pattern::new(|| pattern(r"(?i)\s/rp\s+")), first),
    (Pattern::new(|| pattern(r"(?i)\buser(?:name)?=")), of_percent),
    (Pattern::new(|| pattern(r"(?i)\bIDENTIFIED\s+BY\s+(?:VALUES\s+)?")), first),
    (
        Pattern::new(|| pattern(r"(?i)\bConvertTo-SecureString\s+(?:-String\s+|-AsPlainText\s+|-Force\s+)*")),
        first_word,
    ),
    (
        Pattern::new(|| {
            pattern(
                r"(?i)\b(?:sqlplus|sqlcl|sqlldr|exp|imp|expdp|impdp|rman|tnsping|adrci)(?:\.exe)?\s+(?:-[a-z0-9_]+\s+|target\s+|catalog\s+)*",
            )
        }),
        of_oracle,
    ),
    (Pattern::new(|| pattern(r"(?i)\buserid\s*=\s*")), of_oracle),
    (Pattern::new(|| pattern(r"(?i)\bconn(?:ect)?\s+")), of_connect),
    (Pattern::new(|| pattern(r#"(?:^|[\s"'`(\[])(?:--(?:proxy-)?user(?:name)?=|-[uU]=?)"#)), of_user),
    (Pattern::new(|| pattern(r#"(?m)(?:^|[\s"'`(\[=:])"#)), of_host),
];

/// Number of bytes of the arguments that are looked at. Without a limit, a text that is full of commands would take
/// hours.
const LONGEST: usize = 4096;

/// Masks the secret behind each match.
fn each<'t>(pattern: &Regex, find: Find, text: Cow<'t, str>) -> Cow<'t, str> {
    let (mut kept, mut copied) = (String::new(), 0);
    for command in pattern.find_iter(&text) {
        let begin = command.end();
        let rest = &text[begin..text.floor_char_boundary(begin + LONGEST)];
        // A search for one character is far faster than for either of two.
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let line = line.trim_end_matches('\r');
        let Some(secret) = find(line).filter(|secret| !secret.is_empty() && begin + secret.start >= copied)
        else {
            continue;
        };
        let mut end = begin + secret.end;
        if secret.end == rest.len() {
            end += text[end..].find(char::is_whitespace).unwrap_or(text.len() - end);
        }
        kept.push_str(&text[copied..begin + secret.start]);
        kept.push_str(MASK);
        copied = end;
    }
    if copied == 0 {
        return text;
    }
    kept.push_str(&text[copied..]);
    Cow::Owned(kept)
}

/// Returns the arguments, without their quotes.
fn arguments(line: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += line[at..].find(|letter: char| !letter.is_whitespace())?;
        let (begin, inside) = match line[at..].chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let end = line[at + 1..].find(quote).map_or(line.len(), |end| at + 1 + end);
                (at, at + 1..end)
            }
            _ => {
                let end = line[at..].find(char::is_whitespace).map_or(line.len(), |end| at + end);
                // Without the closing quote of the whole command.
                let word = line[at..end].trim_end_matches(['"', '\'', '`', '”', '“', '»']);
                (at, at..at + word.len())
            }
        };
        at = line[begin..]
            .find(char::is_whitespace)
            .map_or(line.len(), |end| (begin + end).max(inside.end + usize::from(begin != inside.start)));
        at = at.min(line.len());
        Some(inside)
    })
}

/// Returns the password of `net use Z: \\nas\gis x /user:corp\gis`, which can also stand behind the user.
fn of_net_use(line: &str) -> Option<Range<usize>> {
    let mut has_share = false;
    for argument in arguments(line) {
        let word = &line[argument.clone()];
        match word {
            _ if word.starts_with("\\\\") || word.starts_with("//") => has_share = true,
            // Options such as `/user:`, and `*` or an empty text, with which the command prompts for the password.
            _ if word.starts_with('/') || word == "*" || word.is_empty() => {}
            _ if word.len() == 2 && word.ends_with(':') => {}
            "&&" | "|" | ">" | ";" | "&" => return None,
            _ if !has_share || is_prose(word) => return None,
            _ => return Some(argument),
        }
    }
    None
}

/// Returns the password of `net user gis x /add`.
fn of_net_user(line: &str) -> Option<Range<usize>> {
    let mut names = arguments(line).filter(|argument| !line[argument.clone()].starts_with('/'));
    let (name, password) = (names.next()?, names.next()?);
    let is_prose = is_prose(&line[name]) || is_prose(&line[password.clone()]);
    (!is_prose && &line[password.clone()] != "*").then_some(password)
}

fn first(line: &str) -> Option<Range<usize>> {
    let word = arguments(line).next()?;
    let end = line[word.clone()].trim_end_matches([';', ',', ')']).len();
    Some(word.start..word.start + end)
}

/// Returns the password of `ldapsearch -D cn=gis -w x`.
fn of_w(line: &str) -> Option<Range<usize>> {
    behind("-w", line)
}

/// Returns the password of `redis-cli -h gis -a x`.
fn of_a(line: &str) -> Option<Range<usize>> {
    behind("-a", line)
}

/// Returns the argument behind an option.
fn behind(option: &str, line: &str) -> Option<Range<usize>> {
    let is_alone = |at: usize| {
        line[..at].ends_with(char::is_whitespace)
            && line[at + option.len()..].starts_with(char::is_whitespace)
    };
    let (at, _) = line.match_indices(option).find(|(at, _)| is_alone(*at))?;
    let begin = at + option.len();
    first(&line[begin..]).map(|found| begin + found.start..begin + found.end)
}

/// Returns the password of `isql DSN gis x`.
fn third(line: &str) -> Option<Range<usize>> {
    let words: Vec<_> = arguments(line).take(3).collect();
    let is_prose = words.iter().any(|word| is_prose(&line[word.clone()]));
    words.get(2).filter(|word| !is_prose && !line[(*word).clone()].starts_with(['-', '<', '|'])).cloned()
}

/// Returns the last argument before another command.
fn last(line: &str) -> Option<Range<usize>> {
    let is_end = |word: &str| matches!(word, "&&" | "|" | ";" | "&" | ">");
    arguments(line).take_while(|word| !is_end(&line[word.clone()])).skip(1).last()
}

/// Returns what `echo x | sudo -S` passes on as a password.
fn of_echo(line: &str) -> Option<Range<usize>> {
    let (_, reader) = line.split_once('|')?;
    let reader = reader.trim_start();
    let readers = ["sudo -S", "passwd --stdin", "smbpasswd", "kinit", "cryptsetup", "docker login"];
    let reads = readers.iter().any(|one| reader.starts_with(one));
    arguments(line).next().filter(|word| reads && word.end <= line.len() - reader.len())
}

/// Returns the password of `user=gis%x`.
fn of_percent(line: &str) -> Option<Range<usize>> {
    let word = arguments(line).next()?;
    let text = &line[word.clone()];
    let text = &text[..text.find([',', ';', '&']).unwrap_or(text.len())];
    // An encoded character is no separator.
    let at =
        text.find('%').filter(|at| !text[at + 1..].starts_with(|next: char| next.is_ascii_hexdigit()))?;
    Some(word.start + at + 1..word.start + text.len())
}

/// Returns the first argument, unless it is an option.
fn first_word(line: &str) -> Option<Range<usize>> {
    first(line)
        .filter(|word| !line[word.clone()].starts_with(['-', '(', '$']) && !is_prose(&line[word.clone()]))
}

/// Returns the password of `gis/x@db` or `gis/x`.
fn of_oracle(line: &str) -> Option<Range<usize>> {
    let word = arguments(line).next()?;
    let text = &line[word.clone()];
    let (user, rest) = text.split_once('/')?;
    let is_user = |letter: char| letter.is_alphanumeric() || "_$#.-[]\\".contains(letter);
    if user.is_empty() || !user.chars().all(is_user) {
        return None;
    }
    // In quotes of its own, the password is an argument that begins within a word.
    let begin = word.start + user.len() + 1;
    if let Some(inside) = rest.strip_prefix('"') {
        let quoted = &line[begin + 1..];
        let end = quoted.find('"').unwrap_or(inside.len());
        return Some(begin + 1..begin + 1 + end);
    }
    // The password can contain an `@`, the address of the database cannot.
    let length = rest.find("@//").or_else(|| rest.rfind('@')).unwrap_or(rest.len());
    Some(begin..begin + length)
}

/// Returns the password of `connect gis/x`, unless a path is connected to.
fn of_connect(line: &str) -> Option<Range<usize>> {
    let secret = of_oracle(line)?;
    let rest = line[secret.end..].trim_start_matches(['"', '\'', '.', ';']).trim_start();
    let ends = rest.is_empty() || rest.starts_with('@') || rest.to_lowercase().starts_with("as ");
    ends.then_some(secret)
}

/// Returns the password of `-ugis:x` and `--user=gis:x`.
fn of_user(line: &str) -> Option<Range<usize>> {
    let word = arguments(line).next()?;
    let text = &line[word.clone()];
    let at = text.find([':', '%'])?;
    // Not a user: `-url:`, `-uid:`, and a path of Windows.
    let is_user = at > 0 && !matches!(&text[..at].to_lowercase()[..], "rl" | "ri" | "id" | "nit" | "tf8");
    let begin = word.start + at + 1;
    (is_user && !line[begin..].starts_with(['\\', '/'])).then_some(begin..word.end)
}

/// Returns the password of `gis:x@db1` and `corp\gis/x@db1`. An address of mail has no colon and no slash.
fn of_host(line: &str) -> Option<Range<usize>> {
    let line = &line[..line.floor_char_boundary(LONGEST_HOST)];
    let separator = line.find(|letter: char| !letter.is_alphanumeric() && !"_$#.-\\".contains(letter))?;
    let user = &line[..separator];
    let is_user = line[separator..].starts_with([':', '/']) && user.starts_with(char::is_alphabetic);
    if !is_user {
        return None;
    }
    let word = &line[..line.find(|c: char| c.is_whitespace() || "\"'`<>".contains(c)).unwrap_or(line.len())];
    let rest = word.get(separator + 1..)?;
    let at = rest.rfind('@')?;
    let host = &rest[at + 1..];
    let has_slash = word[separator..].starts_with('/');
    let is_host = host.starts_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '[' | '('))
        // The address of a database of Oracle.
        || host.starts_with("//") && has_slash;
    // Not a user with a password: `mailto:sam@example.org`, a URL, and a path.
    let is_label = LABELS.contains(&user.to_lowercase().as_str());
    let is_path = rest.starts_with(['/', '\\']) || (has_slash && rest[..at].contains('/'));
    (is_host && !is_label && !is_path).then_some(separator + 1..separator + 1 + at)
}

/// Number of bytes of a user with a password and a host.
const LONGEST_HOST: usize = 256;

/// Words in front of an email address.
const LABELS: [&str; 18] = [
    "mailto", "mail", "email", "e-mail", "from", "to", "cc", "bcc", "user", "username", "login", "account",
    "contact", "benutzer", "konto", "usuario", "correo", "cuenta",
];
