// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/chunked.hpp"
#include "codec/http1/refusals.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using namespace apus::codec::http1;
using codec::outcome;

namespace {

// Returns "5 used 3", "partial", or why the chunk size is rejected.
std::string seen(std::string_view in) {
    static test::page_end room(64 * 1024);
    const auto line = read_chunk_size(room.place(in));
    if (line.state == outcome::partial) return "partial";
    if (line.state == outcome::bad) return line.why->reason;
    return std::to_string(line.value) + " used " + std::to_string(line.used);
}

struct size_line {
    std::string_view bytes;
    std::string_view says;
};

constexpr size_line lines[] = {
    {"5\r\nhello", "5 used 3"},
    {"0\r\n", "0 used 3"},
    {"aF\r\n", "175 used 4"},
    {"0005\r\n", "5 used 6"},
    {"00000000000000005\r\n", "5 used 19"},
    {"7fffffffffffffff\r\n", "9223372036854775807 used 18"},
};

struct size_refused {
    std::string_view bytes;
    const codec::refusal* why;
};

constexpr size_refused bad_lines[] = {
    {"\r\n", &refusals::chunk_size_missing},
    {"\n", &refusals::bare_lf},
    {";a\r\n", &refusals::chunk_size_missing},
    {" 5\r\n", &refusals::chunk_size_missing},
    {"+5\r\n", &refusals::chunk_size_missing},
    {"-5\r\n", &refusals::chunk_size_missing},
    {"g\r\n", &refusals::chunk_size_missing},
    {"0x5\r\n", &refusals::chunk_size_junk},
    {"5g\r\n", &refusals::chunk_size_junk},
    {"5.0\r\n", &refusals::chunk_size_junk},
    {"5\xa0\r\n", &refusals::chunk_size_junk},
    {"5,\r\n", &refusals::chunk_size_junk},
    {"0 5\r\n", &refusals::chunk_extension},
    {"5\nhello", &refusals::bare_lf},
    {"5\rhello", &refusals::bare_cr},
    {"5\r\r\n", &refusals::bare_cr},
    {"8000000000000000\r\n", &refusals::chunk_too_large},
    {"10000000000000000\r\n", &refusals::chunk_too_large},
    {"1111111111111111111111111\r\n", &refusals::chunk_too_large},
    {"000000000000000005\r\n", &refusals::chunk_size_zeros},
};

struct trailers_seen {
    outcome state;
    const codec::refusal* why;
    std::size_t used;
    std::string fields;
};

trailers_seen trailers(std::string_view in, const head_limits& limits = {8192, 100, 16384}) {
    static test::page_end room(64 * 1024);
    const auto placed = room.place(in);
    trailer_section section;
    const auto read = read_trailers(placed, limits, section);
    trailers_seen out{read.state, read.why, read.used, {}};
    for (unsigned i = 0; read.state == outcome::done && i < section.field_count; ++i)
        out.fields += std::string(section.fields[i].name.in(placed.data())) + "=" +
                      std::string(section.fields[i].value.in(placed.data())) + ";";
    return out;
}

}  // namespace

TEST_CASE("chunk size lines yield the size and the start of the data") {
    for (const auto& [bytes, says] : lines) CHECK(seen(bytes) == says);
}

TEST_CASE("every prefix of a valid size line is partial") {
    for (const auto& [bytes, says] : lines) {
        const auto line = bytes.substr(0, bytes.find("\r\n") + 2);
        for (std::size_t n = 0; n < line.size(); ++n) CHECK(seen(line.substr(0, n)) == "partial");
    }
}

TEST_CASE("rejected size lines have a reason, and none of their prefixes is accepted") {
    for (const auto& [bytes, why] : bad_lines) {
        CAPTURE(bytes);
        CHECK(seen(bytes) == why->reason);
        for (std::size_t n = 0; n < bytes.size(); ++n) {
            const auto cut = seen(bytes.substr(0, n));
            CHECK((cut == "partial" || cut == why->reason));
        }
    }
    CHECK(refusals::chunk_too_large.status == 413);
}

TEST_CASE("leading zeros of a chunk size are bounded") {
    CHECK(seen(std::string(60'000, '0')) == refusals::chunk_size_zeros.reason);
}

TEST_CASE("chunk data must end with CRLF") {
    CHECK(read_chunk_end("").state == outcome::partial);
    CHECK(read_chunk_end("\r").state == outcome::partial);
    CHECK(read_chunk_end("\r\n5").used == 2);
    for (const std::string_view bytes : {"\n", "X", "\rX", "\r\r\n"})
        CHECK(read_chunk_end(bytes).why == &refusals::chunk_end);
}

TEST_CASE("trailers are parsed up to their empty line") {
    CHECK(trailers("\r\nGET").used == 2);
    CHECK(trailers("\r\n").fields.empty());
    CHECK(trailers("X-Sum: 1\r\nY:\r\n\r\n").fields == "X-Sum=1;Y=;");
    const std::string_view whole = "X-Sum: 1\r\nY: 2\r\n\r\n";
    CHECK(trailers(whole).used == whole.size());
    for (std::size_t n = 0; n < whole.size(); ++n) CHECK(trailers(whole.substr(0, n)).state == outcome::partial);
}

TEST_CASE("fields that must not be in trailers are dropped") {
    CHECK(
        trailers(
            "Content-Length: 9\r\nA: 1\r\nHOST: evil\r\nAuthorization: x\r\ntransfer-encoding: chunked\r\nB: 2\r\n\r\n")
            .fields == "A=1;B=2;");
}

TEST_CASE("trailers obey the grammar and limits of fields") {
    CHECK(trailers("nocolon\r\n\r\n").why == &refusals::colon_missing);
    CHECK(trailers("A: 1\r\n b\r\n\r\n").why == &refusals::folded_line);
    CHECK(trailers("A: 1\n\r\n").why == &refusals::bare_lf);
    CHECK(trailers("\n").why == &refusals::bare_lf);
    CHECK(trailers("\rX").why == &refusals::bare_cr);
    CHECK(trailers("Host : a\r\n\r\n").why == &refusals::space_before_colon);
    CHECK(trailers("A: 1\r\nHost: b\r\nC: 2\r\n\r\n", {8192, 2, 16384}).why == &refusals::too_many_fields);
    CHECK(trailers("A: 12345\r\n\r\n", {8192, 100, 9}).why == &refusals::fields_too_long);
    CHECK(trailers("A: 12345\r\n\r\n", {8192, 100, 10}).state == outcome::done);
    CHECK(trailers("A: " + std::string(20'000, 'x')).why == &refusals::fields_too_long);
}
