// SPDX-License-Identifier: Apache-2.0
#include "configuration/environment.hpp"

#include "configuration/subject.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

using namespace apus::configuration;

namespace {

const std::vector<setting>& subject_settings() {
    static const std::vector<setting> all = settings_of(test::type_of_subject(), "S");
    return all;
}

// Returns the tree as JSON, then the problems.
std::string read(std::vector<std::string> environment, node tree = {}) {
    test::words all(std::move(environment));
    std::vector<std::string> problems;
    read_environment(all.argv(), subject_settings(), tree, problems);
    std::string text;
    append_json(text, tree);
    for (const std::string& each : problems) text += "\n" + each;
    return text;
}

}  // namespace

TEST_CASE("variables set fields, also in structs") {
    const struct {
        std::vector<std::string> environment;
        std::string_view seen;
    } cases[] = {
        {{}, "{}"},
        {{"S_NAME=a=b"}, R"({"name":"a=b"})"},
        {{"S_NAME="}, R"({"name":""})"},
        {{"S_NAMES=x", "S_NAM=x", "NAME=x", "s_name=x", "S_NAME"}, "{}"},
        {{"S_NAME=1", "S_NAME=2"}, R"({"name":"1"})"},
        {{"S_PAGE_SIZE=7", "S_DEBUG=yes"}, R"({"page_size":7,"debug":true})"},
        {{"S_MAIL__PORT=7", "S_CACHE__FOLDER=/x"}, R"({"mail":{"port":7},"cache":{"folder":"/x"}})"},
        {{"S_ORIGINS=a,b"}, R"({"origins":["a","b"]})"},
        {{"S_NAME=\xff"}, "{}\nS_NAME is not valid UTF-8"},
        {{"S_KEY=\xff"}, "{}\nS_KEY is not valid UTF-8"},
        {{"S_KEY_FILE=/nonexistent"}, "{}\nS_KEY_FILE: /nonexistent: No such file or directory"},
        {{"S_KEY_FILE=hunter2"}, "{}\nS_KEY_FILE: the file: No such file or directory"},
        {{"S_KEY_FILE=/nonexistent", "S_KEY=x"},
         "{\"key\":\"x\"}\nS_KEY and S_KEY_FILE are both set: unset one of them"},
        {{"S_NAME_FILE=/etc/hostname"}, "{}"},  // not a secret
        {{"CREDENTIALS_DIRECTORY=/nonexistent"}, "{}"},
        {{"CREDENTIALS_DIRECTORY="}, "{}"},
    };
    for (const auto& [environment, seen] : cases) {
        CAPTURE(seen);
        CHECK(read(environment) == seen);
    }
    CHECK(!find_variable(nullptr, "S_NAME"));
}

TEST_CASE("secrets come from files, credentials and variables, in this order of precedence") {
    std::string folder = "/tmp/apus_credentials_XXXXXX";
    REQUIRE(mkdtemp(folder.data()));
    const test::temporary_file file("of a file\n");
    const auto with = [&](std::vector<std::string> more) {
        more.push_back("CREDENTIALS_DIRECTORY=" + folder);
        return read(std::move(more));
    };
    REQUIRE(symlink(file.path().c_str(), (folder + "/mail.key").c_str()) == 0);
    CHECK(with({}) == R"({"mail":{"key":"of a file"}})");
    CHECK(with({"S_MAIL__KEY=x"}) == R"({"mail":{"key":"x"}})");
    CHECK(with({"S_KEY_FILE=" + file.path()}) == R"({"key":"of a file","mail":{"key":"of a file"}})");
    unlink((folder + "/mail.key").c_str());
    REQUIRE(mkdir((folder + "/key").c_str(), 0700) == 0);
    CHECK(with({}) == "{}\ncredential " + folder + "/key: is a directory, not a file");
    rmdir((folder + "/key").c_str());
    rmdir(folder.c_str());
}

TEST_CASE("variables replace values of the file, but not values of another type around them") {
    node tree;
    tree.put("mail", {.what = node::kind::json, .text = "3"});
    tree.put("name", {.what = node::kind::json, .text = "4"});
    CHECK(read({"S_MAIL__HOST=x", "S_NAME=y"}, tree) == R"({"mail":3,"name":"y"})");
}

TEST_CASE("misspelt variables are reported") {
    test::words all({"S_PAGE_SISE=1", "S_PAGE_SIZE=1", "S_CONFIG=x", "S_PORT=tcp://10.0.0.1", "S_KEY_FIL=/x", "T_NAM=1",
                     "S_" + std::string(100'000, 'X') + "=1"});
    CHECK(test::joined(misspelt_variables(all.argv(), "S", subject_settings())) ==
          "unused variable S_PAGE_SISE; did you mean S_PAGE_SIZE?\n"
          "unused variable S_KEY_FIL; did you mean S_KEY_FILE?");
    CHECK(misspelt_variables(all.argv(), "", subject_settings()).empty());
}
