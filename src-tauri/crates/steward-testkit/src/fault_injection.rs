//! Simulated faults of a practice site.

use anyhow::ensure;

/// Simulated fault of the next requests of an operation.
#[derive(Debug, Clone, Copy)]
pub struct InjectedFault<'a> {
    /// Key of the operation.
    pub operation: &'a str,
    /// Name of the fault, for example `expired-token`.
    pub name: &'a str,
    /// Number of requests that it affects.
    pub times: &'a str,
    /// Further fields of the request that adds the fault, for example `after` and `seconds`.
    pub more: &'a [(&'a str, &'a str)],
}

impl InjectedFault<'_> {
    /// Adds the fault to the practice site at `origin`, with the token of an administrator.
    ///
    /// # Errors
    /// Returns an error if the site rejects the fault or the token.
    pub async fn order(self, origin: &str, token: &str) -> anyhow::Result<()> {
        let mut form = vec![
            ("operation", self.operation),
            ("fault", self.name),
            ("times", self.times),
            ("token", token),
            ("f", "json"),
        ];
        form.extend(self.more);
        let request = reqwest::Client::new().post(format!("{origin}/practice/faults")).form(&form);
        // Tokens are bound to this referer.
        let answer: serde_json::Value =
            request.header("referer", "site-steward").send().await?.json().await?;
        ensure!(answer["status"] == "success", "{answer}");
        Ok(())
    }
}
