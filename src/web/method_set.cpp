// SPDX-License-Identifier: Apache-2.0
#include "web/method_set.hpp"

namespace apus::web {

std::string_view method_name(method m) noexcept {
    static constexpr std::string_view names[routable_methods] = {"GET",   "HEAD",   "POST",   "PUT",
                                                                 "PATCH", "DELETE", "OPTIONS"};
    return names[static_cast<unsigned>(m)];
}

std::string allow_field(method_set routes) {
    if (routes.has(method::get)) routes |= method_set(method::head);
    routes |= method_set(method::options);
    std::string text;
    for (unsigned i = 0; i < routable_methods; ++i) {
        if (!routes.has(static_cast<method>(i))) continue;
        if (!text.empty()) text += ", ";
        text += method_name(static_cast<method>(i));
    }
    return text;
}

}  // namespace apus::web
