// SPDX-License-Identifier: Apache-2.0
#include "compression/bounded_decoder.hpp"

#include "property.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace apus::compression;
using apus::content_coding;
using apus::fuzz::must;

constexpr decoding_bounds bounds = {.size = 200'000, .ratio = 100};

struct outcome {
    bounded state = bounded::partial;
    std::string text;
};

/// Decodes all of `in`, in pieces of this size, into `room` bytes at a time.
outcome decode(content_coding coding, std::string_view in, std::size_t piece, std::size_t room) {
    bounded_decoder decoder(coding, bounds);
    outcome all;
    std::vector<char> space(room);
    while (true) {
        // A separate allocation, so that a read past its end is detected.
        const std::vector<char> now(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(std::min(piece, in.size())));
        const auto step = decoder.take({now.data(), now.size()}, space);
        must(step.used <= now.size() && step.made <= room, "the decoder does not exceed its input and output buffers");
        all.state = step.state;
        if (step.state != bounded::partial && step.state != bounded::done) return all;
        all.text.append(space.data(), step.made);
        must(all.text.size() <= bounds.size, "the output does not exceed the size limit");
        in.remove_prefix(step.used);
        if (in.empty() && step.made < room) return all;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    constexpr content_coding codings[] = {content_coding::gzip, content_coding::deflate, content_coding::br,
                                          content_coding::zstd};
    const auto coding = codings[data[0] % 4];
    const std::string_view in(reinterpret_cast<const char*>(data) + 1, size - 1);
    const outcome whole = decode(coding, in, size, 300'000);
    const outcome pieces = decode(coding, in, 1 + data[0] / 4, 1000);
    const bool good = whole.state == bounded::done, also_good = pieces.state == bounded::done;
    must(good == also_good, "the validity of a body does not depend on how it is split");
    if (good) must(whole.text == pieces.text, "the output does not depend on how the body is split");
    return 0;
}
