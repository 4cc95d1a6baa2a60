//! Typing what nobody may see. However it ends, the terminal shows again what is typed.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::terminal;
use std::io::ErrorKind;

use crate::interrupts::Interrupts;
use crate::print::{self, StyledText};

/// What came of asking.
pub(crate) enum Typed {
    /// The person typed this text.
    Text(String),
    /// Left with Ctrl-D.
    Nothing,
    /// Left with Ctrl-C.
    Interrupted,
}

/// Asks at the terminal, without echo.
pub(crate) async fn ask(prompt: String) -> Result<Typed, Failure> {
    let mut ctrl_c = Interrupts::listen();
    // Before the question: a paste may come with it.
    let echo = EchoOff::off();
    let typed = tokio::task::spawn_blocking(move || rpassword::prompt_password(prompt));
    tokio::select! {
        typed = typed => match typed {
            Ok(Ok(text)) => Ok(Typed::Text(text)),
            Ok(Err(e)) if e.kind() == ErrorKind::UnexpectedEof => Ok(Typed::Nothing),
            // The same key press as below, when the thread that reads hears of it first.
            Ok(Err(e)) if e.kind() == ErrorKind::Interrupted => Ok(Typed::Interrupted),
            Ok(Err(e)) => Err(host::failure::io(ErrorCode::BadRequest, terminal::the_terminal(), &e)),
            Err(_) => Err(Failure::new(ErrorCode::Internal, terminal::terminal_lost())),
        },
        () = ctrl_c.pressed() => {
            // The thread that reads still waits, and would give the echo back only afterwards.
            drop(echo);
            print::note(&StyledText::default(), false);
            Ok(Typed::Interrupted)
        }
    }
}

/// The terminal shows nothing that is typed until this is dropped.
struct EchoOff {
    /// How the terminal was before.
    #[cfg(unix)]
    modes: Option<rustix::termios::Termios>,
}

impl EchoOff {
    #[cfg(unix)]
    fn off() -> Self {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let modes = tcgetattr(std::io::stdin()).ok();
        if let Some(mut hidden) = modes.clone() {
            // A Ctrl-D that the terminal takes for an end of input, before whoever reads takes each
            // key, is none afterwards: the person would be waited for as if nothing had been pressed.
            hidden.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON);
            _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &hidden);
        }
        Self { modes }
    }

    #[cfg(not(unix))]
    fn off() -> Self {
        Self {}
    }
}

#[cfg(unix)]
impl Drop for EchoOff {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(modes) = &self.modes {
            _ = tcsetattr(std::io::stdin(), OptionalActions::Now, modes);
        }
    }
}
