//! Sends alerts and heartbeats by the channels of a plan, and records how each ended.
//!
//! A receiver is no site: it is reached with the proxy and the certificate authorities of the app alone.

use std::time::Duration;

use jiff::tz::TimeZone;
use steward_client::alerts::{self, AlertRequest};
use steward_core::access::Access;
use steward_core::history::record::History;
use steward_core::model::alert_channel::ChannelKind;
use steward_core::model::connection_fault::ConnectionFault;
use steward_core::model::localized_text::Texts;
use steward_core::model::numbers::Millis;
use steward_core::model::persistence::Persistence;
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::settings::policy::Policy;
use steward_journal::Workstation;
use steward_journal::trail::Event;
use url::Url;

use super::answer::Answer;
use super::channel::{AlertChannel, AlertSettings, ChannelMeans, HeartbeatProtocol};
use super::desktop::Desktop;
use super::fault::{AlertFault, said_by};
use super::heartbeat::{self, Beat};
use super::message::{AlertMessage, Detail};
use super::secrets::ChannelSecrets;
use super::state::{AlertStore, OpenAlert};
use super::when::AlertAbout;
use super::{mail, slack, teams, webhook};
use crate::plan::{BackupPlan, ChannelId, PlanId};

/// Repetitions of an alert within one start of the runner, whose next start repeats it too.
const AGAIN: u32 = 2;

/// Longest wait for the desktop, whose service for notifications might hang: the other channels, and the other plans,
/// wait for it.
const DESKTOP: Duration = Duration::from_secs(10);

/// Services that the sending of alerts uses.
pub struct AlertSender<'a> {
    /// Connection of the app, and the keyring.
    pub access: &'a Access,
    /// History, which is told of each alert.
    pub history: &'a History,
    /// Policy of the organization.
    pub policy: &'a Policy,
    /// Saved channels, and the language.
    pub settings: &'a AlertSettings,
    /// Desktop.
    pub desktop: &'a dyn Desktop,
    /// Pauses between attempts.
    pub retry_policy: RetryPolicy,
}

/// Identifier of the desktop among the channels.
#[must_use]
pub fn desktop_channel() -> ChannelId {
    ChannelId("desktop".to_owned())
}

