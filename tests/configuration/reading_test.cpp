// SPDX-License-Identifier: Apache-2.0
#include "configuration/reading.hpp"

#include "configuration/absent.hpp"
#include "configuration/sentences.hpp"
#include "configuration/subject.hpp"

#include <apus/json.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using namespace apus::configuration;

namespace {

// Returns the values as JSON with secrets, or the problems.
template <class T = test::subject>
std::string read(std::string_view toml, std::vector<std::string> environment = {},
                 std::vector<std::string> options = {}) {
    const test::temporary_file file(toml);
    const apus::schema::type& t = apus::detail::schema_table<T>;
    const auto settings = settings_of(t, "S");
    test::words variables(std::move(environment));
    options.insert(options.begin(), "program");
    test::words all(std::move(options));
    const auto arguments = read_arguments(all.argc(), all.argv(), settings);
    std::vector<std::string> problems = arguments.problems;
    node tree = read_sources({file.path(), true, variables.argv(), &arguments}, settings, problems);
    T value{};
    fill(t, &value, std::move(tree), {}, settings, "f", problems);
    std::string text = problems.empty() ? apus::to_json_with_secrets(value) : test::joined(problems);
    for (std::size_t at = text.find(file.path()); at != text.npos; at = text.find(file.path()))
        text.replace(at, file.path().size(), "f");
    return text;
}

struct small {
    int a = 1;
    std::vector<int> list;
    test::mail_options mail{.host = "mx"};
    std::optional<test::cache_options> cache;
    std::vector<test::upstream> upstreams;
};
struct strict {
    std::string name;
    int number;
    apus::secret<std::string> key;
    test::cache_options cache;
    apus::list<int, 1> numbers;
};
struct lenient {
    int a = 1;
    static constexpr bool ignores_unknown_fields = true;
};
struct with_messages {
    int a = 1;
    std::string b;
    static constexpr apus::field_note fields[] = {{.field = "a", .message = "give a small number"},
                                                  {.field = "b", .message = "give a name"}};
};

}  // namespace

TEST_CASE("later sources override earlier ones") {
    const struct {
        std::string_view toml;
        std::vector<std::string> environment, options;
        std::string_view json;
    } cases[] = {
        {"", {}, {}, R"({"a":1,"list":[],"mail":{"host":"mx","port":25},"cache":null,"upstreams":[]})"},
        {"a = 2", {}, {}, R"({"a":2,"list":[],"mail":{"host":"mx","port":25},"cache":null,"upstreams":[]})"},
        {"a = 2", {"S_A=3"}, {}, R"({"a":3,"list":[],"mail":{"host":"mx","port":25},"cache":null,"upstreams":[]})"},
        {"a = 2",
         {"S_A=3"},
         {"--a=4"},
         R"({"a":4,"list":[],"mail":{"host":"mx","port":25},"cache":null,"upstreams":[]})"},
        {"list = [1,2]",
         {"S_LIST=3"},
         {},
         R"({"a":1,"list":[3],"mail":{"host":"mx","port":25},"cache":null,"upstreams":[]})"},
        {"mail.port = 1",
         {"S_MAIL__HOST=h"},
         {"--mail.port=2"},
         R"({"a":1,"list":[],"mail":{"host":"h","port":2},"cache":null,"upstreams":[]})"},
        {"cache.folder = 'x'",
         {"S_CACHE__SIZE=9"},
         {},
         R"({"a":1,"list":[],"mail":{"host":"mx","port":25},"cache":{"folder":"x","size":9},"upstreams":[]})"},
        {"[[upstreams]]\nurl = 'u'",
         {},
         {},
         R"({"a":1,"list":[],"mail":{"host":"mx","port":25},"cache":null,"upstreams":[{"url":"u","tags":[],"weight":1}]})"},
        {"mail.key = 'secret'",
         {},
         {},
         R"({"a":1,"list":[],"mail":{"host":"mx","port":25,"key":"secret"},"cache":null,"upstreams":[]})"},
    };
    for (const auto& [toml, environment, options, json] : cases) {
        CAPTURE(toml);
        std::string seen = read<small>(toml, environment, options);
        if (const auto at = seen.find(",\"key\":null"); at != seen.npos) seen.erase(at, 11);
        CHECK(seen == json);
    }
    CHECK(read<lenient>("b = 1\na = 2") == R"({"a":2})");
}

