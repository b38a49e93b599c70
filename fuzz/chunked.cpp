// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/chunked.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using namespace apus::codec;
using namespace apus::codec::http1;
using apus::fuzz::must;

constexpr head_limits limits{256, 8, 512};

/// Parses `in` and each of its prefixes, each at the end of its own allocation, and checks
/// that the results agree.
template <class F>
auto read_with_prefixes(std::string_view in, F read) {
    const auto whole = read(in);
    must((whole.state == outcome::bad) == (whole.why != nullptr),
         "a reason is set if and only if the input is rejected");
    must(whole.used <= in.size(), "the parser does not use more bytes than the input has");
    bool decided = false;
    for (std::size_t n = in.size() < 300 ? 0 : in.size() - 300; n <= in.size(); ++n) {
        const std::vector<char> moved(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n));
        const auto cut = read(std::string_view(moved.data(), n));
        must(cut.state != outcome::partial || !decided, "more bytes do not make a complete or invalid input partial");
        decided = cut.state != outcome::partial;
        if (decided)
            must(cut.state == whole.state && cut.why == whole.why && cut.used == whole.used,
                 "a complete or invalid prefix has the result of the whole input");
    }
    return whole;
}

bool read_all_trailers(std::string_view in) {
    static trailer_section section;
    const auto trailers =
        read_with_prefixes(in, [](std::string_view bytes) { return read_trailers(bytes, limits, section); });
    if (trailers.state != outcome::done) return false;
    must(in.substr(0, trailers.used).ends_with("\r\n"), "trailers end with an empty line");
    must(section.field_count <= limits.fields, "the number of fields is limited");
    for (unsigned i = 0; i < section.field_count; ++i)
        must(section.fields[i].value.at + section.fields[i].value.size <= trailers.used,
             "values are within the trailer section");
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view in(reinterpret_cast<const char*>(data), size);
    for (;;) {
        const auto line = read_with_prefixes(in, read_chunk_size);
        if (line.state == outcome::partial) must(in.size() < 300, "an endless chunk-size line is rejected");
        if (line.state != outcome::done) return 0;
        must(line.value <= std::numeric_limits<std::int64_t>::max(), "a chunk size is less than 2^63");
        must(in.substr(0, line.used).find('\n') == line.used - 1, "a chunk-size line contains one LF, at its end");
        in.remove_prefix(line.used);
        if (line.value == 0) break;
        if (line.value > in.size()) return 0;
        in.remove_prefix(line.value);
        const auto end = read_with_prefixes(in, read_chunk_end);
        if (end.state != outcome::done) return 0;
        in.remove_prefix(end.used);
    }
    read_all_trailers(in);
    return 0;
}
