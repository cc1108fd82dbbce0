//! Two people at two browsers play by invitation, and a third one watches.

use std::time::Duration;

use super::page::{Page, Way, with_far_guests, with_guest_elsewhere, with_guests};
use super::window::{LISTEN, State, Window};

/// Makes an invitation to the game on the board, in which the host has the first side. Returns the links for the guest
/// and for spectators.
async fn invite(page: &Page, control: &str) -> [String; 2] {
    page.press("open-invite").await;
    let fill = "for (const [id, value] of [['invite-side', 'p1'], ['invite-control', arguments[0]]]) \
                document.getElementById(id).value = value;";
    page.run(fill, vec![control.into()]).await;
    page.press("make-invitation").await;
    let made = "return document.getElementById('invite-guest').value.includes('#join=')";
    page.wait_until("there is a link", made).await;
    page.wait_until(
        "the code is drawn",
        "return document.getElementById('invite-guest-code').naturalWidth > 0",
    )
    .await;
    page.picture("invite").await;
    [page.field("#invite-guest").await, page.field("#invite-spectators").await]
}

/// Opens a link.
async fn enter(window: &Window, link: &str) {
    window.client.goto(link).await.unwrap();
    window.run(LISTEN, vec![]).await;
    window.wait_until("the game is there", "return Boolean(window.leap?.inspect().fen) && document.getElementById('party-state').textContent !== ''").await;
}

/// The side to move; empty while the page sets the game up.
async fn turn(window: &Window) -> String {
    let turn = window.run("return leap.inspect().turn", vec![]).await;
    turn.as_str().unwrap_or_default().to_owned()
}

/// One click of a person who is to move, as in a game against the engine.
async fn click(window: &Window, state: &State, clicks: usize) {
    const DROPS: &str =
        "return document.querySelector('#board .is-drops:not(.is-path)')?.dataset.square ?? null";
    let fresh: Vec<&String> =
        state.targets.iter().filter(|square| !state.path.contains(square)).collect();
    // Steps might follow each other for ever, so whatever ends a turn comes first.
    if state.can_end {
        window.press("end-turn").await;
    } else if let Some(square) = window.run(DROPS, vec![]).await.as_str() {
        window.click_square(square).await;
    } else if state.path.is_empty() {
        window.click_square(&state.origins[clicks * 7 % state.origins.len()]).await;
    } else if let Some(square) = fresh.get(clicks * 5 % fresh.len().max(1)) {
        window.click_square(square).await;
    } else {
        for _ in &state.path {
            window.press("cancel").await;
        }
    }
}

/// Plays until so many moves are made, or the game is over. The first player has the first side.
async fn play(players: [&Window; 2], most: usize) {
    let (mut clicks, mut waits) = (0, 0);
    while clicks < 2000 && waits < 500 {
        let turns = [turn(players[0]).await, turn(players[1]).await];
        if turns[0] != turns[1] || turns[0].is_empty() {
            if players[0].run("return leap.inspect().isOver", vec![]).await == true {
                return;
            }
            // The state is on its way to the other player.
            tokio::time::sleep(Duration::from_millis(20)).await;
            waits += 1;
            continue;
        }
        waits = 0;
        let mover = players[usize::from(turns[0] == "p2")];
        let state = mover.settled().await;
        if state.is_over || mover.moves().await.len() >= most {
            return;
        }
        click(mover, &state, clicks).await;
        mover.idle().await;
        clicks += 1;
    }
    panic!("the game does not end: {:?}", players[0].moves().await);
}

/// Waits until a window shows the moves of another one.
async fn same_moves(window: &Window, as_in: &Window) {
    let moves = as_in.moves().await;
    let same = format!(
        "return JSON.stringify([...document.querySelectorAll('.move')].map((e) => e.textContent)) === {:?}",
        serde_json::to_string(&moves).unwrap()
    );
    window.wait_until(&format!("the moves are {moves:?}"), &same).await;
}

async fn assert_well(windows: &[&Window]) {
    for window in windows {
        assert_eq!(window.errors().await, [""; 0]);
        assert_eq!(window.complaint().await, "");
    }
}

