// SPDX-License-Identifier: Apache-2.0
#include "markup/files.hpp"

#include "markup/compiler.hpp"

#include <set>
#include <utility>

namespace apus::markup {
namespace {

void collect_includes(const std::vector<node>& nodes, std::set<std::string_view>& into) {
    for (const node& n : nodes) {
        if (n.what == node::is::include) into.insert(n.name);
        collect_includes(n.inside, into);
        collect_includes(n.otherwise, into);
    }
}

}  // namespace

void file_set::add(std::string name, std::string text) {
    // The parse result has views into the text and the name, so both must be at their final address.
    const auto at = files_.insert_or_assign(std::move(name), stored{std::move(text), {}}).first;
    at->second.parsed = parse(at->first, at->second.text);
}

const parsed_file* file_set::find(std::string_view name) const noexcept {
    const auto at = files_.find(name);
    return at == files_.end() ? nullptr : &at->second.parsed;
}

void file_set::check() const {
    std::set<std::string_view> parts;
    for (const auto& [name, file] : files_) {
        if (!file.parsed.layout.empty()) parts.insert(file.parsed.layout);
        collect_includes(file.parsed.nodes, parts);
    }
    for (const auto& [name, file] : files_)
        if (!parts.contains(name)) compiler(*this, nullptr).page(file.parsed);
}

program file_set::compile(std::string_view name, const schema::type& model) const {
    if (const parsed_file* file = find(name)) return compiler(*this, &model).page(*file);
    throw template_error(name, 1, "no such template");
}

}  // namespace apus::markup
