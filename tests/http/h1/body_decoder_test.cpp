// SPDX-License-Identifier: Apache-2.0
#include "http/h1/body_decoder.hpp"

#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace apus;
using codec::outcome;
using http::h1::body_decoder;

namespace {

constexpr codec::http1::head_limits limits{256, 4, 64};

codec::http1::request_head head_of(std::string_view framing) {
    codec::http1::request_head head{};
    if (framing == "chunked") {
        head.body = codec::http1::framing::chunked;
    } else if (framing != "none") {
        head.body = codec::http1::framing::sized;
        head.content_length = std::stoull(std::string(framing));
    }
    return head;
}

// Decodes bytes that are split at `cut`. Returns "body|rest", with "|field=value" for trailers; "body..." if
// incomplete; or the error.
struct reading {
    body_decoder decoder;
    std::string body, trailers, waiting;
    const char* why = nullptr;
    test::page_end room{4096};

    explicit reading(std::string_view framing) : decoder(head_of(framing)) {}

    void take(std::string_view bytes) {
        waiting += bytes;
        static codec::http1::trailer_section section;
        while (!decoder.ended() && !why) {
            auto step = decoder.next(room.place(waiting), limits, section);
            body += step.piece;
            if (step.state == outcome::bad) why = step.why->reason;
            if (!step.trailers.empty())
                for (unsigned i = 0; i < section.field_count; ++i)
                    (((trailers += '|') += section.fields[i].name.in(step.trailers.data())) += '=') +=
                        section.fields[i].value.in(step.trailers.data());
            waiting.erase(0, step.used);
            if (step.state == outcome::partial) return;
        }
    }
    std::string said() const {
        if (why) return why;
        return decoder.ended() ? body + '|' + waiting + trailers : body + "...";
    }
};

std::string read(std::string_view framing, std::string_view bytes, std::size_t cut) {
    reading r(framing);
    r.take(bytes.substr(0, cut));
    r.take(bytes.substr(cut));
    return r.said();
}

struct body {
    std::string_view framing, bytes, said;
};

constexpr body bodies[] = {
    {"none", "", "|"},
    {"none", "GET /", "|GET /"},
    {"0", "GET /", "|GET /"},
    {"5", "hello", "hello|"},
    {"5", "helloGET /", "hello|GET /"},
    {"5", "hell", "hell..."},
    {"5", "", "..."},
    {"18446744073709551615", "abc", "abc..."},
    {"chunked", "0\r\n\r\n", "|"},
    {"chunked", "5\r\nhello\r\n0\r\n\r\n", "hello|"},
    {"chunked", "5\r\nhello\r\n0\r\n\r\nGET /", "hello|GET /"},
    {"chunked", "1\r\na\r\n2\r\nbc\r\n00\r\n\r\n", "abc|"},
    {"chunked", "A;x=\"0\r\n\"\r\n", "a control character in a quoted chunk extension"},
    {"chunked", "a;x=y\r\n0123456789\r\n0\r\n\r\n", "0123456789|"},
    {"chunked", "1\r\na\r\n0\r\nx-a: b\r\nx-c: d\r\n\r\nrest", "a|rest|x-a=b|x-c=d"},
    {"chunked", "1\r\na\r\n0\r\n\r", "a..."},
    {"chunked", "5\r\nhel", "hel..."},
    {"chunked", "1\r\na\r\n", "a..."},
};

}  // namespace

TEST_CASE("bodies are decoded, however the bytes are split") {
    for (const auto& b : bodies) {
        const std::string whole = read(b.framing, b.bytes, 0);
        CAPTURE(b.bytes);
        if (b.said.starts_with("a control")) CHECK(whole.size() > 20);  // the codec defines the sentence
        else CHECK(whole == b.said);
        for (std::size_t cut = 1; cut < b.bytes.size(); ++cut) {
            CAPTURE(cut);
            CHECK(read(b.framing, b.bytes, cut) == whole);
        }
        reading one_by_one(b.framing);
        for (char c : b.bytes) one_by_one.take({&c, 1});
        CHECK(one_by_one.said() == whole);
    }
}

TEST_CASE("invalid framing is rejected permanently") {
    struct {
        std::string_view bytes;
        int status;
    } const cases[] = {
        {"g\r\n", 400},
        {"\r\n", 400},
        {"5\nhello", 400},
        {"1\r\nab", 400},
        {"1\r\na\n", 400},
        {"fffffffffffffffff\r\n", 413},
        {"0\r\nx a: b\r\n\r\n", 400},
        {"0\r\na: 1\r\nb: 1\r\nc: 1\r\nd: 1\r\ne: 1\r\n\r\n", 431},
        {"0\r\na: 0123456789012345678901234567890123456789012345678901234567890123456789\r\n\r\n", 431},
    };
    for (const auto& c : cases) {
        CAPTURE(c.bytes);
        body_decoder decoder(head_of("chunked"));
        codec::http1::trailer_section section;
        std::string_view in = c.bytes;
        body_decoder::step step{};
        do {
            step = decoder.next(in, limits, section);
            in.remove_prefix(step.used);
        } while (step.state == outcome::done);
        REQUIRE(step.state == outcome::bad);
        CHECK(step.why->status == c.status);
        CHECK_FALSE(decoder.ended());
        CHECK(decoder.next(in, limits, section).state == outcome::bad);
    }
}

TEST_CASE("chunk extensions of a body are limited in total, without leading zeros") {
    constexpr std::string_view extended = "1;name=value\r\na\r\n", zeros = "0000000000001\r\na\r\n";
    const auto read = [](std::string_view chunk, int times) {
        body_decoder decoder(head_of("chunked"));
        codec::http1::trailer_section section;
        int status = 200;
        for (int i = 0; i < times && status == 200; ++i) {
            for (std::string_view in = chunk; !in.empty() && status == 200;) {
                const auto step = decoder.next(in, limits, section);
                in.remove_prefix(step.used);
                if (step.state == outcome::bad) status = step.why->status;
                if (step.state == outcome::partial) break;
            }
        }
        return status;
    };
    const int most = static_cast<int>(limits.field_bytes) / 11;
    CHECK(read(extended, most) == 200);
    CHECK(read(extended, most + 1) == 400);
    CHECK(read(zeros, 10 * most) == 200);
}

TEST_CASE("the announced remaining size is known") {
    codec::http1::trailer_section section;
    body_decoder sized(head_of("10"));
    CHECK(sized.announced() == 10);
    sized.next("abc", limits, section);
    CHECK(sized.announced() == 7);

    body_decoder chunked(head_of("chunked"));
    CHECK(chunked.announced() == 0);
    chunked.next("ff\r\n", limits, section);
    CHECK(chunked.announced() == 255);
    chunked.next("abcde", limits, section);
    CHECK(chunked.announced() == 250);

    auto endless = body_decoder::endless();
    CHECK(endless.announced() == 0);
    CHECK(endless.next("anything\r\n\r\n", limits, section).piece == "anything\r\n\r\n");
    CHECK_FALSE(endless.ended());
    CHECK(endless.next("", limits, section).state == outcome::partial);
}
