//! The files around the programs: unit, users, udev rules, bus policy.
#![allow(clippy::unwrap_used, clippy::panic, reason = "in a test a wrong step is a failure")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

fn shipped(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        println!("skipped: {program} is not there");
    }
    there
}

fn text(output: &Output) -> String {
    let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// The unit with the programs where they were built.
fn unit(dir: &Path) -> PathBuf {
    let unit = fs::read_to_string(shipped("systemd/dgtd.service")).unwrap();
    let unit = unit
        .replace("/usr/bin/dgtd\n", concat!(env!("CARGO_BIN_EXE_dgtd"), "\n"))
        .replace("/usr/bin/dgtctl ", concat!(env!("CARGO_BIN_EXE_dgtctl"), " "));
    let file = dir.join("dgtd.service");
    fs::write(&file, unit).unwrap();
    file
}

#[test]
fn systemd_takes_the_unit() {
    if !has("systemd-analyze") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let output =
        Command::new("systemd-analyze").arg("verify").arg(unit(dir.path())).output().unwrap();
    let said = text(&output);
    let ours: Vec<&str> = said.lines().filter(|line| line.contains("dgtd.service")).collect();
    assert!(ours.is_empty(), "{said}");
}

#[test]
fn systemd_takes_the_unit_of_the_arbiters_desktop() {
    if !has("systemd-analyze") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let unit = fs::read_to_string(shipped("systemd/dgtctl-notify.service")).unwrap();
    assert!(unit.contains("ExecStart=/usr/bin/dgtctl notify\n"), "{unit}");
    let unit = unit.replace("/usr/bin/dgtctl ", concat!(env!("CARGO_BIN_EXE_dgtctl"), " "));
    let file = dir.path().join("dgtctl-notify.service");
    fs::write(&file, unit).unwrap();
    let output = Command::new("systemd-analyze")
        .args(["--user", "verify"])
        .arg(file)
        .env("XDG_RUNTIME_DIR", dir.path())
        .output()
        .unwrap();
    let said = text(&output);
    let ours: Vec<&str> = said.lines().filter(|l| l.contains("dgtctl-notify.service")).collect();
    assert!(ours.is_empty(), "{said}");
}

/// Every file of the package has its line in the README.
#[test]
fn the_readme_installs_what_is_shipped() {
    let readme = fs::read_to_string(shipped("README.md")).unwrap();
    for directory in ["systemd", "config"] {
        for entry in fs::read_dir(shipped(directory)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let file = format!("{directory}/{}", path.file_name().unwrap().display());
                assert!(
                    readme.contains(&format!(" {file} /")),
                    "README.md does not install {file}"
                );
            }
        }
    }
}

