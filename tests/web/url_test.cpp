// SPDX-License-Identifier: Apache-2.0
#include <apus/query.hpp>
#include <apus/redirect.hpp>
#include <apus/secret.hpp>
#include <apus/test.hpp>
#include <apus/url.hpp>

#include <chrono>
#include <cstdint>
#include <doctest/doctest.h>
#include <stdexcept>
#include <vector>

using namespace std::string_literals;

namespace {

enum class order {
    newest,
    oldest
};

struct search {
    std::string text;
    std::optional<int> page;
    std::vector<std::string> tags{};
    order by = order::newest;
    bool exact = false;
    double least = 0.5;
    std::optional<std::chrono::sys_seconds> since{};
    std::optional<apus::secret<std::string>> token{};
};

// The bytes that a handler gets from a URL of `make_url`.
std::string received(apus::test::client& client, const std::string& url) { return client.get(url).expect(200).body; }

}  // namespace

TEST_CASE("values of a URL are encoded") {
    CHECK(apus::make_url("/plain") == "/plain");
    CHECK(apus::make_url("/files/{name}", "a/b c") == "/files/a%2Fb%20c");
    CHECK(apus::make_url("/files/{}", "50%?#&=+;:@!$'()*,[]\"<>\\^`{|}") ==
          "/files/50%25%3F%23%26%3D%2B%3B%3A%40%21%24%27%28%29%2A%2C%5B%5D%22%3C%3E%5C%5E%60%7B%7C%7D");
    CHECK(apus::make_url("/files/{}", "AZaz09-._~") == "/files/AZaz09-._~");
    CHECK(apus::make_url("/{}", "caf\xc3\xa9\r\n\0"s) == "/caf%C3%A9%0D%0A%00");
    CHECK(apus::make_url("/{user}/{id}.json", std::string("ann"), 7U) == "/ann/7.json");
    CHECK(apus::make_url("/n/{}/{}/{}", -7, std::int64_t{INT64_MIN}, std::uint64_t{UINT64_MAX}) ==
          "/n/-7/-9223372036854775808/18446744073709551615");
    CHECK(apus::make_url("https://example.org/users/{id}", "a@b") == "https://example.org/users/a%40b");
    CHECK(apus::make_url("http://127.0.0.1:8080?q={}", "/") == "http://127.0.0.1:8080?q=%2F");
    CHECK(apus::make_url("/files/{path...}", "a b/c?d/") == "/files/a%20b/c%3Fd/");
    CHECK(apus::make_url("/files/{path...}?v={}", "a/b", 2) == "/files/a/b?v=2");
    CHECK(apus::make_url("/search?q={}&page={page}&exact={}#{part}", "a&b=c", 2, true, "x y") ==
          "/search?q=a%26b%3Dc&page=2&exact=true#x%20y");
    CHECK(apus::make_url("{at}/cities/{city}", "http://h:80", "a/b") == "http://h:80/cities/a%2Fb");
    CHECK(apus::make_url("{at}/cities/{city}", "https://h/v1/", "x") == "https://h/v1/cities/x");
    for (const char* bad : {"", "/", "//h", "h", "ftp://h", "javascript:x", "http://h?q", "http://h#x"})
        CHECK_THROWS_AS((void)apus::make_url("{at}/x", bad), std::invalid_argument);
    CHECK(apus::make_url("/search?q={}", "") == "/search?q=");
    CHECK(apus::make_url("/search?q={}", "..") == "/search?q=..");
}

