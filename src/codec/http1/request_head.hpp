// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <apus/http.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace apus::codec::http1 {

/// A range of bytes of a head, relative to the head's first byte, so that the head can be moved in
/// memory.
struct slice {
    std::uint16_t at;  // not initialized, so that the field array of a head need not be cleared
    std::uint16_t size;

    std::string_view in(const char* head) const noexcept { return {head + at, size}; }
};

struct field {
    slice name;
    slice value;
};

enum class target_form : std::uint8_t {
    origin,
    absolute,
    authority,
    asterisk
};
enum class framing : std::uint8_t {
    none,
    sized,
    chunked,
    until_close  ///< Responses only: the body ends with the connection.
};

/// Limits of a head; see apus::limits for their meaning and defaults.
struct head_limits {
    std::uint32_t request_line;
    std::uint32_t fields;
    std::uint32_t field_bytes;
};

constexpr std::size_t max_fields = 128;  // maximum of head_limits::fields

/// Storage for the fields of a head: `max_fields`, eight times the usual number.
/// `keep` frees the unused part, for heads that are kept for long.
class field_room {
public:
    field_room() : at_(std::make_unique_for_overwrite<field[]>(max_fields)) {}

    field* data() noexcept { return at_.get(); }
    field& operator[](std::size_t i) noexcept { return at_[i]; }
    const field& operator[](std::size_t i) const noexcept { return at_[i]; }

    /// Keeps only the first `count` fields. Afterwards, do not read a head into this object.
    void keep(std::size_t count) {
        auto kept = std::make_unique_for_overwrite<field[]>(count);
        std::copy_n(at_.get(), count, kept.get());
        at_ = std::move(kept);
        whole_ = false;
    }
    bool is_whole() const noexcept { return whole_; }

private:
    std::unique_ptr<field[]> at_;
    bool whole_ = true;
};

/// A parsed request head (RFC 9112, 2 to 6), without its fields.
/// Slices count from the first byte passed to `read_request_head`, including empty lines before the request line.
struct head_facts {
    method verb;
    target_form form;
    framing body;
    std::uint8_t minor;     ///< Minor version: 0 for HTTP/1.0, 1 for HTTP/1.1 and later 1.x.
    bool keep_alive;        ///< According to Connection and the version (RFC 9112, 9.3).
    bool expects_continue;  ///< Expect: 100-continue; only in HTTP/1.1.
    bool has_trace_parent;  ///< A field is named `traceparent`.
    bool wants_upgrade;     ///< HTTP/1.1 with an Upgrade field and the Connection option `upgrade`.
    bool path_has_percent;  ///< The path contains a percent sign, so decoding changes it.
    bool https;             ///< Absolute-form only: the scheme is https, not http.
    slice verb_text;
    slice target;
    slice path;                    ///< "/" for absolute-form without a path; "*" for asterisk-form.
    slice query;                   ///< Without the '?'.
    slice host;                    ///< Host and port from an absolute-form target, otherwise from Host.
    std::uint64_t content_length;  ///< Only for `framing::sized`.
    std::uint16_t field_count;
};

/// A parsed request head with its fields.
struct request_head : head_facts {
    field_room fields;  ///< In the order received. Only the first `field_count` are set.
};

/// Reads a request head, from the request line to the empty line (RFC 9112, 2.1).
/// Strict: refusals.hpp lists all reasons for rejecting a head. Does not read outside `in`.
///
/// `out` is complete only if the outcome is `done`. The outcome `partial` means that `in` may be the beginning of a
/// valid head within `limits`. The path of an absolute-form target without a path is "/"; its slice then refers to a
/// '/' within the target.
parsed<const request_head*> read_request_head(std::string_view in, const head_limits& limits,
                                              request_head& out) noexcept;

}  // namespace apus::codec::http1
