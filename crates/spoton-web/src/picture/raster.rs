//! Pictures as PNG, where browsers and messengers take no SVG: the app's icons and link previews. They need discs, rings
//! and arcs only, so a few lines draw them: a pixel's colour follows from its distance to the shape.

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use spoton::engine::position::Player;

use super::emblem::{Emblem, Hop};

type Colour = [u8; 3];

const PAPER: Colour = [0xfb, 0xf9, 0xf4];
const INK: Colour = [0x1b, 0x21, 0x30];
const EDGE: Colour = [0xdd, 0xd8, 0xcb];
const ONE: Colour = [0x14, 0x63, 0xc4];
const TWO: Colour = [0xd9, 0x5f, 0x0e];
const TARGET: Colour = [0x15, 0x80, 0x3d];

/// The size of a link preview, as messengers recommend it.
const PREVIEW: (usize, usize) = (1200, 630);
/// How many straight pieces an arc is drawn with.
const PIECES: usize = 48;

struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<Colour>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Canvas {
        Canvas { width, height, pixels: vec![PAPER; width * height] }
    }

    /// Paints all pixels whose distance to a shape, in pixels, is below 0. `around` bounds the shape: left, top, right, bottom.
    fn paint(&mut self, around: [f64; 4], colour: Colour, distance: impl Fn(f64, f64) -> f64) {
        let [left, top, right, bottom] = around;
        let within = |from: f64, to: f64, most: usize| {
            let pixel = |place: f64| place.clamp(0.0, most as f64) as usize;
            pixel(from - 2.0)..pixel(to + 3.0)
        };
        for y in within(top, bottom, self.height) {
            for x in within(left, right, self.width) {
                // At the edge, a pixel is covered in part.
                let covered = (0.5 - distance(x as f64 + 0.5, y as f64 + 0.5)).clamp(0.0, 1.0);
                if covered > 0.0 {
                    let pixel = &mut self.pixels[y * self.width + x];
                    for (old, new) in pixel.iter_mut().zip(colour) {
                        *old = (f64::from(*old) + (f64::from(new) - f64::from(*old)) * covered).round() as u8;
                    }
                }
            }
        }
    }

    fn disc(&mut self, (x, y): (f64, f64), radius: f64, colour: Colour) {
        let around = [x - radius, y - radius, x + radius, y + radius];
        self.paint(around, colour, |px, py| (px - x).hypot(py - y) - radius);
    }

    fn ring(&mut self, (x, y): (f64, f64), radius: f64, stroke: f64, colour: Colour) {
        let outer = radius + stroke / 2.0;
        let around = [x - outer, y - outer, x + outer, y + outer];
        self.paint(around, colour, |px, py| ((px - x).hypot(py - y) - radius).abs() - stroke / 2.0);
    }

    /// A line with round ends.
    fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), stroke: f64, colour: Colour) {
        let half = stroke / 2.0;
        let around = [x1.min(x2) - half, y1.min(y2) - half, x1.max(x2) + half, y1.max(y2) + half];
        let (dx, dy) = (x2 - x1, y2 - y1);
        let length = (dx * dx + dy * dy).max(f64::EPSILON);
        self.paint(around, colour, |px, py| {
            let along = (((px - x1) * dx + (py - y1) * dy) / length).clamp(0.0, 1.0);
            (px - x1 - along * dx).hypot(py - y1 - along * dy) - half
        });
    }

    /// An arc as in an emblem, with its places already in pixels.
    fn arc(&mut self, hop: &Hop, stroke: f64, colour: Colour) {
        let control = hop.line + hop.height / 0.75;
        let at = |piece: usize| {
            let t = piece as f64 / PIECES as f64;
            let (near, far) =
                ((1.0 - t).powi(3) + 3.0 * t * (1.0 - t).powi(2), t.powi(3) + 3.0 * t * t * (1.0 - t));
            let away = 3.0 * t * (1.0 - t);
            (near * hop.from + far * hop.to, hop.line + away * (control - hop.line))
        };
        for piece in 0..PIECES {
            self.line(at(piece), at(piece + 1), stroke, colour);
        }
    }

    /// The picture as a PNG file: 8 bits per channel, no filters.
    fn png(&self) -> Vec<u8> {
        let mut rows = Vec::with_capacity(self.pixels.len() * 3 + self.height);
        for row in self.pixels.chunks(self.width) {
            rows.push(0);
            rows.extend(row.iter().flatten());
        }
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        // Writing to memory can't fail.
        let packed = packer.write_all(&rows).and_then(|()| packer.finish()).unwrap_or_default();
        let size = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes();
        let head = [&size(self.width)[..], &size(self.height), &[8, 2, 0, 0, 0]].concat();
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, data) in [(b"IHDR", &head), (b"IDAT", &packed), (b"IEND", &Vec::new())] {
            let mut checksum = Crc::new();
            checksum.update(kind);
            checksum.update(data);
            png.extend(size(data.len()));
            png.extend(kind);
            png.extend(data);
            png.extend(checksum.sum().to_be_bytes());
        }
        png
    }
}

