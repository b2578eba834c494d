//! The daemon.

fn main() -> std::process::ExitCode {
    dgtd::daemon::main(std::env::args_os())
}
