// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/request_head.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace apus::codec;
using namespace apus::codec::http1;
using apus::fuzz::must;

// Small limits, so that inputs can exceed them.
constexpr head_limits limits{256, 16, 1024};

/// Returns a head as text, to compare heads parsed at different positions.
std::string spelled(const request_head& head, const char* bytes) {
    std::string all;
    for (const slice part : {head.verb_text, head.target, head.path, head.query, head.host})
        (all += part.in(bytes)) += '\0';
    for (unsigned i = 0; i < head.field_count; ++i)
        ((all += head.fields[i].name.in(bytes)) += ':') += head.fields[i].value.in(bytes);
    for (const unsigned n : {unsigned(head.verb), unsigned(head.form), unsigned(head.body), unsigned(head.minor),
                             unsigned(head.keep_alive), unsigned(head.expects_continue), unsigned(head.wants_upgrade),
                             unsigned(head.path_has_percent), unsigned(head.has_trace_parent)})
        all += static_cast<char>('0' + n);
    return all + std::to_string(head.content_length);
}

void check_slice(slice part, std::size_t used) {
    must(std::size_t{part.at} + part.size <= used, "slices are within the head");
}

void check_done(const request_head& head, std::string_view in, std::size_t used) {
    must(used <= in.size() && in.substr(0, used).ends_with("\r\n\r\n"), "a head ends with an empty line");
    for (const slice part : {head.verb_text, head.target, head.path, head.query, head.host}) check_slice(part, used);
    must(head.field_count <= limits.fields, "the number of fields is limited");
    for (unsigned i = 0; i < head.field_count; ++i) {
        check_slice(head.fields[i].name, used);
        check_slice(head.fields[i].value, used);
        must(head.fields[i].name.size > 0, "field names are not empty");
    }
    for (const char c : in.substr(0, used))
        must(c == '\r' || c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 32,
             "a head contains no control characters");
    must(head.body != framing::chunked || head.minor == 1, "HTTP/1.0 messages are not chunked");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view in(reinterpret_cast<const char*>(data), size);
    static request_head head;
    static request_head other;
    const auto whole = read_request_head(in, limits, head);
    const std::string said = whole.state == outcome::done ? spelled(head, in.data()) : std::string();
    if (whole.state == outcome::done) check_done(head, in, whole.used);
    must((whole.state == outcome::bad) == (whole.why != nullptr),
         "a reason is set if and only if the input is rejected");

    // Each prefix is at the end of its own allocation, with another alignment.
    bool decided = false;
    for (std::size_t n = size < 600 ? 0 : size - 600; n <= size; ++n) {
        std::vector<char> moved(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n));
        const auto cut = read_request_head({moved.data(), n}, limits, other);
        if (cut.state == outcome::partial) {
            must(!decided, "more bytes do not make a complete or invalid head partial");
            continue;
        }
        decided = true;
        must(cut.state == whole.state && cut.why == whole.why && cut.used == whole.used,
             "a complete or invalid prefix has the result of the whole input");
        if (cut.state == outcome::done)
            must(n >= cut.used && spelled(other, moved.data()) == said,
                 "the parsed head does not depend on its position in memory");
    }
    must(decided == (whole.state != outcome::partial), "the longest prefix has the result of the whole input");
    return 0;
}
