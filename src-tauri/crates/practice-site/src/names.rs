//! Validation of untrusted file names.

/// Reserved device names of Windows, without their numbers.
const DEVICES: [&str; 8] = ["con", "conin$", "conout$", "prn", "aux", "nul", "com", "lpt"];

/// Returns whether a path stays inside its folder and has no special meaning on any operating system. `/` separates
/// segments.
pub(crate) fn is_plain(name: &str) -> bool {
    let device = |segment: &str| {
        let stem = segment.split('.').next().unwrap_or_default().to_ascii_lowercase();
        // Windows treats superscript digits of Latin-1 as digits and ignores spaces.
        let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³');
        DEVICES.contains(&stem.trim_end_matches(' ').trim_end_matches(is_digit))
    };
    !name.contains(|c: char| matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|') || c.is_control())
        && name
            .split('/')
            .all(|segment| !segment.is_empty() && !segment.ends_with(['.', ' ']) && !device(segment))
}

/// Returns whether a name is plain and a single segment.
pub(crate) fn is_file_name(name: &str) -> bool {
    is_plain(name) && !name.contains('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_inside_the_folder_are_plain() {
        for good in ["a", "content/0a/data.json", "services/Buffer.GPServer.json", "content/a/contour.csv"] {
            assert!(is_plain(good), "{good}");
        }
        for bad in [
            "",
            "/a",
            "a/",
            "a//b",
            "../a",
            "a/..",
            "a/./b",
            "a\\b",
            "C:a",
            "a\nb",
            "content/a/con",
            "NUL.txt",
            "content/com1.json",
            "content/COM¹",
            "CONIN$",
            "nul .txt",
            "a.",
            "a ",
            "a?b",
        ] {
            assert!(!is_plain(bad), "{bad}");
        }
    }
}
