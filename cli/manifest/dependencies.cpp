// SPDX-License-Identifier: Apache-2.0
#include "cli/manifest/dependencies.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"

namespace apus::cli::manifest {

namespace {

struct field {
    const char* key;
    std::string dependency::* where;
};

// Keys in the order in which they are written.
constexpr field fields[] = {
    {"version", &dependency::version}, {"from", &dependency::from},      {"git", &dependency::git},
    {"rev", &dependency::rev},         {"system", &dependency::package}, {"pkg-config", &dependency::pkg_config},
    {"cmake", &dependency::cmake},     {"target", &dependency::target},  {"license", &dependency::license},
};

bool is_version_request(std::string_view text) {
    if (text == "*") return true;
    if (text.starts_with(">=")) text.remove_prefix(2);
    return !text.empty() && (base::is_digit(text[0]) || base::is_letter(text[0])) && is_plain_word(text);
}

// `key` is the key in the document. `field` is the field name for `dependency_objection`.
void check_value(const table& in, std::string_view key, std::string_view field, std::string_view value) {
    if (const std::string why = dependency_objection(field, value); !why.empty()) in.refuse("E0206", key, why);
}

dependency read_one(std::string name, table&& from) {
    dependency made{.name = std::move(name)};
    from.choice("from", "system|conan|git");
    for (const field& f : fields) {
        auto text = from.line(f.key);
        if (!text) continue;
        if (f.where != &dependency::license) check_value(from, f.key, f.key, *text);
        made.*f.where = std::move(*text);
    }
    if (made.from.empty() && !made.git.empty()) made.from = "git";
    if (made.from.empty() && !(made.package + made.pkg_config).empty()) made.from = "system";
    if (made.from == "git" && (made.git.empty() || made.rev.empty()))
        from.refuse("E0205", "", "requires `git`, a URL, and `rev`, a commit, tag or branch");
    from.end();
    return made;
}

void check_name(const table& in, const std::string& key) {
    if (!is_dependency_name(key))
        in.refuse("E0206", key,
                  "is an invalid name; allowed: letters, digits, `_`, `-`, `+` and `.`, with a letter or "
                  "digit first");
}

}  // namespace

bool is_dependency_name(std::string_view name) noexcept {
    const auto allowed = [](char c) {
        return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '-' || c == '+' || c == '.';
    };
    return !name.empty() && name.size() <= 100 && (base::is_letter(name[0]) || base::is_digit(name[0])) &&
           std::ranges::all_of(name, allowed);
}

bool is_plain_word(std::string_view word) noexcept {
    const auto allowed = [](char c) {
        return c > ' ' && c < 127 && std::string_view("\"'`;$\\<>|&()#").find(c) == std::string_view::npos;
    };
    return !word.empty() && word[0] != '-' && std::ranges::all_of(word, allowed);
}

bool is_commit(std::string_view rev) noexcept {
    return (rev.size() == 40 || rev.size() == 64) &&
           std::ranges::all_of(rev, [](char c) { return base::is_digit(c) || (c >= 'a' && c <= 'f'); });
}

std::string dependency_objection(std::string_view field, std::string_view value) {
    const std::string is = "is `" + std::string(value) + "`; ";
    if (field == "version") return is_version_request(value) ? "" : is + "allowed forms: `9`, `9.1`, `>=9.1`, `*`";
    if (!is_plain_word(value)) return is + "it must not contain blanks, quotes, `;`, `$` or `\\`, nor begin with `-`";
    if (field == "git" && !value.contains(':') && value[0] != '/') return is + "it must be a URL or an absolute path";
    return {};
}

std::vector<dependency> read_dependencies(table&& from) {
    std::vector<dependency> all;
    for (const std::string& key : from.keys()) {
        check_name(from, key);
        if (from.is_table(key)) {
            all.push_back(read_one(key, *from.inner(key)));
            continue;
        }
        std::string version = from.needed_text(key);
        check_value(from, key, "version", version);
        all.push_back({.name = key, .version = std::move(version)});
    }
    from.end();
    return all;
}

std::vector<registry> read_registries(table&& from) {
    std::vector<registry> all;
    for (const std::string& key : from.keys()) {
        check_name(from, key);
        std::string where = from.needed_text(key);
        check_value(from, key, "", where);
        all.push_back({key, std::move(where)});
    }
    from.end();
    return all;
}

std::string written(const dependency& of) {
    const bool any = of.version == "*";
    std::string text = any ? "" : of.version;
    for (const field& f : fields) {
        const bool implied = f.where == &dependency::version || (f.where == &dependency::from && of.from == "git");
        if (!implied && !(of.*f.where).empty())
            text.append(text.empty() ? "" : ", ").append(f.key).append(" ").append(of.*f.where);
    }
    return text.empty() ? "*" : text;
}

std::string toml_of(const dependency& of) {
    if (written(of) == of.version) return toml_string(of.version);
    std::string text;
    for (const field& f : fields) {
        const std::string& value = of.*f.where;
        const bool implied =
            (f.where == &dependency::version && value == "*") || (f.where == &dependency::from && value == "git");
        if (!value.empty() && !implied)
            text.append(text.empty() ? "" : ", ").append(f.key).append(" = ").append(toml_string(value));
    }
    return "{" + text + "}";
}

std::string toml_string(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string made = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') made.append(1, '\\').append(1, c);
        else if (byte < 0x20 || byte == 0x7f)
            made.append("\\u00").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
        else made += c;
    }
    return made + "\"";
}

}  // namespace apus::cli::manifest
