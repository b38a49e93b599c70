// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/program.hpp"
#include "markup/syntax.hpp"

#include <map>
#include <string>

namespace apus::markup {

/// The templates of a folder, by their names.
class file_set {
public:
    /// Reads a template. Throws `template_error`.
    void add(std::string name, std::string text);

    /// Looks at every template that is not only a part of others, as far as that can be done without
    /// knowing the types of models. Throws `template_error`.
    void check() const;

    /// Makes a program of a template, for models of a type. Throws `template_error`.
    program compile(std::string_view name, const schema::type& model) const;

    /// Null if there is none.
    const parsed_file* find(std::string_view name) const noexcept;

private:
    struct stored {
        std::string text;
        parsed_file parsed;
    };
    std::map<std::string, stored, std::less<>> files_;
};

}  // namespace apus::markup
