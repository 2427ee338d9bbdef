//! Allowed file extensions of uploads. As on real servers, `agssite` is not allowed until an administrator adds it.

use crate::app::App;
use crate::names::is_plain;
use crate::store::configuration;
use crate::wire::ApiError;
use serde_json::{Value, json};

/// Extension of a server export.
const SITE_FILE: &str = "agssite";
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
    let allowed = allowed(&properties(app).await?);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if !extension.is_empty() && has(&allowed, extension) {
        Ok(name)
    } else {
        Err(ApiError::bad_request(format!("Files of the type '{extension}' may not be uploaded."))
            .with_detail(format!(
                "Allowed are {allowed}. An administrator can add {extension} to {PROPERTY} at \
                 {}/admin/system/properties/update, or on the page of the practice site in Site Steward.",
                app.server_url()
            )))
    }
}

/// Returns whether the server accepts `.agssite` files.
pub(crate) async fn accepts_site_files(app: &App) -> Result<bool, ApiError> {
    Ok(has(&allowed(&properties(app).await?), SITE_FILE))
}

/// Adds `.agssite` to the allowed extensions, or removes it.
pub(crate) async fn accept_site_files(app: &App, accept: bool) -> Result<(), ApiError> {
    let mut properties = properties(app).await?;
    let before = allowed(&properties);
    let others = before.split(',').map(str::trim).filter(|one| !one.eq_ignore_ascii_case(SITE_FILE));
    let wanted: Vec<&str> = others.chain(accept.then_some(SITE_FILE)).collect();
    properties[PROPERTY] = wanted.join(",").into();
    app.server.write(move |tx| configuration::set(tx, "properties", &properties)).await
}

async fn properties(app: &App) -> Result<Value, ApiError> {
    let properties = app.server.read(|server| configuration::setting(server, "properties")).await?;
    Ok(properties.filter(Value::is_object).unwrap_or_else(|| json!({})))
}

fn allowed(properties: &Value) -> String {
    let allowed = [PROPERTY, FORMER_PROPERTY].into_iter().find_map(|name| properties[name].as_str());
    allowed.unwrap_or_default().to_owned()
}

fn has(allowed: &str, extension: &str) -> bool {
    allowed.split(',').any(|one| one.trim().eq_ignore_ascii_case(extension))
}
