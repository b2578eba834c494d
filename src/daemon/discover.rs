//! Which of the machine's serial ports surely are boards.
//!
//! In: what the kernel says of each port. Out: a verdict for each. Two of the three USB ids that boards
//! carry belong to thousands of other devices as well, and a byte sent to the wrong device may do
//! harm: such a port is taken only when its name says DGT, when a udev rule of this machine marks it as a
//! board, or when the configuration names it (protocol 1.2).

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serialport::SerialPortType;

/// Where the system keeps names of ports that do not change when a device is plugged in elsewhere.
const BY_ID: &str = "/dev/serial/by-id";

/// Where the shipped udev rules name the ports they take for boards; an organiser adds a line there
/// for an adapter that does not name itself.
const MARKED: &str = "/dev/dgt/by-path";

/// A serial port of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerialDevice {
    /// The device, like `/dev/ttyACM0`.
    pub path: PathBuf,
    /// Its lasting name below `/dev/serial/by-id`, if it has one.
    pub by_id: Option<PathBuf>,
    /// A udev rule of this machine marks it as a board.
    pub marked: bool,
    /// What carries the bytes.
    pub carrier: Carrier,
}

/// What carries the bytes of a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// A USB device.
    Usb(UsbDevice),
    /// A Bluetooth serial connection.
    Bluetooth,
    /// A built-in port, or one the kernel tells nothing about.
    Other,
}

/// What a USB device says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsbDevice {
    /// Vendor number.
    pub vendor: u16,
    /// Product number.
    pub product: u16,
    /// Manufacturer, in words.
    pub manufacturer: Option<String>,
    /// Product, in words.
    pub name: Option<String>,
    /// Serial number of the USB device. Not that of the board.
    pub serial: Option<String>,
}

/// What a port is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A board: may be opened without being asked.
    Board,
    /// Perhaps a board, to be opened only when the configuration names it.
    NeedsNaming(Reason),
    /// No board.
    Other,
}

/// Why a port has to be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A USB id that boards share with many other devices.
    SharedId,
    /// The name says DGT, the USB id is that of no known board.
    UnknownId,
    /// A Bluetooth connection.
    Bluetooth,
    /// A port without any identification.
    Anonymous,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::SharedId => "many other devices carry the same USB id",
            Reason::UnknownId => "its name says DGT, but no board is known to carry its USB id",
            Reason::Bluetooth => "a Bluetooth connection does not say what is at its other end",
            Reason::Anonymous => "a built-in port does not say what is connected to it",
        })
    }
}

/// The FTDI bridge of classic USB boards; also of every other cable with that chip.
const FTDI: (u16, u16) = (0x0403, 0x6001);
/// The Microchip CDC example of Bluetooth boards on their cable; also of many other devices.
const MICROCHIP: (u16, u16) = (0x04d8, 0x000a);
/// The Renesas CDC of Smart Boards and later ones.
const RENESAS: (u16, u16) = (0x045b, 0x8111);

/// Decides what a port is taken for.
pub fn classify(device: &SerialDevice) -> Verdict {
    if device.marked {
        return Verdict::Board;
    }
    let usb = match &device.carrier {
        Carrier::Bluetooth => return Verdict::NeedsNaming(Reason::Bluetooth),
        Carrier::Other => return Verdict::NeedsNaming(Reason::Anonymous),
        Carrier::Usb(usb) => usb,
    };
    let named = says_dgt(device, usb);
    match (usb.vendor, usb.product) {
        RENESAS => Verdict::Board,
        FTDI | MICROCHIP if named => Verdict::Board,
        FTDI | MICROCHIP => Verdict::NeedsNaming(Reason::SharedId),
        _ if named => Verdict::NeedsNaming(Reason::UnknownId),
        _ => Verdict::Other,
    }
}

/// Whether a name of the device says DGT. The USB serial number is left out of account: three letters
/// may stand there by chance, and it is part of the lasting name.
fn says_dgt(device: &SerialDevice, usb: &UsbDevice) -> bool {
    let says = |text: &str| text.contains("DGT");
    let by_id = device.by_id.as_deref().and_then(Path::file_name).map(|name| {
        let name = name.to_string_lossy().into_owned();
        match usb.serial.as_deref() {
            // The system writes a space as an underscore there.
            Some(serial) if !serial.is_empty() => name.replace(&serial.replace(' ', "_"), ""),
            _ => name,
        }
    });
    [usb.manufacturer.as_deref(), usb.name.as_deref(), by_id.as_deref()]
        .into_iter()
        .flatten()
        .any(says)
}

/// Why the ports of this machine cannot be listed.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot list the serial ports of this machine; name the boards' ports in the configuration"
)]
pub struct DiscoverError {
    /// What the system says.
    #[source]
    pub source: io::Error,
}