namespace {

struct violation {
    std::string_view toml;
    std::vector<std::string> environment, options;
    std::string_view problems;
};

void check_violations(const std::vector<violation>& cases) {
    for (const auto& [toml, environment, options, problems] : cases) {
        CAPTURE(toml);
        CHECK(read(toml, environment, options) == problems);
    }
}

}  // namespace

TEST_CASE("all violations are reported at once, with their places") {
    check_violations({
        {"key = 'abcd'\npage_size = 500", {}, {}, "f:2:1: `page_size` must be an integer from 1 to 100, not 500"},
        {"page_size = 500\nratio = 'x'\nkey = 'abcd'",
         {"S_DEBUG=maybe"},
         {"--paint", "blue"},
         "f:1:1: `page_size` must be an integer from 1 to 100, not 500\n"
         "f:2:1: `ratio` must be a number, not \"x\"\n"
         "S_DEBUG must be true or false, not \"maybe\"\n"
         "--paint must be \"red\" or \"green\", not \"blue\""},
        {"", {}, {}, "`key` is missing: set it in f, by S_KEY_FILE or by --key-file"},
        {"key = 'supersecretsupersecret'",
         {},
         {},
         "f:1:1: `key` must be a text of 4 to 20 characters; the value is secret"},
        {"", {"S_KEY=abc"}, {}, "S_KEY must be a text of 4 to 20 characters; the value is secret"},
        {"key = 12345678", {}, {}, "f:1:1: `key` must be a text of 4 to 20 characters; the value is secret"},
        {"key = 'abcd'\npaeg_size = 1", {}, {}, "f:2:1: unknown key `paeg_size`; did you mean `page_size`?"},
        {"key = 'abcd'\n[mail]\nhots = 1", {}, {}, "f:3:1: unknown key `mail.hots`; did you mean `host`?"},
        {"key = 'abcd'\n[mail]\nzzzzzzz = 1",
         {},
         {},
         "f:3:1: unknown key `mail.zzzzzzz`, expected one of \"host\", \"port\", \"key\""},
        {"key = 'abcd'\nservr.port = 1", {}, {}, "f:2:1: unknown key `servr`; did you mean `server`?"},
    });
}

TEST_CASE("violations inside of values have the place of the value or of its part") {
    check_violations({
        {"key = 'abcd'\nmail = 3", {"S_MAIL__HOST=x"}, {}, "f:2:1: `mail` must be a table; the value is secret"},
        {"key = 'abcd'\nname = {a = 1}", {}, {}, "f:2:1: `name` must be a text, not a table"},
        {"key = 'abcd'\norigins = [\n1]", {}, {}, "f:3:1: `origins[0]` must be a text, not 1"},
        {"key = 'abcd'\n[[upstreams]]\n[[upstreams]]\nurl = 'x'", {}, {}, "f:2:1: `upstreams[0].url` is missing"},
        {"key = 'abcd'\ncache.folder = 'x'",
         {},
         {},
         "`cache.size` is missing: set it in f, by S_CACHE__SIZE or by --cache.size"},
        {"key = 'abcd'\nlimit = 'x'",
         {},
         {},
         "f:2:1: `limit` must be an integer from -2147483648 to 2147483647, not \"x\""},
        {"key = 'abcd'", {"S_SIZES=1,x"}, {}, "S_SIZES must be an integer from -2147483648 to 2147483647, not \"x\""},
        {"key = 'abcd'\nname = 5", {}, {}, "f:2:1: `name` must be a text, not 5"},
        {"key = 'abcd'\nratio = nan", {}, {}, "f:2:1: `ratio` must be a number, not \"nan\""},
        {"key = 'abcd'\npage_size = 99", {}, {}, "the page size must not be 99"},
        {"key = 'abcd'\nweights = {a = 'x'}",
         {},
         {},
         "f:2:12: `weights.a` must be an integer from -2147483648 to 2147483647, not \"x\""},
        {"key = 'abcd'\nkey = 'efgh'",
         {"S_KEY=abcd"},
         {},
         "f:2:7: Error while parsing key-value pair: cannot redefine existing string '...'"},
        {"key = 'abcd'\nratio = 'postgres://u:hunter2@h'",
         {},
         {},
         "f:2:1: `ratio` must be a number, not \"postgres://u:***@h\""},
    });
}

