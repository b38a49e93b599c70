// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/media_type.hpp"
#include "codec/url/file_path.hpp"
#include "codec/url/percent.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The first byte selects whether hidden files are allowed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apus::codec;
    using apus::fuzz::must;
    if (size == 0) return 0;
    const bool hidden = (data[0] & 1) != 0;
    const std::vector<char> in(data + 1, data + size);
    std::vector<char> out(in.size());
    const auto path = url::read_file_path({in.data(), in.size()}, hidden, out.data());
    must(path.state != outcome::partial, "the result is never partial");
    must(path.state == outcome::done || (path.why && path.why->status >= 400),
         "a rejected path has a reason and a status");
    if (path.state != outcome::done) return 0;

    const std::string name(path.value);
    must(!url::has_dot_segment(name), "a name contains no dot segment");
    must(!name.starts_with('/') && name.find("//") == name.npos, "a name has no empty segment");
    must(name.find('\0') == name.npos && name.find('\\') == name.npos, "a name contains neither NUL nor backslash");
    must(name.size() <= url::longest_file_path, "the length of a name is limited");
    if (!hidden)
        must(name.find("/.") == name.npos && (!name.starts_with('.') || name.starts_with(".well-known")),
             "hidden files are not reachable");
    must(!fields::media_type_of(name).empty(), "each name has a media type");
    return 0;
}
