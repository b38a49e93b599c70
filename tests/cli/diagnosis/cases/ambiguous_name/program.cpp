// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>
#include <unistd.h>
#include <apus/app.hpp>
#include <apus/json.hpp>
namespace shop {
struct link {
    std::string url;
    int hits = 0;
};
}  // namespace shop
using namespace shop;
apus::app make_app() {
    apus::app app;
    app.get("/links", [] { return std::vector<link>(); });
    return app;
}
