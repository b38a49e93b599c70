// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace apus::markup {

/// Error in a template: "list.html:12: error and fix".
class template_error : public std::runtime_error {
public:
    template_error(std::string_view file, unsigned line, const std::string& what)
        : runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + what) {}
};

/// An expression for a value: names separated by dots, or a quoted text.
struct operand {
    std::vector<std::string_view> path;  ///< Empty for a quoted text.
    std::string_view text;
};

struct argument {
    std::string_view name;
    operand value;
};

struct node {
    enum class is : std::uint8_t {
        text,
        value,
        branch,   ///< `inside` if the value is true, otherwise `otherwise`; exchanged if `negated`.
        loop,     ///< `inside` for each element, as `name`; `otherwise` for an empty list.
        include,  ///< The file `name`, with arguments.
        block
    };
    is what;
    bool negated = false;
    unsigned line = 0;
    std::string_view name{};
    std::string_view text{};
    operand value{};
    std::vector<argument> arguments{};
    std::vector<node> inside{};
    std::vector<node> otherwise{};
};

/// A parsed file. The views refer to the text that was parsed.
struct parsed_file {
    std::string_view name;
    std::string_view layout;  ///< The layout whose blocks this file fills; empty without a layout.
    unsigned layout_line = 0;
    std::vector<node> nodes;
};

constexpr unsigned deepest_nesting = 32;
constexpr std::size_t longest_file = 1 << 20;  ///< In bytes.

/// Parses a template. Throws `template_error`.
parsed_file parse(std::string_view name, std::string_view text);

}  // namespace apus::markup
