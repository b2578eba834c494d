//! Between our words and D-Bus's: options, details, callers.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use zbus::{Connection, OwnedVariant, Variant, fdo::DBusProxy, message::Header, names::BusName};

use super::ApiError;
use crate::signals::Caller;

/// The `a{sv}` at the end of methods that change something.
pub type Options = BTreeMap<String, OwnedVariant>;

/// The longest text of an option that is kept.
const LONGEST_TEXT: usize = 500;

/// A text among the options.
pub fn text(options: &Options, key: &str) -> Result<Option<String>, ApiError> {
    let Some(value) = options.get(key) else { return Ok(None) };
    match &**value {
        Variant::Str(text) => Ok(Some(text.chars().take(LONGEST_TEXT).collect())),
        _ => Err(ApiError::InvalidArgument(format!("option {key:?} must be a string"))),
    }
}

/// A truth among the options, false when it is not there.
pub fn truth(options: &Options, key: &str) -> Result<bool, ApiError> {
    match options.get(key).map(|value| &**value) {
        None => Ok(false),
        Some(Variant::Bool(truth)) => Ok(*truth),
        Some(_) => Err(ApiError::InvalidArgument(format!("option {key:?} must be a boolean"))),
    }
}

/// Refuses options that are not among `known`, so that a misspelt one is not passed over.
pub fn only(options: &Options, known: &[&str]) -> Result<(), ApiError> {
    let all = |key: &str| known.contains(&key) || key == "by" || key == "reason";
    match options.keys().find(|key| !all(key)) {
        None => Ok(()),
        Some(key) => Err(ApiError::InvalidArgument(format!(
            "unknown option {key:?}; known here: by, reason{}{}",
            if known.is_empty() { "" } else { ", " },
            known.join(", ")
        ))),
    }
}

/// The login of whoever calls, as the bus knows it.
pub async fn caller_of(connection: &Connection, header: Option<&Header<'_>>) -> Option<u32> {
    match header.and_then(|header| header.sender()) {
        Some(sender) => {
            let sender = BusName::Unique(sender.to_owned());
            let dbus = DBusProxy::new(connection).await.ok()?;
            dbus.get_connection_credentials(sender).await.ok()?.unix_user_id()
        }
        // Without a bus there is one peer.
        None => connection.peer_creds().await.ok()?.unix_user_id(),
    }
}

/// Who calls: the login as the bus knows it, and what he says of himself.
pub async fn caller(
    connection: &Connection,
    header: &Header<'_>,
    options: &Options,
) -> Result<Caller, ApiError> {
    Ok(Caller {
        uid: caller_of(connection, Some(header)).await,
        by: text(options, "by")?.unwrap_or_default(),
        reason: text(options, "reason")?.unwrap_or_default(),
    })
}

/// The fields of a JSON object as `a{sv}`, borrowed from it.
pub fn fields(object: &Map<String, Value>) -> BTreeMap<&str, Variant<'_>> {
    object.iter().filter_map(|(key, value)| Some((key.as_str(), variant(value)?))).collect()
}

/// The fields of a JSON object as `a{sv}`.
pub fn details(object: &Map<String, Value>) -> BTreeMap<String, Variant<'static>> {
    let owned =
        |(key, value)| Some((String::clone(key), variant(value)?.try_into_owned().ok()?.into()));
    object.iter().filter_map(owned).collect()
}

/// A JSON value as a variant; nothing for null, which D-Bus does not have.
fn variant(value: &Value) -> Option<Variant<'_>> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(truth) => Variant::from(*truth),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Variant::from(number),
            (None, Some(number)) => Variant::from(number),
            (None, None) => Variant::from(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => Variant::from(text.as_str()),
        Value::Array(items) => Variant::from(
            items
                .iter()
                .map(|item| match item {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                })
                .collect::<Vec<String>>(),
        ),
        Value::Object(object) => Variant::from(details(object)),
    })
}
