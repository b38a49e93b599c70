// SPDX-License-Identifier: Apache-2.0
#include "outbound/received.hpp"

#include "base/ascii.hpp"

namespace apus::outbound {

std::string_view received::field(std::string_view name) const noexcept {
    for (unsigned i = 0; i < head.field_count; ++i)
        if (base::equal_ignoring_case(text(head.fields[i].name), name)) return text(head.fields[i].value);
    return {};
}

unsigned received::count(std::string_view name) const noexcept {
    unsigned found = 0;
    for (unsigned i = 0; i < head.field_count; ++i) found += base::equal_ignoring_case(text(head.fields[i].name), name);
    return found;
}

void received::remove(std::string_view name) noexcept {
    std::uint16_t kept = 0;
    for (unsigned i = 0; i < head.field_count; ++i)
        if (!base::equal_ignoring_case(text(head.fields[i].name), name)) head.fields[kept++] = head.fields[i];
    head.field_count = kept;
}

}  // namespace apus::outbound
