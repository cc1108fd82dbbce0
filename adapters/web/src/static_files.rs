//! The files of the page over HTTP: compressed, and not sent again while they are the same.

use std::io::Write as _;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::assets::{Asset, Lazy};

/// A file. It is made when it is first asked for, and kept.
#[derive(Debug)]
pub(super) struct StaticFile {
    content_type: &'static str,
    content: Lazy<Content>,
}

#[derive(Debug)]
struct Content {
    body: Bytes,
    packed: Bytes,
    /// Names the content (`ETag`).
    tag: String,
}

impl Content {
    fn new(body: Bytes) -> Self {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        let packed = packer.write_all(&body).and_then(|()| packer.finish());
        let hash = HEXLOWER.encode(&Sha256::digest(&body)[..8]);
        Self {
            packed: packed.expect("writing to a vector succeeds").into(),
            body,
            // The compressed file has the same tag, which is therefore a weak one.
            tag: format!("W/\"{hash}\""),
        }
    }
}

impl StaticFile {
    pub(super) fn new(asset: Asset) -> Self {
        let content_type = asset.content_type;
        let content = Lazy::new(Box::new(move || Content::new(asset.body.clone())));
        Self { content_type, content }
    }

    /// The answer to a request with these headers. The first takes long: the file is made for it.
    pub(super) fn answer(&self, request: &HeaderMap) -> Response {
        let Content { body, packed, tag } = &*self.content;
        let is_known = listed(request, &header::IF_NONE_MATCH).any(|known| known == tag);
        let mut response = if is_known {
            StatusCode::NOT_MODIFIED.into_response()
        } else if takes_gzip(request) {
            ([(header::CONTENT_ENCODING, "gzip")], packed.clone()).into_response()
        } else {
            body.clone().into_response()
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(tag) = HeaderValue::from_str(tag) {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}

/// The parts of a header that is a list.
fn listed<'h>(request: &'h HeaderMap, name: &header::HeaderName) -> impl Iterator<Item = &'h str> {
    let values = request.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

/// Whether gzip is named, and not with the weight 0.
fn takes_gzip(request: &HeaderMap) -> bool {
    listed(request, &header::ACCEPT_ENCODING).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().trim_start_matches("q=");
        name.trim().eq_ignore_ascii_case("gzip") && weight.parse() != Ok(0.0)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use axum::http::HeaderName;
    use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, IF_NONE_MATCH};
    use flate2::read::GzDecoder;

    use super::super::assets::{FirstBoard, assets};
    use super::*;

    fn file(body: &'static str) -> StaticFile {
        let body = Lazy::new(Box::new(move || body.into()));
        StaticFile::new(Asset { path: "a.js", content_type: "text/javascript", body })
    }

    fn answer(file: &StaticFile, headers: &[(HeaderName, &str)]) -> Response {
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap()));
        file.answer(&headers.collect())
    }

    fn tag(file: &StaticFile) -> String {
        answer(file, &[]).headers()[ETAG].to_str().unwrap().to_owned()
    }

    #[test]
    fn a_file_is_compressed_for_clients_that_take_gzip() {
        let file = file("let a = 1;\n");
        let mut text = String::new();
        GzDecoder::new(&*file.content.packed).read_to_string(&mut text).unwrap();
        assert_eq!(text, "let a = 1;\n");
        for (accepts, is_packed) in [
            ("gzip, deflate, br, zstd", true),
            ("br;q=1.0, GZIP;q=0.8", true),
            ("gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("identity", false),
            ("x-gzip-like", false),
            ("", false),
        ] {
            let answer = answer(&file, &[(ACCEPT_ENCODING, accepts)]);
            assert_eq!(answer.headers().contains_key(CONTENT_ENCODING), is_packed, "{accepts}");
            assert_eq!(answer.headers()[header::VARY], "accept-encoding");
        }
    }

    #[test]
    fn a_file_is_not_sent_again_until_it_changes() {
        let (old, new) = (file("1"), file("2"));
        let status = |file, tags: &str| answer(file, &[(IF_NONE_MATCH, tags)]).status();
        assert_eq!(status(&old, &tag(&old)), StatusCode::NOT_MODIFIED);
        assert_eq!(status(&old, &format!("W/\"other\", {}", tag(&old))), StatusCode::NOT_MODIFIED);
        assert_eq!(status(&new, &tag(&old)), StatusCode::OK);
    }

    #[test]
    fn a_first_visit_is_short() {
        let first = assets(&[], FirstBoard::Leapd)
            .into_iter()
            .filter(|asset| !asset.path.contains("positions/"));
        let bytes: usize = first.map(|asset| Content::new(asset.body.clone()).packed.len()).sum();
        assert!(bytes < 120_000, "{bytes}");
    }
}
