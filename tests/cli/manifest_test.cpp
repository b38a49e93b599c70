// SPDX-License-Identifier: Apache-2.0
#include "cli/manifest/manifest.hpp"

#include <doctest/doctest.h>

#include "cli/errors/failure.hpp"

using namespace apus::cli;

namespace {

struct wrong {
    const char* text;
    const char* code;
    const char* message;
    const char* hint;
};

constexpr wrong refused[] = {
    {"[project]\nname = 3\n", "E0204", "apus.toml:2: `project.name` must be a string, not an integer", ""},
    {"[project]\nversoin = \"1\"\nname = \"a\"\n", "E0203", "apus.toml:2: unknown key `project.versoin`",
     "did you mean `version`?"},
    {"[project]\nname = \"a\"\n[projekt]\n", "E0203", "apus.toml:3: unknown key `projekt`", "did you mean `project`?"},
    {"[project]\nversion = \"1.0.0\"\n", "E0205", "apus.toml:1: `project` requires `name`", ""},
    {"", "E0205", "apus.toml: missing table `[project]`", ""},
    {"project = 1\n", "E0204", "apus.toml:1: `project` must be a table, not an integer", ""},
    {"[project]\nname = \"3d\"\n", "E0206", "apus.toml:2: `project.name` must begin with a letter", ""},
    {"[project]\nname = \"all\"\n", "E0206", "apus.toml:2: `project.name` is a reserved name of CMake or Apus", ""},
    {"[project]\nname = \"a\"\nstandard = 20\n", "E0206", "apus.toml:3: `project.standard` is 20; allowed: 23 to 26",
     ""},
    {"[project]\nname = \"a\"\n[dev]\nport = 65536\n", "E0206", "apus.toml:4: `dev.port` is 65536; allowed: 0 to 65535",
     ""},
    {"[project]\nname = \"a\"\n[sdk.profiles]\nweb = [\"core\"]\n", "E0206",
     "apus.toml:4: `sdk.profiles.web` is a profile of Apus; choose another name", ""},
    {"[project]\nname = \"a\"\n[sdk.profiles]\n\"../x\" = [\"core\"]\n", "E0206",
     "apus.toml:4: `sdk.profiles.../x` must begin with a letter and contain only lower-case letters, digits, `-` and "
     "`_`",
     ""},
    {"[project]\nname = \"a\"\n[sdk.profiles]\nmine = []\n", "E0206",
     "apus.toml:4: `sdk.profiles.mine` must be a list of components, such as `[\"core\", \"tls\"]`", ""},
    {"[project]\nname = \"a\"\n[dev]\nwatch = [\"src\", 3]\n", "E0204",
     "apus.toml:4: `dev.watch` must be a list of strings, but contains an integer", ""},
};

}  // namespace

TEST_CASE("manifest: errors have a line") {
    for (const wrong& each : refused) {
        CAPTURE(each.text);
        try {
            manifest::read(each.text, "/p/apus.toml");
            FAIL("it was read");
        } catch (const errors::failure& why) {
            CHECK(why.code() == each.code);
            CHECK(why.message() == each.message);
            CHECK(why.hint() == each.hint);
        }
    }
}

TEST_CASE("manifest: invalid TOML is rejected with its line") {
    try {
        manifest::read("[project\nname = \"a\"\n", "/p/apus.toml");
        FAIL("it was read");
    } catch (const errors::failure& why) {
        CHECK(why.code() == "E0202");
        CHECK(why.message().starts_with("apus.toml:1: "));
    }
}

TEST_CASE("manifest: defaults are as documented") {
    const auto read = manifest::read("[project]\nname = \"shop\"\n", "/p/apus.toml");
    CHECK(read.folder == "/p");
    CHECK(read.project.name == "shop");
    CHECK(read.project.version == "0.1.0");
    CHECK(read.project.standard == 23);
    CHECK(read.dev.port == 8080);
    CHECK_FALSE(read.sdk.version);
}
