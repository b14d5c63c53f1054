//! Hops on a number line as arcs: pure arithmetic from columns to characters.

use spoton::engine::position::Player;

/// A hop from one column to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    pub from: u16,
    pub to: u16,
    /// The player who made it, for its colour.
    pub player: Player,
    /// Whether it is only a preview.
    pub dotted: bool,
}

/// The side of the line with the arcs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Above,
    Below,
}

/// The character set of arcs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pen {
    /// Braille: eight dots per cell.
    Braille,
    /// ASCII only.
    Plain,
}

/// A character in the box of the arcs. Row 0 is at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stroke {
    pub x: u16,
    pub y: u16,
    pub sign: char,
    pub player: Player,
}

/// The minimum width of an arc in columns. A shorter hop is a tick where it lands.
const SHORTEST: u16 = 2;

/// The bits of Braille dots, by row and column.
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
const NO_DOTS: u32 = 0x2800;

/// The characters of hops in a box. Later hops cover earlier ones.
pub fn draw(hops: &[Hop], width: u16, rows: u16, side: Side, pen: Pen) -> Vec<Stroke> {
    let mut paper = Paper { width, rows, cells: vec![None; usize::from(width) * usize::from(rows)] };
    for hop in hops {
        match pen {
            Pen::Braille => paper.curve(hop),
            Pen::Plain => paper.bracket(hop, side),
        }
    }
    paper.strokes(side, pen)
}

/// The box being drawn. Heights are measured outwards from the line, so both sides share the code.
struct Paper {
    width: u16,
    rows: u16,
    /// Cells row by row, outwards from the line: dots or a character, and the player.
    cells: Vec<Option<(u8, Player)>>,
}

impl Paper {
    fn cell(&mut self, x: u16, height: u16) -> Option<&mut Option<(u8, Player)>> {
        let inside = x < self.width && height < self.rows;
        let index = usize::from(height) * usize::from(self.width) + usize::from(x);
        self.cells.get_mut(index).filter(|_| inside)
    }

    /// Draws half an ellipse. Its height is half its length if there is room.
    fn curve(&mut self, hop: &Hop) {
        let (left, right) = (u32::from(hop.from.min(hop.to)), u32::from(hop.from.max(hop.to)));
        if right - left < SHORTEST.into() {
            for height in 0..3 {
                self.dot(2 * u32::from(hop.to), height, hop.player);
            }
            return;
        }
        // From the right half of one column to the left half of the other, so that consecutive hops don't touch.
        let (first, last) = (2 * left + 1, 2 * right);
        let span = last - first;
        let top = (span / 2 + 1).clamp(3, (4 * u32::from(self.rows)).max(3)) - 1;
        let height = |along: u32| {
            let from_middle = 1.0 - 2.0 * f64::from(along) / f64::from(span);
            (f64::from(top) * (1.0 - from_middle * from_middle).max(0.0).sqrt()).round() as u32
        };
        // Short arcs need denser dots.
        let every = if span < 10 { 2 } else { 3 };
        let (mut reached, mut count) = (0, 0);
        for along in 0..=span / 2 {
            let here = height(along);
            for height in (reached + 1).min(here)..=here {
                count += 1;
                if !hop.dotted || count % every == 1 {
                    self.dot(first + along, height, hop.player);
                    self.dot(last - along, height, hop.player);
                }
            }
            reached = here;
        }
    }

    /// Sets a dot; a cell has eight.
    fn dot(&mut self, x: u32, height: u32, player: Player) {
        // Drawn as if below the line; strokes() mirrors the cells above it.
        let bit = DOTS[(height % 4) as usize][(x % 2) as usize];
        if let Some(cell) = self.cell((x / 2) as u16, (height / 4) as u16) {
            let dots = cell.map_or(0, |(dots, _)| dots);
            *cell = Some((dots | bit, player));
        }
    }

    /// Draws a bracket. Longer hops are higher.
    fn bracket(&mut self, hop: &Hop, side: Side) {
        let (left, right) = (hop.from.min(hop.to), hop.from.max(hop.to));
        let (along, up) = if hop.dotted { (b'.', b':') } else { (b'-', b'|') };
        if right - left < SHORTEST {
            return self.put(hop.to, 0, up, hop.player);
        }
        let top = ((right - left) / 8).min(self.rows.saturating_sub(1));
        for height in 0..top {
            self.put(left, height, up, hop.player);
            self.put(right, height, up, hop.player);
        }
        let corner = if side == Side::Above { b'.' } else { b'\'' };
        for x in left + 1..right {
            // Dots with gaps, the same from both ends.
            if !hop.dotted || (x - left).min(right - x).is_multiple_of(2) {
                self.put(x, top, along, hop.player);
            }
        }
        self.put(left, top, corner, hop.player);
        self.put(right, top, corner, hop.player);
    }

    fn put(&mut self, x: u16, height: u16, sign: u8, player: Player) {
        if let Some(cell) = self.cell(x, height) {
            *cell = Some((sign, player));
        }
    }

