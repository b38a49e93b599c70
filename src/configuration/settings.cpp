// SPDX-License-Identifier: Apache-2.0
#include "configuration/settings.hpp"

#include "base/ascii.hpp"
#include "configuration/node.hpp"
#include "schema/fault.hpp"

#include <algorithm>
#include <stdexcept>

namespace apus::configuration {
namespace {

using schema::kind;

bool is_name_character(char c) { return base::is_letter(c) || base::is_digit(c); }

std::string variable_part(std::string_view name) {
    std::string made;
    for (const char c : name)
        made += is_name_character(c) ? static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c) : '_';
    return made;
}

std::string option_part(std::string_view name) {
    std::string made;
    for (const char c : name) made += is_name_character(c) || c == '.' ? c : '-';
    return made;
}

// Returns a struct type, or the struct type in an optional; null for other types.
const schema::type* struct_in(const schema::type& t) {
    if (t.what == kind::optional) return struct_in(*t.element);
    return t.what == kind::object ? &t : nullptr;
}

bool is_boolean(const schema::type& t) {
    return t.what == kind::boolean || (t.what == kind::optional && is_boolean(*t.element));
}

bool is_single_secret(const schema::type& t) {
    return t.what == kind::secret || (t.what == kind::optional && is_single_secret(*t.element));
}

struct names {
    std::string path, pointer, variable, option;

    names below(std::string_view name) const {
        names made{path.empty() ? std::string(name) : path + "." + std::string(name), pointer,
                   variable.empty() ? variable_part(name) : variable + variable_part(name),
                   option.empty() ? "--" + option_part(name) : option + "." + option_part(name)};
        schema::append_reference(made.pointer, name);
        return made;
    }
};

void collect(const schema::type& object, const names& at, unsigned depth, std::vector<setting>& to) {
    for (unsigned i = 0; i < object.field_count; ++i) {
        const schema::field& f = object.fields[i];
        names here = at.below(f.name);
        if (const schema::type* inner = struct_in(*f.of)) {
            here.variable += "__";
            if (depth < max_struct_depth) collect(*inner, here, depth + 1, to);
            continue;
        }
        const bool from_files = is_single_secret(*f.of), secret = schema::is_secret(*f.of);
        // Other users of the machine can see command lines, so secrets have no option for their value.
        const std::string option = from_files ? here.option + "-file" : secret ? "" : here.option;
        to.push_back({here.path, here.pointer, here.variable, option, &f, secret, from_files, is_boolean(*f.of)});
    }
}

[[noreturn]] void refuse_equal(std::string_view what, const setting& a, const setting& b) {
    throw std::logic_error("the fields `" + a.path + "` and `" + b.path + "` have the same " + std::string(what) +
                           ": rename one");
}

void check_names(const std::vector<setting>& all) {
    for (const setting& a : all) {
        for (const setting* b = all.data(); b != &a; ++b) {
            if (a.variable == b->variable) refuse_equal("variable " + a.variable, a, *b);
            if (a.option == b->option && !a.option.empty()) refuse_equal("option " + a.option, a, *b);
            if (a.from_files && a.variable + "_FILE" == b->variable) refuse_equal("variable " + b->variable, a, *b);
            if (b->from_files && b->variable + "_FILE" == a.variable) refuse_equal("variable " + a.variable, a, *b);
        }
    }
}

}  // namespace

std::vector<setting> settings_of(const schema::type& object, std::string_view prefix, std::string_view path) {
    names root{{}, {}, prefix.empty() ? std::string() : std::string(prefix) + "_", {}};
    if (!path.empty()) {
        root = root.below(path);
        root.variable += "__";
    }
    std::vector<setting> all;
    collect(object, root, 1, all);
    check_names(all);
    return all;
}

std::string prefix_of_file(std::string_view file) {
    file.remove_prefix(std::min(file.rfind('/') + 1, file.size()));
    file = file.substr(0, file.rfind('.'));
    return variable_part(file);
}

const void* value_in(const schema::type& object, const void* value, std::string_view pointer) {
    const schema::type* t = &object;
    while (!pointer.empty()) {
        while (t->what == kind::optional) {
            value = t->optional->get(value);
            if (!value) return nullptr;
            t = t->element;
        }
        const std::string name = take_reference(pointer);
        const schema::field* const end = t->fields + t->field_count;
        const schema::field* f =
            std::find_if(t->fields, end, [&](const schema::field& each) { return each.name == name; });
        if (f == end) return nullptr;
        value = static_cast<const char*>(value) + f->offset;
        t = f->of;
    }
    return value;
}

}  // namespace apus::configuration
