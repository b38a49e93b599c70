// SPDX-License-Identifier: Apache-2.0
#include "base/keyed_hash.hpp"
#include "base/sized_text.hpp"
#include "middleware/cache_entry.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

using namespace apus::middleware;

namespace {

void read(std::string_view bytes) {
    const auto entry = read_cache_entry(bytes);
    if (!entry) return;
    if (const auto* kept = std::get_if<stored_response>(&entry->content)) {
        apus::response out;
        kept->put_into(out);
        apus::fuzz::must(entry_bytes(entry->key, *kept) == bytes, "a parsed response has one form");
    } else {
        apus::fuzz::must(entry_bytes(entry->key, std::get<varying_fields>(entry->content)) == bytes,
                         "parsed names have one form");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view bytes(in.data(), size);
    read(bytes);
    // Few inputs have a valid checksum.
    std::string sealed = "apus-rc1";
    apus::base::put_number(sealed, apus::base::keyed_hash(bytes, {}), 8);
    read(sealed.append(bytes));
    return 0;
}
