//! Writes settings into the text of a rule book, for people who edit it further.

use toml::de::DeTable;

use super::draft::Draft;
use super::reader::{KEYS, Shape};
use super::setting::items;

/// Writes settings such as `target=23` into the text of a rule book. Replaces existing values, and adds a
/// line for each new key. Keeps the wording. Returns `None` if the text wouldn't play the same as the
/// settings.
///
/// ```
/// use spoton::format::edited;
///
/// let text = "title = 'Mine'\nstart = 1\ntarget = 9  # so far\nmoves = ['+1', '+2']\n\n[variants.long]\ntarget = 20\n";
/// let changed = edited(text, &["target=11".to_owned(), "no_repeat=own".to_owned()]).unwrap();
/// assert!(changed.contains("target = 11  # so far\n"));
/// assert!(changed.contains("moves = ['+1', '+2']\nno_repeat = \"own\"\n\n[variants.long]\ntarget = 20\n"));
/// assert_eq!(edited(text, &["moves=sideways".to_owned()]), None);
/// ```
pub fn edited(text: &str, settings: &[String]) -> Option<String> {
    let mut changed = text.to_owned();
    for setting in settings {
        let (key, value) = setting.split_once('=')?;
        changed = with_key(&changed, key.trim(), value.trim())?;
    }
    let meant = settings.iter().fold(Draft::read("text", text), |draft, setting| draft.set("--set", setting));
    let comes_to = |draft: Draft| draft.build().ok().map(|rulebook| rulebook.rules_line());
    (comes_to(Draft::read("text", &changed)) == Some(comes_to(meant)?)).then_some(changed)
}

fn with_key(text: &str, key: &str, value: &str) -> Option<String> {
    let (_, shape) = KEYS.iter().find(|(known, _)| *known == key)?;
    let value = match shape {
        Shape::Number => value.to_owned(),
        Shape::Text => format!("\"{value}\""),
        Shape::Texts if value.starts_with('[') => value.to_owned(),
        Shape::Texts => {
            let quoted: Vec<String> = items(value).map(|(_, item)| format!("\"{item}\"")).collect();
            format!("[{}]", quoted.join(", "))
        }
        _ => return None,
    };
    let table = DeTable::parse(text).ok()?;
    let given = table.get_ref().iter().find(|(known, _)| known.get_ref() == key);
    if let Some((_, given)) = given {
        let span = given.span();
        return Some(format!("{}{value}{}", text.get(..span.start)?, text.get(span.end..)?));
    }
    // Insert after the last plain key: keys after a table's header belong to that table.
    let plain = table.get_ref().iter().filter(|(_, value)| !value.get_ref().is_table());
    let last = plain.map(|(_, value)| value.span().end).max().unwrap_or(0);
    let rest = text.get(last..)?;
    let (line, below) = rest.split_once('\n').unwrap_or((rest, ""));
    Some(format!("{}{line}\n{key} = {value}\n{below}", &text[..last]))
}
