// SPDX-License-Identifier: Apache-2.0
// Counts visits to pages in Redis, for all processes together: a list of the most visited pages, a stream of visits,
// profiles that expire, and a stock that never becomes negative. REDIS_URL is redis://127.0.0.1:6379 by default.
#include <apus/app.hpp>
#include <apus/environment.hpp>
#include <apus/events.hpp>
#include <apus/json.hpp>
#include <apus/redis.hpp>

namespace {

struct visited_page {
    std::string page;
    long long visits;
};

struct profile {
    std::string name;
    std::vector<std::string> interests;
};

// Sends three commands in one round trip. Redis executes no other commands between them.
apus::task<visited_page> visit(apus::redis::client db, std::string page) {
    apus::redis::batch all;
    all.add("ZINCRBY", "visits", 1, page).add("EXPIRE", "visits", 86'400).add("PUBLISH", "visits", page);
    const auto done = co_await db.run_atomically(std::move(all));
    co_return visited_page{page, co_await done->at<long long>(0)};
}

apus::task<std::vector<visited_page>> most_visited(apus::redis::client db) {
    using scores = std::vector<std::pair<std::string, double>>;
    std::vector<visited_page> list;
    for (auto& [page, visits] : co_await db.command<scores>("ZRANGE", "visits", 0, 9, "REV", "WITHSCORES"))
        list.push_back({std::move(page), static_cast<long long>(visits)});
    co_return list;
}

// After a gap (at the start, and after a lost connection), visits may be missing: the browser gets the whole list.
apus::task<> watch(apus::redis::client db, apus::event_writer& out) {
    auto visits = db.subscribe("visits");
    while (auto one = co_await visits.next()) {
        if (!one->gap) co_await out.send(one->payload, "visit");
        else co_await out.send(apus::to_json(co_await most_visited(db)), "all");
    }
}

apus::task<profile> find_profile(apus::redis::client db, std::string id) {
    auto found = co_await db.get_json<profile>("profile:" + id);
    if (!found) co_await apus::fail(404, "no such profile");
    co_return *std::move(found);
}

// Redis executes a script atomically.
const apus::redis::script take(R"(
    local left = tonumber(redis.call('GET', KEYS[1]) or '0')
    if left <= 0 then return -1 end
    return redis.call('DECR', KEYS[1])
)");

apus::task<long long> take_one(apus::redis::client db, std::string item) {
    const auto left = co_await db.eval<long long>(take, "stock:" + item);
    if (left < 0) co_await apus::fail(409, "sold out");
    co_return left;
}

// The sentinels of redis+sentinel:// have their own account and TLS files.
apus::redis::client_options redis_options() {
    const std::string sentinel_authorities = apus::from_environment<std::string>("SENTINEL_AUTHORITIES", "");
    return {.command_timeout = apus::seconds(2),
            .tls_authorities = apus::from_environment<std::string>("REDIS_AUTHORITIES", ""),
            // Repeated reads of a profile need no round trip until the profile changes.
            .cache = {.bytes = std::size_t(8) << 20U},
            .sentinel = {.password = apus::from_environment<std::string>("SENTINEL_PASSWORD", ""),
                         .tls = !sentinel_authorities.empty(),
                         .tls_authorities = sentinel_authorities}};
}

apus::app make_app() {
    const auto db = apus::from_environment<apus::redis::client>("REDIS_URL", "redis://127.0.0.1:6379", redis_options());
    apus::app app;
    app.check("redis", apus::redis_answers(db));
    app.post("/pages/{page}/visits", [db](std::string page) { return visit(db, std::move(page)); });
    app.get("/pages", [db] { return most_visited(db); });
    app.get("/pages/visits", [db] { return apus::events([db](apus::event_writer& out) { return watch(db, out); }); });
    app.put("/profiles/{id}", [db](std::string id, apus::json<profile> sent) -> apus::task<> {
        co_await db.set_json("profile:" + id, *sent, {.expires = apus::seconds(3600)});
    });
    app.get("/profiles/{id}", [db](std::string id) { return find_profile(db, std::move(id)); });
    app.put("/stock/{item}", [db](std::string item, apus::json<unsigned> sent) -> apus::task<> {
        co_await db.set("stock:" + item, *sent);
    });
    app.post("/stock/{item}/take", [db](std::string item) -> apus::task<std::string> {
        co_return std::to_string(co_await take_one(db, std::move(item))) + "\n";
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
