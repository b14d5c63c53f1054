//! Random rule books with every key of the format, for golden output.
//!
//! Independent of the library and all other crates, so that a book's number always gives the same text, and
//! recorded output stays comparable. Don't change how books are drawn: that would invalidate all recorded
//! output.
#![allow(dead_code)] // every test file uses another part of this

const LARGEST: i64 = 1_000_000_000_000_000_000;

/// A seeded generator (SplitMix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0xd134_2543_de82_ef95));
        dice.roll();
        dice
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A random number from 0, below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.roll() % bound as u64) as usize
    }

    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A book, and the arguments to request it.
pub struct RandomBook {
    pub text: String,
    pub variant: Option<&'static str>,
    /// As `--set` takes them.
    pub settings: Vec<String>,
}

/// The book with this number.
pub fn random_book(number: u64) -> RandomBook {
    let mut dice = Dice::new(number);
    let mut book = match dice.below(100) {
        0..=7 => extending(&mut dice),
        8..=32 => climbing(&mut dice),
        33..=37 => too_large(&mut dice),
        _ => of_any_kind(&mut dice),
    };
    if dice.chance(10) {
        let list =
            ["stuck=draws", "repetition=2", "stuck=skips", "no_repeat=own", "passes=1", "repetition=0"];
        book.settings.push(dice.pick(&list).to_owned());
    }
    book
}

/// The positions of the starts, the target, the range and the lists.
struct Numbers {
    separate: bool,
    start: (i64, i64),
    target: Option<i64>,
    range: Option<(i64, i64)>,
    /// Winning, losing and forbidden numbers.
    lists: [Vec<i64>; 3],
}

impl Numbers {
    fn written(&self, dice: &mut Dice) -> String {
        let (a, b) = self.start;
        let mut text = String::new();
        if self.separate || dice.chance(20) {
            text += &format!("numbers = '{}'\n", if self.separate { "separate" } else { "shared" });
        }
        text += &if a == b { format!("start = {a}\n") } else { format!("start = [{a}, {b}]\n") };
        if let Some(target) = self.target {
            text += &format!("target = {target}\n");
        }
        if let Some((low, high)) = self.range {
            text += &format!("range = [{low}, {high}]\n");
        }
        for (key, list) in ["winning", "losing", "forbidden"].iter().zip(&self.lists) {
            if !list.is_empty() {
                text += &format!("{key} = {list:?}\n");
            }
        }
        text
    }

    /// A target further away, if nothing contradicts it.
    fn further_target(&self) -> Option<i64> {
        let plain = self.range.is_none() && self.lists.iter().all(Vec::is_empty) && self.start.0.abs() < 1000;
        let target = self.target.filter(|_| plain)?;
        Some(if target > self.start.0 { target + 7 } else { target - 7 })
    }
}

fn within(number: i64) -> i64 {
    number.clamp(-LARGEST, LARGEST)
}

/// Valid combinations of numbers, a few steps around an anchor.
fn numbers(dice: &mut Dice) -> Numbers {
    let anchor = dice.pick(&[0, 0, 0, 0, 0, 0, 0, 0, 9, 9, -9, -9, LARGEST, -LARGEST]);
    let near = |dice: &mut Dice, width: i64| within(anchor + dice.between(-width, width));
    let separate = dice.chance(35);
    let (a, b) = (near(dice, 8), near(dice, 8));
    let beside = if a < LARGEST { a + 1 } else { a - 1 };
    let target = dice.chance(85).then(|| near(dice, 22));
    let target = target.map(|target| if target == a { beside } else { target });
    let apart = target.is_some_and(|target| target == b || (a < target) != (b < target));
    let start = (a, if separate && !apart { b } else { a });
    let ends = [start.0, start.1, target.unwrap_or(a)];
    let (low, high) = (ends[0].min(ends[1]).min(ends[2]), ends[0].max(ends[1]).max(ends[2]));
    let range = (target.is_none() || dice.chance(40)).then(|| {
        let (below, above) = (dice.between(0, 9), dice.between(0, 9));
        (within(low - below), within(high + above))
    });
    let mut taken: Vec<i64> = target.into_iter().collect();
    let lists = [(); 3].map(|()| {
        let count = if dice.chance(25) { 1 + dice.below(3) } else { 0 };
        let mut list: Vec<i64> = Vec::new();
        for _ in 0..count {
            let number = near(dice, 18);
            if !taken.contains(&number) {
                taken.push(number);
                list.push(number);
            }
        }
        list
    });
    Numbers { separate, start, target, range, lists }
}

