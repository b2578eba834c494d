//! The button "Show board": a terminal with `dgtctl show`.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use crate::ctl::hosts::Host;

/// Programs that open a terminal, and what they want before the command.
const KNOWN: [&[&str]; 8] = [
    &["xdg-terminal-exec"],
    &["x-terminal-emulator", "-e"],
    &["gnome-terminal", "--"],
    &["konsole", "-e"],
    &["xfce4-terminal", "-x"],
    &["kitty"],
    &["foot"],
    &["xterm", "-e"],
];

/// What the terminal runs: the command after it, then a wait for Enter. `$0` is the hint.
const SCRIPT: &str = r#""$@"; printf '\n%s' "$0"; read -r _"#;

/// The terminals that were opened.
#[derive(Debug, Default)]
pub struct Terminals {
    running: Vec<Child>,
}

impl Terminals {
    /// Opens a terminal with a board; `terminal` is the program of the user's choice, if any. When
    /// there is none: what to type instead.
    pub fn show(
        &mut self,
        terminal: &[String],
        host: &Host,
        board: &str,
        enter: &str,
    ) -> Result<(), String> {
        // Those that were closed are not kept as zombies.
        self.running.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        let last = board.rsplit('/').next().unwrap_or_default();
        let name = last.strip_prefix("sn_").unwrap_or(last).to_owned();
        let [option, value] = host.way.arguments();
        let arguments = [option, value, "show".into(), name];
        let typed = || format!("dgtctl {}", arguments.join(" "));
        let program = if terminal.is_empty() { found() } else { Some(terminal.to_vec()) };
        let Some((first, rest)) = program.as_deref().and_then(<[String]>::split_first) else {
            return Err(typed());
        };
        let own = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("dgtctl"));
        let child = Command::new(first)
            .args(rest)
            .args(["sh", "-c", SCRIPT, enter])
            .arg(own)
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn();
        match child {
            Ok(child) => {
                self.running.push(child);
                Ok(())
            }
            Err(_) => Err(typed()),
        }
    }
}

/// The first known terminal program that is installed, where there is a screen for it.
fn found() -> Option<Vec<String>> {
    let screen = ["WAYLAND_DISPLAY", "DISPLAY"];
    if screen.iter().all(|name| std::env::var_os(name).is_none_or(|value| value.is_empty())) {
        return None;
    }
    let path = std::env::var_os("PATH")?;
    let there = |program: &str| std::env::split_paths(&path).any(|d| d.join(program).is_file());
    let known = KNOWN.iter().find(|known| there(known[0]))?;
    Some(known.iter().map(|&part| part.to_owned()).collect())
}
