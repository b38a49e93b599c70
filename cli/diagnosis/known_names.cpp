// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/known_names.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "cli/text/package_of_program.hpp"

namespace apus::cli::diagnosis {
namespace {

// A library in Debian 12. A header or symbol that ends in `/`, `:` or `_` is a prefix of several names.
struct library {
    std::string_view name;  // name for `apus add` and for the linker option -l
    std::string_view package;
    std::string_view header;   // a header, or a folder if it ends in a slash
    std::string_view cmake;    // for find_package
    std::string_view pc;       // for pkg_check_modules
    std::string_view symbols;  // common prefix of the library's symbols
};

constexpr library libraries[] = {
    {"absl", "libabsl-dev", "absl/", "absl", "", "absl::"},
    {"asio", "libasio-dev", "asio.hpp", "", "", ""},
    {"benchmark", "libbenchmark-dev", "benchmark/", "benchmark", "benchmark", "benchmark::"},
    {"boost", "libboost-all-dev", "boost/", "Boost", "", "boost::"},
    {"brotlienc", "libbrotli-dev", "brotli/", "", "libbrotlienc", "Brotli"},
    {"cares", "libc-ares-dev", "ares.h", "c-ares", "libcares", "ares_"},
    {"catch2", "catch2", "catch2/", "Catch2", "catch2", "Catch::"},
    {"cli11", "libcli11-dev", "CLI/", "CLI11", "CLI11", ""},
    {"crypto", "libssl-dev", "openssl/evp.h", "", "libcrypto", "EVP_"},
    {"curl", "libcurl4-openssl-dev", "curl/", "CURL", "libcurl", "curl_"},
    {"deflate", "libdeflate-dev", "libdeflate.h", "libdeflate", "libdeflate", "libdeflate_"},
    {"doctest", "doctest-dev", "doctest/", "doctest", "", "doctest::"},
    {"eigen3", "libeigen3-dev", "Eigen/", "Eigen3", "eigen3", ""},
    {"fmt", "libfmt-dev", "fmt/", "fmt", "fmt", "fmt::"},
    {"grpc++", "libgrpc++-dev", "grpcpp/", "gRPC", "grpc++", "grpc::"},
    {"gtest", "libgtest-dev", "gtest/", "GTest", "gtest", "testing::"},
    {"hiredis", "libhiredis-dev", "hiredis/", "hiredis", "hiredis", "redisC"},
    {"icuuc", "libicu-dev", "unicode/", "ICU", "icu-uc", "icu_"},
    {"jpeg", "libjpeg-dev", "jpeglib.h", "JPEG", "libjpeg", "jpeg_"},
    {"lz4", "liblz4-dev", "lz4.h", "lz4", "liblz4", "LZ4_"},
    {"mariadb", "libmariadb-dev", "mysql.h", "", "libmariadb", "mysql_"},
    {"mariadb", "libmariadb-dev", "mysql/", "", "mariadb", ""},
    {"nghttp2", "libnghttp2-dev", "nghttp2/", "", "libnghttp2", "nghttp2_"},
    {"nlohmann_json", "nlohmann-json3-dev", "nlohmann/", "nlohmann_json", "nlohmann_json", ""},
    {"png", "libpng-dev", "png.h", "PNG", "libpng", "png_"},
    {"pq", "libpq-dev", "libpq-fe.h", "PostgreSQL", "libpq", "PQ"},
    {"protobuf", "libprotobuf-dev", "google/protobuf/", "Protobuf", "protobuf", "google::protobuf::"},
    {"pugixml", "libpugixml-dev", "pugixml.hpp", "pugixml", "pugixml", "pugi::"},
    {"range-v3", "librange-v3-dev", "range/v3/", "range-v3", "range-v3", ""},
    {"rapidjson", "rapidjson-dev", "rapidjson/", "RapidJSON", "RapidJSON", ""},
    {"rdkafka", "librdkafka-dev", "librdkafka/", "", "rdkafka", "rd_kafka_"},
    {"simdjson", "libsimdjson-dev", "simdjson.h", "simdjson", "simdjson", "simdjson::"},
    {"sodium", "libsodium-dev", "sodium.h", "", "libsodium", "sodium_"},
    {"spdlog", "libspdlog-dev", "spdlog/", "spdlog", "spdlog", "spdlog::"},
    {"sqlite3", "libsqlite3-dev", "sqlite3.h", "SQLite3", "sqlite3", "sqlite3_"},
    {"ssl", "libssl-dev", "openssl/", "OpenSSL", "openssl", "SSL_"},
    {"tbb", "libtbb-dev", "tbb/", "TBB", "tbb", "tbb::"},
    {"tinyxml2", "libtinyxml2-dev", "tinyxml2.h", "tinyxml2", "tinyxml2", "tinyxml2::"},
    {"tomlplusplus", "libtomlplusplus-dev", "toml++/", "tomlplusplus", "tomlplusplus", "toml::"},
    {"uring", "liburing-dev", "liburing.h", "", "liburing", "io_uring_"},
    {"xml2", "libxml2-dev", "libxml/", "LibXml2", "libxml-2.0", "xml"},
    {"yaml-cpp", "libyaml-cpp-dev", "yaml-cpp/", "yaml-cpp", "yaml-cpp", "YAML::"},
    {"z", "zlib1g-dev", "zlib.h", "ZLIB", "zlib", "deflate"},
    {"zstd", "libzstd-dev", "zstd.h", "zstd", "libzstd", "ZSTD_"},
};

struct pair {
    std::string_view name, value;
};

constexpr pair newer_headers[] = {
    {"format", "`apus add fmt` and <fmt/format.h>"},
    {"print", "`apus add fmt` and <fmt/core.h>"},
    {"generator", "a loop or a task"},
    {"flat_map", "<map>"},
    {"flat_set", "<set>"},
    {"mdspan", "<span>"},
    {"stacktrace", "a sanitizer's report"},
};

constexpr pair standard_names[] = {
    {"accumulate", "numeric"},
    {"all_of", "algorithm"},
    {"any_of", "algorithm"},
    {"array", "array"},
    {"async", "future"},
    {"atomic", "atomic"},
    {"binary_search", "algorithm"},
    {"bitset", "bitset"},
    {"byte", "cstddef"},
    {"chrono", "chrono"},
    {"cerr", "iostream"},
    {"cin", "iostream"},
    {"clamp", "algorithm"},
    {"condition_variable", "condition_variable"},
    {"copy", "algorithm"},
    {"coroutine_handle", "coroutine"},
    {"count", "algorithm"},
    {"count_if", "algorithm"},
    {"cout", "iostream"},
    {"deque", "deque"},
    {"exception", "exception"},
    {"expected", "expected"},
    {"filesystem", "filesystem"},
    {"find", "algorithm"},
    {"find_if", "algorithm"},
    {"for_each", "algorithm"},
    {"from_chars", "charconv"},
    {"function", "functional"},
    {"getline", "string"},
    {"hash", "functional"},
    {"ifstream", "fstream"},
    {"int64_t", "cstdint"},
    {"invalid_argument", "stdexcept"},
    {"iota", "numeric"},
    {"isdigit", "cctype"},
    {"list", "list"},
    {"lock_guard", "mutex"},
    {"lower_bound", "algorithm"},
    {"make_shared", "memory"},
    {"make_unique", "memory"},
    {"map", "map"},
    {"max", "algorithm"},
    {"max_element", "algorithm"},
    {"memcpy", "cstring"},
    {"min", "algorithm"},
    {"min_element", "algorithm"},
    {"move", "utility"},
    {"multimap", "map"},
    {"mutex", "mutex"},
    {"none_of", "algorithm"},
    {"ofstream", "fstream"},
    {"optional", "optional"},
    {"ostringstream", "sstream"},
    {"pair", "utility"},
    {"printf", "cstdio"},
    {"queue", "queue"},
    {"ranges", "ranges"},
    {"remove_if", "algorithm"},
    {"replace", "algorithm"},
    {"reverse", "algorithm"},
    {"rotate", "algorithm"},
    {"runtime_error", "stdexcept"},
    {"scoped_lock", "mutex"},
    {"set", "set"},
    {"shared_mutex", "shared_mutex"},
    {"shared_ptr", "memory"},
    {"size_t", "cstddef"},
    {"sort", "algorithm"},
    {"source_location", "source_location"},
    {"span", "span"},
    {"sqrt", "cmath"},
    {"stack", "stack"},
    {"string", "string"},
    {"string_view", "string_view"},
    {"stringstream", "sstream"},
    {"strlen", "cstring"},
    {"swap", "utility"},
    {"this_thread", "thread"},
    {"thread", "thread"},
    {"to_string", "string"},
    {"transform", "algorithm"},
    {"tuple", "tuple"},
    {"uint8_t", "cstdint"},
    {"uint32_t", "cstdint"},
    {"uint64_t", "cstdint"},
    {"unique", "algorithm"},
    {"unique_lock", "mutex"},
    {"unique_ptr", "memory"},
    {"unordered_map", "unordered_map"},
    {"unordered_set", "unordered_set"},
    {"upper_bound", "algorithm"},
    {"variant", "variant"},
    {"vector", "vector"},
};

constexpr pair apus_names[] = {
    {"api_key_auth", "api_key_auth"},
    {"app", "app"},
    {"authority", "tls"},
    {"basic_auth", "basic_auth"},
    {"bearer_auth", "bearer_auth"},
    {"blocking", "blocking"},
    {"body_text", "http"},
    {"client", "client"},
    {"compress_responses", "compression"},
    {"concurrency_limit", "concurrency_limit"},
    {"cookie", "header"},
    {"cors", "cors"},
    {"csrf", "csrf"},
    {"event_stream", "events"},
    {"fail", "error"},
    {"file", "files"},
    {"files", "files"},
    {"form", "form"},
    {"header", "header"},
    {"hub", "hub"},
    {"integer", "rules"},
    {"identity", "identity"},
    {"json", "json"},
    {"json_value", "json_value"},
    {"limits", "limits"},
    {"log", "log"},
    {"email", "rules"},
    {"memory_session_store", "sessions"},
    {"one_of", "rules"},
    {"openapi_document", "openapi"},
    {"openapi_page", "openapi"},
    {"page", "pages"},
    {"pattern", "rules"},
    {"query", "query"},
    {"rate_limit", "rate_limit"},
    {"redirect", "redirect"},
    {"request", "http"},
    {"response", "http"},
    {"result", "error"},
    {"security_headers", "security_headers"},
    {"serve", "app"},
    {"session", "session"},
    {"sessions", "sessions"},
    {"sleep_for", "sleep"},
    {"task", "task"},
    {"text", "rules"},
    {"timeout", "timeout"},
    {"uploaded_file", "uploaded_file"},
    {"websocket", "websocket"},
};

captures about(const library& of) { return {{"package", of.package}, {"library", of.name}}; }

// Returns true if `known` equals `name`, or ends in `/`, `:` or `_` and is a prefix of `name`.
bool covers(std::string_view known, std::string_view name) {
    if (known.empty()) return false;
    return known.ends_with('/') || known.ends_with(':') || known.ends_with('_') ? name.starts_with(known)
                                                                                : name == known;
}

template <class Covers>
std::optional<captures> find_library(std::string_view name, Covers covers_it) {
    const auto found = std::ranges::find_if(libraries, [&](const library& each) { return covers_it(each, name); });
    if (name.empty() || found == std::end(libraries)) return std::nullopt;
    return about(*found);
}

std::optional<captures> find_pair(std::span<const pair> all, std::string_view name, std::string_view as) {
    const auto found = std::ranges::find(all, name, &pair::name);
    if (name.empty() || found == all.end()) return std::nullopt;
    return captures{{as, found->value}};
}

std::optional<captures> find_program(std::string_view name) {
    const std::string_view package = text::package_of_program(name);
    return package.empty() ? std::nullopt : std::optional(captures{{"package", package}});
}

}  // namespace

std::optional<captures> look_up(lookup by, const captures& found) {
    const std::string_view name = find(found, "name");
    switch (by) {
        case lookup::none: return captures();
        case lookup::header:
            return find_library(find(found, "header"), [](const library& each, std::string_view header) {
                return covers(each.header, header);
            });
        case lookup::newer_header: return find_pair(newer_headers, find(found, "header"), "instead");
        case lookup::symbol:
            return find_library(find(found, "symbol"), [](const library& each, std::string_view symbol) {
                return !each.symbols.empty() && symbol.starts_with(each.symbols);
            });
        case lookup::library:
            return find_library(find(found, "library"),
                                [](const library& each, std::string_view other) { return each.name == other; });
        case lookup::cmake_package:
            return find_library(name, [](const library& each, std::string_view other) { return each.cmake == other; });
        case lookup::pkg_config:
            return find_library(name, [](const library& each, std::string_view other) { return each.pc == other; });
        case lookup::program: return find_program(name);
        case lookup::standard_name: return find_pair(standard_names, name, "header");
        case lookup::apus_name: return find_pair(apus_names, name, "header");
    }
    return std::nullopt;
}

}  // namespace apus::cli::diagnosis
