// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus::configuration {

enum class source : std::uint8_t {
    initial,  ///< The initializer of a member.
    file,
    credential,  ///< A file in $CREDENTIALS_DIRECTORY, which systemd sets.
    variable,    ///< An environment variable.
    option       ///< An option of the command line.
};

/// Where a value comes from.
struct origin {
    source from = source::initial;
    std::string name = {};  ///< Name of the file, credential, variable or option.
    unsigned line = 0;      ///< Only in files. Lines and columns begin at 1.
    unsigned column = 0;
};

/// A value of a configuration, before its type is checked.
struct node {
    enum class kind : std::uint8_t {
        table,
        list,
        json,  ///< `text` is valid JSON.
        text   ///< `text` is UTF-8.
    };
    kind what = kind::table;
    std::string text = {};
    std::vector<node> members = {};  ///< Members of a table, or items of a list.
    origin at = {};
    std::string name = {};  ///< Key, if this node is a member of a table.

    node* find(std::string_view name);             ///< The member with this name, or null.
    node& put(std::string_view name, node value);  ///< Adds or replaces a member.
    void remove(std::string_view name);
};

/// Converts a text from the environment or the command line to a node for a type.
/// Numbers and bools become JSON, so that they are checked like values of a file. Other text stays text, which the type
/// checks. A list is separated by commas, or is JSON. `text` must be UTF-8.
node node_of_text(const schema::type&, std::string_view text, const origin&);

/// Whether a text is JSON (RFC 8259).
bool is_json(std::string_view text);

void append_json(std::string& to, const node&);

/// Returns the node at a JSON Pointer; if that node is missing, its nearest existing ancestor.
const node& deepest(const node& root, std::string_view pointer);

/// Returns the first reference token of a JSON Pointer, and removes it from the pointer.
std::string take_reference(std::string_view& pointer);

}  // namespace apus::configuration
