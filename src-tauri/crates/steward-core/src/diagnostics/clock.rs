//! The site's clock against ours. Tokens and invitations end by the site's.

use std::time::Duration;

use steward_client::Area;

use super::check_result::{Advice, Check, FactName, Finding, State};
use crate::host::Host;
use crate::model::problem::Problem;
use crate::sites::Site;

/// More than this is noticed where a token is about to end.
const NOTICEABLE: Duration = Duration::from_secs(60);

/// More than this, and fresh tokens are refused.
const TOO_MUCH: Duration = Duration::from_secs(5 * 60);

/// One finding, where there is a site to ask.
pub(super) async fn examine(host: &Host, site: Option<&Site>) -> Option<Finding> {
    let site = site?;
    let mut finding = Finding::new(Check::Clock);
    for area in [host.portal_address(site).await, host.server_address(site).await] {
        finding = match area {
            // The site has none of this kind.
            Err(Problem::NoAddress { .. }) => finding,
            Err(problem) => finding
                .fact(FactName::Said, crate::model::problem::words(&problem))
                .say(State::Trouble, Advice::SiteSilent),
            Ok(area) => of(finding, &area).await,
        };
    }
    Some(finding)
}

async fn of(finding: Finding, area: &Area) -> Finding {
    let asked = finding.facts.len();
    let mut finding = finding.fact(FactName::Site, area.root().origin().ascii_serialization());
    // Portal and server at one address show one clock, which is said once.
    let said_already = finding.facts.len() == asked;
    let clock = match area.clock().await {
        Ok(Some(clock)) => clock,
        Ok(None) => return finding.say(State::Advice, Advice::SiteWithoutClock),
        Err(error) => {
            return finding
                .fact(FactName::Said, crate::model::problem::causes(&error))
                .say(State::Trouble, Advice::SiteSilent);
        }
    };
    if !said_already {
        finding = finding
            .moment(FactName::SiteTime, clock.time)
            .span(FactName::SiteAhead, clock.ahead.as_millis())
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
