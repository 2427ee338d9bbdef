//! Downloads files of a release over the program's own connection, up to a size limit.

use steward_client::{ClientError, Download, Http, STALLED};
use url::Url;

use super::view::UpdateFault;
use crate::model::problem::causes;

/// Limit of the release description, in bytes.
const MOST_TEXT: u64 = 256 * 1024;
/// Limit of an installer, in bytes. It is kept in memory until its signature is verified.
const MOST_PACKAGE: u64 = 512 * 1024 * 1024;

/// Downloads the release description.
pub(super) async fn text(http: &Http, address: Url) -> Result<serde_json::Value, UpdateFault> {
    let not_understood = |said: String| UpdateFault::NotUnderstood { said };
    let fetched = async {
        let download = open(http, address).await?;
        whole(download, MOST_TEXT, |_, _| ()).await.map_err(|lost| match lost {
            Lost::TooLarge => not_understood(format!("more than {MOST_TEXT} bytes")),
            Lost::Broken(said) => UpdateFault::Unreachable { said },
        })
    };
    // Limit the whole download, because the user waits for it.
    let too_late = |_| UpdateFault::Unreachable { said: format!("no whole answer within {STALLED:?}") };
    let bytes = tokio::time::timeout(STALLED, fetched).await.map_err(too_late)??;
    serde_json::from_slice(&bytes).map_err(|error| not_understood(error.to_string()))
}

/// Downloads an installer. `moved` receives the bytes received and the total.
pub(super) async fn package(
    http: &Http,
    address: Url,
    moved: impl FnMut(u64, Option<u64>),
) -> Result<Vec<u8>, UpdateFault> {
    let download = open(http, address).await?;
    whole(download, MOST_PACKAGE, moved).await.map_err(|lost| UpdateFault::Cut {
        said: match lost {
            Lost::TooLarge => format!("more than {MOST_PACKAGE} bytes"),
            Lost::Broken(said) => said,
        },
    })
}

enum Lost {
    TooLarge,
    Broken(String),
}

async fn open(http: &Http, address: Url) -> Result<Download, UpdateFault> {
    let opened = http.open_public(address, STALLED).await;
    opened.map_err(|error| UpdateFault::Unreachable { said: error_text(&error) })
}

async fn whole(
    mut download: Download,
    most: u64,
    mut moved: impl FnMut(u64, Option<u64>),
) -> Result<Vec<u8>, Lost> {
    let announced = download.length();
    if announced.is_some_and(|announced| announced > most) {
        return Err(Lost::TooLarge);
    }
    let mut bytes = Vec::new();
    while let Some(piece) = download.next().await.map_err(|error| Lost::Broken(error_text(&error)))? {
        bytes.extend_from_slice(&piece);
        if bytes.len() as u64 > most {
            return Err(Lost::TooLarge);
        }
        moved(bytes.len() as u64, announced);
    }
    Ok(bytes)
}

/// Returns an error as text. The client's messages are about sites, so only their details are used.
fn error_text(error: &ClientError) -> String {
    match error {
        ClientError::Unreadable { excerpt, .. } => excerpt.clone(),
        ClientError::Certificate(problem) => format!("the certificate is not trusted: {problem}"),
        other => causes(other),
    }
}
