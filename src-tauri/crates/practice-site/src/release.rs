//! Release that a site is of, which decides which parameters it has.

use std::fmt;
use std::str::FromStr;

/// Release of portal and servers, for example 11.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release {
    major: u16,
    minor: u16,
}

impl Release {
    /// Creates a release.
    #[must_use]
    pub const fn new(major: u16, minor: u16) -> Release {
        Release { major, minor }
    }

    /// Returns the next release.
    pub(crate) const fn next(self) -> Release {
        Release { minor: self.minor + 1, ..self }
    }

    /// Returns the release as a number, as `currentVersion` of a server.
    pub(crate) fn number(self) -> f64 {
        // Two digits after the point at most, so this is the number that the text has.
        self.to_string().parse().unwrap_or_default()
    }

    /// Returns the release as `fullVersion`.
    pub(crate) fn full(self) -> String {
        format!("{self}.0")
    }
}

impl Default for Release {
    /// Returns the release that has all of the specification.
    fn default() -> Release {
        Release::new(11, 1)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Release {
    type Err = String;

    fn from_str(text: &str) -> Result<Release, String> {
        let parts =
            text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        let (major, minor) = parts.ok_or_else(|| format!("{text} is not a release such as 11.1"))?;
        Ok(Release { major, minor })
    }
}
