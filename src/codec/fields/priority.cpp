// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/priority.hpp"

#include "codec/fields/list.hpp"

namespace apus::codec::fields {

// Parses the keys `u` and `i` of a dictionary (structured fields, RFC 8941, 3.2).
void read_priority(std::string_view value, priority& out) noexcept {
    while (!value.empty()) {
        std::string_view member = next_of_list(value);
        member = member.substr(0, member.find_first_of("; \t"));
        if (member.size() == 3 && member.starts_with("u=") && member[2] >= '0' && member[2] <= '7')
            out.urgency = static_cast<std::uint8_t>(member[2] - '0');
        else if (member == "i" || member == "i=?1") out.incremental = true;
        else if (member == "i=?0") out.incremental = false;
    }
}

}  // namespace apus::codec::fields
