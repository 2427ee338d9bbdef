//! What can happen while a request is held.

use rusqlite::Connection;
use steward_core::actions::sign_in::leave;
use steward_core::actions::sites;
use steward_core::model::ids::ServerId;
use steward_core::model::problem::Problem;
use steward_core::sites::{ConnectionForm, ConnectionRoute};

use crate::app::App;
use crate::site::Answer;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Stop,
    Lock,
    MarkedReadOnly,
    SignOut,
    OtherUser,
    SiteRemoved,
    OtherServer,
    BegunTwice,
    ConnectionChanged,
    JournalRefused,
    AnswerLost,
    Reset,
    TokenRejected,
    Rejected,
    Gateway,
    Surplus,
    /// Stop, and the connection stays open without a response.
    Silence,
    LostThenSilence,
    ResetThenSilence,
    TokenRejectedThenSilence,
    RejectedThenSilence,
    GatewayThenSilence,
}

pub(crate) const ALL: [Event; 22] = [
    Event::Stop,
    Event::Lock,
    Event::MarkedReadOnly,
    Event::SignOut,
    Event::OtherUser,
    Event::SiteRemoved,
    Event::OtherServer,
    Event::BegunTwice,
    Event::ConnectionChanged,
    Event::JournalRefused,
    Event::AnswerLost,
    Event::Reset,
    Event::TokenRejected,
    Event::Rejected,
    Event::Gateway,
    Event::Surplus,
    Event::Silence,
    Event::LostThenSilence,
    Event::ResetThenSilence,
    Event::TokenRejectedThenSilence,
    Event::RejectedThenSilence,
    Event::GatewayThenSilence,
];

/// Whether an event took place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happened {
    Yes,
    /// The program refuses it while an operation runs.
    Refused,
}

impl Event {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Lock => "lock",
            Self::MarkedReadOnly => "read-only",
            Self::SignOut => "sign-out",
            Self::OtherUser => "other user",
            Self::SiteRemoved => "removed",
            Self::OtherServer => "other server",
            Self::BegunTwice => "begun twice",
            Self::ConnectionChanged => "connection",
            Self::JournalRefused => "journal",
            Self::AnswerLost => "answer lost",
            Self::Reset => "reset",
            Self::TokenRejected => "498",
            Self::Rejected => "500",
            Self::Gateway => "gateway",
            Self::Surplus => "surplus",
            Self::Silence => "silence",
            Self::LostThenSilence => "answer lost then silence",
            Self::ResetThenSilence => "reset then silence",
            Self::TokenRejectedThenSilence => "498 then silence",
            Self::RejectedThenSilence => "500 then silence",
            Self::GatewayThenSilence => "gateway then silence",
        }
    }

    /// Returns whether the site is read-only, and unlocked, before the event.
    pub(crate) const fn of_read_only_site(self) -> bool {
        matches!(self, Self::Lock)
    }

    /// Returns the way in which the held request goes on.
    pub(crate) const fn answer(self) -> Answer {
        match self {
            Self::AnswerLost | Self::LostThenSilence => Answer::Lost,
            Self::Reset | Self::ResetThenSilence => Answer::Reset,
            Self::TokenRejected | Self::TokenRejectedThenSilence => Answer::TokenRejected,
            Self::Rejected | Self::RejectedThenSilence => Answer::Rejected,
            Self::Gateway | Self::GatewayThenSilence => Answer::Gateway,
            Self::Silence => Answer::Silence,
            Self::Surplus => Answer::Surplus,
            _ => Answer::Plain,
        }
    }

    /// Returns the event at the next request after this one; `None` if nothing else happens.
    pub(crate) const fn next(self) -> Option<Self> {
        match self {
            Self::LostThenSilence
            | Self::ResetThenSilence
            | Self::TokenRejectedThenSilence
            | Self::RejectedThenSilence
            | Self::GatewayThenSilence => Some(Self::Silence),
            _ => None,
        }
    }

    /// Returns whether it is left to the run with each request, because a similar event is at the first of each kind.
    pub(crate) const fn is_for_each_request(self) -> bool {
        matches!(
            self,
            Self::LostThenSilence
                | Self::ResetThenSilence
                | Self::TokenRejectedThenSilence
                | Self::RejectedThenSilence
                | Self::GatewayThenSilence
                | Self::BegunTwice
        )
    }

    pub(crate) async fn happen(self, app: &App) -> Happened {
        let (context, site) = (&app.steward.context, &app.site);
        let done: Result<(), Problem> = match self {
            Self::Stop | Self::Silence => {
                context.runs.all().iter().for_each(|run| context.runs.stop(&run.id));
                Ok(())
            }
            Self::Lock => sites::lock_site(context, site.clone()).await.map(drop),
            Self::MarkedReadOnly => sites::save(context, &app.form(true)).await.map(drop),
            Self::SignOut => leave(context, site).await,
            Self::OtherUser => app.sign_in("other").await,
            Self::SiteRemoved => sites::remove(context, site, "").await,
            Self::OtherServer => sites::choose(context, site, ServerId("other".to_owned())).map(drop),
            Self::BegunTwice => app.begin_on_twin(),
            Self::ConnectionChanged => {
                let mut form = app.form(false);
                form.connection = ConnectionForm { route: ConnectionRoute::Direct, ..form.connection };
                sites::save(context, &form).await.map(drop)
            }
            Self::JournalRefused => {
                refuse(app);
                Ok(())
            }
            Self::AnswerLost
            | Self::Reset
            | Self::TokenRejected
            | Self::Rejected
            | Self::Gateway
            | Self::Surplus
            | Self::LostThenSilence
            | Self::ResetThenSilence
            | Self::TokenRejectedThenSilence
            | Self::RejectedThenSilence
            | Self::GatewayThenSilence => Ok(()),
        };
        match done {
            Ok(()) => Happened::Yes,
            Err(Problem::Busy { .. }) => Happened::Refused,
            Err(problem) => panic!("{} did not happen: {problem:?}", self.name()),
        }
    }
}

/// Makes the journal refuse every row.
fn refuse(app: &App) {
    let journal = Connection::open(app.journal()).unwrap();
    for (table, on) in [("record", "INSERT"), ("record", "UPDATE"), (DEACTIVATIONS, "INSERT")] {
        let refusal = format!(
            "CREATE TRIGGER full_{on}_{table} BEFORE {on} ON {table}
             BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        );
        journal.execute_batch(&refusal).unwrap();
    }
}

/// Lets the journal take rows again.
pub(crate) fn take_again(app: &App) {
    let journal = Connection::open(app.journal()).unwrap();
    for (table, on) in [("record", "INSERT"), ("record", "UPDATE"), (DEACTIVATIONS, "INSERT")] {
        journal.execute_batch(&format!("DROP TRIGGER IF EXISTS full_{on}_{table}")).unwrap();
    }
}

/// Table of the deactivation log.
const DEACTIVATIONS: &str = "deactivation";
