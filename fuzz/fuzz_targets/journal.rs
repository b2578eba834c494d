#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dgtd_fuzz::journal(data));
