// SPDX-License-Identifier: Apache-2.0
#include "codec/json/parse.hpp"
#include "codec/json/print.hpp"
#include "codec/url/query.hpp"

#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <apus/rules.hpp>

#include "property.hpp"

#include <array>
#include <chrono>
#include <map>
#include <variant>

namespace {

namespace json = apus::codec::json;
using apus::fuzz::must;

enum class color {
    red,
    green
};
struct circle {
    double radius;
};
struct square {
    std::uint8_t side = 1;
};
struct plain {
    std::optional<std::string> q;
    apus::integer<1, 9> limit{2};
    std::vector<std::uint16_t> id;
    color by = color::red;
    std::chrono::sys_seconds at;
};
struct rich {
    std::int64_t i;
    std::uint64_t u = 0;
    float f = 0;
    apus::text<0, 5> t{"x"};
    apus::pattern<"[a-z]*(\\d{2}|x)+"> p{"x"};
    apus::email e{"a@b"};
    std::optional<plain> o;
    std::map<std::string, std::vector<bool*>>* skipped = nullptr;
    std::map<std::string, double> m{{"a", 1}};
    std::vector<std::variant<circle, square>> v{circle{1}};
    std::array<bool, 2> a{};
    std::vector<rich> below;
    apus::json_value any = 1;
    static constexpr apus::field_note fields[] = {{.field = "skipped", .skip = true}};
    apus::result<void> check() const {
        if (i == 13) return apus::fail(422, "no thirteen");
        return {};
    }
};

template <class T>
void read_and_print(std::string_view text) {
    T value{};
    json::report found;
    json::parse(text, apus::detail::schema_table<T>, &value, found);
    must(!found.malformed || found.list.faults.size() == 1, "invalid JSON has exactly one error");
    must(found.list.faults.size() <= apus::schema::max_faults, "the number of faults is limited");
    if (!found.fine()) return;
    const std::string printed = apus::to_json(value);
    T again{};
    json::report second;
    json::parse(printed, apus::detail::schema_table<T>, &again, second);
    must(second.fine(), "the output parses");
    must(apus::to_json(again) == printed, "the parsed output is printed unchanged");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // A separate allocation, so that a read past its end is detected.
    const std::vector<char> moved(data, data + size);
    const std::string_view text(moved.data(), size);
    read_and_print<apus::json_value>(text);
    read_and_print<rich>(text);
    plain flat{};
    apus::codec::url::query_report found;
    apus::codec::url::read_query(text, apus::detail::schema_table<plain>, &flat, found);
    if (found.fine()) read_and_print<plain>(apus::to_json(flat));
    const bool strict = apus::from_json<rich>(text).has_value();
    const bool lenient =
        apus::from_json<rich>(text, {.ignore_unknown_fields = true, .null_keeps_initial_value = true}).has_value();
    must(lenient || !strict, "lenient options accept everything that strict options accept");
    return 0;
}
