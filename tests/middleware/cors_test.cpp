// SPDX-License-Identifier: Apache-2.0
#include <apus/cors.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

using namespace apus;
using namespace std::string_literals;

namespace {

app guarded(cors by) {
    app a;
    a.use(std::move(by));
    a.get("/", [] { return "text"; });
    a.post("/", [] { return "made"; });
    a.get("/own", [] {
        response res;
        res.header("access-control-allow-origin", "https://own.example").header("vary", "Accept");
        return res;
    });
    a.get("/varied", [] {
        response res;
        res.header("vary", "Accept");
        return res;
    });
    a.get("/fails", []() -> result<std::string> { return fail(409, "no"); });
    return a;
}

cors_options one() { return {.origins = {"https://app.example"}}; }
cors_options many() {
    return {.origins = {"https://app.example", "http://localhost:5173"},
            .methods = {"GET", "PUT"},
            .headers = {"content-type", "X-Token"},
            .expose = {"x-total"},
            .credentials = true,
            .max_age = seconds(60),
            .private_network = true};
}
cors_options everyone() { return {.origins = {"*"}, .methods = {"*"}, .headers = {"*"}, .expose = {"*"}}; }
bool of_example(std::string_view origin) { return origin.starts_with("https://") && origin.ends_with(".example.org"); }

cors made(std::string_view which) {
    if (which == "one") return cors(one());
    if (which == "many") return cors(many());
    if (which == "any") return cors(everyone());
    return cors({.credentials = true}, of_example);
}

// Returns the fields present as "origin=.. credentials methods=.. headers=.. expose=.. age=.. network vary=..".
std::string told(const test::response& a) {
    std::string text = std::to_string(a.status);
    const struct {
        std::string_view field, name;
    } fields[] = {
        {"access-control-allow-origin", " origin="},          {"access-control-allow-credentials", " credentials="},
        {"access-control-allow-methods", " methods="},        {"access-control-allow-headers", " headers="},
        {"access-control-expose-headers", " expose="},        {"access-control-max-age", " age="},
        {"access-control-allow-private-network", " network="}};
    for (const auto& f : fields)
        if (const auto value = a.header(f.field); !value.empty()) text.append(f.name).append(value);
    const auto vary = a.header("vary");
    if (vary.starts_with("Origin, Access-Control-Request-Method")) text += " vary=preflight";
    else if (!vary.empty()) text.append(" vary=").append(vary);
    return text;
}

// One exchange: the middleware, method and target, the relevant fields, and the expected response.
struct row {
    std::string_view by, request, origin, method, headers, told;
};

constexpr std::string_view app_at = "https://app.example";
const row truth_table[] = {
    // Requests without Origin.
    {"one", "GET /", "", "", "", "200 vary=Origin"},
    {"many", "GET /", "", "", "", "200 vary=Origin"},
    {"any", "GET /", "", "", "", "200 origin=* expose=*"},
    {"some", "GET /", "", "", "", "200 vary=Origin"},
    {"one", "OPTIONS /", "", "", "", "204 vary=Origin"},
    {"one", "OPTIONS /", "", "PUT", "", "204 vary=Origin"},
    // Requests by pages.
    {"one", "GET /", app_at, "", "", "200 origin=https://app.example vary=Origin"},
    {"one", "POST /", app_at, "", "", "200 origin=https://app.example vary=Origin"},
    {"one", "OPTIONS /", app_at, "", "", "204 origin=https://app.example vary=Origin"},
    {"one", "GET /", "https://evil.example", "", "", "200 vary=Origin"},
    {"one", "GET /", "http://app.example", "", "", "200 vary=Origin"},
    {"one", "GET /", "https://app.example:8443", "", "", "200 vary=Origin"},
    {"one", "GET /", "https://app.example.evil.example", "", "", "200 vary=Origin"},
    {"one", "GET /", "https://APP.example", "", "", "200 vary=Origin"},
    {"one", "GET /", "null", "", "", "200 vary=Origin"},
    {"many", "GET /", "http://localhost:5173", "", "",
     "200 origin=http://localhost:5173 credentials=true expose=x-total vary=Origin"},
    {"many", "GET /", "http://localhost", "", "", "200 vary=Origin"},
    {"any", "GET /", "https://evil.example", "", "", "200 origin=* expose=*"},
    {"any", "GET /", "null", "", "", "200 origin=* expose=*"},
    {"some", "GET /", "https://a.example.org", "", "", "200 origin=https://a.example.org credentials=true vary=Origin"},
    {"some", "GET /", "https://example.org", "", "", "200 vary=Origin"},
    // Generated error responses, and responses that set CORS fields themselves.
    {"one", "GET /fails", app_at, "", "", "409 origin=https://app.example vary=Origin"},
    {"one", "GET /nothing", app_at, "", "", "404 origin=https://app.example vary=Origin"},
    {"one", "PUT /", app_at, "", "", "405 origin=https://app.example vary=Origin"},
    {"one", "GET /own", app_at, "", "", "200 origin=https://own.example vary=Accept"},
    {"one", "GET /varied", app_at, "", "", "200 origin=https://app.example vary=Accept, Origin"},
    {"any", "GET /varied", app_at, "", "", "200 origin=* expose=* vary=Accept"},
    // Preflights.
    {"one", "OPTIONS /", app_at, "PUT", "",
     "204 origin=https://app.example methods=GET, HEAD, POST, PUT, PATCH, DELETE headers=content-type age=600 "
     "vary=preflight"},
    {"one", "OPTIONS /", app_at, "DELETE", "content-type",
     "204 origin=https://app.example methods=GET, HEAD, POST, PUT, PATCH, DELETE headers=content-type age=600 "
     "vary=preflight"},
    {"one", "OPTIONS /", app_at, "BREW", "", "403 vary=preflight"},
    {"one", "OPTIONS /", app_at, "put", "", "403 vary=preflight"},
    {"one", "OPTIONS /", app_at, "PUT", "x-token", "403 vary=preflight"},
    {"one", "OPTIONS /", "https://evil.example", "PUT", "", "403 vary=preflight"},
    {"one", "OPTIONS /", "null", "PUT", "", "403 vary=preflight"},
    {"one", "OPTIONS /nothing", app_at, "PUT", "",
     "204 origin=https://app.example methods=GET, HEAD, POST, PUT, PATCH, DELETE headers=content-type age=600 "
     "vary=preflight"},
    {"many", "OPTIONS /", app_at, "PUT", "x-token,content-type",
     "204 origin=https://app.example credentials=true methods=GET, PUT headers=content-type, X-Token age=60 "
     "vary=preflight"},
    {"many", "OPTIONS /", app_at, "POST", "",
     "204 origin=https://app.example credentials=true methods=GET, PUT headers=content-type, X-Token age=60 "
     "vary=preflight"},
    {"many", "OPTIONS /", app_at, "DELETE", "", "403 vary=preflight"},
    {"many", "OPTIONS /", app_at, "PUT", "authorization", "403 vary=preflight"},
    {"any", "OPTIONS /", "https://evil.example", "BREW", "x-anything",
     "204 origin=* methods=* headers=* age=600 vary=preflight"},
    {"any", "OPTIONS /", "https://evil.example", "PUT", "Authorization", "403 vary=preflight"},
    {"some", "OPTIONS /", "https://a.example.org", "PUT", "",
     "204 origin=https://a.example.org credentials=true methods=GET, HEAD, POST, PUT, PATCH, DELETE "
     "headers=content-type age=600 vary=preflight"},
    {"some", "OPTIONS /", "https://a.example.com", "PUT", "", "403 vary=preflight"},
};

}  // namespace

