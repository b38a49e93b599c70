// SPDX-License-Identifier: Apache-2.0

// Measures the cost of reading and writing header blocks, compared with nghttp2.
// `./apus bench micro hpack [WHAT TIMES]` prints nanoseconds per block, the minimum of several interleaved rounds,
// since other work on the machine only adds time. With WHAT (apus-read-h2load, nghttp2-write-response, ...), runs
// only that benchmark, TIMES times, so that instructions can be counted.

#include "codec/hpack/decoder.hpp"
#include "codec/hpack/encoder.hpp"
#include "codec/hpack/literal.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nghttp2/nghttp2.h>

namespace {

namespace hpack = apus::codec::hpack;
using apus::codec::fields::field_id;
using header_list = std::vector<std::pair<std::string_view, std::string_view>>;

const header_list h2load = {{":method", "GET"},
                            {":scheme", "http"},
                            {":path", "/"},
                            {":authority", "127.0.0.1:20001"},
                            {"user-agent", "h2load nghttp2/1.52.0"}};
const header_list api = {{":method", "POST"},
                         {":scheme", "https"},
                         {":path", "/v1/orders/7d3f0d3e-58a1?expand=items"},
                         {":authority", "api.example.com"},
                         {"content-type", "application/json"},
                         {"content-length", "348"},
                         {"accept", "application/json"},
                         {"x-request-id", "7d3f0d3e-58a1-4a68-9a0b-0d7c1d3f2a11"},
                         {"user-agent", "orders/2.7"}};
const header_list browser = {{":method", "GET"},
                             {":scheme", "https"},
                             {":authority", "www.example.com"},
                             {":path", "/articles/2026/11/a-walk-in-the-rain?from=front-page&page=2"},
                             {"user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"},
                             {"accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
                             {"accept-language", "en-US,en;q=0.5"},
                             {"accept-encoding", "gzip, deflate, br, zstd"},
                             {"cookie", "session=0f3a6c1d9be24778a0d1"},
                             {"cookie", "theme=dark"},
                             {"upgrade-insecure-requests", "1"},
                             {"sec-fetch-dest", "document"},
                             {"sec-fetch-mode", "navigate"},
                             {"sec-fetch-site", "none"},
                             {"te", "trailers"}};
const header_list response = {{":status", "200"},
                              {"date", "Mon, 23 Nov 2026 13:00:00 GMT"},
                              {"content-type", "text/plain; charset=utf-8"},
                              {"content-length", "6"}};

// Blocks written by nghttp2's encoder for the first request of a connection, and for a later one.
struct blocks {
    std::string first, next;
    explicit blocks(const header_list& list) {
        nghttp2_hd_deflater* deflater = nullptr;
        if (nghttp2_hd_deflate_new(&deflater, 4096) != 0) std::abort();
        for (std::string* to : {&first, &next, &next}) *to = write(deflater, list);
        nghttp2_hd_deflate_del(deflater);
    }
    static std::string write(nghttp2_hd_deflater* deflater, const header_list& list) {
        std::vector<nghttp2_nv> nvs;
        const auto bytes = [](std::string_view text) {
            return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
        };
        for (const auto& [name, value] : list) nvs.push_back({bytes(name), bytes(value), name.size(), value.size(), 0});
        std::uint8_t room[4096];
        const auto size = nghttp2_hd_deflate_hd(deflater, room, sizeof room, nvs.data(), nvs.size());
        if (size < 0) std::abort();
        return {reinterpret_cast<char*>(room), static_cast<std::size_t>(size)};
    }
};

std::size_t sink;  // prevents the compiler from removing the work

void read_apus(hpack::decoder& decoder, std::string_view block) {
    static char room[4096];
    hpack::field f;
    decoder.begin_block(64 * 1024);
    hpack::step got;
    while ((got = decoder.next(block, room, f)) == hpack::step::field)
        sink += f.value.size() + static_cast<unsigned>(f.id);
    if (got != hpack::step::end) std::abort();
}

void read_nghttp2(nghttp2_hd_inflater* inflater, std::string_view block) {
    while (true) {
        nghttp2_nv nv;
        int flags = 0;
        const auto used = nghttp2_hd_inflate_hd2(inflater, &nv, &flags,
                                                 reinterpret_cast<const std::uint8_t*>(block.data()), block.size(), 1);
        if (used < 0) std::abort();
        block.remove_prefix(static_cast<std::size_t>(used));
        if (flags & NGHTTP2_HD_INFLATE_EMIT) sink += nv.valuelen;
        if (flags & NGHTTP2_HD_INFLATE_FINAL) break;
    }
    nghttp2_hd_inflate_end_headers(inflater);
}

// Decodes the first block of a connection, with a new decoder.
void first_apus(const blocks& of) {
    hpack::decoder decoder;
    read_apus(decoder, of.first);
}
void first_nghttp2(const blocks& of) {
    nghttp2_hd_inflater* inflater = nullptr;
    if (nghttp2_hd_inflate_new(&inflater) != 0) std::abort();
    read_nghttp2(inflater, of.first);
    nghttp2_hd_inflate_del(inflater);
}
void next_apus(const blocks& of) {
    static hpack::decoder* decoder;
    static const blocks* last;
    if (last != &of) {
        last = &of;
        read_apus(*(decoder = new hpack::decoder), of.first);
    }
    read_apus(*decoder, of.next);
}
void next_nghttp2(const blocks& of) {
    static nghttp2_hd_inflater* inflater;
    static const blocks* last;
    if (last != &of) {
        last = &of;
        if (nghttp2_hd_inflate_new(&inflater) != 0) std::abort();
        read_nghttp2(inflater, of.first);
    }
    read_nghttp2(inflater, of.next);
}

constexpr hpack::fixed_field plain_text(field_id::content_type, "text/plain; charset=utf-8");

void write_apus(const blocks&) {
    static char room[256], date[64];
    static const char* date_end =
        hpack::write_literal(date, field_id::date, response[1].second, hpack::coding::huffman);
    static hpack::encoder encoder(0);
    char* to = encoder.begin_block(room);
    to = hpack::write_status(to, 200);
    to = std::copy(static_cast<const char*>(date), date_end, to);
    to = plain_text.append(to);
    to = hpack::write_content_length(to, 6);
    sink += static_cast<std::size_t>(to - room);
}
// Writes the block with references to the dynamic table.
void write_apus_indexed(const blocks&) {
    static char room[256];
    static hpack::encoder encoder;
    char* to = encoder.begin_block(room);
    to = hpack::write_status(to, 200);
    for (const auto& [name, value] : {response[1], response[2]}) to = encoder.write_indexed(to, name, value);
    to = hpack::write_content_length(to, 6);
    sink += static_cast<std::size_t>(to - room);
}
void write_nghttp2(const blocks&) {
    static nghttp2_hd_deflater* deflater;
    if (!deflater && nghttp2_hd_deflate_new(&deflater, 4096) != 0) std::abort();
    nghttp2_nv nvs[4];
    const auto bytes = [](std::string_view text) {
        return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
    };
    for (std::size_t i = 0; i < 4; ++i)
        nvs[i] = {bytes(response[i].first), bytes(response[i].second), response[i].first.size(),
                  response[i].second.size(), 0};
    std::uint8_t room[256];
    sink += static_cast<std::size_t>(nghttp2_hd_deflate_hd(deflater, room, sizeof room, nvs, 4));
}

const blocks of_h2load(h2load), of_api(api), of_browser(browser), of_response(response);

struct subject {
    const char* name;
    void (*run)(const blocks&);
    const blocks& of;
    double best = 1e9;
};
subject subjects[] = {
    {"apus-read-h2load", next_apus, of_h2load},
    {"nghttp2-read-h2load", next_nghttp2, of_h2load},
    {"apus-read-api", next_apus, of_api},
    {"nghttp2-read-api", next_nghttp2, of_api},
    {"apus-read-browser", next_apus, of_browser},
    {"nghttp2-read-browser", next_nghttp2, of_browser},
    {"apus-first-h2load", first_apus, of_h2load},
    {"nghttp2-first-h2load", first_nghttp2, of_h2load},
    {"apus-first-browser", first_apus, of_browser},
    {"nghttp2-first-browser", first_nghttp2, of_browser},
    {"apus-write-response", write_apus, of_response},
    {"apus-write-indexed", write_apus_indexed, of_response},
    {"nghttp2-write-response", write_nghttp2, of_response},
};

void measure(subject& one) {
    using clock = std::chrono::steady_clock;
    constexpr int times = 5000;
    const auto start = clock::now();
    for (int i = 0; i < times; ++i) one.run(one.of);
    one.best = std::min(one.best, std::chrono::duration<double, std::nano>(clock::now() - start).count() / times);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 2) {
        for (subject& one : subjects)
            if (std::string_view(argv[1]) == one.name)
                for (int i = std::atoi(argv[2]); i > 0; --i) one.run(one.of);
        return sink == 0;
    }
    for (int round = 0; round < 30; ++round)
        for (subject& one : subjects) measure(one);
    for (const subject& one : subjects)
        std::printf("%-24s %8.1f ns, block of %zu bytes, the first of %zu\n", one.name, one.best, one.of.next.size(),
                    one.of.first.size());
    return sink == 0;
}
