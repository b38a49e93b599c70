// SPDX-License-Identifier: Apache-2.0
#include "markup/compiler.hpp"

#include "markup/escape.hpp"
#include "markup/value.hpp"

#include <utility>

namespace apus::markup {
namespace {

constexpr unsigned deepest_include = 16;
constexpr unsigned max_nodes = 100'000;  // per page, including all includes
constexpr std::size_t max_text = 16 << 20;

bool has_block(const std::vector<node>& nodes, std::string_view name) {
    for (const node& n : nodes)
        if ((n.what == node::is::block && n.name == name) || has_block(n.inside, name) || has_block(n.otherwise, name))
            return true;
    return false;
}

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

}  // namespace

program compiler::page(const parsed_file& file) {
    file_ = file.name;
    const parsed_file* top = &file;
    for (unsigned depth = 0; !top->layout.empty(); ++depth) {
        file_ = top->name;
        const parsed_file* layout = files_.find(top->layout);
        if (!layout) refuse(top->layout_line, "unknown template " + quoted(top->layout));
        if (depth == deepest_include)
            refuse(top->layout_line, "layouts are nested more than 16 deep: check for a cycle");
        for (const node& n : top->nodes)
            if (n.what == node::is::block) {
                if (!has_block(layout->nodes, n.name))
                    refuse(n.line, "the layout " + quoted(top->layout) + " has no block " + quoted(n.name));
                if (!blocks_.try_emplace(n.name, filled_block{&n, top->name}).second &&
                    blocks_[n.name].file == top->name)
                    refuse(n.line, "the block " + quoted(n.name) + " is defined twice");
            }
        top = layout;
    }
    file_ = top->name;
    add(top->nodes);
    const unsigned last = top->nodes.empty() ? 1 : top->nodes.back().line;
    if (const char* wrong = rest(now_)) refuse(last, wrong);
    if (now_.where != context::at::text)
        refuse(last,
               std::string("the page ends ") + describe(now_) + ": an element, attribute or comment is not closed");
    return std::move(made_);
}

void compiler::add(const std::vector<node>& nodes) {
    for (const node& n : nodes) add(n);
}

void compiler::add(const node& n) {
    if (++work_ > max_nodes || made_.text.size() > max_text)
        refuse(n.line, "the page with its includes is too large: over 100000 tags or 16 MiB of text");
    if (n.what == node::is::text) return add_text(n);
    if (const char* wrong = rest(now_)) refuse(n.line, wrong);
    switch (n.what) {
        case node::is::text: return;
        case node::is::value: return add_value(n);
        case node::is::branch: return add_branch(n);
        case node::is::loop: return add_loop(n);
        case node::is::include: return add_include(n);
        case node::is::block: return add_block(n);
    }
}

void compiler::add_text(const node& n) {
    unsigned line = n.line;
    for (std::string_view rest = n.text; !rest.empty(); ++line) {
        const std::string_view one = rest.substr(0, rest.find('\n') == rest.npos ? rest.npos : rest.find('\n') + 1);
        if (const char* wrong = advance(now_, one)) refuse(line, wrong);
        rest.remove_prefix(one.size());
    }
    add_fixed(n.text);
}

void compiler::add_fixed(std::string_view text) {
    auto& all = made_.operations;
    if (all.size() > barrier_ && all.back().what == program::does::text)
        all.back().second += static_cast<std::uint32_t>(text.size());
    else
        all.push_back({.what = program::does::text,
                       .first = static_cast<std::uint32_t>(made_.text.size()),
                       .second = static_cast<std::uint32_t>(text.size())});
    made_.text += text;
}

place compiler::find(const operand& value, const node& n) {
    try {
        return scope_.find(value);
    } catch (const std::invalid_argument& wrong) {
        refuse(n.line, wrong.what());
    }
}

void compiler::add_value(const node& n) {
    const place value = find(n.value, n);
    escape how = escape::text;
    const bool in_element = now_.where == context::at::text;
    if (const char* wrong = place_value(now_, how)) refuse(n.line, wrong);
    if (value.is_text) {
        std::string text;
        append_escaped(text, how, value.text);
        return add_fixed(text);
    }
    if (!value.of) return;
    const schema::type* shown = value.of;
    while (shown->what == schema::kind::optional) shown = shown->element;
    const bool html = is_safe_html(*shown);
    if (html && !in_element)
        refuse(n.line, std::string("safe_html is allowed only between tags, not ") + describe(now_));
    if (!html && !can_write(*shown, how))
        refuse(n.line,
               how == escape::script_value
                   ? std::string(name_of_kind(*shown)) +
                         " with a variant, a json_value or safe_html cannot be written into a script"
                   : std::string(name_of_kind(*shown)) + " cannot be shown: show its fields, or use {{for}} or {{if}}");
    add_operation({.what = program::does::write, .how = how, .first = add_path(value)});
}

void compiler::add_branch(const node& n) {
    const place value = find(n.value, n);
    if (value.is_text) refuse(n.line, "a text literal is not a condition");
    if (value.of && !can_be_tested(*value.of))
        refuse(n.line, std::string(name_of_kind(*value.of)) + " is not a condition: use one of its fields");
    const auto test = add_operation(
        {.what = n.negated ? program::does::jump_if : program::does::jump_unless, .first = add_path(value)});
    const context before = now_;
    add(n.inside);
    enter(n);
    const context after = std::exchange(now_, before);
    if (n.otherwise.empty()) {
        made_.operations[test].target = here();
    } else {
        const auto leave = add_operation({.what = program::does::jump});
        made_.operations[test].target = here();
        add(n.otherwise);
        enter(n);
        made_.operations[leave].target = here();
    }
    meet(after, n);
}

void compiler::add_loop(const node& n) {
    const place list = find(n.value, n);
    if (list.is_text) refuse(n.line, "a text literal is not a list");
    place held = list;
    while (held.of && held.of->what == schema::kind::optional) {
        held.steps.push_back({.held = held.of->optional});
        held.of = held.of->element;
    }
    if (held.of && held.of->what != schema::kind::list)
        refuse(n.line, std::string(name_of_kind(*held.of)) + " is not a list");
    const std::uint32_t loop = made_.loops++;
    const context before = now_;
    const auto begin = add_operation({.what = program::does::loop, .first = add_path(held), .second = loop});
    const auto body = here();
    add_body(n, held, loop);
    context after = now_;
    if (context both = before; !(join(both, after) && both == before)) {
        // Compiles the body again: later iterations begin in the context in which the first iteration ended.
        if (!join(after, before)) meet(before, n);
        made_.operations.resize(body);
        now_ = after;
        add_body(n, held, loop);
        if (context again = now_; !join(again, after) || again != after)
            refuse(n.line, "the body of this loop ends in a different HTML context than it begins in");
        now_ = after;
    }
    add_operation({.what = program::does::next, .second = loop, .target = body});
    const context ended = std::exchange(now_, before);
    const auto leave = n.otherwise.empty() ? 0 : add_operation({.what = program::does::jump});
    made_.operations[begin].target = here();
    add(n.otherwise);
    enter(n);
    if (leave) made_.operations[leave].target = here();
    meet(ended, n);
}

void compiler::add_body(const node& n, const place& list, std::uint32_t loop) {
    scope_.add_loop(n.name, loop, list.of ? list.of->element : nullptr);
    add(n.inside);
    enter(n);
    scope_.remove_loop();
}

void compiler::add_include(const node& n) {
    const parsed_file* file = files_.find(n.name);
    if (!file) refuse(n.line, "unknown template " + quoted(n.name));
    if (!file->layout.empty()) refuse(n.line, quoted(n.name) + " has a layout, so it is a page and cannot be included");
    if (depth_ == deepest_include)
        refuse(n.line, "files and blocks include each other more than 16 deep: check for a cycle");
    scope inner(scope_.model());
    for (const argument& each : n.arguments) inner.add(each.name, find(each.value, n));
    std::swap(scope_, inner);
    const std::string_view outer = std::exchange(file_, file->name);
    ++depth_;
    add(file->nodes);
    --depth_;
    file_ = outer;
    std::swap(scope_, inner);
    enter(n);
}

void compiler::add_block(const node& n) {
    const auto filled = blocks_.find(n.name);
    const bool other = filled != blocks_.end() && filled->second.by != &n;
    if (depth_ == deepest_include)
        refuse(n.line, "files and blocks include each other more than 16 deep: check for a cycle");
    scope inner(scope_.model());
    std::swap(scope_, inner);
    const std::string_view outer = std::exchange(file_, other ? filled->second.file : file_);
    ++depth_;
    add(other ? filled->second.by->inside : n.inside);
    --depth_;
    file_ = outer;
    std::swap(scope_, inner);
    enter(n);
}

std::uint32_t compiler::add_path(const place& value) {
    made_.paths.push_back({value.begins, value.loop, static_cast<std::uint32_t>(made_.steps.size()),
                           static_cast<std::uint32_t>(value.steps.size()), value.of});
    made_.steps.insert(made_.steps.end(), value.steps.begin(), value.steps.end());
    return static_cast<std::uint32_t>(made_.paths.size() - 1);
}

std::uint32_t compiler::add_operation(program::operation one) {
    made_.operations.push_back(one);
    return static_cast<std::uint32_t>(made_.operations.size() - 1);
}

std::uint32_t compiler::here() {
    barrier_ = made_.operations.size();
    return static_cast<std::uint32_t>(barrier_);
}

void compiler::meet(const context& other, const node& n) {
    const std::string one = describe(other), two = describe(now_);
    if (!join(now_, other))
        refuse(n.line, "the branches of this tag end in different HTML contexts, one " + one + " and one " + two +
                           ": close in each branch the elements that it opens");
}

void compiler::enter(const node& n) {
    if (const char* wrong = rest(now_)) refuse(n.line, wrong);
}

}  // namespace apus::markup
