// SPDX-License-Identifier: Apache-2.0
#include "http/h2/request_fields.hpp"

#include "base/ascii.hpp"
#include "codec/http1/field_rules.hpp"
#include "codec/http1/host.hpp"
#include "codec/http1/input.hpp"
#include "codec/http1/known_fields.hpp"
#include "codec/http1/refusals.hpp"
#include "codec/http1/request_line.hpp"
#include "codec/http1/target.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace apus::http::h2 {
namespace {

namespace refusals = codec::http1::refusals;
using codec::refusal;
using codec::fields::field_id;
using codec::http1::head_limits;
using codec::http1::request_head;
using codec::http1::slice;

constexpr refusal scheme_unknown{400, "the scheme of the request is neither http nor https"};
constexpr refusal authority_malformed{400, "invalid :authority: expected a host and an optional port"};
constexpr refusal authority_differs{400, "Host differs from :authority"};

// Name of the field Host, which is appended to requests with :authority only.
constexpr std::string_view host_name = "host";

constexpr std::size_t usual_room = 1024;
constexpr std::size_t max_kept = 4 * usual_room;

// Entries of HPACK's static table (RFC 7541, appendix A).
enum : std::uint8_t {
    static_get = 2,
    static_post = 3,
    static_http = 6,
    static_https = 7,
};

}  // namespace

void request_fields::begin() noexcept {
    cookies_.clear();
    used_ = seen_ = line_ = 0;
    count_ = lines_ = given_ = 0;
    cookie_at_ = host_at_ = length_at_ = none;
    priority_ = {0, 0};
    authority_entry_ = 0;
    method_ = scheme_ = 0;
    length_given_ = expects_ = has_trace_parent_ = malformed_ = false;
    why_ = nullptr;
}

void request_fields::release_large() noexcept {
    if (capacity_ > max_kept) text_.reset(), used_ = capacity_ = 0;
    if (cookies_.capacity() > max_kept) std::string().swap(cookies_);
}

bool request_fields::make_room(std::size_t need) {
    constexpr std::size_t most = 256 * 1024;  // more than any header block within the limits
    if (need > most - used_) return false;
    if (capacity_ - used_ >= need) return true;
    const std::size_t wanted = std::max({usual_room, capacity_ * 2, used_ + need});
    auto grown = std::make_unique_for_overwrite<char[]>(wanted);
    if (used_) std::memcpy(grown.get(), text_.get(), used_);
    text_ = std::move(grown);
    capacity_ = wanted;
    return true;
}

void request_fields::refuse_size() noexcept { why_ = &refusals::fields_too_long; }

// Offsets and sizes of slices have 16 bits. Fields within the limits fit, unless the limits of the request line and of
// the fields are both at their maximum.
slice request_fields::append(std::string_view part) {
    constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
    if (part.size() > most - used_) {
        why_ = &refusals::fields_too_long;
        return {0, 0};
    }
    make_room(part.size());
    const auto at = static_cast<std::uint16_t>(used_);
    std::memmove(text_.get() + used_, part.data(), part.size());
    used_ += part.size();
    return {at, static_cast<std::uint16_t>(part.size())};
}

void request_fields::add(const field& f, const head_limits& bounds, request_head& out) {
    if (f.malformed) malformed_ = true;
    if (malformed_) return;
    switch (f.id) {
        case field_id::method: method_ = f.static_index; return add_pseudo(pseudo::method, f, bounds);
        case field_id::scheme: scheme_ = f.static_index; return add_pseudo(pseudo::scheme, f, bounds);
        case field_id::path: return add_pseudo(pseudo::path, f, bounds);
        case field_id::authority: authority_entry_ = f.entry; return add_pseudo(pseudo::authority, f, bounds);
        case field_id::protocol: return add_pseudo(pseudo::protocol, f, bounds);
        case field_id::status: malformed_ = true; return;
        default: break;
    }
    constexpr std::size_t around = 4;  // ": " and CRLF in HTTP/1.1, so that the limit is the same in both versions
    seen_ += f.name.size() + f.value.size() + around;
    if (seen_ - line_ > bounds.field_bytes) why_ = &refusals::fields_too_long;
    // One more field, because Host may be appended.
    else if (lines_ + 1U >= codec::http1::max_fields || lines_ >= bounds.fields) why_ = &refusals::too_many_fields;
    if (why_) return;
    ++lines_;
    if (!note(f, count_)) return void(malformed_ = true);
    if (f.id == field_id::cookie) return add_cookie(f, out.fields[count_]);
    auto& line = out.fields[count_++];
    // The decoder writes a decoded string at the position where `append` writes. If the decoder has written the name,
    // the name is at this position and must be appended first. If the decoder has written only the value, the value is
    // at this position and must be appended first.
    if (f.name_in_room || !f.value_in_room) {
        line.name = append(f.name);
        line.value = append(f.value);
    } else {
        line.value = append(f.value);
        line.name = append(f.name);
    }
    if (f.id == field_id::priority) priority_ = line.value;
}

