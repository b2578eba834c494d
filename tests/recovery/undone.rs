//! What the arbiter does and undoes, with the program killed in between.

use std::{collections::BTreeMap, time::Duration};

use dgtd::{
    arbiter::{EventKind, Refusal, Request, event::EndedHow},
    laws::{Control, Supervision},
    units::Ply,
    wire::ClockSide,
};

use super::{
    SECOND,
    script::{Script, fivefold},
    table::{Table, classic},
};

fn played(plies: usize) -> (Table, Script) {
    let script = fivefold(40, 1);
    let mut table = Table::new(classic());
    for ply in 0..plies {
        table.play(&script, ply);
    }
    (table, script)
}

/// The program is killed and started again beside the board as it is.
fn again(table: &Table) -> Table {
    let (mut next, memory, troubles) =
        Table::restarted(table.board.clone(), &table.book.text, 3 * SECOND);
    assert!(!memory.is_damaged() && troubles.is_empty(), "{troubles:?}");
    next.attach();
    next.wait(6 * SECOND);
    next
}

fn result(ply: u32) -> Request {
    Request::SetResult { result: "1-0".into(), reason: "time".into(), expected_ply: Ply(ply) }
}

/// A result is entered by mistake and taken back: the game goes on to its true end.
#[test]
fn a_result_that_was_taken_back_never_was() {
    for killed in [None, Some(1), Some(2)] {
        let (mut table, script) = played(7);
        table.request(result(7));
        let game = table.status().game.unwrap();
        assert_eq!((game.result.as_str(), game.set_by_arbiter), ("1-0", true));
        assert!(
            table
                .told
                .iter()
                .any(|kind| matches!(kind, EventKind::GameEnded { how: EndedHow::Arbiter, .. }))
        );
        if killed == Some(1) {
            table = again(&table);
        }
        assert_eq!(
            table.refused(Request::Reopen { expected_ply: Ply(6) }),
            Refusal::StalePly { expected: Ply(6), actual: Ply(7) }
        );
        table.request(Request::Reopen { expected_ply: Ply(7) });
        assert_eq!(table.refused(Request::Reopen { expected_ply: Ply(7) }), Refusal::NotClosed);
        if killed == Some(2) {
            table = again(&table);
        }
        let game = table.status().game.unwrap();
        assert_eq!((game.number, game.result.as_str(), game.set_by_arbiter), (1, "*", false));
        for ply in 7..40 {
            table.play(&script, ply);
        }
        assert_eq!(table.sans(), script.sans, "killed {killed:?}");
        assert_eq!(table.ends(), [(40, "9.6.1".to_owned())], "killed {killed:?}");
        assert_eq!(table.status().game.unwrap().number, 1);
    }
}

/// The men moved while the result stood: what the board shows is looked at anew.
#[test]
fn a_move_made_before_the_result_was_taken_back_is_seen() {
    let (mut table, script) = played(7);
    table.request(result(7));
    table.play(&script, 7);
    table.request(Request::Reopen { expected_ply: Ply(7) });
    table.wait(6 * SECOND);
    table.play(&script, 8);
    assert_eq!(table.sans(), script.sans[..9]);
}

#[test]
fn conditions_are_those_that_were_set_last() {
    let (mut table, _) = played(3);
    let set = |control, supervision, edition: Option<&str>| Request::SetConditions {
        edition: edition.map(str::to_owned),
        control,
        supervision,
        supervised_blitz: None,
        expected_ply: Ply(3),
    };
    let shown = |table: &Table| {
        let game = table.status().game.unwrap();
        (game.edition, game.control, game.supervision)
    };
    table.request(set(Some(Control::Blitz), None, None));
    assert_eq!(shown(&table), ("fide-2023".into(), Control::Blitz, Supervision::Shared));
    table.request(set(None, Some(Supervision::Full), Some("2018")));
    assert_eq!(shown(&table), ("fide-2018".into(), Control::Blitz, Supervision::Full));
    assert_eq!(
        table.refused(set(None, None, Some("2024"))),
        Refusal::UnknownEdition("2024".into())
    );
    // The memo is written with the next event.
    let bytes = table.board.put("a2", '.');
    table.hear(&bytes);
    table.wait(Duration::from_secs(1));
    let bytes = table.board.put("a2", 'P');
    table.hear(&bytes);
    table.wait(3 * SECOND);
    let next = again(&table);
    assert_eq!(shown(&next), ("fide-2018".into(), Control::Blitz, Supervision::Full));
}

