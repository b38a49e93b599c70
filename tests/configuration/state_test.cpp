// SPDX-License-Identifier: Apache-2.0
#include "configuration/state.hpp"

#include "configuration/subject.hpp"

#include <apus/log.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

#include <chrono>
#include <memory>

using namespace apus::configuration;
using apus::detail::config_state;

namespace {

struct with_port {
    int port = 1;
};
struct with_server {
    test::mail_options server;
};

// A configuration of `subject` with its sources.
class loaded {
public:
    explicit loaded(std::string_view toml, std::vector<std::string> environment = {},
                    std::vector<std::string> options = {})
        : file(toml), environment_(std::move(environment)), arguments_(with_program(std::move(options))) {
        static constexpr std::string_view reloadable[] = {"page_size", "mail"};
        state = std::make_unique<config_state>(test::type_of_subject(), reloadable,
                                               apus::config_options{.file = file.path(), .prefix = "S"},
                                               environment_.argv());
        state->read(arguments_.argc(), arguments_.argv());
    }

    const test::subject& now() const { return *static_cast<const test::subject*>(*state->current()); }

    test::temporary_file file;
    std::unique_ptr<config_state> state;

private:
    static std::vector<std::string> with_program(std::vector<std::string> options) {
        options.insert(options.begin(), "program");
        return options;
    }

    test::words environment_;
    test::words arguments_;
};

}  // namespace

TEST_CASE("values of the server are apart from those of the struct") {
    const loaded config("key = 'abcd'\n[server]\nport = 1\n", {"S_SERVER__CORES=2"}, {"--page-size=7", "--drain", "1"});
    CHECK(test::joined(config.state->problems()).empty());
    CHECK(config.state->is_usable());
    CHECK(config.now().page_size == 7);
    CHECK(config.state->server().port == 1);
    CHECK(config.state->server().cores == 2);
    CHECK(config.state->command_line().of_server.size() == 3);
    const loaded wrong("key = 'abcd'\n[server]\nprot = 1\n");
    CHECK(test::joined(wrong.state->problems()) ==
          wrong.file.path() + ":3:1: unknown key `server.prot`; did you mean `port`?");
    CHECK(!wrong.state->is_usable());
}

TEST_CASE("the file comes from the option, then from the variable") {
    const test::temporary_file other("key = 'efgh'\nname = 'other'");
    const loaded by_variable("key = 'abcd'", {"S_CONFIG=" + other.path()});
    CHECK(by_variable.now().name == "other");
    const loaded by_option("key = 'abcd'", {"S_CONFIG=/nonexistent"}, {"--config", other.path()});
    CHECK(by_option.now().name == "other");
    const loaded missing("key = 'abcd'", {}, {"--config=/nonexistent"});
    CHECK(missing.state->problems()[0] == "/nonexistent: No such file or directory");
}

TEST_CASE("fields must not take options of the server") {
    CHECK_THROWS_AS(config_state(apus::detail::schema_table<with_port>, {}, {}, nullptr), std::logic_error);
    config_state own(apus::detail::schema_table<with_server>, {}, {.prefix = "S"}, nullptr);
    test::words arguments({"program", "--server.port=7"});
    own.read(arguments.argc(), arguments.argv());
    CHECK(static_cast<const with_server*>(*own.current())->server.port == 7);
}

TEST_CASE("a reload changes reloadable fields only, and keeps references valid") {
    const loaded config("key = 'abcd'\nname = 'a'\npage_size = 1\nmail.host = 'a'");
    const test::subject& before = config.now();
    config.file.replace("key = 'efgh'\nname = 'b'\npage_size = 2\nmail.host = 'b'\n[server]\nport = 9");
    config.state->reload();
    CHECK(&config.now() != &before);
    CHECK(before.page_size == 1);
    CHECK(config.now().page_size == 2);
    CHECK(config.now().mail.host == "b");
    CHECK(config.now().name == "a");
    CHECK(config.now().key.reveal() == "abcd");
    const test::subject& second = config.now();
    config.state->reload();  // without changes
    CHECK(&config.now() == &second);
}

TEST_CASE("an invalid source changes nothing") {
    const loaded config("key = 'abcd'\npage_size = 1", {}, {"--mail.host=x"});
    const test::subject& before = config.now();
    for (const std::string_view toml : {"page_size = 2", "key = 'abcd'\npage_size = 2000", "key = 'abcd'\nx = 1", "{",
                                        "key = 'abcd'\npage_size = 99", "key = 'abcd'\n[server]\nx = 1", "\xff"}) {
        CAPTURE(toml);
        config.file.replace(toml);
        config.state->reload();
        CHECK(&config.now() == &before);
    }
    config.file.replace("key = 'abcd'\npage_size = 3\nmail.host = 'y'");
    config.state->reload();
    CHECK(config.now().page_size == 3);
    CHECK(config.now().mail.host == "x");  // options still win
}

