// SPDX-License-Identifier: Apache-2.0
#include "codec/trace_context/baggage.hpp"
#include "codec/trace_context/parent.hpp"
#include "codec/trace_context/state.hpp"

#include "property.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace apus::codec::trace_context;
using apus::fuzz::must;

namespace {

// Checks that the printed form of an accepted list is accepted again, and is printed in the same way.
template <class List>
void check_list(std::string_view text) {
    List found;
    if (!found.add(text)) return;
    must(found.members().size() <= List::max_members, "the number of members is limited");
    std::string printed, again;
    found.append(printed);
    must(printed.size() <= List::max_size, "the size is limited");
    List second;
    must(second.add(printed), "printed lists are valid");
    second.append(again);
    must(printed == again, "printed lists do not change");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view text(in.data(), in.size());
    check_list<state>(text);
    check_list<baggage>(text);
    const auto found = read_parent(text);
    if (!found) return 0;
    std::string printed(parent_size, '?');
    write_parent(*found, printed.data());
    must(read_parent(printed) == found, "a printed parent is the same");
    must(size == parent_size || text[0] != '0' || text[1] != '0', "version 00 has one size");
    return 0;
}
