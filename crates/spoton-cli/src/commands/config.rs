//! `spoton config`: shows and changes settings. They live in the same file as other progress.

use std::io::Write;

use clap::{Args, ValueEnum};
use spoton::records::{NAME_FORM, is_name};

use crate::args::{Entry, Switch, json_option, read};
use crate::failure::Failure;
use crate::folders::Folders;
use crate::progress::{self, BACKGROUND, MOTION, NAMES, Progress};
use crate::shown::out;

pub const COMMAND: Entry = Entry {
    group: Some("More"),
    name: "config",
    about: "Show or change settings: discovery, motion, colours, names",
    arguments: ConfigArgs::augment_args,
    json: json_option,
    run: |matches, _| run(&read(matches)?),
};

const CONFIG_EXAMPLES: &str = "\
Examples:
  spoton config                      (shows all settings)
  spoton config discovery on         (no hints or answers, in every game)
  spoton config motion off           (no animation)
  spoton config colours dark         (light, dark or auto)
  spoton config names Ann,Ben        (player names, full screen)";

#[derive(Args, Debug)]
#[command(after_help = CONFIG_EXAMPLES)]
pub struct ConfigArgs {
    /// discovery, motion, colours or names
    #[arg(value_name = "SETTING", hide_possible_values = true)]
    pub key: Option<ConfigKey>,

    /// The new value; without it, the current value is shown
    #[arg(value_name = "VALUE", requires = "key")]
    pub value: Option<String>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigKey {
    Discovery,
    Motion,
    #[value(alias = "colors")]
    Colours,
    Names,
}

const KEYS: [ConfigKey; 4] = [ConfigKey::Discovery, ConfigKey::Motion, ConfigKey::Colours, ConfigKey::Names];

fn run(args: &ConfigArgs) -> Result<(), Failure> {
    let folders = Folders::usual();
    if let (Some(key), Some(value)) = (args.key, &args.value) {
        set(&folders, key, value)?;
    }
    let progress = Progress::load(&folders)?;
    let page = match args.key {
        Some(ConfigKey::Discovery) => discovery_in_words(&folders)?,
        Some(key) => line(key, &progress),
        None => {
            let lines: String = KEYS.iter().map(|key| line(*key, &progress)).collect();
            format!("{lines}\nChange one with: spoton config SETTING VALUE\n")
        }
    };
    out().write_all(page.as_bytes())?;
    Ok(())
}

/// `spoton discover`, the old spelling of `spoton config discovery`.
pub fn discover(to: Option<Switch>) -> Result<(), Failure> {
    let value = to.map(|to| if to == Switch::On { "on" } else { "off" }.to_owned());
    run(&ConfigArgs { key: Some(ConfigKey::Discovery), value })
}

fn set(folders: &Folders, key: ConfigKey, value: &str) -> Result<(), Failure> {
    let one_of = |values: &[&'static str]| {
        values.iter().find(|known| value.eq_ignore_ascii_case(known)).copied().ok_or_else(|| {
            let values = spoton::words::phrases::or_list(values);
            Failure::Usage(format!("{} takes {values}, not \"{value}\"", about(key).0))
        })
    };
    match key {
        ConfigKey::Discovery => progress::discover(folders, one_of(&["on", "off"])? == "on"),
        ConfigKey::Motion => Progress::remember(folders, MOTION, one_of(&["on", "off"])?),
        ConfigKey::Colours => Progress::remember(folders, BACKGROUND, one_of(&["auto", "light", "dark"])?),
        ConfigKey::Names => Progress::remember(folders, NAMES, &names(value)?),
    }
}

/// The names as the full screen stores them: always with a comma, even if there are fewer than two names.
fn names(value: &str) -> Result<String, Failure> {
    let (one, two) = value.split_once(',').unwrap_or((value, ""));
    let (one, two) = (one.trim(), two.trim());
    let is_valid = |name: &str| name.is_empty() || is_name(name);
    if !is_valid(one) || !is_valid(two) || one == two && !one.is_empty() || one.is_empty() && !two.is_empty()
    {
        return Err(Failure::Usage(format!(
            "names takes one name or two different ones, such as Ann,Ben, and \"\" to clear them; each is {NAME_FORM}"
        )));
    }
    Ok(format!("{one},{two}"))
}

/// The setting's name, meaning and possible values.
fn about(key: ConfigKey) -> (&'static str, &'static str) {
    match key {
        ConfigKey::Discovery => ("discovery", "Hide hints and answers in every game: on, off"),
        ConfigKey::Motion => ("motion", "Animation: on, off"),
        ConfigKey::Colours => ("colours", "Terminal background: auto, light, dark"),
        ConfigKey::Names => ("names", "Player names in full-screen mode, such as Ann,Ben"),
    }
}

fn line(key: ConfigKey, progress: &Progress) -> String {
    let ((name, about), value) = (about(key), value(key, progress));
    format!("{name:<10} {value:<8} {about}\n")
}

fn value(key: ConfigKey, progress: &Progress) -> String {
    let is_on = |name: &str, otherwise: &'static str| match progress.get(name) {
        Some("on") => "on",
        Some("off") => "off",
        _ => otherwise,
    };
    match key {
        ConfigKey::Discovery => is_on(progress::DISCOVER, "off").to_owned(),
        ConfigKey::Motion => is_on(MOTION, "on").to_owned(),
        ConfigKey::Colours => match progress.get(BACKGROUND) {
            Some(ground @ ("light" | "dark")) => ground.to_owned(),
            _ => "auto".to_owned(),
        },
        ConfigKey::Names => match progress.get(NAMES).unwrap_or_default().trim_end_matches(',') {
            "" => "-".to_owned(),
            names => names.to_owned(),
        },
    }
}

fn discovery_in_words(folders: &Folders) -> Result<String, Failure> {
    Ok(match progress::is_discovering(folders)? {
        true => {
            "Discovery mode is on: no hints or answers, even after a round, and maps start out covered.\n\
             Turn it off with: spoton config discovery off\n"
        }
        false => {
            "Discovery mode is off.\n\
             To let a class find the secrets themselves: spoton config discovery on\n"
        }
    }
    .to_owned())
}