/// The value of `moves`. Most lead towards the target.
fn moves(dice: &mut Dice, numbers: &Numbers) -> String {
    let signs = match numbers.target.map(|target| target > numbers.start.0) {
        Some(true) if dice.chance(85) => dice.pick(&["+", "+x", "++x", "++-", "+x-", "++x-/", "+/"]),
        Some(false) if dice.chance(85) => dice.pick(&["-", "-/", "--/", "--+", "-/+", "--x", "--x+/"]),
        _ => dice.pick(&["+-", "+-x", "+-x/", "x/", "-x", "x", "/+", "+", "-"]),
    };
    let signs: Vec<char> = signs.chars().collect();
    let entries = if dice.chance(6) { dice.between(6, 9) } else { dice.between(2, 5) };
    // Limits multiply the number of positions, and so do separate numbers.
    let mut limits = if dice.chance(40) { if numbers.separate { 1 } else { 2 } } else { 0 };
    let mut taken: Vec<(char, i64)> = Vec::new();
    let mut written: Vec<String> = Vec::new();
    for _ in 0..entries {
        let sign = dice.pick(&signs);
        let from = match dice.below(25) {
            0 => dice.pick(&[1_000_000_000, LARGEST / 2, LARGEST]),
            1..=4 => dice.between(5, 12),
            _ => dice.between(1, 4),
        };
        let limited = limits > 0 && dice.chance(50);
        let labelled = dice.chance(15);
        let longer = if limited || labelled || dice.chance(75) { 0 } else { dice.between(1, 2) };
        let to = (from + longer).min(LARGEST);
        let operations: Vec<(char, i64)> = (from..=to).map(|amount| (sign, amount)).collect();
        if operations.iter().any(|operation| taken.contains(operation)) {
            continue;
        }
        taken.extend(operations);
        let op = if from == to { format!("{sign}{from}") } else { format!("{sign}{from}..{to}") };
        let mut keys = format!("op = '{op}'");
        if limited {
            limits -= 1;
            keys += &format!(", uses = {}", dice.between(1, 2));
            keys += dice.pick(&["", "", ", pool = 'shared'", ", pool = 'own'"]);
        }
        if labelled {
            let name = dice.pick(&["Hop", "Leap", "Schritt für Schritt", "Go \\\"on\\\"", "数 it"]);
            keys += &format!(", label = \"{name} {from}\"");
        }
        written.push(if keys.contains(',') { format!("{{ {keys} }}") } else { format!("'{op}'") });
    }
    format!("[{}]", written.join(", "))
}

/// Small enough to solve, with all keys.
fn of_any_kind(dice: &mut Dice) -> RandomBook {
    let numbers = numbers(dice);
    let moves = moves(dice, &numbers);
    let mut rules = numbers.written(dice) + &format!("moves = {moves}\n");
    if numbers.target.is_some() {
        word(dice, &mut rules, "reach", &["wins", "wins", "loses"]);
        word(dice, &mut rules, "past", &["loses", "forbidden", "wins"]);
    }
    word(dice, &mut rules, "no_repeat", &["none", "none", "none", "own", "opponent", "both"]);
    word(dice, &mut rules, "stuck", &["loses", "wins", "draws", "skips", "skips"]);
    if dice.chance(70) {
        rules += &format!("repetition = {}\n", dice.pick(&[0, 2, 3, 4]));
    }
    if dice.chance(20) {
        rules += &format!("passes = {}\n", dice.between(0, 2));
    }
    finished(dice, rules, numbers.target.is_some(), numbers.further_target())
}

/// One number that only goes up or down, often far enough for patterns.
fn climbing(dice: &mut Dice) -> RandomBook {
    let down = dice.chance(25);
    let sign = if down { '-' } else { '+' };
    let (from, more) = (dice.between(1, 3), dice.between(1, 5));
    let mut moves = format!("'{sign}{from}..{}'", from + more);
    if !down && dice.chance(30) {
        moves =
            dice.pick(&["'+1', 'x2'", "'+1', '+2', 'x3'", "'x2', 'x3', '+1'", "'+2', '+5', 'x2'"]).to_owned();
    }
    let near = dice.between(-3, 3);
    let length = match dice.below(10) {
        0 => dice.between(2_000, 30_000),
        1..=2 => dice.between(200, 700),
        _ => dice.between(12, 70),
    };
    let (start, target) = if down { (near + length, near) } else { (near, near + length) };
    let mut rules = format!("start = {start}\ntarget = {target}\nmoves = [{moves}]\n");
    word(dice, &mut rules, "reach", &["wins", "wins", "loses"]);
    word(dice, &mut rules, "past", &["loses", "forbidden", "wins"]);
    if dice.chance(25) {
        rules += &format!("losing = [{}]\n", near + dice.between(4, 11));
    }
    if dice.chance(10) {
        rules += &format!("forbidden = [{}, {}]\n", near + 3, start.max(target) - 2);
    }
    if length < 1000 {
        word(dice, &mut rules, "no_repeat", &["none", "none", "none", "own", "opponent"]);
    }
    word(dice, &mut rules, "stuck", &["loses", "wins", "draws", "skips"]);
    finished(dice, rules, true, None)
}