/// Plays to the end. Meanwhile the line is cut, the cable is out, both reload, and somebody else opens the guest's link.
async fn play_whole_game(
    page: &Page,
    way: &Way<'_>,
    [guest, thief]: &[Window; 2],
    spectator: &Window,
    game: &str,
) {
    page.open(game).await;
    // Moves at random would not end every game by themselves.
    page.fill("#rules [name=MaxPlies]", "20").await;
    page.idle().await;
    let [link, watch] = invite(page, "10+5").await;
    enter(guest, &link).await;
    enter(spectator, &watch).await;
    page.wait_until("the dialog is closed", "return !document.getElementById('invite').open").await;
    play([page, guest], 2).await;
    cut(page, way, guest).await;
    play([page, guest], 4).await;
    for window in [page, guest] {
        reload(window, page.moves().await.len()).await;
    }
    play([page, guest], 6).await;
    page.picture(&format!("guests-{game}-host")).await;
    guest.picture(&format!("guests-{game}-guest")).await;
    be_robbed(guest, thief, &link).await;
    play([page, guest], 8).await;
    if turn(page).await == "p2" {
        play([page, guest], 9).await;
    }
    move_without_cable(page, way).await;
    play([page, guest], usize::MAX).await;
    for window in [page, guest, spectator] {
        window.wait_until("the end is told", "return leap.inspect().isOver").await;
        same_moves(window, page).await;
    }
    let told = ["You have won: ", "You have lost: ", "Draw: "];
    for window in [page, guest] {
        let standing = window.text("standing").await;
        assert!(told.iter().any(|words| standing.starts_with(words)), "{standing}");
    }
    assert_well(&[page, guest, spectator]).await;
}

/// Cuts the line until both pages know it. The guest's page comes back by itself.
async fn cut(page: &Page, way: &Way<'_>, guest: &Window) {
    way.line.cut();
    let is_told = "return document.getElementById('party-state').textContent.includes('The connection is lost')";
    guest.wait_until("the cut is told", is_told).await;
    let is_away =
        "return document.getElementById('p2').textContent.includes('the other player, away')";
    page.wait_until("the guest's absence is told", is_away).await;
    way.line.mend();
    guest.wait_until("the guest is back", &is_told.replace("return ", "return !")).await;
    page.wait_until("the guest's return is told", &is_away.replace("return ", "return !")).await;
}

/// The host makes a move while the guests' cable is out.
async fn move_without_cable(page: &Page, way: &Way<'_>) {
    let Some(networks) = way.networks else { return };
    assert_eq!(turn(page).await, "p1");
    let before = page.moves().await;
    networks.put_cable(false);
    for clicks in 0..100 {
        let state = page.settled().await;
        click(page, &state, clicks).await;
        page.idle().await;
        if page.moves().await != before {
            break;
        }
    }
    networks.put_cable(true);
    assert_ne!(page.moves().await, before, "the host has made no move");
}

async fn reload(window: &Window, moves: usize) {
    window.reload_busy().await;
    let is_back = format!("return document.querySelectorAll('.move').length === {moves}");
    window.wait_until("the game is back", &is_back).await;
}

/// Somebody else opens the link of a person, who takes the seat back. All pages say so.
async fn be_robbed(guest: &Window, thief: &Window, link: &str) {
    enter(thief, link).await;
    guest.wait_for_loss().await;
    let why = guest.text("lost-why").await;
    assert_eq!(why, "This game was opened on another page, which has your seat now.");
    assert_eq!(thief.text("message").await, "You have taken this seat over from another page.");
    guest.press("reconnect").await;
    thief.wait_for_loss().await;
    guest.wait_until("the seat is back", "return document.getElementById('lost').hidden").await;
}

