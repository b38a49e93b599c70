// SPDX-License-Identifier: Apache-2.0
#include "codec/json/print.hpp"
#include "codec/json/reader.hpp"

#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <apus/rules.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <map>
#include <variant>

// Runs each line of texts.tsv. Each text is parsed at the end of a page that is followed by an inaccessible one.

namespace {

namespace json = apus::codec::json;

enum class color {
    red,
    green
};
struct point {
    int x, y;
    std::optional<std::string> label;
};
struct loose {
    int a;
    static constexpr bool ignores_unknown_fields = true;
};
struct circle {
    int radius;
};
struct rectangle {
    int width, height;
};

struct parcel {
    std::int8_t a = 1;
    std::uint16_t b = 1;
    std::int64_t c = 1;
    bool d = false;
    std::string text;
    apus::text<2, 17> bounded{"ab"};
    std::vector<std::string> texts;
    std::vector<int> list;
    static constexpr apus::field_note fields[] = {{.field = "bounded", .name = "a_name_of_more_than_sixteen"}};
};

struct outcome {
    int status = 0;
    std::string printed;
    std::vector<apus::schema::fault> faults;
};

template <class T>
outcome read(const std::string& text) {
    const std::vector<char> moved(text.begin(), text.end());
    T value{};
    json::report found;
    json::parse({moved.data(), moved.size()}, apus::detail::schema_table<T>, &value, found);
    if (!found.fine()) return {found.malformed ? 400 : found.list.status, {}, found.list.faults};
    outcome done{200, {}, {}};
    json::print(apus::detail::schema_table<T>, &value, done.printed);
    T again{};
    json::report second;
    json::parse(done.printed, apus::detail::schema_table<T>, &again, second);
    CHECK_MESSAGE(second.fine(), "what is printed is read back: ", done.printed);
    CHECK(apus::to_json(again) == done.printed);
    return done;
}

const std::map<std::string, outcome (*)(const std::string&)> readers = {
    {"any", read<apus::json_value>},
    {"i8", read<std::int8_t>},
    {"i16", read<std::int16_t>},
    {"i32", read<std::int32_t>},
    {"i64", read<std::int64_t>},
    {"u8", read<std::uint8_t>},
    {"u16", read<std::uint16_t>},
    {"u32", read<std::uint32_t>},
    {"u64", read<std::uint64_t>},
    {"f32", read<float>},
    {"f64", read<double>},
    {"flag", read<bool>},
    {"text", read<std::string>},
    {"color", read<color>},
    {"time", read<std::chrono::sys_time<std::chrono::microseconds>>},
    {"list", read<std::vector<int>>},
    {"trio", read<std::array<int, 3>>},
    {"map", read<std::map<std::string, int>>},
    {"maybe", read<std::optional<int>>},
    {"point", read<point>},
    {"loose", read<loose>},
    {"shape", read<std::variant<circle, rectangle>>},
    {"parcel", read<parcel>},
};

// Expands <xx> to a byte, and {3*x} to "xxx".
std::string expand(const std::string& cell) {
    std::string once;
    for (std::size_t i = 0; i < cell.size();) {
        const auto star = cell.find('*', i);
        const bool repeats =
            cell[i] == '{' && star != cell.npos && star > i + 1 && cell.find_first_not_of("0123456789", i + 1) == star;
        if (!repeats) {
            once += cell[i++];
            continue;
        }
        const auto end = cell.find('}', star + 2);
        for (int n = std::stoi(cell.substr(i + 1)); n > 0; --n) once += cell.substr(star + 1, end - star - 1);
        i = end + 1;
    }
    std::string bytes;
    for (std::size_t i = 0; i < once.size(); ++i) {
        const bool coded = once[i] == '<' && i + 3 < once.size() && once[i + 3] == '>';
        bytes += coded ? static_cast<char>(std::stoi(once.substr(i + 1, 2), nullptr, 16)) : once[i];
        if (coded) i += 3;
    }
    return bytes;
}

std::vector<std::string> columns(const std::string& line) {
    std::vector<std::string> cells;
    for (std::size_t at = 0; at <= line.size();) {
        const auto tab = std::min(line.find('\t', at), line.size());
        cells.push_back(expand(line.substr(at, tab - at)));
        at = tab + 1;
    }
    cells.resize(5);
    return cells;
}

// Returns the text with so many leading blanks that it is parsed in place.
std::string lengthened(const std::string& text) { return std::string(1'100, ' ') + text; }

// Returns the error for a text, without the position of a truncation.
std::string said(const outcome& got) {
    std::string all = std::to_string(got.status) + got.printed;
    for (const auto& one : got.faults)
        all += "\n" + one.pointer + ": " + (got.status == 400 ? "" : one.found) + ", " + one.expected;
    return all;
}

bool mentions(const outcome& got, const std::string& pointer, const std::string& sentence) {
    for (const auto& one : got.faults)
        if (one.pointer == pointer && one.sentence().find(sentence) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST_CASE("documents are parsed, or rejected with position and reason") {
    std::ifstream file(APUS_SOURCE_DIR "/tests/codec/json/texts.tsv");
    int cases = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        const auto cells = columns(line);
        const outcome got = readers.at(cells[0])(cells[1]);
        INFO(line);
        ++cases;
        CHECK(said(readers.at(cells[0])(lengthened(cells[1]))) == said(got));
        if (cells[2] == "ok") {
            CHECK(got.status == 200);
            CHECK(got.printed == cells[3]);
        } else {
            CHECK(got.status == std::stoi(cells[2]));
            std::string all;
            for (const auto& one : got.faults) all += one.pointer + ": " + one.sentence() + "\n";
            CHECK_MESSAGE(mentions(got, cells[3], cells[4]), all);
        }
    }
    CHECK(cases > 600);
}

TEST_CASE("the fast path for members agrees with the slow one") {
    // clang-format off
    std::vector<std::string> values = {
        "0", "-0", "7", "-7", "00", "01", "-01", "+1", "-", "127", "128", "-128", "-129", "65535", "65536", "-1",
        "1.", "1.0", "0.0", "1e2", "1E2", "1e", "123456", "1234567", "12345678", "-1234567", "-12345678",
        "9223372036854775807", "9223372036854775808", "12a", "true", "false", "tru", "fals", "truee", "falsee",
        "True", "talse", "frue", "null", "[]", "{}", "[1,2]", "[\"a\"]", "[1,\"a\"]", "[1,]", "[1;2]", "[1.5]", "\"",
        ""
    };
    // clang-format on
    for (std::size_t size = 0; size < 36; ++size) {
        const std::string plain(size, 'x');
        values.push_back('"' + plain + '"');
        values.push_back('"' + plain);
        for (const char* part : {"\\n", "\xc3\xa4", "\xff", "\x01", "\\x", "\\\"", "\xe2\x82"})
            for (const std::size_t at : {std::size_t(0), size / 2, size})
                values.push_back('"' + plain.substr(0, at) + part + plain.substr(at) + '"');
    }
    for (const std::string name : {"a", "b", "c", "d", "text", "a_name_of_more_than_sixteen", "texts", "list"}) {
        for (const std::string& value : values) {
            // A space before the colon disables the parser's fast path.
            const std::string unusual = std::string("{\"").append(name).append("\" : ").append(value).append("}");
            const std::string expected = said(read<parcel>(unusual));
            INFO(unusual);
            for (const char* colon : {"\":", "\": ", "\":  ", "\":\n\t\t  "}) {
                const std::string usual = std::string("{\"").append(name).append(colon).append(value);
                CHECK(said(read<parcel>(usual + "}")) == expected);
                CHECK(said(read<parcel>(usual + "   }")) == expected);
                CHECK(said(read<parcel>(lengthened(usual) + "}")) == expected);
                CHECK(said(read<parcel>(lengthened(usual) + "}" + std::string(100, ' '))) == expected);
            }
        }
    }
}

TEST_CASE("white space may be of any kind and size anywhere") {
    const std::string plain = R"([{"a":1,"texts":["x","y",""],"list":[1,2]},{"b":2},{"a":3,"texts":["z"]}])";
    const std::string expected = read<std::vector<parcel>>(plain).printed;
    unsigned state = 1;
    for (int round = 0; round < 300; ++round) {
        std::string spaced;
        bool inside = false;
        for (const char c : plain) {
            const auto random = (state = state * 1'103'515'245 + 12'345) >> 16;
            if (!inside && (random & 3) == 0)
                spaced += std::string(random / 4 % 20, " \n\t\r"[random / 128 % 4]) + (random & 1024 ? "  " : "");
            if (c == '"') inside = !inside;
            spaced += c;
        }
        CHECK(read<std::vector<parcel>>(spaced).printed == expected);
        CHECK(read<std::vector<parcel>>(lengthened(spaced)).printed == expected);
    }
}

TEST_CASE("every proper prefix of a document is invalid, and parsing stops at its end") {
    const std::string whole = R"({"x":-12,"label":"a\u00e9\ud83d\ude00\n","y":7})";
    for (std::size_t size = 0; size < whole.size(); ++size) CHECK(read<point>(whole.substr(0, size)).status == 400);
    CHECK(read<point>(whole).status == 200);
}

TEST_CASE("the number of listed faults is bounded") {
    std::string many = "[";
    for (int i = 0; i < 100; ++i) many += "\"x\",";
    json::report found;
    std::vector<int> to;
    json::parse(many + "1]", apus::detail::schema_table<std::vector<int>>, &to, found);
    CHECK(found.list.faults.size() == apus::schema::max_faults);
    CHECK(found.list.more);
    CHECK(found.list.faults[31].pointer == "/31");
}
