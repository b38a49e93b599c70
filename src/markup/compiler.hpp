// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/files.hpp"
#include "markup/scope.hpp"

namespace apus::markup {

/// Compiles a page with its layouts and includes to one program.
/// An included file is compiled once for each place that includes it, with the names and the HTML context of that
/// place.
class compiler {
public:
    /// Without a model, names are not checked, and the resulting program must not be used.
    compiler(const file_set& files, const schema::type* model) : files_(files), scope_(model) {}

    /// Throws `template_error`.
    program page(const parsed_file&);

private:
    struct filled_block {
        const node* by;
        std::string_view file;
    };
    void add(const std::vector<node>&);
    void add(const node&);
    void add_text(const node&);
    void add_value(const node&);
    void add_branch(const node&);
    void add_loop(const node&);
    void add_body(const node&, const place& list, std::uint32_t loop);
    void add_include(const node&);
    void add_block(const node&);
    void add_fixed(std::string_view text);

    place find(const operand&, const node&);
    std::uint32_t add_path(const place&);
    std::uint32_t add_operation(program::operation);
    std::uint32_t here();
    void meet(const context& other, const node&);
    void enter(const node&);
    [[noreturn]] void refuse(unsigned line, const std::string& what) const { throw template_error(file_, line, what); }

    const file_set& files_;
    scope scope_;
    program made_{};
    context now_{};
    std::string_view file_{};
    std::map<std::string_view, filled_block> blocks_{};
    unsigned depth_ = 0, work_ = 0;
    std::size_t barrier_ = 0;  // the latest jump target: text after it is not merged into operations before it
};

}  // namespace apus::markup
