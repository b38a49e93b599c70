// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/request_head.hpp"
#include "codec/parsed.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace apus::http::h2 {

/// Which of a request's pseudo-header fields one is (RFC 9113, 8.3.1; RFC 8441, 4).
enum class pseudo : std::uint8_t {
    method,
    scheme,
    authority,
    path,
    protocol
};

/// Lays the fields of a request out in one piece of memory, for the slices of a `request_head` to
/// point into, as those of a request in HTTP/1.1 do. That the fields may stand in HTTP/2 at all, and
/// are complete, has been checked before they come here. Bounded: what is too much is not kept.
class request_fields {
public:
    void begin() noexcept;
    void add(pseudo, std::string_view value, const codec::http1::head_limits&);
    void add(std::string_view name, std::string_view value, const codec::http1::head_limits&,
             codec::http1::request_head&);

    /// The fields are all there. Fills in `out` but for `body`, and gives null; or why it is refused.
    const codec::refusal* finish(codec::http1::request_head& out);

    const char* bytes() const noexcept { return text_.data(); }
    bool extended_connect() const noexcept { return has(pseudo::protocol); }
    codec::http1::slice protocol() const noexcept { return of_[static_cast<unsigned>(pseudo::protocol)]; }
    bool length_given() const noexcept { return length_given_; }

    /// Bytes of all fields that came, those that were not kept included.
    std::size_t seen() const noexcept { return seen_; }
    std::size_t memory() const noexcept { return text_.capacity(); }

private:
    bool has(pseudo p) const noexcept { return given_ >> static_cast<unsigned>(p) & 1; }
    codec::http1::slice append(std::string_view);
    void add_cookie(std::string_view name, std::string_view value, codec::http1::field& line);
    const codec::refusal* note_authority(codec::http1::request_head&);

    static constexpr std::uint16_t none = 0xffff;

    std::string text_;
    std::string cookies_;  // those that came so far, as one field
    codec::http1::slice of_[5];
    std::size_t seen_ = 0;
    std::size_t line_ = 0;  // bytes of pseudo-fields: they stand for the request line
    std::uint16_t count_ = 0;
    std::uint16_t lines_ = 0;         // fields that came, each cookie included
    std::uint16_t cookie_at_ = none;  // the field of `cookies_`
    std::uint8_t given_ = 0;
    bool length_given_ = false;
    const codec::refusal* why_ = nullptr;
};

}  // namespace apus::http::h2
