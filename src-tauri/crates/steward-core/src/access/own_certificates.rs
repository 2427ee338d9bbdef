//! Certificates of this computer that connect to a site: certificate authorities from files, and the client certificate.

use jiff::Timestamp;
use steward_client::{Authority, ClientCertificate, authorities};
use steward_vault::Secret;

use super::connection::Connections;
use crate::model::checked::OwnCertificate;
use crate::model::problem::Problem;
use crate::sites::{Site, read_certificate};

/// Largest number of certificates of a file that are returned, those that expire first.
const MOST: usize = 50;

impl Connections {
    /// Returns the certificates of files that the connection to a site is made with. Reads the files, and sends nothing.
    ///
    /// # Errors
    /// - [`Problem::File`] if a file cannot be read.
    /// - [`Problem::Form`] if one is no certificate, or its password is wrong.
    /// - [`Problem::Keyring`] if the password of the client certificate cannot be read.
    pub(crate) async fn own_certificates(&self, site: &Site) -> Result<Vec<OwnCertificate>, Problem> {
        let of_settings =
            |error: steward_client::SetupFault| Problem::Unexpected { message: error.to_string() };
        let (authority, client) = self.certificate_files(site);
        let mut all = Vec::new();
        if let Some(file) = authority {
            let found = authorities(&read_certificate(&file)?).map_err(of_settings)?;
            all.extend(found.readable.into_iter().filter_map(|one| own(false, one)));
        }
        all.sort_by_key(|one| one.expires_at.0);
        all.truncate(MOST);
        if let Some(file) = client {
            let certificate = match read_certificate(&file)? {
                pem if pem.windows(10).any(|text| text == b"-----BEGIN") => {
                    ClientCertificate::Pem(Secret::new(pem))
                }
                file => ClientCertificate::Pkcs12 {
                    file: Secret::new(file),
                    password: self.certificate_password(&site.id).await?,
                },
            };
            all.extend(certificate.described().map_err(of_settings)?.and_then(|one| own(true, one)));
        }
        Ok(all)
    }
}

fn own(is_client: bool, Authority { subject, not_after, .. }: Authority) -> Option<OwnCertificate> {
    let expires_at = not_after.parse::<Timestamp>().ok()?.into();
    Some(OwnCertificate { is_client, subject, expires_at })
}