TEST_CASE("missing values are listed one by one, also in structs") {
    CHECK(read<strict>("", {}, {"--number=1"}) ==
          "`cache.folder` is missing: set it in f, by S_CACHE__FOLDER or by --cache.folder\n"
          "`cache.size` is missing: set it in f, by S_CACHE__SIZE or by --cache.size\n"
          "`name` is missing: set it in f, by S_NAME or by --name\n"
          "`key` is missing: set it in f, by S_KEY_FILE or by --key-file\n"
          "`numbers` is missing: set it in f, by S_NUMBERS or by --numbers");
    CHECK(read<with_messages>("a = 'x'") == "f:1:1: `a`: give a small number\n`b`: give a name");
}

TEST_CASE("many violations are limited") {
    std::string toml = "key = 'abcd'\n";
    for (int i = 0; i < 1000; ++i) toml += "unknown" + std::to_string(i) + " = 1\n";
    const std::string problems = read(toml);
    CHECK(std::count(problems.begin(), problems.end(), '\n') == 32);
    CHECK(problems.ends_with("\nthere are more errors"));
}

TEST_CASE("missing and unreadable files") {
    std::vector<std::string> problems;
    read_sources({"/nonexistent/x", false, nullptr, nullptr}, {}, problems);
    CHECK(problems.empty());
    read_sources({"/nonexistent/x", true, nullptr, nullptr}, {}, problems);
    read_sources({"/tmp", false, nullptr, nullptr}, {}, problems);
    const test::temporary_file large(std::string((1 << 20) + 1, '\n'));
    read_sources({large.path(), false, nullptr, nullptr}, {}, problems);
    CHECK(test::joined(problems) == "/nonexistent/x: No such file or directory\n/tmp: is a directory, not a file\n" +
                                        large.path() + ": is larger than 1048576 bytes");
}

TEST_CASE("absent values are completed without an object too") {
    node tree;
    complete(tree, test::type_of_subject(), nullptr);
    std::string json;
    append_json(json, tree);
    CHECK(json == R"({"origins":[],"weights":{},"upstreams":[]})");
}

TEST_CASE("passwords of URLs are not shown") {
    const struct {
        std::string_view text, shown;
    } cases[] = {
        {"", ""},
        {"://", "://"},
        {"postgres://u:p@h/d", "postgres://u:***@h/d"},
        {"postgres://u:p@q@h:5432/d", "postgres://u:***@h:5432/d"},
        {"postgres://h:5432/d?x=a:b@c", "postgres://h:5432/d?x=a:b@c"},
        {"a://u:p@h b://v:q@h", "a://u:***@h b://v:***@h"},
        {"https://u@h:1", "https://u@h:1"},
        {"redis://:p@h", "redis://:***@h"},
        {"mailto:a@b", "mailto:a@b"},
    };
    for (const auto& [text, shown] : cases) CHECK(without_passwords(std::string(text)) == shown);
    CHECK(place_of({source::file, "f", 2, 3}) == "f:2:3");
    CHECK(place_of({source::option, "--x"}) == "--x");
}
