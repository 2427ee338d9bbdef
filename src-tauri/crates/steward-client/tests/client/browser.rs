//! Plays the person at the sign-in page: opens it, types, and goes where the page leads.

use reqwest::{Client, redirect};
use steward_vault::Secret;
use url::Url;

pub(crate) struct Browser(Client);

/// Where the page leads after the sign-in.
pub(crate) enum Led {
    /// To an address.
    Away(Url),
    /// Nowhere: it shows this text.
    Page(String),
}

impl Browser {
    pub(crate) fn new() -> Self {
        Self(Client::builder().redirect(redirect::Policy::none()).build().unwrap())
    }

    pub(crate) async fn sign_in(&self, page: &Url, (username, password): (String, Secret<String>)) -> Led {
        let response = self.0.get(page.clone()).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let text = response.text().await.unwrap();
        let (_, rest) = text.split_once("name=\"oauth_state\" value=\"").expect(&text);
        let state = rest.split_once('"').unwrap().0;
        let form = [("oauth_state", state), ("username", username.as_str()), ("password", password.expose())];
        let (_, rest) = text.split_once("action=\"").unwrap();
        let action = page.join(rest.split_once('"').unwrap().0).unwrap();
        let response = self.0.post(action).form(&form).send().await.unwrap();
        match response.headers().get("location") {
            Some(location) => Led::Away(Url::parse(location.to_str().unwrap()).unwrap()),
            None => Led::Page(response.text().await.unwrap()),
        }
    }

    /// Status and text of an address.
    pub(crate) async fn visit(&self, url: &str) -> (u16, String) {
        let response = self.0.get(url).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }
}

impl Led {
    pub(crate) fn away(self) -> Url {
        match self {
            Self::Away(url) => url,
            Self::Page(text) => panic!("led nowhere: {text}"),
        }
    }

    pub(crate) fn page(self) -> String {
        match self {
            Self::Page(text) => text,
            Self::Away(url) => panic!("led to {url}"),
        }
    }
}
