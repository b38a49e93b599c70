// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/syntax.hpp"

namespace apus::markup {

/// Content between `{{` and `}}`, or the text up to the next tag.
struct tag {
    enum class is : std::uint8_t {
        end_of_file,
        text,
        comment,
        value,
        branch,
        otherwise_if,
        otherwise,
        loop,
        include,
        layout,
        block,
        end
    };
    is what = is::end_of_file;
    bool negated = false;
    unsigned line = 0;
    std::string_view keyword{};  ///< First word of a tag; for a text, the whole text.
    std::string_view name{};
    operand value{};
    std::vector<argument> arguments{};
};

/// Splits a file into text and tags.
/// If a tag without output is alone on its line, removes the whole line, so that pages have no empty lines.
class tag_reader {
public:
    tag_reader(std::string_view file, std::string_view text) : file_(file), all_(text) {}

    /// Throws `template_error`.
    tag next();

private:
    void read_words(tag&, std::string_view inside);
    void read_argument(tag&, std::string_view& rest);
    operand read_operand(std::string_view& rest);
    std::string_view read_word(std::string_view& rest);
    std::string_view read_quoted(std::string_view& rest);
    tag read_tag();
    [[noreturn]] void refuse(const std::string& what) const { throw template_error(file_, line_, what); }

    std::string_view file_, all_;
    std::size_t at_ = 0;
    unsigned line_ = 1;
};

}  // namespace apus::markup