TEST_CASE("replaced values are destroyed after a day, so that reloads do not use more and more memory") {
    apus::log::show(apus::log::level::off);
    const loaded config("key = 'abcd'\nmail.host = 'first'");
    const test::subject& first = config.now();
    auto now = config_state::clock::now();
    const auto reload = [&](const std::string& host) {
        config.file.replace("key = 'abcd'\nmail.host = '" + host + "'");
        config.state->reload_at(now += std::chrono::minutes(10));
    };
    constexpr int reloads_per_day = 24 * 6;
    reload("kept");
    const test::subject& kept = config.now();
    for (int i = 1; i <= 3 * reloads_per_day; ++i) {
        reload("h" + std::to_string(i));
        CHECK(config.now().mail.host == "h" + std::to_string(i));
        CHECK(config.state->versions() <= reloads_per_day + 2);
        if (i == reloads_per_day) CHECK(kept.mail.host == "kept");
    }
    CHECK(first.mail.host == "first");
    CHECK(config.state->counts.refused == 0);
    const test::subject& last = config.now();
    now += std::chrono::hours(72);
    config.state->reload_at(now);  // without changes
    CHECK(config.state->versions() == 2);
    CHECK(&config.now() == &last);
    reload("first");
    CHECK(&config.now() == &first);
    apus::log::show(apus::log::level::info);
}

TEST_CASE("values that a reload uses again are kept for another day") {
    apus::log::show(apus::log::level::off);
    const loaded config("key = 'abcd'\npage_size = 1");
    auto now = config_state::clock::now();
    const auto reload = [&](int page_size) -> const test::subject& {
        config.file.replace("key = 'abcd'\npage_size = " + std::to_string(page_size));
        config.state->reload_at(now += std::chrono::hours(20));
        return config.now();
    };
    const test::subject& used = reload(2);
    reload(3);
    CHECK(&reload(2) == &used);
    reload(4);
    reload(5);
    CHECK(used.page_size == 2);
    CHECK(&reload(2) != &used);
    apus::log::show(apus::log::level::info);
}

TEST_CASE("reloads with new values are limited within a day") {
    apus::log::show(apus::log::level::off);
    const loaded config("key = 'abcd'\nmail.host = 'first'");
    config.state->max_versions = 100;
    const auto now = config_state::clock::now();
    const test::subject& first = config.now();
    for (int i = 1; i <= 110; ++i) {
        config.file.replace("key = 'abcd'\nmail.host = 'h" + std::to_string(i) + "'");
        config.state->reload_at(now);
    }
    CHECK(config.now().mail.host == "h99");
    CHECK(config.state->counts.changed == 99);
    CHECK(config.state->counts.refused == 11);
    config.file.replace("key = 'abcd'\nmail.host = 'first'");
    config.state->reload_at(now);
    CHECK(&config.now() == &first);
    CHECK(config.state->counts.changed == 100);
    config.state->reload_at(now);
    CHECK(config.state->counts.unchanged == 1);
    config.file.replace("{");
    config.state->reload_at(now);
    CHECK(config.state->counts.refused == 12);
    config.file.replace("key = 'abcd'\nmail.host = 'next day'");
    config.state->reload_at(now + config_state::kept_for);
    CHECK(config.now().mail.host == "next day");
    CHECK(config.state->versions() == 2);
    apus::log::show(apus::log::level::info);
}

TEST_CASE("reloads that return to earlier values are not limited") {
    apus::log::show(apus::log::level::off);
    const loaded config("key = 'abcd'\npage_size = 1");
    for (int i = 0; i < 1010; ++i) {
        config.file.replace("key = 'abcd'\npage_size = " + std::to_string(i % 50 + 1));
        config.state->reload();
    }
    CHECK(config.now().page_size == 1009 % 50 + 1);
    CHECK(config.state->counts.refused == 0);
    apus::log::show(apus::log::level::info);
}

TEST_CASE("each command prints its page") {
    const loaded config("key = 'abcd'", {"S_PAGE_SISE=1"});
    CHECK(config.state->page(command::help, true).find("--certificate") != std::string::npos);
    CHECK(config.state->page(command::help, false).find("--certificate") == std::string::npos);
    CHECK(config.state->page(command::show, false).find("key = \"***\"  # " + config.file.path()) != std::string::npos);
    CHECK(config.state->page(command::schema, false).starts_with("{\"$schema\""));
    CHECK(config.state->page(command::example, false).starts_with("# Settings"));
    CHECK(config.state->page(command::check, false).empty());
    CHECK(test::joined(config.state->warnings()) == "unused variable S_PAGE_SISE; did you mean S_PAGE_SIZE?");
}
