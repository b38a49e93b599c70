// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"
#include "base/utf8_checker.hpp"
#include "codec/websocket/close.hpp"
#include "codec/websocket/frame_head.hpp"
#include "codec/websocket/mask.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace apus;
using namespace apus::codec;
using namespace apus::codec::websocket;
using apus::fuzz::must;

void check_head(std::string_view bytes, frame_rules rules) {
    const auto got = read_frame_head(bytes, rules);
    if (got.state == outcome::bad)
        return must(got.why != nullptr && got.why->status >= 1002, "a rejected frame has a reason and a close code");
    if (got.state == outcome::partial)
        return must(bytes.size() < max_frame_head, "a partial head is shorter than the longest head");
    must(got.used <= bytes.size() && got.used <= max_frame_head,
         "a head does not exceed its maximum size or the input");
    for (std::size_t n = 0; n < got.used; ++n)
        must(read_frame_head(bytes.substr(0, n), rules).state == outcome::partial,
             "a prefix of a complete head is partial");
    char again[max_frame_head];
    const char* end = rules.masked ? write_masked_frame_head(again, got.value) : write_frame_head(again, got.value);
    must(std::string_view(again, static_cast<std::size_t>(end - again)) == bytes.substr(0, got.used),
         "a parsed head is written as the same bytes");
}

// Checks a text in pieces of size `step`. Returns the index of the first invalid piece, if any, and whether the text is
// valid UTF-8.
std::pair<std::size_t, bool> refused_at(std::string_view text, std::size_t step) {
    base::utf8_checker check;
    for (std::size_t at = 0; at < text.size(); at += step)
        if (!check.append(text.substr(at, step))) return {at / step, false};
    return {text.size(), check.complete()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const bool masked : {false, true})
        for (const bool compressed : {false, true}) check_head(text, {masked, compressed});

    if (const auto got = read_close(text.substr(0, max_control_size));
        got.state == outcome::done && got.value.code != 1005) {
        char again[max_control_size];
        const char* end = write_close(again, got.value);
        must(std::string_view(again, static_cast<std::size_t>(end - again)) == text.substr(0, max_control_size),
             "a parsed Close frame is written as the same bytes");
    }

    must(refused_at(text, 1).second == base::is_utf8(text),
         "checking single bytes has the same result as checking the whole text");
    must(refused_at(text, 7).second == base::is_utf8(text),
         "checking pieces of 7 bytes has the same result as checking the whole text");

    std::string twice(text);
    apply_mask(twice.data(), twice.size(), 0x12345678, size);
    apply_mask(twice.data(), size / 2, 0x12345678, size);
    apply_mask(twice.data() + size / 2, size - size / 2, 0x12345678, size + size / 2);
    must(twice == text, "a mask applied to the whole is removed in parts");
    return 0;
}
