// SPDX-License-Identifier: Apache-2.0
#include "schema/flat_values.hpp"

#include "schema/defaults.hpp"
#include "schema/expectation.hpp"
#include "schema/text_value.hpp"

#include <algorithm>
#include <utility>

namespace apus::schema {

const field* flat_values::find(std::string_view name) const noexcept {
    for (unsigned i = 0; i < type_->field_count; ++i)
        if (type_->fields[i].name == name) return &type_->fields[i];
    return nullptr;
}

void flat_values::refuse(const field& f, std::string found, std::string expected) {
    seen_ |= bit_of(f);
    if (f.message.empty()) add(f, std::move(found), std::move(expected));
    else add(f, {}, std::string(f.message));
}

void flat_values::add(const field& f, std::string found, std::string expected) {
    std::string pointer;
    append_reference(pointer, f.name);
    out_->add({std::move(pointer), std::move(found), std::move(expected)});
}

std::size_t flat_values::size_of(const field& f) const noexcept {
    if (f.of->list->add) return f.of->list->size(at(f));
    return fixed_.empty() ? 0 : fixed_[static_cast<std::size_t>(&f - type_->fields)];
}

// Returns the location of the next item of a list.
void* flat_values::item_of(const field& f) {
    const list_calls& calls = *f.of->list;
    if (calls.add) return calls.add(at(f));
    if (fixed_.empty()) fixed_.resize(type_->field_count);
    const std::size_t index = fixed_[static_cast<std::size_t>(&f - type_->fields)]++;
    return static_cast<char*>(const_cast<void*>(calls.data(at(f)))) + index * calls.stride;
}

// Whether another value with this name is allowed.
bool flat_values::has_room(const field& f) {
    const bool again = seen_ & bit_of(f);
    seen_ |= bit_of(f);
    if (f.of->what != kind::list) {
        if (again) add(f, "a duplicate name", "distinct names");
        return !again;
    }
    if (!again && f.of->list->clear) f.of->list->clear(at(f));
    if (size_of(f) < f.of->greatest) return true;
    refuse(f, "more values", expectation(*f.of));
    return false;
}

void flat_values::read(const field& f, std::string_view text) {
    if (!has_room(f)) return;
    const bool is_list = f.of->what == kind::list;
    const type& one = is_list ? *f.of->element : *f.of;
    if (read_text(one, is_list ? item_of(f) : at(f), text)) return;
    refuse(f, is_secret(one) ? std::string(hidden) : shown(text), expectation(one));
}

void* flat_values::place(const field& f) {
    if (!has_room(f)) return nullptr;
    if (f.of->what == kind::list) return item_of(f);
    if (f.of->what == kind::optional) return f.of->optional->emplace(at(f));
    return at(f);
}

void flat_values::finish() {
    for (unsigned i = 0; i < type_->field_count; ++i) {
        const field& f = type_->fields[i];
        if (seen_ & bit_of(f)) {
            const bool too_short = f.of->what == kind::list && size_of(f) < static_cast<std::uint64_t>(f.of->least);
            if (too_short) refuse(f, std::to_string(size_of(f)) + " values", expectation(*f.of));
        } else {
            if (!may_be_absent(*f.of) && !(omittable(*type_) & bit_of(f))) refuse(f, "nothing", expectation(*f.of));
        }
    }
    int status = 422;
    std::string why;
    if (!type_->object->check || !out_->faults.empty() || type_->object->check(object_, status, why)) return;
    out_->status = status;
    out_->add({{}, {}, std::move(why)});
}

std::string shown(std::string_view text) {
    constexpr std::size_t most = 40;
    std::size_t cut = std::min(text.size(), most);
    while (cut < text.size() && cut > 0 && (text[cut] & 0xc0) == 0x80) --cut;  // does not split a character
    return '"' + std::string(text.substr(0, cut)) + (cut < text.size() ? "...\"" : "\"");
}

}  // namespace apus::schema
