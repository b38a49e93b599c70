// SPDX-License-Identifier: Apache-2.0
#include "codec/multipart/splitter.hpp"

#include "codec/multipart/boundary.hpp"
#include "codec/multipart/parameter.hpp"
#include "codec/multipart/part_head.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace apus::codec;
using multipart::piece;
using namespace std::string_literals;

// Expands '$' to CRLF, and '@' to the beginning of a usual header.
std::string written_out(std::string_view shorthand) {
    std::string out;
    for (const char c : shorthand) {
        if (c == '$') out += "\r\n";
        else if (c == '@') out += "Content-Disposition: form-data; ";
        else out += c;
    }
    return out;
}

std::string plain(std::string_view sent) {
    std::string room(sent.size(), '\0');
    return std::string(multipart::plain_name(sent, room.data()));
}

// Returns `name`, `name(file name|media type)`, or why the header is invalid.
std::string told(std::string_view header_lines) {
    const auto head = multipart::read_part_head(header_lines);
    if (head.state == outcome::bad) return head.why->reason;
    const auto& of = head.value;
    std::string type = of.media_type.empty() ? "" : "|" + std::string(of.media_type);
    return plain(of.name) + (of.is_file ? "(" + plain(of.file_name) + type + ")" : type);
}

// Returns the parts, as `name=data;` each, of a body that arrives in pieces of size `step`.
std::string seen(const std::string& body, std::size_t step, std::size_t max_head = 200) {
    const std::string delimiter = "\r\n--b";
    multipart::splitter split(delimiter, max_head);
    std::string parts, unread;
    for (std::size_t at = 0; at < body.size(); at += step) {
        unread += body.substr(at, step);
        while (true) {
            const auto next = split.next(unread);
            if (next.state == outcome::bad) return parts + next.why->reason;
            if (next.state == outcome::partial) break;
            if (next.value.what == piece::is::head) parts += told(next.value.bytes) + "=";
            if (next.value.what == piece::is::data) parts += next.value.bytes;
            if (next.value.what == piece::is::part_end) parts += ";";
            CHECK(next.used > 0);
            unread.erase(0, next.used);
        }
        CHECK(unread.size() < std::max(max_head, delimiter.size()) + step + 4);
    }
    return split.complete(unread) ? parts : parts + "...";
}

constexpr const char* junk = "a boundary of the form is followed by other text on its line";
constexpr const char* no_line = "a part of the form has no empty line after its header";
constexpr const char* no_field = "a line in the header of a part of the form is not a header field";
constexpr const char* twice = "a part of the form has a duplicate header field";
constexpr const char* no_disposition = "a part of the form has no Content-Disposition";
constexpr const char* bad_disposition = "the Content-Disposition of a part of the form is malformed, or not form-data";
constexpr const char* no_name = "a part of the form has no name";
constexpr const char* encoded = "a part of the form has a Content-Transfer-Encoding, which is not allowed in forms";

struct row {
    std::string given, wanted;
};

void check_bodies(const std::vector<row>& table) {
    for (const auto& [given, wanted] : table) {
        INFO(given);
        const std::string body = written_out(given);
        for (const std::size_t step :
             {body.size() + 1, std::size_t(1), std::size_t(2), std::size_t(3), std::size_t(7)}) {
            INFO(step);
            CHECK(seen(body, step) == wanted);
        }
    }
}

void check_heads(const std::vector<row>& table) {
    for (const auto& [given, wanted] : table) {
        INFO(given);
        CHECK(told(written_out(given)) == wanted);
    }
}

}  // namespace

