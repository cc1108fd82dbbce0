//! The secrets that links carry. Only their digests are kept.

use std::fmt;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// Bytes of a secret: 128 bits.
const BYTES: usize = 16;

/// A secret of 128 random bits. It is never printed by accident: only [`Secret::reveal`] shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; BYTES]);

impl Secret {
    /// A new secret from the random numbers of the system.
    ///
    /// # Errors
    /// If the system has none.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// Reads a secret as a link carries it: 32 digits of base 16, in lower case.
    pub fn parse(text: &str) -> Option<Self> {
        from_hex(text).map(Self)
    }

    /// The secret as a link carries it.
    pub fn reveal(&self) -> String {
        HEXLOWER.encode(&self.0)
    }

    /// What is kept of the secret. Nobody can find the secret from it.
    pub fn digest(&self) -> SecretDigest {
        SecretDigest(Sha256::digest(self.0).into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The SHA-256 of a secret. A secret is random, so its digest needs no salt.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SecretDigest([u8; 32]);

impl SecretDigest {
    /// Whether both are digests of the same secret, in a time that does not depend on where they differ.
    pub fn is(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl fmt::Debug for SecretDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretDigest(..)")
    }
}

impl TryFrom<String> for SecretDigest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        from_hex(&text).map(Self).ok_or("expected 64 digits of base 16")
    }
}

impl From<SecretDigest> for String {
    fn from(digest: SecretDigest) -> Self {
        HEXLOWER.encode(&digest.0)
    }
}

fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_as_it_is_shown_and_has_128_bits() {
        let secret = Secret::random().unwrap();
        let text = secret.reveal();
        assert_eq!(text.len(), 32);
        assert!(Secret::parse(&text).unwrap().digest().is(&secret.digest()));
        assert!(!Secret::random().unwrap().digest().is(&secret.digest()));
        for wrong in ["", &text[1..], &format!("{text}0"), &text.replace(|_| true, "G"), "é"] {
            assert_eq!(Secret::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_printed_for_debugging_tells_nothing() {
        let secret = Secret::random().unwrap();
        let shown = format!("{secret:?} {:?}", secret.digest());
        assert_eq!(shown, "Secret(..) SecretDigest(..)");
    }

    #[test]
    fn a_digest_is_kept_as_text() {
        let digest = Secret([7; BYTES]).digest();
        let text = serde_json::to_string(&digest).unwrap();
        let read: SecretDigest = serde_json::from_str(&text).unwrap();
        assert!(read.is(&digest));
        assert!(serde_json::from_str::<SecretDigest>("\"7\"").is_err());
    }
}
