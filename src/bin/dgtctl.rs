//! The command line tool.

fn main() -> std::process::ExitCode {
    dgtd::ctl::main(std::env::args_os())
}
