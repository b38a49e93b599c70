// SPDX-License-Identifier: Apache-2.0

// Measures the cost of parsing a document into structs, and of printing it, compared with simdjson, RapidJSON and
// nlohmann/json if installed. `./apus bench micro json_speed examples/arena/dataset.json [WHAT TIMES]` prints
// microseconds and MB/s of the fastest of several interleaved rounds: other work on the machine only adds time. With
// WHAT (apus-parse, simdjson-parse, apus-print, rapidjson-print, ...), runs only that benchmark, TIMES times, so that
// instructions can be counted.

#include <apus/json.hpp>
#include <apus/json_value.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#if __has_include(<simdjson.h>)
#include <simdjson.h>
#define WITH_SIMDJSON
#endif
#if __has_include(<rapidjson/writer.h>)
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#define WITH_RAPIDJSON
#endif
#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define WITH_NLOHMANN
#endif

namespace {

struct stars {
    std::int64_t score, count;
};
struct item {
    std::int64_t id;
    std::string name, category;
    std::int64_t price, quantity;
    bool active;
    std::vector<std::string> tags;
    stars rating;
};
using items = std::vector<item>;

std::string text;  // the document
items data;        // the document parsed into structs
std::size_t sink;  // prevents the compiler from removing the work

void apus_parse() { sink += apus::from_json<items>(text)->size(); }
void apus_print() { sink += apus::to_json(data).size(); }
void apus_any() { sink += apus::from_json<apus::json_value>(text)->size(); }

#ifdef WITH_SIMDJSON
void simdjson_parse() {
    static simdjson::ondemand::parser parser;
    static const simdjson::padded_string padded(text);
    items all;
    simdjson::ondemand::document document = parser.iterate(padded);
    for (simdjson::ondemand::object one : document.get_array()) {
        item& to = all.emplace_back();
        to.id = one["id"].get_int64();
        to.name = std::string_view(one["name"]);
        to.category = std::string_view(one["category"]);
        to.price = one["price"].get_int64();
        to.quantity = one["quantity"].get_int64();
        to.active = one["active"].get_bool();
        for (auto tag : one["tags"].get_array()) to.tags.emplace_back(std::string_view(tag));
        simdjson::ondemand::object given = one["rating"];
        to.rating.score = given["score"].get_int64();
        to.rating.count = given["count"].get_int64();
    }
    sink += all.size();
}
#endif

#ifdef WITH_RAPIDJSON
void rapidjson_print() {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> out(buffer);
    const auto put = [&](const std::string& s) { out.String(s.data(), static_cast<unsigned>(s.size())); };
    const auto number = [&](const char* name, std::int64_t value) { out.Key(name), out.Int64(value); };
    out.StartArray();
    for (const item& one : data) {
        out.StartObject();
        number("id", one.id);
        out.Key("name"), put(one.name);
        out.Key("category"), put(one.category);
        number("price", one.price), number("quantity", one.quantity);
        out.Key("active"), out.Bool(one.active);
        out.Key("tags"), out.StartArray();
        for (const std::string& tag : one.tags) put(tag);
        out.EndArray();
        out.Key("rating"), out.StartObject();
        number("score", one.rating.score), number("count", one.rating.count);
        out.EndObject();
        out.EndObject();
    }
    out.EndArray();
    sink += std::string(buffer.GetString(), buffer.GetSize()).size();
}
#endif

#ifdef WITH_NLOHMANN
void nlohmann_parse() { sink += nlohmann::json::parse(text).size(); }
void nlohmann_print() {
    static const auto value = nlohmann::json::parse(text);
    sink += value.dump().size();
}
#endif

struct subject {
    const char* name;
    void (*run)();
    double best = 1e9;
};
subject subjects[] = {
    {"apus-parse", apus_parse},           {"apus-any", apus_any},
#ifdef WITH_SIMDJSON
    {"simdjson-parse", simdjson_parse},
#endif
#ifdef WITH_NLOHMANN
    {"nlohmann-parse", nlohmann_parse},
#endif
    {"apus-print", apus_print},
#ifdef WITH_RAPIDJSON
    {"rapidjson-print", rapidjson_print},
#endif
#ifdef WITH_NLOHMANN
    {"nlohmann-print", nlohmann_print},
#endif
};

void measure(subject& one) {
    using clock = std::chrono::steady_clock;
    constexpr int times = 200;
    const auto start = clock::now();
    for (int i = 0; i < times; ++i) one.run();
    one.best = std::min(one.best, std::chrono::duration<double, std::micro>(clock::now() - start).count() / times);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::puts("usage: json_speed FILE [WHAT TIMES]"), 2;
    std::ifstream file(argv[1], std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
    auto read = apus::from_json<items>(text);
    if (!read) return std::puts(read.error().detail().c_str()), 1;
    data = *std::move(read);
    if (argc > 3) {
        for (subject& one : subjects)
            for (long i = std::strcmp(one.name, argv[2]) == 0 ? std::atol(argv[3]) : 0; i > 0; --i) one.run();
        return sink == 0;
    }
    for (int round = 0; round < 60; ++round)
        for (subject& one : subjects) measure(one);
    const std::size_t printed = apus::to_json(data).size();
    std::printf("%zu bytes read, %zu printed\n%-16s %8s %8s\n", text.size(), printed, "", "us", "MB/s");
    for (const subject& one : subjects) {
        const auto bytes = static_cast<double>(std::strstr(one.name, "print") ? printed : text.size());
        std::printf("%-16s %8.2f %8.0f\n", one.name, one.best, bytes / one.best);
    }
}
