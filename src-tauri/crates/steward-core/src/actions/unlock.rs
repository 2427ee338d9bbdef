//! Unlocks a read-only site.

use steward_journal::{Conclusion, Outcome};

use crate::actions::record;
use crate::host::Host;
use crate::model::history_key::HistoryAct;
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::sites::Site;
use crate::sites::read_only::{LASTS, checked_reason};

impl Host {
    /// Unlocks a read-only site for a quarter of an hour. The reason is on disk before that.
    pub async fn unlock(&self, id: &SiteId, reason: &str) -> Result<Site, Problem> {
        let site = self.sites.get(id)?;
        let reason = checked_reason(reason)?;
        if !site.read_only {
            return Ok(site);
        }
        let parameters = vec![
            ("reason".to_owned(), reason.to_owned()),
            ("minutes".to_owned(), (LASTS.as_secs() / 60).to_string()),
        ];
        let intent = record::intent(&site, HistoryAct::Unlock, parameters);
        let conclusion = Conclusion {
            outcome: Outcome::Succeeded,
            note: reason.to_owned(),
            answer: None,
            report: None,
            ended_at: intent.started_at,
            elapsed: 0,
        };
        self.journal(move |journal| {
            let record = journal.intend(&intent)?;
            journal.conclude(&record, &conclusion)
        })
        .await?;
        self.locks.unlock(&site.id);
        Ok(site)
    }
}
