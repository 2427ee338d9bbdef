//! What the window does with comparisons: shows, accepts, and saves them.

use std::collections::BTreeMap;

use anyhow::Context as _;
use serde::Serialize;
use steward_changes::{
    Accepted, Change, Comparison, Difference, FieldDifference, Gap, Held, Key, Kind, SavedSubstitution,
    Store, StoredSnapshot, Substitution,
};
use steward_client::shown;
use steward_journal::Workstation;
use steward_journal::trail::Event;

use super::by_app::Acts;
use super::compared::Question;
use super::file;
use super::recorded::{Proof, Recorded};
use super::snapshots::{Snapshots, shown_path};
use super::view::{
    AcceptedView, ChangedView, Compared, ComparisonView, DifferenceView, EqualView, FieldView, ImportView,
    NotComparedView, Side, SideView, SnapshotId, SubstitutionView,
};
use crate::files::dialogs::Title;
use crate::files::selected_paths::SelectedPaths;
use crate::files::{self, in_background};
use crate::history::ReportFormat;
use crate::model::ids::{ServerId, SiteId};
use crate::model::localized_text::UiLanguage;
use crate::model::numbers::{Millis, count};
use crate::model::problem::{FieldError, Problem};
use crate::model::saved_file::SaveResult;
use crate::site_context::SiteContext;

/// Longest reason of an acceptance, in bytes.
const LONGEST_REASON: usize = 500;

/// Most substitutions between two sides, and the longest text of one in bytes.
const MOST_SUBSTITUTIONS: usize = 100;
const LONGEST_SUBSTITUTION: usize = 500;

/// A comparison with what its file needs besides the view.
struct Compare {
    view: ComparisonView,
    /// The differing fields of each resource, in the order of the view.
    fields: Vec<Vec<FieldView>>,
    /// Both snapshots, in words.
    titles: [String; 2],
}

impl Snapshots {
    /// Returns the sites and servers of which there is a snapshot, in the order of the sites.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the snapshots cannot be read.
    pub async fn sides(&self, context: &SiteContext) -> Result<Vec<SideView>, Problem> {
        let mut all = Vec::new();
        for site in context.access.sites.all() {
            let of = site.id.0.clone();
            let snapshots = self.read(move |store| store.snapshots(&of)).await?;
            let Some(newest) = snapshots.into_iter().find(|one| one.failure.is_empty()) else { continue };
            let servers = site.servers.iter().map(|server| Some(server.id.clone()));
            for server in std::iter::once(None).chain(servers) {
                all.push(SideView {
                    site_name: site.name.clone(),
                    server_name: server.as_ref().and_then(|server| site.name_of_server(server)),
                    side: Side { site: site.id.clone(), server, snapshot: SnapshotId(newest.id) },
                    at: Millis(newest.at),
                });
            }
        }
        Ok(all)
    }

    /// Returns the imports and upgrades of a site that have a snapshot before and after them, newest first.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the snapshots or the history cannot be read, or the site is not saved.
    pub async fn imports(&self, context: &SiteContext, site: &SiteId) -> Result<Vec<ImportView>, Problem> {
        let saved = context.access.sites.get(site)?;
        let of = site.0.clone();
        let read = move |store: &Store| Ok((store.snapshots(&of)?, store.changed(&of, Kind::Versions)?));
        let (mut taken, upgraded) = self.read(read).await?;
        taken.retain(|one| one.failure.is_empty());
        let Some(oldest) = taken.last() else { return Ok(Vec::new()) };
        let acts = Acts::since(&context.history, site, Millis(oldest.at)).await?;
        let view = |by, server: &str, before: &StoredSnapshot, after: &StoredSnapshot| {
            let name =
                || saved.name_of_server(&ServerId(server.to_owned())).unwrap_or_else(|| server.to_owned());
            let server = (!server.is_empty()).then(name);
            ImportView { by, server, before: SnapshotId(before.id), after: SnapshotId(after.id) }
        };
        // Snapshots are newest first.
        let imports = acts.imports().filter_map(|(by, server, [began, ended])| {
            let before = taken.iter().find(|one| one.ended_at <= began)?;
            let after = taken.iter().rev().find(|one| one.at >= ended)?;
            Some(view(Some(by), server, before, after))
        });
        let upgrades = upgraded.iter().filter_map(|(server, first)| {
            let before = taken.iter().find(|one| one.id < *first)?;
            Some(view(None, server, before, taken.iter().find(|one| one.id == *first)?))
        });
        let mut found: Vec<_> = imports.chain(upgrades).collect();
        found.sort_by_key(|one| std::cmp::Reverse(one.after));
        Ok(found)
    }

