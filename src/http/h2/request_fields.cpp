// SPDX-License-Identifier: Apache-2.0
#include "http/h2/request_fields.hpp"

#include "base/ascii.hpp"
#include "codec/http1/host.hpp"
#include "codec/http1/input.hpp"
#include "codec/http1/known_fields.hpp"
#include "codec/http1/refusals.hpp"
#include "codec/http1/request_line.hpp"
#include "codec/http1/target.hpp"

#include <limits>

namespace apus::http::h2 {
namespace {

namespace refusals = codec::http1::refusals;
using codec::refusal;
using codec::http1::field;
using codec::http1::request_head;
using codec::http1::slice;

constexpr refusal scheme_unknown{400, "the scheme of the request is neither http nor https"};
constexpr refusal authority_malformed{400, ":authority is not a host with an optional port"};
constexpr refusal authority_differs{400, "Host is not what :authority is"};

// What is laid out behind the fields, for each request: the name of Host.
constexpr std::string_view host_name = "host";

}  // namespace

void request_fields::begin() noexcept {
    constexpr std::size_t usual = 1024;
    if (text_.capacity() > 16 * usual) std::string().swap(text_);
    text_.clear();
    text_.reserve(usual);
    if (cookies_.capacity() > 16 * usual) std::string().swap(cookies_);
    cookies_.clear();
    seen_ = line_ = 0;
    count_ = lines_ = given_ = 0;
    cookie_at_ = none;
    length_given_ = false;
    why_ = nullptr;
}

// Slices have 16 bits. What the limits let in fits, but for the greatest of both together.
slice request_fields::append(std::string_view part) {
    constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
    if (part.size() > most - text_.size()) {
        why_ = &refusals::fields_too_long;
        return {0, 0};
    }
    const auto at = static_cast<std::uint16_t>(text_.size());
    text_.append(part);
    return {at, static_cast<std::uint16_t>(part.size())};
}

void request_fields::add(pseudo which, std::string_view value, const codec::http1::head_limits& bounds) {
    seen_ += value.size();
    line_ += value.size();
    if (line_ > bounds.request_line) why_ = &refusals::request_line_too_long;
    if (why_) return;
    given_ = static_cast<std::uint8_t>(given_ | 1U << static_cast<unsigned>(which));
    of_[static_cast<unsigned>(which)] = append(value);
    append(" ");  // what the reader of targets wants behind one
}

void request_fields::add(std::string_view name, std::string_view value, const codec::http1::head_limits& bounds,
                         request_head& out) {
    constexpr std::size_t around = 4;  // a line has ": " and CRLF in HTTP/1.1: the limit means the same in both
    seen_ += name.size() + value.size() + around;
    if (seen_ - line_ > bounds.field_bytes) why_ = &refusals::fields_too_long;
    // Host may be laid out too.
    else if (lines_ + 1U >= codec::http1::max_fields || lines_ >= bounds.fields) why_ = &refusals::too_many_fields;
    if (why_) return;
    ++lines_;
    if (base::same_name(name, "cookie")) return add_cookie(name, value, out.fields[count_]);
    field& line = out.fields[count_++];
    line.name = append(name);
    line.value = append(value);
}

// HTTP/2 lets a client send each cookie in a field of its own; here they are one (RFC 9113, 8.2.3), which
// is laid out when the last has come.
void request_fields::add_cookie(std::string_view name, std::string_view value, field& line) {
    if (cookie_at_ == none) {
        line.name = append(name);
        line.value = {0, 0};
        cookie_at_ = count_++;
    } else {
        cookies_ += "; ";
    }
    cookies_ += value;
}

const refusal* request_fields::note_authority(request_head& out) {
    const slice authority = of_[static_cast<unsigned>(pseudo::authority)];
    const std::string_view text = authority.in(text_.data());
    if (codec::http1::shape_of_host(text, {text_.data(), text_.data() + text_.size()}) ==
        codec::http1::host_shape::malformed)
        return &authority_malformed;
    bool given = false;
    for (std::uint16_t i = 0; i < out.field_count; ++i) {
        if (!base::same_name(out.fields[i].name.in(text_.data()), "host")) continue;
        if (!base::equal_ignoring_case(out.fields[i].value.in(text_.data()), text)) return &authority_differs;
        given = true;
    }
    out.host = authority;
    if (!given) out.fields[out.field_count++] = {append(host_name), authority};
    return nullptr;
}

const refusal* request_fields::finish(request_head& out) {
    if (why_) return why_;
    out.minor = 1;
    out.form = codec::http1::target_form::origin;  // until the target is read
    out.keep_alive = true;
    out.expects_continue = out.wants_upgrade = out.path_has_percent = false;
    out.query = out.path = out.target = out.host = {0, 0};
    out.content_length = 0;
    out.field_count = count_;
    out.verb_text = of_[static_cast<unsigned>(pseudo::method)];
    out.verb = codec::http1::method_of(out.verb_text.in(text_.data()));
    if (has(pseudo::scheme)) {
        const std::string_view scheme = of_[static_cast<unsigned>(pseudo::scheme)].in(text_.data());
        if (!base::same_word(scheme, "http") && !base::same_word(scheme, "https")) return &scheme_unknown;
    }
    // A tunnel is asked for by CONNECT here and by GET in HTTP/1.1: handlers see the latter.
    if (extended_connect()) {
        out.verb = method::get;
        out.wants_upgrade = true;
    }
    if (cookie_at_ != none) out.fields[cookie_at_].value = append(cookies_);
    if (has(pseudo::authority))
        if (const refusal* why = note_authority(out)) return why;
    if (why_) return why_;

    codec::http1::input in{{text_.data(), text_.data() + text_.size()}, nullptr, &refusals::target_byte};
    codec::http1::known_fields seen = 0;
    for (std::uint16_t i = 0; i < out.field_count; ++i)
        if (const refusal* why = codec::http1::note_field(in, out.fields[i], seen, out)) return why;
    length_given_ = (seen & codec::http1::length_given) != 0;

    const slice target = of_[static_cast<unsigned>(out.verb == method::connect ? pseudo::authority : pseudo::path)];
    const char* at = text_.data() + target.at;
    if (out.verb != method::connect && *at != '/' && *at != '*') return &refusals::target_form;
    if (*at == '*' && out.verb != method::options) return &refusals::asterisk_without_options;
    return codec::http1::read_target(in, at, out) ? nullptr : in.why;
}

}  // namespace apus::http::h2
