// SPDX-License-Identifier: Apache-2.0
#include "http/selection.hpp"

#include "base/ascii.hpp"

namespace apus::http {
namespace {

// For a field that is not a list, only the first field line is used.
void note_first(std::string_view& field, std::string_view value) noexcept {
    if (!field.data()) field = value;
}

// Further field lines of a list continue the list of the first line (RFC 9110, 5.3).
void note_list(std::string_view& field, std::string_view value, std::string& joined) {
    if (!field.data()) return void(field = value);
    if (joined.empty()) joined = field;
    (joined += ", ") += value;
    field = joined;
}

}  // namespace

selection::selection(const exchange& x) {
    for (unsigned i = 0; i < x.head.field_count; ++i) {
        const std::string_view name = x.text(x.head.fields[i].name);
        const std::string_view value = x.text(x.head.fields[i].value);
        auto& [match, none_match, encodings] = joined;
        switch (name.size()) {
            case 5:
                if (base::same_word(name, "range")) note_first(range, value);
                break;
            case 8:
                if (base::same_word(name, "if-match")) note_list(conditions.if_match, value, match);
                else if (base::same_word(name, "if-range")) note_first(conditions.if_range, value);
                break;
            case 13:
                if (base::same_word(name, "if-none-match")) note_list(conditions.if_none_match, value, none_match);
                break;
            case 15:
                if (base::same_word(name, "accept-encoding")) note_list(accept_encoding, value, encodings);
                break;
            case 17:
                if (base::same_word(name, "if-modified-since")) note_first(conditions.if_modified_since, value);
                break;
            case 19:
                if (base::same_word(name, "if-unmodified-since")) note_first(conditions.if_unmodified_since, value);
                break;
            default: break;
        }
    }
}

response unmet(codec::fields::verdict why) {
    if (why == codec::fields::verdict::not_modified) return response(304);
    return response(error(412, "the resource does not meet the preconditions of the request"));
}

}  // namespace apus::http
