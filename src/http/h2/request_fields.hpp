// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/hpack/decoder.hpp"
#include "codec/http1/request_head.hpp"
#include "codec/parsed.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace apus::http::h2 {

/// Pseudo-header fields of a request (RFC 9113, 8.3.1; RFC 8441, 4).
enum class pseudo : std::uint8_t {
    method,
    scheme,
    authority,
    path,
    protocol
};

/// The last valid :authority.
/// Requests of a connection usually have the same value, which is then checked only once.
struct known_authority {
    std::uint32_t entry = 0;  ///< Its entry in the decoder's dynamic table; 0: none.
};

/// Stores the fields of a request in contiguous memory.
/// The slices of a `request_head` refer to this memory, as in HTTP/1.1. Huffman strings are decoded in place. Checks
/// that the fields are valid in HTTP/2 (RFC 9113, 8.2 and 8.3). Fields over the limits are not stored.
class request_fields {
public:
    void begin() noexcept;
    /// Releases memory that few requests need. Invalidates all slices.
    void release_large() noexcept;

    /// Returns the memory into which the decoder writes the strings of the next field.
    std::span<char> room() noexcept { return {text_.get() + used_, capacity_ - used_}; }
    /// Enlarges the room to `need` bytes. Returns false if that exceeds the maximum.
    bool make_room(std::size_t need);

    void add(const codec::hpack::field&, const codec::http1::head_limits&, codec::http1::request_head&);
    /// Rejects the request because its fields have too many bytes.
    void refuse_size() noexcept;

    /// Returns false if the request is malformed or over a limit, so that further fields are
    /// irrelevant.
    bool wants_more() const noexcept { return !why_ && !malformed_; }

    /// Call after the last field.
    /// Sets `out` except `body` and returns null, or returns the reason for rejecting the request.
    const codec::refusal* finish(codec::http1::request_head& out, known_authority&);
    /// Returns true, after `finish`, if the stream must be reset (RFC 9113, 8.1.1).
    bool malformed() const noexcept { return malformed_; }

    const char* bytes() const noexcept { return text_.get(); }
    bool extended_connect() const noexcept { return has(pseudo::protocol); }
    codec::http1::slice protocol() const noexcept { return of_[static_cast<unsigned>(pseudo::protocol)]; }
    bool length_given() const noexcept { return length_given_; }
    /// Returns the value of the field Priority, or an empty view.
    std::string_view priority() const noexcept { return priority_.in(text_.get()); }

    /// Returns the bytes of all received fields, including fields that are not stored.
    std::size_t seen() const noexcept { return seen_; }
    std::size_t memory() const noexcept { return capacity_ + cookies_.capacity(); }

private:
    using field = codec::hpack::field;
    using request_head = codec::http1::request_head;

    bool has(pseudo p) const noexcept { return given_ >> static_cast<unsigned>(p) & 1; }
    std::string_view text_of(pseudo p) const noexcept { return of_[static_cast<unsigned>(p)].in(text_.get()); }
    void add_pseudo(pseudo, const field&, const codec::http1::head_limits&);
    bool note(const field&, std::uint16_t at) noexcept;
    codec::http1::slice append(std::string_view);
    codec::http1::slice append_value(const field&);
    void add_cookie(const field&, codec::http1::field& line);
    bool is_well_formed() const noexcept;
    const codec::refusal* note_fields(request_head&);
    const codec::refusal* check_authority(request_head&, known_authority&);

    static constexpr std::uint16_t none = 0xffff;

    std::unique_ptr<char[]> text_;
    std::size_t used_ = 0, capacity_ = 0;
    std::string cookies_;  // value of the joined cookie field
    codec::http1::slice of_[5];
    codec::http1::slice priority_;
    std::size_t seen_ = 0;
    std::size_t line_ = 0;  // bytes of pseudo-header fields, limited like the request line
    std::uint32_t authority_entry_ = 0;
    std::uint16_t count_ = 0;
    std::uint16_t lines_ = 0;         // received fields, including each cookie
    std::uint16_t cookie_at_ = none;  // position of the joined cookies
    std::uint16_t host_at_ = none;
    std::uint16_t length_at_ = none;
    std::uint8_t given_ = 0;
    std::uint8_t method_ = 0, scheme_ = 0;  // entries in HPACK's static table
    bool length_given_ = false;
    bool expects_ = false;  // the request has Expect
    bool has_trace_parent_ = false;
    bool malformed_ = false;
    const codec::refusal* why_ = nullptr;
};

}  // namespace apus::http::h2
