//! Protocol layer of the practice site.
//!
//! Protection against web pages ([`guard`]), request parameters ([`Parameters`]), caller ([`RequestContext`]), and the
//! format of responses and errors ([`handle_form`]).

mod api_error;
mod file_form;
mod guard;
pub(crate) mod html;
mod middleware;
mod operation_lock;
mod pages;
mod parameters;
mod request_context;
mod response;
mod truncated_body;

pub(crate) use api_error::ApiError;
pub(crate) use file_form::{FileForm, Targets};
pub(crate) use guard::{Guard, reject_foreign_requests};
pub(crate) use middleware::{Family, handle_files, handle_form, no_such_resource, only_post};
pub(crate) use operation_lock::OperationLock;
pub(crate) use pages::page;
pub(crate) use parameters::{Parameters, is_too_deep};
pub(crate) use request_context::RequestContext;
pub(crate) use response::{ApiResponse, Reply, json};
pub(crate) use truncated_body::truncate_response;
