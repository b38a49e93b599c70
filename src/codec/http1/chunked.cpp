// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/chunked.hpp"

#include "base/ascii.hpp"
#include "codec/http1/chunk_extension.hpp"
#include "codec/http1/cursor.hpp"

#include <cstddef>
#include <limits>

namespace apus::codec::http1 {
namespace {

constexpr std::size_t max_leading_zeros = 16;
constexpr std::uint64_t max_size = std::numeric_limits<std::int64_t>::max();

/// Reads the digits; `size` may be any number of theirs when they are cut short.
step read_digits(cursor& in, std::uint64_t& size) noexcept {
    const char* first = in.at;
    const char* at = first;
    while (at != in.end && *at == '0') {
        if (static_cast<std::size_t>(++at - first) > max_leading_zeros) return &refusals::chunk_size_zeros;
    }
    size = 0;
    for (int digit; at != in.end && (digit = base::hex_value(*at)) >= 0; ++at) {
        if (size > max_size >> 4) return &refusals::chunk_too_large;
        size = size << 4 | static_cast<unsigned>(digit);
    }
    if (at == in.end) return cut_short;
    if (at == first) return *at == '\n' ? &refusals::bare_lf : &refusals::chunk_size_missing;
    in.at = at;
    return whole;
}

template <class T>
parsed<T> outcome_of(step read, T value, const cursor& in) noexcept {
    if (read == whole) return {outcome::done, value, static_cast<std::size_t>(in.at - in.begin), nullptr};
    if (read == cut_short) return {outcome::partial, T{}, 0, nullptr};
    return {outcome::bad, T{}, 0, read};
}

}  // namespace

parsed<std::uint64_t> read_chunk_size(std::string_view in) noexcept {
    cursor at{in.data(), in.data(), in.data() + in.size()};
    std::uint64_t size = 0;
    step read = read_digits(at, size);
    if (read == whole && *at.at != '\r') read = skip_chunk_extensions(at);
    if (read == whole) read = end_of_line(at.at, at.end);
    if (read == whole) at.at += 2;
    return outcome_of(read, size, at);
}

parsed<bool> read_chunk_end(std::string_view in) noexcept {
    constexpr std::string_view end = "\r\n";
    for (std::size_t i = 0; i < end.size(); ++i) {
        if (i == in.size()) return {outcome::partial, false, 0, nullptr};
        if (in[i] != end[i]) return {outcome::bad, false, 0, &refusals::chunk_end};
    }
    return {outcome::done, true, end.size(), nullptr};
}

}  // namespace apus::codec::http1
