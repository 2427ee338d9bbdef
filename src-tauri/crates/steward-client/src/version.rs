//! Versions of portals and servers.

/// Version, for example 11.1 or 10.9.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Major version; a year for organizations hosted by the vendor.
    pub major: u16,
    /// Minor version.
    pub minor: u16,
    /// Patch version; 0 if not given.
    pub patch: u16,
}

impl Version {
    /// Creates a version with patch 0.
    #[must_use]
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor, patch: 0 }
    }

    /// Reads a version as sites and people write it. `None` if the text does not start with a number, or with words
    /// before one.
    ///
    /// Accepts `11.1.0`, `11,1`, `v11.1`, `Enterprise 11.1`, the numeric spelling `10.91` for 10.9.1, and `2024.2` of
    /// organizations hosted by the vendor. A build number or text after the version is ignored.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = &text[text.find(|c: char| c.is_ascii_digit()).filter(|start| {
            let before = text[..*start].to_lowercase();
            // Text such as `build 4711` has the number of a build, which is not a version.
            before.chars().all(|c| c.is_alphabetic() || c.is_whitespace() || c == '.')
                && !before.contains("build")
        })?..];
        let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).unwrap_or(text.len());
        let mut numbers = text[..end].trim_end_matches(['.', ',']).split(['.', ',']).map(str::parse::<u16>);
        let major = numbers.next()?.ok()?;
        let minor = numbers.next().unwrap_or(Ok(0)).ok()?;
        let patch = numbers.next().unwrap_or(Ok(0)).unwrap_or(0);
        // A JSON number cannot contain two dots, so 10.8.1 is written 10.81. Minor versions of release 10 never reached
        // 10.
        if major == 10 && minor >= 10 && patch == 0 {
            return Some(Self { major, minor: minor / 10, patch: minor % 10 });
        }
        Some(Self { major, minor, patch })
    }

    /// Returns the first text that is an Enterprise release. `None` if there is none.
    ///
    /// Skips yearly versions: a portal's `currentVersion` can be yearly although its release is 11.3.
    #[must_use]
    pub fn release<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        texts.into_iter().filter_map(Self::parse).find(|version| !version.is_yearly())
    }

    /// Returns whether this is a yearly version, as used by organizations hosted by the vendor. These are always up to
    /// date.
    #[must_use]
    pub const fn is_yearly(self) -> bool {
        self.major >= 2000
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)?;
        if self.patch != 0 {
            write!(f, ".{}", self.patch)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_versions_are_parsed() {
        let read = |text| Version::parse(text).map(|version| version.to_string());
        assert_eq!(read("11.1"), Some("11.1".to_owned()));
        assert_eq!(read("11.3.0"), Some("11.3".to_owned()));
        assert_eq!(read("10.81"), Some("10.8.1".to_owned()));
        assert_eq!(read("10.91"), Some("10.9.1".to_owned()));
        assert_eq!(read("10.9.1"), Some("10.9.1".to_owned()));
        assert_eq!(read("10.9.1.28388"), Some("10.9.1".to_owned()));
        assert_eq!(read("11.2.0 (Build 49119)"), Some("11.2".to_owned()));
        assert_eq!(read("2024.2"), Some("2024.2".to_owned()));
        assert_eq!(read("11"), Some("11.0".to_owned()));
        for written in
            ["11,3", "v11.3", "V 11.3", "Enterprise 11.3", "ArcGIS Enterprise 11.3.0, Build 52126", " 11.3. "]
        {
            assert_eq!(read(written), Some("11.3".to_owned()), "{written}");
        }
        assert_eq!(read("Version 10.9.1"), Some("10.9.1".to_owned()));
        assert_eq!(read("Build 52126"), None);
        assert_eq!(read("-11"), None);
        assert_eq!(read("new"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn release_10_9_is_lower_than_11() {
        assert!(Version::parse("10.91") < Version::parse("11.0"));
        assert!(Version::parse("10.9") < Version::parse("10.91"));
    }

    #[test]
    fn yearly_versions_are_not_releases() {
        assert_eq!(Version::release(["2024.1", "11.3.0"]), Some(Version::new(11, 3)));
        assert_eq!(Version::release(["", "2024.1"]), None);
        assert!(Version::new(2024, 1).is_yearly());
    }
}
