//! Where newer versions are asked for, and the key that they must be signed with: given when the program is built, never
//! committed. `docs/releasing.md` says by whom.

use url::Url;

/// Where newer versions come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The public key, as Tauri's packager prints it.
    pub key: String,
    /// Address of the text that says which version is the newest.
    pub address: Url,
}

impl Source {
    /// Of this build; `None` where it was given none.
    #[must_use]
    pub fn of_this_build() -> Option<Self> {
        // The journeys sign what they offer with a key of their own.
        #[cfg(feature = "journeys")]
        if let (Ok(key), Ok(address)) =
            (std::env::var("STEWARD_UPDATE_KEY"), std::env::var("STEWARD_UPDATE_ADDRESS"))
        {
            return Self::read(Some(&key), Some(&address));
        }
        Self::read(option_env!("SITE_STEWARD_UPDATE_KEY"), option_env!("SITE_STEWARD_UPDATE_ADDRESS"))
    }

    /// A variable that is there and empty is one that was not given; `build.rs` refuses half a source.
    fn read(key: Option<&str>, address: Option<&str>) -> Option<Self> {
        let key = key.filter(|key| !key.is_empty())?.to_owned();
        Some(Self { key, address: Url::parse(address?).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_source_is_none() {
        let address = Some("https://example.org/latest.json");
        assert!(Source::read(Some("key"), address).is_some());
        assert_eq!(Source::read(None, address), None);
        assert_eq!(Source::read(Some(""), address), None);
        assert_eq!(Source::read(Some("key"), None), None);
        assert_eq!(Source::read(Some("key"), Some("")), None);
    }
}
