// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/byte_range.hpp"

#include "property.hpp"

#include <array>
#include <cstring>
#include <vector>

// The input is the size of the representation, followed by the field value.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apus::codec::fields;
    using apus::fuzz::must;
    std::uint64_t whole = 0;
    if (size < sizeof whole) return 0;
    std::memcpy(&whole, data, sizeof whole);
    const std::vector<char> in(data + sizeof whole, data + size);

    std::array<byte_range, 16> parts{};
    const ranges_asked asked = read_ranges({in.data(), in.size()}, whole, parts);
    must(asked.kind == ranges_asked::what::parts ? asked.count > 0 && asked.count <= parts.size() : asked.count == 0,
         "only the result `parts` has ranges");
    for (std::size_t i = 0; i < asked.count; ++i) {
        must(parts[i].first <= parts[i].last && parts[i].last < whole, "ranges are within the representation");
        for (std::size_t k = 0; k < i; ++k)
            must(parts[i].first > parts[k].last || parts[k].first > parts[i].last, "ranges do not overlap");
    }
    return 0;
}
