// SPDX-License-Identifier: Apache-2.0
#pragma once

// Content codings of responses and of requests: smaller bodies for both sides' networks.

#include <apus/content_coding.hpp>
#include <apus/detail/chain.hpp>
#include <apus/detail/parameters.hpp>

namespace apus {

/// Middleware that compresses bodies for clients that accept it (RFC 9110, 12.5.3).
///
/// Whole bodies of `least` bytes and more, and streams, of media types that profit: `text/*`, JSON,
/// XML, JavaScript, SVG, WebAssembly, some fonts, and what ends in `+json` or `+xml`. What is
/// written to a stream can be read by the client at the end of the loop's turn, so events are not
/// held back. Bodies over 256 KiB are compressed piece by piece, others served in between.
///
/// Left as they are: responses with Content-Encoding or Content-Range, with `no-transform` in
/// Cache-Control, and without a body. A compressed response has `Content-Encoding`, a weak ETag
/// where the handler gave a strong one (the bytes are others), and no Accept-Ranges. Each response
/// that could have been compressed has `Vary: Accept-Encoding`. HEAD is answered as GET is.
///
/// Do not compress pages that hold a secret beside text that an attacker can choose: the size tells
/// about the secret (the BREACH attack). docs/compression.md says what to do.
///
/// Belongs to one core, as all that is made in `make_app`; a copy begins anew.
class compress_responses {
public:
    /// What is compressed, and how. Levels beyond those named throw `std::invalid_argument`.
    struct options {
        /// The codings that are sent; among those that a client likes the same, the first.
        content_coding prefer[3] = {content_coding::zstd, content_coding::br, content_coding::gzip};
        std::size_t least = 1024;  ///< Bytes from which a whole body is compressed.
        int gzip_level = 6;        ///< 1 to 9.
        int br_level = 5;          ///< 0 to 11. From 7 on it takes ten times as long and more.
        int zstd_level = 3;        ///< 1 to 19. As `br_level`, from 10 on.
        /// Streams compressed at a time on this core, each with 0.3 to 2 MiB. Others are sent as they are.
        unsigned streams = 64;
    };

    compress_responses();
    explicit compress_responses(const options&);
    compress_responses(const compress_responses&);
    compress_responses(compress_responses&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    compress_responses& operator=(const compress_responses&) = delete;
    ~compress_responses();

    // For the app.
    static constexpr const void* sets = detail::sets_nothing;
    bool before(request&, response&) const noexcept { return true; }
    void after(request&, response&) const;

private:
    struct parts;
    parts* parts_;
};

/// Middleware that takes the content coding off the bodies of requests, for all who read them:
/// `request::read`, `request::body`, `body_text` and what is made of these.
///
/// What comes out is bounded, so that a small body cannot burst: by the size that the route takes
/// (`limits::body`), and by `ratio`. Over either it is 413. A body that is none of its coding is
/// 400; one of another coding, or of more than one, is 415 with Accept-Encoding (RFC 9110, 12.5.3).
/// Where a handler has begun to read, its task is cancelled first, as for any broken body.
/// Content-Encoding stays as it was sent.
class decompress_requests {
public:
    /// What is taken.
    struct options {
        /// The codings that are taken. `identity` stands for none.
        content_coding accept[4] = {content_coding::gzip, content_coding::br, content_coding::zstd,
                                    content_coding::deflate};
        std::uint64_t ratio = 100;  ///< Bytes that may come out for each that came in, from 64 KiB on. At least 1.
    };

    decompress_requests();
    /// Throws `std::invalid_argument` for a ratio of 0.
    explicit decompress_requests(const options&);

    // For the app.
    static constexpr detail::body_use body = detail::body_use::ignored;
    static constexpr const void* sets = detail::sets_nothing;
    detail::pending run(const detail::step* rest, request&, response& out) const;

private:
    detail::pending refuse(std::string_view why, response& out) const;

    options how_;
};

}  // namespace apus
