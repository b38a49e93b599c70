// SPDX-License-Identifier: Apache-2.0
#include <apus/json_value.hpp>

#include "codec/json/pointer.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace apus {
namespace {

using codec::json::take_reference;

// Parses a reference token as an array index, without sign and leading zeros (RFC 6901, 4).
bool to_index(std::string_view token, std::size_t& index) noexcept {
    if (token.empty() || (token.size() > 1 && token[0] == '0') || token[0] < '0' || token[0] > '9') return false;
    const auto [rest, status] = std::from_chars(token.data(), token.data() + token.size(), index);
    return status == std::errc() && rest == token.data() + token.size();
}

const json_value* find_member(const std::vector<json_value::member>& members, std::string_view name) noexcept {
    for (const auto& one : members)
        if (one.name == name) return &one.value;
    return nullptr;
}

std::string describe(const json_value* value) {
    if (!value) return "nothing";
    switch (value->what()) {
        case json_value::kind::null: return "null";
        case json_value::kind::boolean: return "a bool";
        case json_value::kind::integer:
        case json_value::kind::natural: return "an integer";
        case json_value::kind::number: return "a number";
        case json_value::kind::text: return "a text";
        case json_value::kind::list: return "a list";
        case json_value::kind::object: break;
    }
    return "an object";
}

failure misfit(const json_value* value, std::string_view pointer, const std::string& expected) {
    const std::string where = pointer.empty() ? "" : std::string(pointer) + ": ";
    return fail(422, where + "found " + describe(value) + ", expected " + expected);
}

}  // namespace

json_value::json_value(const json_value& other) : kind_(kind::null), integer_(other.integer_) {
    switch (other.kind_) {
        case kind::text: text_ = new std::string(*other.text_); break;
        case kind::list: list_ = new std::vector<json_value>(*other.list_); break;
        case kind::object: object_ = new std::vector<member>(*other.object_); break;
        default: break;
    }
    kind_ = other.kind_;
}

void json_value::drop() noexcept {
    switch (kind_) {
        case kind::text: delete text_; break;
        case kind::list: delete list_; break;
        case kind::object: delete object_; break;
        default: break;
    }
}

json_value json_value::list() {
    json_value made;
    made.list_ = new std::vector<json_value>;
    made.kind_ = kind::list;
    return made;
}

json_value json_value::object() {
    json_value made;
    made.object_ = new std::vector<member>;
    made.kind_ = kind::object;
    return made;
}

std::size_t json_value::size() const noexcept { return items().size() + members().size(); }

const std::vector<json_value>& json_value::items() const noexcept {
    static const std::vector<json_value> none;
    return is_list() ? *list_ : none;
}

const std::vector<json_value::member>& json_value::members() const noexcept {
    static const std::vector<member> none;
    return is_object() ? *object_ : none;
}

const json_value* json_value::find(std::string_view pointer) const {
    const json_value* at = this;
    std::string token;
    std::size_t index;
    while (at && !pointer.empty()) {
        if (!take_reference(pointer, token)) return nullptr;
        if (at->is_object()) at = find_member(*at->object_, token);
        else at = at->is_list() && to_index(token, index) && index < at->size() ? &(*at->list_)[index] : nullptr;
    }
    return at;
}

json_value& json_value::operator[](std::string_view name) {
    if (is_null()) *this = object();
    if (!is_object()) throw std::logic_error("json_value: not an object");
    if (const json_value* found = find_member(*object_, name)) return const_cast<json_value&>(*found);
    object_->push_back({std::string(name), {}});
    return object_->back().value;
}

json_value& json_value::push_back(json_value value) {
    if (is_null()) *this = list();
    if (!is_list()) throw std::logic_error("json_value: not a list");
    return list_->emplace_back(std::move(value));
}

bool json_value::equals(const json_value& other) const noexcept {
    if (kind_ != other.kind_) return false;
    switch (kind_) {
        case kind::null: return true;
        case kind::boolean: return boolean_ == other.boolean_;
        case kind::number: return number_ == other.number_;
        case kind::text: return *text_ == *other.text_;
        case kind::list: return *list_ == *other.list_;
        case kind::object: break;
        default: return integer_ == other.integer_;
    }
    if (size() != other.size()) return false;
    for (const member& one : *object_) {
        const json_value* same = find_member(*other.object_, one.name);
        if (!same || !(*same == one.value)) return false;
    }
    return true;
}

result<bool> json_value::get_boolean(std::string_view pointer) const {
    const json_value* at = find(pointer);
    if (at && at->kind_ == kind::boolean) return at->boolean_;
    return misfit(at, pointer, "true or false");
}

result<double> json_value::get_number(std::string_view pointer) const {
    const json_value* at = find(pointer);
    if (at && at->kind_ == kind::number) return at->number_;
    if (at && at->kind_ == kind::integer) return static_cast<double>(at->integer_);
    if (at && at->kind_ == kind::natural) return static_cast<double>(static_cast<std::uint64_t>(at->integer_));
    return misfit(at, pointer, "a number");
}

result<std::string_view> json_value::get_text(std::string_view pointer) const {
    const json_value* at = find(pointer);
    if (at && at->is_text()) return std::string_view(*at->text_);
    return misfit(at, pointer, "a text");
}

result<std::int64_t> json_value::get_integer(std::string_view pointer, std::int64_t least,
                                             std::int64_t greatest) const {
    const json_value* at = find(pointer);
    if (at && at->kind_ == kind::integer && at->integer_ >= least && at->integer_ <= greatest) return at->integer_;
    return misfit(at, pointer, "an integer from " + std::to_string(least) + " to " + std::to_string(greatest));
}

result<std::uint64_t> json_value::get_natural(std::string_view pointer, std::uint64_t greatest) const {
    const json_value* at = find(pointer);
    if (at && (at->kind_ == kind::natural || (at->kind_ == kind::integer && at->integer_ >= 0)) &&
        static_cast<std::uint64_t>(at->integer_) <= greatest)
        return static_cast<std::uint64_t>(at->integer_);
    return misfit(at, pointer, "an integer from 0 to " + std::to_string(greatest));
}

}  // namespace apus
