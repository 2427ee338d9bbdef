//! Names of files, as a server gives them and as this computer can bear them.

use crate::views::numbers::Millis;

/// A file name that can be suggested anywhere: nothing but a name, no device of Windows, no hidden file, and no
/// lie about its type.
pub fn safe_name(name: &str, extension: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last
        .chars()
        .map(|letter| if letter.is_control() || "<>:\"|?*".contains(letter) { '-' } else { letter })
        .filter(|letter| !is_invisible(*letter))
        .take(120)
        .collect();
    let stem = kept.strip_suffix(&format!(".{extension}")).unwrap_or(&kept);
    let stem = stem.trim_matches(['.', ' ']);
    match stem {
        "" => format!("file.{extension}"),
        _ if is_device(stem) => format!("file-{stem}.{extension}"),
        _ => format!("{stem}.{extension}"),
    }
}

/// Whether Windows takes this name for one of its devices, which it does whatever follows the first dot.
fn is_device(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    ["con", "prn", "aux", "nul"].contains(&first.as_str())
        || (first.len() == 4
            && ["com", "lpt"].iter().any(|port| first.starts_with(port))
            && first.ends_with(|digit: char| digit.is_ascii_digit()))
}

/// A safe name with the moment that its content is of, so that two of them lie side by side and sort.
pub(crate) fn dated_name(what: &str, at: Millis, extension: &str) -> String {
    let at = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
    let at = at.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H-%M-%S");
    // A name of sixty letters leaves room for the moment; a longer one must not push it out.
    let what: String = what.replace(['/', '\\'], "-").chars().take(100).collect();
    safe_name(&format!("{what} {at}"), extension)
}

/// The same name with a number, for where it is taken.
pub(super) fn numbered(name: &str, number: u32) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem} ({number}).{extension}"),
        None => format!("{name} ({number})"),
    }
}

/// Marks that turn the direction of writing can make `exe.invite` look like `etivni.exe`.
const fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// A name in one line, with every letter in sight.
pub(crate) fn visible(name: &str) -> String {
    let seen: String = name.chars().filter(|letter| !letter.is_control() && !is_invisible(*letter)).collect();
    seen.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_moment_whatever_the_site_is_called() {
        let moment = |name: &str| name.ends_with(".zip") && name.contains(" 2025-11-2");
        for site in ["City GIS", "Roads/Parks", "../..", &"x".repeat(1000)] {
            let name = dated_name(&format!("{site} evidence"), Millis(1_763_812_800_000), "zip");
            assert!(moment(&name) && !name.contains('/'), "{name}");
        }
    }

    #[test]
    fn a_name_from_a_server_cannot_leave_the_folder_nor_lie_about_what_it_is() {
        for (sent, safe) in [
            ("collaboration-guest.example.net.invite", "collaboration-guest.example.net.invite"),
            ("../../etc/passwd", "passwd.invite"),
            ("C:\\Windows\\a.invite", "a.invite"),
            ("..", "file.invite"),
            ("", "file.invite"),
            (".bashrc", "bashrc.invite"),
            ("NUL.invite", "file-NUL.invite"),
            ("com1", "file-com1.invite"),
            ("nul .x.invite", "file-nul .x.invite"),
            ("nullarbor.invite", "nullarbor.invite"),
            ("a\u{202e}exe.invite", "aexe.invite"),
            ("run.exe", "run.exe.invite"),
            ("a\nb:c.invite", "a-b-c.invite"),
        ] {
            assert_eq!(safe_name(sent, "invite"), safe, "{sent:?}");
        }
        assert!(safe_name(&"x".repeat(1000), "invite").len() < 140);
    }
}
