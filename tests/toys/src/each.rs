//! Tests of every game.

/// Names the game in which a test panics.
pub struct Naming(pub &'static str);

impl Drop for Naming {
    #[allow(clippy::print_stderr, reason = "a test's output")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the game is {}", self.0);
        }
    }
}

/// Calls a generic function with the default rules of each game, and with the same further arguments.
///
/// A generic function is no value, so a loop cannot call it. The caller depends on leap-games.
#[macro_export]
macro_rules! each_game {
    (@ $id:ident $rules:ident $check:path, $($argument:expr),*) => {{
        let _naming = $crate::Naming(stringify!($id));
        $check(&leap_games::$id::$rules::default() $(, $argument)*)
    }};
    ($check:path $(, $argument:expr)*) => {{
        $crate::each_game!(@ alquerque Alquerque $check, $($argument),*);
        $crate::each_game!(@ eximo Eximo $check, $($argument),*);
        $crate::each_game!(@ sapos Sapos $check, $($argument),*);
        $crate::each_game!(@ froglet Froglet $check, $($argument),*);
        $crate::each_game!(@ tactica Tactica $check, $($argument),*);
    }};
}