impl AlertSender<'_> {
    /// Sends an alert by the desktop and by those of these channels that did not get it yet, and returns whether all
    /// did.
    pub async fn send(
        &self,
        store: &AlertStore,
        (plan, channels): (&PlanId, &[ChannelId]),
        open: &OpenAlert,
        message: AlertMessage,
    ) -> bool {
        let message = self.completed(message).await;
        let mut reached_all = true;
        // The desktop gets no message that all is well: only channels have the option for it.
        let desktop = (open.about != AlertAbout::AllWell).then(desktop_channel);
        let channels = desktop.into_iter().chain(channels.iter().cloned());
        for id in channels {
            let before = open.channels.get(&id);
            if before == Some(&None) {
                continue;
            }
            let channel = self.settings.channels.iter().find(|channel| channel.id == id);
            // Heartbeats are sent when a run begins or ends, not with alerts.
            if channel.is_some_and(|channel| channel.means.kind() == ChannelKind::Heartbeat) {
                continue;
            }
            let ended = match channel {
                Some(channel) => {
                    let before = before.and_then(Option::as_ref);
                    self.by_channel(channel, &message, before).await
                }
                None if id == desktop_channel() => self.by_desktop(&message).await,
                None => Err(AlertFault::NotThere),
            };
            let fault = ended.err().map(|fault| still_partial(before.and_then(Option::as_ref), fault));
            // A failure of the desktop alone does not keep the alert open: a notification an hour later is of no use.
            reached_all &= fault.is_none() || id == desktop_channel();
            store.note(plan, &id, fault.clone());
            // The audit trail gets a failure once, and not with each hourly attempt.
            if fault.is_none() || before.is_none() {
                self.record(&message, channel, fault.as_ref()).await;
            }
        }
        reached_all
    }

    /// Tries a channel, and returns why nothing arrived.
    ///
    /// # Errors
    /// [`AlertFault`], with the words of the receiver.
    pub(super) async fn test(
        &self,
        channel: &AlertChannel,
        secrets: &ChannelSecrets,
    ) -> Result<(), AlertFault> {
        let message = self.completed(AlertMessage::test()).await;
        self.allowed(channel)?;
        self.deliver(channel, secrets, &message, None).await
    }

    /// Tries the desktop.
    ///
    /// # Errors
    /// [`AlertFault`], with the words of the desktop.
    pub(super) async fn test_desktop(&self) -> Result<(), AlertFault> {
        self.by_desktop(&self.completed(AlertMessage::test()).await).await
    }

    /// Sends the heartbeats of a plan. A failure is only logged: the service tells when one is missing.
    pub(crate) async fn beat(&self, store: &AlertStore, plan: &BackupPlan, beat: RunBeat, run: &str) {
        let (beat, tries) = match beat {
            // No repetitions: the run waits for this request.
            RunBeat::Start => (Beat::Start, 0),
            RunBeat::End { is_as_expected: true } => (Beat::Success, self.retry_policy.tries),
            RunBeat::End { is_as_expected: false } => (Beat::Failure, self.retry_policy.tries),
        };
        let of_plan = self.settings.channels.iter().filter(|channel| plan.alerts.contains(&channel.id));
        for channel in of_plan.filter(|channel| channel.means.kind() == ChannelKind::Heartbeat) {
            let head = self.history.trail_head().await.unwrap_or_default();
            let sent = async {
                self.allowed(channel)?;
                let secrets = self.stored(channel).await?;
                self.heartbeat(channel, &secrets, beat, (run, &head), tries).await
            };
            let fault = sent.await.err();
            if let Some(fault) = &fault {
                tracing::warn!(channel = channel.name, ?fault, "a heartbeat was not sent");
            }
            store.note_last(&channel.id, fault);
        }
    }

    async fn completed(&self, mut message: AlertMessage) -> AlertMessage {
        message.computer = Workstation::this().computer.clone();
        message.head = self.history.trail_head().await.unwrap_or_default();
        message
    }

    async fn by_desktop(&self, message: &AlertMessage) -> Result<(), AlertFault> {
        show(self.policy, self.settings, self.desktop, message).await
    }

    async fn by_channel(
        &self,
        channel: &AlertChannel,
        message: &AlertMessage,
        before: Option<&AlertFault>,
    ) -> Result<(), AlertFault> {
        self.allowed(channel)?;
        let secrets = self.stored(channel).await?;
        self.deliver(channel, &secrets, message, before).await
    }

    fn allowed(&self, channel: &AlertChannel) -> Result<(), AlertFault> {
        let is_allowed = self.policy.allows_alerts_by(channel.means.kind(), &channel.means.host());
        is_allowed.then_some(()).ok_or(AlertFault::NotAllowed)
    }

    async fn stored(&self, channel: &AlertChannel) -> Result<ChannelSecrets, AlertFault> {
        let stored = ChannelSecrets::read(self.access.vault(), &channel.id).await;
        stored.map_err(|problem| AlertFault::before(&problem))?.ok_or(AlertFault::NotThere)
    }

    async fn deliver(
        &self,
        channel: &AlertChannel,
        secrets: &ChannelSecrets,
        message: &AlertMessage,
        before: Option<&AlertFault>,
    ) -> Result<(), AlertFault> {
        let texts = Texts::of(&self.settings.language);
        let title = message.title(&texts);
        let lines = |detail| message.lines(&texts, &TimeZone::system(), detail);
        let tries = self.retry_policy.tries.min(AGAIN);
        let address = || address_of(secrets);
        match &channel.means {
            ChannelMeans::Webhook { .. } => {
                let request = || {
                    let made =
                        webhook::request(address()?, &secrets.password, message, &title, Millis::now());
                    made.map_err(|error| ConnectionFault::Settings { said: error.to_string() }.into())
                };
                self.post(request, webhook::is_taken, tries).await
            }
            ChannelMeans::Slack { .. } => {
                let of = |detail| Ok(slack::request(address()?, &title, &lines(detail)));
                self.post(|| fitting(message, slack::LONGEST, of), slack::is_taken, tries).await
            }
            ChannelMeans::Teams { .. } => {
                let of = |detail| Ok(teams::request(address()?, &title, &lines(detail)));
                self.post(|| fitting(message, teams::LONGEST, of), teams::is_taken, tries).await
            }
            ChannelMeans::Heartbeat { .. } => {
                self.heartbeat(channel, secrets, Beat::Test, (&message.id, &message.head), tries).await
            }
            means @ ChannelMeans::Mail { .. } => {
                let http = self.http().await?;
                let mail = (title.as_str(), &lines(Detail::Whole)[..]);
                mail::deliver(&http, means, secrets.password.clone(), &message.id, mail, before).await
            }
        }
    }

    async fn heartbeat(
        &self,
        channel: &AlertChannel,
        secrets: &ChannelSecrets,
        beat: Beat,
        (run, text): (&str, &str),
        tries: u32,
    ) -> Result<(), AlertFault> {
        let ChannelMeans::Heartbeat { protocol, .. } = channel.means else { return Ok(()) };
        let address = address_of(secrets)?;
        let Some(_) = heartbeat::request(&address, protocol, beat, run, text) else { return Ok(()) };
        let request = || heartbeat::request(&address, protocol, beat, run, text).ok_or(AlertFault::NotThere);
        let is_taken = match protocol {
            HeartbeatProtocol::Healthchecks => heartbeat::is_taken_by_healthchecks,
            HeartbeatProtocol::SuccessOnly => heartbeat::is_taken,
        };
        self.post(request, is_taken, tries).await
    }

    /// Sends a request, and repeats it after a temporary failure, so that a receiver might get it twice. `is_taken`
    /// judges a response with a successful status.
    async fn post(
        &self,
        request: impl Fn() -> Result<AlertRequest, AlertFault>,
        is_taken: fn(u16, &Answer<'_>) -> bool,
        tries: u32,
    ) -> Result<(), AlertFault> {
        let http = self.http().await?;
        let mut in_vain = 0;
        loop {
            let request = request()?;
            let address = request.address.clone();
            let (fault, passes_soon) = match alerts::send(&http, request).await {
                Ok(response) => {
                    let status = response.status;
                    if matches!(status, 200..300) && is_taken(status, &Answer::read(&response.beginning)) {
                        return Ok(());
                    }
                    let said = said_by(&address, &response.beginning);
                    let passes_soon = is_busy(status, &said);
                    (AlertFault::Rejected { status: Some(status), said }, passes_soon)
                }
                Err(error) => {
                    let passes_soon = Persistence::of_client(&error) == Persistence::Temporary;
                    (AlertFault::of_client(&error), passes_soon)
                }
            };
            if !passes_soon || in_vain >= tries {
                return Err(fault);
            }
            self.retry_policy.pause(in_vain).await;
            in_vain += 1;
        }
    }

    async fn http(&self) -> Result<steward_client::Http, AlertFault> {
        self.access.connections.of_the_program().await.map_err(|problem| AlertFault::before(&problem))
    }

    async fn record(
        &self,
        message: &AlertMessage,
        channel: Option<&AlertChannel>,
        fault: Option<&AlertFault>,
    ) {
        let by = channel.map_or(ChannelKind::Desktop, |channel| channel.means.kind());
        let (plan, plan_name) = (message.plan.0.clone(), message.plan_name.clone());
        let (site, site_name) = (message.site.0.clone(), message.site_name.clone());
        let (alert, about) = (message.id.clone(), message.event().to_owned());
        let by = by.name().to_owned();
        let receiver = channel.map(|channel| channel.means.host()).unwrap_or_default();
        let event = match fault {
            None => Event::AlertSent { alert, about, plan, plan_name, site, site_name, by, receiver },
            Some(fault) => {
                let note = fault.said();
                Event::AlertNotSent { alert, about, plan, plan_name, site, site_name, by, receiver, note }
            }
        };
        self.history.append(event).await;
    }
}

