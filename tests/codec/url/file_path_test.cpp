// SPDX-License-Identifier: Apache-2.0
#include "codec/url/file_path.hpp"
#include "codec/url/percent.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <iterator>
#include <string>

using namespace apus::codec;

namespace {

struct attack {
    std::string_view path;
};
constexpr attack attacks[] = {
#include "codec/url/path_attacks.inc"
};

struct name {
    std::string_view in;
    std::string_view out;
};
constexpr name names[] = {
    {"", ""},
    {"a.txt", "a.txt"},
    {"a/b/c.txt", "a/b/c.txt"},
    {"a/", "a/"},
    {"a/b/", "a/b/"},
    {"%61.txt", "a.txt"},
    {"a%20b.txt", "a b.txt"},
    {"caf%C3%A9.txt", "caf\xc3\xa9.txt"},
    {"%e6%96%87%e4%bb%b6", "\xe6\x96\x87\xe4\xbb\xb6"},
    {"a+b", "a+b"},
    {"a..b", "a..b"},
    {"a..", "a.."},
    {"a...", "a..."},
    {"a.txt.", "a.txt."},
    {"a.txt%20", "a.txt "},
    {"a/b../c", "a/b../c"},
    {"~", "~"},
    {"~root", "~root"},
    {"a:b", "a:b"},
    {"file.txt::$DATA", "file.txt::$DATA"},
    {"c:", "c:"},
    {"CON", "CON"},
    {".well-known/acme-challenge/x", ".well-known/acme-challenge/x"},
    {"%2ewell-known/x", ".well-known/x"},
    {"a;b=c", "a;b=c"},
    {"%3f", "?"},
    {"%23", "#"},
    {"%25", "%"},
    {"%3Cscript%3E", "<script>"},
    {"%ef%bc%8e%ef%bc%8e", "\xef\xbc\x8e\xef\xbc\x8e"},
    {"%e2%88%95etc",
     "\xe2\x88\x95"
     "etc"},
    {"%ef%bc%8fetc",
     "\xef\xbc\x8f"
     "etc"},
    {"%252e%252e", "%2e%2e"},
    {"%252e%252e/secret", "%2e%2e/secret"},
    {"%252e%252e%252fsecret", "%2e%2e%2fsecret"},
    {"%25252e%25252e/secret", "%252e%252e/secret"},
    {"%252f", "%2f"},
};

std::string seen(std::string_view in, bool hidden = false) {
    std::string out(in.size(), 'x');
    const auto path = url::read_file_path(in, hidden, out.data());
    if (path.state == outcome::done) return std::string(path.value);
    CHECK(path.why != nullptr);
    return path.why ? "refused: " + std::string(path.why->reason) : "";
}

}  // namespace

TEST_CASE("no encoding escapes from a folder or reaches a hidden file") {
    static_assert(std::size(attacks) >= 100);
    apus::test::page_end room(4096);
    for (const auto& [path] : attacks) {
        CAPTURE(path);
        CHECK(seen(room.place(path)).starts_with("refused: "));
    }
}

TEST_CASE("file paths are decoded once") {
    apus::test::page_end room(4096);
    for (const auto& [in, out] : names) {
        CAPTURE(in);
        CHECK(seen(room.place(in)) == out);
    }
}

TEST_CASE("hidden files are served if enabled, and still nothing escapes") {
    CHECK(seen(".env", true) == ".env");
    CHECK(seen("a/.git/config", true) == "a/.git/config");
    CHECK(seen("...", true) == "...");
    for (const std::string_view path : {"..", "../.env", ".", "a/%2e%2e/b", "a/./b"}) {
        CAPTURE(path);
        CHECK(seen(path, true) == "refused: " + std::string(url::climbing_name.reason));
    }
}

TEST_CASE("invalid file names and paths are rejected") {
    CHECK(seen(std::string(255, 'a')) == std::string(255, 'a'));
    CHECK(seen(std::string(256, 'a')).starts_with("refused"));
    std::string path;
    while (path.size() < 1'000) path += "abcdefg/";
    CHECK(seen(path) == path);
    CHECK(seen(path + path).starts_with("refused"));
    std::string encoded;
    for (int i = 0; i < 256; ++i) encoded += "%61";
    CHECK(seen(encoded).starts_with("refused"));
}
