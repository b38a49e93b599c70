// SPDX-License-Identifier: Apache-2.0
#include "sql/condition.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <stdexcept>

namespace apus::sql::detail {
namespace {

constexpr std::size_t longest_value = std::size_t(16) << 20U;

const char* operator_of(comparison how) noexcept {
    switch (how) {
        case comparison::equal: return " = ";
        case comparison::unequal: return " <> ";
        case comparison::less: return " < ";
        case comparison::at_most: return " <= ";
        case comparison::more: return " > ";
        default: return " >= ";
    }
}

void add_value(condition_parts& to, argument a) {
    auto held = std::make_shared<parameters>(longest_value);
    if (a.of) {
        auto added = held->add_one(*a.of, a.at);
        if (!added && !to.refused) to.refused.emplace(std::move(added.error()));
    } else {
        held->add_null();
    }
    to.values.push_back(std::move(held));
}

owned_condition own(condition_parts parts) { return apus::detail::own_parts(new condition_parts(std::move(parts))); }

}  // namespace

bool is_name(std::string_view name) noexcept {
    return !name.empty() && name.size() <= 63 &&
           std::ranges::all_of(name, [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '_'; });
}

std::string quoted_name(std::string_view name) { return std::string("\"").append(name).append("\""); }

const schema::field& field_at(const schema::type& row, std::size_t offset) {
    for (unsigned i = 0; i < row.field_count; ++i)
        if (row.fields[i].offset == offset) return row.fields[i];
    throw std::logic_error("a member of a condition is not a field of its row");
}

bool is_sortable(const schema::type& field) noexcept {
    switch (field.what) {
        case schema::kind::integer:
        case schema::kind::natural:
        case schema::kind::number:
        case schema::kind::text:
        case schema::kind::time: return true;
        default: return false;
    }
}

owned_condition compare(const schema::type& row, std::size_t offset, comparison how, argument a) {
    const std::string column = quoted_name(field_at(row, offset).name);
    condition_parts made;
    const std::string value(1, value_mark);
    // LIKE is not used, since its patterns have wildcards and SQLite's LIKE ignores case.
    if (how == comparison::starts_with) {
        const std::string text = "cast(" + value + " as text)";
        made.sql = "substr(" + column + ", 1, length(" + text + ")) = " + text;
        add_value(made, a);
    } else if (how == comparison::contains) {
        made.sql = std::string(1, find_mark) + "(" + column + ", cast(" + value + " as text)) > 0";
    } else {
        made.sql = column + operator_of(how) + value;
    }
    add_value(made, a);
    return own(std::move(made));
}

owned_condition compare_to_any(const schema::type& row, std::size_t offset, const argument* all, std::size_t count) {
    condition_parts made;
    if (count > 10'000) made.refused.emplace(error(413, "a list in a condition is too long"));
    if (count == 0 || made.refused) {
        made.sql = "1 = 0";
        return own(std::move(made));
    }
    made.sql = quoted_name(field_at(row, offset).name) + " in (";
    for (std::size_t i = 0; i < count; ++i) {
        made.sql.append(i ? ", " : "").append(1, value_mark);
        add_value(made, all[i]);
    }
    made.sql += ")";
    return own(std::move(made));
}

owned_condition compare_to_null(const schema::type& row, std::size_t offset, bool is_null) {
    return own({.sql = quoted_name(field_at(row, offset).name) + (is_null ? " is null" : " is not null")});
}

owned_condition join(owned_condition a, owned_condition b, bool both) {
    a->sql = "(" + a->sql + (both ? " and " : " or ") + b->sql + ")";
    for (auto& each : b->values) a->values.push_back(std::move(each));
    if (!a->refused) a->refused = std::move(b->refused);
    return a;
}

owned_condition negate(owned_condition a) {
    a->sql = "not (" + a->sql + ")";
    return a;
}

sort_key sort_by(const schema::type& row, std::size_t offset, bool descending) {
    const schema::field& found = field_at(row, offset);
    if (!is_sortable(*found.of)) throw std::logic_error("rows cannot be ordered by a column of this type");
    return {.field = static_cast<unsigned>(&found - row.fields), .descending = descending};
}

result<std::vector<sort_key>> parse_order(const schema::type& row, std::string_view text) {
    std::vector<sort_key> made;
    while (!text.empty() && made.size() < row.field_count) {
        const std::string_view word = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        const bool descending = word.starts_with('-');
        const std::string_view name = word.substr(descending ? 1 : 0);
        unsigned i = 0;
        while (i < row.field_count && (row.fields[i].name != name || !is_sortable(*row.fields[i].of))) ++i;
        if (i == row.field_count) {
            std::string known;
            for (unsigned k = 0; k < row.field_count; ++k)
                if (is_sortable(*row.fields[k].of)) known.append(known.empty() ? "" : ", ").append(row.fields[k].name);
            return fail(422, "invalid order: allowed columns: " + known + "; `-` before a column: descending");
        }
        made.push_back({.field = i, .descending = descending});
    }
    if (!text.empty()) return fail(422, "invalid order: too many columns");
    return made;
}

}  // namespace apus::sql::detail
