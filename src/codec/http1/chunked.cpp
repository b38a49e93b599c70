// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/chunked.hpp"

#include "base/ascii.hpp"
#include "codec/http1/chunk_extension.hpp"
#include "codec/http1/input.hpp"

#include <cstddef>
#include <limits>

namespace apus::codec::http1 {
namespace {

constexpr std::size_t max_leading_zeros = 16;
constexpr std::uint64_t max_size = std::numeric_limits<std::int64_t>::max();

const char* read_digits(input& in, const char* first, std::uint64_t& size) noexcept {
    const char* at = first;
    while (at != in.end && *at == '0') {
        if (static_cast<std::size_t>(++at - first) > max_leading_zeros) return in.refuse(refusals::chunk_size_zeros);
    }
    size = 0;
    for (int digit; at != in.end && (digit = base::hex_value(*at)) >= 0; ++at) {
        if (size > max_size >> 4) return in.refuse(refusals::chunk_too_large);
        size = size << 4 | static_cast<unsigned>(digit);
    }
    if (at == in.end) return in.cut_short();
    if (at == first) return in.refuse(*at == '\n' ? refusals::bare_lf : refusals::chunk_size_missing);
    return at;
}

}  // namespace

parsed<std::uint64_t> read_chunk_size(std::string_view bytes) noexcept {
    input in{{bytes.data(), bytes.data() + bytes.size()}, nullptr, nullptr};
    std::uint64_t size = 0;
    const char* at = read_digits(in, in.begin, size);
    if (at != nullptr && *at != '\r') at = skip_chunk_extensions(in, at);
    if (at != nullptr) at = in.line_end(at);
    return outcome_of(in, at, size);
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
