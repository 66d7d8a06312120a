//! Just enough of database URLs: the same database behind another address.

/// The URL's parts: up to the authority, user information, address, and what follows the address.
fn parts(url: &str) -> (&str, &str, &str, &str) {
    let start = url.find("://").expect("a URL has a scheme") + "://".len();
    let end = url[start..]
        .find(['/', '?'])
        .map_or(url.len(), |length| start + length);
    let address = url[start..end]
        .rfind('@')
        .map_or(start, |at| start + at + 1);
    (
        &url[..start],
        &url[start..address],
        &url[address..end],
        &url[end..],
    )
}

/// The same database and user, reached at another address.
///
/// # Panics
/// Where the URL has no scheme.
#[must_use]
pub fn with_address(url: &str, address: std::net::SocketAddr) -> String {
    let (scheme, user, _, rest) = parts(url);
    format!("{scheme}{user}{address}{rest}")
}

/// Host and port of a PostgreSQL URL, with the port it may leave out.
///
/// # Panics
/// Where the URL has no scheme or names no host.
#[must_use]
pub fn address(url: &str) -> String {
    let (_, _, address, _) = parts(url);
    assert!(
        !address.is_empty(),
        "the URL of the database names no host to connect to"
    );
    let has_port = address
        .rfind(':')
        .is_some_and(|colon| !address[colon..].contains(']'));
    if has_port {
        address.to_owned()
    } else {
        format!("{address}:5432")
    }
}

#[cfg(test)]
mod tests {
    use super::{address, with_address};

    #[test]
    fn the_address_is_replaced_and_the_rest_stays() {
        let proxy = ([127, 0, 0, 1], 7000).into();
        assert_eq!(
            with_address("postgres://me@[::1]:6000/db?a=b", proxy),
            "postgres://me@127.0.0.1:7000/db?a=b"
        );
    }

    #[test]
    fn the_port_may_be_left_out() {
        assert_eq!(address("postgres://me:a@localhost/db"), "localhost:5432");
        assert_eq!(address("postgres://[::1]/db"), "[::1]:5432");
        assert_eq!(address("postgres://[::1]:6000/db"), "[::1]:6000");
    }
}
