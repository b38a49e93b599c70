// SPDX-License-Identifier: Apache-2.0
#include "configuration/state.hpp"

#include "configuration/pages.hpp"
#include "configuration/sentences.hpp"
#include "configuration/toml_text.hpp"
#include "server/command_line.hpp"

#include <apus/log.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>

namespace apus::detail {

using namespace configuration;

namespace {

void check_options(const std::vector<setting>& all) {
    for (const setting& each : all)
        if (is_reserved_option(each.option))
            throw std::logic_error("the field `" + each.path + "` has the option " + each.option +
                                   ", which is an option of the server: rename the field, or move it into a nested "
                                   "struct");
}

bool has_field(const schema::type& t, std::string_view name) {
    return std::any_of(t.fields, t.fields + t.field_count, [&](const schema::field& f) { return f.name == name; });
}

// Returns a value as JSON that includes secrets, to compare and to copy values.
std::string exact(const schema::type& t, const void* value) {
    std::string json;
    try {
        if (value) print_json_with_secrets(t, value, json);
    } catch (const std::exception&) {
        json.clear();  // such as NaN
    }
    return json;
}

}  // namespace

config_state::config_state(const schema::type& t, std::span<const std::string_view> reloadable, config_options options,
                           variables environment)
    : type_(&t), reloadable_(reloadable), options_(std::move(options)), environment_(environment) {
    if (options_.prefix.empty()) options_.prefix = prefix_of_file(options_.file);
    settings_ = settings_of(t, options_.prefix);
    if (!has_field(t, "server")) server_settings_ = settings_of(type_of_server_table(), options_.prefix, "server");
    check_options(settings_);
    versions_.push_back({std::make_unique<schema::made_object>(t, static_cast<unsigned char>(0))});
    current_ = versions_.front().value->at();
}

void config_state::read(int argc, char** argv) {
    arguments_ = read_arguments(argc, argv, settings_);
    sources_ = {options_.file, false, environment_, &arguments_};
    const auto variable = find_variable(environment_, options_.prefix + "_CONFIG");
    if (arguments_.file) sources_.file = *arguments_.file, sources_.must_exist = true;
    else if (variable && !options_.prefix.empty()) sources_.file = *variable, sources_.must_exist = true;
    reading found = read_values();
    problems_ = arguments_.problems;
    problems_.insert(problems_.end(), found.problems.begin(), found.problems.end());
    note_places(found.tree);
    server_ = std::move(found.server);
    const std::size_t digest = digest_of(found.value->at());
    versions_.front() = {std::move(found.value), digest};
    current_ = versions_.front().value->at();
}

config_state::reading config_state::read_values() {
    reading found{std::make_unique<schema::made_object>(*type_, static_cast<unsigned char>(0)), {}};
    std::vector<setting> all = settings_;
    all.insert(all.end(), server_settings_.begin(), server_settings_.end());
    found.tree = read_sources(sources_, all, found.problems);
    std::optional<node> of_server;
    if (!server_settings_.empty()) {
        if (const node* table = found.tree.find("server")) of_server = *table;
        found.tree.remove("server");
    }
    fill_values(found);
    if (of_server)
        fill(type_of_server_table(), &found.server, *std::move(of_server), "server", server_settings_, sources_.file,
             found.problems);
    return found;
}

void config_state::fill_values(reading& to) const {
    fill(*type_, to.value->at(), to.tree, {}, settings_, sources_.file, to.problems);
}

void config_state::note_places(const node& tree) {
    places_.clear();
    for (const setting& each : settings_) {
        // If the value is missing, `deepest` returns the table around it, and the setting has no source.
        const node& found = deepest(tree, each.pointer);
        const bool is_value =
            &found != &deepest(tree, std::string_view(each.pointer).substr(0, each.pointer.rfind('/')));
        places_.push_back(is_value ? place_of(found.at) : std::string());
    }
}

bool config_state::is_reloadable(std::string_view field) const {
    return std::ranges::find(reloadable_, field) != reloadable_.end();
}

// Keeps the current values of fields that need a restart. Logs a warning for each such field that has changed.
void config_state::keep_others(reading& of) const {
    for (unsigned i = 0; i < type_->field_count; ++i) {
        const schema::field& f = type_->fields[i];
        if (is_reloadable(f.name)) continue;
        std::string now = exact(*f.of, static_cast<const char*>(current_) + f.offset);
        if (now != exact(*f.of, of.value->at() + f.offset))
            log::warn("changed setting needs a restart", {"setting", f.name});
        of.tree.remove(f.name);
        if (!now.empty()) of.tree.put(f.name, {.what = node::kind::json, .text = std::move(now)});
    }
    if (of.server != server_) log::warn("changed setting needs a restart", {"setting", "server"});
}

bool config_state::same(const void* one, const void* other) const {
    return std::ranges::all_of(settings_, [&](const setting& each) {
        return exact(each.type(), value_in(*type_, one, each.pointer)) ==
               exact(each.type(), value_in(*type_, other, each.pointer));
    });
}

std::size_t config_state::digest_of(const void* value) const {
    std::size_t digest = 0;
    for (const setting& each : settings_)
        digest = digest * 31 + std::hash<std::string>()(exact(each.type(), value_in(*type_, value, each.pointer)));
    return digest;
}

// Keeps the first version, and the current one, which is not replaced.
void config_state::destroy_versions(clock::time_point replaced_before) {
    const auto first = versions_.begin() + 1;
    versions_.erase(
        std::remove_if(first, versions_.end(), [&](const version& one) { return one.replaced <= replaced_before; }),
        versions_.end());
}

void config_state::log_changes(const void* from, const void* to) const {
    for (const setting& each : settings_) {
        const void* const before = value_in(*type_, from, each.pointer);
        const void* const after = value_in(*type_, to, each.pointer);
        if (exact(each.type(), before) == exact(each.type(), after)) continue;
        log::info("setting changed", {"setting", each.path},
                  {"from", before ? shown_value(each.type(), before) : std::string()},
                  {"to", after ? shown_value(each.type(), after) : std::string()});
    }
}

void config_state::replace(reading& by, clock::time_point now) {
    destroy_versions(now - kept_for);
    const void* const values = by.value->at();
    if (same(current_, values)) {
        ++counts.unchanged;
        return log::info("configuration reloaded without changes");
    }
    const std::size_t digest = digest_of(values);
    const auto is_equal = [&](const version& one) { return one.digest == digest && same(one.value->at(), values); };
    auto used = std::ranges::find_if(versions_, is_equal);
    if (used == versions_.end() && versions_.size() >= max_versions) {
        ++counts.refused;
        return log::error("configuration not reloaded", {"reason", "too many reloads within a day"});
    }
    log_changes(current_, values);
    if (used == versions_.end()) used = versions_.insert(used, {std::move(by.value), digest});
    const auto is_current = [this](const version& one) { return one.value->at() == current_; };
    std::ranges::find_if(versions_, is_current)->replaced = now;
    used->replaced = clock::time_point::max();
    __atomic_store_n(&current_, used->value->at(), __ATOMIC_RELEASE);
    ++counts.changed;
    log::info("configuration reloaded");
}

void config_state::reload_at(clock::time_point now) noexcept try {
    reading found = read_values();
    if (found.problems.empty()) {
        keep_others(found);
        found.value = std::make_unique<schema::made_object>(*type_, static_cast<unsigned char>(0));
        fill_values(found);
    }
    for (const std::string& each : found.problems) log::error("configuration not reloaded", {"reason", each});
    if (found.problems.empty()) replace(found, now);
    else ++counts.refused;
} catch (const std::exception& e) {
    ++counts.refused;
    log::error("configuration not reloaded", {"reason", e.what()});
}

std::string config_state::usage(bool with_tls) const {
    schema::made_object initial(*type_, 0);
    const char* const program = arguments_.of_server.empty() ? "program" : arguments_.of_server[0];
    return "Usage: " + std::string(program) + " [options]\n\n" +
           help_page({*type_, initial.at(), settings_}, options_.file, options_.prefix) + "\nServer:\n\n" +
           server::options_usage(with_tls);
}

std::string config_state::page(command wanted, bool with_tls) const {
    schema::made_object initial(*type_, 0);
    switch (wanted) {
        case command::help: return usage(with_tls);
        case command::show: return shown();
        case command::schema: return schema_page(*type_, server_settings_.empty() ? nullptr : &type_of_server_table());
        case command::example: return example_page({*type_, initial.at(), settings_}, options_.file);
        case command::check:
        case command::none: break;
    }
    return {};
}

std::string config_state::shown() const { return show_page({*type_, current_, settings_}, places_); }

std::vector<std::string> config_state::warnings() const {
    std::vector<setting> all = settings_;
    all.insert(all.end(), server_settings_.begin(), server_settings_.end());
    return misspelt_variables(environment_, options_.prefix, all);
}

std::vector<std::string> config_state::files_read() const {
    if (sources_.file.empty()) return {};
    return {sources_.file};
}

}  // namespace apus::detail