    /// Returns what changed on each portal or server of a site since its first snapshot, without what is accepted; nothing without two
    /// snapshots.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the snapshots cannot be read, or the site is not saved.
    pub async fn changed_since_accepted(
        &self,
        context: &SiteContext,
        site: &SiteId,
    ) -> Result<Vec<ChangedView>, Problem> {
        let saved = context.access.sites.get(site)?;
        let of = site.0.clone();
        let mut taken = self.read(move |store| store.snapshots(&of)).await?;
        taken.retain(|one| one.failure.is_empty());
        let [newest, .., oldest] = taken.as_slice() else { return Ok(Vec::new()) };
        let [from, to] = [oldest.id, newest.id].map(SnapshotId);
        let compared = Compared::Since { site: site.clone(), from, to };
        let found = self.compare(context, &compared).await?;
        let of = |place: &str, server: Option<ServerId>| {
            let open =
                || found.differences.iter().filter(|one| one.key.place == place && one.accepted.is_none());
            let name = server.as_ref().and_then(|server| saved.name_of_server(server));
            let mut not_compared: Vec<_> = found
                .not_compared
                .iter()
                .filter(|gap| gap.server == name)
                .map(|gap| gap.resource_kind)
                .collect();
            not_compared.dedup();
            ChangedView {
                server,
                changes: count(open().count()),
                not_by_app: found
                    .is_history_known
                    .then(|| count(open().filter(|one| one.by.is_none()).count())),
                not_compared,
            }
        };
        let portal = saved.portal.iter().map(|_| of("", None));
        Ok(portal.chain(saved.servers.iter().map(|one| of(&one.id.0, Some(one.id.clone())))).collect())
    }

    /// Compares two snapshots.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if they cannot be read, or a site is not saved.
    pub async fn compare(
        &self,
        context: &SiteContext,
        compared: &Compared,
    ) -> Result<ComparisonView, Problem> {
        Ok(self.compared(context, compared).await?.view)
    }

    async fn compared(&self, context: &SiteContext, compared: &Compared) -> Result<Compare, Problem> {
        let mut question = Question::new(&context.access.sites, compared.clone())?;
        let of = match compared {
            Compared::Since { site, .. } => [site.0.clone(), site.0.clone()],
            Compared::Between { left, right } => [left.site.0.clone(), right.site.0.clone()],
        };
        let recorded = Recorded::read(&context.history).await;
        let (found, all, accepted, table, question, [changed, not_recorded]) = self
            .read(move |store| {
                let all = [store.snapshots(&of[0])?, store.snapshots(&of[1])?];
                question.learn_names(&all[1]);
                let mut input = question.read(store)?;
                let proofs: Vec<_> = std::iter::zip(question.snapshots(), input.sha256())
                    .zip(&all)
                    .map(|(((site, id), sha256), all)| (recorded.proof(site, id, sha256), taken_at(all, id)))
                    .collect();
                let that_are = |proof| -> Vec<Millis> {
                    proofs.iter().filter(|one| one.0 == proof).filter_map(|one| one.1).collect()
                };
                let [changed, not_recorded] = [Proof::Changed, Proof::NotRecorded].map(that_are);
                if let Some(first) = changed.first() {
                    let at = first.timestamp();
                    input.compare_nothing(&format!("the snapshot of {at} was changed after it was taken"));
                }
                let found = input.compare(store);
                let accepted = input.accepted(store, &question.scope(), &found)?;
                Ok((found, all, accepted, input.table, question, [changed, not_recorded]))
            })
            .await?;
        let acts = match compared {
            Compared::Between { .. } => None,
            Compared::Since { site, from, to } => {
                let since = all[1].iter().filter(|one| one.id <= from.0.min(to.0)).map(|one| one.at).max();
                let acts = Acts::since(&context.history, site, Millis(since.unwrap_or_default())).await;
                acts.inspect_err(|problem| tracing::warn!(?problem, "the history is not read")).ok()
            }
        };
        let titles = titles(context, compared, &all)?;
        let fields =
            found.differences.iter().map(|one| one.fields.iter().map(field_view).collect()).collect();
        let told = Told {
            question,
            all,
            accepted,
            acts,
            table,
            changed,
            not_recorded,
            is_between: matches!(compared, Compared::Between { .. }),
        };
        Ok(Compare { view: told.view(found), fields, titles })
    }

