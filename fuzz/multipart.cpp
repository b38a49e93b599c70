// SPDX-License-Identifier: Apache-2.0
#include "codec/multipart/boundary.hpp"
#include "codec/multipart/part_head.hpp"
#include "codec/multipart/splitter.hpp"

#include "property.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace apus::codec;
using apus::fuzz::must;
using multipart::piece;

constexpr std::size_t max_head = 300;

void read_head(std::string_view lines) {
    const auto head = multipart::read_part_head(lines);
    if (head.state == outcome::bad) return must(head.why != nullptr, "a rejected input has a reason");
    std::string room(head.value.file_name.size(), '\0');
    const auto name = multipart::plain_name(head.value.file_name, room.data());
    must(name.size() <= room.size(), "a decoded name is not longer than its buffer");
    must(head.value.is_file || head.value.file_name.empty(), "a file name implies `is_file`");
    must(!head.value.name.contains('\n') && !head.value.media_type.contains('\r'), "values contain no line break");
}

// Returns the headers and data of the parts of a body that arrives in pieces of size `step`.
std::string seen(std::string_view delimiter, std::string_view body, std::size_t step) {
    multipart::splitter split(delimiter, max_head);
    std::string parts, unread;
    for (std::size_t at = 0; at < body.size(); at += step) {
        unread += body.substr(at, step);
        while (true) {
            const auto next = split.next(unread);
            if (next.state == outcome::bad) return parts + next.why->reason;
            if (next.state == outcome::partial) break;
            must(next.used > 0 && next.used <= unread.size(), "each step consumes bytes");
            if (next.value.what == piece::is::head) {
                read_head(next.value.bytes);
                parts.append("head:").append(next.value.bytes).append("data:");
            }
            if (next.value.what == piece::is::data) parts += next.value.bytes;
            if (next.value.what == piece::is::part_end) parts += "end;";
            unread.erase(0, next.used);
        }
        must(unread.size() <= max_head + 4 || unread.size() < delimiter.size(), "the number of held bytes is limited");
    }
    return parts + (split.complete(unread) ? "whole" : "cut");
}

}  // namespace

// The first line of the input is the Content-Type; the rest is the body.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto line = std::min(text.find('\n'), size);
    const auto boundary = multipart::read_boundary(text.substr(0, line));
    if (boundary.state == outcome::bad) return must(boundary.why != nullptr, "a rejected input has a reason"), 0;
    const std::string_view body = text.substr(std::min(line + 1, size));
    const std::string delimiter = "\r\n--" + std::string(boundary.value);
    const std::string whole = seen(delimiter, body, size + 1);
    for (const std::size_t step : {std::size_t(1), std::size_t(5)})
        must(seen(delimiter, body, step) == whole, "the parts do not depend on how the body is split");
    return 0;
}
