//! Two snapshots as they are compared, by the one comparison of `steward-changes`: of a site at two times, or of two sites or
//! servers.

use std::collections::{BTreeMap, BTreeSet};

use steward_changes::{
    Accepted, Comparison, Contents, Fields, Gap, Held, Key, Kind, MadeEqual, SavedSubstitution, Store,
    StoreError, StoredSnapshot, Substitution, Substitutions, between, compare,
};

use super::sides::{Sides, sides};
use super::view::{Compared, Side};
use crate::model::ids::{ServerId, SiteId};
use crate::model::problem::Problem;
use crate::sites::{Site, Sites};

/// Prefix of the identifier of a server of the left site that has no counterpart.
const ALONE: &str = "left ";

/// Two snapshots to be compared, with the names and counterparts of their servers.
pub(super) struct Question {
    what: What,
    /// Names of the servers of the right, or of the site.
    names: BTreeMap<String, String>,
}

enum What {
    Since {
        site: SiteId,
        ids: [i64; 2],
    },
    Between {
        left: Side,
        right: Side,
        sides: Sides,
        /// Names of the servers of the left.
        names: BTreeMap<String, String>,
    },
}

/// Both snapshots, ready to be compared.
pub(super) struct Input {
    before: Contents,
    after: Contents,
    /// Texts that count as equal.
    pub(super) table: Vec<SavedSubstitution>,
    equal: Substitutions,
    /// Names that pairs made equal.
    made_equal: MadeEqual,
    is_between: bool,
}

impl Question {
    /// Looks up the names and counterparts of the servers in the saved sites.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if a site is not saved.
    pub(super) fn new(all: &Sites, compared: Compared) -> Result<Self, Problem> {
        let site = all.get(compared.site())?;
        let names = server_names(&site);
        let what = match compared {
            Compared::Since { site, from, to } => What::Since { site, ids: [from.0, to.0] },
            Compared::Between { left, right } => {
                let other = all.get(&left.site)?;
                let sides = sides((&other, left.server.as_ref()), (&site, right.server.as_ref()));
                What::Between { left, right, sides, names: server_names(&other) }
            }
        };
        Ok(Self { what, names })
    }

    /// Returns the name under which acceptances are stored.
    pub(super) fn scope(&self) -> String {
        match &self.what {
            What::Since { site, .. } => site.0.clone(),
            What::Between { left, right, .. } => format!("{}|{}", left.scope(), right.scope()),
        }
    }

    /// Reads both snapshots.
    pub(super) fn read(&self, store: &Store) -> Result<Input, StoreError> {
        let (left, right, sides) = match &self.what {
            What::Between { left, right, sides, .. } => (left, right, sides),
            What::Since { site, ids: [from, to] } => {
                return Ok(Input {
                    before: store.contents(&site.0, *from)?,
                    after: store.contents(&site.0, *to)?,
                    table: Vec::new(),
                    equal: Substitutions::NONE,
                    made_equal: MadeEqual::new(),
                    is_between: false,
                });
            }
        };
        let before = store.contents(&left.site.0, left.snapshot.0)?;
        let mut after = store.contents(&right.site.0, right.snapshot.0)?;
        let saved = table(store, left, right)?;
        let table = saved.unwrap_or_else(|| sides.proposed.iter().cloned().map(proposed).collect());
        let equal = Substitutions::new(table.iter().map(|one| &one.pair));
        let kinds = |contents: &Contents, place: &str| -> Vec<Kind> {
            let has =
                |kind: &Kind| contents.resources.keys().any(|key| key.kind == *kind && key.place == place);
            Kind::ALL.into_iter().filter(has).collect()
        };
        let gaps_of = |contents: &Contents, place: &str, shown: String| {
            let gap = |kind| Gap {
                kind,
                place: shown.clone(),
                name: String::new(),
                reason: WITHOUT_COUNTERPART.to_owned(),
            };
            kinds(contents, place).into_iter().map(gap).collect::<Vec<_>>()
        };
        let of_left =
            sides.alone[0].iter().flat_map(|place| gaps_of(&before, place, format!("{ALONE}{place}")));
        let of_right = sides.alone[1].iter().flat_map(|place| gaps_of(&after, place, place.clone()));
        let alone: Vec<_> = of_left.chain(of_right).collect();
        let is_compared = |place: &String| sides.counterparts.values().any(|one| one == place);
        after.resources.retain(|key, _| is_compared(&key.place));
        after.gaps.retain(|gap| is_compared(&gap.place));
        let mut made_equal = MadeEqual::new();
        let mut before = equal.aligned(&before, &after, &sides.counterparts, &mut made_equal);
        before.gaps.extend(alone);
        Ok(Input { before, after, table, equal, made_equal, is_between: true })
    }

