//! Judges whether a site is back, by what was read of it and when. Sends nothing.

use std::cmp::Ordering;

use steward_client::listing::{IndexCount, ValidatedServer, Validity};

use super::facts::{
    ComponentReading, ContentReading, Federated, NotRead, PortalReading, Read, ServicesReading, SiteReading,
};
use super::orphans;
use super::progress::IndexProgress;
use crate::model::numbers::{Millis, count};
use crate::model::site_proof::{
    IndexedEntries, OpenPart, ProofAbout, ProofLine, ProofState, SiteProof, WhyOpen,
};
use crate::operations::find_items::validation::Verdict;

/// Time after an import in which services start and servers become valid by themselves, and what the site did not return might
/// be returned next.
const SETTLING: i64 = 15 * 60_000;

/// Time without growth after which a search index is not expected to grow. After an import, portals need up to 3 hours.
const STANDSTILL: i64 = 30 * 60_000;

/// Maximum number of open parts that a line names; the others are counted.
const NAMED: usize = 100;

/// Times that the judgment depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moments {
    /// Time of the check.
    pub(super) now: Millis,
    /// Time when the import ended; `None` for a check without one.
    pub(super) import_ended: Option<Millis>,
    /// Time of the first check.
    pub(super) begun: Millis,
}

impl Moments {
    /// Returns whether problems might still disappear by themselves.
    pub(super) fn is_settling(&self) -> bool {
        self.import_ended.is_some_and(|ended| self.now.0 - ended.0 < SETTLING)
    }

    /// Returns whether a service that is starting is still expected to start.
    fn may_be_starting(&self) -> bool {
        self.is_settling() || self.now.0 - self.begun.0 < SETTLING
    }
}

/// Judges a site. The caller adds the recovery time: it needs the start of the import.
pub(super) fn judge(reading: &SiteReading, moments: Moments, progress: Option<IndexProgress>) -> SiteProof {
    let mut lines = vec![answers(&reading.components), token(&reading.token)];
    lines.extend(services(&reading.components, moments));
    lines.extend(data_stores(&reading.components));
    lines.extend(reading.content.as_ref().map(content));
    if let Some(portal) = &reading.portal {
        let index = search_index(&portal.index, moments, progress);
        let federation = federation(portal, &reading.components, moments);
        let orphans = orphans_line(portal, &reading.components, [&index, &federation]);
        lines.extend([index, federation, orphans]);
    }
    lines.sort_by_key(|line| (std::cmp::Reverse(line.state), line.about));
    let known = || reading.components.iter().filter_map(|one| one.version.as_ref().ok());
    let mut versions: Vec<String> = known().cloned().collect();
    versions.sort();
    versions.dedup();
    let is_as_before = |one: &ComponentReading| {
        !one.before.is_empty() && one.version.as_ref().is_ok_and(|version| *version == one.before)
    };
    let index = reading.portal.as_ref().and_then(|portal| portal.index.as_ref().ok());
    SiteProof {
        checked_at: moments.now,
        // Without any line, nothing has shown that the site is back.
        state: lines.iter().map(|line| line.state).max().unwrap_or(ProofState::NotKnown),
        lines,
        versions,
        is_as_before: reading.components.iter().all(is_as_before),
        index: index.and_then(|indexes| entries(indexes)),
        issued_at: reading.token.as_ref().ok().copied(),
        recovery_time: None,
        is_at_most: false,
    }
}

/// Returns a line, with the state of its worst part.
fn line(about: ProofAbout, done: usize, of: usize, mut open: Vec<OpenPart>) -> ProofLine {
    open.sort_by_key(|part| std::cmp::Reverse(part.state));
    let state = open.first().map_or(ProofState::Done, |part| part.state);
    let more = count(open.len().saturating_sub(NAMED));
    open.truncate(NAMED);
    ProofLine { about, state, done: count(done), of: count(of), open, more }
}

fn part(state: ProofState, server: Option<&str>, name: &str, why: WhyOpen) -> OpenPart {
    OpenPart { state, server: server.map(ToOwned::to_owned), name: name.to_owned(), why }
}

fn not_read(server: Option<&str>, name: &str, reason: &NotRead) -> OpenPart {
    part(ProofState::NotKnown, server, name, reason.why())
}

