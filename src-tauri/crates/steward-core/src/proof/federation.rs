//! Pairs the servers that a portal lists with those that it validated.

use steward_client::discovery::ListedServer;
use steward_client::listing::{ValidatedServer, Validity};
use url::Url;

use super::facts::{FederationReading, NotRead};
use crate::model::numbers::count;

/// Pairs the servers that the portal lists with the results of its validation: by identifier, or by administration URL.
///
/// Of several results for one server, the worst counts.
///
/// # Errors
/// [`NotRead`] if the portal validated a server that it does not list.
pub(super) fn paired(
    listed: &[ListedServer],
    validated: Vec<ValidatedServer>,
) -> Result<FederationReading, NotRead> {
    let mut pairs: Vec<(&ListedServer, Option<ValidatedServer>)> = Vec::new();
    for server in listed {
        if !pairs.iter().any(|(other, _)| is_same(other, server)) {
            pairs.push((server, None));
        }
    }
    let mut unnamed = Vec::new();
    for result in validated {
        let url = Url::parse(&result.admin_url).ok();
        let is_of = |server: &ListedServer| {
            (!result.id.is_empty() && server.id == result.id)
                || url.as_ref().is_some_and(|url| server.is_at(url))
        };
        match pairs.iter_mut().find(|(server, _)| is_of(server)) {
            Some((_, found)) if found.as_ref().is_none_or(|before| weight(before) < weight(&result)) => {
                *found = Some(result);
            }
            Some(_) => {}
            None => unnamed.push(result),
        }
    }
    // Without identifiers, only the number of the results can be compared.
    let mut unpaired = pairs.iter_mut().filter(|(server, found)| server.id.is_empty() && found.is_none());
    for result in unnamed {
        let Some((_, found)) = unpaired.next() else {
            return Err(NotRead::missing("the portal validated a server that it does not list"));
        };
        *found = Some(result);
    }
    let listed = count(pairs.len());
    Ok(FederationReading { listed, validated: pairs.into_iter().filter_map(|(_, result)| result).collect() })
}

fn is_same(one: &ListedServer, other: &ListedServer) -> bool {
    if one.id.is_empty() || other.id.is_empty() { one == other } else { one.id == other.id }
}

/// Returns the rank of a result: of several for one server, the highest is used.
fn weight(result: &ValidatedServer) -> u8 {
    match result.validity {
        Validity::Valid => 0,
        Validity::Warnings => 1,
        Validity::NotKnown => 2,
        Validity::Invalid => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(id: &str, host: &str) -> ListedServer {
        let url = Url::parse(&format!("https://{host}/server")).ok();
        ListedServer { id: id.to_owned(), url: url.clone(), admin_url: url, is_hosting: false }
    }

    fn result(id: &str, host: &str, validity: Validity) -> ValidatedServer {
        let admin_url = if host.is_empty() { String::new() } else { format!("https://{host}/server") };
        ValidatedServer { id: id.to_owned(), admin_url, validity, messages: Vec::new() }
    }

    #[test]
    fn a_server_that_is_validated_twice_does_not_stand_for_another_one() {
        use Validity::{Invalid, NotKnown, Valid};
        let both = [listed("a", "a.org"), listed("b", "b.org")];
        for (validated, expected) in [
            (vec![result("a", "", Valid), result("a", "", Valid)], vec![Valid]),
            (vec![result("", "a.org", Valid), result("a", "", Invalid)], vec![Invalid]),
            (vec![result("a", "", Invalid), result("a", "", Valid)], vec![Invalid]),
            (vec![result("a", "", NotKnown), result("a", "", Valid)], vec![NotKnown]),
            (vec![result("b", "", Valid), result("", "a.org", Valid)], vec![Valid, Valid]),
        ] {
            let found = paired(&both, validated.clone()).unwrap();
            assert_eq!(found.listed, 2);
            let states: Vec<_> = found.validated.iter().map(|one| one.validity).collect();
            assert_eq!(states, expected, "{validated:?}");
        }
    }

    #[test]
    fn a_server_that_is_listed_twice_counts_once_and_one_that_is_not_listed_makes_the_list_unknown() {
        let twice = [listed("a", "a.org"), listed("a", "a.org")];
        let found = paired(&twice, vec![result("a", "", Validity::Valid)]).unwrap();
        assert_eq!((found.listed, found.validated.len()), (1, 1));
        for other in [result("b", "", Validity::Valid), result("", "elsewhere.org", Validity::Valid)] {
            paired(&twice, vec![result("a", "", Validity::Valid), other]).unwrap_err();
        }
        // Without identifiers in the list.
        let unnamed = [listed("", "a.org"), listed("", "b.org")];
        let results = |number: usize| vec![result("x", "", Validity::Valid); number];
        assert_eq!(paired(&unnamed, results(1)).unwrap().validated.len(), 1);
        assert_eq!(paired(&unnamed, results(2)).unwrap().validated.len(), 2);
        paired(&unnamed, results(3)).unwrap_err();
    }
}