TEST_CASE("multipart bodies are split, in pieces of any size") {
    check_bodies({
        {"--b$@name=a$$text$--b--$", "a=text;"},
        {"--b$@name=a$$text$--b--", "a=text;"},
        {"--b$@name=a$$$--b--$", "a=;"},
        {"--b$@name=a$$1$--b$@name=b$$2$--b--$", "a=1;b=2;"},
        {"--b$@name=a$$1$--b$@name=a$$2$--b--$", "a=1;a=2;"},
        {"--b--$", ""},
        {"--b--", ""},
        {"$--b--$", ""},
        // Text that resembles a boundary.
        {"--b$@name=a$$--c$--b--$", "a=--c;"},
        {"--b$@name=a$$x--b$--b--$", "a=x--b;"},
        {"--b$@name=a$$x\n--b$--b--$", "a=x\n--b;"},
        {"--b$@name=a$$x\r--b$--b--$", "a=x\r--b;"},
        {"--b$@name=a$$$$-$--$--a$--b--$", "a=\r\n\r\n-\r\n--\r\n--a;"},
        {"--b$@name=a$$\r\r\r$--b--$", "a=\r\r\r;"},
        {"--b$@name=a$$\r\r\n--b--$", "a=\r;"},
        {"--b$@name=a$$\r\n-\r\n--\r\n--b--$", "a=\r\n-\r\n--;"},
        {"--b$@name=a$$1$$--b--$", "a=1\r\n;"},
        {"--b$@name=a$$\0\xff\x80$--b--$"s, "a=\0\xff\x80;"s},
        // White space after a boundary.
        {"--b  $@name=a$$1$--b \t $@name=b$$2$--b-- \t$", "a=1;b=2;"},
        {"--b$@name=a$$1$--b--  ", "a=1;"},
        // Text before the first boundary and after the last one.
        {"Hello$--b$@name=a$$1$--b--$", "a=1;"},
        {"$$x--b$--b$@name=a$$1$--b--$", "a=1;"},
        {"--a$--b$@name=a$$1$--b--$", "a=1;"},
        {"--b$@name=a$$1$--b--$bye", "a=1;"},
        {"--b$@name=a$$1$--b--$--b$@name=b$$2$--b--$", "a=1;"},
        {"--b$@name=a$$1$--b--$$$", "a=1;"},
    });
}

TEST_CASE("truncated and ambiguous multipart bodies are rejected") {
    check_bodies({
        {"-", "..."},
        {"--", "..."},
        {"--b", "..."},
        {"--b-", "..."},
        {"--b$", "..."},
        {"--b$@name=a", "..."},
        {"--b$@name=a$", "..."},
        {"--b$@name=a$$", "a=..."},
        {"--b$@name=a$$text", "a=text..."},
        {"--b$@name=a$$text$", "a=text..."},
        {"--b$@name=a$$text$--", "a=text..."},
        {"--b$@name=a$$text$--b", "a=text;..."},
        {"--b$@name=a$$text$--b-", "a=text;..."},
        {"--b$@name=a$$text$--b--\r", "a=text;..."},
        {"--b$@name=a$$text$--b$", "a=text;..."},
        {"no form at all", "..."},
        {"name=a&b=c", "..."},
        {"{\"json\":1}", "..."},
        {"--bx$@name=a$$1$--b--$", junk},
        {"--b\n@name=a$$1$--b--$", junk},
        {"--b\r@name=a$$1$--b--$", junk},
        {"--b-$@name=a$$1$--b--$", junk},
        {"--b --$", junk},
        {"--b$@name=a$$1$--bc$2$--b--$", std::string("a=1;") + junk},
        {"--b$@name=a$$1$--b-x$2$--b--$", std::string("a=1;") + junk},
        {"--b$@name=a$$1$--b--x", std::string("a=1;") + junk},
        {"--b$@name=a$$1$--b---$", std::string("a=1;") + junk},
        {"--b$@name=a$$1$--b--\n", std::string("a=1;") + junk},
        {"--b$@name=a$$--b$@name=b$$2$--b--$", std::string("a=") + no_line},
        {"--b$@name=a$$--b--$", std::string("a=") + no_line},
    });
    CHECK(seen("", 1) == "...");
}

