// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/conditions.hpp"

#include "codec/fields/date.hpp"
#include "codec/fields/list.hpp"

namespace apus::codec::fields {
namespace {

bool came(std::string_view field) noexcept { return field.data() != nullptr; }

bool named(std::string_view list, const current_validators& now, comparison how) noexcept {
    if (!now.exists) return false;
    if (!now.tag) return trimmed(list) == "*";
    return names(list, *now.tag, how);
}

// Returns whether the representation was modified after the field's date. Returns an empty optional if the date is
// invalid or missing, or the modification time is unknown.
std::optional<bool> changed_since(std::string_view field, const current_validators& current,
                                  std::int64_t now) noexcept {
    if (!came(field) || !current.exists || !current.modified) return std::nullopt;
    const auto date = read_date(trimmed(field), now);
    if (!date) return std::nullopt;
    return *current.modified > *date;
}

}  // namespace

verdict evaluate(const conditions& asked, const current_validators& current, bool reads, std::int64_t now) noexcept {
    if (came(asked.if_match)) {
        if (!named(asked.if_match, current, comparison::strong)) return verdict::precondition_failed;
    } else if (changed_since(asked.if_unmodified_since, current, now).value_or(false)) {
        return verdict::precondition_failed;
    }
    if (came(asked.if_none_match)) {
        if (!named(asked.if_none_match, current, comparison::weak)) return verdict::go_on;
        return reads ? verdict::not_modified : verdict::precondition_failed;
    }
    if (reads && !changed_since(asked.if_modified_since, current, now).value_or(true)) return verdict::not_modified;
    return verdict::go_on;
}

bool range_counts(std::string_view if_range, const current_validators& current, std::int64_t now) noexcept {
    if (!came(if_range)) return true;
    entity_tag tag;
    if (read_entity_tag(if_range, tag))
        return current.tag && !tag.weak && !current.tag->weak && tag.opaque == current.tag->opaque;
    const auto date = read_date(trimmed(if_range), now);
    return date && current.modified && current.modified_is_strong && *date == *current.modified;
}

}  // namespace apus::codec::fields