TEST_CASE("cors: the truth table") {
    for (const auto& r : truth_table) {
        CAPTURE(r.by);
        CAPTURE(r.request);
        CAPTURE(r.origin);
        CAPTURE(r.method);
        test::client to(guarded(made(r.by)));
        const auto space = r.request.find(' ');
        std::string head =
            std::string(r.request.substr(0, space)) + std::string(r.request.substr(space)) + " HTTP/1.1\r\nhost: x\r\n";
        if (!r.origin.empty()) head.append("origin: ").append(r.origin).append("\r\n");
        if (!r.method.empty()) head.append("access-control-request-method: ").append(r.method).append("\r\n");
        if (!r.headers.empty()) head.append("access-control-request-headers: ").append(r.headers).append("\r\n");
        if (r.request.starts_with("P")) head += "content-length: 0\r\n";
        CHECK(told(to.send_raw(head + "\r\n")) == r.told);
    }
}

TEST_CASE("cors: fields of a preflight on several lines are all checked") {
    test::client to(guarded(cors(one())));
    const auto a = to.options("/", {{"origin", "https://app.example"},
                                    {"access-control-request-method", "PUT"},
                                    {"access-control-request-headers", "content-type"},
                                    {"access-control-request-headers", "x-token"}});
    CHECK(a.status == 403);
}

