//! Separator of the cells in a CSV file, by which the spreadsheets of this computer split it.

use steward_journal::tables::Separator;

/// Regions whose numbers have a decimal comma, so that their lists have semicolons.
const SEMICOLON_REGIONS: [&str; 64] = [
    "AD", "AL", "AM", "AR", "AT", "AZ", "BA", "BE", "BG", "BO", "BR", "BY", "CH", "CL", "CO", "CR", "CY",
    "CZ", "DE", "DK", "DZ", "EC", "EE", "ES", "FI", "FO", "FR", "GE", "GL", "GR", "HR", "HU", "ID", "IS",
    "IT", "KG", "KZ", "LI", "LT", "LU", "LV", "MA", "MC", "MD", "ME", "MK", "NL", "NO", "PL", "PT", "PY",
    "RO", "RS", "RU", "SE", "SI", "SK", "SM", "TN", "TR", "UA", "UY", "VE", "VN",
];

/// Languages that are spoken in such regions, for a name without a region.
const SEMICOLON_LANGUAGES: [&str; 31] = [
    "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fr", "gl", "hr", "hu",
    "is", "it", "lt", "lv", "nb", "nl", "no", "pl", "pt", "ro", "ru", "sv", "tr", "uk",
];

/// Returns the separator of the region of the system. Spreadsheets on Windows split by a setting of the region, and
/// others by its decimal mark.
pub(crate) fn list_separator() -> Separator {
    #[cfg(windows)]
    {
        windows_registry::CURRENT_USER
            .open(r"Control Panel\International")
            .and_then(|region| region.get_string("sList"))
            .map_or(Separator::Comma, |setting| of_setting(&setting))
    }
    #[cfg(target_os = "macos")]
    {
        sys_locale::get_locale().map_or(Separator::Comma, |name| of_region(&name))
    }
    #[cfg(not(any(windows, target_os = "macos")))]
    {
        of_variables(|name| std::env::var(name).ok())
    }
}

/// Returns the separator for the setting of Windows.
#[cfg(any(windows, test))]
fn of_setting(setting: &str) -> Separator {
    if setting.trim() == ";" { Separator::Semicolon } else { Separator::Comma }
}

/// Returns the separator for the variables of Linux; the first that is set decides how numbers are written.
#[cfg(any(not(any(windows, target_os = "macos")), test))]
fn of_variables(variable: impl Fn(&str) -> Option<String>) -> Separator {
    let mut set = ["LC_ALL", "LC_NUMERIC", "LANG"].into_iter().filter_map(variable);
    set.find(|name| !name.is_empty()).map_or(Separator::Comma, |name| of_region(&name))
}

/// Returns the separator for the name of a region, for example `de_AT.UTF-8@euro`, `es-MX`, or `en-Latn-DE`.
#[cfg(any(not(windows), test))]
fn of_region(name: &str) -> Separator {
    let name = name.split(['.', '@']).next().unwrap_or_default();
    let mut parts = name.split(['_', '-']);
    let language = parts.next().unwrap_or_default().to_lowercase();
    let is_region = |part: &&str| part.len() == 2 || part.bytes().all(|byte| byte.is_ascii_digit());
    let has_semicolon = match parts.find(is_region).map(str::to_uppercase).as_deref() {
        // In Canada, the language decides.
        Some("CA") => language == "fr",
        Some(region) => SEMICOLON_REGIONS.contains(&region),
        None => SEMICOLON_LANGUAGES.contains(&language.as_str()),
    };
    if has_semicolon { Separator::Semicolon } else { Separator::Comma }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_has_the_separator_of_its_spreadsheets() {
        use Separator::{Comma, Semicolon};
        for (region, separator) in [
            ("de_DE.UTF-8", Semicolon),
            ("de-AT", Semicolon),
            ("de_CH.utf8@euro", Semicolon),
            ("es-ES", Semicolon),
            ("es_AR", Semicolon),
            ("es-CO", Semicolon),
            ("fr-FR", Semicolon),
            ("fr_CA", Semicolon),
            ("pt_BR", Semicolon),
            ("it", Semicolon),
            ("de", Semicolon),
            // The region decides, not the language of the system.
            ("en-DE", Semicolon),
            ("en_DK.UTF-8", Semicolon),
            ("sr-Latn-RS", Semicolon),
            ("de_US", Comma),
            ("en-US", Comma),
            ("en_GB.UTF-8", Comma),
            ("en-CA", Comma),
            ("es-MX", Comma),
            ("es_PE.UTF-8", Comma),
            ("es-419", Comma),
            ("es-US", Comma),
            ("ja_JP", Comma),
            ("zh-Hans-CN", Comma),
            ("en", Comma),
            ("C.UTF-8", Comma),
            ("POSIX", Comma),
            ("", Comma),
        ] {
            assert_eq!(of_region(region), separator, "{region}");
        }
    }

    #[test]
    fn how_numbers_are_written_decides_on_linux_before_the_language_does() {
        let of = |set: &[(&str, &str)]| {
            of_variables(|name| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(of(&[("LANG", "en_US.UTF-8"), ("LC_NUMERIC", "de_DE.UTF-8")]), Separator::Semicolon);
        assert_eq!(of(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "C.UTF-8")]), Separator::Comma);
        assert_eq!(of(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "")]), Separator::Semicolon);
        assert_eq!(of(&[]), Separator::Comma);
    }

    #[test]
    fn the_setting_of_windows_is_taken_as_far_as_a_table_can_be_read_again() {
        assert_eq!(of_setting(";"), Separator::Semicolon);
        assert_eq!(of_setting("; "), Separator::Semicolon);
        for other in [",", "", "|", "::"] {
            assert_eq!(of_setting(other), Separator::Comma, "{other}");
        }
    }
}
