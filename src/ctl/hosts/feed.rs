//! One task a host: it connects, reads, listens, notices that the line is dead, and begins again.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use futures_util::StreamExt as _;
use serde_json::Value;
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};
use zbus::{
    Message, MessageStream, OwnedObjectPath, OwnedVariant, fdo::DBusProxy, message, names::BusName,
};

use super::{
    Alert, Event, Fault, Host, Position, State, Way,
    read::{self, ALERT, EventBody, JOURNAL},
};
use crate::{
    config::BusChoice,
    ctl::{CtlError, client::Client, json},
    signals::dbus::{ARBITER_NAME, NAME, ROOT},
};

/// How often a host is asked whether it is still there.
const ASK_EVERY: Duration = Duration::from_millis(2500);
/// How long it may take to answer that. Together with the pause: a dead line is noticed within
/// seven seconds.
const ANSWER_WITHIN: Duration = Duration::from_secs(4);
/// How long anything else may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often everything is read again, so that whatever was lost on the way is found.
const READ_AGAIN: Duration = Duration::from_secs(60);
/// The longest pause before the next attempt to connect.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The longest pause while it may come back by itself any moment.
const LONGEST_SHORT_PAUSE: Duration = Duration::from_secs(5);

const DBUS: &str = "org.freedesktop.DBus";
const MANAGER: &str = "org.freedesktop.DBus.ObjectManager";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";

/// What the listener wants to hear of; open alerts and broken lines are told always.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interest {
    /// Kinds of events, as in their JSON; none: all.
    pub kinds: &'static [&'static str],
    /// Every change of boards and games: many messages where there is play.
    pub boards: bool,
}

/// What a host tells.
#[derive(Clone, Debug)]
pub enum News {
    /// It is there, and everything is so: after each connection, and from time to time.
    State(Box<State>),
    /// An alert is open.
    Alert(Box<Alert>),
    /// An alert is not open any more.
    AlertGone(u64),
    /// Something happened.
    Event(Box<Event>),
    /// Properties of a board's object: its path, the interface, the values that are new.
    Board(String, String, BTreeMap<String, Value>),
    /// Interfaces a board's object has no more.
    BoardLess(String, Vec<String>),
    /// All events up to this number have been told.
    Reached(u64),
    /// It cannot be heard. Attempts go on.
    Down(Fault),
}

/// Something a host tells.
#[derive(Clone, Debug)]
pub struct Told {
    /// Its place in the list of hosts.
    pub host: usize,
    /// What.
    pub what: News,
}

/// All hosts as one stream. Dropping it ends the connections.
#[derive(Debug)]
pub struct Feed {
    told: mpsc::Receiver<Told>,
    clients: Vec<watch::Receiver<Option<Arc<Client>>>>,
    _tasks: JoinSet<()>,
}

impl Feed {
    /// What is told next, by whichever host. Never ends while there is a host.
    pub async fn next(&mut self) -> Option<Told> {
        self.told.recv().await
    }

    /// The connection to a host, while it can be heard. Calls may take ten seconds to fail: make
    /// them in a task of their own.
    pub fn client(&self, host: usize) -> Option<Arc<Client>> {
        self.clients.get(host)?.borrow().clone()
    }
}

/// Connects to all hosts and keeps at it. `from` says for each host after which event the listener
/// needs to be told what he missed.
pub fn follow(hosts: &[Host], interest: Interest, from: Vec<Option<Position>>) -> Feed {
    let (tell, told) = mpsc::channel(1024);
    let mut tasks = JoinSet::new();
    let mut clients = Vec::new();
    let from = from.into_iter().chain(std::iter::repeat(None));
    for ((index, host), position) in hosts.iter().enumerate().zip(from) {
        let (show, client) = watch::channel(None);
        clients.push(client);
        let line = Line { host: index, tell: tell.clone(), show, interest, position };
        tasks.spawn(line.tend(host.way.clone(), host.name.clone()));
    }
    Feed { told, clients, _tasks: tasks }
}

/// The listener has gone.
struct NobodyListens;

struct Line {
    host: usize,
    tell: mpsc::Sender<Told>,
    show: watch::Sender<Option<Arc<Client>>>,
    interest: Interest,
    position: Option<Position>,
}

impl Line {
    async fn tend(mut self, way: Way, name: String) {
        let mut attempt = 0;
        loop {
            let fault = match reach(&way).await {
                Ok(client) => match self.listen(client, &mut attempt).await {
                    Ok(fault) => fault,
                    Err(NobodyListens) => return,
                },
                Err(fault) => fault,
            };
            self.show.send_replace(None);
            let pause = pause(attempt, &name, &fault);
            attempt = attempt.saturating_add(1);
            if self.say(News::Down(fault)).await.is_err() {
                return;
            }
            tokio::time::sleep(pause).await;
        }
    }

