// SPDX-License-Identifier: Apache-2.0
#include "middleware/coding_preferences.hpp"

#include <doctest/doctest.h>

#include <string>

using enum apus::content_coding;

namespace {

std::string chosen(std::initializer_list<const char*> lines, std::initializer_list<apus::content_coding> preferred) {
    apus::middleware::coding_preferences choice;
    for (const char* line : lines) choice.accept(line);
    return std::string(apus::coding_name(choice.best({preferred.begin(), preferred.size()})));
}

}  // namespace

TEST_CASE("the client's preference decides, then the server's") {
    struct row {
        const char* accept;
        const char* chosen;
    };
    const row rows[] = {
        {"", "identity"},
        {"gzip", "gzip"},
        {"GZIP", "gzip"},
        {"x-gzip", "gzip"},
        {"gzip, deflate, br, zstd", "zstd"},
        {"gzip, deflate, br", "br"},
        {"deflate", "identity"},
        {"compress", "identity"},
        {"*", "zstd"},
        {"*;q=0.1", "zstd"},
        {"*;q=0", "identity"},
        {"zstd;q=0, *", "br"},
        {"gzip;q=0", "identity"},
        {"gzip;q=0.000", "identity"},
        {"gzip;q=0.001", "gzip"},
        {"gzip;q=0.9, br;q=0.8, zstd;q=0.7", "gzip"},
        {"gzip;q=0.5, *;q=0.4", "gzip"},
        {"gzip;q=0.5, *;q=0.6", "zstd"},
        {"gzip;q=0.5", "gzip"},
        {"identity, gzip;q=0.5", "identity"},
        {"identity;q=0.5, gzip;q=0.5", "gzip"},
        {"identity;q=0, gzip", "gzip"},
        {"identity;q=0", "identity"},
        {"br;q=1.001, gzip", "gzip"},
        {"br;q=x, gzip", "gzip"},
        {" , ,gzip , ", "gzip"},
        {"gzip;q=0, gzip;q=1", "identity"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.accept);
        CHECK(chosen({row.accept}, {zstd, br, gzip}) == row.chosen);
    }
}

TEST_CASE("the server's order is an option, and codings not in it are not sent") {
    CHECK(chosen({"gzip, br, zstd"}, {gzip, br, zstd}) == "gzip");
    CHECK(chosen({"gzip, br, zstd"}, {br}) == "br");
    CHECK(chosen({"gzip, zstd"}, {br, identity, identity}) == "identity");
}

TEST_CASE("several field lines are one list") {
    CHECK(chosen({"gzip;q=0.5", "br"}, {zstd, br, gzip}) == "br");
    CHECK(chosen({"gzip;q=0", "gzip"}, {gzip}) == "identity");
}
