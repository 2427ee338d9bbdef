//! Heartbeats of a plan: requests to a service that sends an alert when one is missing, also when this computer is off.

use steward_client::alerts::AlertRequest;
use url::Url;

use super::answer::Answer;
use super::channel::HeartbeatProtocol;

/// Event that a heartbeat reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beat {
    /// A run begins.
    Start,
    /// The set is as the plan expects.
    Success,
    /// The run left no set, or none as the plan expects.
    Failure,
    /// Nothing: a user tests the channel.
    Test,
}

/// Returns whether a Healthchecks service took a heartbeat. It returns `Created` for a new check, and `OK (not found)`
/// or `OK (rate limited)` with the same status as `OK` if it did not take it.
pub(super) fn is_taken_by_healthchecks(_: u16, answer: &Answer<'_>) -> bool {
    answer.is_one_of(&["ok", "created"])
}

/// Returns whether another service took a heartbeat. Each has its own text of success, so that any text counts unless
/// it begins like a refusal of Healthchecks.
pub(super) fn is_taken(_: u16, answer: &Answer<'_>) -> bool {
    match answer {
        Answer::Page | Answer::No => false,
        Answer::Empty | Answer::Yes | Answer::Json => true,
        Answer::Words(words) => !words.to_ascii_lowercase().starts_with("ok ("),
    }
}

/// Returns the request; `None` if the protocol has none for `beat`. By `run`, the service matches the end of a run with
/// its start.
pub(super) fn request(
    address: &Url,
    protocol: HeartbeatProtocol,
    beat: Beat,
    run: &str,
    text: &str,
) -> Option<AlertRequest> {
    let mut address = address.clone();
    if protocol == HeartbeatProtocol::SuccessOnly {
        let is_said = matches!(beat, Beat::Success | Beat::Test);
        return is_said.then_some(AlertRequest { address, headers: Vec::new(), body: None });
    }
    let action = match beat {
        Beat::Start => Some("start"),
        Beat::Success => None,
        Beat::Failure => Some("fail"),
        // Healthchecks lists such a request, which does not change the state of the check.
        Beat::Test => Some("log"),
    };
    if let Ok(mut path) = address.path_segments_mut() {
        path.pop_if_empty().extend(action);
    }
    address.query_pairs_mut().append_pair("rid", run);
    let body = text.as_bytes().to_vec();
    Some(AlertRequest { address, headers: Vec::new(), body: Some(("text/plain; charset=utf-8", body)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_extended_as_the_service_documents_it() {
        let of = |address: &str, beat| {
            let address = Url::parse(address).unwrap();
            let request = request(&address, HeartbeatProtocol::Healthchecks, beat, "r", "text").unwrap();
            request.address.to_string()
        };
        assert_eq!(
            of("https://hc.example.org/ping/1-2", Beat::Start),
            "https://hc.example.org/ping/1-2/start?rid=r"
        );
        assert_eq!(
            of("https://hc.example.org/ping/1-2/", Beat::Success),
            "https://hc.example.org/ping/1-2?rid=r"
        );
        assert_eq!(
            of("https://hc.example.org/key/slug?create=1", Beat::Failure),
            "https://hc.example.org/key/slug/fail?create=1&rid=r"
        );
    }

    #[test]
    fn a_service_that_only_knows_success_hears_of_nothing_else() {
        let address = Url::parse("https://push.example.org/api/push/1?status=up").unwrap();
        let of = |beat| request(&address, HeartbeatProtocol::SuccessOnly, beat, "r", "text");
        assert!(of(Beat::Start).is_none() && of(Beat::Failure).is_none());
        let success = of(Beat::Success).unwrap();
        assert_eq!(success.address, address);
        assert!(success.body.is_none());
    }
}
