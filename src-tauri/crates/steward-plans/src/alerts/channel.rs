//! Channels of alerts, as a user saves them.

use serde::{Deserialize, Serialize};
use steward_client::mail::MailEncryption;
use steward_client::{is_this_computer, mail};
use steward_core::model::alert_channel::ChannelKind;
use steward_core::model::one_line::one_line;
use steward_core::model::problem::{FieldError, Problem};
use steward_core::model::typed::{self, trimmed};
use steward_core::settings::preferences::host_name;
use url::Url;

use super::secrets::ChannelSecrets;
use crate::plan::ChannelId;

/// Longest name of a channel, in characters.
const LONGEST_NAME: usize = 60;

/// Most receivers of a mail.
const MOST_RECEIVERS: usize = 20;

/// Saved channels, and the language of the app. The window writes them, and the runner reads them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AlertSettings {
    /// Channels, in the order in which they were saved.
    pub channels: Vec<AlertChannel>,
    /// Language of alerts, for example `de`; empty before the window was opened.
    pub language: String,
}

/// A saved channel, without its secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AlertChannel {
    /// Identifier.
    pub id: ChannelId,
    /// Name, as the user entered it.
    pub name: String,
    /// Kind of the channel, with its settings.
    pub means: ChannelMeans,
    /// Whether it also receives an alert once a day that all is well.
    #[serde(default)]
    pub tells_all_well: bool,
}

/// Kind of a channel, with its settings. Only the origins of addresses are included, because the rest of an address is
/// a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ChannelMeans {
    /// Signed JSON.
    Webhook {
        /// Origin of the address.
        origin: String,
        /// Whether a key to sign with is stored.
        is_signed: bool,
    },
    /// Message to Slack or Mattermost.
    Slack {
        /// Origin of the address.
        origin: String,
    },
    /// Card in Microsoft Teams, by a workflow.
    Teams {
        /// Origin of the address.
        origin: String,
    },
    /// Mail.
    Mail {
        /// Host name or IP address of the mail server.
        host: String,
        /// Port.
        port: u16,
        /// Encryption.
        encryption: ChannelEncryption,
        /// User name at the mail server; empty for none.
        user: String,
        /// Address of the sender.
        from: String,
        /// Addresses of the receivers.
        to: Vec<String>,
    },
    /// Sign that a plan runs.
    Heartbeat {
        /// Origin of the address.
        origin: String,
        /// Protocol of the monitoring service.
        protocol: HeartbeatProtocol,
    },
}

/// Encryption of mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ChannelEncryption {
    /// TLS from the beginning.
    Tls,
    /// TLS by STARTTLS. Without it, nothing is sent.
    StartTls,
    /// None, for a mail server on this computer.
    None,
}

/// Protocol of a monitoring service for heartbeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum HeartbeatProtocol {
    /// Protocol of Healthchecks: start, success, and failure, with the identifier of the run.
    Healthchecks,
    /// One request after a success, and no others.
    SuccessOnly,
}

/// A channel, as entered by a user. It does not implement `Debug`, because it can contain secrets.
#[derive(Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ChannelForm {
    /// Identifier; `null` for a new channel.
    pub id: Option<ChannelId>,
    /// Name.
    pub name: String,
    /// Kind of the channel, with its settings. Origins are taken from `address`.
    pub means: ChannelMeans,
    /// Whole address of a channel other than mail; `null` keeps the stored one.
    pub address: Option<String>,
    /// Password of the mail server, or signing key of a webhook; `null` keeps the stored one, and an empty text deletes
    /// it.
    pub password: Option<String>,
    /// Whether it also receives an alert once a day that all is well. Ignored for a heartbeat, which follows each run.
    pub tells_all_well: bool,
}

impl ChannelEncryption {
    pub(super) const fn of_client(self) -> MailEncryption {
        match self {
            Self::Tls => MailEncryption::Tls,
            Self::StartTls => MailEncryption::StartTls,
            Self::None => MailEncryption::None,
        }
    }
}

impl ChannelMeans {
    /// Returns the kind.
    #[must_use]
    pub const fn kind(&self) -> ChannelKind {
        match self {
            Self::Webhook { .. } => ChannelKind::Webhook,
            Self::Slack { .. } => ChannelKind::Slack,
            Self::Teams { .. } => ChannelKind::Teams,
            Self::Mail { .. } => ChannelKind::Mail,
            Self::Heartbeat { .. } => ChannelKind::Heartbeat,
        }
    }

    /// Returns the host that it sends to, in the form in which hosts are compared; empty if the address has none.
    #[must_use]
    pub fn host(&self) -> String {
        match self {
            Self::Mail { host, .. } => host.clone(),
            Self::Webhook { origin, .. }
            | Self::Slack { origin }
            | Self::Teams { origin }
            | Self::Heartbeat { origin, .. } => {
                let url = Url::parse(origin).ok();
                url.and_then(|url| host_name(url.host_str()?)).unwrap_or_default()
            }
        }
    }

