//! Source of updates, and the public key that verifies them. Both are set at build time and never committed
//! (`docs/releasing.md`).

use url::Url;

/// Source of updates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateSource {
    /// Public key, as printed by Tauri's packager.
    pub key: String,
    /// URL of the release description.
    pub address: Url,
}

impl UpdateSource {
    /// Returns the source of this build; `None` if it has none.
    #[must_use]
    pub fn of_this_build() -> Option<Self> {
        // The end-to-end tests sign their updates with their own key.
        #[cfg(feature = "journeys")]
        if let (Ok(key), Ok(address)) =
            (std::env::var("STEWARD_UPDATE_KEY"), std::env::var("STEWARD_UPDATE_ADDRESS"))
        {
            return Self::read(Some(&key), Some(&address));
        }
        Self::read(option_env!("SITE_STEWARD_UPDATE_KEY"), option_env!("SITE_STEWARD_UPDATE_ADDRESS"))
    }

    /// Parses a source. An empty variable counts as missing; `build.rs` rejects an incomplete source.
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
        assert!(UpdateSource::read(Some("key"), address).is_some());
        assert_eq!(UpdateSource::read(None, address), None);
        assert_eq!(UpdateSource::read(Some(""), address), None);
        assert_eq!(UpdateSource::read(Some("key"), None), None);
        assert_eq!(UpdateSource::read(Some("key"), Some("")), None);
    }
}
