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

/// A run of bytes of the head, as an offset from its first byte: a head may be moved as a whole.
struct slice {
    std::uint16_t at;  // without a value at first, so that a head's many fields need not be cleared
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
    until_close  ///< Only of a response: its body ends with the connection.
};

/// Bounds of one head; see apus::limits for their meaning and defaults.
struct head_limits {
    std::uint32_t request_line;
    std::uint32_t fields;
    std::uint32_t field_bytes;
};

constexpr std::size_t max_fields = 128;  // the greatest value of head_limits::fields

/// Room for the fields of a head, which is eight times what most heads have: who keeps one for long may
/// give back what is not in use.
class field_room {
public:
    field_room() : at_(std::make_unique_for_overwrite<field[]>(max_fields)) {}

    field* data() noexcept { return at_.get(); }
    field& operator[](std::size_t i) noexcept { return at_[i]; }
    const field& operator[](std::size_t i) const noexcept { return at_[i]; }

    /// From now on there are only the first `count`: no head may be read into it any more.
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

/// What a request's head says (RFC 9112, 2 to 6), but for its fields. All slices count from the head's first byte,
/// which is the first byte given to `read_request_head`, empty lines before the request line included.
struct head_facts {
    method verb;
    target_form form;
    framing body;
    std::uint8_t minor;     ///< HTTP/1.x: 0, or 1 for every minor version from 1 on.
    bool keep_alive;        ///< What Connection and the version say (RFC 9112, 9.3).
    bool expects_continue;  ///< Expect: 100-continue, in HTTP/1.1 only.
    bool wants_upgrade;     ///< Connection names upgrade, there is an Upgrade field, and HTTP/1.1.
    bool path_has_percent;  ///< The path holds a percent sign, so decoding it would change it.
    bool https;             ///< Of an absolute-form target only: its scheme is https, else http.
    slice verb_text;
    slice target;
    slice path;                    ///< "/" for absolute-form without a path; "*" for asterisk-form.
    slice query;                   ///< Without the '?'.
    slice host;                    ///< Of an absolute-form target, else of Host. With the port.
    std::uint64_t content_length;  ///< Only for `framing::sized`.
    std::uint16_t field_count;
};

/// With them.
struct request_head : head_facts {
    field_room fields;  ///< In the order sent. Only the first `field_count` are written.
};

/// Reads one request head, from the request line to the empty line (RFC 9112, 2.1). Strict: see
/// refusals.hpp for everything that is refused. Touches no byte outside `in`.
///
/// `out` is whole only when done. Partial: the bytes so far are the beginning of a head that may
/// be legal and is within `limits`. A path of absolute-form without path is the static "/", so
/// its slice is made to point at a '/' inside the target.
parsed<const request_head*> read_request_head(std::string_view in, const head_limits& limits,
                                              request_head& out) noexcept;

}  // namespace apus::codec::http1