TEST_CASE("part headers are parsed") {
    check_heads({
        {"@name=a$", "a"},
        {"@name=\"a\"$", "a"},
        {"@name=\"\"$", ""},
        {"@name=\"a b; c=d\"$", "a b; c=d"},
        {"@NAME=a$", "a"},
        {"CONTENT-DISPOSITION:FORM-DATA;name=a$", "a"},
        {"Content-Disposition:\t form-data ; name=a \t$", "a"},
        {"@name=a; x=y; z=\"1\"$", "a"},
        {"@x=y;name=a$", "a"},
        {"@name=\"\xc3\xa9\"$", "\xc3\xa9"},
        {"@name=a; filename=f.txt$", "a(f.txt)"},
        {"@name=a; filename=\"f.txt\"$Content-Type: text/plain; charset=utf-8$", "a(f.txt|text/plain; charset=utf-8)"},
        {"Content-Type: image/png$@filename=\"x y.png\"; name=a$", "a(x y.png|image/png)"},
        {"@name=a; filename=\"\"$Content-Type: application/octet-stream$", "a(|application/octet-stream)"},
        {"@name=a; filename=\"../../etc/passwd\"$", "a(../../etc/passwd)"},
        {"@name=a; filename=\"C:\\dir\\f.txt\"$", "a(C:\\dir\\f.txt)"},
        {"@name=a; filename=\"a%22b%0D%0Ac%0d%0a\"$", "a(a\"b\r\nc\r\n)"},
        {"@name=a; filename=\"100%25 %2 %\"$", "a(100%25 %2 %)"},
        {"@name=\"a%22b\"$", "a\"b"},
        {"@name=a; filename=\"a\\\"b\"$", "a(a\"b)"},
        {"@name=a; filename=\"a\\\\b\"$", "a(a\\b)"},
        {"@name=a; filename=\"a\\\\\"$", "a(a\\)"},
        {"@name=a; filename*=UTF-8''na%C3%AFve.txt$", "a()"},
        {"@name=a; filename=\"f\"; filename*=UTF-8''g$", "a(f)"},
        {"@name=a; name*=UTF-8''b$", "a"},
        {"@name=a$Content-Type: text/plain$", "a|text/plain"},
        {"@name=a$X-Own: 1$x-own: 2$", "a"},
        {"@name=a$Content-Transfer-Encoding: binary$", "a"},
        {"@name=a$Content-Transfer-Encoding: 8BIT$", "a"},
        {"@name=a$Content-Transfer-Encoding: base64$", encoded},
        {"@name=a$Content-Transfer-Encoding: quoted-printable$", encoded},
        {"@name=a$Content-Transfer-Encoding:$", encoded},
    });
}

TEST_CASE("invalid part headers are rejected") {
    check_heads({
        {"", no_disposition},
        {"Content-Type: text/plain$", no_disposition},
        {"Content-Disposition: form-data$", no_name},
        {"@$", bad_disposition},
        {"@filename=a$", no_name},
        {"@name*=a$", no_name},
        {"@name=a$@name=a$", twice},
        {"@name=a$Content-Type: a/b$content-type: a/b$", twice},
        {"Content-Disposition: attachment; name=a$", bad_disposition},
        {"Content-Disposition: form-datax; name=a$", bad_disposition},
        {"Content-Disposition:$", bad_disposition},
        {"@name=a; name=b$", bad_disposition},
        {"@name=a; filename=b; FileName=c$", bad_disposition},
        {"@name=$", bad_disposition},
        {"@name$", bad_disposition},
        {"@=a$", bad_disposition},
        {"@name =a$", bad_disposition},
        {"@name= a$", bad_disposition},
        {"@name=\"a$", bad_disposition},
        {"@name=\"a\\\"$", bad_disposition},
        {"@name=\"a\"b$", bad_disposition},
        {"@name=a b$", bad_disposition},
        {"@name=a;$", bad_disposition},
        {"@name=a;; x=y$", bad_disposition},
        {"@name=a, x=y$", bad_disposition},
        {"@name=a$no field$", no_field},
        {"@name=a$: no name$", no_field},
        {"@name=a$x : space$", no_field},
        {"@name=a$ folded: line$", no_field},
        {"@name=a$\tfolded$", no_field},
        {"@name=a\n$", no_field},
        {"@name=a\r$", no_field},
        {"@name=a$x: \x01$", no_field},
        {"@name=\"a\x7f\"$", no_field},
        {"@name=a\nX: y$", no_field},
    });
    CHECK(told("Content-Disposition: form-data; name=\"a\0\"\r\n"s) == no_field);
}

