//! The notification server of the desktop (`org.freedesktop.Notifications` on the session bus).
//!
//! One task: it takes orders one after another, tells what came of each, and what the user does
//! with what is shown. A bus or a server that is away is tried again for ever, rarer each time.

use std::{collections::BTreeMap, time::Duration};

use futures_util::StreamExt as _;
use tokio::sync::mpsc;
use zbus::{
    Connection, Message, MessageStream, Variant,
    connection::Builder,
    fdo::{DBusProxy, RequestNameFlags, RequestNameReply},
    message,
    names::{BusName, MemberName, UniqueName},
};

use super::{note::Key, words::Text};

const SERVER: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
const DBUS: &str = "org.freedesktop.DBus";
/// The name that keeps a second `dgtctl notify` of this login from showing everything twice.
const OWN_NAME: &str = "org.dgtd.Notify";
/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// What the server is to do.
#[derive(Debug)]
pub enum Order {
    /// Show this in place of the notification with that number (0: of none); it may sound.
    Post(Key, Box<Text>, u32, bool),
    /// Take this away.
    Close(u32),
}

/// What the server, or its user, did.
#[derive(Debug)]
pub enum Reply {
    /// It is shown: its number, and the server's name.
    Posted(Key, u32, String),
    /// It is not shown.
    NotPosted(Key),
    /// It has left the screen, and why.
    Closed(u32, u32),
    /// A button was pressed.
    Pressed(u32, String),
    /// The server is there under this name, or is not.
    Server(Option<String>),
    /// The session bus cannot be reached.
    NoSession(String),
    /// Another `dgtctl notify` of this login is running.
    NotAlone,
}

/// The desktop's end of the two channels.
#[derive(Debug)]
pub struct Desktop {
    orders: mpsc::UnboundedReceiver<Order>,
    replies: mpsc::UnboundedSender<Reply>,
    /// Name of the sound of what must be heard; empty: none.
    sound: String,
}

/// The connection broke, or nobody gives orders any more.
enum End {
    Broken(String),
    Over,
}

impl Desktop {
    /// Starts the task; orders go in, replies come out.
    pub fn start(sound: String) -> (mpsc::UnboundedSender<Order>, mpsc::UnboundedReceiver<Reply>) {
        let (order, orders) = mpsc::unbounded_channel();
        let (replies, reply) = mpsc::unbounded_channel();
        let desktop = Desktop { orders, replies, sound };
        tokio::spawn(desktop.run());
        (order, reply)
    }

    fn say(&self, reply: Reply) {
        // Nobody listens any more: fine.
        let _ = self.replies.send(reply);
    }

