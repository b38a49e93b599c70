// SPDX-License-Identifier: Apache-2.0
#include "cli/modules/source_facts.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/modules/source_tokens.hpp"

namespace apus::cli::modules {

namespace {

using is = source_token::is;

constexpr std::pair<std::string_view, std::string_view> methods[] = {
    {"get", "GET"},     {"head", "HEAD"},  {"post", "POST"},       {"put", "PUT"},
    {"patch", "PATCH"}, {"del", "DELETE"}, {"options", "OPTIONS"}, {"websocket", "GET"}};

class fact_reader {
public:
    explicit fact_reader(std::string_view source) : words_(tokens_of(source)) {}

    source_facts read() {
        for (at_ = 0; at_ < words_.size(); ++at_) {
            const source_token& word = words_[at_];
            if (word.kind == is::inclusion || word.kind == is::quoted_inclusion)
                found_.inclusions.push_back({std::string(word.text), word.kind == is::quoted_inclusion, word.line});
            else if (word == "app" && is_name(1) && is_mark(2, "(")) maker_ = words_[at_ + 1].text;
            else if (word == "." && is_name(1) && is_mark(2, "(")) call();
        }
        return std::move(found_);
    }

private:
    const source_token* ahead(std::size_t by) const { return at_ + by < words_.size() ? &words_[at_ + by] : nullptr; }
    bool is_name(std::size_t by) const { return ahead(by) && ahead(by)->kind == is::name; }
    bool is_mark(std::size_t by, std::string_view mark) const {
        return ahead(by) && ahead(by)->kind == is::mark && ahead(by)->text == mark;
    }

    // Parses a call, starting at the dot of `app.get(`.
    void call() {
        const std::string receiver(at_ && words_[at_ - 1].kind == is::name ? words_[at_ - 1].text : std::string_view());
        const source_token& function = words_[at_ + 1];
        const source_token* first = ahead(3);
        if (!first) return;
        if (function == "mount") return mount(receiver);
        const auto* method = std::ranges::find(methods, function.text, [](const auto& each) { return each.first; });
        if (method == std::end(methods) || first->kind != is::literal || !first->text.starts_with('/')) return;
        found_.routes.push_back(
            {receiver, std::string(method->second), std::string(first->text), std::string(maker_), function.line});
    }

    void mount(const std::string& onto) {
        literal_mount made{
            .onto = onto, .prefix = {}, .what = {}, .maker = std::string(maker_), .line = words_[at_ + 1].line};
        std::size_t from = 3;
        if (ahead(3)->kind == is::literal && is_mark(4, ",")) made.prefix = ahead(3)->text, from = 5;
        made.what = expression(from);
        if (made.what == "std::move" && is_name(from + 5)) made.what = ahead(from + 5)->text;
        if (!made.what.empty()) found_.mounts.push_back(std::move(made));
    }

    // Returns a qualified name: names with `::` between them.
    std::string expression(std::size_t from) const {
        std::string names;
        for (; is_name(from) || is_mark(from, ":"); ++from) names += ahead(from)->text;
        return names;
    }

    std::vector<source_token> words_;
    std::size_t at_ = 0;
    std::string_view maker_{};
    source_facts found_{};
};

}  // namespace

source_facts read_source(std::string_view text) { return fact_reader(text).read(); }

}  // namespace apus::cli::modules
