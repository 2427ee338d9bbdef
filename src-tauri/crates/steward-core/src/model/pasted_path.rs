//! Reads a path as it was pasted: systems, terminals and text editors put quotation marks around a copied path.

use super::typed::trimmed;

/// Opening and closing quotation marks of keyboards and of text editors in the three languages.
const QUOTES: [(char, char); 9] = [
    ('"', '"'),
    ('\'', '\''),
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('‘', '’'),
    ('‚', '‘'),
    ('«', '»'),
    ('»', '«'),
];

/// Characters that a terminal on macOS or Linux escapes with a backslash in a pasted path.
const ESCAPED: &str = " \t\\'\"`$&|;<>()[]{}*?!#~=^,:@%+";

/// Returns the path that a pasted text means: without spaces and direction marks around it, and without what Explorer,
/// a terminal, or a text editor added to it. A text that is no such spelling is returned as it is.
pub(crate) fn pasted_path(text: &str) -> String {
    let text = trimmed(text);
    // PowerShell puts its call operator in front of a quoted path.
    let text = text.strip_prefix("& ").map(str::trim_start).filter(|rest| is_quoted(rest)).unwrap_or(text);
    let starts_at = text.trim_start_matches(['"', '\'']);
    if is_of_windows(starts_at) {
        return of_windows(text);
    }
    if starts_at.starts_with('/')
        && (is_quoted(text) || text.contains('\\'))
        && let Some(word) = shell_word(text)
    {
        return word;
    }
    trimmed(unquoted(text).unwrap_or(text)).to_owned()
}

fn is_quoted(text: &str) -> bool {
    text.starts_with(['"', '\''])
}

/// Whether a path is on a drive or a share.
fn is_of_windows(path: &str) -> bool {
    let mut letters = path.chars();
    match (letters.next(), letters.next()) {
        (Some('\\'), Some('\\')) => true,
        (Some(drive), Some(':')) => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Returns a Windows path without quotation marks. No name on Windows contains `"`, and its command line quotes single
/// folders: `C:\"Program Files"\gis`. If a space outside of quotation marks separates several paths, the text is
/// returned unchanged.
fn of_windows(text: &str) -> String {
    if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        // PowerShell writes an apostrophe twice in single quotation marks.
        return trimmed(&inner.replace("''", "'")).to_owned();
    }
    let parts = text.split('"');
    let is_one = parts.clone().count() % 2 == 1
        && parts.clone().step_by(2).all(|outside| !outside.contains(char::is_whitespace));
    if is_one { trimmed(&parts.collect::<String>()).to_owned() } else { text.to_owned() }
}

/// Returns the text between a pair of quotation marks, if the marks do not occur inside it.
fn unquoted(text: &str) -> Option<&str> {
    let between = |(open, close): (char, char)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains([open, close])).then_some(inner)
    };
    QUOTES.into_iter().find_map(between)
}

/// Returns the path that a shell on macOS or Linux reads, if the text is a single word; `None` otherwise. A backslash
/// before a letter belongs to a path that is not escaped: a terminal would have escaped the backslash.
fn shell_word(text: &str) -> Option<String> {
    let mut word = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => loop {
                match letters.next()? {
                    '\'' => break,
                    inner => word.push(inner),
                }
            },
            '"' => loop {
                match letters.next()? {
                    '"' => break,
                    '\\' => match letters.next()? {
                        escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                        other => word.extend(['\\', other]),
                    },
                    inner => word.push(inner),
                }
            },
            '\\' => word.push(letters.next().filter(|next| ESCAPED.contains(*next) || !next.is_ascii())?),
            outside if outside.is_whitespace() => return None,
            outside => word.push(outside),
        }
    }
    Some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_in_the_spelling_in_which_it_was_pasted() {
        for (pasted, path) in [
            // As typed.
            (r"\\nas\gis", r"\\nas\gis"),
            ("  /srv/gis backup \n", "/srv/gis backup"),
            (r"D:\gis backup\", r"D:\gis backup\"),
            ("i3f2a-77", "i3f2a-77"),
            ("/", "/"),
            ("", ""),
            ("\"\"", ""),
            ("\"", "\""),
            // Explorer and the command line of Windows.
            (r#""\\nas\gis backup""#, r"\\nas\gis backup"),
            (r#" "C:\gis backup\" "#, r"C:\gis backup\"),
            (r#""C:\gis\new file.agssite""#, r"C:\gis\new file.agssite"),
            (r#""\\?\UNC\nas\gis""#, r"\\?\UNC\nas\gis"),
            ("\u{202a}C:\\gis\\backup", r"C:\gis\backup"),
            ("\"\u{202a}C:\\gis backup\"", r"C:\gis backup"),
            (r#"C:\"Program Files"\gis"#, r"C:\Program Files\gis"),
            (r#""C:\Program Files"\gis"#, r"C:\Program Files\gis"),
            (r#"\\nas\"gis backup""#, r"\\nas\gis backup"),
            (r#""//nas/gis backup""#, "//nas/gis backup"),
            // Several paths are not joined.
            (r#""C:\a" "C:\b""#, r#""C:\a" "C:\b""#),
            // PowerShell.
            (r"'C:\gis backup'", r"C:\gis backup"),
            (r"& 'C:\gis backup'", r"C:\gis backup"),
            (r"'\\nas\ana''s backup'", r"\\nas\ana's backup"),
            (r"\\nas\ana's backup", r"\\nas\ana's backup"),
            // Terminals of macOS and Linux.
            ("'/srv/gis backup'", "/srv/gis backup"),
            ("\"/srv/gis backup\"", "/srv/gis backup"),
            (r"/Volumes/gis\ backup\ \(1\)", "/Volumes/gis backup (1)"),
            (r"'/srv/ana'\''s backup'", "/srv/ana's backup"),
            (r#"'/srv/ana'"'"'s backup'"#, "/srv/ana's backup"),
            (r#""/srv/ana's \"old\" \$backup""#, "/srv/ana's \"old\" $backup"),
            (r"/srv/ana\'s\ backup", "/srv/ana's backup"),
            (r"/srv/a\\b", r"/srv/a\b"),
            // Names that only look quoted or escaped.
            ("/enterpriseDatabases/Straßen (Nord)", "/enterpriseDatabases/Straßen (Nord)"),
            ("/srv/ana's backup", "/srv/ana's backup"),
            ("/srv/\"old\"/gis", "/srv/\"old\"/gis"),
            (r"/srv/a\b c", r"/srv/a\b c"),
            ("'/srv/a' '/srv/b'", "'/srv/a' '/srv/b'"),
            // Messages and documents.
            ("“\\\\nas\\gis backup”", r"\\nas\gis backup"),
            ("„/srv/gis backup“", "/srv/gis backup"),
            ("«/srv/gis backup»", "/srv/gis backup"),
            ("»D:\\gis«", r"D:\gis"),
            // One pair, not more.
            ("'\"relative\"'", "\"relative\""),
            ("\"/fileShares/GIS Data\"", "/fileShares/GIS Data"),
        ] {
            assert_eq!(pasted_path(pasted), path, "{pasted:?}");
        }
    }
}
