// SPDX-License-Identifier: Apache-2.0
#include "markup/scope.hpp"

#include "markup/value.hpp"

#include <apus/schema.hpp>

#include <stdexcept>

namespace apus::markup {
namespace {

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string fields_of(const schema::type& t) {
    std::string all;
    for (unsigned i = 0; i < t.field_count; ++i) all.append(i ? ", " : "").append(t.fields[i].name);
    return all.empty() ? "no fields" : all;
}

void enter(place& at, std::string_view name) {
    if (!at.of) return;
    while (at.of->what == schema::kind::optional) {
        at.steps.push_back({.held = at.of->optional});
        at.of = at.of->element;
    }
    if (at.of->what != schema::kind::object || is_safe_html(*at.of))
        throw std::invalid_argument(std::string(name_of_kind(*at.of)) + " has no field " + quoted(name));
    for (unsigned i = 0; i < at.of->field_count; ++i) {
        const schema::field& field = at.of->fields[i];
        if (field.name != name) continue;
        at.steps.push_back({.offset = field.offset});
        at.of = field.of;
        return;
    }
    throw std::invalid_argument(quoted(name) + " is neither a name in scope nor a field of " +
                                std::string(at.of->name) + ", which has " + fields_of(*at.of));
}

}  // namespace

void scope::add_loop(std::string_view name, std::uint32_t loop, const schema::type* element) {
    add(name, {.begins = program::from::element, .loop = loop, .of = element});
    loops_.push_back(loop);
}

void scope::remove_loop() {
    names_.pop_back();
    loops_.pop_back();
}

place scope::loop_value(std::string_view name) const {
    if (loops_.empty()) throw std::invalid_argument("\"loop\" exists only in a {{for}}");
    place found{.loop = loops_.back()};
    if (name == "index") found.begins = program::from::index;
    else if (name == "first") found.begins = program::from::first;
    else if (name == "last") found.begins = program::from::last;
    else throw std::invalid_argument("a loop has the fields index, first and last, but not " + quoted(name));
    found.of = name == "index" ? &detail::schema_table<std::uint64_t> : &detail::schema_table<bool>;
    return found;
}

place scope::begin(std::string_view name, std::size_t& used) const {
    for (std::size_t i = names_.size(); i-- > 0;) {
        if (names_[i].name != name) continue;
        used = 1;
        return names_[i].what;
    }
    used = 0;
    return {.of = model_};
}

place scope::find(const operand& value) const {
    if (value.path.empty()) return {.is_text = true, .text = value.text};
    if (value.path[0] == "loop") {
        if (value.path.size() != 2)
            throw std::invalid_argument("\"loop\" needs a field: loop.index, loop.first or loop.last");
        return loop_value(value.path[1]);
    }
    std::size_t used = 0;
    place at = begin(value.path[0], used);
    if (at.is_text && used < value.path.size())
        throw std::invalid_argument("a text has no field " + quoted(value.path[1]));
    for (; used < value.path.size(); ++used) enter(at, value.path[used]);
    return at;
}

}  // namespace apus::markup
