// SPDX-License-Identifier: Apache-2.0
// Heads that `apus dev` forwards: all bytes before the first empty line.
#include "cli/dev/head.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apus::cli::dev;
    using apus::fuzz::must;
    std::string head(reinterpret_cast<const char*>(data), size);
    head += "\r\n\r\n";
    head.resize(head.find("\r\n\r\n") + 4);
    must(target_of(head).size() <= head.size(), "the target is not longer than the head");
    for (const std::string& made :
         {request_for_application(head), response_for_browser(head, 40), response_for_browser(head, 0)}) {
        must(made.ends_with("\r\n\r\n"), "a changed head ends with an empty line");
        must(made.find("\r\n\r\n") == made.size() - 4, "a changed head contains only one empty line");
    }
    const std::string request = request_for_application(head);
    must(requests_upgrade(head) || field_of(request, "connection") == "close",
         "requests without an upgrade have `Connection: close`");
    must(field_of(without_field(head, "host"), "host").empty(), "a removed field is absent");
    static_cast<void>(is_page(head));
    return 0;
}
