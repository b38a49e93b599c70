// SPDX-License-Identifier: Apache-2.0
#include "web/app_parts.hpp"

namespace apus {

app::app() : parts_(new parts) {}
app::~app() { delete parts_; }

void app::add(method verb, std::string_view route, detail::erased handler, const route_limits& bounds) {
    parts::owned owned(handler);
    parts_->routes.push_back({verb, std::string(route), std::move(owned), bounds, false});
}

void app::add(detail::erased middleware) {
    parts::owned owned(middleware);
    parts_->middleware.push_back(std::move(owned));
}

void app::mount(detail::prefix prefix, app part) {
    parts_->mounts.push_back({std::string(prefix.text()), std::move(part)});
}

void app::mount(app part) { parts_->mounts.push_back({{}, std::move(part)}); }

}  // namespace apus
