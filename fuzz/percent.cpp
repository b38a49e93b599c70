// SPDX-License-Identifier: Apache-2.0
#include "codec/url/percent.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace apus::codec;
using apus::fuzz::must;

/// Percent-encodes each byte, even if not necessary.
std::string encoded(std::string_view plain) {
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const char c : plain) {
        const auto byte = static_cast<unsigned char>(c);
        ((out += '%') += digits[byte >> 4]) += digits[byte & 15];
    }
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view text(in.data(), size);
    std::vector<char> out(size);
    const auto apart = url::decode_percent(text, out.data());
    std::vector<char> same = in;
    const auto in_place = url::decode_percent({same.data(), size}, same.data());
    must(apart.state == in_place.state && apart.why == in_place.why, "decoding in place has the same outcome");
    if (apart.state != outcome::done) return 0;

    must(apart.value == in_place.value, "decoding in place returns the same text");
    must(apart.value.size() <= size && apart.used == size, "decoding does not add bytes");
    must(!apart.value.contains('\0'), "decoded text contains no NUL");
    if (!text.contains('%')) must(apart.value == text, "unencoded text is unchanged");

    const std::string all = encoded(apart.value);
    std::vector<char> again(all.size());
    must(url::decode_percent(all, again.data()).value == apart.value, "encoded text decodes to the original");
    const std::string framed = "/a/" + std::string(apart.value) + "/b";
    if (apart.value == "..") must(url::has_dot_segment(framed), "the segment `..` is detected");
    if (url::has_dot_segment(framed)) must(apart.value.contains('.'), "a detected dot segment contains a dot");
    return 0;
}
