// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/files.hpp"

#include <apus/safe_html.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apus::markup {

enum class colour : std::uint8_t {
    red,
    green
};

struct item {
    std::string name;
    bool done = false;
    std::optional<std::string> note;
    std::vector<std::string> tags;
};

struct model {
    std::string v;
    std::int64_t n = -5;
    double half = 0.5;
    bool yes = true, no = false;
    colour paint = colour::green;
    std::vector<item> items;
    std::vector<int> empty;
    std::optional<item> owner, nobody;
    std::map<std::string, int> counts;
    safe_html html;
};

inline model sample(std::string v = "a<b") {
    model made;
    made.v = std::move(v);
    made.items = {{"one", true, "first", {"x", "y"}}, {"two & a half", false, {}, {}}};
    made.owner = item{"Ada", false, {}, {}};
    made.counts = {{"a", 1}, {"b<", 2}};
    made.html = trusted_html("<b>bold</b>");
    return made;
}

/// Renders `page` as page.html, with `others` as further template files.
/// Returns the output or the error.
inline std::string sent(std::string page, const model& with,
                        std::initializer_list<std::pair<const char*, const char*>> others = {},
                        std::size_t limit = 1 << 20) {
    try {
        file_set files;
        for (const auto& [name, text] : others) files.add(name, text);
        files.add("page.html", std::move(page));
        files.check();
        std::string out;
        return render(files.compile("page.html", detail::schema_table<model>), &with, limit, out) ? out : "too long";
    } catch (const template_error& wrong) {
        return wrong.what();
    }
}

}  // namespace apus::markup
