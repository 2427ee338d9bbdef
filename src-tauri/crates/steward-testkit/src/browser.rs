//! Sign-in with the portal's own page, without a window: opens the page, submits the form, and returns the target.

use anyhow::{Context, bail};
use reqwest::{Client, redirect};
use url::Url;

/// Browser without a window. It does not follow redirects.
pub struct Browser(Client);

/// Result of a sign-in.
pub enum Led {
    /// Redirect to a URL.
    Away(Url),
    /// Page with this text, and no redirect.
    Page(String),
}

impl Browser {
    /// Creates a browser.
    ///
    /// # Errors
    /// Returns the error of the library if it cannot create the client.
    pub fn new() -> anyhow::Result<Self> {
        Ok(Self(Client::builder().redirect(redirect::Policy::none()).build()?))
    }

    /// Opens the sign-in page, submits the form, and returns the result.
    ///
    /// # Errors
    /// Returns an error if the page cannot be read or is not a sign-in page.
    pub async fn sign_in(&self, page: &Url, username: &str, password: &str) -> anyhow::Result<Led> {
        let response = self.0.get(page.clone()).send().await?.error_for_status()?;
        let text = response.text().await?;
        let after = |mark: &str| {
            let (_, rest) = text.split_once(mark).with_context(|| format!("no {mark} in {text}"))?;
            rest.split_once('"').map(|(value, _)| value).context("the page is cut")
        };
        let state = after("name=\"oauth_state\" value=\"")?;
        let action = page.join(after("action=\"")?)?;
        let form = [("oauth_state", state), ("username", username), ("password", password)];
        let response = self.0.post(action).form(&form).send().await?;
        Ok(match response.headers().get("location") {
            Some(location) => Led::Away(Url::parse(location.to_str()?)?),
            None => Led::Page(response.text().await?),
        })
    }

    /// Returns status and text of a URL.
    ///
    /// # Errors
    /// Returns an error if there is no response.
    pub async fn visit(&self, url: &str) -> anyhow::Result<(u16, String)> {
        let response = self.0.get(url).send().await?;
        Ok((response.status().as_u16(), response.text().await?))
    }
}

impl Led {
    /// Returns the URL of the redirect.
    ///
    /// # Errors
    /// Returns an error with the text if there is a page.
    pub fn away(self) -> anyhow::Result<Url> {
        match self {
            Self::Away(url) => Ok(url),
            Self::Page(text) => bail!("led nowhere: {text}"),
        }
    }

    /// Returns the text of the page.
    ///
    /// # Errors
    /// Returns an error with the URL if there is a redirect.
    pub fn page(self) -> anyhow::Result<String> {
        match self {
            Self::Page(text) => Ok(text),
            Self::Away(url) => bail!("led to {url}"),
        }
    }
}
