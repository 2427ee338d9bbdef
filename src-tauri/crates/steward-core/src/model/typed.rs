//! Texts that a user types or pastes into a field of one line.
//!
//! A copied text can have invisible characters: around it, [`trimmed`] removes them; inside, [`check`] rejects them,
//! because only the user knows whether they are a part of it. Names of a site that a user gives lose them
//! ([`steward_client::visible`]), and secrets keep all of their characters.

use steward_client::{has_hidden, is_invisible};

use super::export_outcome::is_url;
use super::problem::{FieldError, Problem};

/// Returns a text without blanks, line breaks, and invisible characters around it.
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(is_around)
}

/// Whether a character at either end of a text does not belong to it: Windows dialogs, for example, put a direction
/// mark before a path.
fn is_around(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control() || is_invisible(letter)
}

/// Checks that no field has a line break or an invisible character inside.
///
/// # Errors
/// [`Problem::Form`] with [`FieldError::NotOneLine`] for the first one that has.
pub fn check<'t>(fields: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<(), Problem> {
    match fields.into_iter().find(|(_, text)| has_hidden(trimmed(text))) {
        Some((field, _)) => Err(Problem::form(field, FieldError::NotOneLine)),
        None => Ok(()),
    }
}

/// Checks paths as [`check`] does, and that the history can name their files later: it masks what looks like a secret.
/// Only that of a URL can be one.
///
/// # Errors
/// Those of [`check`], or [`Problem::Form`] with [`FieldError::SecretInPath`] for the first path with such a part.
pub fn check_paths<'t>(paths: impl IntoIterator<Item = (&'t str, &'t str)> + Clone) -> Result<(), Problem> {
    check(paths.clone())?;
    match paths.into_iter().find(|(_, path)| is_masked(path) && !is_url(path)) {
        Some((field, _)) => Err(Problem::form(field, FieldError::SecretInPath)),
        None => Ok(()),
    }
}

/// Why a path that was chosen in a dialog is rejected.
pub(crate) const SECRET_IN_PATH: &str = "a part of this path looks like a password or token, which the history masks; choose a folder and a file with other names";

/// Returns whether the history would mask a part of a path.
pub(crate) fn is_masked(path: &str) -> bool {
    steward_redact::text(path) != path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invisible_character_is_removed_around_a_text_and_rejected_inside() {
        assert_eq!(trimmed(" \u{202a}\\\\nas\\gis backup\u{200b}\n"), "\\\\nas\\gis backup");
        for text in ["/srv/gis", " CORP\\gisadmin\n", "\u{202a}C:\\gis", "Straße (Nord)", ""] {
            assert_eq!(check([("a", "x"), ("b", text)]), Ok(()), "{text:?}");
        }
        for text in ["/srv/\u{200b}gis", "C:\\\u{202a}gis", "gis\nadmin", "a\tb", "a\u{2028}b"] {
            let rejected = Err(Problem::form("b", FieldError::NotOneLine));
            assert_eq!(check([("a", "x"), ("b", text)]), rejected, "{text:?}");
        }
    }

    #[test]
    fn a_path_that_the_history_would_mask_is_rejected_and_a_url_or_a_plain_folder_is_not() {
        for path in ["/b/Portal token: old", "/b/pwd=x", "D:\\apikey=1\\a", "/b/Bearer abc/a.portalsite"] {
            let rejected = Err(Problem::form("location", FieldError::SecretInPath));
            assert_eq!(check_paths([("location", path)]), rejected, "{path}");
        }
        for path in ["/b/key=prod", "/b/Passwords", "C:\\secret\\a", "https://b.example/a?sig=abc", ""] {
            assert_eq!(check_paths([("location", path)]), Ok(()), "{path}");
        }
    }
}
