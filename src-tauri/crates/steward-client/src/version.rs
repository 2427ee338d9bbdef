//! Versions of the service.

/// A version, as in 11.1 or 10.9.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// First number.
    pub major: u16,
    /// Second number.
    pub minor: u16,
    /// Third number.
    pub patch: u16,
}

impl Version {
    /// Reads `11.1.0`, `11.1`, and the numeric spelling `10.91`, which means 10.9.1.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.trim().split('.').map(str::parse::<u16>);
        let major = numbers.next()?.ok()?;
        let minor = numbers.next().unwrap_or(Ok(0)).ok()?;
        let patch = numbers.next().unwrap_or(Ok(0)).unwrap_or(0);
        // A number cannot hold two dots, so 10.8.1 is written 10.81. No minor version ever reached ten.
        if major == 10 && minor >= 10 && patch == 0 {
            return Some(Self { major, minor: minor / 10, patch: minor % 10 });
        }
        Some(Self { major, minor, patch })
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
    fn versions_are_read_in_every_spelling() {
        let read = |text| Version::parse(text).map(|version| version.to_string());
        assert_eq!(read("11.1"), Some("11.1".to_owned()));
        assert_eq!(read("11.3.0"), Some("11.3".to_owned()));
        assert_eq!(read("10.81"), Some("10.8.1".to_owned()));
        assert_eq!(read("10.9.1"), Some("10.9.1".to_owned()));
        assert_eq!(read("11"), Some("11.0".to_owned()));
        assert_eq!(read("new"), None);
    }

    #[test]
    fn ten_point_nine_comes_before_eleven() {
        assert!(Version::parse("10.91") < Version::parse("11.0"));
        assert!(Version::parse("10.9") < Version::parse("10.91"));
    }
}
