// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configuration/arguments.hpp"
#include "configuration/node.hpp"
#include "configuration/reading.hpp"
#include "configuration/server_table.hpp"
#include "configuration/settings.hpp"
#include "schema/made_object.hpp"
#include "server/serve.hpp"

#include <apus/config.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::detail {

/// A type-erased configuration.
class config_state final : public server::reload_handler {
public:
    /// The views must outlive this object. `environment`: see `configuration::variables`.
    config_state(const schema::type&, std::span<const std::string_view> reloadable, config_options,
                 configuration::variables environment);

    /// Reads all sources for the first time.
    void read(int argc, char** argv);

    using clock = std::chrono::steady_clock;
    /// How long values stay in memory, for references to them, after a reload has replaced them.
    static constexpr std::chrono::hours kept_for{24};

    /// Bounds the memory of values. The default permits six reloads with new values per minute.
    std::size_t max_versions = 10'000;

    /// Reads all sources again. Logs the changes, or the errors.
    /// After an error, the current values are kept. A reload that returns to earlier values uses these again. Destroys
    /// values that were replaced before `now - kept_for`, except the first ones, which apps may refer to.
    void reload_at(clock::time_point now) noexcept;
    void reload() noexcept override { reload_at(clock::now()); }
    std::size_t versions() const noexcept { return versions_.size(); }  ///< Values in memory.
    std::vector<std::string> files_read() const override;
    std::string shown() const override;

    void* initial() noexcept { return versions_.front().value->at(); }
    const void* const* current() const noexcept { return &current_; }
    bool is_usable() const noexcept { return problems_.empty() && arguments_.wanted == configuration::command::none; }
    const std::vector<std::string>& problems() const noexcept { return problems_; }
    const configuration::arguments& command_line() const noexcept { return arguments_; }
    const configuration::server_table& server() const noexcept { return server_; }

    /// Returns the output for `--help` and similar options. Empty for `check`.
    std::string page(configuration::command, bool with_tls) const;

    /// Sentences about variables that are probably misspelled.
    std::vector<std::string> warnings() const;

private:
    struct reading {
        std::unique_ptr<schema::made_object> value;
        configuration::node tree;
        configuration::server_table server = {};
        std::vector<std::string> problems = {};
    };

    struct version {
        std::unique_ptr<schema::made_object> value;
        std::size_t digest = 0;  // of all settings
        clock::time_point replaced = clock::time_point::max();
    };

    reading read_values();
    void fill_values(reading&) const;
    void note_places(const configuration::node& tree);
    bool is_reloadable(std::string_view field) const;
    void keep_others(reading&) const;
    bool same(const void* one, const void* other) const;
    std::size_t digest_of(const void* value) const;
    void destroy_versions(clock::time_point replaced_before);
    void log_changes(const void* before, const void* after) const;
    void replace(reading&, clock::time_point now);
    std::string usage(bool with_tls) const;

    const schema::type* type_;
    std::span<const std::string_view> reloadable_;
    config_options options_;
    configuration::variables environment_;
    configuration::sources sources_;
    configuration::arguments arguments_;
    std::vector<configuration::setting> settings_;
    std::vector<configuration::setting> server_settings_;  // empty if the struct has a field `server`
    configuration::server_table server_;
    std::vector<std::string> places_;  // source of each setting, by index
    std::vector<std::string> problems_;
    std::vector<version> versions_;
    const void* current_;
};

}  // namespace apus::detail