    async fn say(&self, what: News) -> Result<(), NobodyListens> {
        self.tell.send(Told { host: self.host, what }).await.map_err(|_| NobodyListens)
    }

    /// Listens until the connection is of no use any more, and says why.
    async fn listen(&mut self, client: Client, attempt: &mut u32) -> Result<Fault, NobodyListens> {
        let client = Arc::new(client);
        // Subscribe first, read second: what happens in between is told twice, not never.
        let mut tasks = JoinSet::new();
        let mut heard = match self.subscribe(&client, &mut tasks).await {
            Ok(heard) => heard,
            Err(fault) => return Ok(better(&client, fault).await),
        };
        let (asked, mut answers) = mpsc::channel(4);
        let (owner, whom) = watch::channel(None);
        tasks.spawn(ask(Arc::clone(&client), whom, asked));
        let mut owners = Owners::default();
        let mut read_at = Box::pin(tokio::time::sleep(Duration::ZERO));
        let mut there = false;
        let mut confirmed = 0;
        loop {
            tokio::select! {
                message = heard.recv() => {
                    let Some(message) = message else { return Ok(better(&client, Fault::Lost).await) };
                    match understand(&message, &owners) {
                        Heard::News(news) if there => self.say(news).await?,
                        Heard::Came => read_at.set(tokio::time::sleep(Duration::ZERO)),
                        Heard::Left => {
                            there = false;
                            owner.send_replace(None);
                            self.show.send_replace(None);
                            self.say(News::Down(Fault::NotRunning)).await?;
                            read_at.set(tokio::time::sleep(Duration::from_secs(1)));
                        }
                        _ => {}
                    }
                }
                answer = answers.recv() => match answer {
                    Some(Ok(seq)) if there => {
                        // The signals of what was the newest one answer ago have come by now.
                        let reached = std::mem::replace(&mut confirmed, seq);
                        self.reach(reached).await?;
                    }
                    Some(Ok(_) | Err(Fault::NotRunning)) => {}
                    Some(Err(fault)) => return Ok(better(&client, fault).await),
                    None => return Ok(better(&client, Fault::Lost).await),
                },
                () = &mut read_at => {
                    let again = there;
                    let read = tokio::select! {
                        state = self.read(&client, &mut owners, again) => state,
                        fault = trouble(&mut answers) => Err(fault),
                    };
                    match read {
                        Ok(state) => {
                            there = true;
                            *attempt = 0;
                            confirmed = state.seq;
                            owner.send_replace(owners.0[0].clone());
                            if !again {
                                self.show.send_replace(Some(Arc::clone(&client)));
                            }
                            self.say(News::State(Box::new(state))).await?;
                            read_at.set(tokio::time::sleep(READ_AGAIN));
                        }
                        Err(Fault::NotRunning) => {
                            if !again {
                                self.say(News::Down(Fault::NotRunning)).await?;
                            }
                            read_at.set(tokio::time::sleep(Duration::from_secs(5)));
                        }
                        Err(fault @ Fault::TooOld(_)) => {
                            // It may be replaced by a newer one any time: that is heard of.
                            self.say(News::Down(fault)).await?;
                            read_at.set(tokio::time::sleep(READ_AGAIN));
                        }
                        Err(fault) => return Ok(better(&client, fault).await),
                    }
                }
            }
        }
    }

    /// Reads everything. Once it was read, only what the signals did not bring is missing.
    async fn read(
        &mut self,
        client: &Client,
        owners: &mut Owners,
        again: bool,
    ) -> Result<State, Fault> {
        *owners = Owners::of(client).await?;
        let from = self.position.as_ref().filter(|_| !again);
        let state = read::state(client, from, self.interest.kinds).await?;
        // What was read of a known journal counts as reached only when its signals have come too.
        if self.position.as_ref().is_none_or(|known| known.journal != state.journal) {
            let seq = state.seq;
            self.position = Some(Position { journal: state.journal.clone(), seq });
        }
        Ok(state)
    }

    async fn reach(&mut self, seq: u64) -> Result<(), NobodyListens> {
        match &mut self.position {
            Some(position) if position.seq < seq => position.seq = seq,
            _ => return Ok(()),
        }
        self.say(News::Reached(seq)).await
    }

