//! How the blocks of a file are packed.

/// A way to pack blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// LZ4, as earlier versions of the program packed. Such files are more than twice as large, and slower.
    Lz4,
    /// Raw deflate.
    Deflate,
}

impl Packing {
    const ALL: [Self; 2] = [Self::Lz4, Self::Deflate];

    /// The packing that a byte of a file stands for.
    pub(crate) fn of(byte: u8) -> Option<Self> {
        Self::ALL.get(usize::from(byte)).copied()
    }

    /// Unpacks a block. Returns whether it has as many codes as there is room for.
    pub(crate) fn unpack(self, packed: &[u8], codes: &mut [u8]) -> bool {
        let length = match self {
            Self::Lz4 => lz4_flex::block::decompress_into(packed, codes).ok(),
            Self::Deflate => {
                let parts = std::iter::once(packed);
                miniz_oxide::inflate::decompress_slice_iter_to_slice(codes, parts, false, true).ok()
            }
        };
        length == Some(codes.len())
    }
}