    /// Returns whether the server that gets the secrets is the same.
    fn is_same_server(&self, other: &Self) -> bool {
        let server = |means: &Self| match means {
            Self::Mail { host, port, user, .. } => format!("{host}:{port} {user}"),
            // The password of a webhook only signs its requests and is never sent, so that another server may get them.
            _ => String::new(),
        };
        self.kind() == other.kind() && server(self) == server(other)
    }
}

impl ChannelForm {
    /// Returns the channel with its secrets. `before` is the saved one.
    ///
    /// # Errors
    /// [`Problem::Form`] for the first field that is invalid.
    pub(super) fn checked(
        self,
        id: ChannelId,
        before: Option<(&AlertChannel, ChannelSecrets)>,
    ) -> Result<(AlertChannel, ChannelSecrets), Problem> {
        let name = one_line(&self.name);
        match name.chars().count() {
            0 => return Err(Problem::form("name", FieldError::Required)),
            letters if letters > LONGEST_NAME => return Err(Problem::form("name", FieldError::TooLong)),
            _ => {}
        }
        let before = before.filter(|(channel, _)| channel.means.kind() == self.means.kind());
        let stored = before.as_ref().map(|(_, secrets)| secrets.clone()).unwrap_or_default();
        typed::check(self.address.as_deref().map(|address| ("address", address)))?;
        let address = self.address.map_or(stored.address, |typed| trimmed(&typed).to_owned());
        let origin = || origin_of(&address);
        let means = match self.means {
            ChannelMeans::Webhook { .. } => ChannelMeans::Webhook { origin: origin()?, is_signed: false },
            ChannelMeans::Slack { .. } => ChannelMeans::Slack { origin: origin()? },
            ChannelMeans::Teams { .. } => ChannelMeans::Teams { origin: origin()? },
            ChannelMeans::Heartbeat { protocol, .. } => {
                ChannelMeans::Heartbeat { origin: origin()?, protocol }
            }
            mail @ ChannelMeans::Mail { .. } => checked_mail(mail)?,
        };
        // A stored password is not sent to another server than it was entered for.
        let is_same = before.is_some_and(|(channel, _)| channel.means.is_same_server(&means));
        let password = self.password.unwrap_or_else(|| if is_same { stored.password } else { String::new() });
        let (means, address) = match means {
            ChannelMeans::Webhook { origin, .. } => {
                (ChannelMeans::Webhook { origin, is_signed: !password.is_empty() }, address)
            }
            mail @ ChannelMeans::Mail { .. } => (mail, String::new()),
            other => (other, address),
        };
        let tells_all_well = self.tells_all_well && means.kind() != ChannelKind::Heartbeat;
        Ok((AlertChannel { id, name, means, tells_all_well }, ChannelSecrets { address, password }))
    }
}

/// Returns the origin of an address that can get a secret: it is encrypted, or on this computer.
fn origin_of(address: &str) -> Result<String, Problem> {
    if address.is_empty() {
        return Err(Problem::form("address", FieldError::Required));
    }
    let is_usable = |url: &Url| match url.scheme() {
        "https" => url.has_host(),
        "http" => is_this_computer(url),
        _ => false,
    };
    match Url::parse(address) {
        Ok(url) if is_usable(&url) => Ok(url.origin().ascii_serialization()),
        Ok(url) if url.has_host() => Err(Problem::form("address", FieldError::NotHttps)),
        _ => Err(Problem::form("address", FieldError::NotAnAddress)),
    }
}

