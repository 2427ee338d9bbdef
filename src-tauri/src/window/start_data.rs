//! Data that the page is given before its scripts run, so that its first screen needs no answer.

use serde::Serialize;
use steward_app::steward::Steward;
use steward_core::actions::preferences::{self, PreferencesView};
use steward_core::actions::sites::{self, SiteView};
use steward_core::model::numbers::Millis;

/// Preferences and sites at the start. They contain no secret. `ui/src/bridge/given.ts` reads them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StartData {
    preferences: PreferencesView,
    sites: Vec<SiteView>,
    /// Time at which they were read. A page that is loaded later does not use them.
    at: Millis,
}

/// Returns the script that gives the preferences and sites to the page; `None` if they cannot be read. The page then
/// requests them.
pub(super) fn script(steward: &Steward) -> Option<String> {
    let preferences = preferences::preferences(&steward.preferences, steward.set_aside_at_start());
    let at = Millis::now();
    let sites = sites::views(&steward.context);
    let data = serde_json::to_string(&StartData { preferences, sites, at });
    let data = data.inspect_err(|error| tracing::warn!(%error, "the page is given nothing")).ok()?;
    Some(giving(&data))
}

/// Returns the script. The data is a string in it, and not a part of it: no name of a site is ever run, or sets a
/// prototype.
fn giving(data: &str) -> String {
    let text = serde_json::Value::from(data).to_string().replace('<', "\\u003c");
    format!("window.siteStewardStart = JSON.parse({text});")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_quotes_and_tags_stays_a_text_of_the_script() {
        let data = serde_json::json!({ "name": "\"); alert(1); </script>\u{2028}\\" }).to_string();

        let script = giving(&data);

        let text = script.strip_prefix("window.siteStewardStart = JSON.parse(").unwrap();
        let text = text.strip_suffix(");").unwrap();
        assert!(!text.contains('<'));
        assert_eq!(serde_json::from_str::<String>(text).unwrap(), data);
    }
}
