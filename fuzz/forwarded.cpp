// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/forwarded.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

using namespace apus::codec;
using apus::fuzz::must;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto one = fields::read_forwarded(rest);
        if (one.state != outcome::done) {
            must(one.state == outcome::bad && one.why == &fields::bad_forwarded,
                 "a rejected field has the reason `bad_forwarded`");
            break;
        }
        must(one.used > 0 && one.used <= rest.size(), "each element consumes bytes of the list");
        for (const auto value : {one.value.from, one.value.host, one.value.proto})
            must(!value.contains('"') && !value.contains('\\'), "values are returned without quotes");
        rest.remove_prefix(one.used);
    }
    const std::string_view address = fields::address_in_node(text);
    must(address.size() <= size || address == "unix", "an address is not longer than the field");
    must(!address.contains('[') || text.find('[') != text.npos, "an address contains a bracket only if the field does");
    return 0;
}