    /// Returns the fields of a resource that differ.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if they cannot be read, or a site is not saved.
    pub async fn fields(
        &self,
        context: &SiteContext,
        compared: &Compared,
        key: Key,
    ) -> Result<Vec<FieldView>, Problem> {
        let question = Question::new(&context.access.sites, compared.clone())?;
        self.read(move |store| {
            let found = question.read(store)?.compare_one(store, &key).differences;
            Ok(found.iter().flat_map(|one| &one.fields).map(field_view).collect())
        })
        .await
    }

    /// Accepts that a resource is as it is in the later snapshot, or as it is on both sides, with a reason; or withdraws that, without
    /// one.
    ///
    /// # Errors
    /// [`Problem::Form`] if the reason is empty, [`Problem::NotRecorded`] if the audit trail cannot be written, and [`Problem::Unexpected`] if the snapshots cannot.
    pub async fn accept(
        &self,
        context: &SiteContext,
        compared: &Compared,
        key: Key,
        reason: Option<String>,
    ) -> Result<(), Problem> {
        let question = Question::new(&context.access.sites, compared.clone())?;
        let saved = context.access.sites.get(compared.site())?;
        let mut reason = reason.map(|reason| steward_redact::text(shown(reason).trim()));
        if let Some(reason) = &mut reason {
            reason.truncate(reason.floor_char_boundary(LONGEST_REASON));
            if reason.is_empty() {
                return Err(Problem::Form { field: "reason".to_owned(), fault: FieldError::Required });
            }
        }
        let with = match compared {
            Compared::Since { .. } => String::new(),
            Compared::Between { left, .. } => {
                format!(" (other than {})", context.access.sites.get(&left.site)?.name)
            }
        };
        let event = Event::DifferenceAccepted {
            site: saved.id.0,
            site_name: saved.name,
            server: key.place.clone(),
            resource: format!("{} {}{with}", key.kind.name(), key.name),
            reason: reason.clone().unwrap_or_default(),
        };
        context.history.must_append(&[event])?;
        self.read(move |store| {
            let (value, other) = question.read(store)?.acceptance(&key);
            let accepted = reason.map(|reason| Accepted {
                value,
                other,
                reason,
                at: Millis::now().0,
                who: Workstation::this().user.clone(),
            });
            store.accept(&question.scope(), &key, accepted.as_ref())
        })
        .await
    }