    async fn run(mut self) {
        let mut pause = FIRST_PAUSE;
        loop {
            let building = Builder::session().method_timeout(PATIENCE).build();
            let end = match tokio::time::timeout(PATIENCE, building).await {
                Ok(Ok(connection)) => {
                    pause = FIRST_PAUSE;
                    self.serve(&connection).await
                }
                Ok(Err(e)) => End::Broken(e.to_string()),
                Err(_) => End::Broken("it does not answer".into()),
            };
            let End::Broken(why) = end else { return };
            self.say(Reply::Server(None));
            self.say(Reply::NoSession(why));
            if !self.refuse_for(pause).await {
                return;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Lets time pass; whatever is ordered meanwhile is not done. Says whether to go on.
    async fn refuse_for(&mut self, pause: Duration) -> bool {
        let over = tokio::time::sleep(pause);
        tokio::pin!(over);
        loop {
            tokio::select! {
                () = &mut over => return true,
                order = self.orders.recv() => match order {
                    Some(Order::Post(key, ..)) => self.say(Reply::NotPosted(key)),
                    Some(Order::Close(_)) => {}
                    None => return false,
                },
            }
        }
    }

    /// Serves orders while the connection stands.
    async fn serve(&mut self, connection: &Connection) -> End {
        let broken = |e: zbus::Error| End::Broken(e.to_string());
        // The library's own flags would let a second one take the name away.
        let flags = RequestNameFlags::DO_NOT_QUEUE;
        match connection.request_name_with_flags(OWN_NAME, flags).await {
            Ok(RequestNameReply::PrimaryOwner | RequestNameReply::AlreadyOwner) => {}
            Ok(_) | Err(zbus::Error::NameTaken) => {
                self.say(Reply::NotAlone);
                return End::Over;
            }
            Err(e) => return broken(e),
        }
        let mut heard = match listen(connection).await {
            Ok(heard) => heard,
            Err(e) => return broken(e),
        };
        let identity = match DBusProxy::new(connection).await {
            Ok(bus) => bus.get_id().await.map(|id| id.to_string()).unwrap_or_default(),
            Err(e) => return broken(e),
        };
        let mut server =
            Server { connection: connection.clone(), identity, owner: None, caps: Vec::new() };
        let mut pause = FIRST_PAUSE;
        let mut look = Box::pin(tokio::time::sleep(Duration::ZERO));
        loop {
            tokio::select! {
                () = &mut look, if server.owner.is_none() => {
                    server.find(true).await;
                    self.say(Reply::Server(server.name()));
                    look.set(tokio::time::sleep(pause));
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                order = self.orders.recv() => match order {
                    Some(Order::Post(key, text, replaces, sound)) => {
                        match server.post(&text, replaces, if sound { &self.sound } else { "" }).await {
                            Ok((id, owner)) => {
                                pause = FIRST_PAUSE;
                                self.say(Reply::Posted(key, id, owner));
                            }
                            Err(e) => {
                                tracing::debug!(error = %e, "notify: not shown");
                                server.owner = None;
                                look.set(tokio::time::sleep(pause));
                                self.say(Reply::NotPosted(key));
                            }
                        }
                    }
                    Some(Order::Close(id)) => server.close(id).await,
                    None => return End::Over,
                },
                message = heard.recv() => match message {
                    None => return End::Broken("the connection is lost".into()),
                    Some(message) => match server.understand(&message) {
                        Understood::Reply(reply) => self.say(reply),
                        Understood::Owner => {
                            server.find(false).await;
                            self.say(Reply::Server(server.name()));
                            pause = FIRST_PAUSE;
                            look.set(tokio::time::sleep(pause));
                        }
                        Understood::Nothing => {}
                    },
                },
            }
        }
    }
}

async fn listen(connection: &Connection) -> zbus::Result<mpsc::UnboundedReceiver<Message>> {
    let mut stream = MessageStream::from(connection);
    let (forward, heard) = mpsc::unbounded_channel();
    // It does nothing but forward: an unread stream would stop the whole connection, answers
    // included.
    tokio::spawn(async move {
        while let Some(Ok(message)) = stream.next().await {
            if message.message_type() == message::Type::Signal && forward.send(message).is_err() {
                return;
            }
        }
    });
    for rule in [
        format!("type='signal',interface='{SERVER}',path='{PATH}'"),
        format!("type='signal',sender='{DBUS}',member='NameOwnerChanged',arg0='{SERVER}'"),
    ] {
        connection
            .call_method(Some(DBUS), "/org/freedesktop/DBus", Some(DBUS), "AddMatch", &rule)
            .await?;
    }
    Ok(heard)
}

/// The server as far as it is known.
struct Server {
    connection: Connection,
    /// The bus's own identity.
    identity: String,
    /// The server's name on the bus.
    owner: Option<String>,
    /// What it can do.
    caps: Vec<String>,
}

enum Understood {
    Reply(Reply),
    Owner,
    Nothing,
}

impl Server {
    /// The server among those of all buses.
    fn name(&self) -> Option<String> {
        self.owner.as_ref().map(|owner| format!("{}{owner}", self.identity))
    }

    /// Looks who the server is; `start` one if the bus can.
    async fn find(&mut self, start: bool) {
        self.owner = self.look_for(start).await.ok();
        if self.owner.is_some() {
            self.caps = self.capabilities().await.unwrap_or_default();
        }
    }

    async fn look_for(&self, start: bool) -> zbus::Result<String> {
        let bus = DBusProxy::new(&self.connection).await?;
        let name = BusName::try_from(SERVER)?;
        match bus.get_name_owner(name.clone()).await {
            Ok(owner) => return Ok(owner.to_string()),
            Err(e) if !start => return Err(e.into()),
            Err(_) => {}
        }
        bus.start_service_by_name(SERVER.try_into()?, 0).await?;
        Ok(bus.get_name_owner(name).await?.to_string())
    }

    async fn capabilities(&self) -> zbus::Result<Vec<String>> {
        let reply = self
            .connection
            .call_method(Some(SERVER), PATH, Some(SERVER), "GetCapabilities", &())
            .await?;
        reply.body().deserialize()
    }

    fn can(&self, what: &str) -> bool {
        self.caps.iter().any(|cap| cap == what)
    }

    /// Shows it; its number, and the name of the server that shows it.
    async fn post(
        &mut self,
        text: &Text,
        replaces: u32,
        sound: &str,
    ) -> zbus::Result<(u32, String)> {
        let mut hints: BTreeMap<&str, Variant<'_>> = BTreeMap::new();
        hints.insert("urgency", Variant::U8(text.urgency));
        hints.insert("desktop-entry", "dgtctl-notify".into());
        if text.stays {
            hints.insert("resident", true.into());
            hints.insert("category", "x-dgtd.urgent".into());
        }
        if sound.is_empty() {
            hints.insert("suppress-sound", true.into());
        } else {
            hints.insert("sound-name", sound.into());
        }
        let mut actions: Vec<&str> = Vec::new();
        if self.can("actions") {
            actions.extend(text.buttons.iter().flat_map(|(name, words)| [*name, words.as_str()]));
        }
        let body = if self.can("body-markup") { escaped(&text.body) } else { text.body.clone() };
        // What must stay never expires; for the rest the server knows best.
        let expire: i32 = if text.stays { 0 } else { -1 };
        let body = ("dgtd", replaces, "", text.title.as_str(), body, actions, hints, expire);
        let reply =
            self.connection.call_method(Some(SERVER), PATH, Some(SERVER), "Notify", &body).await?;
        let id = reply.body().deserialize()?;
        if let Some(sender) = reply.header().sender() {
            self.owner = Some(sender.to_string());
        }
        Ok((id, self.name().unwrap_or_default()))
    }

    async fn close(&self, id: u32) {
        let closed =
            self.connection.call_method(Some(SERVER), PATH, Some(SERVER), "CloseNotification", &id);
        if let Err(e) = closed.await {
            // It is not there any more: then it need not be closed.
            tracing::debug!(error = %e, id, "notify: not closed");
        }
    }

    fn understand(&self, message: &Message) -> Understood {
        let header = message.header();
        let sender = header.sender().map(UniqueName::as_str);
        let body = message.body();
        if sender == Some(DBUS) {
            return match body.deserialize::<(String, String, String)>() {
                Ok((name, ..)) if name == SERVER => Understood::Owner,
                _ => Understood::Nothing,
            };
        }
        if sender != self.owner.as_deref() {
            return Understood::Nothing;
        }
        let reply = match header.member().map(MemberName::as_str) {
            Some("NotificationClosed") => {
                body.deserialize().map(|(id, why): (u32, u32)| Reply::Closed(id, why))
            }
            Some("ActionInvoked") => {
                body.deserialize().map(|(id, name): (u32, String)| Reply::Pressed(id, name))
            }
            _ => return Understood::Nothing,
        };
        reply.map_or(Understood::Nothing, Understood::Reply)
    }
}

/// For servers that read marks: labels may hold `<` or `&`.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn marks_in_labels_stay_letters() {
        assert_eq!(super::escaped("R&D <1>"), "R&amp;D &lt;1&gt;");
    }
}
