// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace apus::markup {

/// What is wrong in a template: "list.html:12: what it is and what to do".
class template_error : public std::runtime_error {
public:
    template_error(std::string_view file, unsigned line, const std::string& what)
        : runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + what) {}
};

/// What stands for a value: names with dots between them, or a quoted text.
struct operand {
    std::vector<std::string_view> path;  ///< Empty for a text.
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
        branch,   ///< `inside` if the value is there, `otherwise` if not; the other way round if `negated`.
        loop,     ///< `inside` for each element, as `name`; `otherwise` if there is none.
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

/// A file that has been read. Its views are into the text it was read from.
struct parsed_file {
    std::string_view name;
    std::string_view layout;  ///< The file that this one fills the blocks of; empty if none.
    unsigned layout_line = 0;
    std::vector<node> nodes;
};

constexpr unsigned deepest_nesting = 32;
constexpr std::size_t longest_file = 1 << 20;  ///< In bytes.

/// Reads a template. Throws `template_error`.
parsed_file parse(std::string_view name, std::string_view text);

}  // namespace apus::markup