TEST_CASE("the size of a part header is limited") {
    const std::string body = written_out("--b$@name=a$x: ");  // the header has 43 bytes up to here
    const std::string end = written_out("$$1$--b--");
    const auto filled = [&](std::size_t size) {
        std::string all = body;
        return all.append(size, 'x').append(end);
    };
    for (const std::size_t step : {std::size_t(500), std::size_t(1)}) {
        CHECK(seen(filled(55), step, 100) == "a=1;");
        CHECK(seen(filled(56), step, 100) == "the header of a part of the form is too large");
        CHECK(seen(body + std::string(400, 'x'), step, 100) == "the header of a part of the form is too large");
    }
}

TEST_CASE("the boundary is parsed from Content-Type") {
    const std::string missing = "the Content-Type of the form has no boundary";
    const std::string bad = "invalid boundary of the form: expected 1 to 70 characters of RFC 2046, 5.1.1";
    const std::string malformed = "malformed Content-Type of the form";
    const std::vector<row> table = {
        {"multipart/form-data; boundary=b", "b"},
        {"multipart/form-data;boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW", "----WebKitFormBoundary7MA4YWxkTrZu0gW"},
        {"multipart/form-data; boundary=\"a b'()+_,-./:=?c\"", "a b'()+_,-./:=?c"},
        {"multipart/form-data; charset=utf-8; BOUNDARY=b", "b"},
        {"multipart/form-data; boundary=" + std::string(70, 'b'), std::string(70, 'b')},
        {"multipart/form-data; boundary=" + std::string(71, 'b'), bad},
        {"multipart/form-data; boundary=\"\"", bad},
        {"multipart/form-data; boundary=\"b \"", bad},
        {"multipart/form-data; boundary=\"b\\c\"", bad},
        {"multipart/form-data; boundary=b%c", bad},
        {"multipart/form-data; boundary=\"b\xc3\xa9\"", bad},
        {"multipart/form-data", missing},
        {"multipart/form-data; charset=utf-8", missing},
        {"multipart/form-data; boundary=", malformed},
        {"multipart/form-data; boundary", malformed},
        {"multipart/form-data; boundary=a; boundary=b", malformed},
        {"multipart/form-data; boundary=a b", malformed},
        {"multipart/form-data; boundary=a:b", malformed},
        {"multipart/form-data; boundary=\"b", malformed},
        {"multipart/form-data; =b", malformed},
    };
    for (const auto& [given, wanted] : table) {
        INFO(given);
        const auto found = multipart::read_boundary(given);
        CHECK((found.state == outcome::bad ? found.why->reason : std::string(found.value)) == wanted);
    }
}

TEST_CASE("parameters are parsed one by one") {
    const std::string_view text = "; a=1;b=\"2; c\" ; d=3 ";
    std::string all;
    for (std::string_view rest = text;;) {
        const auto next = multipart::read_parameter(rest);
        rest.remove_prefix(next.used);
        if (next.value.name.empty()) {
            CHECK(rest.empty());
            break;
        }
        all.append(next.value.name).append("=").append(next.value.value).append(" ");
    }
    CHECK(all == "a=1 b=2; c d=3 ");
}
