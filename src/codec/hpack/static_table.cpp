// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/static_table.hpp"

namespace apus::codec::hpack {

std::uint32_t find_static_entry(fields::field_id id, std::string_view value) noexcept {
    for (std::uint32_t index = static_index_of(id); index != 0 && index <= static_entries; ++index) {
        const static_entry& e = static_entry_at(index);
        if (e.id != id) break;
        if (e.value == value) return index;
    }
    return 0;
}

}  // namespace apus::codec::hpack