#[test]
fn the_unit_is_locked_down() {
    if !has("systemd-analyze") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    // Ten times the exposure: at most 1.0 of 10.
    let output = Command::new("systemd-analyze")
        .args(["security", "--no-pager", "--offline=true", "--threshold=10"])
        .arg(unit(dir.path()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
fn the_users_are_made() {
    if !has("systemd-sysusers") {
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join("usr/lib/sysusers.d");
    fs::create_dir_all(&directory).unwrap();
    fs::create_dir_all(root.path().join("etc")).unwrap();
    let users = fs::read_to_string(shipped("systemd/dgtd.sysusers")).unwrap();
    fs::write(directory.join("dgtd.conf"), format!("g dialout 20\n{users}")).unwrap();
    let root = root.path();
    let output = Command::new("systemd-sysusers")
        .arg(format!("--root={}", root.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let groups = fs::read_to_string(root.join("etc/group")).unwrap();
    for group in ["dialout:x:20:dgtd", "gpio:x:", "dgtd-arbiters:x:"] {
        assert!(groups.contains(group), "{groups}");
    }
    assert!(fs::read_to_string(root.join("etc/passwd")).unwrap().contains("dgtd:x:"));
}

#[test]
fn every_rule_ends_where_it_should() {
    let rules = fs::read_to_string(shipped("config/70-dgtd.rules")).unwrap();
    let lines: Vec<&str> = rules.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    for line in &lines {
        if let Some((_, label)) = line.split_once("GOTO=\"") {
            let label = label.trim_end_matches('"');
            assert!(lines.contains(&format!("LABEL=\"{label}\"").as_str()), "{line}");
        }
    }
    // A board with an id of its own is kept from ModemManager as device and as port.
    assert!(rules.contains("ID_MM_DEVICE_IGNORE") && rules.contains("ID_MM_PORT_IGNORE"));
    if Command::new("udevadm").args(["verify", "--help"]).output().is_ok_and(|o| o.status.success())
    {
        let output =
            Command::new("udevadm").arg("verify").arg(shipped("config/70-dgtd.rules")).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", text(&output));
    }
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The rules of the system bus that matter here, with the shipped policy after them.
const BUS: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>custom</type>
  <listen>unix:path=@DIR@/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/>
  </policy>
  <include>@DIR@/org.dgtd.conf</include>
</busconfig>"#;

/// Who calls: nobody, or nobody as a member of the arbiters' group (here group 1).
fn client(dir: &Path, arbiter: bool, program: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534"]);
    command.arg(if arbiter { "--groups=1" } else { "--clear-groups" });
    command.arg(program);
    if program == "busctl" {
        command.arg(format!("--address=unix:path={}/bus", dir.display()));
    } else {
        command.args(["monitor", "--address", &format!("unix:path={}/bus", dir.display())]);
    }
    command.stdin(Stdio::null());
    command
}

fn daemon(program: &str, args: &[&std::ffi::OsStr]) -> Killed {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Killed(command.spawn().unwrap())
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table of who may do what")]
fn the_bus_lets_only_arbiters_see_what_is_theirs() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: changing users needs root");
        return;
    }
    if !["setpriv", "dbus-daemon", "busctl", "gdbus"].into_iter().all(has) {
        return;
    }
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    fs::set_permissions(dir, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    // A user and a group that are surely there stand for the ones the package makes.
    let policy = fs::read_to_string(shipped("config/org.dgtd.conf")).unwrap();
    let group = fs::read_to_string("/etc/group").unwrap();
    let one = group.lines().find(|line| line.split(':').nth(2) == Some("1")).unwrap();
    let policy = policy.replace("dgtd-arbiters", one.split(':').next().unwrap());
    fs::write(dir.join("org.dgtd.conf"), policy.replace("user=\"dgtd\"", "user=\"root\"")).unwrap();
    fs::write(dir.join("bus.conf"), BUS.replace("@DIR@", &dir.display().to_string())).unwrap();
    let config = format!(
        "[bus]\nwhich = \"unix:path={0}/bus\"\n[ports]\nauto = false\n\
         [[board]]\nname = \"b1\"\nport = \"/dev/no-such-port\"\n[state]\ndirectory = \"{0}/state\"\n",
        dir.display()
    );
    fs::write(dir.join("dgtd.toml"), config).unwrap();
    let option = format!("--config-file={}", dir.join("bus.conf").display());
    let _bus = daemon("dbus-daemon", &["--nofork".as_ref(), option.as_ref()]);
    let file = dir.join("dgtd.toml");
    let _dgtd = daemon(env!("CARGO_BIN_EXE_dgtd"), &["--config".as_ref(), file.as_ref()]);
    let ask = |arbiter: bool, args: &[&str]| {
        let output = client(dir, arbiter, "busctl").args(args).output().unwrap();
        if output.status.success() { Ok(text(&output)) } else { Err(text(&output)) }
    };
    let version = ["get-property", "org.dgtd", "/org/dgtd", "org.dgtd.Daemon1", "Version"];
    for _ in 0..200 {
        if ask(false, &version).is_ok() {
            break;
        }
        thread::sleep(Duration::from_millis(25));
    }
    assert!(ask(false, &version).is_ok(), "{:?}", ask(false, &version));
    let board = "/org/dgtd/boards/b1";
    let secret = ["get-property", "org.dgtd.Arbiter", board, "org.dgtd.ArbiterOnly1", "Claims"];
    let denied = ask(false, &secret).unwrap_err();
    assert!(denied.contains("Access denied"), "{denied}");
    assert!(ask(true, &secret).is_ok(), "{:?}", ask(true, &secret));
    // Nor by the connection's own name.
    let owner = ["call", "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetNameOwner", "s"];
    let owner = ask(false, &[&owner[..], &["org.dgtd.Arbiter"]].concat()).unwrap();
    let owner = owner.trim().trim_start_matches("s ").trim_matches('"').to_owned();
    let direct = ["get-property", &owner, board, "org.dgtd.ArbiterOnly1", "Claims"];
    assert!(ask(false, &direct).unwrap_err().contains("Access denied"));
    // Changes are for arbiters.
    let silence =
        ["call", "org.dgtd", "/org/dgtd", "org.dgtd.Daemon1", "SilenceBuzzer", "a{sv}", "0"];
    assert!(ask(false, &silence).unwrap_err().contains("Access denied"));
    assert!(ask(true, &silence).is_ok(), "{:?}", ask(true, &silence));
    let label = ["set-property", "org.dgtd", board, "org.dgtd.Board1", "Label", "s", "Table 1"];
    assert!(ask(false, &label).unwrap_err().contains("Access denied"));
    for method in ["Identify", "StartCapture", "StopCapture"] {
        let call = ["call", "org.dgtd", board, "org.dgtd.Board1", method, "a{sv}", "0"];
        let denied = ask(false, &call).unwrap_err();
        assert!(denied.contains("Access denied"), "{method}: {denied}");
        // A recording may begin before its board is plugged in; nobody can be asked who he is.
        let answer = ask(true, &call);
        match method {
            "Identify" => assert!(answer.unwrap_err().contains("the board is not connected")),
            _ => assert!(answer.is_ok(), "{method}: {answer:?}"),
        }
    }

    // The bus says no before anybody looks whether there is a game, or a decision.
    for (name, interface, method, args) in [
        ("org.dgtd", "Board1", "SetPairing", &["a{ss}a{sv}", "1", "White", "Ana", "0"][..]),
        ("org.dgtd", "Board1", "SetClockSide", &["sa{sv}", "right", "0"]),
        ("org.dgtd", "Game1", "SetConditions", &["ua{sv}", "0", "0"]),
        ("org.dgtd", "Game1", "Reopen", &["ua{sv}", "0", "0"]),
        ("org.dgtd.Arbiter", "ArbiterOnly1", "ReconsiderIllegalMove", &["ua{sv}", "1", "0"]),
    ] {
        let interface = format!("org.dgtd.{interface}");
        let call = [&["call", name, board, interface.as_str(), method][..], args].concat();
        let denied = ask(false, &call).unwrap_err();
        assert!(denied.contains("Access denied"), "{method}: {denied}");
        let answer = ask(true, &call).err().unwrap_or_default();
        assert!(!answer.contains("Access denied"), "{method}: {answer}");
    }

    // Signals of the arbiter's connection: the request below makes one on it alone.
    let listen = |arbiter: bool, name: &str| {
        let file = dir.join(format!("heard-{arbiter}-{name}"));
        let mut command = client(dir, arbiter, "gdbus");
        command.args(["--dest", name]).stdout(fs::File::create(&file).unwrap());
        (Killed(command.stderr(Stdio::null()).spawn().unwrap()), file)
    };
    let (_a, outsider) = listen(false, "org.dgtd.Arbiter");
    let (_b, arbiter) = listen(true, "org.dgtd.Arbiter");
    let (_c, public) = listen(false, "org.dgtd");
    let heard = |file: &Path| fs::read_to_string(file).unwrap();
    for _ in 0..200 {
        if [&outsider, &arbiter, &public].iter().all(|f| heard(f).contains("owned by")) {
            break;
        }
        thread::sleep(Duration::from_millis(25));
    }
    assert!(ask(true, &label).is_ok(), "{:?}", ask(true, &label));
    for _ in 0..200 {
        if heard(&arbiter).contains("Journal1.Event") && heard(&public).contains("'Label'") {
            break;
        }
        thread::sleep(Duration::from_millis(25));
    }
    assert!(heard(&arbiter).contains("Journal1.Event"), "{}", heard(&arbiter));
    assert!(heard(&public).contains("PropertiesChanged"), "{}", heard(&public));
    assert!(!heard(&public).contains("Journal1.Event"), "{}", heard(&public));
    assert!(!heard(&outsider).contains("/org/dgtd"), "{}", heard(&outsider));
}