fn answers(components: &[ComponentReading]) -> ProofLine {
    let open: Vec<_> = components
        .iter()
        .filter_map(|one| {
            let server = one.server.as_deref();
            match &one.version {
                Err(reason) => Some(not_read(server, "", reason)),
                Ok(version) if version.is_empty() => {
                    Some(not_read(server, "", &NotRead::missing("the response contains no version")))
                }
                Ok(version) if !one.before.is_empty() && *version != one.before => {
                    let (before, now) = (one.before.clone(), version.clone());
                    Some(part(ProofState::Wrong, server, "", WhyOpen::OtherVersion { before, now }))
                }
                Ok(_) => None,
            }
        })
        .collect();
    line(ProofAbout::Answers, components.len() - open.len(), components.len(), open)
}

fn token(token: &Read<Millis>) -> ProofLine {
    let open: Vec<_> = token.as_ref().err().map(|reason| not_read(None, "", reason)).into_iter().collect();
    line(ProofAbout::SignIn, 1 - open.len(), 1, open)
}

fn services(components: &[ComponentReading], moments: Moments) -> Option<ProofLine> {
    let (mut done, mut of, mut open, mut has_servers) = (0, 0, Vec::new(), false);
    for one in components {
        let server = one.server.as_deref();
        let Some(services) = &one.services else { continue };
        has_servers = true;
        let check = match services {
            Ok(services) => &services.check,
            Err(reason) => {
                open.push(not_read(server, "", reason));
                continue;
            }
        };
        done += check.running as usize;
        of += check.should_run as usize;
        open.extend(check.not_running.iter().map(|service| {
            let may_start = match service.state.as_str() {
                "STARTING" => moments.may_be_starting(),
                // A service that failed does not start by itself.
                "FAILED" => false,
                _ => moments.is_settling(),
            };
            let state = if may_start { ProofState::NotYet } else { ProofState::Wrong };
            part(state, server, &service.service, WhyOpen::NotRunning { state: service.state.clone() })
        }));
        if check.unknown > 0 {
            let why = WhyOpen::StatesUnknown { count: check.unknown };
            open.push(part(ProofState::NotKnown, server, "", why));
        }
        let unlisted = check.unlisted.iter();
        open.extend(
            unlisted.map(|folder| part(ProofState::NotKnown, server, folder, WhyOpen::FolderUnlisted)),
        );
    }
    has_servers.then(|| line(ProofAbout::Services, done, of, open))
}

fn data_stores(components: &[ComponentReading]) -> Option<ProofLine> {
    let (mut done, mut of, mut open, mut has_servers) = (0, 0, Vec::new(), false);
    for one in components {
        let server = one.server.as_deref();
        let Some(data) = &one.data else { continue };
        has_servers = true;
        let data = match data {
            Ok(data) => data,
            Err(reason) => {
                open.push(not_read(server, "", reason));
                continue;
            }
        };
        done += data.valid as usize;
        of += data.items as usize;
        open.extend(data.open.iter().map(|item| {
            let message = item.reason.clone();
            let (state, why) = match item.verdict {
                Verdict::Valid | Verdict::Warnings => (ProofState::Done, WhyOpen::Warned { message }),
                Verdict::Invalid => (ProofState::Wrong, WhyOpen::Invalid { message }),
                Verdict::NotValidated => {
                    (ProofState::NotKnown, WhyOpen::NotReturned { message, may_pass: false })
                }
            };
            part(state, server, &item.path, why)
        }));
        if data.left_out > 0 {
            open.push(part(ProofState::NotKnown, server, "", WhyOpen::NotValidated { count: data.left_out }));
        }
        open.extend(data.unlisted.iter().map(|(root, reason)| not_read(server, root, reason)));
    }
    has_servers.then(|| line(ProofAbout::DataStores, done, of, open))
}

fn content(content: &Read<ContentReading>) -> ProofLine {
    let about = ProofAbout::Content;
    let content = match content {
        Ok(content) => content,
        Err(reason) => return line(about, 0, 0, vec![not_read(None, "", reason)]),
    };
    let wrong = |name: &str, why| part(ProofState::Wrong, content.server.as_deref(), name, why);
    let missing = content.missing.iter().map(|path| wrong(path, WhyOpen::NotImported));
    let differing = content
        .differing
        .iter()
        .map(|(name, found, expected)| wrong(name, WhyOpen::Counted { found: *found, expected: *expected }));
    line(about, 0, 0, missing.chain(differing).collect())
}

/// Names of each index. That of the items has one of two names.
const INDEXES: [&[&str]; 3] = [&["search", "items"], &[USERS], &["groups"]];

