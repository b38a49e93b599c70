// SPDX-License-Identifier: Apache-2.0
#include "cli/crash/report.hpp"
#include "cli/errors/failure.hpp"
#include "codec/crash/report.hpp"

#include "property.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using apus::fuzz::must;
using namespace apus;

namespace {

// Checks that any text is the same after escaping, as a field of a line.
void check_escapes(std::string_view text) {
    std::vector<char> escaped(3 * text.size() + 3);
    const std::string field(escaped.data(), codec::crash::escape(text, escaped));
    must(codec::crash::unescaped(field) == text, "an escaped text is the same after unescaping");
    const std::string text_of_line = ("key\t" + field).substr(0, codec::crash::max_line);
    const auto line = codec::crash::parse(text_of_line);
    must(line && (field.size() > codec::crash::max_line - 4 || line->fields[0] == field), "an escaped text is a field");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view text(in.data(), in.size());
    check_escapes(text);
    try {
        const std::string shown = cli::crash::text_of(cli::crash::parse(text));
        must(std::ranges::all_of(
                 shown, [](char c) { return c == '\n' || (static_cast<unsigned char>(c) >= ' ' && c != 0x7f); }),
             "a terminal gets no control characters");
    } catch (const cli::errors::failure& e) {
        must(e.code() == "E0319", "an invalid report is E0319");
    }
    return 0;
}
