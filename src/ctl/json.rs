//! D-Bus values as JSON.

use serde_json::{Map, Value};
use zbus::Variant;

use super::plain;

/// A value as JSON.
pub fn value(variant: &Variant<'_>) -> Value {
    match variant {
        Variant::U8(n) => (*n).into(),
        Variant::Bool(b) => (*b).into(),
        Variant::I16(n) => (*n).into(),
        Variant::U16(n) => (*n).into(),
        Variant::I32(n) => (*n).into(),
        Variant::U32(n) => (*n).into(),
        Variant::I64(n) => (*n).into(),
        Variant::U64(n) => (*n).into(),
        Variant::F64(n) => (*n).into(),
        // What people wrote, and a terminal must not obey.
        Variant::Str(s) => plain::line(s.as_str()).into(),
        Variant::Signature(s) => s.to_string().into(),
        Variant::ObjectPath(p) => p.as_str().into(),
        Variant::Variant(inner) => value(inner),
        Variant::Array(array) => array.iter().map(value).collect::<Vec<_>>().into(),
        Variant::Dict(dict) => {
            let mut object = Map::new();
            for (key, inner) in dict.iter() {
                let key = match key {
                    Variant::Str(key) => key.as_str().to_owned(),
                    other => value(other).to_string(),
                };
                object.insert(key, value(inner));
            }
            object.into()
        }
        Variant::Structure(structure) => {
            structure.fields().iter().map(value).collect::<Vec<_>>().into()
        }
        Variant::Fd(_) => Value::Null,
    }
}

/// The fields of an event in the order of its JSON line: `event`, `board`, `t`, the rest by name,
/// then `time` and `seq`.
pub fn event_line(fields: impl IntoIterator<Item = (String, Value)>) -> Map<String, Value> {
    let mut rest: Map<String, Value> = fields.into_iter().collect();
    let mut line = Map::new();
    for key in ["event", "board", "t", "game"] {
        if let Some(value) = rest.shift_remove(key) {
            line.insert(key.into(), value);
        }
    }
    let last = ["time", "seq"].map(|key| (key, rest.shift_remove(key)));
    line.extend(rest);
    for (key, value) in last {
        if let Some(value) = value {
            line.insert(key.into(), value);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_with_what_and_where() {
        let fields =
            [("seq", 4.into()), ("a", 1.into()), ("board", "b".into()), ("event", "x".into())];
        let line = event_line(fields.map(|(k, v): (&str, Value)| (k.to_owned(), v)));
        assert_eq!(Value::Object(line).to_string(), r#"{"event":"x","board":"b","a":1,"seq":4}"#);
    }
}
