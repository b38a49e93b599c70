// SPDX-License-Identifier: Apache-2.0
#include "codec/proxy/header.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace apus::codec;
using apus::fuzz::must;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view text(in.data(), in.size());
    const auto whole = proxy::read_header(text);
    must((whole.state == outcome::bad) == (whole.why != nullptr),
         "a reason is set if and only if the header is rejected");
    must(whole.state != outcome::partial || size < proxy::longest_header,
         "a partial header is shorter than the longest header");
    must((whole.state == outcome::done) == (whole.used != 0) && whole.used <= size,
         "only a complete header uses bytes, and only received ones");
    // If a prefix is complete or invalid, parsing the whole input must have the same result.
    for (std::size_t n = 0; n < size && n <= proxy::longest_header; ++n) {
        const std::vector<char> piece(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n));
        const auto part = proxy::read_header({piece.data(), piece.size()});
        if (part.state == outcome::partial) continue;
        must(part.state == whole.state && part.used == whole.used && part.why == whole.why,
             "more bytes do not change the outcome");
        must(part.value.of == whole.value.of && part.value.address == whole.value.address &&
                 part.value.port == whole.value.port,
             "more bytes do not change the address");
        break;
    }
    return 0;
}
