//! Addresses that name no store: refused with the accepted forms (issue "bad input"), and without the
//! secrets that they may hold.

use idem_core::{OpenMode, RepositoryError, open};
use idem_tests::TestStore;
use idem_tools::Idem;

pub(crate) async fn an_unknown_scheme_is_refused_with_the_accepted_forms(store: TestStore) {
    let (_, rest) = store.url.split_once(':').expect("a URL");
    let (other, empty) = (format!("mysql:{rest}"), String::new());
    let bare = rest.trim_start_matches('/').to_owned();
    let upper = store.url.to_uppercase();
    for url in [other, empty, bare, upper] {
        for mode in [OpenMode::Migrate, OpenMode::AsIs] {
            let error = open(&url, mode).await.expect_err("no store is named");
            assert!(
                matches!(error, RepositoryError::Address(_)),
                "{url}: {error}"
            );
            let text = error.to_string();
            let forms = ["sqlite://", "postgres://"];
            assert!(forms.iter().all(|form| text.contains(form)), "{text}");
        }
    }
    let error = Idem::open("").await.err();
    assert!(matches!(error, Some(RepositoryError::Address(_))));
}

pub(crate) async fn an_address_that_cannot_be_read_keeps_its_password(store: TestStore) {
    let (scheme, _) = store.url.split_once(':').expect("a URL");
    for url in [
        "mysql://ann:s3cret@localhost/idem".to_owned(),
        "ann:s3cret@localhost".to_owned(),
        format!("{scheme}://ann:s3cret@localhost:not-a-port/idem?mode=s3cret"),
    ] {
        let error = open(&url, OpenMode::AsIs).await.expect_err("no store");
        assert!(matches!(error, RepositoryError::Address(_)), "{error}");
        let (text, debug) = (error.to_string(), format!("{error:?}"));
        let secret = text.contains("s3cret") || debug.contains("s3cret");
        assert!(!secret || scheme == "sqlite", "{text}");
    }
}
