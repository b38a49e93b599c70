// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>

void build(apus::app& app) {
    app.get("todos", [] { return "all\n"; });
}
