// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/program.hpp"
#include "markup/syntax.hpp"

namespace apus::markup {

/// A value as the names of a template say it: a way from the model or a loop, or a fixed text.
struct place {
    bool is_text = false;
    std::string_view text{};
    program::from begins = program::from::model;
    std::uint32_t loop = 0;
    std::vector<program::step> steps{};
    const schema::type* of = nullptr;  ///< Null while no type is known: then every name is right.
};

/// The names that can be used at a place of a template.
class scope {
public:
    explicit scope(const schema::type* model) : model_(model) {}

    void add(std::string_view name, place what) { names_.push_back({name, std::move(what)}); }
    void add_loop(std::string_view name, std::uint32_t loop, const schema::type* element);
    void remove_loop();

    /// Throws what is wrong with it, without the place.
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