/// The app's icon: the dot in its ring, with the margin that systems may cut off.
pub fn app_icon(size: usize) -> Vec<u8> {
    let mut canvas = Canvas::new(size, size);
    let middle = (size as f64 / 2.0, size as f64 / 2.0);
    canvas.ring(middle, size as f64 * 0.27, size as f64 * 0.1, TARGET);
    canvas.disc(middle, size as f64 * 0.11, ONE);
    canvas.png()
}

/// A game's link preview: its emblem without the circle, as wide as the picture.
pub fn preview(emblem: &Emblem) -> Vec<u8> {
    let (width, height) = PREVIEW;
    let mut canvas = Canvas::new(width, height);
    // The emblem's square of 96 units, cropped above and below.
    let scale = width as f64 / 96.0 * 0.92;
    let place =
        |x: f64, y: f64| (width as f64 / 2.0 + (x - 48.0) * scale, height as f64 / 2.0 + (y - 52.0) * scale);
    for line in &emblem.lines {
        canvas.line(place(8.0, *line), place(88.0, *line), 12.0, EDGE);
    }
    for hop in &emblem.hops {
        let ((from, line), (to, _)) = (place(hop.from, hop.line), place(hop.to, hop.line));
        let colour = if hop.player == Player::One { ONE } else { TWO };
        canvas.arc(&Hop { from, to, line, height: hop.height * scale, ..*hop }, 16.0, colour);
    }
    if let Some((x, y)) = emblem.target {
        canvas.disc(place(x, y), 46.0, PAPER);
        canvas.ring(place(x, y), 40.0, 18.0, TARGET);
    }
    for (x, y) in &emblem.dots {
        canvas.disc(place(*x, *y), 28.0, INK);
    }
    canvas.png()
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::Arc;

    use flate2::read::ZlibDecoder;
    use spoton::format::catalog;

    use super::*;

    /// The size and the pixels of a PNG file. Panics if a checksum is wrong.
    fn read(png: &[u8]) -> (usize, usize, Vec<Colour>) {
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
        let (width, height) = (number(16), number(20));
        let (mut at, mut packed) = (8, Vec::new());
        while at < png.len() {
            let length = number(at);
            let chunk = &png[at + 4..at + 8 + length];
            let mut checksum = Crc::new();
            checksum.update(chunk);
            assert_eq!(number(at + 8 + length), checksum.sum() as usize);
            if chunk.starts_with(b"IDAT") {
                packed.extend(&chunk[4..]);
            }
            at += length + 12;
        }
        let mut rows = Vec::new();
        ZlibDecoder::new(&packed[..]).read_to_end(&mut rows).unwrap();
        assert_eq!(rows.len(), height * (width * 3 + 1));
        let pixels = rows.chunks(width * 3 + 1).flat_map(|row| row[1..].chunks(3));
        (width, height, pixels.map(|pixel| pixel.try_into().unwrap()).collect())
    }

    #[test]
    fn the_icon_is_a_dot_in_a_ring() {
        let (width, height, pixels) = read(&app_icon(100));
        assert_eq!((width, height), (100, 100));
        let at = |x: usize, y: usize| pixels[y * width + x];
        assert_eq!([at(50, 50), at(50, 23), at(2, 2), at(50, 34)], [ONE, TARGET, PAPER, PAPER]);
    }

    #[test]
    fn a_preview_shows_both_players_and_the_target() {
        for id in catalog::ids() {
            let rulebook = Arc::new(catalog::draft(id).unwrap().build().unwrap());
            let emblem = Emblem::new(&rulebook);
            let png = preview(&emblem);
            let (width, height, pixels) = read(&png);
            assert_eq!((width, height), PREVIEW);
            assert!(png.len() < 60_000, "{id}: {} bytes", png.len());
            for (colour, is_there) in
                [(ONE, true), (TWO, emblem.hops.len() > 1), (TARGET, emblem.target.is_some())]
            {
                assert_eq!(pixels.contains(&colour), is_there, "{id}: {colour:?}");
            }
        }
    }
}
