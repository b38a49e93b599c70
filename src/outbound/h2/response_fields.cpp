// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/response_fields.hpp"

#include "base/ascii.hpp"
#include "codec/http1/input.hpp"

#include <algorithm>
#include <charconv>

namespace apus::outbound::h2 {

using codec::fields::field_id;

void response_fields::begin(section of, received* to, const codec::http1::head_limits& limits) noexcept {
    *this = {};
    section_ = of;
    to_ = to;
    limits_ = limits;
    limits_.field_bytes = std::min(limits_.field_bytes, codec::http1::max_section_bytes);  // slices have 16 bits
    if (!to) return;
    to->bytes.clear();
    to->head.field_count = 0;
    to->head.reason = {0, 0};
}

void response_fields::add_pseudo(const codec::hpack::field& f) noexcept {
    if (f.id != field_id::status || section_ == section::trailers) return fail("unexpected pseudo-header field");
    if (status_ || count_) return fail(status_ ? "duplicate :status" : ":status follows another field");
    const bool digits = f.value.size() == 3 && std::ranges::all_of(f.value, base::is_digit);
    if (digits) std::from_chars(f.value.data(), f.value.data() + 3, status_);
    // HTTP/2 does not support 101 (RFC 9113, 8.6).
    if (status_ < 100 || status_ > 599 || status_ == 101) fail("invalid :status: expected a code from 100 to 599");
}

void response_fields::note_length(std::string_view text) noexcept {
    if (has_length_) return fail("duplicate Content-Length header");
    has_length_ = true;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), length_);
    if (text.empty() || !base::is_digit(text[0]) || wrong != std::errc() || end != text.data() + text.size())
        fail("invalid Content-Length header");
}

void response_fields::add(const codec::hpack::field& f) {
    if (why_) return;
    if (f.malformed) return fail("malformed field name or value");
    if (codec::fields::is_pseudo(f.id)) return add_pseudo(f);
    switch (f.id) {
        case field_id::connection:
        case field_id::keep_alive:
        case field_id::proxy_connection:
        case field_id::te:
        case field_id::transfer_encoding:
        case field_id::upgrade: return fail("connection-specific field of HTTP/1.1");
        default: break;
    }
    constexpr std::size_t around = 4;  // counts ": " and CRLF too, so that the limit is the same as in HTTP/1.1
    bytes_ += f.name.size() + f.value.size() + around;
    if (bytes_ > limits_.field_bytes) return refuse_size();
    if (count_ >= limits_.fields || count_ >= codec::http1::max_fields) return fail("there are too many fields");
    ++count_;
    if (!to_) return;
    if (section_ == section::head && f.id == field_id::content_length) note_length(f.value);
    auto& line = to_->head.fields[to_->head.field_count++];
    const auto keep = [this](std::string_view part) {
        const auto at = static_cast<std::uint16_t>(to_->bytes.size());
        to_->bytes += part;
        return codec::http1::slice{at, static_cast<std::uint16_t>(part.size())};
    };
    line.name = keep(f.name);
    line.value = keep(f.value);
}

const char* response_fields::finish() noexcept {
    if (section_ == section::trailers) return why_;
    if (!status_) fail("missing :status");
    if (why_) return why_;
    to_->head.status = static_cast<std::uint16_t>(status_);
    to_->head.minor = 1;
    to_->head.keep_alive = true;
    to_->head.content_length = length_;
    return nullptr;
}

}  // namespace apus::outbound::h2
