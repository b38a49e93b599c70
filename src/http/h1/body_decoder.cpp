// SPDX-License-Identifier: Apache-2.0
#include "http/h1/body_decoder.hpp"

#include "base/ascii.hpp"
#include "codec/http1/refusals.hpp"

#include <algorithm>
#include <limits>

namespace apus::http::h1 {

using codec::outcome;

namespace {

// Returns the number of bytes between the digits of a chunk size and CRLF.
std::size_t extensions_of(std::string_view line) noexcept {
    const auto digits = std::find_if(line.begin(), line.end(), [](char c) { return base::hex_value(c) < 0; });
    return static_cast<std::size_t>(line.end() - digits) - 2;
}

}  // namespace

body_decoder::body_decoder(codec::http1::framing how, std::uint64_t length) noexcept {
    if (how == codec::http1::framing::chunked) {
        at_ = place::size_line;
    } else if (how == codec::http1::framing::sized && length) {
        at_ = place::data;
        left_ = length;
    }
}

body_decoder body_decoder::endless() noexcept {
    body_decoder d;
    d.at_ = place::data;
    d.endless_ = true;
    d.left_ = std::numeric_limits<std::uint64_t>::max();
    return d;
}

body_decoder::step body_decoder::next(std::string_view in, const codec::http1::head_limits& limits,
                                      codec::http1::trailer_section& trailers) noexcept {
    std::size_t used = 0;
    while (at_ != place::end) {
        std::string_view rest = in.substr(used);
        if (at_ == place::data || at_ == place::chunk_data) {
            if (rest.empty()) return {outcome::partial, {}, {}, used};
            auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, rest.size()));
            left_ -= n;
            if (!left_) at_ = at_ == place::data ? place::end : place::chunk_end;
            return {outcome::done, rest.substr(0, n), {}, used + n};
        }
        if (at_ == place::trailers) {
            auto section = codec::http1::read_trailers(rest, limits, trailers);
            if (section.state != outcome::done) return {section.state, {}, {}, used, section.why};
            at_ = place::end;
            return {outcome::done, {}, rest.substr(0, section.used), used + section.used};
        }
        auto line =
            at_ == place::size_line ? codec::http1::read_chunk_size(rest) : codec::parsed<std::uint64_t>{outcome::done};
        if (at_ == place::chunk_end) {
            auto end = codec::http1::read_chunk_end(rest);
            line = {end.state, 0, end.used, end.why};
        }
        if (line.state != outcome::done) return {line.state, {}, {}, used, line.why};
        if (at_ == place::size_line) {
            // Limits the total size of a body's chunk extensions, like the size of a field section: the server ignores
            // extensions, but parsing them takes CPU time.
            extensions_ += static_cast<std::uint32_t>(extensions_of(rest.substr(0, line.used)));
            if (extensions_ > limits.field_bytes)
                return {outcome::bad, {}, {}, used, &codec::http1::refusals::chunk_extensions_too_long};
        }
        used += line.used;
        left_ = line.value;
        at_ = at_ == place::chunk_end ? place::size_line : left_ ? place::chunk_data : place::trailers;
    }
    return {outcome::done, {}, {}, used};
}

}  // namespace apus::http::h1
