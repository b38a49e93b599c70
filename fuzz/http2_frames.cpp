// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as frames of a client. Each split must result in the same frames. The contents of the
// frames must be within the input.
#include "http/h2/frame_reader.hpp"
#include "property.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

using namespace apus::codec::http2;
using apus::fuzz::must;
using apus::http::h2::frame_reader;

namespace {

void note(std::string& to, const frame_reader::item& in) {
    to += std::to_string(in.head.length) + ' ' + std::to_string(static_cast<int>(in.head.type)) + ' ' +
          std::to_string(in.head.flags) + ' ' + std::to_string(in.head.stream) + ';';
}

// Returns a description of the frames found in `bytes`, split into pieces of size `cut`.
std::string found_in(std::string_view bytes, std::size_t cut) {
    frame_reader reader;
    std::string seen;
    std::size_t padding = 0;
    std::string_view start = preface;
    frame_reader::item in;
    must(reader.next(start, in) == frame_reader::step::more, "the preface is accepted");
    for (std::size_t at = 0; at < bytes.size(); at += cut) {
        std::string_view piece = bytes.substr(at, cut);
        for (auto s = reader.next(piece, in); s != frame_reader::step::more; s = reader.next(piece, in)) {
            switch (s) {
                case frame_reader::step::head:
                    note(seen, in);
                    if (fault_of(in.head) != error_code::no_error) return seen + "fault";
                    break;
                case frame_reader::step::frame: {
                    must(in.payload.size() == in.head.length, "a frame has its whole payload");
                    seen += in.payload;
                    std::string_view block = in.payload;
                    if (in.head.type == frame_type::headers && strip_padding(in.head, block) &&
                        strip_priority(in.head, block))
                        seen += block;
                    break;
                }
                case frame_reader::step::data:
                    seen += in.payload;
                    padding += in.padding;
                    if (in.ends) seen += "end";
                    break;
                default: return seen + "invalid";
            }
        }
    }
    return seen + (reader.inside() ? "inside" : "between") + std::to_string(reader.number()) + ' ' +
           std::to_string(padding);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t cut = std::max<std::size_t>(1, data[0]);
    must(found_in(bytes, cut) == found_in(bytes, bytes.size() + 1), "frames do not depend on how the input is split");
    return 0;
}
