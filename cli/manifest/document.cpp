// SPDX-License-Identifier: Apache-2.0
#include "cli/manifest/document.hpp"

#include <algorithm>
#include <functional>
#include <set>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "base/toml_flaw.hpp"
#include "cli/errors/failure.hpp"
#include "cli/text/lists.hpp"
#include "cli/text/nearest.hpp"

namespace apus::cli::manifest {

struct table::state {
    std::shared_ptr<const toml::table> whole;  // keeps the table `here` alive
    const toml::table* here;
    std::string file;
    std::set<std::string, std::less<>> asked{};
};

namespace {

std::string_view kind_of(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table: return "a table";
        case toml::node_type::array: return "a list";
        case toml::node_type::string: return "a string";
        case toml::node_type::integer: return "an integer";
        case toml::node_type::floating_point: return "a floating-point number";
        case toml::node_type::boolean: return "a boolean";
        default: return "a date or time";
    }
}

// Returns a position as text: "apus.toml:3".
std::string place(const std::string& file, const toml::source_region& at) {
    return at.begin.line ? file + ":" + std::to_string(at.begin.line) : file;
}

// Refuses text on which toml++ recurses without limit or has undefined behavior.
void refuse_flaws(std::string_view text, const std::string& file) {
    if (const base::toml_flaw flaw = base::find_flaw(text); flaw.line != 0)
        throw errors::failure("E0202", file + ":" + std::to_string(flaw.line) + ": " + std::string(flaw.what));
}

}  // namespace

std::string table::full_name(std::string_view key) const {
    return name_.empty() ? std::string(key) : name_ + "." + std::string(key);
}

void table::refuse(std::string_view code, std::string_view key, std::string_view what) const {
    const toml::node* node = key.empty() ? nullptr : of_->here->get(key);
    const std::string named = key.empty() ? name_ : full_name(key);
    throw errors::failure(code, place(of_->file, (node ? node : of_->here)->source()) + ": " +
                                    (named.empty() ? "" : "`" + named + "` ") + std::string(what));
}

// Returns the value of a key, or null if the key is absent. Throws E0204 for a value of another type.
template <class Value>
auto table::typed(std::string_view key, std::string_view wanted) {
    of_->asked.emplace(key);
    const toml::node* node = of_->here->get(key);
    const auto* value = node ? node->as<Value>() : nullptr;
    if (node && !value) refuse("E0204", key, "must be " + std::string(wanted) + ", not " + std::string(kind_of(*node)));
    return value;
}

std::optional<std::string> table::text(std::string_view key) {
    const auto* value = typed<std::string>(key, "a string");
    return value ? std::optional(value->get()) : std::nullopt;
}

std::optional<std::string> table::line(std::string_view key) {
    auto found = text(key);
    if (found && std::ranges::any_of(*found, [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
        refuse("E0206", key, "contains a line break or another control character");
    return found;
}

std::optional<long> table::integer(std::string_view key, long least, long most) {
    const auto* value = typed<std::int64_t>(key, "an integer");
    if (!value) return std::nullopt;
    if (value->get() < least || value->get() > most)
        refuse("E0206", key,
               "is " + std::to_string(value->get()) + "; allowed: " + std::to_string(least) + " to " +
                   std::to_string(most));
    return value->get();
}

std::optional<bool> table::boolean(std::string_view key) {
    const auto* value = typed<bool>(key, "a boolean");
    return value ? std::optional(value->get()) : std::nullopt;
}

std::optional<std::vector<std::string>> table::texts(std::string_view key) {
    const auto* list = typed<toml::array>(key, "a list of strings");
    if (!list) return std::nullopt;
    std::vector<std::string> all;
    for (const toml::node& node : *list) {
        if (!node.is_string())
            refuse("E0204", key, "must be a list of strings, but contains " + std::string(kind_of(node)));
        all.push_back(node.as_string()->get());
    }
    return all;
}

std::optional<table> table::inner(std::string_view key) {
    const auto* value = typed<toml::table>(key, "a table");
    if (!value) return std::nullopt;
    return table(std::make_shared<state>(state{of_->whole, value, of_->file}), full_name(key));
}

std::vector<table> table::each(std::string_view key) {
    const std::string wanted = "tables of the form [[" + full_name(key) + "]]";
    const auto* list = typed<toml::array>(key, wanted);
    std::vector<table> all;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        const auto* one = list->get_as<toml::table>(i);
        if (!one) refuse("E0204", key, "must be " + wanted + ", but contains " + std::string(kind_of(*list->get(i))));
        all.push_back(table(std::make_shared<state>(state{of_->whole, one, of_->file}), full_name(key)));
    }
    return all;
}

std::string table::needed_text(std::string_view key) {
    auto found = text(key);
    if (!found) refuse("E0205", "", "requires `" + std::string(key) + "`");
    return *found;
}

std::optional<std::string> table::choice(std::string_view key, std::string_view choices) {
    auto found = text(key);
    if (found && !text::is_choice(*found, choices))
        refuse("E0206", key, "is `" + *found + "`; allowed: " + text::enumeration(choices));
    return found;
}

std::vector<std::string> table::keys() const {
    std::vector<std::pair<toml::source_index, std::string>> found;
    for (const auto& [key, node] : *of_->here)
        found.emplace_back(key.source().begin.line * 4096 + key.source().begin.column, key.str());
    std::ranges::sort(found);
    std::vector<std::string> names;
    names.reserve(found.size());
    for (auto& [at, key] : found) names.push_back(std::move(key));
    return names;
}

bool table::is_table(std::string_view key) const {
    const toml::node* node = of_->here->get(key);
    return node && node->is_table();
}

std::size_t table::line_of(std::string_view key) const {
    const toml::node* node = of_->here->get(key);
    return std::max<std::size_t>(1, (node ? node : of_->here)->source().begin.line);
}

void table::end() const {
    const std::vector<std::string_view> known(of_->asked.begin(), of_->asked.end());
    for (const std::string& key : keys()) {
        if (of_->asked.contains(key)) continue;
        std::string meant = text::did_you_mean(key, known);
        if (meant.empty()) meant = "docs/manifest.md lists all keys";
        const auto& at = of_->here->get(key)->source();
        throw errors::failure("E0203", place(of_->file, at) + ": unknown key `" + full_name(key) + "`", meant);
    }
}

document::document(std::string_view text, std::string_view name) {
    refuse_flaws(text, std::string(name));
    try {
        auto whole = std::make_shared<const toml::table>(toml::parse(text, std::string(name)));
        root_ = std::make_shared<table::state>(table::state{whole, whole.get(), std::string(name)});
    } catch (const toml::parse_error& why) {
        throw errors::failure("E0202", place(std::string(name), why.source()) + ": " + std::string(why.description()));
    }
}

table document::root() const { return {root_, ""}; }

}  // namespace apus::cli::manifest
