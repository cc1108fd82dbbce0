//! Saved games survive a full disk.

use crate::support::{MOCK, Workplace, limited, run, text};

#[test]
fn a_game_for_which_there_is_no_room_leaves_those_before_it_as_they_were() {
    let work = Workplace::new();
    let before = "x".repeat(500);
    std::fs::write(work.path("games.ugr"), &before).expect("a file of the test");
    // There is space for a part of the record.
    let gogui = limited("-f 1", &work.leap(&["gogui"], &[MOCK]));
    let output = run(gogui, b"leap-save games.ugr\nquit\n");
    let printed = text(&output.stdout);
    assert!(printed.starts_with("? cannot write games.ugr"), "{printed}");
    assert_eq!(work.read("games.ugr"), before);
}
