// SPDX-License-Identifier: Apache-2.0
#include "configuration/arguments.hpp"

#include "configuration/subject.hpp"

#include <doctest/doctest.h>

using namespace apus::configuration;

namespace {

// Returns the tree as JSON, the arguments of the server, the command, the file, and the problems.
std::string seen(std::vector<std::string> arguments) {
    static const std::vector<setting> settings = settings_of(test::type_of_subject(), "S");
    arguments.insert(arguments.begin(), "program");
    test::words all(std::move(arguments));
    auto read = read_arguments(all.argc(), all.argv(), settings);
    node tree;
    put_arguments(read, tree, read.problems);
    std::string text;
    append_json(text, tree);
    for (std::size_t i = 1; i < read.of_server.size(); ++i) text += std::string(" ") + read.of_server[i];
    if (read.wanted != command::none) text += " command " + std::to_string(static_cast<int>(read.wanted));
    if (read.file) text += " file " + *read.file;
    for (const std::string& each : read.problems) text += "\n" + each;
    return text;
}

}  // namespace

TEST_CASE("options of settings are separated from options of the server") {
    const test::temporary_file file("of a file\n");
    const struct {
        std::vector<std::string> arguments;
        std::string_view seen;
    } cases[] = {
        {{}, "{}"},
        {{"--page-size", "7"}, R"({"page_size":7})"},
        {{"--page-size=7", "--page-size=8"}, R"({"page_size":8})"},
        {{"--name="}, R"({"name":""})"},
        {{"--name=--x"}, R"({"name":"--x"})"},
        {{"--limit", "-5"}, R"({"limit":-5})"},
        {{"--mail.port", "7"}, R"({"mail":{"port":7}})"},
        {{"--debug"}, R"({"debug":true})"},
        {{"--debug=off"}, R"({"debug":false})"},
        {{"--no-debug"}, R"({"debug":false})"},
        {{"--debug", "--port", "1"}, R"({"debug":true} --port 1)"},
        {{"--origins", "a,b", "--origins=c"}, R"({"origins":["a,b","c"]})"},
        {{"--sizes=1", "--sizes", "x"}, R"({"sizes":[1,"x"]})"},
        {{"--host", "--name", "--access-log", "--cores=2"}, "{} --host --name --access-log --cores=2"},
        {{"--config", "x.toml"}, "{} file x.toml"},
        {{"--config=x.toml", "--config="}, "{} file "},
        {{"--help"}, "{} command 1"},
        {{"-h"}, "{} command 1"},
        {{"--config-show"}, "{} command 2"},
        {{"--config-check"}, "{} command 3"},
        {{"--config-schema"}, "{} command 4"},
        {{"--config-example"}, "{} command 5"},
        {{"--page-size"}, "{}\n--page-size needs a value"},
        {{"--page-size", "--debug"}, "{\"debug\":true}\n--page-size needs a value"},
        {{"--config"}, "{}\n--config needs a value"},
        {{"--port"}, "{} --port"},  // reported by the server
        {{"--name=\xff"}, "{}\n--name is not valid UTF-8"},
        {{"--page-sise=7"}, "{}\nunknown option `--page-sise`; did you mean `--page-size`?"},
        {{"--prot", "80"}, "{}\nunknown option `--prot`; did you mean `--port`?"},
        {{"--confg", "x"}, "{}\nunknown option `--confg`; did you mean `--config`?"},
        {{"--unheard-of-thing"}, "{}\nunknown option `--unheard-of-thing`"},
        {{"--no-name"}, "{}\nunknown option `--no-name`; did you mean `--name`?"},
        {{"80"}, "{}\nunexpected argument `80`"},
        {{""}, "{}\nunexpected argument ``"},
        {{"--mail.key", "hunter2"},
         "{}\n--mail.key is not accepted, since other users can see it: use --mail.key-file FILE or S_MAIL__KEY"},
        {{"--mail.key=hunter2"},
         "{}\n--mail.key is not accepted, since other users can see it: use --mail.key-file FILE or S_MAIL__KEY"},
        {{"--kez", "hunter2"}, "{}\nunknown option `--kez`; did you mean `--key`?"},
        {{"--key-file", "/nonexistent"}, "{}\n--key-file: /nonexistent: No such file or directory"},
        {{"--key-file", "hunter2"}, "{}\n--key-file: the file: No such file or directory"},
        {{"--key-file", file.path()}, R"({"key":"of a file"})"},
    };
    for (const auto& [arguments, expected] : cases) {
        CAPTURE(test::joined(arguments));
        CHECK(seen(arguments) == expected);
    }
    CHECK(read_arguments(0, nullptr, {}).of_server.empty());
}

TEST_CASE("options of the server and of all configurations are reserved") {
    for (const std::string_view option : {"--port", "--help", "--config", "--config-show", "--listen"})
        CHECK(is_reserved_option(option));
    CHECK(!is_reserved_option("--name"));
}