fn is_played_by_two_people_in_two_networks(game: &str) {
    with_far_guests(async move |page, way, far, spectator| {
        play_whole_game(&page, &way, &far, &spectator, game).await;
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_game_with_drops_is_played_by_two_people_in_two_networks_to_its_end_by_mouse() {
    is_played_by_two_people_in_two_networks("eximo");
}

#[test]
fn a_game_by_invitation_survives_reloads_and_a_stolen_link_takes_over() {
    with_guests(|page, _, [guest, thief]| async move {
        page.open("sapos").await;
        let [link, _] = invite(&page, "10+5").await;
        enter(&guest, &link).await;
        play([&page, &guest], 3).await;
        for window in [&*page, &guest] {
            reload(window, 3).await;
        }
        assert!(guest.is_shown("p1-clock").await && guest.is_shown("p2-clock").await);
        be_robbed(&guest, &thief, &link).await;
        play([&page, &guest], 5).await;
        assert_well(&[&page, &guest]).await;
    });
}

#[test]
fn draws_takebacks_resignations_and_rematches_ask_the_other_person() {
    with_guests(|page, _, [guest, _]| async move {
        page.open("alquerque").await;
        let [link, _] = invite(&page, "").await;
        enter(&guest, &link).await;
        play([&page, &guest], 2).await;
        let asked = |window: &Window, text: &str| {
            let script = format!(
                "return !document.getElementById('question').hidden && document.getElementById('asked').textContent === {text:?}"
            );
            let window = Window { client: window.client.clone() };
            async move { window.wait_until("a question is asked", &script).await }
        };
        page.press("undo").await;
        asked(&guest, "White asks to take back a move.").await;
        guest.press("accept").await;
        page.wait_until(
            "the moves are taken back",
            "return document.querySelectorAll('.move').length === 0",
        )
        .await;
        play([&page, &guest], 1).await;
        guest.press("offer-draw").await;
        asked(&page, "Black offers a draw.").await;
        page.press("decline").await;
        guest.wait_until("the answer is told", "return document.getElementById('message').textContent === 'The other player declines.'").await;
        guest.press("resign").await;
        asked(&guest, "Resign this game?").await;
        guest.press("accept").await;
        page.wait_until("the end is told", "return leap.inspect().isOver").await;
        assert_eq!(page.text("standing").await, "You have won: the other side has resigned");
        page.press("rematch").await;
        asked(&guest, "White asks for a rematch with sides exchanged.").await;
        guest.press("accept").await;
        page.wait_until(
            "the sides are exchanged",
            "return document.getElementById('party-state').textContent.includes('You play Black')",
        )
        .await;
        play([&guest, &page], 2).await;
        assert_well(&[&page, &guest]).await;
    });
}

#[test]
fn invitations_are_readable_on_small_and_large_screens_in_both_languages() {
    with_guests(|page, _, [guest, _]| async move {
        page.open("eximo").await;
        let [link, _] = invite(&page, "5+5").await;
        for language in ["es", "en"] {
            for (width, height) in [(390, 844), (1366, 768)] {
                page.client.set_window_size(width, height).await.unwrap();
                page.run("document.getElementById('invite').close()", vec![]).await;
                page.run(
                    "const field = document.getElementById('language'); field.value = arguments[0]; \
                     field.dispatchEvent(new Event('change'));",
                    vec![language.into()],
                )
                .await;
                page.idle().await;
                page.press("party-links").await;
                page.drawn().await;
                let fits = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth";
                assert_eq!(page.run(fits, vec![]).await, true, "{language} {width}");
                page.picture(&format!("invite-{language}-{width}")).await;
            }
        }
        assert!(link.contains("#join="));
        enter(&guest, &link).await;
        guest.client.set_window_size(1280, 860).await.unwrap();
        guest.drawn().await;
        let is_free = "return [...document.querySelectorAll('.seat')].every((seat) => { \
                       const { left, right, top, bottom } = seat.getBoundingClientRect(); \
                       return seat.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)); })";
        assert_eq!(guest.run(is_free, vec![]).await, true, "a player's line is covered");
        guest.picture("guest-1280").await;
        guest.client.set_window_size(390, 844).await.unwrap();
        guest.drawn().await;
        guest.picture("guest-390").await;
        assert_well(&[&page, &guest]).await;
    });
}

#[test]
fn a_guest_in_another_network_plays_at_the_address_in_the_link() {
    with_guest_elsewhere(|page, guest| async move {
        page.open("sapos").await;
        let [link, _] = invite(&page, "10+5").await;
        assert!(link.starts_with("http://198.51.100.1:"), "{link}");
        enter(&guest, &link).await;
        play([&page, &guest], 6).await;
        same_moves(&guest, &page).await;
        page.picture("guests-networks-host").await;
        guest.picture("guests-networks-guest").await;
        assert_well(&[&page, &guest]).await;
    });
}

#[test]
fn a_page_for_guests_without_a_link_says_so() {
    with_guests(|page, address, [guest, _]| async move {
        let _serves = page;
        guest.client.goto(&address).await.unwrap();
        guest.wait_for_loss().await;
        let why = guest.text("lost-why").await;
        assert!(why.contains("No game goes by this link"), "{why}");
    });
}

/// Run by `.ci/run exhaustive`: minutes.
mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn each_game_is_played_by_two_people_in_two_networks_to_its_end_by_mouse() {
        leap_games::IDS.into_iter().for_each(is_played_by_two_people_in_two_networks);
    }
}
