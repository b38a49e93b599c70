// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::cli::manifest {

/// A table of a TOML document.
/// Records which keys were read, so that `end` can report unknown keys. Members throw `errors::failure` with file and
/// line. Shares ownership of the parsed document.
class table {
public:
    /// Returns a string, or nothing if the key is absent. Throws E0204 for a value of another type.
    std::optional<std::string> text(std::string_view key);
    /// Returns a string, or nothing if the key is absent. Throws E0206 for control characters.
    /// For values that are copied to line-based files.
    std::optional<std::string> line(std::string_view key);
    std::optional<long> integer(std::string_view key, long least, long most);
    std::optional<bool> boolean(std::string_view key);
    std::optional<std::vector<std::string>> texts(std::string_view key);
    std::optional<table> inner(std::string_view key);
    /// Returns an array of tables, `[[key]]`; empty if absent.
    std::vector<table> each(std::string_view key);

    /// Returns a required string (E0205 if absent).
    std::string needed_text(std::string_view key);
    /// Returns a string that must be one of "a|b|c" (otherwise E0206).
    std::optional<std::string> choice(std::string_view key, std::string_view choices);

    /// Returns all keys, in the order of the document. Does not mark the keys as read.
    std::vector<std::string> keys() const;
    bool is_table(std::string_view key) const;
    /// Returns the line of a key's value, or the table's own line if the key is absent.
    std::size_t line_of(std::string_view key) const;

    /// Throws E0203 for keys that were not read.
    void end() const;

    /// Throws a failure about a key of this table: "apus.toml:7: `project.name` ...".
    [[noreturn]] void refuse(std::string_view code, std::string_view key, std::string_view what) const;

    /// Returns the table's name: "project", "dependencies.fmt"; empty for the document itself.
    const std::string& name() const noexcept { return name_; }

private:
    friend class document;
    struct state;
    table(std::shared_ptr<state> of, std::string name) : of_(std::move(of)), name_(std::move(name)) {}
    template <class Value>
    auto typed(std::string_view key, std::string_view wanted);
    std::string full_name(std::string_view key) const;

    std::shared_ptr<state> of_;
    std::string name_;
};

/// Assigns a found value to `where`. Does nothing if `found` is empty.
template <class Value>
void put(Value& where, std::optional<Value> found) {
    if (found) where = std::move(*found);
}

/// A parsed TOML document: apus.toml, apus.lock, a registry's recipes.
class document {
public:
    /// Parses `text`; messages refer to `name`. Throws E0202 for malformed TOML.
    document(std::string_view text, std::string_view name);

    table root() const;

private:
    std::shared_ptr<table::state> root_;
};

}  // namespace apus::cli::manifest
