//! Allowed file extensions of uploads. As on real servers, `agssite` is not allowed until an administrator adds it.

use crate::app::App;
use crate::names::is_plain;
use crate::store::configuration;
use crate::wire::ApiError;

const PROPERTY: &str = "uploadFileExtensionAllowedList";
/// Maximum length of a file name, accepted by every file system.
const LONGEST_NAME: usize = 200;
/// Name of the property before 10.9.
const FORMER_PROPERTY: &str = "uploadFileExtensionWhitelist";

/// Returns the file name for an upload: the last segment of the given name.
pub(super) async fn acceptable(app: &App, given: &str) -> Result<String, ApiError> {
    let name = given.rsplit(['/', '\\']).next().unwrap_or_default().trim().to_owned();
    // The name is also used in a header.
    if !is_plain(&name) || !name.is_ascii() || name.contains(';') || name.len() > LONGEST_NAME {
        return Err(ApiError::bad_request(format!("{given:?} cannot be the name of an upload.")));
    }
    let properties =
        app.server.read(|server| configuration::setting(server, "properties")).await?.unwrap_or_default();
    let allowed = [PROPERTY, FORMER_PROPERTY]
        .into_iter()
        .find_map(|name| properties[name].as_str())
        .unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if !extension.is_empty() && allowed.split(',').any(|one| one.trim().eq_ignore_ascii_case(extension)) {
        Ok(name)
    } else {
        Err(ApiError::bad_request(format!("Files of the type '{extension}' may not be uploaded."))
            .with_detail(format!(
                "Allowed are {allowed}. An administrator can change {PROPERTY} in the system properties."
            )))
    }
}