/// Far beyond any budget, except for answers that follow from the numbers alone.
fn too_large(dice: &mut Dice) -> RandomBook {
    let rules = dice.pick(&[
        "start = 1\ntarget = LARGEST\nmoves = ['+1', 'x2']\n",
        "start = -LARGEST\nrange = [-LARGEST, LARGEST]\nmoves = ['+1..16']\n",
        "start = LARGEST\ntarget = -LARGEST\nmoves = ['-1..3', '/2']\nstuck = 'skips'\n",
        "start = 1\ntarget = LARGEST\nmoves = ['+3', '+2', '+1']\nno_repeat = 'both'\n",
        "start = 1\ntarget = LARGEST\nmoves = ['+7', { op = '+1', uses = 255 }]\nlosing = [-1, 0, 1]\n",
        "numbers = 'separate'\nstart = [1, 2]\ntarget = LARGEST\nmoves = ['+1', 'x2']\n",
        "start = 1\ntarget = LARGEST\nmoves = ['+1']\nwinning = [4]\n",
        "start = 0\ntarget = LARGEST\nmoves = ['+LARGEST', 'x1']\n",
        "start = LARGEST\ntarget = 1\nmoves = ['/2', '/5', '/10']\n",
        "numbers = 'separate'\nstart = [1, 999999999999999999]\ntarget = LARGEST\nmoves = ['+1', '+2']\n",
    ]);
    finished(dice, rules.replace("LARGEST", &LARGEST.to_string()), true, None)
}

/// A shipped book with some keys replaced.
fn extending(dice: &mut Dice) -> RandomBook {
    let (id, key, low, variants): (_, _, _, &[&'static str]) = dice.pick(&[
        (
            "double-or-add",
            "target",
            9,
            &["subtract", "three-subtractions", "three-doublings", "race-to-31"][..],
        ),
        ("number-maze", "target", 9, &["to-15", "to-34"][..]),
        ("operation-target", "target", 9, &["three-operations"][..]),
        ("race-to-23", "target", 9, &[][..]),
        ("sequence-math-duel", "target", 9, &["no-copying"][..]),
        ("take-away", "start", 9, &[][..]),
        ("target-twenty-one", "target", 9, &["limited-passes"][..]),
        ("twenty-one-loses", "target", 9, &[][..]),
    ]);
    let mut text = format!("extends = '{id}'\n");
    if dice.chance(60) {
        text += &format!("title = {}\n", title(dice));
    }
    text += &format!("{key} = {}\n", low + dice.between(0, 40));
    word(dice, &mut text, "stuck", &["loses", "wins", "draws", "skips"]);
    if dice.chance(30) {
        text += &format!("repetition = {}\n", dice.pick(&[0, 2, 4]));
    }
    let variant = (!variants.is_empty() && dice.chance(60)).then(|| dice.pick(variants));
    text += &wording(dice);
    RandomBook { text, variant, settings: vec![] }
}

/// Adds a title and all keys that don't decide play; perhaps variants.
fn finished(dice: &mut Dice, rules: String, has_target: bool, further: Option<i64>) -> RandomBook {
    let mut text = format!("title = {}\n", title(dice));
    if dice.chance(30) {
        text += dice.pick(&[
            "summary = \"From {start} on; the end is {target}.\"\n",
            "summary = 'Kurz & bündig: \"{target}\"'\n",
        ]);
    }
    if dice.chance(20) {
        text += "suits = 'people who like numbers'\n";
    }
    if dice.chance(20) {
        text += "notes = ['It begins at {start}.', \"A second remark, with a \\\\ and a \\\" and words enough to go over the end of a line.\"]\n";
    }
    text += &rules;
    if dice.chance(25) {
        let claims: Vec<&str> = ["'ends'", "'no-draws'", "'skill-wins'", "'moves <= 40'", "'subtle >= 1'"]
            .into_iter()
            .filter(|_| dice.chance(40))
            .collect();
        text += &format!("claims = [{}]\n", claims.join(", "));
    }
    if dice.chance(15) {
        text += dice.pick(&["match = { first_to = 2 }\n", "match = { rounds = 5 }\n"]);
    }
    text += &wording(dice);
    let mut variant = None;
    if dice.chance(25) {
        text += &variants(dice, has_target, further);
        variant = dice.chance(80).then_some("other");
    }
    let mut settings = Vec::new();
    if let Some(target) = further.filter(|_| dice.chance(15)) {
        settings.push(format!("target={target}"));
    }
    RandomBook { text, variant, settings }
}

