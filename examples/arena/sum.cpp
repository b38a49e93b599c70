// SPDX-License-Identifier: Apache-2.0
#include "arena/sum.hpp"

#include <charconv>
#include <cstdint>

namespace arena {
namespace {

apus::result<std::int64_t> whole_number(std::string_view text, const char* what) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return value;
    return apus::fail(400, std::string(what) + " must be a 64-bit integer");
}

apus::result<std::int64_t> query_sum(std::string_view query) {
    std::int64_t sum = 0;
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(pair.size() == query.size() ? pair.size() : pair.size() + 1);
        if (!pair.starts_with("a=") && !pair.starts_with("b=")) continue;
        auto value = whole_number(pair.substr(2), "a value of the query");
        if (!value) return value;
        if (__builtin_add_overflow(sum, *value, &sum)) return apus::fail(400, "the sum exceeds 64 bits");
    }
    return sum;
}

apus::result<std::string> sum_of(apus::request& req, apus::body_text body) {
    const auto sum = query_sum(req.query());
    if (!sum) return std::unexpected(sum.error());
    const auto number = body.bytes.empty() ? 0 : whole_number(body.bytes, "the body");
    if (!number) return std::unexpected(number.error());
    std::int64_t total = 0;
    if (__builtin_add_overflow(*sum, *number, &total)) return apus::fail(400, "the sum exceeds 64 bits");
    return std::to_string(total);
}

}  // namespace

void add_sums(apus::app& app) {
    const auto query_alone = [](apus::request& req) { return sum_of(req, {}); };
    app.get("/baseline11", query_alone);
    app.get("/baseline2", query_alone);
    app.post("/baseline11", sum_of);
}

}  // namespace arena