    async fn subscribe(
        &self,
        client: &Client,
        tasks: &mut JoinSet<()>,
    ) -> Result<mpsc::UnboundedReceiver<Message>, Fault> {
        let mut stream = MessageStream::from(&client.connection);
        let mut rules = vec![format!(
            "type='signal',sender='{DBUS}',interface='{DBUS}',member='NameOwnerChanged',arg0='{NAME}'"
        )];
        for name in [NAME, ARBITER_NAME] {
            for member in ["InterfacesAdded", "InterfacesRemoved"] {
                rules.push(format!(
                    "type='signal',sender='{name}',interface='{MANAGER}',member='{member}',\
                     arg0path='{ROOT}/'"
                ));
            }
            let event =
                format!("type='signal',sender='{name}',interface='{JOURNAL}',member='Event'");
            match self.interest.kinds {
                [] => rules.push(event),
                kinds => rules.extend(kinds.iter().map(|kind| format!("{event},arg4='{kind}'"))),
            }
            if self.interest.boards {
                rules.push(format!(
                    "type='signal',sender='{name}',interface='{PROPERTIES}',\
                     member='PropertiesChanged',path_namespace='{ROOT}'"
                ));
            }
        }
        let (forward, heard) = mpsc::unbounded_channel();
        // It does nothing but forward: an unread stream would stop the whole connection, answers
        // included.
        tasks.spawn(async move {
            while let Some(Ok(message)) = stream.next().await {
                if message.message_type() == message::Type::Signal && forward.send(message).is_err()
                {
                    return;
                }
            }
        });
        for rule in rules {
            client
                .connection
                .call_method(Some(DBUS), "/org/freedesktop/DBus", Some(DBUS), "AddMatch", &rule)
                .await
                .map_err(|e| Fault::of_call(&CtlError::from(e)))?;
        }
        Ok(heard)
    }
}

/// The connections that own the daemon's two names.
#[derive(Default)]
struct Owners([Option<String>; 2]);

impl Owners {
    async fn of(client: &Client) -> Result<Owners, Fault> {
        let fail = |e: zbus::Error| Fault::of_call(&CtlError::from(e));
        let dbus = DBusProxy::new(&client.connection).await.map_err(fail)?;
        let mut owners = Owners::default();
        for (owner, name) in owners.0.iter_mut().zip([NAME, ARBITER_NAME]) {
            let name = BusName::try_from(name).map_err(fail)?;
            *owner = match dbus.get_name_owner(name).await {
                Ok(name) => Some(name.to_string()),
                Err(zbus::fdo::Error::NameHasNoOwner(_)) => None,
                Err(e) => return Err(fail(e.into())),
            };
        }
        if owners.0[0].is_none() { Err(Fault::NotRunning) } else { Ok(owners) }
    }
}

enum Heard {
    News(News),
    Came,
    Left,
    Nothing,
}

/// What a message says.
fn understand(message: &Message, owners: &Owners) -> Heard {
    let header = message.header();
    let (Some(member), Some(sender)) = (header.member(), header.sender()) else {
        return Heard::Nothing;
    };
    let body = message.body();
    if sender.as_str() == DBUS {
        return match body.deserialize::<(String, String, String)>() {
            Ok((name, _, owner)) if name == NAME => {
                if owner.is_empty() {
                    Heard::Left
                } else {
                    Heard::Came
                }
            }
            _ => Heard::Nothing,
        };
    }
    // Anybody on that bus may send us a signal; only the daemon's are believed.
    if !owners.0.contains(&Some(sender.to_string())) {
        return Heard::Nothing;
    }
    let news = match member.as_str() {
        "Event" => body.deserialize::<EventBody>().ok().map(|b| News::Event(Box::new(b.into()))),
        "InterfacesAdded" => return added(&body),
        "InterfacesRemoved" => removed(&body),
        "PropertiesChanged" => header.path().and_then(|path| changed(path.as_str(), &body)),
        _ => None,
    };
    news.map_or(Heard::Nothing, Heard::News)
}

fn properties(of: &BTreeMap<String, OwnedVariant>) -> BTreeMap<String, Value> {
    of.iter().map(|(key, value)| (key.clone(), json::value(value))).collect()
}

fn added(body: &message::Body) -> Heard {
    type Added = (OwnedObjectPath, BTreeMap<String, BTreeMap<String, OwnedVariant>>);
    let Ok((path, interfaces)) = body.deserialize::<Added>() else { return Heard::Nothing };
    if let Some(alert) = interfaces.get(ALERT) {
        let alert = Alert::of(&properties(alert));
        return alert.map_or(Heard::Nothing, |alert| Heard::News(News::Alert(Box::new(alert))));
    }
    // zbus adds one interface at a time.
    let of_board = interfaces.iter().find(|(name, _)| name.starts_with("org.dgtd."));
    of_board.map_or(Heard::Nothing, |(interface, values)| {
        Heard::News(News::Board(path.as_str().to_owned(), interface.clone(), properties(values)))
    })
}

