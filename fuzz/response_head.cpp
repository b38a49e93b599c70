// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/response_head.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace apus::codec;
using namespace apus::codec::http1;
using apus::fuzz::must;

// Small limits, so that inputs can exceed them.
constexpr head_limits limits{128, 16, 1024};

/// Returns a head as text, to compare heads parsed at different positions.
std::string spelled(const response_head& head, const char* bytes) {
    std::string all(head.reason.in(bytes));
    for (unsigned i = 0; i < head.field_count; ++i)
        ((all += head.fields[i].name.in(bytes)) += ':') += head.fields[i].value.in(bytes);
    for (const std::uint64_t n : {std::uint64_t{head.status}, std::uint64_t{head.minor}, std::uint64_t{head.keep_alive},
                                  static_cast<std::uint64_t>(head.body), head.content_length})
        all += std::to_string(n) + ' ';
    return all;
}

void check_done(const response_head& head, std::string_view in, std::size_t used) {
    must(used <= in.size() && in.substr(0, used).ends_with("\r\n\r\n"), "a head ends with an empty line");
    must(head.status >= 100 && head.status <= 599, "the status is from 100 to 599");
    must(head.field_count <= limits.fields, "the number of fields is limited");
    must(head.reason.in(in.data()).find_first_of("\r\n") == std::string_view::npos,
         "the reason phrase contains no line break");
    for (unsigned i = 0; i < head.field_count; ++i) {
        const field& f = head.fields[i];
        must(f.name.size > 0 && std::size_t{f.value.at} + f.value.size <= used, "fields are within the head");
        must(f.value.in(in.data()).find_first_of("\r\n") == std::string_view::npos, "values contain no line break");
    }
    must(head.body != framing::chunked || head.minor == 1, "HTTP/1.0 messages are not chunked");
    must(body_of(head, true) == framing::none, "a response to HEAD has no body");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view in(reinterpret_cast<const char*>(data), size);
    static response_head head;
    static response_head other;
    const auto whole = read_response_head(in, limits, head);
    const std::string said = whole.state == outcome::done ? spelled(head, in.data()) : std::string();
    if (whole.state == outcome::done) check_done(head, in, whole.used);
    must((whole.state == outcome::bad) == (whole.why != nullptr),
         "a reason is set if and only if the input is rejected");

    // Each prefix is at the end of its own allocation.
    bool decided = false;
    for (std::size_t n = size < 400 ? 0 : size - 400; n <= size; ++n) {
        const std::vector<char> moved(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n));
        const auto cut = read_response_head({moved.data(), n}, limits, other);
        must(cut.state != outcome::partial || !decided, "more bytes do not make a complete or invalid head partial");
        decided = cut.state != outcome::partial;
        if (decided)
            must(cut.state == whole.state && cut.why == whole.why && cut.used == whole.used,
                 "a complete or invalid prefix has the result of the whole input");
        if (cut.state == outcome::done)
            must(spelled(other, moved.data()) == said, "the parsed head does not depend on its position in memory");
    }
    return 0;
}