const USERS: &str = "users";

/// Returns an index by its names. If several match, one that is not known to be complete is preferred.
fn index_of<'i>(indexes: &'i [IndexCount], names: &[&str]) -> Option<&'i IndexCount> {
    let mut named = indexes.iter().filter(|index| names.contains(&index.name.as_str()));
    let first = named.clone().next();
    named.find(|index| index.beside_database() != Some(Ordering::Equal)).or(first)
}

/// Returns whether the search finds all items: every index is complete, by the same rule as in the line of the search
/// index.
pub(super) fn are_complete(indexes: &[IndexCount]) -> bool {
    INDEXES.iter().all(|names| matches!(counts_of(indexes, names), Ok((indexed, total)) if indexed == total))
}

/// Returns the number of entries of an index and of those in the database, or why they are not known.
fn counts_of(indexes: &[IndexCount], names: &[&str]) -> Result<(u32, u32), NotRead> {
    let found = index_of(indexes, names);
    let counts = found.and_then(|index| index.index.zip(index.database));
    match counts {
        None => Err(NotRead::missing("the response contains no count of the index")),
        // The database lacks even the user who is signed in: it is not complete yet.
        Some((_, 0)) if names.contains(&USERS) => Err(NotRead::missing("the portal counts no user")),
        Some(counts) => Ok(counts),
    }
}

fn entries(indexes: &[IndexCount]) -> Option<IndexedEntries> {
    let [items, users, groups] = INDEXES.map(|names| index_of(indexes, names).and_then(|index| index.index));
    Some(IndexedEntries { items: items?, users: users?, groups: groups? })
}

/// Returns the total number of entries of all indexes, which shows the growth between checks.
pub(super) fn indexed(reading: &SiteReading) -> Option<u32> {
    let indexes = reading.portal.as_ref()?.index.as_ref().ok()?;
    let all = entries(indexes)?;
    Some(all.items.saturating_add(all.users).saturating_add(all.groups))
}

fn search_index(
    indexes: &Read<Vec<IndexCount>>,
    moments: Moments,
    progress: Option<IndexProgress>,
) -> ProofLine {
    let about = ProofAbout::SearchIndex;
    let indexes = match indexes {
        Ok(indexes) => indexes,
        Err(reason) => return line(about, 0, 0, vec![not_read(None, "", reason)]),
    };
    let mut open = Vec::new();
    let (mut done, mut of) = (0, 0);
    for (place, names) in INDEXES.iter().enumerate() {
        let name = names.first().copied().unwrap_or_default();
        let (indexed, total) = match counts_of(indexes, names) {
            Ok(counts) => counts,
            Err(reason) => {
                open.push(not_read(None, name, &reason));
                continue;
            }
        };
        if place == 0 {
            (done, of) = (indexed as usize, total as usize);
        }
        if indexed == total {
            continue;
        }
        let since = progress.map(|progress| progress.stands_since());
        let stands = since.filter(|since| moments.now.0 - since.0 >= STANDSTILL);
        open.push(match stands {
            Some(since) => {
                part(ProofState::Wrong, None, name, WhyOpen::StandsStill { indexed, total, since })
            }
            None => {
                let left = progress.and_then(|progress| progress.left(total.saturating_sub(indexed)));
                part(ProofState::NotYet, None, name, WhyOpen::Behind { indexed, total, left })
            }
        });
    }
    line(about, done, of, open)
}

fn federation(portal: &PortalReading, components: &[ComponentReading], moments: Moments) -> ProofLine {
    let about = ProofAbout::Federation;
    let (listed, servers) = match &portal.federation {
        Ok(federation) => (federation.listed as usize, &federation.validated),
        Err(reason) => return line(about, 0, 0, vec![not_read(None, "", reason)]),
    };
    let mut open = Vec::new();
    let mut valid = 0;
    for server in servers {
        let message = server.messages.last().cloned().unwrap_or_default();
        let name = name_of(server);
        match server.validity {
            Validity::Valid => valid += 1,
            Validity::Warnings => {
                valid += 1;
                open.push(part(ProofState::Done, None, &name, WhyOpen::Warned { message }));
            }
            Validity::Invalid => {
                let state = if moments.is_settling() { ProofState::NotYet } else { ProofState::Wrong };
                open.push(part(state, None, &name, WhyOpen::Invalid { message }));
            }
            Validity::NotKnown => {
                let why = WhyOpen::NotReturned { message, may_pass: true };
                open.push(part(ProofState::NotKnown, None, &name, why));
            }
        }
    }
    if servers.len() < listed {
        let why = WhyOpen::ServersMissing { count: count(listed - servers.len()) };
        open.push(part(ProofState::NotKnown, None, "", why));
    }
    // A portal that lost its federation validates no server, so the servers are looked at as well.
    let mut lost = 0;
    for one in components {
        let Some(Ok(services)) = &one.services else { continue };
        let (state, why) = match &services.is_federated {
            Federated::Yes | Federated::No => continue,
            Federated::Lost => (ProofState::Wrong, WhyOpen::NotFederated),
            Federated::NotKnown(reason) => (ProofState::NotKnown, reason.why()),
        };
        lost += 1;
        open.push(part(state, one.server.as_deref(), "", why));
    }
    line(about, valid, listed + lost, open)
}