void request_fields::add_pseudo(pseudo which, const field& f, const head_limits& bounds) {
    // RFC 9113, 8.3: a pseudo-header field must occur once, must not be empty, and must precede all other fields.
    if (lines_ != 0 || has(which) || f.value.empty()) return void(malformed_ = true);
    seen_ += f.value.size();
    line_ += f.value.size();
    if (line_ > bounds.request_line) why_ = &refusals::request_line_too_long;
    if (why_) return;
    given_ = static_cast<std::uint8_t>(given_ | 1U << static_cast<unsigned>(which));
    of_[static_cast<unsigned>(which)] = append(f.value);
    append(" ");  // the parser of targets expects a space after the target
}

// Returns false if the field makes the request malformed: a connection-specific field (RFC 9113, 8.2.2), or an invalid
// or repeated Host or Content-Length.
bool request_fields::note(const field& f, std::uint16_t at) noexcept {
    switch (f.id) {
        case field_id::connection:
        case field_id::keep_alive:
        case field_id::proxy_connection:
        case field_id::transfer_encoding:
        case field_id::upgrade: return false;
        case field_id::te: return base::same_word(f.value, "trailers");
        case field_id::host:
            if (host_at_ != none || f.value.empty()) return false;
            host_at_ = at;
            return true;
        case field_id::content_length:
            if (length_at_ != none || f.value.empty()) return false;
            length_at_ = at;
            return std::ranges::all_of(f.value, base::is_digit);
        case field_id::expect: expects_ = true; return true;
        case field_id::unknown: has_trace_parent_ |= f.name == "traceparent"; return true;
        default: return true;
    }
}

// Joins cookie fields to one field (RFC 9113, 8.2.3), because HTTP/2 clients may send cookies in separate fields.
// `finish` appends the value after all fields.
void request_fields::add_cookie(const field& f, codec::http1::field& line) {
    if (cookie_at_ == none) {
        cookies_ = f.value;
        line.name = append(f.name);
        line.value = {0, 0};
        cookie_at_ = count_++;
    } else {
        cookies_ += "; ";
        cookies_ += f.value;
    }
}

// Checks which pseudo-header fields the request has (RFC 9113, 8.3.1 and 8.5; RFC 8441, 4).
bool request_fields::is_well_formed() const noexcept {
    constexpr auto bit = [](pseudo p) { return 1U << static_cast<unsigned>(p); };
    constexpr unsigned usual = bit(pseudo::method) | bit(pseudo::scheme) | bit(pseudo::path);
    if (!has(pseudo::method)) return false;
    const bool is_connect = !method_ && text_of(pseudo::method) == "CONNECT";
    if (is_connect && !has(pseudo::protocol)) return given_ == (bit(pseudo::method) | bit(pseudo::authority));
    if ((given_ & usual) != usual) return false;
    if (has(pseudo::protocol)) return is_connect && has(pseudo::authority);
    if (!has(pseudo::authority) && host_at_ == none) return false;
    if (text_of(pseudo::path).front() == '/') return true;
    return text_of(pseudo::path) == "*" && text_of(pseudo::method) == "OPTIONS";
}

