// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compression of response bodies, and decompression of request bodies (content codings).

#include <apus/content_coding.hpp>
#include <apus/middleware.hpp>

namespace apus {

/// Codings, levels and minimum size. Invalid levels throw `std::invalid_argument`.
struct compress_responses_options {
    /// Codings to send, preferred one first.
    /// The order decides among codings to which the client gives equal weight.
    content_coding prefer[3] = {content_coding::zstd, content_coding::br, content_coding::gzip};
    std::size_t least = 1024;  ///< Minimum size in bytes of a whole body to compress.
    int gzip_level = 6;        ///< 1 to 9.
    int br_level = 5;          ///< 0 to 11. Levels from 7 on are at least ten times slower.
    int zstd_level = 3;        ///< 1 to 19. Levels from 10 on are at least ten times slower.
    /// Maximum concurrent compressed streams on this core, 0.3 to 2 MiB each.
    /// Further streams are not compressed.
    unsigned streams = 64;
};

/// Middleware that compresses response bodies.
/// It uses a content coding that the client accepts (RFC 9110, 12.5.3).
///
/// It compresses whole bodies of at least `least` bytes, and streams, if the media type is compressible: `text/*`,
/// JSON, XML, JavaScript, SVG, WebAssembly, some fonts, and types that end in `+json` or `+xml`. Data written to a
/// stream is flushed at the end of the event loop iteration, so events are not delayed. Bodies over 256 KiB are
/// compressed piece by piece; the core serves other requests in between.
///
/// Not compressed: responses with Content-Encoding or Content-Range, responses with `no-transform` in Cache-Control,
/// and responses without a body. A compressed response has `Content-Encoding` and no Accept-Ranges; a strong ETag
/// becomes weak, since the bytes differ. Each response that could have been compressed has `Vary: Accept-Encoding`.
/// Responses to HEAD have the same fields as responses to GET.
///
/// Do not compress pages that contain a secret together with text that an attacker can choose: the compressed size
/// reveals the secret (the BREACH attack). See docs/compression.md.
///
/// Belongs to one core, like everything made in `make_app`. A copy has the same options and shares no state.
class compress_responses {
public:
    compress_responses();
    explicit compress_responses(const compress_responses_options&);
    compress_responses(const compress_responses&);
    compress_responses(compress_responses&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    compress_responses& operator=(const compress_responses&) = delete;
    ~compress_responses();

    // Middleware interface, used by the app.
    using sets = void;
    pending_response operator()(request&, response& out, next_handler) const;

private:
    struct parts;
    parts* parts_;
};

/// Accepted codings and limits.
struct decompress_requests_options {
    /// Accepted codings. `identity`: no coding.
    content_coding accept[4] = {content_coding::gzip, content_coding::br, content_coding::zstd,
                                content_coding::deflate};
    std::uint64_t ratio = 100;  ///< Maximum decoded bytes per encoded byte, checked after 64 KiB of output. At least 1.
};

/// Middleware that decodes compressed request bodies. It works with every way of reading a body.
///
/// The decoded size is limited against decompression bombs: by the route's body limit (`limits::body`), and by `ratio`.
/// A body over either limit gets 413. A malformed body gets 400. A coding that is not accepted, or more than one
/// coding, gets 415 with Accept-Encoding (RFC 9110, 12.5.3). If a handler has begun to read the body, its task is
/// cancelled first, as for any invalid body. `request::header` still returns Content-Encoding.
class decompress_requests {
public:
    decompress_requests();
    /// Throws `std::invalid_argument` for a ratio of 0.
    explicit decompress_requests(const decompress_requests_options&);

    // Middleware interface, used by the app.
    using sets = void;
    pending_response operator()(request&, response& out, next_handler) const;

private:
    pending_response refuse(std::string_view why, response& out) const;

    decompress_requests_options how_;
};

}  // namespace apus
