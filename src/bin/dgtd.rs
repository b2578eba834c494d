//! The daemon.

/// Half of what glibc's takes of the time a busy hall costs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    dgtd::daemon::main(std::env::args_os())
}
