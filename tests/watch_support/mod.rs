//! A real terminal for tests: a program in a tmux of its own, whose screen is read and whose keys
//! are pressed.
#![allow(dead_code, reason = "each test uses its own part")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "in a test a wrong step is a failure"
)]

use std::{
    fs,
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::Duration,
};

use crate::notify_support::{Desk, output, wait};

/// Whether there is a tmux; without one the test fails, unless it may be skipped.
pub fn tmux_is_there() -> bool {
    if Command::new("tmux").arg("-V").output().is_ok_and(|output| output.status.success()) {
        return true;
    }
    assert!(
        std::env::var_os("DGTD_WITHOUT_TMUX").is_some(),
        "tmux is not there: install it (sudo apt install tmux), or skip these tests with \
         DGTD_WITHOUT_TMUX=1"
    );
    println!("skipped: tmux is not there, and DGTD_WITHOUT_TMUX is set");
    false
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A terminal with a program in it. Dropping it ends both.
pub struct Tmux {
    /// The name of the server's own socket.
    server: String,
    directory: PathBuf,
    pid: PathBuf,
}

impl Tmux {
    /// `dgtctl` with these arguments, on so many columns and rows.
    pub fn new(desk: &Desk, args: &[&str], columns: u16, rows: u16) -> Tmux {
        Tmux::with(desk, args, columns, rows, &[])
    }

    /// The same with variables.
    pub fn with(desk: &Desk, args: &[&str], columns: u16, rows: u16, set: &[(&str, &str)]) -> Tmux {
        let words: Vec<&str> =
            [env!("CARGO_BIN_EXE_dgtctl")].into_iter().chain(args.iter().copied()).collect();
        Tmux::program(desk, &words, columns, rows, set)
    }

    /// Any program. After it the terminal's modes stand on the screen.
    pub fn program(
        desk: &Desk,
        words: &[&str],
        columns: u16,
        rows: u16,
        set: &[(&str, &str)],
    ) -> Tmux {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let server = format!("dgtd-watch-{}-{number}", std::process::id());
        let directory = desk.directory.path().to_owned();
        let pid = directory.join(format!("{server}.pid"));
        let mut environment: Vec<(&str, String)> = Vec::new();
        let template = desk.command(&[]);
        for (name, value) in template.get_envs() {
            if let (Some(name), Some(value)) = (name.to_str(), value.and_then(|v| v.to_str())) {
                environment.push((name, value.to_owned()));
            }
        }
        for (name, value) in set {
            environment.push((name, (*value).to_owned()));
        }
        let set: Vec<String> =
            environment.iter().map(|(name, value)| quoted(&format!("{name}={value}"))).collect();
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let script = format!(
            "echo before it\nenv {} sh -c 'echo $$ >\"$0\"; exec \"$@\"' {} {}\necho \"exit $?\"\n\
             echo modes: $(stty -a | tr ' ;' '\\n\\n' | grep -x -e '-*icanon' -e '-*echo')\n\
             sleep 1000\n",
            set.join(" "),
            quoted(&pid.display().to_string()),
            words.join(" ")
        );
        let file = directory.join(format!("{server}.sh"));
        fs::write(&file, script).unwrap();
        let tmux = Tmux { server, directory, pid };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let run = format!("exec sh {}", quoted(&file.display().to_string()));
        let config = tmux.directory.join(format!("{}.conf", tmux.server));
        // All lines are the program's own.
        fs::write(&config, "set -g status off\nset -g escape-time 0\n").unwrap();
        let config = config.display().to_string();
        tmux.tmux(&["-f", &config, "new-session", "-d", "-x", &columns, "-y", &rows, &run]);
        tmux
    }

    fn command(&self) -> Command {
        let mut command = Command::new("tmux");
        command
            .args(["-u", "-L", &self.server])
            .env("TMUX_TMPDIR", &self.directory)
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .env("SHELL", "/bin/sh")
            .env_remove("NO_COLOR")
            .env_remove("TMUX");
        command
    }

    fn tmux(&self, args: &[&str]) -> String {
        let (code, said, errors) = output(self.command().args(args));
        assert_eq!(code, Some(0), "tmux {args:?}: {errors}");
        said
    }

    /// What stands on the screen.
    pub fn text(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// The same with the marks of colour and weight.
    pub fn escapes(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-e"])
    }

    /// What stands there without what is different each time: times of clocks.
    pub fn normalised(&self) -> String {
        let text = self.text();
        let lines = text.lines().map(|line| {
            let letters: Vec<char> = line.chars().collect();
            let mut plain = letters.clone();
            for at in 0..letters.len().saturating_sub(6) {
                let time = &letters[at..at + 7];
                let is = |place: usize| time[place].is_ascii_digit();
                if time[1] == ':' && time[4] == ':' && [0, 2, 3, 5, 6].into_iter().all(is) {
                    for place in [0, 2, 3, 5, 6] {
                        plain[at + place] = '#';
                    }
                }
            }
            plain.into_iter().collect::<String>().trim_end().to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The line with this text.
    pub fn row(&self, text: &str) -> String {
        let screen = self.text();
        screen.lines().find(|line| line.contains(text)).unwrap_or_default().to_owned()
    }

    #[track_caller]
    pub fn wait(&self, text: &str) {
        // A sentence may go on on the next line.
        let plain = |text: &str| {
            let words = text.replace('│', " ");
            words.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let wanted = plain(text);
        wait(text, || plain(&self.text()).contains(&wanted).then_some(()), || self.text());
    }

    #[track_caller]
    pub fn wait_gone(&self, text: &str) {
        let what = format!("{text} to go");
        wait(&what, || (!self.text().contains(text)).then_some(()), || self.text());
    }

    /// The screen once it is the one kept as a snapshot, or as it is after a while: a screen is drawn
    /// in pieces, and what it shows comes in several.
    pub fn settled(&self, name: &str) -> String {
        let file = format!("{}/tests/snapshots/watch__{name}.snap", env!("CARGO_MANIFEST_DIR"));
        let kept = fs::read_to_string(file).unwrap_or_default();
        let kept = kept.splitn(3, "---\n").nth(2).unwrap_or_default().trim_end().to_owned();
        for _ in 0..50 {
            if self.normalised().trim_end() == kept {
                break;
            }
            thread::sleep(Duration::from_millis(100));
        }
        self.normalised()
    }

    #[track_caller]
    pub fn wait_row(&self, row: &str, text: &str) {
        let what = format!("{row}: {text}");
        wait(&what, || self.row(row).contains(text).then_some(()), || self.text());
    }

    /// Keys by their names, such as `Enter`, `Space`, `DC`.
    pub fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.tmux(&["send-keys", key]);
        }
    }

    pub fn type_text(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
    }

    /// Pastes, as a terminal does.
    pub fn paste(&self, text: &str) {
        self.tmux(&["set-buffer", "--", text]);
        self.tmux(&["paste-buffer", "-p", "-r"]);
    }

    /// What the program called the window.
    pub fn title(&self) -> String {
        self.tmux(&["display-message", "-p", "#{pane_title}"])
    }

    pub fn resize(&self, columns: u16, rows: u16) {
        let (columns, rows) = (columns.to_string(), rows.to_string());
        self.tmux(&["resize-window", "-x", &columns, "-y", &rows]);
    }

    /// The process in the terminal.
    pub fn id(&self) -> String {
        fs::read_to_string(&self.pid).unwrap().trim().to_owned()
    }

    pub fn signal(&self, name: &str) {
        let (code, _, errors) = output(Command::new("kill").args(["-s", name, &self.id()]));
        assert_eq!(code, Some(0), "{errors}");
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = output(self.command().arg("kill-server"));
    }
}
