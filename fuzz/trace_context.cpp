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

// Checks that an accepted list, printed and parsed again, is printed as the same text.
template <class List>
void check_list(std::string_view text) {
    List found;
    if (!found.add(text)) return;
    must(found.members().size() <= List::max_members, "the number of members is limited");
    std::string printed, again;
    found.append(printed);
    must(printed.size() <= List::max_size, "the size is limited");
    List second;
    must(second.add(printed), "a printed list is accepted");
    second.append(again);
    must(printed == again, "a list, printed and parsed again, is the same");
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
    must(read_parent(printed) == found, "a parent, printed and parsed again, is the same");
    must(size == parent_size || text[0] != '0' || text[1] != '0', "a parent of version 00 has the size `parent_size`");
    return 0;
}
