//! A call of a daemon as a value, and its answer as one.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::Value;
use zbus::{
    Variant,
    wire::{Structure, StructureBuilder},
};

use crate::{
    ctl::{
        CtlError,
        client::{Client, options},
        json,
    },
    signals::dbus::{ARBITER_NAME, NAME},
};

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// `s`
    Text(String),
    /// `u`
    Number(u32),
    /// `b`
    Truth(bool),
    /// `a{ss}`
    Texts(BTreeMap<String, String>),
    /// `v`
    Any(Box<Arg>),
    /// `a{sv}`; who asks is added.
    Options(Vec<(&'static str, Arg)>),
}

/// A call of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The place of the PC.
    pub host: usize,
    /// To the name for the arbiter's people.
    pub secret: bool,
    /// The object.
    pub path: String,
    /// The interface.
    pub interface: &'static str,
    /// The method.
    pub method: &'static str,
    /// The arguments.
    pub args: Vec<Arg>,
}

/// Why there is no answer, or a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The bus does not let this user.
    Rights,
    /// The daemon refused: the last part of the error's name, and its text.
    Refused(String, String),
    /// The PC cannot be heard now.
    Away,
    /// No answer came in time.
    Silent,
    /// Something else.
    Other(String),
}

/// The values of a reply, or why there is none.
pub type Answer = Result<Vec<Value>, Failure>;

impl Arg {
    fn variant(self) -> Variant<'static> {
        match self {
            Arg::Text(text) => Variant::from(text),
            Arg::Number(number) => Variant::from(number),
            Arg::Truth(truth) => Variant::from(truth),
            Arg::Texts(texts) => Variant::from(texts),
            Arg::Any(inner) => Variant::Variant(Box::new(inner.variant())),
            Arg::Options(given) => {
                let mut all = options([]);
                for (key, value) in given {
                    // What was made here holds no file descriptor, the only thing that can fail.
                    if let Ok(value) = value.variant().try_into() {
                        all.insert(key.to_owned(), value);
                    }
                }
                Variant::from(all)
            }
        }
    }
}

/// Makes calls one after the other; the answer of the last, or the first failure.
pub async fn perform(client: Option<Arc<Client>>, calls: Vec<Call>) -> Answer {
    let Some(client) = client else { return Err(Failure::Away) };
    let mut values = Vec::new();
    for call in calls {
        values = one(&client, call).await.map_err(|e| failure(&e))?;
    }
    Ok(values)
}

async fn one(client: &Client, call: Call) -> Result<Vec<Value>, CtlError> {
    let name = if call.secret { ARBITER_NAME } else { NAME };
    let mut body = StructureBuilder::new();
    for arg in call.args {
        body.push_value(arg.variant());
    }
    let body = body.build()?;
    let path = call.path.as_str();
    let reply = client
        .connection
        .call_method(Some(name), path, Some(call.interface), call.method, &body)
        .await?;
    let body = reply.body();
    if body.is_empty() {
        return Ok(Vec::new());
    }
    let values: Structure<'_> = body.deserialize()?;
    Ok(values.fields().iter().map(json::value).collect())
}

fn failure(error: &CtlError) -> Failure {
    match error {
        CtlError::NoRights(_) => Failure::Rights,
        CtlError::Silent => Failure::Silent,
        CtlError::TooOld(text) => Failure::Refused("UnknownMethod".to_owned(), text.clone()),
        CtlError::Refused { name, text } => {
            let last = name.rsplit('.').next().unwrap_or_default();
            match last {
                "NoReply" | "Timeout" | "TimedOut" => Failure::Silent,
                "ServiceUnknown" | "NameHasNoOwner" => Failure::Away,
                "AccessDenied" => Failure::Rights,
                last => Failure::Refused(last.to_owned(), text.clone()),
            }
        }
        CtlError::Bus(zbus::Error::InputOutput(e)) if e.kind() == std::io::ErrorKind::TimedOut => {
            Failure::Silent
        }
        CtlError::NotRunning(_) | CtlError::Lost | CtlError::Bus(zbus::Error::InputOutput(_)) => {
            Failure::Away
        }
        other => Failure::Other(crate::daemon::with_causes(other)),
    }
}
