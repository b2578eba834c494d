//! A board in the terminal.

use std::io::{self, Write};

use shakmaty::{Board, Color, File, Rank, Square, fen::Fen};

/// Draws a position: the placement field of a FEN, as White sits or turned round.
///
/// With colours the squares are coloured and men are figures; without, men are FEN letters and empty
/// squares dots, so that it reads well in a file or aloud.
pub fn board(out: &mut dyn Write, placement: &str, turned: bool, colours: bool) -> io::Result<()> {
    let Ok(fen) = Fen::from_ascii(placement.as_bytes()) else {
        return writeln!(out, "(the sensors have not been read yet)");
    };
    let board = &fen.as_setup().board;
    let mut ranks = Rank::ALL;
    let mut files = File::ALL;
    if turned {
        files.reverse();
    } else {
        ranks.reverse();
    }
    for rank in ranks {
        write!(out, "{} ", rank.char())?;
        for file in files {
            square(out, board, Square::from_coords(file, rank), colours)?;
        }
        writeln!(out)?;
    }
    write!(out, "  ")?;
    for file in files {
        write!(out, " {}{}", file.char(), if colours { " " } else { "" })?;
    }
    writeln!(out)
}

fn square(out: &mut dyn Write, board: &Board, square: Square, colours: bool) -> io::Result<()> {
    let piece = board.piece_at(square);
    if !colours {
        return write!(out, " {}", piece.map_or('.', shakmaty::Piece::char));
    }
    let background = if square.is_light() { "48;5;180" } else { "48;5;137" };
    let (figure, foreground) = match piece {
        None => (' ', "30"),
        Some(piece) => {
            let figures = ['♟', '♞', '♝', '♜', '♛', '♚'];
            let figure = figures[piece.role as usize - 1];
            (figure, if piece.color == Color::White { "1;97" } else { "30" })
        }
    };
    write!(out, "\x1b[{background};{foreground}m {figure} \x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_drawn_both_ways_round() {
        let placement = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        let drawn = |turned| {
            let mut out = Vec::new();
            board(&mut out, placement, turned, false).unwrap();
            String::from_utf8(out).unwrap()
        };
        let normal = drawn(false);
        assert!(normal.starts_with("8  r n b q k b n r\n7  p p p p p p p p\n"), "{normal}");
        assert!(normal.contains("4  . . . . P . . .\n"), "{normal}");
        assert!(normal.ends_with("1  R N B Q K B N R\n   a b c d e f g h\n"), "{normal}");
        assert!(drawn(true).starts_with("1  R N B K Q B N R\n"));
        let mut out = Vec::new();
        board(&mut out, "8/8/8/8/8/8/8/Q7", false, true).unwrap();
        assert!(String::from_utf8(out).unwrap().contains("\x1b[48;5;137;1;97m ♛ \x1b[0m"));
    }
}
