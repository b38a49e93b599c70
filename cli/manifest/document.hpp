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

/// A table of a TOML document. Each key that is asked for is noted, so that `end` can name the ones that
/// nobody knows. All throw `errors::failure` with the file and line. Lives as long as its document.
class table {
public:
    /// Absent keys give nothing; a value of another type is refused (E0204).
    std::optional<std::string> text(std::string_view key);
    /// A text of one line without control characters (E0206): in what is written from it another line would mean
    /// something else.
    std::optional<std::string> line(std::string_view key);
    std::optional<long> integer(std::string_view key, long least, long most);
    std::optional<bool> boolean(std::string_view key);
    std::optional<std::vector<std::string>> texts(std::string_view key);
    std::optional<table> inner(std::string_view key);
    /// An array of tables, `[[key]]`; empty if absent.
    std::vector<table> each(std::string_view key);

    /// A text that must be there (E0205).
    std::string needed_text(std::string_view key);
    /// A text that is one of "a|b|c" (E0206).
    std::optional<std::string> choice(std::string_view key, std::string_view choices);

    /// Every key, in the order of the document; asking for them notes none.
    std::vector<std::string> keys() const;
    bool is_table(std::string_view key) const;
    /// The line on which a key's value begins; the table's own if there is none of that name.
    std::size_t line_of(std::string_view key) const;

    /// Refuses keys that were not asked for (E0203).
    void end() const;

    /// A failure about this table's key: "apus.toml:7: `project.name` ...".
    [[noreturn]] void refuse(std::string_view code, std::string_view key, std::string_view what) const;

    /// "project", "dependencies.fmt"; empty for the document itself.
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

/// Sets `where` if there is a value.
template <class Value>
void put(Value& where, std::optional<Value> found) {
    if (found) where = std::move(*found);
}

/// TOML that was read: apus.toml, apus.lock, a registry's recipes.
class document {
public:
    /// Reads `text`; `name` stands in messages. Throws E0202 where it is no TOML.
    document(std::string_view text, std::string_view name);

    table root() const;

private:
    std::shared_ptr<table::state> root_;
};

}  // namespace apus::cli::manifest
