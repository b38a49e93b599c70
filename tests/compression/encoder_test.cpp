// SPDX-License-Identifier: Apache-2.0
#include "compression/encoder.hpp"

#include "compression/brotli_encoder.hpp"
#include "compression/coded.hpp"
#include "compression/gzip_encoder.hpp"
#include "compression/zstd_encoder.hpp"

#include <doctest/doctest.h>

using apus::content_coding;
using apus::compression::make_encoder;
using apus::compression::then;
using apus::support::decoded;

namespace {

using sizes = std::initializer_list<std::size_t>;

constexpr content_coding sent[] = {content_coding::gzip, content_coding::br, content_coding::zstd};

// Returns text like that of an API, in which each line has new content.
std::string text_of(std::size_t size) {
    std::string text;
    for (unsigned i = 1; text.size() < size; ++i)
        text += "{\"id\":" + std::to_string(i * 2654435761U) + ",\"name\":\"item " + std::to_string(i) +
                "\",\"tags\":[\"a\",\"b\"]}\n";
    text.resize(size);
    return text;
}

}  // namespace

TEST_CASE("whole bodies round-trip, one after the other") {
    for (auto coding : sent) {
        CAPTURE(apus::coding_name(coding));
        auto encoder = make_encoder(coding, 5);
        for (std::size_t size : sizes{0, 1, 100, 5'000, 7'000, 300'000, 100}) {
            CAPTURE(size);
            const std::string text = text_of(size);
            std::string out = "before";
            encoder->whole(text, out);
            CHECK(out.starts_with("before"));
            CHECK(decoded(coding, std::string_view(out).substr(6)) == text);
            if (size >= 5'000) CHECK(out.size() * 3 < size);
        }
    }
}

TEST_CASE("every level of a coding works") {
    struct row {
        content_coding coding;
        int least, most;
    };
    const std::string text = text_of(9'000);
    for (const row& row :
         {row{content_coding::gzip, 1, 9}, row{content_coding::br, 0, 11}, row{content_coding::zstd, 1, 19}})
        for (int level = row.least; level <= row.most; ++level) {
            CAPTURE(apus::coding_name(row.coding));
            CAPTURE(level);
            CHECK(decoded(row.coding, apus::support::coded(row.coding, text, level)) == text);
        }
}

TEST_CASE("pieces round-trip, also after an abandoned body") {
    for (auto coding : sent) {
        CAPTURE(apus::coding_name(coding));
        auto encoder = make_encoder(coding, 3);
        std::string left;
        encoder->put("left in the midst", then::flush, left);
        encoder->restart();
        const std::string text = text_of(200'000);
        for (std::size_t piece : sizes{1'000, 70'000, 200'000}) {
            std::string out;
            for (std::size_t at = 0; at < text.size(); at += piece)
                encoder->put(std::string_view(text).substr(at, piece), then::more, out);
            encoder->put({}, then::end, out);
            encoder->restart();
            CHECK(decoded(coding, out) == text);
            CHECK(out.size() * 4 < text.size());
        }
    }
}

TEST_CASE("flushed output can be decoded before more output arrives") {
    for (auto coding : sent) {
        CAPTURE(apus::coding_name(coding));
        auto encoder = make_encoder(coding, 3);
        std::string out;
        std::size_t sum = 0;
        for (std::string_view event : {"data: one\n\n", "data: two\n\n", "", "data: three\n\n"}) {
            encoder->put(event, then::flush, out);
            sum += event.size();
            CHECK(decoded(coding, out) == "partial " + std::to_string(sum));
        }
        encoder->put({}, then::end, out);
        CHECK(decoded(coding, out) == "data: one\n\ndata: two\n\ndata: three\n\n");
    }
}

TEST_CASE("each coding has its encoder") {
    CHECK(dynamic_cast<apus::compression::gzip_encoder*>(make_encoder(content_coding::gzip, 6).get()));
    CHECK(dynamic_cast<apus::compression::brotli_encoder*>(make_encoder(content_coding::br, 5).get()));
    CHECK(dynamic_cast<apus::compression::zstd_encoder*>(make_encoder(content_coding::zstd, 3).get()));
}

TEST_CASE("names of codings") {
    CHECK(apus::coding_name(content_coding::identity) == "identity");
    CHECK(apus::coding_name(content_coding::deflate) == "deflate");
}
