// SPDX-License-Identifier: Apache-2.0
#include "cli/lifetimes/syntax_tree.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace apus::cli::lifetimes {
namespace {

int number_in(std::string_view digits) {
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

// Returns the last of adjacent quoted types: 'std::string':'std::basic_string<char>'.
std::string_view type_in(std::string_view text) {
    const std::size_t first = text.find('\'');
    if (first == text.npos) return {};
    std::size_t begin = first + 1, end = text.find('\'', begin);
    while (end != text.npos && text.substr(end).starts_with("':'")) {
        begin = end + 3;
        end = text.find('\'', begin);
    }
    return end == text.npos ? std::string_view() : text.substr(begin, end - begin);
}

std::string_view name_in(std::string_view text) {
    text = text.substr(0, text.find('\''));
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text.substr(text.rfind(' ') + 1);
}

// Returns true if the next child of this kind repeats an earlier child and must be skipped.
bool repeats(const node& parent, std::string_view kind) {
    if (parent.is("CoawaitExpr") || parent.is("CoroutineBodyStmt") || parent.is("CoreturnStmt"))
        return !parent.children.empty();
    if (parent.is("LambdaExpr")) return kind == "CompoundStmt" || kind == "CoroutineBodyStmt";
    return false;
}

}  // namespace

// clang omits the parts of a location that equal the previous location, so every location must be read, in order.
class syntax_tree::reader {
public:
    explicit reader(syntax_tree& tree) : tree_(tree) {}

    void line(std::string_view text) {
        std::size_t depth = 0;
        while (text.size() > 2 * depth + 1 && is_branch(text.substr(2 * depth, 2))) ++depth;
        text.remove_prefix(2 * depth);
        if (depth == 0 && !starts_) return;
        starts_ = false;
        node read;
        read.kind = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), read.kind.size() + 1));
        if (text.starts_with("0x")) read.id = text.substr(0, text.find(' '));
        locate(read, text);
        add(std::move(read), depth);
    }

    void begin_root() {
        starts_ = true;
        path_.clear();
    }

private:
    static bool is_branch(std::string_view two) { return two == "| " || two == "|-" || two == "`-" || two == "  "; }

    void locate(node& read, std::string_view text) {
        const bool is_declaration = read.kind.ends_with("Decl");
        if (const std::size_t at = text.find('<'); at != text.npos && is_location(text.substr(at + 1))) {
            text.remove_prefix(at + 1);
            read.begin = read.end = location(text);
            read.file = file_;
            if (text.starts_with(", ")) {
                text.remove_prefix(2);
                read.end = location(text);
            }
            if (text.starts_with(">")) text.remove_prefix(1);
            if (text.starts_with(" ")) text.remove_prefix(1);
            if (is_declaration && is_location(text)) location(text);  // location of the name in a declaration
        }
        read.text = text;
        read.type = type_in(text);
        if (is_declaration) read.name = name_in(text);
    }

    static bool is_location(std::string_view text) {
        return text.starts_with("line:") || text.starts_with("col:") || text.starts_with("/") ||
               text.starts_with("<") || text.substr(0, text.find_first_of(" ,>")).find(".cpp:") != text.npos;
    }

    position location(std::string_view& text) {
        if (text.starts_with("<invalid sloc>")) {
            text.remove_prefix(14);
            return {};
        }
        // a path may contain blanks, so only "," and ">" end it
        std::size_t end = text.starts_with("<scratch space>") ? 15 : 0;
        end = std::min(text.find_first_of(",>", end), text.size());
        if (text.starts_with("line:") || text.starts_with("col:")) end = std::min(text.find_first_of(",> ", 0), end);
        const std::string_view all = text.substr(0, end);
        text.remove_prefix(end);
        const std::size_t last = all.rfind(':');
        const int column = number_in(all.substr(last + 1));
        if (all.starts_with("col:")) return {line_, column};
        const std::size_t before = all.rfind(':', last - 1);
        line_ = number_in(all.substr(before + 1, last - before - 1));
        if (!all.starts_with("line:")) file_ = all.substr(0, before);
        return {line_, column};
    }

    void add(node read, std::size_t depth) {
        if (depth > path_.size()) return;  // the line belongs to a node that is skipped
        path_.resize(depth);
        node* parent = depth ? path_.back() : nullptr;
        if ((depth && !parent) || (parent && repeats(*parent, read.kind))) {
            path_.push_back(nullptr);
            return;
        }
        read.number = tree_.nodes_.size();
        read.parent = parent;
        tree_.nodes_.push_back(std::move(read));
        path_.push_back(&tree_.nodes_.back());
        if (parent) parent->children.push_back(path_.back());
        else tree_.roots_.push_back(path_.back());
    }

    syntax_tree& tree_;
    std::vector<node*> path_;
    std::string_view file_;
    int line_ = 0;
    bool starts_ = false;
};

syntax_tree::syntax_tree(std::string_view dump) {
    reader reads(*this);
    for (std::size_t from = 0; from < dump.size();) {
        const std::size_t end = std::min(dump.find('\n', from), dump.size());
        const std::string_view line = dump.substr(from, end - from);
        if (line == "Binding for \"root\":") reads.begin_root();
        else if (!line.empty()) reads.line(line);
        from = end + 1;
    }
}

}  // namespace apus::cli::lifetimes
