//! Squares as the board numbers them, and what its sensors say about each.

use shakmaty::{Color, File, Piece, Rank, Role, Square};

/// A square as the board numbers it: row by row from 0 to 63.
///
/// On a board in [`Orientation::Normal`] 0 is a8, 7 is h8, 56 is a1 and 63 is h1. The board never
/// renumbers its squares when it is turned round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(u8);

impl Field {
    /// All 64, in the order of a board dump.
    pub const ALL: [Field; 64] = {
        let mut all = [Field(0); 64];
        let mut index = 0;
        while index < 64 {
            #[expect(clippy::cast_possible_truncation, reason = "below 64")]
            {
                all[index] = Field(index as u8);
            }
            index += 1;
        }
        all
    };

    /// The field with this number, if there is one.
    pub const fn new(number: u8) -> Option<Field> {
        if number < 64 { Some(Field(number)) } else { None }
    }

    /// The number, 0 to 63.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The number as an index into the 64 readings of a dump.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square this field is when the board stands this way round.
    pub fn square(self, orientation: Orientation) -> Square {
        let number = match orientation {
            Orientation::Normal => self.0,
            Orientation::Rotated => 63 - self.0,
        };
        Square::from_coords(File::new(u32::from(number % 8)), Rank::new(7 - u32::from(number / 8)))
    }

    /// The field of a square when the board stands this way round.
    pub fn from_square(square: Square, orientation: Orientation) -> Field {
        let (file, rank) = square.coords();
        let number = (7 - u8::from(rank)) * 8 + u8::from(file);
        match orientation {
            Orientation::Normal => Field(number),
            Orientation::Rotated => Field(63 - number),
        }
    }
}

/// Which way round the board stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// The connector, and the clock, are on White's left: field 0 is a8.
    #[default]
    Normal,
    /// The connector is on White's right: field 0 is h1.
    Rotated,
}

impl Orientation {
    /// The other way round.
    #[must_use]
    pub const fn turned(self) -> Orientation {
        match self {
            Orientation::Normal => Orientation::Rotated,
            Orientation::Rotated => Orientation::Normal,
        }
    }
}

/// What the sensor of one square reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Contact {
    /// Nothing stands there.
    #[default]
    Empty,
    /// A chess man.
    Man(Piece),
    /// One of the three special pieces of a tournament set (codes 0x0d to 0x0f). Never part of a
    /// position; it also appears for a moment while men move.
    Token(Token),
    /// A code no board should send (0x10 and above). Seen while men move.
    Unreadable(u8),
}

impl Contact {
    /// What a piece code of a dump or a field update means (protocol 3.4). Within a colour the order
    /// is pawn, rook, knight, bishop, **king, queen**.
    pub const fn from_code(code: u8) -> Contact {
        CODES[code as usize]
    }

    const fn meaning(code: u8) -> Contact {
        const ORDER: [Role; 6] =
            [Role::Pawn, Role::Rook, Role::Knight, Role::Bishop, Role::King, Role::Queen];
        match code {
            0 => Contact::Empty,
            1..=6 => Contact::Man(Piece { color: Color::White, role: ORDER[code as usize - 1] }),
            7..=12 => Contact::Man(Piece { color: Color::Black, role: ORDER[code as usize - 7] }),
            13 => Contact::Token(Token::Draw),
            14 => Contact::Token(Token::WhiteWins),
            15 => Contact::Token(Token::BlackWins),
            _ => Contact::Unreadable(code),
        }
    }

    /// The piece code a board sends for this.
    pub const fn code(self) -> u8 {
        match self {
            Contact::Empty => 0,
            Contact::Man(Piece { color, role }) => {
                let code = match role {
                    Role::Pawn => 1,
                    Role::Rook => 2,
                    Role::Knight => 3,
                    Role::Bishop => 4,
                    Role::King => 5,
                    Role::Queen => 6,
                };
                match color {
                    Color::White => code,
                    Color::Black => code + 6,
                }
            }
            Contact::Token(Token::Draw) => 13,
            Contact::Token(Token::WhiteWins) => 14,
            Contact::Token(Token::BlackWins) => 15,
            Contact::Unreadable(code) => code,
        }
    }

    /// The man that stands there, if one does.
    pub fn man(self) -> Option<Piece> {
        match self {
            Contact::Man(piece) => Some(piece),
            _ => None,
        }
    }
}

/// What each code means: a dump asks 64 times.
const CODES: [Contact; 256] = {
    let mut codes = [Contact::Empty; 256];
    let mut code = 0;
    while code < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        let byte = code as u8;
        codes[code] = Contact::meaning(byte);
        code += 1;
    }
    codes
};

/// A special piece: a player puts it on the board to show the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// Code 0x0d.
    Draw,
    /// Code 0x0e.
    WhiteWins,
    /// Code 0x0f.
    BlackWins,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_contacts_both_ways() {
        for code in 0..=u8::MAX {
            assert_eq!(Contact::from_code(code).code(), code);
        }
        for (code, fen) in [
            (1, 'P'),
            (2, 'R'),
            (3, 'N'),
            (4, 'B'),
            (5, 'K'),
            (6, 'Q'),
            (7, 'p'),
            (8, 'r'),
            (9, 'n'),
            (10, 'b'),
            (11, 'k'),
            (12, 'q'),
        ] {
            assert_eq!(Contact::from_code(code).man(), Piece::from_char(fen), "{fen}");
        }
        assert_eq!(Contact::from_code(0), Contact::Empty);
        assert_eq!(Contact::from_code(14), Contact::Token(Token::WhiteWins));
        assert_eq!(Contact::from_code(0x11), Contact::Unreadable(0x11));
    }

    #[test]
    fn fields_are_squares_both_ways_round() {
        for (number, normal, rotated) in
            [(0, "a8", "h1"), (7, "h8", "a1"), (8, "a7", "h2"), (56, "a1", "h8"), (63, "h1", "a8")]
        {
            let field = Field::new(number).unwrap();
            assert_eq!(field.square(Orientation::Normal).to_string(), normal);
            assert_eq!(field.square(Orientation::Rotated).to_string(), rotated);
        }
        for field in Field::ALL {
            for orientation in [Orientation::Normal, Orientation::Rotated] {
                assert_eq!(Field::from_square(field.square(orientation), orientation), field);
            }
        }
        assert_eq!(Field::new(64), None);
    }
}
