//! Names that say what follows is a key.

/// Words of a name that mean a credential.
const CREDENTIALS: [&str; 11] = [
    "key",
    "apikey",
    "secret",
    "token",
    "password",
    "passphrase",
    "credential",
    "auth",
    "authorization",
    "bearer",
    "cookie",
];

/// Whether a name says that its value is a key: `apiKey`, `X-Auth-Token`, `client_secret`.
pub(super) fn names_a_key(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (after_small && c.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        after_small = c.is_lowercase() || c.is_numeric();
    }
    words.iter().any(|word| {
        let one = word.strip_suffix('s').unwrap_or(word);
        // A budget of tokens is a number; what comes in one is a key.
        CREDENTIALS.contains(&word.as_str()) || (one != "token" && CREDENTIALS.contains(&one))
    })
}
