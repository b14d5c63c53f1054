//! Every screen, drawn without a terminal.
