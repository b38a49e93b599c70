// SPDX-License-Identifier: Apache-2.0
#include "cli/database/statements.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using apus::cli::database::mismatches;
using apus::cli::database::program_statement;
using apus::cli::database::program_value;

namespace {

std::string joined(const std::vector<std::string>& all) {
    std::string made;
    for (const auto& each : all) made.append(made.empty() ? "" : "; ").append(each);
    return made;
}

}  // namespace

TEST_CASE("statements: structs are compared with composite types") {
    const std::vector<apus::cli::database::program_field> fields = {{"street", "text"}, {"No, x", "integer"}};
    struct {
        const char* type;
        const char* value;
        const char* found;
    } const cases[] = {
        {R"(place (street text, "No, x" integer))", "json", ""},
        {R"(place (street character varying, "No, x" bigint))", "json", ""},
        {R"(place (street text, "No, x" integer)[])", "list of json", ""},
        {"jsonb", "json", ""},
        {"jsonb", "list of json", ""},
        {"colour", "json", ""},
        {R"(place ("No, x" integer, street text))", "json",
         "has the fields No, x, street, the struct has street, No, x"},
        {"place (street text)", "json", "has the fields street, the struct has street, No, x"},
        {R"(place (street text, "No, x" integer, tags text[]))", "json",
         "has the fields street, No, x, tags, the struct has street, No, x"},
        {R"(place (street integer, "No, x" integer))", "json", "has `street` of type integer, the struct has text"},
        {R"(place (street text, "No, x" text)[])", "list of json", "has `No, x` of type text, the struct has integer"},
    };
    for (const auto& [type, value, expected] : cases) {
        CAPTURE(type);
        const program_value is{.name = "home", .type = value, .fields = fields};
        const program_statement of{.file = "a.cpp",
                                   .line = 1,
                                   .text = "select $1 as home",
                                   .parameters = {is},
                                   .reads = true,
                                   .row = "person",
                                   .fields = {is}};
        const std::string why(expected);
        CHECK(joined(mismatches(of, {.parameters = {type}, .columns = {{.name = "home", .type = type}}}, "postgres")) ==
              (why.empty() ? "" : "parameter $1 " + why + "; column `home` " + why));
    }
    const program_value text{.name = "home", .type = "text"};
    const program_statement of{
        .file = "a.cpp", .line = 1, .text = "select 1", .parameters = {}, .reads = true, .row = "r", .fields = {text}};
    CHECK(joined(mismatches(of, {.columns = {{.name = "home", .type = "place (street text)"}}}, "postgres")) ==
          "column `home` has type place (street text), field `r.home` takes text");
}