const refusal* request_fields::check_authority(request_head& out, known_authority& known) {
    const slice authority = of_[static_cast<unsigned>(pseudo::authority)];
    const std::string_view text = authority.in(bytes());
    if (!authority_entry_ || authority_entry_ != known.entry) {
        if (codec::http1::shape_of_host(text, {bytes(), bytes() + used_}) == codec::http1::host_shape::malformed)
            return &authority_malformed;
        known.entry = authority_entry_;
    }
    if (host_at_ != none && !base::equal_ignoring_case(out.fields[host_at_].value.in(bytes()), text))
        return &authority_differs;
    out.host = authority;
    if (host_at_ == none) {
        host_at_ = out.field_count++;
        out.fields[host_at_] = {append(host_name), authority};
    }
    return nullptr;
}

// Evaluates the fields that the server itself uses.
const refusal* request_fields::note_fields(request_head& out) {
    const codec::http1::input in{{bytes(), bytes() + used_}, nullptr, nullptr};
    codec::http1::known_fields seen = 0;
    const auto take = [&](std::uint16_t at) { return codec::http1::note_field(in, out.fields[at], seen, out); };
    // :authority is already checked.
    if (host_at_ != none && !has(pseudo::authority))
        if (const refusal* why = take(host_at_)) return why;
    if (length_at_ != none)
        if (const refusal* why = take(length_at_)) return why;
    length_given_ = length_at_ != none;
    for (std::uint16_t i = 0; expects_ && i < out.field_count; ++i)
        if (base::same_word(out.fields[i].name.in(bytes()), "expect"))
            if (const refusal* why = take(i)) return why;
    return nullptr;
}

const refusal* request_fields::finish(request_head& out, known_authority& known) {
    if (malformed_ || why_) return why_;
    if (!is_well_formed()) return malformed_ = true, nullptr;
    out.minor = 1;
    out.form = codec::http1::target_form::origin;  // until the target is parsed
    out.keep_alive = true;
    out.expects_continue = out.wants_upgrade = out.path_has_percent = false;
    out.has_trace_parent = has_trace_parent_;
    out.query = out.path = out.target = out.host = {0, 0};
    out.content_length = 0;
    out.field_count = count_;
    out.verb_text = of_[static_cast<unsigned>(pseudo::method)];
    out.verb = method_ == static_get    ? method::get
               : method_ == static_post ? method::post
                                        : codec::http1::method_of(text_of(pseudo::method));
    if (out.verb == method::other && !codec::http1::is_token(text_of(pseudo::method)))
        return malformed_ = true, nullptr;
    if (scheme_ != static_http && scheme_ != static_https && has(pseudo::scheme)) {
        const std::string_view scheme = text_of(pseudo::scheme);
        if (!base::same_word(scheme, "http") && !base::same_word(scheme, "https")) return &scheme_unknown;
    }
    // A client requests a tunnel by CONNECT in HTTP/2, and by GET in HTTP/1.1. Handlers always see GET.
    if (extended_connect()) {
        out.verb = method::get;
        out.wants_upgrade = true;
    }
    if (cookie_at_ != none) out.fields[cookie_at_].value = append(cookies_);
    if (has(pseudo::authority))
        if (const refusal* why = check_authority(out, known)) return why;
    if (why_) return why_;
    if (const refusal* why = note_fields(out)) return why;

    codec::http1::input in{{bytes(), bytes() + used_}, nullptr, &refusals::target_byte};
    const slice target = of_[static_cast<unsigned>(out.verb == method::connect ? pseudo::authority : pseudo::path)];
    const char* at = bytes() + target.at;
    if (out.verb != method::connect && *at != '/' && *at != '*') return &refusals::target_form;
    if (*at == '*' && out.verb != method::options) return &refusals::asterisk_without_options;
    const char* end = codec::http1::read_target(in, at, out);
    if (!end) return in.why;
    // The parser stops at a space, which ends a target in HTTP/1.1 but is an invalid byte of a target in HTTP/2.
    return end == at + target.size + 1 ? nullptr : &refusals::target_byte;
}

}  // namespace apus::http::h2