TEST_CASE("a value cannot lead out of its segment") {
    for (const std::string_view bad : {"", ".", ".."}) {
        CAPTURE(bad);
        CHECK_THROWS_AS((void)apus::make_url("/files/{}", bad), std::invalid_argument);
        CHECK_THROWS_AS((void)apus::make_url("/files/{}/versions", bad), std::invalid_argument);
        CHECK_THROWS_AS((void)apus::make_url("/files/{}?q=1", bad), std::invalid_argument);
        CHECK_THROWS_AS((void)apus::make_url("/files/{rest...}", bad), std::invalid_argument);
    }
    CHECK_THROWS_AS((void)apus::make_url("/files/{}{}", ".", "."), std::invalid_argument);
    for (const std::string_view bad : {"/a", "//a", "/", "a/..", "../a", "a/./b"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS((void)apus::make_url("/{rest...}", bad), std::invalid_argument);
    }
    CHECK(apus::make_url("/files/{}", "...") == "/files/...");
    CHECK(apus::make_url("/files/{}", "../../etc/passwd") == "/files/..%2F..%2Fetc%2Fpasswd");
    CHECK(apus::make_url("/files/v{}", "") == "/files/v");
}

TEST_CASE("a query is printed from a struct") {
    const search all{.text = "a b&c=\xc3\xa9",
                     .page = 2,
                     .tags = {"x", "y+z"},
                     .by = order::oldest,
                     .exact = true,
                     .least = 1e-7,
                     .since = std::chrono::sys_seconds(std::chrono::seconds(0)),
                     .token = apus::secret<std::string>("hidden")};
    const std::string text =
        "text=a%20b%26c%3D%C3%A9&page=2&tags=x&tags=y%2Bz&by=oldest&exact=true&least=1e-07"
        "&since=1970-01-01T00%3A00%3A00Z";
    CHECK(apus::query(all).encoded() == text);
    CHECK(apus::make_url("/search?{...}", apus::query(all)) == "/search?" + text);
    CHECK(apus::make_url("/u/{id}?v=1&{...}", "ann", apus::query(search{.text = "q", .page = {}})) ==
          "/u/ann?v=1&text=q&by=newest&exact=false&least=0.5");
    struct nothing {
        std::optional<int> page{};
    };
    CHECK(apus::query(nothing()).encoded().empty());
    CHECK(apus::make_url("/search?{...}", apus::query(nothing())) == "/search");
    CHECK(apus::make_url("/search?a={}&{...}", 1, apus::query(nothing())) == "/search?a=1");
    CHECK_THROWS_AS((void)apus::make_url("/search?q={}", apus::query(all)), std::invalid_argument);
    CHECK_THROWS_AS((void)apus::make_url("/{all...}", apus::query(all)), std::invalid_argument);
}

TEST_CASE("handlers get the values that URLs were made of") {
    apus::app app;
    app.get("/one/{name}", [](std::string_view name) { return std::string(name); });
    app.get("/rest/{path...}", [](std::string_view path) { return std::string(path); });
    app.get("/search", [](apus::query<search> q) {
        std::string shown = q->text + '|' + std::to_string(q->page.value_or(-1)) + '|';
        for (const std::string& tag : q->tags) shown += tag + ',';
        return shown;
    });
    apus::test::client client(std::move(app));
    std::string bytes;
    for (char c = 1; c < 0x7f; ++c) bytes += c;
    for (const std::string& value : {bytes, "caf\xc3\xa9"s, "a/b"s, "%2F"s, "+"s, "~"s}) {
        CAPTURE(value);
        const search sent{.text = value, .page = 3, .tags = {value, "b"}};
        CHECK(received(client, apus::make_url("/search?{...}", apus::query(sent))) == value + "|3|" + value + ",b,");
    }
    for (const std::string& value : {"a b?c#d"s, "caf\xc3\xa9"s, "a%2Fb"s, "+&="s, "~"s}) {
        CAPTURE(value);
        CHECK(received(client, apus::make_url("/one/{name}", value)) == value);
        CHECK(received(client, apus::make_url("/rest/{path...}", "x/" + value)) == "x/" + value);
    }
}

TEST_CASE("Location has encoded values") {
    CHECK(apus::created("x"s).at("/files/{name}", "a/b c").field_lines == "location: /files/a%2Fb%20c\r\n");
    CHECK(apus::with_status<202>().at("/jobs/{id}", 7).field_lines == "location: /jobs/7\r\n");
    CHECK(apus::with_status(202).at("/jobs/{id}?v={}", 7, "a&b").field_lines == "location: /jobs/7?v=a%26b\r\n");
    CHECK(apus::redirect(303, apus::make_url("/files/{name}", "a%2Fb")).header("location") == "/files/a%252Fb");
}