fn variants(dice: &mut Dice, has_target: bool, further: Option<i64>) -> String {
    let mut text = "[variants.other]\n".to_owned();
    if dice.chance(30) {
        text += "summary = 'Another way, to {target}.'\n";
    }
    if has_target {
        word(dice, &mut text, "past", &["loses", "forbidden", "wins"]);
        word(dice, &mut text, "reach", &["wins", "loses"]);
    }
    word(dice, &mut text, "stuck", &["loses", "wins", "draws", "skips"]);
    if let Some(target) = further.filter(|_| dice.chance(30)) {
        text += &format!("target = {target}\n");
    }
    if dice.chance(20) {
        text += "wording = { wins = '{winner} wins the other way.' }\n";
    }
    text += "[variants.third-2]\nrepetition = 4\nclaims = []\n";
    text
}

fn title(dice: &mut Dice) -> &'static str {
    dice.pick(&[
        "'Any game'",
        "'Any game'",
        "'To {target}'",
        "'From {start} to {target}'",
        "\"It's \\\"quoted\\\" \\\\ here\"",
        "'Größe 数'",
    ])
}

/// A key with one of these words, or nothing for the default.
fn word(dice: &mut Dice, text: &mut String, key: &str, words: &[&str]) {
    if dice.chance(75) {
        text.push_str(&format!("{key} = '{}'\n", dice.pick(words)));
    }
}

const SENTENCES: &[(&str, &[&str])] = &[
    ("menu", &["all", "legal", "legal", "questions", "questions"]),
    ("opening", &["", "{title}: from {start} to {target}\\n{goal}", "{{{title}}}"]),
    ("separator", &["---", "~ ~"]),
    ("turn", &["", "{player} ({number}), {opponent} ({other}); last: {previous}", "{Your} number: {number}"]),
    ("choices", &["{You} can:\\n{list}", "{title} {start} {target} {Your}: {list}"]),
    ("choices_one", &["Only {list}"]),
    ("item", &["[{key}] {operation} -> {result}"]),
    ("item_limited", &["[{key}] {Operation} -> {result} ({left})"]),
    ("item_barred", &["[{key}] {Operation} ({reason})"]),
    ("item_separator", &[", "]),
    ("prompt", &["{player}? ({keys}) ", "{You} at {number}, {opponent}: "]),
    ("operation_prompt", &["{player}, which of {words}? "]),
    ("number_prompt", &["How much, {numbers}? "]),
    ("limits", &["{opponent} waits. {player}: {limits}"]),
    ("moved", &["", "{You}: {before} -> {number} by {operation}; {other}", "{player} {Operation} {Your}"]),
    ("skip", &["", "{player} waits at {number}, {opponent} goes on to {target}"]),
    ("reached", &["", "{player} sits on {number}, {opponent} does not"]),
    ("overshot", &["{player} is too far: {number}"]),
    ("landed", &["{number} it is for {player}"]),
    ("stuck", &["{player} cannot go on from {number}"]),
    ("both_stuck", &["Nobody can go on to {target}"]),
    ("resigned", &["{player} has had enough"]),
    ("repetition", &["{times} times {{the same}}"]),
    ("stopped", &["Enough of {title}"]),
    ("wins", &["{winner} beats {loser}"]),
    ("drawn", &["Even, from {start} to {target}"]),
    ("none", &["nothing"]),
];

/// The table `[wording]`, or nothing.
fn wording(dice: &mut Dice) -> String {
    if !dice.chance(35) {
        return String::new();
    }
    let share = dice.pick(&[15, 40, 90]);
    let mut text = "[wording]\n".to_owned();
    for (key, sentences) in SENTENCES {
        if dice.chance(share) {
            text += &format!("{key} = \"{}\"\n", dice.pick(sentences));
        }
    }
    text
}
