//! Random streams for many rounds: one per round, so that rounds don't affect each other.

use crate::engine::batch::CHUNK;

/// Bits of a draw that choices never consume. They keep the last choice uniform.
const KEPT_BITS: u32 = 24;

/// The random generators of a chunk of rounds.
///
/// A draw has 32 bits and serves several moves: each choice leaves the rest for the next.
pub(super) struct Dice {
    /// The streams (xoshiro128+) and their current draws, split into upper and lower halves for 16-bit lanes.
    streams: [[u32; CHUNK]; 4],
    pub(super) high: [u16; CHUNK],
    pub(super) low: [u16; CHUNK],
    /// How many more moves the current draws serve, and how many a new draw serves.
    left: u32,
    moves_a_draw: u32,
}

/// Generators for `rounds` rounds with at most `most_choices` choices each.
pub(super) fn dice(seed: u64, rounds: usize, most_choices: usize) -> Vec<Dice> {
    let bits_a_move = usize::BITS - (most_choices.max(2) - 1).leading_zeros();
    let moves_a_draw = 1 + (u32::BITS - KEPT_BITS) / bits_a_move;
    let mut seeds = SplitMix(seed);
    let mut dice =
        || Dice { streams: seeds.streams(), high: [0; CHUNK], low: [0; CHUNK], left: 0, moves_a_draw };
    (0..rounds.div_ceil(CHUNK)).map(|_| dice()).collect()
}

impl Dice {
    /// Prepares the next moves. Returns how many may be made before the next call: at most `moves`.
    #[inline]
    pub(super) fn ready(&mut self, moves: u64) -> u64 {
        if self.left == 0 {
            self.draw();
            self.left = self.moves_a_draw;
        }
        let now = moves.min(self.left.into());
        self.left -= now as u32;
        now
    }

    #[inline]
    fn draw(&mut self) {
        let [a, b, c, d] = &mut self.streams;
        for i in 0..CHUNK {
            let drawn = a[i].wrapping_add(d[i]);
            let shifted = b[i] << 9;
            c[i] ^= a[i];
            d[i] ^= b[i];
            b[i] ^= c[i];
            a[i] ^= d[i];
            c[i] ^= shifted;
            d[i] = d[i].rotate_left(11);
            self.high[i] = (drawn >> 16) as u16;
            self.low[i] = drawn as u16;
        }
    }

    /// A random choice below `choices` for a round of the chunk.
    #[inline]
    pub(super) fn pick(&mut self, round: usize, choices: u32) -> u32 {
        let drawn = u64::from(self.high[round]) << 16 | u64::from(self.low[round]);
        let product = drawn * u64::from(choices);
        self.high[round] = (product >> 16) as u16;
        self.low[round] = product as u16;
        (product >> 32) as u32
    }
}

/// The increment of SplitMix64.
pub const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of a number (SplitMix64's finalizer).
#[inline]
pub fn mixed(number: u64) -> u64 {
    let mut mixed = number;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// SplitMix64 for seeds: neighbouring seeds give unrelated streams.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(ODD);
        mixed(self.0)
    }

    fn streams(&mut self) -> [[u32; CHUNK]; 4] {
        let mut streams = [[0; CHUNK]; 4];
        for pair in streams.as_flattened_mut().chunks_exact_mut(2) {
            let seed = self.next();
            pair.copy_from_slice(&[seed as u32, (seed >> 32) as u32]);
        }
        // A stream of all zeros would stay zero.
        streams[0].iter_mut().for_each(|word| *word |= 1);
        streams
    }
}
