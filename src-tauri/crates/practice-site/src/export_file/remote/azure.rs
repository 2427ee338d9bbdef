//! Azure blob containers, accessed with `backupObjectStoreConnectionStr`.

use super::object_storage::{Remote, retry_config};
use super::pointer::StoreLocation;
use crate::wire::ApiError;
use object_store::azure::MicrosoftAzureBuilder;
use serde_json::Value;
use std::sync::Arc;
use url::{Position, Url};

/// Required values of a connection string.
#[derive(Debug, PartialEq, Eq)]
struct Connection {
    account: String,
    key: String,
    endpoint: Option<String>,
}

/// Returns the container. `container` is its URL as in the specification, or only its name if the connection string
/// contains the endpoint.
pub(super) fn container(container: Option<&str>, connection: &str) -> Result<Remote, ApiError> {
    let connection = read(connection)?;
    let Some(container) = container else {
        return Err(ApiError::bad_request("'backupObjectStore' must be the address of the blob container."));
    };
    let (endpoint, name) = locate(container, &connection)?;
    let named = format!("the container {endpoint}/{name}");
    let store = MicrosoftAzureBuilder::new()
        .with_account(&connection.account)
        .with_access_key(&connection.key)
        .with_container_name(&name)
        .with_allow_http(endpoint.starts_with("http:"))
        .with_endpoint(endpoint.clone())
        .with_retry(retry_config())
        .build()
        // Do not include the library's message, which can contain the key.
        .map_err(|_| {
            ApiError::failed(format!(
                "{named} cannot be used: the account key is not base64, or the address is none."
            ))
        })?;
    let store_location = StoreLocation::Container { container: format!("{endpoint}/{name}") };
    Ok(Remote { store: Arc::new(store), named, store_location })
}

/// Reads "a JSON-style object": keys in any case, single, double or no quotes, trailing commas.
fn read(text: &str) -> Result<Connection, ApiError> {
    let unreadable = || {
        ApiError::bad_request(
            "'backupObjectStoreConnectionStr' must be an object with accountName, accountKey and accountEndpoint.",
        )
    };
    let object: Value = json5::from_str(text).map_err(|_| unreadable())?;
    let object = object.as_object().ok_or_else(unreadable)?;
    let field = |name: &str| {
        let found = object.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found
            .and_then(|(_, value)| value.as_str())
            .map(str::trim)
            .filter(|value| !value.is_empty())
            .map(str::to_owned)
    };
    Ok(Connection {
        account: field("accountName").ok_or_else(unreadable)?,
        key: field("accountKey").ok_or_else(unreadable)?,
        endpoint: field("accountEndpoint"),
    })
}

