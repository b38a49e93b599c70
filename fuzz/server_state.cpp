// SPDX-License-Identifier: Apache-2.0
// The reports that `apus top` reads from a server: metrics up to the first byte 0, then the requests.
#include "cli/watching/metrics_text.hpp"
#include "cli/watching/server_state.hpp"

#include "property.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apus::cli::watching;
    using apus::fuzz::must;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(text.find('\0'), text.size());
    const std::string_view requests = end == text.size() ? R"({"in_flight_count":0,"tunnel_count":0,"cores":[],)"
                                                           R"("in_flight":[],"routes":[]})"
                                                         : text.substr(end + 1);
    const auto state = read_state(text.substr(0, end), requests);
    if (!state) return 0;
    must(!state->version.empty(), "a report without build information is rejected");
    must(state->cores.size() <= 4096, "the number of cores is bounded");
    for (const auto& [name, figures] : state->routes) quantile(0.99, figures, &figures);
    return 0;
}
