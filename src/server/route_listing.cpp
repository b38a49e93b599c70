// SPDX-License-Identifier: Apache-2.0
#include "server/route_listing.hpp"

#include "runtime/loop.hpp"
#include "web/application.hpp"
#include "web/method_set.hpp"

#include <apus/app.hpp>

#include <cstdlib>
#include <set>
#include <stdexcept>
#include <utility>

namespace apus::server {

std::string list_routes(detail::maker make) {
    const char* wanted = std::getenv("APUS_IO");
    std::string why;
    auto io = runtime::make_backend(wanted ? wanted : "", why);
    if (!io) throw std::runtime_error("APUS_IO=uring, but " + why);
    runtime::loop loop(std::move(io));  // the app's factory may need a loop

    std::string lines;
    app listener;
    web::application::read_routes(listener, [&lines](std::span<const web::described_route> routes) {
        std::set<std::string> listed;  // static folders have two routes, with and without a trailing slash
        for (const auto& route : routes) {
            std::string line = std::string(web::method_name(route.verb)) + " " + route.path;
            if (route.about && route.about->gives.status == 101) line += " (WebSocket)";
            if (listed.insert(line).second) lines.append(line).append("\n");
        }
    });
    app made = make.call(make.self);
    made.mount(std::move(listener));
    const web::application service(std::move(made));
    return lines;
}

}  // namespace apus::server
