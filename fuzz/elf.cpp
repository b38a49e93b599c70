// SPDX-License-Identifier: Apache-2.0
#include "profiling/elf/image.hpp"

#include "property.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

using apus::fuzz::must;
using apus::profiling::elf::image;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view file(in.data(), in.size());
    const auto elf = image::parse(file);
    if (!elf) return 0;
    must(elf->build_id().size() <= image::max_build_id, "the size of a build ID is limited");
    must(elf->symbols() * 24 <= size, "all symbols are in the file");
    for (std::size_t i = 0; i < std::min<std::size_t>(elf->symbols(), 64); ++i) {
        const auto f = elf->function_at(i);
        if (!f) continue;
        must(elf->name_of(*f).size() <= image::max_name, "the size of a name is limited");
        must(elf->find(f->address).has_value(), "the first address of a function is found");
    }
    elf->address_of(size / 2);
    elf->find(size);
    return 0;
}
