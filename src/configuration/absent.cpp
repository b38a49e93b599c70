// SPDX-License-Identifier: Apache-2.0
#include "configuration/absent.hpp"

#include "codec/json/print.hpp"
#include "schema/defaults.hpp"
#include "schema/flat_values.hpp"

#include <stdexcept>
#include <utility>

namespace apus::configuration {
namespace {

using schema::kind;

bool is_scalar_type(const schema::type& t) {
    return t.what == kind::boolean || t.what == kind::integer || t.what == kind::natural || t.what == kind::number ||
           t.what == kind::enumeration || (t.what == kind::secret && is_scalar_type(*t.element));
}

// Adds the initial value of a field. Values that JSON cannot express are left to the initializer.
void put_initial(node& table, const schema::field& f, const void* initial) {
    try {
        node made{.what = node::kind::json};
        codec::json::print(*f.of, initial, made.text, codec::json::secrets::shown);
        table.put(f.name, std::move(made));
    } catch (const std::exception&) {
        return;
    }
}

// Whether an initializer sets this field. The value of a scalar does not show this, so a scalar counts as set only with
// `all_set`: the whole struct has an initializer, which sets all of its fields.
bool is_set(const schema::field& f, const void* initial, bool all_set) {
    if (!initial) return false;
    return all_set || (!is_scalar_type(*f.of) && !schema::is_empty(*f.of, initial));
}

void complete_value(node& of, const schema::type& t, const void* initial, bool all_set);

void complete_object(node& table, const schema::type& t, const char* initial, bool all_set) {
    const std::uint64_t omittable = schema::omittable(t);
    for (unsigned i = 0; i < t.field_count; ++i) {
        const schema::field& f = t.fields[i];
        const void* const value = initial ? initial + f.offset : nullptr;
        const bool may_be_absent = (omittable >> i & 1) != 0;
        node* present = table.find(f.name);
        if (!present && !may_be_absent) {
            if (is_set(f, value, all_set)) put_initial(table, f, value);
            else if (f.of->what == kind::object) present = &table.put(f.name, {});
            else if (f.of->what == kind::map && f.of->least <= 0) table.put(f.name, {});
            else if (schema::may_be_absent(*f.of)) table.put(f.name, {.what = node::kind::list});
        }
        if (present) complete_value(*present, *f.of, value, all_set || may_be_absent);
    }
}

void complete_value(node& of, const schema::type& t, const void* initial, bool all_set) {
    if (t.what == kind::optional) {
        const void* const held = initial ? t.optional->get(initial) : nullptr;
        complete_value(of, *t.element, held, held != nullptr && all_set);
    } else if (t.what == kind::object && of.what == node::kind::table) {
        complete_object(of, t, static_cast<const char*>(initial), all_set);
    } else if ((t.what == kind::list && of.what == node::kind::list) ||
               (t.what == kind::map && of.what == node::kind::table)) {
        for (node& each : of.members) complete_value(each, *t.element, nullptr, false);
    }
}

}  // namespace

void complete(node& tree, const schema::type& t, const void* initial) { complete_value(tree, t, initial, false); }

}  // namespace apus::configuration