/// Returns whether a receiver that did not take a request might take it a moment later. Services for heartbeats report
/// this with a successful status.
fn is_busy(status: u16, said: &str) -> bool {
    matches!(status, 408 | 429 | 500..) || said.contains("(rate limited)")
}

/// Shows an alert by the desktop, which needs neither the keyring nor the history.
pub(crate) async fn show(
    policy: &Policy,
    settings: &AlertSettings,
    desktop: &dyn Desktop,
    message: &AlertMessage,
) -> Result<(), AlertFault> {
    if !policy.allows_channel(ChannelKind::Desktop) {
        return Err(AlertFault::NotAllowed);
    }
    let texts = Texts::of(&settings.language);
    // Only the first line, which is the advice: desktops cut off longer texts.
    let body =
        message.lines(&texts, &TimeZone::system(), Detail::Whole).into_iter().next().unwrap_or_default();
    let (title, late) = (message.title(&texts), "the desktop did not respond in time");
    let shown = tokio::time::timeout(DESKTOP, desktop.show(&title, &body)).await;
    shown.unwrap_or_else(|_| Err(late.to_owned())).map_err(|said| AlertFault::NoDesktop { said })
}

/// Moment of a run that a heartbeat reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunBeat {
    /// It begins.
    Start,
    /// It ended.
    End {
        /// Whether its set is as the plan expects.
        is_as_expected: bool,
    },
}

/// Returns the request with as many entries of the list of a message as the receiver accepts.
fn fitting(
    message: &AlertMessage,
    longest: usize,
    request: impl Fn(Detail) -> Result<AlertRequest, AlertFault>,
) -> Result<AlertRequest, AlertFault> {
    let mut parts = message.longest_list();
    loop {
        let made = request(Detail::Parts(parts))?;
        let length = made.body.as_ref().map_or(0, |(_, body)| body.len());
        match parts.checked_sub(1) {
            Some(fewer) if length > longest => parts = fewer,
            _ => return Ok(made),
        }
    }
}

/// Returns the fault to store after another attempt. An attempt that fails before delivery must not erase which
/// receivers got the mail earlier.
fn still_partial(before: Option<&AlertFault>, fault: AlertFault) -> AlertFault {
    match before {
        Some(partial) if partial.is_partial() && !fault.is_partial() => partial.clone(),
        _ => fault,
    }
}