    /// Returns the sites and numbers of both snapshots.
    pub(super) fn snapshots(&self) -> [(&str, i64); 2] {
        match &self.what {
            What::Since { site, ids } => ids.map(|id| (site.0.as_str(), id)),
            What::Between { left, right, .. } => {
                [left, right].map(|side| (side.site.0.as_str(), side.snapshot.0))
            }
        }
    }

    /// Saves the substitutions. Those that were saved before keep their user and time.
    pub(super) fn save(
        &self,
        store: &Store,
        pairs: Vec<Substitution>,
        by: (&str, i64),
    ) -> Result<(), StoreError> {
        let What::Between { left, right, sides, .. } = &self.what else { return Ok(()) };
        let before = table(store, left, right)?.unwrap_or_default();
        let saved = |pair: Substitution| {
            let known = before.iter().find(|one| one.pair == pair).cloned();
            let own = SavedSubstitution { pair: pair.clone(), who: by.0.to_owned(), at: by.1 };
            known.unwrap_or_else(|| if sides.proposed.contains(&pair) { proposed(pair) } else { own })
        };
        let table: Vec<_> = pairs.into_iter().map(saved).collect();
        store.set_substitutions(&left.scope(), &right.scope(), &table)
    }

    /// Returns the name of the server of a difference. `is_left`: only the left has the resource.
    pub(super) fn server(&self, place: &str, is_left: bool) -> Option<String> {
        match (&self.what, place.strip_prefix(ALONE)) {
            (What::Between { names, .. }, Some(place)) => names.get(place).cloned(),
            (What::Between { sides, names, .. }, None) if is_left => {
                let own = sides.counterparts.iter().find(|(_, right)| *right == place);
                own.and_then(|(left, _)| names.get(left)).cloned()
            }
            _ => self.names.get(place).cloned(),
        }
    }

    /// Adds the names of servers that are not saved any more.
    pub(super) fn learn_names(&mut self, all: &[StoredSnapshot]) {
        for (id, name) in all.iter().flat_map(|one| &one.places) {
            self.names.entry(id.clone()).or_insert_with(|| name.clone());
        }
    }
}

/// Returns the substitutions that were saved, also by a user who looked from the other side.
fn table(store: &Store, left: &Side, right: &Side) -> Result<Option<Vec<SavedSubstitution>>, StoreError> {
    if let Some(table) = store.substitutions(&left.scope(), &right.scope())? {
        return Ok(Some(table));
    }
    let turned = |one: SavedSubstitution| SavedSubstitution {
        pair: Substitution { left: one.pair.right, right: one.pair.left },
        ..one
    };
    let other = store.substitutions(&right.scope(), &left.scope())?;
    Ok(other.map(|table| table.into_iter().map(turned).collect()))
}

/// Why a server is not compared.
const WITHOUT_COUNTERPART: &str =
    "no server of the other site is its counterpart for certain: compare both servers";

fn proposed(pair: Substitution) -> SavedSubstitution {
    SavedSubstitution { pair, who: String::new(), at: 0 }
}

