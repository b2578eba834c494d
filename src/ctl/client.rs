//! The connection to the daemon, and its objects as they are now.

use std::{collections::BTreeMap, io::Write as _, time::Duration};

use serde_json::Value;
use zbus::{
    Connection, OwnedVariant, Type, Variant,
    connection::Builder,
    fdo::{DBusProxy, ObjectManagerProxy},
    names::BusName,
};

use super::{
    CtlError,
    hosts::{self, Destination, Fault, Host, Tunnel, Way},
    json,
};
use crate::{
    config::BusChoice,
    laws::text::Language,
    signals::dbus::{ARBITER_NAME, NAME, ROOT},
};

/// How long the daemon may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The properties of an object, by interface and name.
pub type Object = BTreeMap<String, BTreeMap<String, Value>>;

/// A connection on which the daemon was seen.
#[derive(Debug)]
pub struct Client {
    /// The connection.
    pub connection: Connection,
    /// The ssh it goes through, when it does.
    tunnel: Option<Tunnel>,
}

/// A board's object.
#[derive(Clone, Debug, Default)]
pub struct BoardObject {
    /// Its path.
    pub path: String,
    /// Its interfaces.
    pub object: Object,
    /// What only the arbiter may know, when it may be read.
    pub arbiter_only: BTreeMap<String, Value>,
}

impl BoardObject {
    /// A property as text, empty when it is not there.
    pub fn text(&self, interface: &str, property: &str) -> &str {
        self.get(interface, property).and_then(Value::as_str).unwrap_or_default()
    }

    /// A property.
    pub fn get(&self, interface: &str, property: &str) -> Option<&Value> {
        self.object.get(interface)?.get(property)
    }

    /// Whether a game is set up.
    pub fn has_game(&self) -> bool {
        self.object.contains_key("org.dgtd.Game1")
    }

    /// Its name: the last part of the path.
    pub fn name(&self) -> &str {
        object_name(&self.path)
    }
}

/// The name of the board behind an object path: its last part, without what marks a serial number.
pub fn object_name(path: &str) -> &str {
    let last = path.rsplit('/').next().unwrap_or_default();
    last.strip_prefix("sn_").unwrap_or(last)
}

impl Client {
    /// Connects to the bus on which the daemon is: with `auto` the system bus, else the session bus.
    pub async fn connect(which: &BusChoice) -> Result<Client, CtlError> {
        let candidates = match which {
            BusChoice::Auto | BusChoice::None => vec![BusChoice::System, BusChoice::Session],
            one => vec![one.clone()],
        };
        let mut reached = Vec::new();
        let mut failure = None;
        for bus in candidates {
            match Client::open(&bus, PATIENCE).await {
                Ok(client) => {
                    let dbus = DBusProxy::new(&client.connection).await?;
                    if dbus.name_has_owner(BusName::try_from(NAME)?).await.unwrap_or(false) {
                        return Ok(client);
                    }
                    reached.push(bus.to_string());
                }
                Err(e) => failure = Some(e),
            }
        }
        match failure {
            Some(failure) if reached.is_empty() => Err(failure),
            _ => Err(CtlError::NotRunning(reached)),
        }
    }

    /// Connects to a host's bus, on which the daemon must be.
    pub async fn connect_to(host: &Host) -> Result<Client, CtlError> {
        let Way::Ssh(destination) = &host.way else {
            let Way::Bus(bus) = &host.way else { return Err(CtlError::Lost) };
            return Client::connect(bus).await;
        };
        let fail = |fault| CtlError::Host { host: host.name.clone(), fault };
        let client = Client::over_ssh(destination, PATIENCE).await.map_err(fail)?;
        let dbus = DBusProxy::new(&client.connection).await?;
        match dbus.name_has_owner(BusName::try_from(NAME)?).await {
            Ok(true) => Ok(client),
            Ok(false) => Err(fail(Fault::NotRunning)),
            Err(e) => Err(zbus::Error::from(e).into()),
        }
    }

    /// Connects to a bus, whoever is on it.
    pub async fn open(bus: &BusChoice, patience: Duration) -> Result<Client, CtlError> {
        let builder = match bus {
            BusChoice::Session => Builder::session(),
            BusChoice::Address(address) => Builder::address(address.as_str()),
            BusChoice::System | BusChoice::Auto | BusChoice::None => Builder::system(),
        };
        let building = builder.method_timeout(patience).build();
        let built = tokio::time::timeout(patience, building).await.unwrap_or_else(|_| {
            Err(zbus::Error::InputOutput(std::sync::Arc::new(std::io::ErrorKind::TimedOut.into())))
        });
        match built {
            Ok(connection) => Ok(Client { connection, tunnel: None }),
            Err(source) => Err(CtlError::NoBus { bus: bus.to_string(), source }),
        }
    }

    /// Connects to the system bus of another PC, whoever is on it.
    pub async fn over_ssh(to: &Destination, patience: Duration) -> Result<Client, Fault> {
        let (connection, tunnel) = hosts::connect_ssh(to, patience).await?;
        Ok(Client { connection, tunnel: Some(tunnel) })
    }