    /// Keeps the texts that count as equal between two sites or servers. Does nothing for two snapshots of one site.
    ///
    /// # Errors
    /// - [`Problem::Form`] if a text is empty, or is on the left of two pairs.
    /// - [`Problem::Unexpected`] if they cannot be written, or a site is not saved.
    pub async fn save_substitutions(
        &self,
        context: &SiteContext,
        compared: &Compared,
        mut pairs: Vec<Substitution>,
    ) -> Result<(), Problem> {
        let refused = |field: &str, fault| Err(Problem::Form { field: field.to_owned(), fault });
        pairs.truncate(MOST_SUBSTITUTIONS);
        for pair in &mut pairs {
            for (text, field) in [(&mut pair.left, "left"), (&mut pair.right, "right")] {
                // No secret belongs here: those of two sites are not compared.
                *text = steward_redact::text(&shown(std::mem::take(text))).trim().to_owned();
                text.truncate(text.floor_char_boundary(LONGEST_SUBSTITUTION));
                if text.is_empty() {
                    return refused(field, FieldError::Required);
                }
            }
        }
        let is_twice = |(place, pair): (usize, &Substitution)| {
            pairs.iter().take(place).any(|other| other.left.eq_ignore_ascii_case(&pair.left))
        };
        if pairs.iter().enumerate().any(is_twice) {
            return refused("left", FieldError::NameTaken);
        }
        let question = Question::new(&context.access.sites, compared.clone())?;
        let by = Workstation::this().user.clone();
        self.read(move |store| question.save(store, pairs, (&by, Millis::now().0))).await
    }

    /// Saves a comparison to a file that the user chooses.
    ///
    /// # Errors
    /// - [`Problem::NoDialog`] if the system cannot show a file dialog.
    /// - Those of [`compare`](Self::compare).
    pub async fn save(
        &self,
        context: &SiteContext,
        dialogs: &SelectedPaths,
        language: &UiLanguage,
        compared: &Compared,
        format: ReportFormat,
    ) -> Result<SaveResult, Problem> {
        let site = context.access.sites.get(compared.site())?;
        let extension = format.extension();
        let name = files::dated_name(&format!("{} changes", site.name), Millis::now(), extension);
        let Some(path) = dialogs.save_file(Title::SaveTable, &name).await? else {
            return Ok(SaveResult::Dismissed);
        };
        let Compare { view, fields, titles: [from, to] } = self.compared(context, compared).await?;
        let rows: Vec<_> = view.differences.iter().zip(fields).collect();
        let words = language.texts();
        let content = match format {
            ReportFormat::Html => {
                let values = [("site", site.name.as_str()), ("from", from.as_str()), ("to", to.as_str())];
                let title = match compared {
                    Compared::Since { .. } => words.say("changesFile.title", &values),
                    Compared::Between { .. } => words.say("changesFile.between", &values),
                };
                file::html(&view, &rows, &title, &words).into_bytes()
            }
            ReportFormat::Csv => {
                file::csv(&view, &rows, &words).context("the changes could not be written down")?
            }
            ReportFormat::Json => json(&site.name, [&from, &to], &view, rows)?,
        };
        let result = in_background(move || files::save(&path, &content)).await?;
        if let SaveResult::Saved { file } = &result {
            let (what, about, sha256) = ("changes".to_owned(), String::new(), file.sha256.clone());
            context.history.append(Event::HistoryExported { what, about, sha256 }).await;
        }
        Ok(result)
    }
}

/// Returns both snapshots in words: their times, with the names of two sites or servers.
fn titles(
    context: &SiteContext,
    compared: &Compared,
    all: &[Vec<StoredSnapshot>; 2],
) -> Result<[String; 2], Problem> {
    let time = |all: &[StoredSnapshot], id: SnapshotId| {
        taken_at(all, id.0).map(|at| at.timestamp().to_string()).unwrap_or_default()
    };
    let side = |side: &Side, all: &[StoredSnapshot]| -> Result<String, Problem> {
        let site = context.access.sites.get(&side.site)?;
        let server = side.server.as_ref().and_then(|server| site.name_of_server(server));
        let name = [Some(site.name), server].into_iter().flatten().collect::<Vec<_>>().join(", ");
        Ok(format!("{name} ({})", time(all, side.snapshot)))
    };
    match compared {
        Compared::Since { from, to, .. } => Ok([time(&all[1], *from), time(&all[1], *to)]),
        Compared::Between { left, right } => Ok([side(left, &all[0])?, side(right, &all[1])?]),
    }
}

fn taken_at(all: &[StoredSnapshot], id: i64) -> Option<Millis> {
    all.iter().find(|one| one.id == id).map(|one| Millis(one.at))
}

