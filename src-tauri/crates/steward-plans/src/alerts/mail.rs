//! Alerts by mail.

use steward_client::Http;
use steward_client::mail::{Mail, MailServer, send};
use steward_journal::Workstation;
use steward_vault::Secret;

use super::channel::ChannelMeans;
use super::fault::{AlertFault, RefusedReceiver};

/// Sends an alert through a mail channel; does nothing for other channels. `before` is the fault of the previous attempt:
/// the receivers that it lists as reached are skipped. A corrected address counts as a new receiver.
pub(super) async fn deliver(
    http: &Http,
    means: &ChannelMeans,
    password: String,
    id: &str,
    (title, lines): (&str, &[String]),
    before: Option<&AlertFault>,
) -> Result<(), AlertFault> {
    let ChannelMeans::Mail { host, port, encryption, user, from, to } = means else { return Ok(()) };
    let password = Secret::new(password);
    let server = MailServer {
        computer: &Workstation::this().computer,
        host,
        port: *port,
        encryption: encryption.of_client(),
        user,
        password: &password,
    };
    let mut reached = match before {
        Some(AlertFault::SomeReceivers { reached, .. }) => reached.clone(),
        _ => Vec::new(),
    };
    let to: Vec<_> = to.iter().filter(|one| !reached.contains(one)).cloned().collect();
    if to.is_empty() {
        return Ok(());
    }
    let text = format!("{title}\r\n\r\n{}\r\n", lines.join("\r\n"));
    let mail = Mail { id, from, to: &to, subject: title, text };
    let still = |said: &str| to.iter().map(|one| RefusedReceiver::new(one, said)).collect();
    match send(http, &server, mail).await {
        Ok(refused) if refused.is_empty() => Ok(()),
        Ok(refused) => {
            let is_refused = |one: &&String| refused.iter().any(|refused| refused.address == **one);
            reached.extend(to.iter().filter(|one| !is_refused(one)).cloned());
            let refused = refused.iter().map(|one| RefusedReceiver::new(&one.address, &one.said)).collect();
            Err(AlertFault::SomeReceivers { refused, reached })
        }
        // The other receivers got the mail in an earlier attempt.
        Err(error) if before.is_some_and(AlertFault::is_partial) => {
            Err(AlertFault::SomeReceivers { refused: still(&error.to_string()), reached })
        }
        Err(error) => Err(AlertFault::of_mail(&error)),
    }
}
