// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>

void build(apus::app& app) {
    app.get("/", [visits = 0]() mutable { return ++visits > 1 ? "again\n" : "first\n"; });
}
