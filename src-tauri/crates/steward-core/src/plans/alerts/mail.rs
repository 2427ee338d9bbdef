//! Alerts by mail.

use steward_client::Http;
use steward_client::mail::{Mail, MailServer, send};
use steward_vault::Secret;

use super::channel::ChannelMeans;
use super::fault::AlertFault;

/// Sends a mail by a channel; nothing by one of another kind.
pub(super) async fn deliver(
    http: &Http,
    means: &ChannelMeans,
    password: String,
    id: &str,
    (title, lines): (&str, &[String]),
) -> Result<(), AlertFault> {
    let ChannelMeans::Mail { host, port, encryption, user, from, to } = means else { return Ok(()) };
    let password = Secret::new(password);
    let server =
        MailServer { host, port: *port, encryption: encryption.of_client(), user, password: &password };
    let mail =
        Mail { id, from, to, subject: title, text: format!("{title}\r\n\r\n{}\r\n", lines.join("\r\n")) };
    send(http, &server, mail).await.map_err(|error| AlertFault::of_mail(&error))
}
