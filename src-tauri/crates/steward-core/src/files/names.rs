//! File names that are valid on all systems.
//!
//! [`safe_name`] converts a name from a server; [`dated_name`] adds a time.

use std::path::{Path, PathBuf};

use steward_client::is_invisible;

use crate::model::numbers::Millis;

/// Limit of a name before its extension, in bytes. File systems allow 255, including a number and an extension.
const LONGEST: usize = 200;

/// Limit of a name before its time, in bytes.
const LONGEST_BEFORE_A_MOMENT: usize = 170;

/// Returns a file name that is valid on all systems, with the given extension.
///
/// The result has no folder, is no device name of Windows and no hidden file, contains no invisible characters that
/// disguise its type, and is at most 200 bytes long before its extension.
pub fn safe_name(name: &str, extension: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last
        .chars()
        .map(|letter| if letter.is_control() || "<>:\"|?*".contains(letter) { '-' } else { letter })
        .filter(|letter| !is_invisible(*letter))
        .take(120)
        .collect();
    let stem = kept.strip_suffix(&format!(".{extension}")).unwrap_or(&kept);
    let stem = beginning(stem, LONGEST).trim_matches(['.', ' ']);
    match stem {
        "" => format!("file.{extension}"),
        _ if is_device(stem) => format!("file-{stem}.{extension}"),
        _ => format!("{stem}.{extension}"),
    }
}

/// Returns the longest prefix of a text that fits into `bytes`.
fn beginning(text: &str, bytes: usize) -> &str {
    text.split_at(text.floor_char_boundary(bytes)).0
}

/// Returns whether Windows treats a name as a device, which it does whatever follows the first dot. Superscript digits
/// number a port like other digits.
fn is_device(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let port = first.strip_prefix("com").or_else(|| first.strip_prefix("lpt"));
    let is_number = |text: &str| {
        let mut letters = text.chars();
        matches!((letters.next(), letters.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    };
    ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&first.as_str()) || port.is_some_and(is_number)
}

/// Returns a safe name that ends with a time in the time zone of the system, so that file names sort by time.
pub fn dated_name(what: &str, at: Millis, extension: &str) -> String {
    let at = time_in_name(at);
    // A site name of 60 characters leaves room for the time; a longer name must not displace it.
    let what: String = what.replace(['/', '\\'], "-").chars().take(100).collect();
    safe_name(&format!("{} {at}", beginning(&what, LONGEST_BEFORE_A_MOMENT)), extension)
}

/// Returns a time in the time zone of the system, so that names sort by time.
pub fn time_in_name(at: Millis) -> String {
    let at = at.timestamp().to_zoned(jiff::tz::TimeZone::system());
    at.strftime("%Y-%m-%d %H-%M-%S").to_string()
}

/// Returns the place of a new file in a folder: under its name, with a number if there is a file of that name.
pub fn free_place(folder: &Path, name: &str) -> PathBuf {
    let names = (2..1000).map(|number| numbered(name, number));
    let mut places = [name.to_owned()].into_iter().chain(names).map(|name| folder.join(name));
    places.find(|place| !place.exists()).unwrap_or_else(|| folder.join(name))
}

/// Returns a name with a number before its extension.
pub(super) fn numbered(name: &str, number: u32) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem} ({number}).{extension}"),
        None => format!("{name} ({number})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_moment_whatever_the_site_is_called() {
        let moment = |name: &str| name.ends_with(".zip") && name.contains(" 2025-11-2");
        for site in ["City GIS", "Roads/Parks", "../..", &"x".repeat(1000), &"\u{1f5fa}".repeat(60)] {
            let name = dated_name(&format!("{site} audit package"), Millis(1_763_812_800_000), "zip");
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
            ("COM\u{b9}.invite", "file-COM\u{b9}.invite"),
            ("com\u{b2}.log.invite", "file-com\u{b2}.log.invite"),
            ("lpt\u{b3}", "file-lpt\u{b3}.invite"),
            ("CONIN$", "file-CONIN$.invite"),
            ("conout$.invite", "file-conout$.invite"),
            ("com12.invite", "com12.invite"),
            ("nullarbor.invite", "nullarbor.invite"),
            ("a\u{202e}exe.invite", "aexe.invite"),
            ("run.exe", "run.exe.invite"),
            ("a\nb:c.invite", "a-b-c.invite"),
        ] {
            assert_eq!(safe_name(sent, "invite"), safe, "{sent:?}");
        }
        assert!(safe_name(&"x".repeat(1000), "invite").len() < 140);
    }

    #[test]
    fn a_name_and_its_number_fit_into_what_a_file_system_takes_in_any_script() {
        for letter in ["x", "\u{e9}", "\u{5730}", "\u{1f5fa}"] {
            let name = safe_name(&format!("con.{}", letter.repeat(1000)), "invite");
            assert!(numbered(&name, u32::MAX).len() <= 255, "{letter}: {}", name.len());
            assert!(name.starts_with("file-con.") && name.ends_with(".invite"), "{name}");
        }
    }
}
