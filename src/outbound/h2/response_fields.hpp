// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/hpack/decoder.hpp"
#include "codec/http1/request_head.hpp"
#include "outbound/received.hpp"

#include <cstddef>
#include <cstdint>

namespace apus::outbound::h2 {

/// Which fields of a response a header block has.
enum class section : bool {
    head,
    trailers
};

/// Collects and checks the fields of a header block of a response (RFC 9113, 8.2 and 8.3).
/// Stores a section in the form of an HTTP/1.1 head.
class response_fields {
public:
    /// Begins a block. `to` receives the fields, and must outlive the block.
    /// Null: trailers are checked and counted, but not stored.
    void begin(section, received* to, const codec::http1::head_limits&) noexcept;
    void add(const codec::hpack::field&);
    void refuse_size() noexcept { fail("the fields have too many bytes"); }

    /// Call after the last field.
    /// Returns the reason if the block is malformed or over a limit; otherwise null.
    const char* finish() noexcept;

    bool wants_more() const noexcept { return !why_; }  ///< False after an error: further fields are ignored.
    int status() const noexcept { return status_; }
    bool has_length() const noexcept { return has_length_; }  ///< There is a Content-Length.
    std::uint64_t length() const noexcept { return length_; }

private:
    void fail(const char* why) noexcept {
        if (!why_) why_ = why;
    }
    void add_pseudo(const codec::hpack::field&) noexcept;
    void note_length(std::string_view) noexcept;

    received* to_ = nullptr;
    section section_ = section::head;
    codec::http1::head_limits limits_{};
    std::size_t bytes_ = 0;
    std::uint64_t length_ = 0;
    std::uint32_t count_ = 0;
    int status_ = 0;
    bool has_length_ = false;
    const char* why_ = nullptr;
};

}  // namespace apus::outbound::h2
