// SPDX-License-Identifier: Apache-2.0
#include "schema/flat_values.hpp"

#include "schema/defaults.hpp"
#include "schema/expectation.hpp"
#include "schema/text_value.hpp"

#include <algorithm>

namespace apus::schema {

const field* flat_values::find(std::string_view name) const noexcept {
    for (unsigned i = 0; i < type_->field_count; ++i)
        if (type_->fields[i].name == name) return &type_->fields[i];
    return nullptr;
}

void flat_values::refuse(const field& f, std::string found, std::string expected) {
    seen_ |= bit_of(f);
    std::string pointer;
    append_reference(pointer, f.name);
    out_->add({std::move(pointer), std::move(found), std::move(expected)});
}

// Whether one more value of this name may come.
bool flat_values::has_room(const field& f) {
    const bool again = seen_ & bit_of(f);
    seen_ |= bit_of(f);
    if (f.of->what != kind::list) {
        if (again) refuse(f, "the name a second time", "each name once");
        return !again;
    }
    if (!again) f.of->list->clear(at(f));
    if (f.of->list->size(at(f)) < f.of->greatest) return true;
    refuse(f, "more values", expectation(*f.of));
    return false;
}

void flat_values::read(const field& f, std::string_view text) {
    if (!has_room(f) || read_text(*f.of, at(f), text)) return;
    refuse(f, shown(text), expectation(f.of->what == kind::list ? *f.of->element : *f.of));
}

void* flat_values::place(const field& f) {
    if (!has_room(f)) return nullptr;
    if (f.of->what == kind::list) return f.of->list->add(at(f));
    if (f.of->what == kind::optional) return f.of->optional->emplace(at(f));
    return at(f);
}

void flat_values::finish() {
    for (unsigned i = 0; i < type_->field_count; ++i) {
        const field& f = type_->fields[i];
        if (seen_ & bit_of(f)) {
            const bool too_short =
                f.of->what == kind::list && f.of->list->size(at(f)) < static_cast<std::uint64_t>(f.of->least);
            if (too_short) refuse(f, std::to_string(f.of->list->size(at(f))) + " values", expectation(*f.of));
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
    while (cut < text.size() && cut > 0 && (text[cut] & 0xc0) == 0x80) --cut;  // no half character
    return '"' + std::string(text.substr(0, cut)) + (cut < text.size() ? "...\"" : "\"");
}

}  // namespace apus::schema
