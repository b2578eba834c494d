//! What the tests of `dgtctl notify` need around it: private buses, a real daemon with an emulated
//! board, and a notification server double that records calls and presses buttons.
#![allow(dead_code, reason = "each test uses its own part")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "in a test a wrong step is a failure"
)]
#![allow(
    clippy::disallowed_types,
    clippy::unused_self,
    clippy::used_underscore_binding,
    reason = "zbus's macro names a hash map, and its methods have the arguments the specification names"
)]

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use zbus::{Connection, OwnedVariant, object_server::SignalEmitter};

use crate::emulator::{Plugged, STARTING};

/// The moment it is.
#[expect(clippy::disallowed_methods, reason = "the test measures how long things take")]
pub fn now() -> Instant {
    Instant::now()
}

/// A program that is killed when it is no longer needed, and what it wrote.
pub struct Running {
    pub child: Child,
    said: Arc<Mutex<String>>,
}

impl Running {
    pub fn start(command: &mut Command) -> Running {
        let mut child = spawn(command);
        let said = Arc::new(Mutex::new(String::new()));
        collect(child.stdout.take().unwrap(), &said);
        collect(child.stderr.take().unwrap(), &said);
        Running { child, said }
    }

    pub fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        wait(text, || self.said().contains(text).then_some(()), || self.said());
    }

    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Ends it as a service manager does; answers with its exit status.
    pub fn end(mut self) -> Option<i32> {
        self.signal("TERM");
        self.child.wait().unwrap().code()
    }

    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

fn spawn(command: &mut Command) -> Child {
    let _starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

/// What a program wrote, and how it ended.
pub fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let output = spawn(command).wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn collect(from: impl std::io::Read + Send + 'static, into: &Arc<Mutex<String>>) {
    let into = Arc::clone(into);
    thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            let mut into = into.lock().unwrap();
            into.push_str(&line);
            into.push('\n');
        }
    });
}

