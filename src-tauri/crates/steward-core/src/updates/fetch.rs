//! Brings a file of a release here, by the program's own way and never larger than it may be.

use steward_client::{ClientError, Download, Http, STALLED};
use url::Url;

use super::view::UpdateFault;
use crate::model::problem::causes;

/// What says which version is the newest is a page of text.
const MOST_TEXT: u64 = 256 * 1024;
/// No installer of ours comes near it; it is held in memory until its signature was judged.
const MOST_PACKAGE: u64 = 512 * 1024 * 1024;

/// The text that says which version is the newest.
pub(super) async fn text(way: &Http, address: Url) -> Result<serde_json::Value, UpdateFault> {
    let not_understood = |said: String| UpdateFault::NotUnderstood { said };
    let fetched = async {
        let download = open(way, address).await?;
        whole(download, MOST_TEXT, |_, _| ()).await.map_err(|lost| match lost {
            Lost::TooLarge => not_understood(format!("more than {MOST_TEXT} bytes")),
            Lost::Broken(said) => UpdateFault::Unreachable { said },
        })
    };
    // A person waits for it, and a byte a minute is no answer either.
    let too_late = |_| UpdateFault::Unreachable { said: format!("no whole answer within {STALLED:?}") };
    let bytes = tokio::time::timeout(STALLED, fetched).await.map_err(too_late)??;
    serde_json::from_slice(&bytes).map_err(|error| not_understood(error.to_string()))
}

/// An installer. `moved` is told how much of it is here, and how much was announced.
pub(super) async fn package(
    way: &Http,
    address: Url,
    moved: impl FnMut(u64, Option<u64>),
) -> Result<Vec<u8>, UpdateFault> {
    let download = open(way, address).await?;
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

async fn open(way: &Http, address: Url) -> Result<Download, UpdateFault> {
    let opened = way.open_public(address, STALLED).await;
    opened.map_err(|error| UpdateFault::Unreachable { said: words(&error) })
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
    while let Some(piece) = download.next().await.map_err(|error| Lost::Broken(words(&error)))? {
        bytes.extend_from_slice(&piece);
        if bytes.len() as u64 > most {
            return Err(Lost::TooLarge);
        }
        moved(bytes.len() as u64, announced);
    }
    Ok(bytes)
}

/// The client speaks of sites; where it says more than its kind, only that is of use here.
fn words(error: &ClientError) -> String {
    match error {
        ClientError::Unreadable { excerpt, .. } => excerpt.clone(),
        ClientError::Certificate(problem) => format!("the certificate is not trusted: {problem}"),
        other => causes(other),
    }
}