fn removed(body: &message::Body) -> Option<News> {
    let (path, interfaces) = body.deserialize::<(OwnedObjectPath, Vec<String>)>().ok()?;
    if interfaces.iter().any(|interface| interface == ALERT) {
        return Some(News::AlertGone(path.as_str().rsplit('/').next()?.parse().ok()?));
    }
    Some(News::BoardLess(path.as_str().to_owned(), interfaces))
}

fn changed(path: &str, body: &message::Body) -> Option<News> {
    type Changed = (String, BTreeMap<String, OwnedVariant>, Vec<String>);
    let (interface, values, _) = body.deserialize::<Changed>().ok()?;
    interface
        .starts_with("org.dgtd.")
        .then(|| News::Board(path.to_owned(), interface, properties(&values)))
}

/// Asks again and again whether the daemon is there, or the bus while the daemon is not, until there
/// is no answer. The daemon is called by the name of its connection: its own name might start it.
async fn ask(
    client: Arc<Client>,
    whom: watch::Receiver<Option<String>>,
    answers: mpsc::Sender<Result<u64, Fault>>,
) {
    loop {
        tokio::time::sleep(ASK_EVERY).await;
        let owner = whom.borrow().clone();
        let question = async {
            let Some(owner) = owner else {
                let bus = "/org/freedesktop/DBus";
                return client.call_to::<_, String>(DBUS, bus, DBUS, "GetId", &()).await.map(|_| 0);
            };
            let body = (JOURNAL, "LastSequence");
            let value: OwnedVariant =
                client.call_to(&owner, ROOT, PROPERTIES, "Get", &body).await?;
            Ok(json::value(&value).as_u64().unwrap_or_default())
        };
        let answer = match tokio::time::timeout(ANSWER_WITHIN, question).await {
            Ok(Ok(seq)) => Ok(seq),
            Ok(Err(e)) => Err(Fault::of_call(&e)),
            Err(_) => Err(Fault::Silent),
        };
        let over = answer.as_ref().is_err_and(|fault| *fault != Fault::NotRunning);
        if answers.send(answer).await.is_err() || over {
            return;
        }
    }
}

/// Waits until the host does not answer any more.
async fn trouble(answers: &mut mpsc::Receiver<Result<u64, Fault>>) -> Fault {
    loop {
        match answers.recv().await {
            Some(Ok(_) | Err(Fault::NotRunning)) => {}
            Some(Err(fault)) => return fault,
            None => return Fault::Lost,
        }
    }
}

/// ssh knows better than the bus library why a connection ended.
async fn better(client: &Client, fault: Fault) -> Fault {
    match (&fault, client.connection.is_closed()) {
        (Fault::Lost, _) | (_, true) => match client.tunnel_fault().await {
            None | Some(Fault::Lost) => fault,
            Some(better) => better,
        },
        _ => fault,
    }
}

/// Connects; on the bus of a name the daemon need not be there yet.
async fn reach(way: &Way) -> Result<Client, Fault> {
    match way {
        Way::Bus(bus @ (BusChoice::Auto | BusChoice::None)) => {
            Client::connect(bus).await.map_err(|e| Fault::of_call(&e))
        }
        Way::Bus(bus) => Client::open(bus, PATIENCE).await.map_err(|e| Fault::of_call(&e)),
        Way::Ssh(destination) => Client::over_ssh(destination, PATIENCE).await,
    }
}

/// How long until the next attempt: longer each time, and not the same for all, or the ssh servers
/// of a hall would all be called at once.
fn pause(attempt: u32, name: &str, fault: &Fault) -> Duration {
    let longest = if fault.may_pass() { LONGEST_SHORT_PAUSE } else { LONGEST_PAUSE };
    let pause = (Duration::from_secs(1) * 2_u32.saturating_pow(attempt.min(8))).min(longest);
    // FNV-1a, of the name and the attempt.
    let spread = name
        .bytes()
        .chain(attempt.to_le_bytes())
        .fold(2_166_136_261_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619));
    pause / 2 + pause / 2 * (spread % 256) / 256
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_become_rarer_and_are_spread() {
        let all: Vec<Duration> = (0..12).map(|n| pause(n, "pc1", &Fault::Lost)).collect();
        assert!(all[0] >= Duration::from_millis(500) && all[0] <= Duration::from_secs(1));
        assert!(all.iter().all(|pause| *pause <= LONGEST_SHORT_PAUSE), "{all:?}");
        assert!(pause(40, "pc1", &Fault::Denied) > Duration::from_secs(14));
        assert_ne!(pause(3, "pc1", &Fault::Lost), pause(3, "pc2", &Fault::Lost));
    }
}