fn name_of(server: &ValidatedServer) -> String {
    let address = server.admin_url.trim_end_matches('/');
    let address = address.strip_suffix("/admin").unwrap_or(address);
    let shown = address.split_once("://").map_or(address, |(_, rest)| rest);
    if shown.is_empty() { server.id.clone() } else { shown.to_owned() }
}

/// `before` are the lines of search index and federation, which must be done first: with an incomplete index, items
/// seem to be missing.
fn orphans_line(
    portal: &PortalReading,
    components: &[ComponentReading],
    before: [&ProofLine; 2],
) -> ProofLine {
    let about = ProofAbout::Orphans;
    let [index, federation] = before;
    let unclear = match (index.state, federation.state) {
        (ProofState::NotYet, _) => Some((ProofState::NotYet, ProofAbout::SearchIndex)),
        (_, ProofState::NotYet) => Some((ProofState::NotYet, ProofAbout::Federation)),
        (ProofState::NotKnown | ProofState::Wrong, _) => {
            Some((ProofState::NotKnown, ProofAbout::SearchIndex))
        }
        (ProofState::Done, _) => None,
    };
    if let Some((state, other)) = unclear {
        return line(about, 0, 0, vec![part(state, None, "", WhyOpen::WaitsFor { about: other })]);
    }
    let (items, gap) = match &portal.items {
        Ok((items, gap)) => (items, gap),
        Err(reason) => return line(about, 0, 0, vec![not_read(None, "", reason)]),
    };
    let mut open = Vec::new();
    // Without the list of federated servers, it is not known which of them the items belong to.
    open.extend(portal.listed.as_ref().err().map(|reason| not_read(None, "", reason)));
    open.extend(gap.as_ref().map(|gap| not_read(None, "", &NotRead::of_gap(gap))));
    let waits = |state, server, about| part(state, server, "", WhyOpen::WaitsFor { about });
    let not_known = ProofState::NotKnown;
    let mut servers: Vec<(Option<&str>, &ServicesReading)> = Vec::new();
    for one in components {
        let server = one.server.as_deref();
        match &one.services {
            Some(Ok(services)) => match services.is_federated {
                Federated::Yes if services.check.unlisted.is_empty() => servers.push((server, services)),
                Federated::Yes => open.push(waits(not_known, server, ProofAbout::Services)),
                // Items of this server are not compared.
                Federated::Lost => open.push(waits(ProofState::Wrong, server, ProofAbout::Federation)),
                Federated::NotKnown(_) => open.push(waits(not_known, server, ProofAbout::Federation)),
                Federated::No => {}
            },
            Some(Err(_)) => open.push(waits(not_known, server, ProofAbout::Services)),
            None => {}
        }
    }
    let readings: Vec<&ServicesReading> = servers.iter().map(|(_, services)| *services).collect();
    let found = orphans::of(items, &readings);
    let server = |number: usize| servers.get(number).and_then(|(server, _)| *server);
    let of_items = found
        .items
        .iter()
        .map(|(item, number)| (&item.title, *number, WhyOpen::NoService { item: item.id.clone() }));
    let of_services = found.services.iter().map(|(path, number)| (path, *number, WhyOpen::NoItem));
    let orphans = found.items.len() + found.services.len();
    open.extend(
        of_items
            .chain(of_services)
            .map(|(name, number, why)| part(ProofState::Wrong, server(number), name, why)),
    );
    line(about, found.compared - orphans, found.compared, open)
}

#[cfg(test)]
mod tests;