    /// Why ssh ended, when the connection goes through it.
    pub async fn tunnel_fault(&self) -> Option<Fault> {
        match &self.tunnel {
            Some(tunnel) => Some(tunnel.fault().await),
            None => None,
        }
    }

    /// Calls a method of an object everyone may see.
    pub async fn call<B, R>(
        &self,
        path: &str,
        interface: &str,
        method: &str,
        body: &B,
    ) -> Result<R, CtlError>
    where
        B: serde::Serialize + Type,
        R: for<'d> serde::Deserialize<'d> + Type,
    {
        self.call_to(NAME, path, interface, method, body).await
    }

    /// Calls a method of one of the daemon's two names.
    pub async fn call_to<B, R>(
        &self,
        name: &str,
        path: &str,
        interface: &str,
        method: &str,
        body: &B,
    ) -> Result<R, CtlError>
    where
        B: serde::Serialize + Type,
        R: for<'d> serde::Deserialize<'d> + Type,
    {
        let reply =
            self.connection.call_method(Some(name), path, Some(interface), method, body).await?;
        Ok(reply.body().deserialize()?)
    }

    /// The properties of one interface of an object.
    pub async fn properties(
        &self,
        name: &str,
        path: &str,
        interface: &str,
    ) -> Result<BTreeMap<String, Value>, CtlError> {
        const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
        let all: BTreeMap<String, OwnedVariant> =
            self.call_to(name, path, PROPERTIES, "GetAll", &interface).await?;
        Ok(all.into_iter().map(|(name, v)| (name, json::value(&v))).collect())
    }

    /// All objects below the root of one of the daemon's two names.
    pub async fn objects(&self, name: &'static str) -> Result<BTreeMap<String, Object>, CtlError> {
        let manager = ObjectManagerProxy::builder(&self.connection)
            .destination(name)
            .path(ROOT)
            .build()
            .await?;
        let all = manager.get_managed_objects().await.map_err(zbus::Error::from)?;
        let objects = all.into_iter().map(|(path, of_path)| {
            let interfaces = of_path.into_iter().map(|(interface, properties)| {
                let properties =
                    properties.into_iter().map(|(name, v)| (name.clone(), json::value(&v)));
                (interface.to_string(), properties.collect())
            });
            (path.to_string(), interfaces.collect())
        });
        Ok(objects.collect())
    }

    /// The objects only the arbiter's people may see; none without the right.
    pub async fn secret_objects(&self) -> Option<BTreeMap<String, Object>> {
        self.objects(ARBITER_NAME).await.ok()
    }

    /// All boards, in the order of their names.
    pub async fn boards(&self) -> Result<Vec<BoardObject>, CtlError> {
        let secrets = self.secret_objects().await.unwrap_or_default();
        Ok(hosts::boards(self.objects(NAME).await?, secrets))
    }

    /// The board people call `name`: its name, serial number or label.
    pub async fn board(&self, name: &str) -> Result<BoardObject, CtlError> {
        let boards = self.boards().await?;
        let known: Vec<String> = boards.iter().map(|b| b.name().to_owned()).collect();
        let is = |board: &BoardObject| {
            board.name() == name
                || board.name() == name.replace('-', "_")
                || board.text("org.dgtd.Board1", "Serial") == name
                || board.text("org.dgtd.Board1", "Label") == name
        };
        boards.into_iter().find(is).ok_or_else(|| CtlError::NoSuchBoard {
            name: name.to_owned(),
            known: if known.is_empty() { "none".into() } else { known.join(", ") },
        })
    }

    /// Silences the buzzer.
    pub async fn silence(&self) -> Result<(), CtlError> {
        self.call(ROOT, "org.dgtd.Daemon1", "SilenceBuzzer", &options([])).await
    }

    /// Makes the daemon read its configuration again; prints what needs a restart.
    pub async fn reload(&self) -> Result<(), CtlError> {
        let warnings: Vec<String> = self.call(ROOT, "org.dgtd.Daemon1", "Reload", &()).await?;
        let mut out = std::io::stdout().lock();
        for warning in &warnings {
            writeln!(out, "{warning}")?;
        }
        if warnings.iter().any(|warning| warning.starts_with("nothing was changed")) {
            return Err(CtlError::Said("error-not-reloaded", Vec::new()));
        }
        Ok(())
    }
}

/// The options of a method that answers in words: who asks, and in which language.
pub fn asked_in(language: &Language) -> BTreeMap<String, OwnedVariant> {
    options([("language", Variant::from(language.to_string()))])
}

/// The options at the end of a method: who asks, and what is given.
pub fn options<const N: usize>(given: [(&str, Variant<'_>); N]) -> BTreeMap<String, OwnedVariant> {
    let by = std::env::var("USER").unwrap_or_default();
    let by = (!by.is_empty()).then(|| ("by", Variant::from(by)));
    given
        .into_iter()
        .chain(by)
        .filter_map(|(key, v)| Some((key.to_owned(), OwnedVariant::try_from(v).ok()?)))
        .collect()
}
