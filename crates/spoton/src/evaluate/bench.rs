//! A player's score on a [set](crate::design::sets) of games.

mod played;

pub use played::{NoScore, Played, PlayedGame, Reviewed};

use crate::engine::position::{ByPlayer, Player};
use crate::evaluate::arena::{Meeting, PromptOptions, SeatResult};
use crate::evaluate::chances::Odds;
use crate::evaluate::interval::Clusters;
use crate::evaluate::opponent::Opponent;
use crate::evaluate::summary::Line;

/// The conditions behind a result, except for the player and the set.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The version of Spot On.
    pub version: &'static str,
    /// The opponent.
    pub against: Opponent,
    /// The random seed.
    pub seed: u64,
    /// The rounds per game.
    pub rounds: u32,
    /// The player's seat: `first`, `second` or `both`.
    pub seat: &'static str,
    /// How the player was prompted, if it's a program.
    pub asked: Option<PromptOptions>,
    /// A program's time limit per answer, in milliseconds.
    pub move_time: Option<u64>,
}

/// A player's results over many games, by seat. Never a single number.
#[derive(Clone, Debug)]
pub struct Score {
    against: Opponent,
    games: Vec<GameScore>,
    /// If the player is a program: how often it wrote unrequested output.
    pub unasked: u64,
}

/// A player's results in one game. All rounds of a game count as one observation.
#[derive(Clone, Debug)]
struct GameScore {
    game: String,
    /// Going first, and going second.
    seats: [SeatCount; 2],
}

/// The counts from one seat of a game. Each expected value is a sum over every time the seat was counted.
#[derive(Clone, Copy, Debug, Default)]
struct SeatCount {
    times: u32,
    perfect: Option<f64>,
    careful: Option<f64>,
    exact: Option<f64>,
    /// A perfect player's expected wins in the played rounds.
    ceiling: f64,
    got: Line,
}

/// A player's results from one seat over many games, next to perfect play and guessing. Win rates are the fraction
/// of rounds won.
#[derive(Clone, Debug)]
pub struct SeatScore {
    /// The exact share a perfect player would win from this seat against the same opponent. Against a perfect opponent,
    /// this is the maximum. Against a weaker one, a player who sets traps can win more.
    pub perfect: Option<f64>,
    /// The share the careful guesser would win.
    pub careful: Option<f64>,
    /// The exact share this player would win, if it's a computer opponent.
    pub exact: Option<f64>,
    /// The wins relative to perfect play; `None` if perfect play wins nothing.
    pub of_ceiling: Option<f64>,
    /// Its 95% interval.
    pub of_ceiling_interval: Option<[f64; 2]>,
    /// The played results.
    pub got: Line,
}

impl SeatCount {
    /// Counts a seat `times` times.
    fn count(&mut self, seat: &SeatResult<'_>, times: u32) {
        self.times += times;
        let wins = |odds: Option<Odds>| odds.map(|odds| odds.wins[seat.player]);
        let add = |sum: &mut Option<f64>, odds: Option<Odds>| {
            if let Some(wins) = wins(odds) {
                *sum = Some(sum.unwrap_or_default() + wins * f64::from(times));
            }
        };
        add(&mut self.perfect, seat.perfect);
        add(&mut self.careful, seat.careful);
        add(&mut self.exact, seat.exact);
        if let Some(line) = seat.got {
            self.ceiling += wins(seat.perfect).unwrap_or_default() * f64::from(line.rounds);
            self.got.merge(line);
        }
    }
}

impl Score {
    /// An empty score against an opponent.
    pub fn against(opponent: Opponent) -> Score {
        Score { against: opponent, games: Vec::new(), unasked: 0 }
    }

    /// Going first, and going second.
    pub fn seats(&self) -> [SeatScore; 2] {
        [0, 1].map(|seat| self.over(&[seat]))
    }

    /// Both seats together. `None` if the player had one seat more often than the other, since their values differ.
    pub fn both_seats(&self) -> Option<SeatScore> {
        let [first, second] = self.seats();
        (first.got.rounds == second.got.rounds).then(|| self.all())
    }

    /// All rounds from both seats.
    pub fn all(&self) -> SeatScore {
        self.over(&[0, 1])
    }

    /// Combines some seats of all games. A game's seats form one cluster: a player who understands the game wins from
    /// one seat and not from the other.
    fn over(&self, seats: &[usize]) -> SeatScore {
        let counts = || self.games.iter().flat_map(|game| seats.iter().map(|seat| &game.seats[*seat]));
        let times: u32 = counts().map(|count| count.times).sum();
        let share = |of: fn(&SeatCount) -> Option<f64>| {
            let known: Vec<f64> = counts().filter(|count| count.times > 0).map(of).collect::<Option<_>>()?;
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / f64::from(times))
        };
        let of_game = |game: &GameScore| {
            let (mut line, mut ceiling) = (Line::default(), 0.0);
            for seat in seats {
                line.merge(&game.seats[*seat].got);
                ceiling += game.seats[*seat].ceiling;
            }
            (line, ceiling)
        };
        let games: Vec<(Line, f64)> = self.games.iter().map(of_game).collect();
        let played: Vec<&(Line, f64)> = games.iter().filter(|(line, _)| line.rounds > 0).collect();
        let ceilings = match played[..] {
            // With a single game, each round is an observation.
            [(Line { won, rounds, .. }, ceiling)] => {
                let won = |round| f64::from(u8::from(round < *won));
                Clusters::from_pairs((0..*rounds).map(|round| (won(round), ceiling / f64::from(*rounds))))
            }
            _ => Clusters::from_pairs(played.iter().map(|(line, ceiling)| (f64::from(line.won), *ceiling))),
        };
        let (perfect, exact) = (share(|count| count.perfect), share(|count| count.exact));
        let (of_ceiling, of_ceiling_interval) = match (perfect, exact) {
            (None, _) => (None, None),
            // Exact odds have no interval.
            (Some(perfect), Some(exact)) => ((perfect > 0.0).then(|| exact / perfect), None),
            (Some(_), None) if self.against == Opponent::perfect() => (ceilings.share(), ceilings.interval()),
            (Some(_), None) => (ceilings.share(), ceilings.ratio_interval()),
        };
        SeatScore {
            perfect,
            careful: share(|count| count.careful),
            exact,
            of_ceiling,
            of_ceiling_interval,
            got: Line::over_games(games.into_iter().map(|(line, _)| line)),
        }
    }

    /// Counts a game with the player as Player 1. Both seats count, played or not.
    pub fn count(&mut self, game: &str, meeting: &Meeting, names: &ByPlayer<String>) {
        for seat in meeting.seats(names).iter().filter(|seat| seat.player == Player::One) {
            self.game(game).seats[usize::from(seat.second)].count(seat, 1);
        }
        self.unasked += meeting.unasked[Player::One];
    }

    /// Counts rounds of a game. Only played seats count, weighted by how often they were played, so the comparison with
    /// perfect play covers the same rounds.
    pub fn count_played(&mut self, game: &str, meeting: &Meeting, names: &ByPlayer<String>, player: Player) {
        for seat in meeting.seats(names).iter().filter(|seat| seat.player == player) {
            if let Some(line) = seat.got {
                self.game(game).seats[usize::from(seat.second)].count(seat, line.rounds);
            }
        }
    }

    fn game(&mut self, game: &str) -> &mut GameScore {
        let place = self.games.iter().position(|known| known.game == game).unwrap_or_else(|| {
            self.games.push(GameScore { game: game.to_owned(), seats: Default::default() });
            self.games.len() - 1
        });
        &mut self.games[place]
    }
}
