//! Checks the clock of the site against the local one. Tokens and invitations expire by the clock of the site.

use std::time::Duration;

use steward_client::Endpoint;

use super::check_result::{Advice, Check, CheckResult, FactName, State};
use crate::access::Access;
use crate::model::problem::Problem;
use crate::sites::Site;

/// Difference that is noticeable when a token is about to expire.
const NOTICEABLE: Duration = Duration::from_secs(60);

/// Difference above which new tokens are rejected.
const TOO_MUCH: Duration = Duration::from_secs(5 * 60);

/// Returns the result; `None` without a site.
pub(super) async fn check(access: &Access, site: Option<&Site>) -> Option<CheckResult> {
    let site = site?;
    let mut finding = CheckResult::new(Check::Clock);
    let mut endpoints = vec![access.portal_address(site).await];
    for server in &site.servers {
        endpoints.push(access.address_of(site, server).await);
    }
    for endpoint in endpoints {
        finding = match endpoint {
            // The site does not have this component.
            Err(Problem::NoAddress { .. }) => finding,
            Err(problem) => finding
                .fact(FactName::Said, crate::model::problem::as_text(&problem))
                .say(State::Trouble, Advice::SiteSilent),
            Ok(endpoint) => of(finding, &endpoint).await,
        };
    }
    Some(finding)
}

async fn of(finding: CheckResult, endpoint: &Endpoint) -> CheckResult {
    let asked = finding.facts.len();
    let mut finding = finding.fact(FactName::Site, endpoint.root().origin().ascii_serialization());
    // A portal and server at one address have one clock, which is reported once.
    let said_already = finding.facts.len() == asked;
    let clock = match endpoint.clock().await {
        Ok(Some(clock)) => clock,
        Ok(None) => return finding.say(State::Advice, Advice::SiteWithoutClock),
        Err(error) => {
            return finding
                .fact(FactName::Said, crate::model::problem::causes(&error))
                .say(State::Trouble, Advice::SiteSilent);
        }
    };
    if !said_already {
        let ahead = clock.ahead.as_millis();
        let difference = if ahead < 0 { FactName::SiteBehind } else { FactName::SiteAhead };
        finding = finding
            .moment(FactName::SiteTime, clock.time)
            .span(difference, ahead.abs())
            .span(FactName::Uncertainty, clock.uncertainty.as_millis());
    }
    if clock.differs_by_more_than(TOO_MUCH) {
        finding.say(State::Trouble, Advice::SetClock)
    } else if clock.differs_by_more_than(NOTICEABLE) {
        finding.say(State::Advice, Advice::SetClock)
    } else {
        finding
    }
}
