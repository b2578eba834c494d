//! A virtual machine with a kernel of its own: boards on emulated USB bridges, a simulated GPIO chip.

use std::{
    fs,
    io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _},
    os::unix::net::UnixStream,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    FIRST, OPENING, ROUND, SECOND, SILENCE, board,
    emulator::Board,
    exposure,
    guest::{Guest, installation, prepared, project},
    permissions, play, property,
};

/// How many boards can be plugged in.
const BOARDS: usize = 2;

/// USB serial numbers of the bridges.
const BRIDGES: [&str; BOARDS] = ["A1B2C3D4", "A1B2C3D5"];

/// A running virtual machine. Dropping it switches it off.
struct Vm {
    child: Child,
    agent: Mutex<(BufReader<UnixStream>, u32)>,
    control: Mutex<BufReader<UnixStream>>,
    dir: tempfile::TempDir,
}

impl Vm {
    fn start() -> Vm {
        let dir = tempfile::tempdir().unwrap();
        let at = dir.path();
        project(&at.join("project"));
        // The project as a disk that is a tar archive: nothing to mount, nothing to share.
        let packed = Command::new("tar")
            .args(["-cf", "project.tar", "-C", "project", "."])
            .current_dir(at)
            .status();
        assert!(packed.unwrap().success());
        let kernel = fs::read_dir(prepared("kernel/boot"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.to_string_lossy().contains("/vmlinuz-"))
            .unwrap();
        let mut command = Command::new("qemu-system-x86_64");
        command
            .args(["-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2"])
            .args(["-m", "512", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"])
            .arg("-kernel")
            .arg(kernel)
            .arg("-initrd")
            .arg(prepared("early.img"))
            .arg("-append")
            .arg(
                "console=ttyS0 root=/dev/vda rw quiet mitigations=off random.trust_cpu=on \
                 systemd.show_status=0 audit=0 apparmor=0",
            )
            .arg("-drive")
            .arg(format!(
                "file={},format=raw,if=none,id=root,snapshot=on",
                prepared("disk.img").display()
            ))
            .args(["-device", "virtio-blk-pci,drive=root"])
            .arg("-drive")
            .arg(format!(
                "file={},format=raw,if=none,id=project,readonly=on",
                at.join("project.tar").display()
            ))
            .args(["-device", "virtio-blk-pci,drive=project"])
            .arg("-serial")
            .arg(format!("file:{}", at.join("console").display()))
            .args(["-device", "virtio-serial-pci"])
            .args(["-device", "virtserialport,chardev=agent,name=agent"])
            .args(["-device", "qemu-xhci,id=usb"])
            .arg("-chardev")
            .arg(socket(at, "agent"))
            .arg("-qmp")
            .arg(format!("unix:{},server=on,wait=off", at.join("control").display()));
        for number in 0..BOARDS {
            command.arg("-chardev").arg(socket(at, &format!("board{number}")));
        }
        let start = Instant::now();
        let child = command.stdin(Stdio::null()).spawn().expect("qemu-system-x86_64");
        let agent = BufReader::new(connect(&at.join("agent")));
        let control = BufReader::new(connect(&at.join("control")));
        let vm = Vm { child, agent: Mutex::new((agent, 0)), control: Mutex::new(control), dir };
        vm.line();
        vm.control("qmp_capabilities", &json!({}));
        assert!(vm.answer().starts_with("ready"));
        println!("the virtual machine runs after {:.1} s", start.elapsed().as_secs_f32());
        vm
    }

    /// A line from the emulator's control socket.
    fn line(&self) -> Value {
        let mut line = String::new();
        self.control.lock().unwrap().read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Tells the emulator to do something to the machine.
    fn control(&self, command: &str, arguments: &Value) {
        let request = json!({ "execute": command, "arguments": arguments });
        writeln!(self.control.lock().unwrap().get_mut(), "{request}").unwrap();
        loop {
            let answer = self.line();
            assert!(answer.get("error").is_none(), "{command}: {answer}");
            if answer.get("return").is_some() {
                return;
            }
        }
    }

    /// A line from the agent inside.
    fn answer(&self) -> String {
        let mut line = String::new();
        self.agent.lock().unwrap().0.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "{}", self.console());
        line
    }

    fn console(&self) -> String {
        fs::read_to_string(self.dir.path().join("console")).unwrap_or_default()
    }

    /// Plugs a board in.
    fn plug(&self, number: usize, board: &Arc<Mutex<Board>>) -> OnBridge {
        let bridge = OnBridge::new(&self.dir.path().join(format!("board{number}")), board);
        self.control(
            "device_add",
            &json!({
                "driver": "usb-serial", "id": format!("usb{number}"), "bus": "usb.0",
                "chardev": format!("board{number}"), "serial": BRIDGES[number],
            }),
        );
        bridge
    }

    /// Pulls a board's cable.
    fn unplug(&self, number: usize, bridge: OnBridge) {
        self.control("device_del", &json!({ "id": format!("usb{number}") }));
        drop(bridge);
    }
}

fn socket(at: &Path, name: &str) -> String {
    format!("socket,id={name},path={},server=on,wait=off", at.join(name).display())
}

fn connect(path: &Path) -> UnixStream {
    for _ in 0..500 {
        if let Ok(stream) = UnixStream::connect(path) {
            return stream;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("nobody at {}", path.display());
}

impl Guest for Vm {
    fn run(&self, script: &str) -> (i32, String) {
        let (mut number, mut status, mut output) = (String::new(), String::new(), String::new());
        {
            let mut agent = self.agent.lock().unwrap();
            agent.1 += 1;
            let count = agent.1;
            writeln!(agent.0.get_mut(), "{count} 60 {}", base64(script)).unwrap();
        }
        for (field, word) in [&mut number, &mut status, &mut output]
            .into_iter()
            .zip(self.answer().split_whitespace())
        {
            word.clone_into(field);
        }
        assert_eq!(number, self.agent.lock().unwrap().1.to_string());
        (status.parse().unwrap(), if output == "-" { String::new() } else { unbase64(&output) })
    }
}

impl Drop for Vm {
    fn drop(&mut self) {
        if thread::panicking() {
            println!("console:\n{}", self.console());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Text through the coder every Debian system has.
fn base64(text: &str) -> String {
    piped(&["-w0"], text)
}

fn unbase64(text: &str) -> String {
    piped(&["-d"], text)
}

fn piped(options: &[&str], text: &str) -> String {
    let mut child = Command::new("base64")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A board behind a USB bridge: its line is a socket of the emulator.
struct OnBridge {
    board: Arc<Mutex<Board>>,
    line: UnixStream,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl OnBridge {
    fn new(path: &Path, board: &Arc<Mutex<Board>>) -> OnBridge {
        let line = connect(path);
        let mut reader = line.try_clone().unwrap();
        reader.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let thread = thread::spawn({
            let (board, stop) = (board.clone(), stop.clone());
            move || {
                let mut buffer = [0; 256];
                while !stop.load(Ordering::Relaxed) {
                    match reader.read(&mut buffer) {
                        Ok(0) => return,
                        Ok(count) => {
                            let mut board = board.lock().unwrap();
                            let answer = board.receive(&buffer[..count]);
                            if reader.write_all(&answer).is_err() {
                                return;
                            }
                        }
                        Err(e)
                            if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                        Err(_) => return,
                    }
                }
            }
        });
        OnBridge { board: board.clone(), line, stop, thread: Some(thread) }
    }

    fn act(&mut self, action: &mut dyn FnMut(&mut Board) -> Vec<u8>) {
        let mut board = self.board.lock().unwrap();
        let sent = action(&mut board);
        let _ = self.line.write_all(&sent);
    }
}

impl Drop for OnBridge {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Watches the buzzer's line inside the machine for six seconds: a line "MILLISECONDS LEVEL" for each
/// change.
const LISTEN: &str = r"
level=/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio4/value
setsid bash -c '
    start=${EPOCHREALTIME/./}; old=0; echo 0 0
    while now=${EPOCHREALTIME/./}; [ $((now - start)) -lt 20000000 ]; do
        read -r new < '$level'
        if [ $new != $old ]; then echo $(((now - start) / 1000)) $new; old=$new; fi
    done' > /tmp/buzzer 2>&1 < /dev/null &
";

#[test]
#[ignore = "needs root, qemu and tests/system/prepare.sh vm; takes minutes"]
fn in_a_virtual_machine() {
    let guest = Vm::start();
    guest.must(
        "mkdir /project && tar -xf /dev/vdb -C /project
         mount -t configfs none /sys/kernel/config 2>/dev/null
         modprobe configfs; modprobe gpio-sim && cd /sys/kernel/config/gpio-sim
         mkdir hall hall/bank hall/bank/line4
         echo 8 > hall/bank/num_lines; echo buzzer > hall/bank/line4/name; echo 1 > hall/live",
    );
    println!("{}", guest.must(&installation()));
    // As the rules say: a classic board is named by its adapter's own serial number.
    guest.must(&format!(
        "usermod -aG dgtd-arbiters arbiter
         cd /usr/lib/udev/rules.d
         grep -q '^# SUBSYSTEM==\"tty\".*\"A1B2C3D4\"' 70-dgtd.rules
         sed -i 's/^# \\(SUBSYSTEM==\"tty\".*\\)\"A1B2C3D4\"/\\1\"{}|{}\"/' 70-dgtd.rules
         udevadm control --reload
         mkdir -p /etc/dgtd/conf.d
         printf '[buzzer]\\nchip = \"/dev/gpiochip0\"\\nline = 4\\n' > /etc/dgtd/conf.d/buzzer.toml
         udevadm trigger --subsystem-match=gpio --settle
         systemctl daemon-reload && systemctl reload dbus && systemctl enable --now dgtd",
        BRIDGES[0], BRIDGES[1]
    ));
    guest.wait_for("systemctl is-active dgtd", "active");
    exposure(&guest);

    let boards = [*b"01025", *b"02050"].map(|serial| Arc::new(Mutex::new(board(serial))));
    let mut first = guest.plug(0, &boards[0]);
    guest.wait_for(&property(FIRST, "Game1", "State"), "waiting");
    guest.wait_for(&property(FIRST, "Board1", "Port"), "/dev/");
    let _second = guest.plug(1, &boards[1]);
    guest.wait_for(&property(SECOND, "Game1", "State"), "waiting");
    permissions(&guest);
    for moves in OPENING.into_iter().chain(ROUND.repeat(2)) {
        play(&mut |action| first.act(action), moves);
    }
    guest.wait_for(&property(FIRST, "Game1", "Ply"), "u 12");

    // The cable is pulled while the port is open, and the board comes back: under another name, as
    // long as the kernel keeps the old one.
    guest.unplug(0, first);
    guest.wait_for(&property(FIRST, "Board1", "State"), "absent");
    boards[0].lock().unwrap().power_cycle();
    let mut first = guest.plug(0, &boards[0]);
    guest.wait_for(&property(FIRST, "Board1", "State"), "ready");
    for moves in ROUND {
        play(&mut |action| first.act(action), moves);
    }
    guest.wait_for(&property(FIRST, "Game1", "Ply"), "u 16");

    // The process dies in mid-game: what was repeated is still counted.
    guest.must("systemctl kill -s KILL dgtd");
    guest.wait_for("systemctl show -p NRestarts --value dgtd", "1");
    guest.wait_for(&property(FIRST, "Board1", "State"), "ready");
    guest.wait_for(&property(FIRST, "Game1", "Ply"), "u 16");

    guest.must(
        "setsid setpriv --reuid stranger --regid stranger --init-groups \
            gdbus monitor --system --dest org.dgtd > /tmp/heard 2>&1 < /dev/null &
         sleep 1",
    );
    guest.must(LISTEN);
    for moves in ROUND {
        play(&mut |action| first.act(action), moves);
    }
    guest.wait_for("cat /tmp/heard", "'fivefold', '9.6.1', '1/2-1/2'");
    five_short_pulses(&guest);
    guest.must(SILENCE);
    let failed = guest.must("systemctl --failed --no-legend");
    assert!(failed.trim().is_empty(), "{failed}");
}

/// The pattern of a fivefold repetition is five short pulses, then a rest, and again.
fn five_short_pulses(guest: &Vm) {
    let enough = "[ $(grep -c ' 1$' /tmp/buzzer) -ge 10 ] && echo enough; cat /tmp/buzzer";
    guest.wait_for(enough, "enough");
    let said = guest.must("cat /tmp/buzzer");
    let edges: Vec<(u64, bool)> = said
        .lines()
        .skip(1)
        .map(|line| {
            let (at, level) = line.split_once(' ').unwrap();
            (at.parse().unwrap(), level == "1")
        })
        .collect();
    let rises: Vec<u64> = edges.iter().filter(|(_, high)| *high).map(|(at, _)| *at).collect();
    let gaps: Vec<u64> = rises.windows(2).map(|pair| pair[1] - pair[0]).collect();
    println!("the buzzer's line: {edges:?}");
    let long = gaps.iter().take(9).enumerate().max_by_key(|(_, gap)| **gap).unwrap().0;
    assert_eq!(long, 4, "five pulses, then the rest: {gaps:?}");
    assert!(gaps[4] > 1400, "the rest is the configured one and a half seconds: {gaps:?}");
}
