// SPDX-License-Identifier: Apache-2.0
#include "arena/fortunes.hpp"

#include <apus/pages.hpp>

#include <algorithm>
#include <vector>

namespace arena {
namespace {

struct fortune {
    std::int64_t id;
    std::string message;
};

struct fortune_page {
    std::vector<fortune> fortunes;
};

}  // namespace

void add_fortunes(apus::app& app, const apus::sql::database& db, const std::string& templates) {
    const auto page = apus::pages(templates).bind<fortune_page>("fortunes.html");
    app.get("/fortunes", [db, page]() -> apus::task<apus::result<apus::response>> {
        auto fortunes = co_await db.all<fortune>("select id, message from fortune");
        fortunes.push_back({0, "Additional fortune added at request time."});
        std::ranges::sort(fortunes, {}, &fortune::message);
        co_return page({std::move(fortunes)});
    });
}

}  // namespace arena