    fn strokes(&self, side: Side, pen: Pen) -> Vec<Stroke> {
        let mut strokes = Vec::new();
        for (index, cell) in self.cells.iter().enumerate() {
            let Some((content, player)) = *cell else { continue };
            let (x, height) = (index % usize::from(self.width), index / usize::from(self.width));
            let (x, height) = (x as u16, height as u16);
            let y = if side == Side::Above { self.rows - 1 - height } else { height };
            let sign = match (pen, side) {
                (Pen::Plain, _) => char::from(content),
                (Pen::Braille, Side::Below) => braille(content),
                (Pen::Braille, Side::Above) => braille(upside_down(content)),
            };
            strokes.push(Stroke { x, y, sign, player });
        }
        strokes
    }
}

fn braille(dots: u8) -> char {
    char::from_u32(NO_DOTS + u32::from(dots)).unwrap_or(' ')
}

fn upside_down(dots: u8) -> u8 {
    let mut turned = 0;
    for (row, bits) in DOTS.iter().enumerate() {
        for (column, bit) in bits.iter().enumerate() {
            if dots & bit != 0 {
                turned |= DOTS[3 - row][column];
            }
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hop(from: u16, to: u16) -> Hop {
        Hop { from, to, player: Player::One, dotted: false }
    }

    /// The rows of a box as text.
    fn picture(hops: &[Hop], width: u16, rows: u16, side: Side, pen: Pen) -> Vec<String> {
        let mut lines = vec![vec![' '; usize::from(width)]; usize::from(rows)];
        for Stroke { x, y, sign, .. } in draw(hops, width, rows, side, pen) {
            lines[usize::from(y)][usize::from(x)] = sign;
        }
        lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned()).collect()
    }

    #[test]
    fn an_arc_ends_on_both_its_columns() {
        let above = picture(&[hop(0, 3), hop(11, 15)], 16, 2, Side::Above, Pen::Braille);
        assert_eq!(above, ["", "⢀⠖⠲⡀       ⢀⠎⠉⠱⡀"]);
        let below = picture(&[hop(3, 11), hop(15, 24)], 25, 2, Side::Below, Pen::Braille);
        assert_eq!(below, ["   ⠈⡆     ⢰⠁   ⠈⡆      ⢰⠁", "    ⠘⠤⣀⣀⣀⠤⠃     ⠘⠢⢄⣀⣀⡠⠔⠃"]);
    }

    #[test]
    fn in_ascii_as_brackets() {
        let hops = [hop(0, 3), hop(11, 21)];
        assert_eq!(
            picture(&hops, 22, 2, Side::Above, Pen::Plain),
            ["           .---------.", ".--.       |         |"]
        );
        assert_eq!(
            picture(&hops, 22, 2, Side::Below, Pen::Plain),
            ["'--'       |         |", "           '---------'"]
        );
        assert_eq!(picture(&hops, 22, 1, Side::Above, Pen::Plain), [".--.       .---------."]);
    }

    #[test]
    fn a_hop_that_is_only_thought_of_is_dotted() {
        let thought = Hop { dotted: true, ..hop(0, 8) };
        let count = |hop: Hop| {
            let strokes = draw(&[hop], 9, 2, Side::Above, Pen::Braille);
            strokes.iter().map(|stroke| (stroke.sign as u32 - NO_DOTS).count_ones()).sum::<u32>()
        };
        assert!(count(thought) > 4 && count(thought) < count(hop(0, 8)) / 2);
        assert_eq!(picture(&[thought], 9, 1, Side::Below, Pen::Plain), ["' . . . '"]);
    }

    #[test]
    fn a_short_hop_or_none_at_all_is_a_tick() {
        for to in [4, 5] {
            for (pen, sign) in [(Pen::Braille, '⡆'), (Pen::Plain, '|')] {
                let strokes = draw(&[hop(4, to)], 9, 2, Side::Above, pen);
                assert_eq!(strokes, [Stroke { x: to, y: 1, sign, player: Player::One }]);
            }
        }
    }

    /// In every box: nothing outside, an arc at each end, and the same arc in both directions.
    #[test]
    fn arcs_stay_in_their_box() {
        for (width, rows) in [(0, 0), (1, 1), (4, 0), (4, 1), (76, 2), (200, 7)] {
            for from in 0..width {
                for to in 0..width {
                    for (side, pen) in [(Side::Above, Pen::Braille), (Side::Below, Pen::Plain)] {
                        let strokes = draw(&[hop(from, to)], width, rows, side, pen);
                        assert!(strokes.iter().all(|stroke| stroke.x < width && stroke.y < rows));
                        let at_line = if side == Side::Above { rows.saturating_sub(1) } else { 0 };
                        let stands =
                            |x: u16| strokes.iter().any(|stroke| (stroke.x, stroke.y) == (x, at_line));
                        assert_eq!(stands(to), rows > 0);
                        if from.abs_diff(to) >= SHORTEST {
                            assert_eq!(strokes, draw(&[hop(to, from)], width, rows, side, pen));
                        }
                    }
                }
            }
        }
        // An end outside the box must not panic.
        draw(&[hop(3, 500), hop(60_000, 2)], 10, 2, Side::Above, Pen::Braille);
        draw(&[hop(3, 500), hop(60_000, 2)], 10, 2, Side::Below, Pen::Plain);
    }

    /// An arc has no gaps.
    #[test]
    fn an_arc_goes_all_the_way() {
        for to in SHORTEST..60 {
            let strokes = draw(&[hop(0, to)], 60, 3, Side::Above, Pen::Braille);
            for x in 0..=to {
                assert!(strokes.iter().any(|stroke| stroke.x == x), "{x} of {to}");
            }
        }
    }
}
