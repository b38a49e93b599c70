// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <apus/identity.hpp>
#include <apus/response_cache.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apus::support {

/// A store of responses as users write it, with faults.
struct memory_store final : response_cache_store {
    struct item {
        std::string bytes;
        std::vector<std::string> tags;
        std::int64_t until;
    };

    task<found> find(std::string key) override {
        CHECK(key.size() == 43);
        ++finds;
        found made{.bytes = {}, .left = {}, .began = std::to_string(drops_done)};
        if (const auto at = entries.find(key); at != entries.end() && at->second.until > now)
            made.bytes = at->second.bytes, made.left = milliseconds(at->second.until - now);
        if (delay > duration()) co_await sleep_for(delay);  // the reply is on its way
        if (silent) co_await sleep_for(seconds(3'600));
        if (broken) co_await fail(503, "broken");
        co_return fixed ? *fixed : made;
    }
    task<bool> put(entry what) override {
        ++puts;
        if (broken || full) co_await fail(500, "OOM");
        for (const auto& tag : what.tags) {
            CHECK(tag.size() == 43);
            if (const auto at = dropped.find(tag); at != dropped.end() && at->second > std::stoul(what.began))
                co_return false;
        }
        entries[what.key] = {what.bytes, what.tags, now + what.lifetime.milliseconds()};
        co_return true;
    }
    task<> drop(std::vector<std::string> tags) override {
        if (broken) co_await fail(503, "broken");
        ++drops;
        ++drops_done;
        for (const auto& tag : tags) {
            dropped[tag] = drops_done;
            std::erase_if(entries, [&](const auto& e) { return std::ranges::count(e.second.tags, tag) != 0; });
        }
    }
    void pass(duration time) { now += time.milliseconds(); }

    std::map<std::string, item> entries;
    std::map<std::string, unsigned long> dropped;
    std::optional<found> fixed;
    unsigned finds = 0, puts = 0, drops = 0;
    unsigned long drops_done = 0;
    std::int64_t now = 0;
    duration delay;
    bool broken = false, silent = false, full = false;
};

inline bool holds_slow = false;  ///< Whether the handler of /slow waits.

/// Routes with a cache. Bodies have the number of runs of the handlers.
inline app pages(int& runs, const response_cache& cache) {
    app a;
    a.use([](request& req) -> result<void> {
        if (!req.header("x-user").empty()) req.set(identity()).subject = req.header("x-user");
        return {};
    });
    a.use(cache);
    a.use([](request& req) -> result<void> {
        if (!req.header("x-inner-user").empty()) req.set(identity()).subject = req.header("x-inner-user");
        return {};
    });
    const auto add = [&](std::string name, std::vector<std::pair<std::string, std::string>> fields, int status = 200) {
        a.get(runtime_route("/" + name), [&runs, name, fields, status] {
            auto made = response::text(name + " " + std::to_string(++runs)).status(status);
            for (const auto& [field, value] : fields) made.header(field, value);
            return made;
        });
    };
    add("page", {{"cache-control", "max-age=60"}, {"cache-tag", "page, pages"}, {"etag", "\"v1\""}});
    add("public", {{"cache-control", "public, max-age=60"}});
    add("private", {{"cache-control", "private, max-age=60"}});
    add("no-store", {{"cache-control", "no-store, max-age=60"}});
    add("no-cache", {{"cache-control", "no-cache, max-age=60"}});
    add("cookie", {{"cache-control", "max-age=60"}, {"set-cookie", "a=b"}});
    add("plain", {});
    add("any", {{"cache-control", "max-age=60"}, {"vary", "*"}});
    add("many-fields", {{"cache-control", "max-age=60"}, {"vary", "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q"}});
    add("error", {{"cache-control", "max-age=60"}}, 404);
    add("language", {{"cache-control", "max-age=60"}, {"vary", "accept-language"}});
    add("stale", {{"cache-control", "max-age=1, stale-while-revalidate=60"}});
    a.get("/stream", [&runs] {
        ++runs;
        auto made = stream("text/plain", [](writer& out) -> task<> { co_await out.write("streamed"); });
        made.header("cache-control", "max-age=60");
        return made;
    });
    a.get("/large", [&runs] {
        ++runs;
        auto made = response::text(std::string(std::size_t(2) << 20U, 'x'));
        made.header("cache-control", "max-age=60");
        return made;
    });
    a.get("/slow", [&runs]() -> task<response> {
        auto made = response::text("slow " + std::to_string(++runs));
        do co_await sleep_for(milliseconds(1));
        while (holds_slow);
        made.header("cache-control", "max-age=60").header("cache-tag", "slow");
        co_return made;
    });
    a.put("/page", [] {});
    return a;
}

/// A process of a service with a shared store.
struct node {
    explicit node(memory_store& store) : cache({.store = &store}), client(pages(runs, cache)) {}

    int runs = 0;
    response_cache cache;
    test::client client;
};

}  // namespace apus::support