/// The serial ports of this machine, in order of their paths. Reads files and may take milliseconds.
pub fn devices() -> Result<Vec<SerialDevice>, DiscoverError> {
    // serialport panics when this directory is missing.
    fs::read_dir("/sys/class/tty").map_err(|source| DiscoverError { source })?;
    let ports =
        serialport::available_ports().map_err(|error| DiscoverError { source: error.into() })?;
    let names = lasting_names(Path::new(BY_ID));
    let marked = lasting_names(Path::new(MARKED));
    let mut devices: Vec<SerialDevice> = ports
        .into_iter()
        .map(|port| {
            let path = PathBuf::from(port.port_name);
            let by_id =
                names.iter().find(|(target, _)| *target == path).map(|(_, name)| name.clone());
            let marked = marked.iter().any(|(target, _)| *target == path);
            SerialDevice { path, by_id, marked, carrier: carrier(port.port_type) }
        })
        .collect();
    devices.sort_by(|a, b| a.path.cmp(&b.path));
    devices.dedup_by(|a, b| a.path == b.path);
    Ok(devices)
}

fn carrier(kind: SerialPortType) -> Carrier {
    match kind {
        SerialPortType::UsbPort(usb) => Carrier::Usb(UsbDevice {
            vendor: usb.vid,
            product: usb.pid,
            manufacturer: usb.manufacturer,
            name: usb.product,
            serial: usb.serial_number,
        }),
        SerialPortType::BluetoothPort => Carrier::Bluetooth,
        SerialPortType::PciPort | SerialPortType::Unknown => Carrier::Other,
    }
}

/// The links of a directory as (device, link), in order of their names. Empty when there is none.
fn lasting_names(directory: &Path) -> Vec<(PathBuf, PathBuf)> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut names: Vec<_> = entries
        .filter_map(|entry| {
            let link = entry.ok()?.path();
            Some((fs::canonicalize(&link).ok()?, link))
        })
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_surely_is_a_board_is_taken() {
        use Verdict::{Board, NeedsNaming, Other};
        let ftdi = "usb-FTDI_USB_<->_Serial-if00-port0";
        let microchip = "usb-DGT_DGT_Chessboard-if00";
        let shared = NeedsNaming(Reason::SharedId);
        for (ids, manufacturer, name, serial, by_id, verdict) in [
            ((0x0403, 0x6001), "FTDI", "USB <-> Serial", "", ftdi, shared),
            ((0x0403, 0x6001), "DGT Projects", "USB <-> Serial", "", "", Board),
            ((0x0403, 0x6001), "FTDI", "FT232R", "A1DGT7", "usb-FTDI_FT232R_A1DGT7-if00", shared),
            ((0x0403, 0x6001), "FTDI", "FT232R", "A DGT", "usb-FTDI_FT232R_A_DGT-if00", shared),
            ((0x04d8, 0x000a), "", "", "", microchip, Board),
            ((0x04d8, 0x000a), "Microchip", "CDC demo", "", "usb-Microchip_CDC-if00", shared),
            ((0x045b, 0x8111), "", "DGT e-Board", "", "", Board),
            ((0x045b, 0x8111), "", "", "", "", Board),
            ((0x2341, 0x0043), "Arduino", "Uno", "", "usb-Arduino_Uno-if00", Other),
            ((0x1234, 0x5678), "DGT", "Board 2030", "", "", NeedsNaming(Reason::UnknownId)),
        ] {
            let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let device = SerialDevice {
                path: "/dev/ttyACM0".into(),
                by_id: text(by_id).map(|name| Path::new(BY_ID).join(name)),
                marked: false,
                carrier: Carrier::Usb(UsbDevice {
                    vendor: ids.0,
                    product: ids.1,
                    manufacturer: text(manufacturer),
                    name: text(name),
                    serial: text(serial),
                }),
            };
            assert_eq!(classify(&device), verdict, "{device:?}");
            assert_eq!(classify(&SerialDevice { marked: true, ..device }), Board);
        }
        for (carrier, reason) in
            [(Carrier::Bluetooth, Reason::Bluetooth), (Carrier::Other, Reason::Anonymous)]
        {
            let device =
                SerialDevice { path: "/dev/ttyS0".into(), by_id: None, marked: false, carrier };
            assert_eq!(classify(&device), NeedsNaming(reason));
        }
    }

    #[test]
    fn lasting_names_lead_to_devices() {
        let directory = tempfile::tempdir().unwrap();
        let device = directory.path().canonicalize().unwrap().join("ttyACM7");
        fs::write(&device, "").unwrap();
        let links = directory.path().join("by-id");
        fs::create_dir(&links).unwrap();
        std::os::unix::fs::symlink("../ttyACM7", links.join("usb-DGT_DGT_Chessboard-if00"))
            .unwrap();
        std::os::unix::fs::symlink("../nowhere", links.join("dangling")).unwrap();
        let expected = vec![(device, links.join("usb-DGT_DGT_Chessboard-if00"))];
        assert_eq!(lasting_names(&links), expected);
        assert_eq!(lasting_names(&directory.path().join("none")), []);
    }

    #[test]
    fn the_ports_of_this_machine_can_be_listed() {
        if Path::new("/sys/class/tty").exists() {
            let devices = devices().unwrap();
            assert!(devices.is_sorted_by(|a, b| a.path < b.path));
        }
    }
}
