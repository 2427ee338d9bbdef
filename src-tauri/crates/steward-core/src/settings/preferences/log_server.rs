//! The log server that the audit trail is forwarded to.

use std::net::Ipv6Addr;

use serde::{Deserialize, Serialize};

use crate::model::problem::{FieldError, Problem};
use crate::model::typed::{self, trimmed};
use crate::sites::ConnectionForm;

/// Port of syslog over TLS (RFC 5425, section 4.1).
const PORT: u16 = 6514;

/// Log server that the audit trail is forwarded to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LogServer {
    /// Host name or IP address; empty if the trail is not forwarded.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Path of a CA certificate in PEM, trusted in addition to those of the app; may be empty.
    pub ca_certificate: String,
    /// Path of a client certificate in PEM or PKCS#12; may be empty.
    pub client_certificate: String,
}

impl Default for LogServer {
    fn default() -> Self {
        Self {
            host: String::new(),
            port: PORT,
            ca_certificate: String::new(),
            client_certificate: String::new(),
        }
    }
}

impl LogServer {
    /// Returns whether the trail is forwarded.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        !self.host.is_empty()
    }

    /// Returns host and port as one text.
    #[must_use]
    pub fn place(&self) -> String {
        let Self { host, port, .. } = self;
        if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
    }

    /// Checks the settings, and returns them with the host in the form in which hosts are compared.
    ///
    /// # Errors
    /// - [`Problem::Form`] if the host, the port, or the CA certificate is invalid.
    /// - [`Problem::File`] if the CA file cannot be read.
    pub(crate) fn checked(&self) -> Result<Self, Problem> {
        typed::check([
            ("host", self.host.as_str()),
            ("caCertificate", &self.ca_certificate),
            ("clientCertificate", &self.client_certificate),
        ])?;
        let host = trimmed(&self.host);
        if host.is_empty() {
            return Ok(Self::default());
        }
        let fault = |field| Problem::form(field, FieldError::NotAHost);
        let host = host_name(host).ok_or_else(|| fault("host"))?;
        if self.port == 0 {
            return Err(fault("port"));
        }
        let form =
            ConnectionForm { ca_certificate: self.ca_certificate.clone(), ..ConnectionForm::default() };
        let authority = form.checked_authority()?.map(|path| path.display().to_string());
        let client_certificate = trimmed(&self.client_certificate).to_owned();
        Ok(Self { host, port: self.port, ca_certificate: authority.unwrap_or_default(), client_certificate })
    }
}

/// Returns a host name or an IP address in the form in which hosts are compared; `None` for anything else.
pub fn host_name(text: &str) -> Option<String> {
    let bare = text.trim_matches(['[', ']']);
    if let Ok(address) = bare.parse::<Ipv6Addr>() {
        return Some(address.to_string());
    }
    let host = url::Host::parse(text).ok()?.to_string();
    let host = host.strip_suffix('.').unwrap_or(&host);
    (!host.is_empty() && !host.starts_with('[')).then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_or_an_address_and_nothing_else() {
        for (typed, host) in [
            ("logs.example.org", Some("logs.example.org")),
            ("LOGS.Example.ORG.", Some("logs.example.org")),
            ("l\u{f6}gs.example.org", Some("xn--lgs-sna.example.org")),
            ("10.1.2.3", Some("10.1.2.3")),
            ("2001:DB8::1", Some("2001:db8::1")),
            ("[2001:db8::1]", Some("2001:db8::1")),
            ("logs.example.org:6514", None),
            ("https://logs.example.org", None),
            ("sam@logs.example.org", None),
            ("logs example", None),
            ("logs.example.org/x", None),
            (".", None),
        ] {
            assert_eq!(host_name(typed).as_deref(), host, "{typed}");
        }
    }
}
