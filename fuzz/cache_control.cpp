// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/cache_control.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view value(in.data(), size);
    const auto read = apus::codec::fields::read_cache_control(value);
    apus::fuzz::must(!read.max_age || *read.max_age <= std::uint32_t{1} << 31, "max-age is at most 2^31 seconds");
    const std::string stricter = "no-store," + std::string(value);
    apus::fuzz::must(apus::codec::fields::read_cache_control(stricter).no_store,
                     "the first directive applies, regardless of later ones");
    return 0;
}