#[test]
fn a_pairing_goes_to_the_game_that_waits_and_else_to_the_next() {
    let tags = |white: &str| BTreeMap::from([("White".to_owned(), white.to_owned())]);
    let (mut table, script) = played(0);
    table.request(Request::SetPairing(tags("Ana")));
    assert_eq!(table.status().game.unwrap().tags, tags("Ana"));
    table.play(&script, 0);
    table.request(Request::SetPairing(tags("Bea")));
    assert_eq!(table.status().game.unwrap().tags, tags("Ana"), "the round that is on");
    assert_eq!(table.status().next_tags, tags("Bea"));
    table.play(&script, 1);
    table = again(&table);
    assert_eq!(table.status().next_tags, tags("Bea"));
    table.board.set_up("rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR");
    table.detach();
    table.attach();
    table.wait(8 * SECOND);
    let game = table.status().game.unwrap();
    assert_eq!((game.number, game.tags), (2, tags("Bea")));
    assert!(table.status().next_tags.is_empty());
    // Taken back by names that are empty.
    table.request(Request::SetPairing(tags("")));
    assert!(table.status().game.unwrap().tags.is_empty());
}

#[test]
fn the_side_of_the_clock_is_whose_the_arbiter_says() {
    let (mut table, _) = played(3);
    assert_eq!(table.status().white_clock_side, ClockSide::Left);
    let before = table.status().clock.unwrap();
    table.request(Request::SetClockSide(ClockSide::Right));
    let after = table.status().clock.unwrap();
    assert_eq!((after.white, after.black), (before.black, before.white));
    table.request(Request::SetClockSide(ClockSide::Left));
    let back = table.status().clock.unwrap();
    assert_eq!((back.white, back.black), (before.white, before.black));
}

/// An illegal move accepted by mistake, and the next one is the first again.
#[test]
fn a_decision_on_an_illegal_move_is_taken_back() {
    let (mut table, _) = played(0);
    let press = |table: &mut Table, words: &str| {
        for word in words.split(' ') {
            let bytes = table.board.put(&word[1..3], word[3..].chars().next().unwrap_or('.'));
            table.hear(&bytes);
            table.wait(Duration::from_millis(300));
        }
        let bytes = table.board.press();
        table.hear(&bytes);
        table.wait(4 * SECOND);
    };
    press(&mut table, "-e2 +e4P");
    press(&mut table, "-g8 +g6n");
    let decide = |number, accept| Request::DecideIllegalMove { number, accept, language: None };
    assert!(matches!(
        table.refused(Request::ReconsiderIllegalMove { number: 1 }),
        Refusal::IllegalMoveChoice(_)
    ));
    table.request(decide(Some(1), true));
    assert_eq!(table.status().game.unwrap().illegal_counted, [0, 1]);
    table.request(Request::ReconsiderIllegalMove { number: 1 });
    for table in [&table, &again(&table)] {
        let game = table.status().game.unwrap();
        assert_eq!(game.illegal_counted, [0, 0]);
        assert_eq!(game.illegal.iter().map(|i| i.number).collect::<Vec<_>>(), [1]);
    }
    table.request(decide(None, false));
    let game = again(&table).status().game.unwrap();
    assert!(game.illegal.is_empty() && game.illegal_counted == [0, 0]);
}
