//! Checks the proxy settings, and reports the route to a site.

use steward_client::{SystemProxy, system_proxy};

use super::check_result::{Advice, Check, CheckResult, FactName, FactWords, State};
use crate::sites::{ConnectionRoute, Site};

/// Environment variables with proxy settings, in order of precedence.
const VARIABLES: [&str; 6] =
    ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/// Returns the result. `site` includes the route to it.
pub(super) fn check(site: Option<(&Site, ConnectionRoute)>) -> CheckResult {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let mut finding = CheckResult::new(Check::Proxy);
    for name in VARIABLES {
        if let Some(value) = set(name) {
            finding =
                finding.fact(FactName::Variables, format_args!("{name}={}", without_credentials(&value)));
        }
    }
    if let Some(exceptions) = set("NO_PROXY").or_else(|| set("no_proxy")) {
        finding = finding.fact(FactName::Exceptions, exceptions);
    }
    let Some((site, route)) = site else { return finding };
    for url in site.addresses() {
        let to = url.origin().ascii_serialization();
        let way = match &route {
            ConnectionRoute::System => system_proxy(url),
            ConnectionRoute::Direct => {
                finding = finding.wording(FactName::WayToSite, FactWords::DirectBySettings, to);
                continue;
            }
            ConnectionRoute::Proxy { address, user, .. } => {
                SystemProxy::Through { proxy: address.clone(), with_credentials: !user.is_empty() }
            }
        };
        finding = match &way {
            SystemProxy::ThisComputer => finding.wording(FactName::WayToSite, FactWords::ThisComputer, to),
            SystemProxy::Direct => finding.wording(FactName::WayToSite, FactWords::Direct, to),
            SystemProxy::Through { proxy, with_credentials: false } => {
                finding.fact(FactName::WayToSite, format_args!("{to}: {proxy}"))
            }
            SystemProxy::Through { proxy, with_credentials: true } => {
                let to = format!("{to}: {proxy}");
                finding.wording(FactName::WayToSite, FactWords::ThroughWithPassword, to)
            }
        };
        // The HTTP library ignores an invalid proxy, and connects directly.
        let faulty = || VARIABLES.iter().filter_map(|name| set(name)).any(|value| !is_address(&value));
        if matches!(way, SystemProxy::Direct) && faulty() {
            finding = finding.say(State::Advice, Advice::CheckProxy);
        }
    }
    finding
}

/// Parses the URL of a proxy. `proxy:3128` without a scheme is valid, as in the HTTP library.
fn address(value: &str) -> Option<url::Url> {
    let whole = if value.contains("://") { value.to_owned() } else { format!("http://{value}") };
    url::Url::parse(&whole).ok().filter(url::Url::has_host)
}

fn is_address(value: &str) -> bool {
    address(value).is_some()
}

/// Returns the URL of a proxy without its user name and password.
fn without_credentials(value: &str) -> String {
    match address(value) {
        Some(url) => {
            let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
            let hidden = if url.username().is_empty() && url.password().is_none() { "" } else { "***@" };
            format!("{}://{hidden}{}{port}", url.scheme(), url.host_str().unwrap_or_default())
        }
        // An invalid value might contain a password.
        None => "***, which is no address".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_of_a_proxy_is_not_shown_however_it_is_written() {
        for (given, shown) in [
            ("http://sam:cAnArY@proxy.example.org:3128", "http://***@proxy.example.org:3128"),
            ("sam:cAnArY@proxy.example.org:3128", "http://***@proxy.example.org:3128"),
            ("cAnArY@proxy.example.org", "http://***@proxy.example.org"),
            ("http://proxy.example.org:3128/?token=cAnArY", "http://proxy.example.org:3128"),
            ("http://sam:cAn/ArY@proxy:3128", "***, which is no address"),
            ("http://[cAnArY", "***, which is no address"),
        ] {
            assert_eq!(without_credentials(given), shown, "{given}");
        }
    }
}
