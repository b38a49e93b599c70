// SPDX-License-Identifier: Apache-2.0
#include "web/router.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

using apus::method;
using apus::web::router;

namespace {

router with(const std::vector<std::string>& routes, method verb = method::get) {
    router r;
    for (const auto& route : routes) r.add(verb, route);
    return r;
}

// Returns "/a/{id} 7" for a route and its captures, "not GET, POST" if the path has only other methods, or "none".
std::string seen(const router& r, method verb, std::string_view path) {
    std::string_view captures[16];
    const auto found = r.find(verb, path, captures);
    if (found.route == router::none) return found.other == router::none ? "none" : "only " + allow_field(found.allowed);
    std::string text = r.text(found.route);
    for (unsigned i = 0; i < found.captures; ++i) text.append(" ").append(captures[i]);
    return text;
}
std::string seen(const router& r, std::string_view path) { return seen(r, method::get, path); }

struct finding {
    std::string path;
    std::string route;
};

void check_all(const router& r, const std::vector<finding>& findings) {
    for (const auto& f : findings) {
        CAPTURE(f.path);
        CHECK(seen(r, f.path) == f.route);
    }
}

}  // namespace

TEST_CASE("a route matches its path and no other") {
    check_all(with({"/", "/a", "/a/", "/a/b", "/users/{id}", "/users/{id}/posts/{post}", "/f/{path...}", "/{x}/end/"}),
              {{"/", "/"},
               {"/a", "/a"},
               {"/a/", "/a/"},
               {"/a/b", "/a/b"},
               {"/a/b/", "none"},
               {"/A", "none"},
               {"/%61", "none"},
               {"//", "none"},
               {"", "none"},
               {"*", "none"},
               {"a", "none"},
               {"/users/7", "/users/{id} 7"},
               {"/users/", "none"},
               {"/users", "none"},
               {"/users/7/", "none"},
               {"/users/7/posts/8", "/users/{id}/posts/{post} 7 8"},
               {"/users//posts/8", "none"},
               {"/users/7/posts", "none"},
               {"/users/%2F%20/posts/8", "/users/{id}/posts/{post} %2F%20 8"},
               {"/x/end/", "/{x}/end/ x"},
               {"/x/end", "none"}});
}

TEST_CASE("a rest capture matches one or more segments, the first non-empty") {
    check_all(with({"/f/{path...}", "/{tenant}/g/{path...}"}), {{"/f/a", "/f/{path...} a"},
                                                                {"/f/a/b/c", "/f/{path...} a/b/c"},
                                                                {"/f/a/", "/f/{path...} a/"},
                                                                {"/f/a//b", "/f/{path...} a//b"},
                                                                {"/f/", "none"},
                                                                {"/f", "none"},
                                                                {"/f//etc/passwd", "none"},
                                                                {"/t/g/x/y", "/{tenant}/g/{path...} t x/y"}});
}

TEST_CASE("literals before captures, captures before rest captures, from the left") {
    check_all(with({"/{a}", "/new", "/{a...}", "/x/{b}", "/{a}/y", "/x/{b...}"}), {{"/new", "/new"},
                                                                                   {"/other", "/{a} other"},
                                                                                   {"/p/q", "/{a...} p/q"},
                                                                                   {"/x/1", "/x/{b} 1"},
                                                                                   {"/x/y", "/x/{b} y"},
                                                                                   {"/p/y", "/{a}/y p"},
                                                                                   {"/x/y/z", "/x/{b...} y/z"},
                                                                                   {"/p/y/z", "/{a...} p/y/z"}});
}

TEST_CASE("the router backtracks") {
    check_all(with({"/a/b/c/d", "/a/{x}/c/e", "/{w}/b/{y}/f", "/{all...}"}), {{"/a/b/c/d", "/a/b/c/d"},
                                                                              {"/a/b/c/e", "/a/{x}/c/e b"},
                                                                              {"/a/b/c/f", "/{w}/b/{y}/f a c"},
                                                                              {"/a/b/c/g", "/{all...} a/b/c/g"}});
}

