//! A key is typed without anybody seeing it.

use super::AtTerminal;
use support::program::Sandbox;

const KEY: &str = "sk-typed-secret-1";

/// Asks for a key, then asks the shell whether the terminal echoes.
fn asked(sandbox: &Sandbox) -> AtTerminal {
    let mut person = AtTerminal::start(sandbox, &["settings", "set-key"]);
    person.sees("API key (not shown): ");
    person
}

/// Whether what is typed can be seen.
fn echoes(person: &AtTerminal) -> bool {
    use rustix::termios::{LocalModes, tcgetattr};
    tcgetattr(&person.keyboard).unwrap().local_modes.contains(LocalModes::ECHO)
}

#[test]
fn a_key_is_typed_without_echo_and_the_echo_comes_back() {
    let sandbox = Sandbox::new();
    let mut person = asked(&sandbox);
    assert!(!echoes(&person));
    person.enters(KEY);
    person.sees("The key is in a file of the store");
    assert!(echoes(&person));
    let (all, code) = person.ends();
    assert_eq!(code, 0, "{all}");
    assert!(!all.contains(KEY), "{all}");
    assert_eq!(std::fs::read_to_string(sandbox.path("store/model-api-key")).unwrap(), KEY);
}

#[test]
fn leaving_stores_nothing_and_gives_the_echo_back() {
    for (key, expected) in [(b'c', 130), (b'd', 2)] {
        let sandbox = Sandbox::new();
        let mut person = asked(&sandbox);
        person.types("sk-ha");
        if key == b'd' {
            // Ends the half line, then the input.
            person.types("\u{15}");
        }
        person.presses_ctrl(key);
        let keyboard = person.keyboard.try_clone().unwrap();
        let (all, code) = person.ends();
        assert_eq!(code, expected, "{all}");
        drop(keyboard);
        assert!(!all.contains("sk-ha"), "{all}");
        assert!(!sandbox.path("store/model-api-key").exists());
    }
}
