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
    must(path.state != outcome::partial, "never partial");
    must(path.state == outcome::done || (path.why && path.why->status >= 400), "a refusal has a reason");
    if (path.state != outcome::done) return 0;

    const std::string name(path.value);
    must(!url::has_dot_segment(name), "no name climbs");
    must(!name.starts_with('/') && name.find("//") == name.npos, "no name is empty");
    must(name.find('\0') == name.npos && name.find('\\') == name.npos, "no NUL and no backslash");
    must(name.size() <= url::longest_file_path, "not too long");
    if (!hidden)
        must(name.find("/.") == name.npos && (!name.starts_with('.') || name.starts_with(".well-known")),
             "nothing hidden");
    must(!fields::media_type_of(name).empty(), "each has a type");
    return 0;
}
