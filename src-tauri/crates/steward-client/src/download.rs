//! A file of the site, streamed.

use url::Url;

use crate::area::Area;
use crate::decode;
use crate::error::ClientError;

/// An opened download.
#[derive(Debug)]
pub struct Download {
    response: reqwest::Response,
    length: Option<u64>,
}

impl Area {
    /// Opens the stored file that an export without a folder left at `location`.
    ///
    /// The address in the answer may name a host that only the server knows; the file is asked for at the
    /// host in use.
    ///
    /// # Errors
    /// When the site refuses, cannot be reached, or answers with something that is no file.
    pub async fn download_stored(&self, location: &str) -> Result<Download, ClientError> {
        let id = stored_id(location).ok_or_else(|| {
            let words: String = self.sent(&[]).clean(location).chars().take(200).collect();
            ClientError::unreadable("the address of a stored file", words)
        })?;
        let response = self.open(self.address(&["admin", "uploads", &id, "download"])).await?;
        let response = self.file_of(response).await?;
        let length = response.content_length();
        Ok(Download { response, length })
    }

    /// The response, unless it is an error or something else that is no file.
    pub(crate) async fn file_of(
        &self,
        response: reqwest::Response,
    ) -> Result<reqwest::Response, ClientError> {
        let is_json = response
            .headers()
            .get(reqwest::header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|kind| kind.contains("json"));
        // An archive is never JSON; an error object with status 200 is.
        if is_json || !response.status().is_success() {
            let status = response.status().as_u16();
            let (sent, expected) = (self.sent(&[]), "a stored file");
            let body = decode::bytes(response, &sent, expected).await?;
            let refusal = decode::value(&body).and_then(|value| decode::refusal(&value, status, &sent));
            return Err(
                refusal.unwrap_or_else(|| ClientError::unreadable_answer(expected, sent.raw(status, &body)))
            );
        }
        Ok(response)
    }
}

impl Download {
    /// The length the site announced.
    #[must_use]
    pub const fn length(&self) -> Option<u64> {
        self.length
    }

    /// The next piece; `None` at the end. A body shorter than announced is an error of the connection.
    ///
    /// # Errors
    /// When the connection breaks.
    pub async fn next(&mut self) -> Result<Option<impl AsRef<[u8]> + use<>>, ClientError> {
        self.response.chunk().await.map_err(ClientError::while_reading)
    }
}

/// The identifier in an address such as `https://host:6443/context/admin/uploads/<id>`; `None` when it is none.
#[must_use]
pub fn stored_id(location: &str) -> Option<String> {
    let url = Url::parse(location).ok()?;
    let mut segments = url.path_segments()?;
    segments.by_ref().find(|segment| *segment == "uploads")?;
    segments.next().filter(|id| !id.is_empty()).map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identifier_of_a_stored_file_is_found_in_its_address() {
        let id = |location| stored_id(location);
        assert_eq!(id("https://srv1:6443/arcgis/admin/uploads/i7c1f0a52"), Some("i7c1f0a52".to_owned()));
        assert_eq!(id("https://srv1/server/admin/uploads/i7c1/"), Some("i7c1".to_owned()));
        assert_eq!(id("https://srv1/server/admin/uploads"), None);
        assert_eq!(id("/backups/a.agssite"), None);
    }
}
