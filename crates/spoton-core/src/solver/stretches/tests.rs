use super::*;
use crate::format::Draft;
use crate::solver::steps::Moves;

/// The cells of a table filled by stretches and number by number; `None` if there are no stretches.
fn both_ways<S: Score>(rulebook: &Rulebook) -> Option<[Vec<S>; 2]> {
    let mut budget = Budget::patient(1 << 30);
    let grid = Grid::for_rulebook(rulebook).unwrap();
    let stretches = Stretches::find(rulebook, &grid)?;
    let moves = Moves::for_grid(rulebook, &grid, &mut budget).unwrap();
    let [mut one, mut two] = [(); 2].map(|()| vec![S::DRAW; grid.places() as usize]);
    stretches.fill(&mut Filling::new(&moves, &mut one[..]), &mut budget).unwrap();
    Filling::new(&moves, &mut two[..]).fill_numbers(0, &mut budget).unwrap();
    Some([one, two])
}

/// All combinations of moves, memory and endings, up and down, on both sides of 0: compares each cell with
/// the result of trying all moves.
#[test]
fn stretches_fill_what_numbers_one_by_one_do() {
    let games = [
        (
            "start = 1\ntarget = 40",
            &["'+1', 'x2'", "'+2', '+5', 'x3'", "'+3', '+4'", "'+digit', '+7'", "'+1', '+divisor'"][..],
        ),
        ("start = -30\ntarget = 9", &["'+1', '+4'", "'+2..4'"]),
        (
            "start = 40\ntarget = 0",
            &["'-1..3'", "'-2', '-7'", "'-digit'", "'-divisor', '-2'", "'-prime', '-5'", "'-1..half'"],
        ),
        ("start = -1\ntarget = -40", &["'-1', 'x2'", "'-3', 'x2', 'x3'"]),
        ("start = 6\nrange = [-20, 6]", &["'-4', '-5'", "'-digit', '-3'", "{ op = '-1..half', to = 2 }"]),
        ("start = 2\nrange = [2, 50]", &["'+2', 'x2'", "'+digit'", "'+prime', '+1'"]),
    ];
    let rules = [
        "",
        "no_repeat = 'own'",
        "no_repeat = 'opponent'",
        "no_repeat = 'both'",
        "past = 'forbidden'",
        "past = 'wins'\nreach = 'loses'",
        "past = 'forbidden'\nstuck = 'wins'",
        "past = 'forbidden'\nno_repeat = 'own'\nstuck = 'skips'",
        "past = 'forbidden'\nno_repeat = 'opponent'\nstuck = 'skips'",
        "past = 'forbidden'\nno_repeat = 'both'\nstuck = 'draws'",
        "winning = [5, 12]\nlosing = [-7, 20]\nforbidden = [3, -15, 30]",
        "winning = [5, 12]\nlosing = [-7, 20]\nforbidden = [3, -15, 30]\nno_repeat = 'own'",
    ];
    let (mut filled, mut cells) = (0, 0);
    for (numbers, all_moves) in games {
        for moves in all_moves {
            // Without a target there is nothing to go past.
            for rules in rules.iter().filter(|rules| !(numbers.contains("range") && rules.contains("past"))) {
                let eleven = if moves.contains('+') { "+11" } else { "-11" };
                for limited in ["", "uses = 2", "uses = 2, pool = 'shared'"] {
                    let limited = match limited {
                        "" => String::new(),
                        uses => format!(", {{ op = '{eleven}', {uses} }}"),
                    };
                    let text = format!("title = 'T'\n{numbers}\nmoves = [{moves}{limited}]\n{rules}");
                    let rulebook = Draft::read("stretches", &text).build();
                    let rulebook = rulebook.unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
                    if Grid::for_rulebook(&rulebook).is_none() {
                        continue;
                    }
                    if let Some([stretches, numbers]) = both_ways::<i32>(&rulebook) {
                        assert!(stretches == numbers, "{text}");
                        (filled, cells) = (filled + 1, cells + numbers.len());
                    }
                }
            }
        }
    }
    assert!(filled > 300 && cells > 50_000, "{filled} {cells}");
}
