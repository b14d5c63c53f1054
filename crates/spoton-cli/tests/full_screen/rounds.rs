//! Whole rounds, as somebody at the keyboard plays them.
