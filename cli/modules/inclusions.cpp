// SPDX-License-Identifier: Apache-2.0
#include "cli/modules/inclusions.hpp"

#include <algorithm>

namespace apus::cli::modules {

namespace {

std::string line_of(std::string_view header) { return "#include <" + std::string(header) + ">\n"; }

bool of_c(std::string_view header) { return header.ends_with(".h"); }

struct line {
    std::size_t begin, end;  // `end` is after the line break
    std::string_view header;
    bool is_system_header;  // in angle brackets and not a C header; the new line is inserted next to such headers
};

std::vector<line> inclusions_in(std::string_view source) {
    std::vector<line> found;
    for (std::size_t begin = 0; begin < source.size();) {
        const std::size_t end = std::min(source.find('\n', begin), source.size() - 1) + 1;
        const std::string_view text = source.substr(begin, end - begin);
        if (text.starts_with("#include")) {
            const std::size_t open = std::min(text.find('<'), text.size());
            const std::string_view header =
                text.substr(open, text.find('>', open) - open).substr(open < text.size() ? 1 : 0);
            found.push_back({begin, end, header, !header.empty() && !of_c(header)});
        }
        begin = end;
    }
    return found;
}

}  // namespace

std::string inclusions(std::vector<std::string> headers) {
    const auto others = std::ranges::partition(headers, of_c);
    std::ranges::sort(headers.begin(), others.begin());
    std::ranges::sort(others);
    std::string lines;
    for (auto each = headers.begin(); each != headers.end(); ++each) {
        if (each == others.begin() && each != headers.begin()) lines += '\n';
        lines += line_of(*each);
    }
    return lines;
}

int include(std::string& source, std::string_view header) {
    const std::vector<line> all = inclusions_in(source);
    if (all.empty()) {
        source.insert(0, line_of(header) + "\n");
        return 2;
    }
    const auto like = std::ranges::find_if(all, &line::is_system_header);
    if (like == all.end()) {
        source.insert(all.front().end, "\n" + line_of(header));
        return 2;
    }
    std::size_t at = like->begin;
    for (auto each = like; each != all.end() && each->is_system_header && each->header < header; ++each) at = each->end;
    source.insert(at, line_of(header));
    return 1;
}

}  // namespace apus::cli::modules
