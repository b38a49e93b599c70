// SPDX-License-Identifier: Apache-2.0
// Configurations. The input is a TOML file, then environment variables and options, each after a NUL byte.
#include "configuration/pages.hpp"
#include "configuration/reading.hpp"
#include "configuration/toml_file.hpp"
#include "configuration/toml_text.hpp"
#include "schema/fault.hpp"

#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <apus/rules.hpp>
#include <apus/secret.hpp>

#include "property.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace {

namespace configuration = apus::configuration;
using apus::fuzz::must;

struct circle {
    double radius;
};
struct square {
    std::uint8_t side = 1;
};
struct part {
    std::string name;
    std::optional<apus::secret<apus::text<2, 9>>> key;
    std::vector<part> parts;
};
struct whole {
    std::string name = "x";
    apus::integer<1, 9> size{2};
    double ratio = 1;
    bool flag = false;
    apus::secret<std::uint16_t> pin;
    std::vector<std::string> texts;
    std::map<std::string, std::int64_t> numbers;
    std::optional<part> one;
    part given{.name = "given", .key = {}, .parts = {}};
    std::vector<std::variant<circle, square>> shapes;
    apus::json_value any = 1;
    apus::result<void> check() const {
        if (size == 7) return apus::fail(422, "no seven");
        return {};
    }
};

const apus::schema::type& type_of_whole() { return apus::detail::schema_table<whole>; }

const std::vector<configuration::setting>& settings() {
    static const auto all = configuration::settings_of(type_of_whole(), "S");
    return all;
}

// Removes and returns the text before the first NUL byte.
std::string take_text(std::string_view& from) {
    const std::size_t end = std::min(from.find('\0'), from.size());
    std::string text(from.substr(0, end));
    from.remove_prefix(std::min(end + 1, from.size()));
    return text;
}

// Whether a variable or option names a file. Such texts are skipped, so that the fuzzer does not read arbitrary files.
bool names_file(std::string_view text) {
    return text.find("FILE") != text.npos || text.find("-file") != text.npos || text.starts_with("CREDENTIALS");
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& each : texts) all.push_back(each.data());
    all.push_back(nullptr);
    return all;
}

// Two secrets that the input does not contain.
constexpr std::string_view invalid_secret = "hunter2-is-too-long";
constexpr std::string_view valid_secret = "hunter2-x";

void put_secret(configuration::node& to, std::string_view pointer) {
    for (const configuration::setting& each : settings())
        if (each.pointer == pointer)
            configuration::put_setting(to, each,
                                       {.what = configuration::node::kind::text, .text = std::string(invalid_secret)});
}

void check_problems(const std::vector<std::string>& problems, bool has_secret) {
    for (const std::string& each : problems) {
        must(!each.empty(), "error messages are not empty");
        must(!has_secret || each.find("hunter2") == each.npos, "error messages contain no secrets");
    }
}

void show(whole& value, bool has_secret) {
    if (has_secret) value.given.key = apus::secret<apus::text<2, 9>>(std::string(valid_secret));
    const std::vector<std::string> places(settings().size());
    const std::string text = configuration::show_page({type_of_whole(), &value, settings()}, places);
    must(!has_secret || text.find("hunter2") == text.npos, "secrets are masked in the output");
    must(configuration::read_toml(text, "shown").has_value(), "shown values are TOML");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::string toml = take_text(input);
    std::vector<std::string> environment, words{"program"};
    while (!input.empty()) {
        std::string text = take_text(input);
        if (!names_file(text)) (text.starts_with('-') ? words : environment).push_back(std::move(text));
    }
    std::vector<char*> variables = pointers(environment), argv = pointers(words);
    const auto arguments = configuration::read_arguments(static_cast<int>(words.size()), argv.data(), settings());
    std::vector<std::string> problems = arguments.problems;
    auto tree = configuration::read_toml(toml, "f");
    if (!tree) problems.push_back(tree.error());
    configuration::node all = tree ? *std::move(tree) : configuration::node();
    configuration::read_environment(variables.data(), settings(), all, problems);
    configuration::put_arguments(arguments, all, problems);
    const bool has_secret =
        std::string_view(reinterpret_cast<const char*>(data), size).find("hunter2") == std::string_view::npos;
    if (has_secret && size % 2 == 0) put_secret(all, "/pin");
    if (has_secret && size % 3 == 0) put_secret(all, "/given/key");
    whole value{};
    const std::size_t before = problems.size();
    configuration::fill(type_of_whole(), &value, std::move(all), {}, settings(), "f", problems);
    must(problems.size() - before <= apus::schema::max_faults + 1, "the number of violations is limited");
    check_problems(problems, has_secret);
    if (problems.empty()) show(value, has_secret);
    configuration::misspelt_variables(variables.data(), "S", settings());
    return 0;
}
