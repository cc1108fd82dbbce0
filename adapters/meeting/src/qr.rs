//! Links as QR codes, for the terminal and for the page.

use qrcode::render::{svg, unicode};
use qrcode::{EcLevel, QrCode};

/// The least width of a picture, in pixels.
const WIDTH: u32 = 240;

fn code(link: &str) -> Option<QrCode> {
    QrCode::with_error_correction_level(link, EcLevel::M).ok()
}

/// A QR code as an SVG picture, dark on light in any theme; empty if the link is too long for one.
pub(super) fn picture(link: &str) -> String {
    let draw = |code: QrCode| code.render::<svg::Color<'_>>().min_dimensions(WIDTH, WIDTH).build();
    code(link).map(draw).unwrap_or_default()
}

/// A QR code as lines of half blocks; empty if the link is too long for one.
pub(super) fn blocks(link: &str) -> String {
    // Terminals are usually dark: light blocks are drawn, and dark ones left out.
    let draw = |code: QrCode| {
        let renderer = &mut code.render::<unicode::Dense1x2>();
        renderer.dark_color(unicode::Dense1x2::Light).light_color(unicode::Dense1x2::Dark).build()
    };
    code(link).map(draw).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "http://192.0.2.1:8472/#join=0123456789abcdef0123456789abcdef";

    #[test]
    fn a_link_has_a_picture_without_text_or_scripts() {
        let picture = picture(LINK);
        assert!(picture.starts_with("<?xml"), "{picture}");
        assert!(picture.contains("<svg") && !picture.contains("<script"));
        assert!(!picture.contains("join"), "the picture has no text");
    }

    #[test]
    fn a_link_has_a_code_of_half_blocks_that_fits_a_terminal() {
        let blocks = blocks(LINK);
        assert!(blocks.lines().count() < 24, "{blocks}");
        assert!(blocks.lines().all(|line| line.chars().count() < 80));
        assert!(blocks.chars().all(|c| " ▀▄█\n".contains(c)));
    }

    #[test]
    fn a_link_too_long_for_a_code_has_none() {
        assert_eq!(picture(&"x".repeat(10_000)), "");
        assert_eq!(blocks(&"x".repeat(10_000)), "");
    }
}
