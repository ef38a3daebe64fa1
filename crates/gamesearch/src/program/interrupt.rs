//! What happens when somebody presses Ctrl-C.

use super::Failure;

/// From now on this is done whenever somebody interrupts the program, instead of ending it.
pub(crate) fn on_interrupt(act: impl FnMut() + Send + 'static) -> Result<(), Failure> {
    ctrlc::set_handler(act).map_err(|error| Failure::failed(format!("cannot catch Ctrl-C: {error}")))
}
