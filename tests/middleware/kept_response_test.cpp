// SPDX-License-Identifier: Apache-2.0
#include "middleware/kept_response.hpp"

#include <apus/app.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;

TEST_CASE("a response is kept with its lifetime, its tags and the fields on which it depends") {
    struct row {
        const char *cache_control, *vary, *tags;
        const char* kept;  ///< Seconds fresh and usable, varying fields, tags.
    };
    const row rows[] = {
        {"max-age=5", "", "", "5 5"},
        {"max-age=5, s-maxage=7, stale-while-revalidate=3", "", "", "7 10"},
        {"max-age=5, must-revalidate, stale-while-revalidate=3", "", "", "5 5"},
        {"max-age=5", "Accept, ,X-Own", "", "5 5 Accept=text/html X-Own="},
        {"max-age=5", "", "a, b,,a", "5 5 #a #b"},
        {"max-age=5", "*", "", "not"},
        {"max-age=0", "", "", "not"},
        {"private, max-age=5", "", "", "not"},
        {"", "", "", "not"},
    };
    for (const auto& [cache_control, vary, tags, wanted] : rows) {
        CAPTURE(cache_control);
        app a;
        a.get("/", [&](request& req) {
            auto res = response::text("page");
            if (*cache_control) res.header("cache-control", cache_control);
            if (*vary) res.header("vary", vary);
            if (*tags) res.header("cache-tag", tags);
            const auto kept = middleware::kept_response(req, res, {});
            if (!kept) return std::string("not");
            std::string made = std::to_string((kept->fresh_until - kept->stored_at) / 1'000) + " " +
                               std::to_string((kept->usable_until - kept->stored_at) / 1'000);
            for (const auto& [name, value] : kept->vary) made.append(" ").append(name).append("=").append(value);
            for (const auto& tag : kept->tags) made.append(" #").append(tag);
            return made;
        });
        test::client c(std::move(a));
        CHECK(c.get("/", {{"accept", "text/html"}}).body == wanted);
    }
}
