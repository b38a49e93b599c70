// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/program.hpp"
#include "markup/syntax.hpp"

#include <utility>

namespace apus::markup {

/// Target of an operand: a path from the model or a loop element, or a literal text.
struct place {
    bool is_text = false;
    std::string_view text{};
    program::from begins = program::from::model;
    std::uint32_t loop = 0;
    std::vector<program::step> steps{};
    const schema::type* of = nullptr;  ///< Null if the type is not known: then each name is accepted.
};

/// The names that are visible at a position of a template.
class scope {
public:
    explicit scope(const schema::type* model) : model_(model) {}

    void add(std::string_view name, place what) { names_.push_back({name, std::move(what)}); }
    void add_loop(std::string_view name, std::uint32_t loop, const schema::type* element);
    void remove_loop();

    /// Throws an error without a line number.
    place find(const operand&) const;

    const schema::type* model() const noexcept { return model_; }

private:
    struct named {
        std::string_view name;
        place what;
    };
    place begin(std::string_view name, std::size_t& used) const;
    place loop_value(std::string_view name) const;

    const schema::type* model_;
    std::vector<named> names_;
    std::vector<std::uint32_t> loops_;
};

}  // namespace apus::markup
