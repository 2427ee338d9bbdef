//! How a conversation goes: who may talk ([`guard`]), what was said ([`Parameters`]), who says it ([`Call`]), and
//! how an answer or a refusal is written ([`converse`]).

mod answer;
mod call;
mod converse;
mod cut_short;
mod desk;
mod file_form;
mod guard;
pub(crate) mod html;
mod pages;
mod parameters;
mod refusal;

pub(crate) use answer::{Answer, Reply, json};
pub(crate) use call::Call;
pub(crate) use converse::{Family, converse, converse_about_files, no_such_resource, only_post};
pub(crate) use cut_short::cut_short;
pub(crate) use desk::Desk;
pub(crate) use file_form::{FileForm, Targets};
pub(crate) use guard::{Guard, keep_strangers_out};
pub(crate) use pages::page;
pub(crate) use parameters::{Parameters, is_too_deep};
pub(crate) use refusal::Refusal;
