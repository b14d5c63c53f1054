//! Whole rounds, by keys and by the mouse.
