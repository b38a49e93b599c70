// SPDX-License-Identifier: Apache-2.0
#include "server/log_settings.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using server::log_format;

namespace {

std::string seen(std::string_view text) {
    auto s = server::read_log_settings(text);
    if (!s) return "refused";
    std::string format = !s->format ? "either" : *s->format == log_format::json ? "json" : "logfmt";
    return std::to_string(static_cast<int>(s->least)) + " " + format;
}

struct settings_case {
    const char* text;
    const char* seen;
};

const settings_case cases[] = {
    {"", "3 either"},         {"trace", "1 either"},       {"debug", "2 either"},  {"info", "3 either"},
    {"warn", "4 either"},     {"error", "5 either"},       {"off", "6 either"},    {"json", "3 json"},
    {"debug,json", "2 json"}, {"logfmt,warn", "4 logfmt"}, {"debug,", "2 either"}, {",json", "3 json"},
    {"verbose", "refused"},   {"debug json", "refused"},   {"DEBUG", "refused"},   {"debug,xml", "refused"},
};

}  // namespace

TEST_CASE("settings of APUS_LOG") {
    for (auto& c : cases) {
        CAPTURE(c.text);
        CHECK(seen(c.text) == c.seen);
    }
}