/// Data for the view of a comparison, besides the differences.
struct Told {
    question: Question,
    /// Snapshots of the left and the right site, newest first.
    all: [Vec<StoredSnapshot>; 2],
    accepted: BTreeMap<Key, Accepted>,
    acts: Option<Acts>,
    table: Vec<SavedSubstitution>,
    changed: Vec<Millis>,
    not_recorded: Vec<Millis>,
    is_between: bool,
}

impl Told {
    fn view(&self, compared: Comparison) -> ComparisonView {
        let substitutions = self.table.iter().enumerate().map(|(place, one)| SubstitutionView {
            pair: one.pair.clone(),
            who: one.who.clone(),
            at: (!one.who.is_empty()).then_some(Millis(one.at)),
            values: compared.made_equal.get(&place).copied().unwrap_or_default(),
        });
        let not_compared = compared.not_compared.into_iter().map(|Gap { kind, place, name, reason }| {
            NotComparedView { resource_kind: kind, server: self.question.server(&place, false), name, reason }
        });
        let equal = compared
            .equal
            .into_iter()
            .map(|(resource_kind, count)| EqualView { resource_kind, count })
            .collect();
        ComparisonView {
            substitutions: substitutions.collect(),
            not_compared: not_compared.collect(),
            changed: self.changed.clone(),
            not_recorded: self.not_recorded.clone(),
            equal,
            unknown_secrets: compared.unknown_secrets,
            own_values: compared.own,
            is_history_known: self.acts.is_some(),
            is_between: self.is_between,
            differences: compared.differences.into_iter().map(|one| self.difference(one)).collect(),
        }
    }

    fn difference(&self, one: Difference) -> DifferenceView {
        let taken = |side: usize| self.all[side].iter().filter(|one| one.failure.is_empty());
        let first = |side: usize, held: Option<Held>| {
            held.and_then(|held| taken(side).find(|snapshot| snapshot.id == held.first))
        };
        let seen = first(1, one.after);
        let before = seen.and_then(|seen| taken(1).find(|snapshot| snapshot.id < seen.id));
        let by = seen.zip(self.acts.as_ref()).and_then(|(seen, acts)| {
            acts.of(&one.key, Millis(before.map_or(0, |before| before.at)), Millis(seen.ended_at))
        });
        let left = first(0, one.before).filter(|_| self.is_between);
        let seen = seen.map(|seen| seen.at);
        let left = left.map(|left| left.at).filter(|left| seen.is_none_or(|seen| *left > seen));
        let is_left = self.is_between && one.change == Change::Missing;
        DifferenceView {
            server: self.question.server(&one.key.place, is_left),
            change: one.change,
            first: one.fields.first().map(field_view),
            fields: count(one.fields.len()),
            first_seen: left.or(seen).map(Millis),
            is_seen_left: left.is_some(),
            by,
            accepted: self.accepted.get(&one.key).map(|accepted| AcceptedView {
                reason: accepted.reason.clone(),
                at: Millis(accepted.at),
                who: accepted.who.clone(),
            }),
            key: one.key,
        }
    }
}

fn field_view(field: &FieldDifference) -> FieldView {
    FieldView {
        field: shown_path(&field.path),
        before: field.before.clone().map(shown),
        after: field.after.clone().map(shown),
        is_secret: field.is_secret,
        is_list: field.is_list,
    }
}

fn json(
    site: &str,
    [from, to]: [&str; 2],
    comparison: &ComparisonView,
    rows: Vec<file::Row<'_>>,
) -> Result<Vec<u8>, Problem> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Whole<'a> {
        site: &'a str,
        from: &'a str,
        to: &'a str,
        #[serde(flatten)]
        comparison: &'a ComparisonView,
        fields: Vec<(&'a Key, Vec<FieldView>)>,
    }
    let fields = rows.into_iter().map(|(one, fields)| (&one.key, fields)).collect();
    let whole = Whole { site, from, to, comparison, fields };
    Ok(serde_json::to_vec_pretty(&whole).context("the changes could not be written down")?)
}
