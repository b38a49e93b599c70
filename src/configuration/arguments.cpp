// SPDX-License-Identifier: Apache-2.0
#include "configuration/arguments.hpp"

#include "base/nearest.hpp"
#include "base/utf8.hpp"
#include "configuration/environment.hpp"
#include "configuration/file_text.hpp"
#include "server/command_line.hpp"

#include <algorithm>
#include <iterator>

namespace apus::configuration {
namespace {

constexpr struct {
    std::string_view option;
    command wanted;
} commands[] = {{"--help", command::help},
                {"-h", command::help},
                {"--config-show", command::show},
                {"--config-check", command::check},
                {"--config-schema", command::schema},
                {"--config-example", command::example}};

class argument_reader {
public:
    argument_reader(int argc, char** argv, std::span<const setting> settings)
        : next_(argv + std::min(argc, 1)), end_(argv + argc), settings_(settings) {
        made_.of_server.assign(argv, next_);
    }

    arguments run() && {
        while (next_ != end_) read(*next_++);
        return std::move(made_);
    }

private:
    void read(char* argument) {
        const std::string_view whole = argument;
        const std::size_t equals = std::min(whole.find('='), whole.size());
        const std::string_view option = whole.substr(0, equals);
        const bool has_value = equals != whole.size();
        const std::string_view value = whole.substr(std::min(equals + 1, whole.size()));
        const auto* wanted = std::ranges::find(commands, whole, [](const auto& each) { return each.option; });
        if (wanted != std::end(commands)) made_.wanted = wanted->wanted;
        else if (option == "--config") read_file_option(option, has_value, value);
        else if (const setting* of = find(option)) read_setting(*of, option, has_value, value);
        else if (server::is_option(option)) pass(argument, has_value);
        else if (!read_negation(whole)) report_unknown(option, has_value);
    }

    const setting* find(std::string_view option) const {
        if (option.empty()) return nullptr;
        const auto found = std::ranges::find(settings_, option, &setting::option);
        return found == settings_.end() ? nullptr : &*found;
    }

    void read_file_option(std::string_view option, bool has_value, std::string_view value) {
        if (auto path = value_of(option, has_value, value)) made_.file = *path;
    }

    void read_setting(const setting& of, std::string_view option, bool has_value, std::string_view value) {
        if (of.boolean && !has_value) made_.values.push_back({&of, "true"});
        else if (auto text = value_of(option, has_value, value)) made_.values.push_back({&of, std::string(*text)});
    }

    // Reads "--no-debug" for the setting `debug`.
    bool read_negation(std::string_view whole) {
        if (!whole.starts_with("--no-")) return false;
        const setting* of = find("--" + std::string(whole.substr(5)));
        if (of && of->boolean) made_.values.push_back({of, "false"});
        return of && of->boolean;
    }

    std::optional<std::string_view> value_of(std::string_view option, bool has_value, std::string_view value) {
        if (has_value) return value;
        if (next_ != end_ && !std::string_view(*next_).starts_with("--")) return std::string_view(*next_++);
        made_.problems.push_back(std::string(option) + " needs a value");
        return std::nullopt;
    }

    void pass(char* argument, bool has_value) {
        made_.of_server.push_back(argument);
        const bool takes_next = !has_value && server::takes_value(argument) && next_ != end_;
        if (takes_next) made_.of_server.push_back(*next_++);
    }

    // Values are not shown, since they may be secrets.
    void report_unknown(std::string_view option, bool has_value) {
        if (!option.starts_with("-")) {
            made_.problems.push_back("unexpected argument `" + std::string(option) + "`");
            return;
        }
        if (!has_value && next_ != end_ && !std::string_view(*next_).starts_with("-")) ++next_;
        for (const setting& each : settings_) {
            if (!each.from_files || std::string(option) + "-file" != each.option) continue;
            made_.problems.push_back(std::string(option) + " is not accepted, since other users can see it: use " +
                                     each.option + " FILE or " + each.variable);
            return;
        }
        const std::string_view near = nearest_option(option);
        made_.problems.push_back("unknown option `" + std::string(option) + "`" +
                                 (near.empty() ? "" : "; did you mean `" + std::string(near) + "`?"));
    }

    std::string_view nearest_option(std::string_view option) const {
        std::vector<std::string_view> known{"--config"};
        for (const auto& each : commands) known.push_back(each.option);
        for (const setting& each : settings_) known.push_back(each.option);
        std::ranges::copy(server::option_names(), std::back_inserter(known));
        return option.size() > 128 ? std::string_view() : base::nearest(option, known);
    }

    char** next_;
    char** end_;
    std::span<const setting> settings_;
    arguments made_;
};

}  // namespace

bool is_reserved_option(std::string_view option) {
    const bool is_command = std::ranges::any_of(commands, [&](const auto& each) { return each.option == option; });
    return option == "--config" || is_command || server::is_option(option);
}

arguments read_arguments(int argc, char** argv, std::span<const setting> settings) {
    return argument_reader(argc, argv, settings).run();
}

void put_arguments(const arguments& all, node& to, std::vector<std::string>& problems) {
    std::vector<const setting*> lists;
    for (const arguments::given& each : all.values) {
        const origin at{source::option, each.of->option};
        std::string text = each.text;
        if (each.of->from_files) {
            auto secret = read_secret_file(each.text);
            if (!secret) problems.push_back(at.name + ": " + secret.error());
            if (!secret) continue;
            text = *std::move(secret);
        }
        if (!base::is_utf8(text)) {
            problems.push_back(at.name + " is not valid UTF-8");
            continue;
        }
        const schema::type& type = each.of->type();
        if (type.what != schema::kind::list) {
            put_setting(to, *each.of, node_of_text(type, text, at));
            continue;
        }
        // The first option replaces the list from other sources; each later option adds an item.
        const bool first = std::ranges::find(lists, each.of) == lists.end();
        if (first) put_setting(to, *each.of, {.what = node::kind::list, .at = at});
        if (first) lists.push_back(each.of);
        node& list = const_cast<node&>(deepest(to, each.of->pointer));
        if (list.what == node::kind::list) list.members.push_back(node_of_text(*type.element, text, at));
    }
}

}  // namespace apus::configuration
