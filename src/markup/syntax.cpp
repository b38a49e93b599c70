// SPDX-License-Identifier: Apache-2.0
#include "markup/syntax.hpp"

#include "markup/tag.hpp"

#include <algorithm>
#include <utility>

namespace apus::markup {
namespace {

class file_parser {
public:
    file_parser(std::string_view name, std::string_view text)
        : reader_(name, text), file_{.name = name, .layout = {}, .nodes = {}} {}

    parsed_file parse() {
        read_nodes(file_.nodes, 0);
        if (tag_.what != tag::is::end_of_file)
            refuse("\"" + std::string(tag_.keyword) + "\" without an open \"if\", \"for\" or \"block\"");
        if (!file_.layout.empty()) check_blocks_only();
        return std::move(file_);
    }

private:
    // Parses nodes up to the tag that ends their block, and leaves that tag in tag_.
    void read_nodes(std::vector<node>& into, unsigned depth) {
        for (;;) {
            tag_ = reader_.next();
            switch (tag_.what) {
                case tag::is::comment: break;
                case tag::is::text:
                    into.push_back({.what = node::is::text, .line = tag_.line, .text = tag_.keyword});
                    break;
                case tag::is::value:
                    into.push_back({.what = node::is::value, .line = tag_.line, .value = std::move(tag_.value)});
                    break;
                case tag::is::include:
                    into.push_back({.what = node::is::include,
                                    .line = tag_.line,
                                    .name = tag_.name,
                                    .arguments = std::move(tag_.arguments)});
                    break;
                case tag::is::layout: read_layout(into, depth); break;
                case tag::is::branch:
                case tag::is::loop:
                case tag::is::block: into.push_back(read_compound(depth + 1)); break;
                default: return;
            }
        }
    }

    void read_layout(const std::vector<node>& before, unsigned depth) {
        const bool first = std::all_of(before.begin(), before.end(), [](const node& n) { return is_space(n); });
        if (depth || !first || !file_.layout.empty())
            refuse("\"layout\" must be the first tag of a file, and appear once");
        file_.layout = tag_.name;
        file_.layout_line = tag_.line;
    }

    node read_compound(unsigned depth) {
        if (depth > deepest_nesting)
            refuse("more than " + std::to_string(deepest_nesting) +
                   " tags are open: move a part into another file and include it");
        const std::string keyword(tag_.keyword);
        node made{.what = tag_.what == tag::is::branch ? node::is::branch
                          : tag_.what == tag::is::loop ? node::is::loop
                                                       : node::is::block,
                  .negated = tag_.negated,
                  .line = tag_.line,
                  .name = tag_.name,
                  .value = std::move(tag_.value)};
        read_nodes(made.inside, depth);
        if (tag_.what == tag::is::otherwise && made.what != node::is::block) read_nodes(made.otherwise, depth);
        else if (tag_.what == tag::is::otherwise_if && made.what == node::is::branch) {
            made.otherwise.push_back(read_compound_if(depth));
            return made;  // one "end" closes the whole chain of branches
        }
        if (tag_.what == tag::is::end) return made;
        if (tag_.what != tag::is::end_of_file)
            refuse("this \"" + std::string(tag_.keyword) + "\" is not allowed in the \"" + keyword + "\" of line " +
                   std::to_string(made.line));
        throw template_error(file_.name, made.line, "this \"" + keyword + "\" has no {{end}}");
    }

    node read_compound_if(unsigned depth) {
        tag_.what = tag::is::branch;
        return read_compound(depth + 1);
    }

    static bool is_space(const node& n) {
        return n.what == node::is::text && n.text.find_first_not_of(" \t\r\n") == n.text.npos;
    }

    void check_blocks_only() {
        for (const node& n : file_.nodes)
            if (n.what != node::is::block && !is_space(n))
                throw template_error(file_.name, n.line,
                                     "a file with a layout may contain only blocks: put this into a {{block}}");
    }

    [[noreturn]] void refuse(const std::string& what) { throw template_error(file_.name, tag_.line, what); }

    tag_reader reader_;
    parsed_file file_;
    tag tag_;
};

}  // namespace

parsed_file parse(std::string_view name, std::string_view text) {
    if (text.size() > longest_file) throw template_error(name, 1, "the file is larger than 1 MiB");
    return file_parser(name, text).parse();
}

}  // namespace apus::markup
