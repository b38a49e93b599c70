// SPDX-License-Identifier: Apache-2.0
#include "compression/decoder.hpp"

#include "compression/coded.hpp"

#include <doctest/doctest.h>

#include <zlib.h>

using apus::content_coding;
using apus::support::coded;
using apus::support::decoded;

namespace {

using sizes = std::initializer_list<std::size_t>;

constexpr content_coding all[] = {content_coding::gzip, content_coding::deflate, content_coding::br,
                                  content_coding::zstd};

std::string in(content_coding coding, std::string_view text) {
    if (coding != content_coding::deflate) return coded(coding, text);
    std::string out(compressBound(text.size()), '\0');
    uLongf size = out.size();
    compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size());
    out.resize(size);
    return out;
}

const std::string text = [] {
    std::string t;
    for (int i = 0; i < 900; ++i) t += "line " + std::to_string(i * 7919) + "\n";
    return t;
}();

}  // namespace

TEST_CASE("bodies round-trip, in pieces of any size") {
    for (auto coding : all) {
        CAPTURE(apus::coding_name(coding));
        const std::string bytes = in(coding, text);
        for (std::size_t piece : sizes{1, 2, 7, 100, 100'000})
            for (std::size_t room : sizes{1, 63, 4096, 100'000})
                CHECK(decoded(coding, bytes, {.size = 1 << 20}, piece, room) == text);
        CHECK(decoded(coding, in(coding, "")) == "");
    }
}

TEST_CASE("every prefix of a body is partial") {
    for (auto coding : all) {
        CAPTURE(apus::coding_name(coding));
        const std::string bytes = in(coding, "so short a text");
        for (std::size_t size = 0; size < bytes.size(); ++size)
            CHECK(decoded(coding, std::string_view(bytes).substr(0, size)).starts_with("partial"));
    }
}

TEST_CASE("bytes that are not in the coding are rejected") {
    for (auto coding : all) {
        CAPTURE(apus::coding_name(coding));
        CHECK(decoded(coding, "{\"no\": \"coding\", \"but\": \"plain text\"}") == "bad");
        for (auto other : all)
            if (other != coding) CHECK(decoded(coding, in(other, text)) != text);
    }
}

TEST_CASE("a change of any byte is detected by codings with a checksum") {
    for (auto coding : {content_coding::gzip, content_coding::deflate}) {
        CAPTURE(apus::coding_name(coding));
        const std::string bytes = in(coding, "so short a text");
        const std::size_t header = coding == content_coding::gzip ? 10 : 2;
        for (std::size_t at = header; at < bytes.size(); ++at) {
            std::string changed = bytes;
            changed[at] = static_cast<char>(changed[at] ^ 0x55);
            CHECK(decoded(coding, changed) != "so short a text");
        }
    }
}

TEST_CASE("bytes after the end are accepted only as another member or frame") {
    for (auto coding : all) {
        CAPTURE(apus::coding_name(coding));
        const bool several = coding == content_coding::gzip || coding == content_coding::zstd;
        const std::string twice = in(coding, "one ") + in(coding, "two");
        for (std::size_t piece : sizes{1, 5, 1000}) {
            CHECK(decoded(coding, twice, {.size = 100}, piece) == (several ? "one two" : "bad"));
            CHECK(decoded(coding, in(coding, "one ") + "junk that is no member", {.size = 100}, piece) == "bad");
        }
    }
}

TEST_CASE("a frame with a window over 8 MiB, or with a wrong size, is rejected") {
    // RFC 8878, 3.1.1.1: magic number, descriptor without content size, and window size.
    const std::string magic = "\x28\xb5\x2f\xfd";
    // a window of 8 MiB, and an empty last block
    CHECK(decoded(content_coding::zstd, magic + std::string("\0\x68\x01\0\0", 5)) == "");
    CHECK(decoded(content_coding::zstd, magic + std::string("\0\x70\x01\0\0", 5)) == "bad");  // a window of 16 MiB
    for (const std::size_t piece : sizes{1, 100})  // declares 104 bytes but contains none
        CHECK(decoded(content_coding::zstd, magic + std::string("\x20\x68\x01\0\0", 5), {.size = 1000}, piece) ==
              "bad");
}
