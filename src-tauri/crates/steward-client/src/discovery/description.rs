//! Description of a portal or server, as it is returned without a token.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::limits::USED;
use crate::version::Version;
use crate::wire::Raw;

/// Fields of a description. A text is empty if it is missing, or too long to be used.
#[derive(Debug, Default)]
pub(super) struct Description {
    pub(super) id: String,
    /// Name of the organization, as it is shown.
    pub(super) name: String,
    pub(super) portal_hostname: String,
    pub(super) owning_system_url: String,
    pub(super) enterprise_version: String,
    full_version: String,
    current_version: String,
    other_version: String,
    pub(super) is_portal: Option<bool>,
    pub(super) supports_oauth: Option<bool>,
    is_of_a_site: bool,
    /// Server types that the name of a field contains, in lower case.
    kinds: Vec<&'static str>,
}

/// Server types that have fields of their own.
const KINDS: [&str; 3] = ["notebook", "mission", "video"];

impl Description {
    /// Returns whether there is a field that descriptions of portals and servers contain.
    pub(super) const fn is_of_a_site(&self) -> bool {
        self.is_of_a_site
    }

    /// Returns whether the name of a field contains this server type.
    pub(super) fn has_field_of(&self, kind: &str) -> bool {
        self.kinds.contains(&kind)
    }

    /// Returns the release, or else the yearly version.
    pub(super) fn version(&self) -> Option<Version> {
        let versions =
            [&self.enterprise_version, &self.full_version, &self.current_version, &self.other_version];
        let versions = versions.map(String::as_str);
        Version::release(versions).or_else(|| versions.into_iter().find_map(Version::parse))
    }

    fn take(&mut self, name: &str, value: Raw<'_>) {
        // The first text of a list counts.
        let first = || {
            let mut first = None;
            value.each(&mut |text| {
                first.get_or_insert(text);
            });
            first.and_then(|text| text.whole(USED)).unwrap_or_default()
        };
        match name {
            "id" => self.id = first(),
            "name" => self.name = value.shown(),
            "portalHostname" => self.portal_hostname = first(),
            "owningSystemUrl" => self.owning_system_url = first(),
            "enterpriseVersion" => self.enterprise_version = first(),
            "fullVersion" => self.full_version = first(),
            "currentVersion" => self.current_version = first(),
            "version" => self.other_version = first(),
            "isPortal" => self.is_portal = value.yes_or_no(),
            "supportsOAuth" => self.supports_oauth = value.yes_or_no(),
            _ => {}
        }
    }
}

impl<'de> Deserialize<'de> for Description {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Description;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a description")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Description, A::Error> {
        let mut description = Description::default();
        while let Some(name) = map.next_key::<String>()? {
            let lower = name.to_ascii_lowercase();
            description.kinds.extend(KINDS.into_iter().filter(|kind| lower.contains(kind)));
            description.is_of_a_site |= matches!(
                &*name,
                "currentVersion"
                    | "fullVersion"
                    | "enterpriseVersion"
                    | "authInfo"
                    | "isPortal"
                    | "resources"
                    | "version"
            );
            description.take(&name, Raw(map.next_value::<&RawValue>()?.get()));
        }
        Ok(description)
    }
}