/// Returns endpoint and name of the container. The account is part of the host name in the cloud, and part of the path
/// in local emulators.
fn locate(container: &str, connection: &Connection) -> Result<(String, String), ApiError> {
    let Ok(address) = Url::parse(container) else {
        let endpoint = match connection.endpoint.as_deref() {
            None => format!("https://{}.blob.core.windows.net", connection.account),
            Some(endpoint) if endpoint.contains("://") => endpoint.trim_end_matches('/').to_owned(),
            Some(host) if host.starts_with(&format!("{}.", connection.account)) => format!("https://{host}"),
            Some(suffix) => format!("https://{}.{suffix}", connection.account),
        };
        return Ok((endpoint, container.trim_matches('/').to_owned()));
    };
    let path = address.path().trim_matches('/').to_owned();
    let (before, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let http = matches!(address.scheme(), "http" | "https");
    if !http || name.is_empty() {
        return Err(ApiError::bad_request(format!("'backupObjectStore' names no container: {container}")));
    }
    if !is_of_the_account(&address, before, connection) {
        let Connection { account, endpoint, .. } = connection;
        return Err(ApiError::bad_request(match endpoint {
            Some(endpoint) => format!(
                "'backupObjectStore' is not at the accountEndpoint of 'backupObjectStoreConnectionStr': {container} is not in the account {account} at {endpoint}."
            ),
            None => format!(
                "'backupObjectStore' is not in the account {account}: {container}. If it is, name its accountEndpoint in 'backupObjectStoreConnectionStr'."
            ),
        }));
    }
    let origin = address.origin().ascii_serialization();
    let endpoint = if before.is_empty() { origin } else { format!("{origin}/{before}") };
    Ok((endpoint, name.to_owned()))
}

/// Returns whether a container URL belongs to the account in the connection string. Requests are signed with the
/// account key, so they must not be sent anywhere else.
fn is_of_the_account(address: &Url, path: &str, connection: &Connection) -> bool {
    let account = connection.account.to_ascii_lowercase();
    let host = &address[Position::BeforeHost..Position::AfterPort];
    let Some(endpoint) = connection.endpoint.as_deref() else {
        return path.eq_ignore_ascii_case(&account) || host.starts_with(&format!("{account}."));
    };
    if endpoint.contains("://") {
        let Ok(endpoint) = Url::parse(endpoint) else {
            return false;
        };
        let below = endpoint.path().trim_matches('/');
        return endpoint.origin() == address.origin() && (below.is_empty() || below == path);
    }
    // With or without the account name, or as the common domain of all accounts.
    let endpoint = endpoint.trim_end_matches('/').to_ascii_lowercase();
    let full = if path.is_empty() { host.to_owned() } else { format!("{host}/{path}") };
    [endpoint.clone(), format!("{account}.{endpoint}"), format!("{account}.blob.{endpoint}")]
        .iter()
        .any(|known| known == host || *known == full)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection(endpoint: Option<&str>) -> Connection {
        Connection { account: "siteacct".into(), key: "a2V5".into(), endpoint: endpoint.map(str::to_owned) }
    }

    #[test]
    fn all_quoting_styles_of_connection_strings_are_read() {
        for text in [
            r#"{"accountName": "siteacct", "accountKey": "a2V5", "accountEndpoint": "blob.core.windows.net"}"#,
            "{'accountName': 'siteacct', 'accountKey': 'a2V5', 'accountEndpoint': 'blob.core.windows.net',}",
            "{accountname: 'siteacct', ACCOUNTKEY: \"a2V5\", accountEndpoint: ' blob.core.windows.net '}",
        ] {
            assert_eq!(read(text).unwrap(), connection(Some("blob.core.windows.net")), "{text}");
        }
        for text in
            ["", "siteacct", "[]", "{accountName: 'siteacct'}", r#"{"accountName": "", "accountKey": "k"}"#]
        {
            assert_eq!(read(text).unwrap_err().code, 400, "{text}");
        }
    }

    #[test]
    fn account_is_read_from_host_or_path() {
        let cases = [
            (
                "https://siteacct.blob.core.windows.net/exports",
                None,
                "https://siteacct.blob.core.windows.net",
            ),
            (
                "https://siteacct.blob.core.windows.net/exports/",
                None,
                "https://siteacct.blob.core.windows.net",
            ),
            ("http://127.0.0.1:10000/siteacct/exports", None, "http://127.0.0.1:10000/siteacct"),
            ("exports", None, "https://siteacct.blob.core.windows.net"),
            ("exports", Some("blob.example.org"), "https://siteacct.blob.example.org"),
            ("exports", Some("siteacct.blob.example.org"), "https://siteacct.blob.example.org"),
            ("exports", Some("http://127.0.0.1:10000/siteacct/"), "http://127.0.0.1:10000/siteacct"),
        ];
        for (container, endpoint, expected) in cases {
            let found = locate(container, &connection(endpoint)).unwrap();
            assert_eq!(found, (expected.to_owned(), "exports".to_owned()), "{container} {endpoint:?}");
        }
        for fitting in [
            "blob.core.windows.net",
            "core.windows.net",
            "siteacct.blob.core.windows.net",
            "https://siteacct.blob.core.windows.net/",
        ] {
            let found = locate("https://SITEACCT.blob.core.windows.net/exports", &connection(Some(fitting)));
            assert!(found.is_ok(), "{fitting}");
        }
        for fitting in ["127.0.0.1:10000", "127.0.0.1:10000/siteacct", "http://127.0.0.1:10000"] {
            let found = locate("http://127.0.0.1:10000/siteacct/exports", &connection(Some(fitting)));
            assert!(found.is_ok(), "{fitting}");
        }
        for (container, endpoint) in [
            ("https://siteacct.blob.core.windows.net/exports", Some("blob.core.windwos.net")),
            ("https://siteacct.blob.core.windows.net/exports", Some("other.blob.core.windows.net")),
            ("https://siteacct.blob.core.windows.net/exports", Some("https://siteacct.blob.example.org")),
            ("http://127.0.0.1:10000/siteacct/exports", Some("http://127.0.0.1:10001/siteacct")),
            ("http://127.0.0.1:10000/siteacct/exports", Some("http://127.0.0.1:10000/other")),
            ("https://siteacct.example.net/exports", Some("blob.core.windows.net")),
            ("https://other.blob.core.windows.net/exports", None),
            ("http://127.0.0.1:10000/other/exports", None),
        ] {
            assert_eq!(
                locate(container, &connection(endpoint)).unwrap_err().code,
                400,
                "{container} {endpoint:?}"
            );
        }
        for wrong in ["https://siteacct.blob.core.windows.net/", "ftp://siteacct/exports"] {
            assert_eq!(locate(wrong, &connection(None)).unwrap_err().code, 400, "{wrong}");
        }
    }
}
