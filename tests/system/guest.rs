//! A machine that runs what a test tells it.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// The longest a thing may take to happen. Emulated processors on a busy machine are slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// A machine that runs scripts as root.
pub trait Guest {
    /// Runs a script of bash. Answers with its exit status and all it wrote.
    fn run(&self, script: &str) -> (i32, String);

    /// Runs a script that must succeed.
    #[track_caller]
    fn must(&self, script: &str) -> String {
        let (status, said) = self.run(script);
        assert_eq!(status, 0, "{script}\n{said}");
        said
    }

    /// Repeats a script until what it says contains a text.
    #[track_caller]
    fn wait_for(&self, script: &str, text: &str) {
        let start = Instant::now();
        loop {
            let (_, said) = self.run(script);
            if said.contains(text) {
                return;
            }
            if start.elapsed() > PATIENCE {
                let (_, log) = self.run("journalctl --no-pager -u dgtd | tail -60");
                panic!("waited in vain for {text:?} from\n{script}\nit said\n{said}\nlog:\n{log}");
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Where `prepare.sh` put things.
pub fn prepared(what: &str) -> PathBuf {
    let dir = std::env::var_os("DGTD_SYSTEM_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/system"), PathBuf::from);
    let path = dir.join(what);
    assert!(path.exists(), "{} is missing: run tests/system/prepare.sh first", path.display());
    path
}

/// Lays out what README.md installs from: the programs where a release build leaves them, and the
/// files beside them.
pub fn project(at: &Path) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for directory in ["config", "systemd"] {
        copy_directory(&here.join(directory), &at.join(directory));
    }
    let programs = at.join("target/release");
    fs::create_dir_all(&programs).unwrap();
    for (name, built) in
        [("dgtd", env!("CARGO_BIN_EXE_dgtd")), ("dgtctl", env!("CARGO_BIN_EXE_dgtctl"))]
    {
        fs::copy(built, programs.join(name)).unwrap();
    }
}

fn copy_directory(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap().path();
        let target = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy_directory(&entry, &target);
        } else {
            fs::copy(&entry, &target).unwrap();
        }
    }
}

/// The lines with which README.md installs the programs, without building and without `sudo`.
pub fn installation() -> String {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let lines: Vec<String> = readme
        .lines()
        .map(str::trim)
        .filter(|line| {
            line.starts_with("sudo install ") || line.starts_with("sudo systemd-sysusers")
        })
        .map(|line| line.replace("sudo ", ""))
        .collect();
    assert!(lines.len() > 5, "README.md no longer says how to install: {lines:?}");
    format!("set -e; cd /project\n{}\n", lines.join("\n"))
}
