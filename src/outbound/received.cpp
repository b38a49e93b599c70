// SPDX-License-Identifier: Apache-2.0
#include "outbound/received.hpp"

#include "base/ascii.hpp"

namespace apus::outbound {

std::string_view received::field(std::string_view name) const noexcept {
    for (unsigned i = 0; i < head.field_count; ++i)
        if (base::equal_ignoring_case(text(head.fields[i].name), name)) return text(head.fields[i].value);
    return {};
}

}  // namespace apus::outbound