/// Looks until something is there, for twenty seconds.
#[track_caller]
pub fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>, why: impl FnOnce() -> String) -> T {
    for _ in 0..2000 {
        if let Some(found) = look() {
            return found;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("waited in vain for {what}:\n{}", why());
}

/// A private bus in a directory.
pub struct Bus {
    pub daemon: Running,
    directory: PathBuf,
    name: &'static str,
}

impl Bus {
    /// A bus where everybody may do everything.
    pub fn new(directory: &Path, name: &'static str) -> Bus {
        let policy = r#"<policy context="default"><allow user="*"/>
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/><allow own="*"/></policy>"#;
        Bus::with(directory, name, policy)
    }

    /// A bus with these rules.
    pub fn with(directory: &Path, name: &'static str, policy: &str) -> Bus {
        let config = format!(
            "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN\" \
             \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\
             <busconfig><type>custom</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>\
             {policy}</busconfig>",
            directory.join(name).display()
        );
        fs::write(directory.join(format!("{name}.conf")), config).unwrap();
        Bus { daemon: Bus::start(directory, name), directory: directory.to_owned(), name }
    }

    fn start(directory: &Path, name: &str) -> Running {
        let socket = directory.join(name);
        let _ = fs::remove_file(&socket);
        let config = directory.join(format!("{name}.conf"));
        let mut command = Command::new("dbus-daemon");
        command.arg("--nofork").arg(format!("--config-file={}", config.display()));
        let daemon = Running::start(&mut command);
        wait("the bus", || socket.exists().then_some(()), || daemon.said());
        daemon
    }

    pub fn restart(&mut self) {
        self.daemon.kill();
        self.daemon = Bus::start(&self.directory, self.name);
    }

    pub fn socket(&self) -> PathBuf {
        self.directory.join(self.name)
    }

    pub fn address(&self) -> String {
        format!("unix:path={}", self.socket().display())
    }
}

/// What was asked of the notification server.
#[derive(Clone, Debug)]
pub enum Call {
    Notify {
        at: Instant,
        id: u32,
        replaces: u32,
        title: String,
        body: String,
        actions: Vec<String>,
        urgency: u8,
        hints: Vec<String>,
        expire: i32,
    },
    Close {
        id: u32,
    },
}

struct Server {
    calls: Arc<Mutex<Vec<Call>>>,
    next: AtomicU32,
}

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Server {
    #[expect(clippy::too_many_arguments, reason = "as the specification has it")]
    fn notify(
        &self,
        _app_name: &str,
        replaces: u32,
        _app_icon: &str,
        title: String,
        body: String,
        actions: Vec<String>,
        hints: BTreeMap<String, OwnedVariant>,
        expire: i32,
    ) -> u32 {
        let id = if replaces == 0 { self.next.fetch_add(1, Ordering::Relaxed) } else { replaces };
        let urgency = match hints.get("urgency").map(|hint| &**hint) {
            Some(zbus::Variant::U8(urgency)) => *urgency,
            _ => panic!("urgency is a byte: {hints:?}"),
        };
        let hints = hints.into_keys().collect();
        let at = now();
        self.calls.lock().unwrap().push(Call::Notify {
            at,
            id,
            replaces,
            title,
            body,
            actions,
            urgency,
            hints,
            expire,
        });
        id
    }

    async fn close_notification(
        &self,
        id: u32,
        #[zbus(signal_emitter)] emitter: SignalEmitter<'_>,
    ) -> zbus::fdo::Result<()> {
        self.calls.lock().unwrap().push(Call::Close { id });
        Server::notification_closed(&emitter, id, 3).await?;
        Ok(())
    }

    fn get_capabilities(&self) -> Vec<&str> {
        vec!["actions", "body", "persistence", "sound"]
    }

    #[zbus(out_args("name", "vendor", "version", "spec_version"))]
    fn get_server_information(&self) -> (&str, &str, &str, &str) {
        ("double", "test", "1", "1.2")
    }

    #[zbus(signal)]
    async fn notification_closed(
        emitter: &SignalEmitter<'_>,
        id: u32,
        reason: u32,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn action_invoked(emitter: &SignalEmitter<'_>, id: u32, key: &str) -> zbus::Result<()>;
}

/// A notification server that shows nothing and forgets nothing.
pub struct Double {
    runtime: tokio::runtime::Runtime,
    connection: Option<Connection>,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl Double {
    pub fn new(address: &str) -> Double {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let mut double = Double { runtime, connection: None, calls: Arc::default() };
        double.log_in(address, 1);
        double
    }

    /// Serves on a bus; numbers begin with `first`.
    pub fn log_in(&mut self, address: &str, first: u32) {
        let server = Server { calls: Arc::clone(&self.calls), next: AtomicU32::new(first) };
        let connection = self.runtime.block_on(async {
            zbus::connection::Builder::address(address)
                .serve_at("/org/freedesktop/Notifications", server)
                .name("org.freedesktop.Notifications")
                .build()
                .await
                .unwrap()
        });
        self.connection = Some(connection);
    }

    pub fn log_out(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.runtime.block_on(async {
                let name = "org.freedesktop.Notifications";
                assert!(connection.release_name(name).await.unwrap());
            });
        }
    }

    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    pub fn press(&self, id: u32, key: &str) {
        self.runtime.block_on(async {
            let emitter = self.emitter();
            Server::action_invoked(&emitter, id, key).await.unwrap();
        });
    }

    pub fn put_away(&self, id: u32) {
        self.runtime.block_on(async {
            Server::notification_closed(&self.emitter(), id, 2).await.unwrap();
        });
    }

    fn emitter(&self) -> SignalEmitter<'_> {
        let connection = self.connection.as_ref().unwrap();
        SignalEmitter::new(connection, "/org/freedesktop/Notifications").unwrap()
    }

    /// Those shown with this in the title: when, number, what was replaced.
    pub fn shown(&self, title: &str) -> Vec<(Instant, u32, u32)> {
        let calls = self.calls();
        let shown = calls.iter().filter_map(|call| match call {
            Call::Notify { at, id, replaces, title: is, .. } if is.contains(title) => {
                Some((*at, *id, *replaces))
            }
            _ => None,
        });
        shown.collect()
    }

    /// How many times something with this in the title popped up, not counting what replaced
    /// something on the screen.
    pub fn pop_ups(&self, title: &str) -> usize {
        self.shown(title).iter().filter(|(_, _, replaces)| *replaces == 0).count()
    }

    #[track_caller]
    pub fn wait_shown(&self, title: &str, log: &Running) -> (Instant, u32, u32) {
        let what = format!("a notification {title:?}");
        wait(&what, || self.shown(title).last().copied(), || self.why(log))
    }

    #[track_caller]
    pub fn wait_closed(&self, id: u32, log: &Running) {
        let closed = |call: &Call| matches!(call, Call::Close { id: closed } if *closed == id);
        let what = format!("notification {id} to be closed");
        wait(&what, || self.calls().iter().any(closed).then_some(()), || self.why(log));
    }

    pub fn why(&self, log: &Running) -> String {
        format!("calls: {:#?}\ndgtctl notify said:\n{}", self.calls(), log.said())
    }
}

/// A PC with boards: its own system bus, and a daemon.
pub struct Pc {
    pub directory: tempfile::TempDir,
    pub bus: Bus,
    /// What starts programs on it, such as `ip netns exec NAME`.
    pub prefix: Vec<String>,
}

impl Pc {
    pub fn new() -> Pc {
        Pc::with(|directory| Bus::new(directory, "bus"))
    }

    pub fn with(bus: impl FnOnce(&Path) -> Bus) -> Pc {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("ports")).unwrap();
        let bus = bus(directory.path());
        Pc { directory, bus, prefix: Vec::new() }
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Gives a board's terminal a name among the ports.
    pub fn plug(&self, name: &str, board: &Plugged) -> PathBuf {
        let port = self.path().join("ports").join(name);
        symlink(board.path(), &port).unwrap();
        port
    }

    pub fn daemon(&self, more: &str) -> Running {
        let file = self.path().join("dgtd.toml");
        let text = format!(
            "[bus]\nwhich = \"{}\"\n[ports]\nauto = false\nlist = [\"{}/ports/tty*\"]\n\
             [state]\ndirectory = \"{}\"\n[log]\nlevel = \"debug\"\n{more}",
            self.bus.address(),
            self.path().display(),
            self.path().join("state").display()
        );
        fs::write(&file, text).unwrap();
        let program = env!("CARGO_BIN_EXE_dgtd").to_owned();
        let mut words = self.prefix.iter().cloned().chain([program]);
        let daemon = Running::start(
            Command::new(words.next().unwrap())
                .args(words)
                .arg("--config")
                .arg(file)
                .env_remove("RUST_LOG")
                .env_remove("JOURNAL_STREAM"),
        );
        daemon.wait_for("org.dgtd is served");
        daemon
    }

    /// An independent client.
    pub fn busctl(&self, args: &[&str]) -> Result<String, String> {
        let address = format!("--address={}", self.bus.address());
        let (code, said, errors) = output(Command::new("busctl").arg(address).args(args));
        if code == Some(0) { Ok(said.trim().to_owned()) } else { Err(errors.trim().to_owned()) }
    }

    #[track_caller]
    pub fn wait_get(&self, board: &str, interface: &str, property: &str, value: &str) {
        let path = format!("/org/dgtd/boards/{board}");
        let get = || self.busctl(&["get-property", "org.dgtd", &path, interface, property]);
        wait(
            &format!("{board} {property} = {value}"),
            || (get().as_deref() == Ok(value)).then_some(()),
            || format!("it is {:?}", get()),
        );
    }

    /// The open alerts everyone may see.
    pub fn alerts(&self) -> Vec<String> {
        let tree = self.busctl(&["tree", "--list", "org.dgtd"]).unwrap_or_default();
        tree.lines().filter(|line| line.contains("/alerts/")).map(str::to_owned).collect()
    }
}

/// The arbiter's PC: a session bus, a place for the memory.
pub struct Desk {
    pub directory: tempfile::TempDir,
    pub bus: Bus,
}

impl Desk {
    pub fn new() -> Desk {
        let directory = tempfile::tempdir().unwrap();
        let bus = Bus::new(directory.path(), "session");
        Desk { directory, bus }
    }

    /// `dgtctl` in this session.
    pub fn command(&self, prefix: &[String]) -> Command {
        let program = env!("CARGO_BIN_EXE_dgtctl").to_owned();
        let mut words = prefix.iter().cloned().chain([program]);
        let mut command = Command::new(words.next().unwrap());
        command
            .args(words)
            .env("DBUS_SESSION_BUS_ADDRESS", self.bus.address())
            .env("XDG_STATE_HOME", self.directory.path().join("state"))
            .env("XDG_CONFIG_HOME", self.directory.path().join("config"))
            .env("LC_ALL", "C")
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("SYSTEMD_SSH");
        command
    }

    /// `dgtctl notify` with these arguments before it.
    pub fn notify(&self, args: &[&str]) -> Running {
        Running::start(self.command(&[]).args(args).arg("notify"))
    }
}

/// A move and a press of the clock, at the pace of a hand; the moment of the last byte.
pub fn play(board: &mut Plugged, from: &str, to: &str) -> Instant {
    thread::sleep(Duration::from_millis(250));
    board.carry(from, to);
    thread::sleep(Duration::from_millis(250));
    board.press();
    now()
}

/// The shortest game: White is mated at the second move. The moment of the last byte.
pub fn fools_mate(board: &mut Plugged) -> Instant {
    play(board, "f2", "f3");
    play(board, "e7", "e5");
    play(board, "g2", "g4");
    play(board, "d8", "h4")
}
