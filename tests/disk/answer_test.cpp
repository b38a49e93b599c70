// SPDX-License-Identifier: Apache-2.0
#include <apus/files.hpp>
#include <apus/test.hpp>

#include "disk/answer.hpp"
#include "disk/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace std::string_view_literals;
using apus::test::client;
using apus::test::temporary_folder;

namespace {

apus::app site(const temporary_folder& in) {
    apus::app app;
    app.mount("/static", apus::files(in.path()));
    return app;
}

}  // namespace

TEST_CASE("ranges of a small file and of a large one") {
    temporary_folder in;
    for (const std::size_t size : {std::size_t{1'000}, std::size_t{100'000}}) {
        CAPTURE(size);
        const std::string all = apus::test::numbers(size);
        in.write("n.bin", all);
        in.date("n.bin", 784'111'777);
        client c(site(in));
        const auto whole = c.get("/static/n.bin");
        CHECK(whole.body == all);
        const std::string etag(whole.header("etag"));
        const std::string of = '/' + std::to_string(size);

        const auto part = c.get("/static/n.bin", {{"range", "bytes=10-19"}});
        CHECK(part.status == 206);
        CHECK(part.body == all.substr(10, 10));
        CHECK(part.header("content-range") == "bytes 10-19" + of);
        CHECK(part.header("content-length") == "10");
        CHECK(part.header("etag") == etag);
        CHECK(c.get("/static/n.bin", {{"range", "bytes=-7"}}).body == all.substr(size - 7));
        CHECK(c.get("/static/n.bin", {{"range", "bytes=500-"}}).body == all.substr(500));
        CHECK(c.get("/static/n.bin", {{"range", "bytes=0-999999"}}).status == 206);

        const auto none = c.get("/static/n.bin", {{"range", "bytes=999999-"}});
        CHECK(none.status == 416);
        CHECK(none.header("content-range") == "bytes */" + std::to_string(size));
        CHECK(none.header("content-type") == "application/problem+json");
        CHECK(c.get("/static/n.bin", {{"range", "lines=1-2"}}).status == 200);
        const auto head = c.head("/static/n.bin", {{"range", "bytes=0-1"}});
        CHECK(head.status == 200);
        CHECK(head.header("content-length") == std::to_string(size));

        const auto parts = c.get("/static/n.bin", {{"range", "bytes=300-309, 0-1"}});
        CHECK(parts.status == 206);
        const std::string type(parts.header("content-type"));
        REQUIRE(type.starts_with("multipart/byteranges; boundary=apus-"));
        const std::string line = "--" + type.substr(type.find('=') + 1);
        const std::string head_of = "\r\ncontent-type: application/octet-stream\r\ncontent-range: bytes ";
        CHECK(parts.body == line + head_of + "300-309" + of + "\r\n\r\n" + all.substr(300, 10) + "\r\n" + line +
                                head_of + "0-1" + of + "\r\n\r\n" + all.substr(0, 2) + "\r\n" + line + "--\r\n");
        CHECK(parts.header("content-range").empty());
        CHECK(parts.header("content-length") == std::to_string(parts.body.size()));

        std::string many = "bytes=0-0";
        for (int i = 1; i < 17; ++i) many += ',' + std::to_string(i * 500) + '-' + std::to_string(i * 500);
        if (size > 10'000) CHECK(c.get("/static/n.bin", {{"range", many}}).status == 200);
    }
}

TEST_CASE("conditions are evaluated before ranges, with If-Range") {
    temporary_folder in;
    in.write("x.txt", "0123456789");
    in.date("x.txt", 784'111'777);
    client c(site(in));
    const std::string etag(c.get("/static/x.txt").header("etag"));
    const std::string_view date = "Sun, 06 Nov 1994 08:49:37 GMT";
    const std::string_view early = "Sun, 06 Nov 1994 08:49:36 GMT";
    struct row {
        std::initializer_list<apus::field_view> fields;
        int status;
    };
    const row rows[] = {
        {{{"if-none-match", etag}}, 304},
        {{{"if-none-match", "\"x\""}}, 200},
        {{{"if-modified-since", date}}, 304},
        {{{"if-modified-since", early}}, 200},
        {{{"if-none-match", "\"x\""}, {"if-modified-since", date}}, 200},
        {{{"if-match", etag}}, 200},
        {{{"if-match", "\"x\""}}, 412},
        {{{"if-unmodified-since", early}}, 412},
        {{{"if-unmodified-since", date}}, 200},
        {{{"if-match", etag}, {"if-unmodified-since", early}}, 200},
        {{{"range", "bytes=0-1"}, {"if-none-match", etag}}, 304},
        {{{"range", "bytes=0-1"}, {"if-match", "\"x\""}}, 412},
        {{{"range", "bytes=0-1"}, {"if-range", etag}}, 206},
        {{{"range", "bytes=0-1"}, {"if-range", "\"x\""}}, 200},
        {{{"range", "bytes=0-1"}, {"if-range", early}}, 200},
    };
    for (const auto& row : rows) {
        CAPTURE(&row - rows);
        CHECK(c.get("/static/x.txt", row.fields).status == row.status);
    }
    CHECK(c.head("/static/x.txt", {{"if-none-match", etag}}).status == 304);
}
