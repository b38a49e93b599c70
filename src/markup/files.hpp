// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/program.hpp"
#include "markup/syntax.hpp"

#include <functional>
#include <map>
#include <string>

namespace apus::markup {

/// The templates of a folder by name.
class file_set {
public:
    /// Parses a template and adds it. Throws `template_error`.
    void add(std::string name, std::string text);

    /// Checks each template that can be a page, as far as possible without model types.
    /// Throws `template_error`.
    void check() const;

    /// Compiles a template for models of a type. Throws `template_error`.
    program compile(std::string_view name, const schema::type& model) const;

    /// Returns null if the file does not exist.
    const parsed_file* find(std::string_view name) const noexcept;

private:
    struct stored {
        std::string text;
        parsed_file parsed;
    };
    std::map<std::string, stored, std::less<>> files_;
};

}  // namespace apus::markup