fn server_names(site: &Site) -> BTreeMap<String, String> {
    let name = |id: &ServerId| Some((id.0.clone(), site.name_of_server(id)?));
    site.servers.iter().filter_map(|server| name(&server.id)).collect()
}

impl Input {
    /// Returns the SHA-256 of the contents of both snapshots.
    pub(super) fn sha256(&self) -> [&str; 2] {
        [&self.before, &self.after].map(|contents| contents.sha256.as_str())
    }

    /// Replaces the contents by gaps with a reason, so that nothing is compared.
    pub(super) fn compare_nothing(&mut self, reason: &str) {
        let keys = self.before.resources.keys().chain(self.after.resources.keys());
        let mut all: BTreeSet<_> = keys.map(|key| (key.kind, key.place.clone())).collect();
        if all.is_empty() {
            all.extend(Kind::ALL.map(|kind| (kind, String::new())));
        }
        let gap = |(kind, place)| Gap { kind, place, name: String::new(), reason: reason.to_owned() };
        let gaps = all.into_iter().map(gap).collect();
        self.before = Contents { gaps, ..Contents::default() };
        self.after = Contents::default();
        self.made_equal.clear();
    }

    pub(super) fn compare(&self, store: &Store) -> Comparison {
        let mut found = compare(&self.before, &self.after, &self.equal, |value| self.fields(store, value));
        for (pair, values) in &self.made_equal {
            *found.made_equal.entry(*pair).or_default() += values;
        }
        found
    }

    /// Returns what differs in one resource.
    pub(super) fn compare_one(&self, store: &Store, key: &Key) -> Comparison {
        let only = |contents: &Contents| Contents {
            resources: contents
                .resources
                .get_key_value(key)
                .map(|(key, held)| (key.clone(), *held))
                .into_iter()
                .collect(),
            ..Contents::default()
        };
        compare(&only(&self.before), &only(&self.after), &self.equal, |value| self.fields(store, value))
    }

    fn fields(&self, store: &Store, value: i64) -> Result<Fields, String> {
        let fields = store.fields(value)?;
        // Each site masks and encrypts its secrets in its own way, so equal secrets have different prints.
        Ok(if self.is_between { fields.without_prints() } else { fields })
    }

    /// Returns the values that an acceptance stores: that of the right or later snapshot, and that of the left of two
    /// sites.
    pub(super) fn acceptance(&self, key: &Key) -> (Option<i64>, Option<i64>) {
        let value = |contents: &Contents| contents.resources.get(key).and_then(|held| held.value);
        (value(&self.after), value(&self.before).filter(|_| self.is_between))
    }

    /// Returns the acceptances that still hold: the values are those that a user accepted, apart from fields that
    /// became volatile since.
    pub(super) fn accepted(
        &self,
        store: &Store,
        scope: &str,
        compared: &Comparison,
    ) -> Result<BTreeMap<Key, Accepted>, StoreError> {
        let mut all = store.accepted(scope)?;
        let now: BTreeMap<&Key, [Option<i64>; 2]> = compared
            .differences
            .iter()
            .map(|one| {
                (&one.key, [one.before, one.after].map(|held: Option<Held>| held.and_then(|held| held.value)))
            })
            .collect();
        let is_same = |one: Option<i64>, other: Option<i64>| match (one, other) {
            (Some(one), Some(other)) if one != other => {
                let [one, other] = [store.fields(one), store.fields(other)];
                matches!((one, other), (Ok(one), Ok(other)) if between(&one, &other, &Substitutions::NONE).fields.is_empty())
            }
            (one, other) => one == other,
        };
        all.retain(|key, accepted| {
            now.get(key).is_some_and(|[before, after]| {
                is_same(accepted.value, *after) && (!self.is_between || is_same(accepted.other, *before))
            })
        });
        Ok(all)
    }
}

impl Compared {
    /// Returns the site whose page shows it.
    pub(super) const fn site(&self) -> &SiteId {
        match self {
            Self::Since { site, .. } => site,
            Self::Between { right, .. } => &right.site,
        }
    }
}