fn checked_mail(mail: ChannelMeans) -> Result<ChannelMeans, Problem> {
    let ChannelMeans::Mail { host, port, encryption, user, from, to } = mail else { return Ok(mail) };
    typed::check([("host", host.as_str()), ("user", &user), ("from", &from)])?;
    if trimmed(&host).is_empty() {
        return Err(Problem::form("host", FieldError::Required));
    }
    let host = host_name(trimmed(&host)).ok_or_else(|| Problem::form("host", FieldError::NotAHost))?;
    if port == 0 {
        return Err(Problem::form("port", FieldError::NotAHost));
    }
    if encryption == ChannelEncryption::None && !mail::stays_here(&host) {
        return Err(Problem::form("encryption", FieldError::NotEncrypted));
    }
    let (user, from) = (trimmed(&user).to_owned(), trimmed(&from).to_owned());
    let to: Vec<String> =
        to.iter().map(|one| trimmed(one).to_owned()).filter(|one| !one.is_empty()).collect();
    let to_checked = typed::check(to.iter().map(|one| ("to", one.as_str())));
    match () {
        () if from.is_empty() => Err(Problem::form("from", FieldError::Required)),
        () if !mail::is_address(&from) => Err(Problem::form("from", FieldError::NotAnEmail)),
        () if to.is_empty() => Err(Problem::form("to", FieldError::Required)),
        () if to.len() > MOST_RECEIVERS || !to.iter().all(|one| mail::is_address(one)) => {
            Err(Problem::form("to", FieldError::NotAnEmail))
        }
        () => to_checked.map(|()| ChannelMeans::Mail { host, port, encryption, user, from, to }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(means: ChannelMeans, address: Option<&str>, password: Option<&str>) -> ChannelForm {
        let (address, password) = (address.map(str::to_owned), password.map(str::to_owned));
        let (id, name, tells_all_well) = (None, " On call ".to_owned(), false);
        ChannelForm { id, name, means, address, password, tells_all_well }
    }

    fn slack() -> ChannelMeans {
        ChannelMeans::Slack { origin: "https://elsewhere.example.org".to_owned() }
    }

    fn mail(host: &str, encryption: ChannelEncryption, to: &[&str]) -> ChannelMeans {
        let to = to.iter().map(|one| (*one).to_owned()).collect();
        let (user, from) = ("steward".to_owned(), "steward@example.org".to_owned());
        ChannelMeans::Mail { host: host.to_owned(), port: 587, encryption, user, from, to }
    }

    fn checked(form: ChannelForm) -> Result<(AlertChannel, ChannelSecrets), (String, FieldError)> {
        form.checked(ChannelId("1".to_owned()), None).map_err(|problem| match problem {
            Problem::Form { field, fault } => (field, fault),
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn of_an_address_only_the_origin_is_saved() {
        let address = " https://hooks.example.org/services/T0/B0/canary?x=canary ";
        let (channel, secrets) = checked(form(slack(), Some(address), None)).unwrap();
        assert_eq!(channel.name, "On call");
        assert_eq!(channel.means, ChannelMeans::Slack { origin: "https://hooks.example.org".to_owned() });
        assert_eq!(secrets.address, address.trim());
        assert!(!serde_json::to_string(&channel).unwrap().contains("canary"));
    }

    #[test]
    fn an_invisible_character_in_a_field_is_rejected_there() {
        let refused = |means, address| checked(form(means, address, None)).err();
        let fault = |field: &str| Some((field.to_owned(), FieldError::NotOneLine));
        assert_eq!(refused(slack(), Some("https://hooks.exam\u{200b}ple.org/x")), fault("address"));
        let tls = ChannelEncryption::Tls;
        assert_eq!(refused(mail("mail\u{200b}.example.org", tls, &["a@example.org"]), None), fault("host"));
        let to = refused(mail("mail.example.org", tls, &["a\u{202e}@example.org"]), None);
        assert!(to.is_some_and(|(field, _)| field == "to"));
    }

    #[test]
    fn an_address_that_would_show_a_secret_to_the_network_is_refused() {
        let refused = |address: &str| checked(form(slack(), Some(address), None)).err();
        for (address, fault) in [
            ("http://hooks.example.org/x", FieldError::NotHttps),
            ("ftp://hooks.example.org", FieldError::NotHttps),
            ("hooks.example.org", FieldError::NotAnAddress),
            ("https:", FieldError::NotAnAddress),
        ] {
            assert_eq!(refused(address), Some(("address".to_owned(), fault)), "{address}");
        }
        assert_eq!(refused(""), Some(("address".to_owned(), FieldError::Required)));
        assert_eq!(refused("http://127.0.0.1:8080/ping"), None);
    }

    #[test]
    fn mail_needs_encryption_beyond_this_computer_and_addresses_that_are_some() {
        let to = &["gis@example.org", " "][..];
        for (means, fault) in [
            (mail("mail.example.org", ChannelEncryption::StartTls, to), None),
            (mail("localhost", ChannelEncryption::None, to), None),
            (
                mail("mail.example.org", ChannelEncryption::None, to),
                Some(("encryption", FieldError::NotEncrypted)),
            ),
            (mail("mail.example.org:25", ChannelEncryption::Tls, to), Some(("host", FieldError::NotAHost))),
            (mail("", ChannelEncryption::Tls, to), Some(("host", FieldError::Required))),
            (mail("mail.example.org", ChannelEncryption::Tls, &[]), Some(("to", FieldError::Required))),
            (
                mail("mail.example.org", ChannelEncryption::Tls, &["gis"]),
                Some(("to", FieldError::NotAnEmail)),
            ),
            (
                mail("mail.example.org", ChannelEncryption::Tls, &["a@example.org\r\nBcc: b@example.org"]),
                Some(("to", FieldError::NotAnEmail)),
            ),
        ] {
            let found = checked(form(means.clone(), None, Some("x"))).err();
            assert_eq!(found, fault.map(|(field, fault)| (field.to_owned(), fault)), "{means:?}");
        }
    }

    #[test]
    fn a_password_is_not_sent_to_another_mail_server_than_it_was_entered_for() {
        let id = ChannelId("1".to_owned());
        let saved = |host: &str| mail(host, ChannelEncryption::StartTls, &["gis@example.org"]);
        let (channel, secrets) =
            form(saved("mail.example.org"), None, Some("canary")).checked(id.clone(), None).unwrap();
        let again = |host: &str| {
            let form = form(saved(host), None, None);
            form.checked(id.clone(), Some((&channel, secrets.clone()))).unwrap().1.password
        };
        assert_eq!(again("mail.example.org"), "canary");
        assert_eq!(again("mail.example.net"), "");
    }
}