fn address_of(secrets: &ChannelSecrets) -> Result<Url, AlertFault> {
    // The error of the parser does not contain the address, which is a secret.
    Url::parse(&secrets.address).map_err(|error| ConnectionFault::Settings { said: error.to_string() }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::message::{AlertExpiry, AlertPart};
    use crate::set::{PartFault, PartState};

    #[tokio::test(start_paused = true)]
    async fn a_desktop_that_does_not_respond_is_not_waited_for() {
        struct Hangs;
        impl Desktop for Hangs {
            fn show<'a>(
                &'a self,
                _: &'a str,
                _: &'a str,
            ) -> std::pin::Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
                Box::pin(std::future::pending())
            }
        }
        let (policy, settings, message) = (Policy::default(), AlertSettings::default(), AlertMessage::test());
        let shown = show(&policy, &settings, &Hangs, &message);
        let shown = tokio::time::timeout(Duration::from_mins(1), shown).await;
        assert!(matches!(shown, Ok(Err(AlertFault::NoDesktop { .. }))), "{shown:?}");
    }

    fn message(parts: usize, reason: &str) -> AlertMessage {
        let failed = || PartState::Failed { fault: PartFault::Rejected, note: reason.to_owned() };
        let part = |number| AlertPart { name: format!("Server {number}"), state: failed() };
        AlertMessage { parts: (0..parts).map(part).collect(), ..AlertMessage::test() }
    }

    #[test]
    fn those_who_got_a_mail_stay_known_when_the_next_attempt_fails_before_its_delivery() {
        let partial = || AlertFault::SomeReceivers { refused: Vec::new(), reached: Vec::new() };
        let early = || AlertFault::NotAllowed;
        assert_eq!(still_partial(Some(&partial()), early()), partial());
        assert_eq!(still_partial(Some(&early()), partial()), partial());
        assert_eq!(still_partial(None, early()), early());
    }

    #[test]
    fn a_message_about_much_that_expires_fits_each_channel_and_counts_what_it_leaves_out() {
        let expiry = |number| AlertExpiry {
            text: format!("License {number} expires on 2027-06-30 (UTC)"),
            stops: "Services of the server stop when it expires".to_owned(),
            day: "2027-06-30".to_owned(),
            expires_at: "2027-06-30T00:00:00Z".to_owned(),
        };
        let message = AlertMessage { expires: (0..300).map(expiry).collect(), ..AlertMessage::test() };
        let texts = Texts::of("en");
        let address = Url::parse("https://hooks.example.org/x").unwrap();
        let lines = |detail| message.lines(&texts, &TimeZone::UTC, detail);
        let slack = |detail| Ok(slack::request(address.clone(), "Expires", &lines(detail)));

        let (_, body) = fitting(&message, slack::LONGEST, slack).unwrap().body.unwrap();

        assert!(body.len() <= slack::LONGEST, "{}", body.len());
        let body = String::from_utf8(body).unwrap();
        let shown = body.matches("License ").count();
        assert!(shown > 0 && body.contains(&format!("And {} more", 300 - shown)), "{body}");
        assert_eq!(lines(Detail::Whole).iter().filter(|line| line.contains("License ")).count(), 300);
    }

    #[test]
    fn a_message_about_many_failed_servers_fits_each_channel_and_counts_those_that_it_leaves_out() {
        // A reason that is twice as long as text of JSON, and again as Markdown.
        let reason = "[\"*_\\".repeat(1_200);
        let texts = Texts::of("en");
        let address = Url::parse("https://hooks.example.org/x").unwrap();
        for (parts, title) in [(6, "Failed".to_owned()), (60, "n".repeat(200))] {
            let message = message(parts, &reason);
            let lines = |detail| message.lines(&texts, &TimeZone::UTC, detail);
            let slack = |detail| Ok(slack::request(address.clone(), &title, &lines(detail)));
            let teams = |detail| Ok(teams::request(address.clone(), &title, &lines(detail)));
            for (longest, made) in [
                (slack::LONGEST, fitting(&message, slack::LONGEST, slack)),
                (teams::LONGEST, fitting(&message, teams::LONGEST, teams)),
            ] {
                let (_, body) = made.unwrap().body.unwrap();
                assert!(body.len() <= longest, "{} of {longest}", body.len());
                let body = String::from_utf8(body).unwrap();
                let shown = (0..parts).filter(|number| body.contains(&format!("Server {number}:"))).count();
                assert!(shown > 0 && (shown == parts || body.contains("more")), "{shown} of {parts}");
            }
            let whole = message.lines(&texts, &TimeZone::UTC, Detail::Whole).join("");
            assert!(whole.contains(&reason) && !whole.contains("more"), "mail has all of it");
        }
    }
}