TEST_CASE("cors: private network access only if requested and allowed") {
    const test::client::fields asking = {{"origin", "https://app.example"},
                                         {"access-control-request-method", "GET"},
                                         {"access-control-request-private-network", "true"}};
    test::client open(guarded(cors(many()))), closed(guarded(cors(one())));
    CHECK(open.options("/", asking).header("access-control-allow-private-network") == "true");
    CHECK(closed.options("/", asking).header("access-control-allow-private-network").empty());
}

TEST_CASE("cors: a rejected preflight names the reason, and no handler runs") {
    bool ran = false;
    app a;
    a.use(cors(one()));
    a.options("/", [&ran] { ran = true; });
    test::client to(std::move(a));
    const auto refused =
        to.options("/", {{"origin", "https://evil.example"}, {"access-control-request-method", "PUT"}});
    CHECK(refused.body ==
          "{\"status\":403,\"title\":\"Forbidden\",\"detail\":\"the origin https://evil.example is not allowed\"}\n");
    CHECK(to.options("/", {{"origin", "https://app.example"}, {"access-control-request-method", "PUT"}}).status == 204);
    CHECK_FALSE(ran);
    CHECK(to.options("/").status == 204);
    CHECK(ran);
}

TEST_CASE("cors: unsafe or impossible options are rejected at construction") {
    const struct {
        cors_options how;
        std::string_view why;
    } rows[] = {
        {{}, "cors: the list of origins is empty"},
        {{.origins = {"*"}, .credentials = true},
         "cors: \"*\" with credentials would let every site read the data of users: list the allowed origins"},
        {{.origins = {"*", "https://a"}}, "cors: \"*\" must be the only origin"},
        {{.origins = {"null"}},
         "cors: \"null\" is the origin of sandboxed frames of any site: list the allowed origins"},
        {{.origins = {"https://a/"}},
         "cors: \"https://a/\" is not an origin: expected a scheme, a lower-case host, and a port unless it is the "
         "scheme's default, as in https://app.example"},
        {{.origins = {"https://a"}, .methods = {"*"}, .credentials = true},
         "cors: with credentials, list the methods instead of \"*\""},
        {{.origins = {"https://a"}, .headers = {"*"}, .credentials = true},
         "cors: with credentials, list the request headers instead of \"*\""},
        {{.origins = {"https://a"}, .expose = {"*"}, .credentials = true},
         "cors: with credentials, list the exposed headers instead of \"*\""},
        {{.origins = {"https://a"}, .headers = {"x y"}}, "cors: invalid entry \"x y\" in the list of request headers"},
        {{.origins = {"https://a"}, .methods = {"*", "GET"}}, "cors: invalid entry \"*\" in the list of methods"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.why);
        CHECK_THROWS_WITH_AS(cors{row.how}, doctest::String(row.why.data(), static_cast<unsigned>(row.why.size())),
                             std::invalid_argument);
    }
    const auto everyone_at_all = [](std::string_view) { return true; };
    const auto everyone_secure = [](std::string_view origin) { return origin.starts_with("https://"); };
    CHECK_THROWS_WITH_AS(cors({.credentials = true}, everyone_at_all),
                         "cors: with credentials, the predicate must reject the origin null, which any page can have",
                         std::invalid_argument);
    CHECK_THROWS_WITH_AS(cors({.credentials = true}, everyone_secure),
                         "cors: with credentials, the predicate must reject unknown origins", std::invalid_argument);
    CHECK_NOTHROW(cors({}, everyone_at_all));
}