TEST_CASE("routes are also selected by method") {
    router r;
    r.add(method::post, "/a/b");
    r.add(method::get, "/a/{x}");
    r.add(method::del, "/a/{x}");
    r.add(method::put, "/{rest...}");
    struct row {
        method verb;
        std::string path;
        std::string route;
    };
    const row rows[] = {
        {method::post, "/a/b", "/a/b"},
        {method::get, "/a/b", "/a/{x} b"},
        {method::head, "/a/b", "/a/{x} b"},
        {method::put, "/a/b", "/{rest...} a/b"},
        {method::patch, "/a/b", "only GET, HEAD, POST, PUT, DELETE, OPTIONS"},
        {method::options, "/a/c", "only GET, HEAD, PUT, DELETE, OPTIONS"},
        {method::trace, "/a/b/c", "only PUT, OPTIONS"},
        {method::other, "/a/b/c", "only PUT, OPTIONS"},
        {method::patch, "/", "none"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.route);
        CHECK(seen(r, row.verb, row.path) == row.route);
    }
}

TEST_CASE("HEAD uses its own route, or that of GET") {
    router r;
    r.add(method::get, "/a");
    r.add(method::head, "/a");
    r.add(method::get, "/b");
    r.add(method::head, "/{x}");
    std::string_view captures[16];
    CHECK(r.find(method::head, "/a", captures).route == 1);
    CHECK(r.find(method::head, "/b", captures).route == 2);
    CHECK(r.find(method::head, "/c", captures).route == 3);
}

TEST_CASE("conflicting routes are rejected, and both are named") {
    struct row {
        const char *first, *second, *why;
    };
    const row rows[] = {
        {"/a", "/a", "GET \"/a\" matches the same paths as \"/a\", which was added before"},
        {"/u/{id}", "/u/{name}", "GET \"/u/{name}\" matches the same paths as \"/u/{id}\", which was added before"},
        {"/{a...}", "/{b...}", "GET \"/{b...}\" matches the same paths as \"/{a...}\", which was added before"},
    };
    for (const auto& row : rows) {
        router r = with({row.first});
        CHECK_THROWS_WITH_AS(r.add(method::get, row.second), row.why, std::logic_error);
        CHECK_NOTHROW(r.add(method::post, row.second));
    }
}

TEST_CASE("sixteen captures fit, whatever follows them") {
    std::string route, path, found;
    for (char c = 'a'; c < 'a' + 16; ++c) {
        route.append("/{").append(1, c).append("}");
        path.append("/").append(1, c);
        found.append(" ").append(1, c);
    }
    router r = with({route, route + "/end"});
    CHECK(seen(r, path) == route + found);
    CHECK(seen(r, path + "/end") == route + "/end" + found);
    CHECK(seen(r, path + "/other") == "none");
}

TEST_CASE("ten thousand routes are found without a long search") {
    router r;
    std::vector<std::string> plain, captured;
    for (int i = 0; i < 5000; ++i) {
        const std::string name = "/area" + std::to_string(i % 70) + "/thing" + std::to_string(i);
        r.add(method::get, plain.emplace_back(name));
        r.add(method::get, captured.emplace_back(name + "/{id}/part"));
    }
    std::size_t wrong = 0;
    for (const auto& route : plain) wrong += seen(r, route) != route;
    for (const auto& route : captured) wrong += seen(r, route.substr(0, route.find('{')) + "7/part") != route + " 7";
    CHECK(wrong == 0);
    CHECK(seen(r, "/area1/thing2") == "none");
    CHECK(seen(r, "/area1/thing1/7/other") == "none");
    // With random texts, runs of occupied slots in a half-full hash table of this size have at most about 30 slots.
    CHECK(r.longest_run() < 80);
}
