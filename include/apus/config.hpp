// SPDX-License-Identifier: Apache-2.0
#pragma once

// The settings of a program as a plain struct: from a TOML file, the environment and the command line.
// Types and annotations of structs: schema.hpp; types with rules: rules.hpp; guide: docs/configuration.md.

#include <apus/detail/json_text.hpp>
#include <apus/detail/owned_parts.hpp>
#include <apus/schema.hpp>
#include <apus/secret.hpp>
#include <apus/serve.hpp>

#include <string>
#include <string_view>

namespace apus {

/// Options of a configuration.
struct config_options {
    /// Path of the TOML file (at most 1 MiB).
    /// The file may be missing. The option `--config FILE` or the variable PREFIX_CONFIG names another file, which must
    /// exist. If `file` is empty and neither the option nor the variable names a file, none is read.
    std::string file = {};
    /// Prefix of environment variables, without `_`.
    /// Empty: the file's name in upper case, such as SHOP for "/etc/shop.toml"; without a file, variables have no
    /// prefix.
    std::string prefix = {};
};

template <class T>
class config;

namespace detail {

class config_state;

owned_parts<config_state> read_config(const schema::type&, const std::string_view* reloadable, std::size_t count,
                                      int argc, char** argv, const config_options&);
owned_parts<config_state> initial_config(const schema::type&);
const void* const* current_config(const config_state&) noexcept;
bool is_usable(const config_state&) noexcept;
int report_config(config_state&);
int serve_config(maker, config_state&, serve_options);

/// Names of the fields that SIGHUP changes.
template <class T>
struct reloadable_fields {
    static constexpr const std::string_view* at = nullptr;
    static constexpr std::size_t count = 0;
};
template <class T>
    requires requires { T::reloadable[0]; }
struct reloadable_fields<T> {
    static constexpr const std::string_view* at = T::reloadable;
    static constexpr std::size_t count = sizeof(T::reloadable) / sizeof(std::string_view);

    static consteval bool exist() {
        for (std::size_t i = 0; i < count; ++i) {
            bool found = false;
            for (unsigned f = 0; f < schema_table<T>.field_count; ++f)
                found = found || schema_table<T>.fields[f].name == at[i];
            if (!found) return false;
        }
        return true;
    }
    static_assert(exist(), "`reloadable` names an unknown field of the struct");
};

}  // namespace detail

/// The settings of a program in a struct T, whose fields follow the rules of `json<T>`.
/// A field may be missing if it has an initializer, is an optional, or is a list or map that may be empty.
///
/// Sources in order of increasing precedence: initializers; the TOML file; credentials of systemd, for secrets;
/// environment variables (SHOP_PAGE_SIZE for `page_size`, SHOP_MAIL__HOST for `host` in the struct `mail`; for a secret
/// also SHOP_MAIL__KEY_FILE, which names a file with the value); options (`--page-size 20`, `--mail.host=smtp`,
/// `--debug`, `--no-debug`). In a variable, commas separate the values of a list; on the command line, the option is
/// repeated for each value. In both, structs in lists and maps are written as JSON. A secret cannot be an option; an
/// option can name a file with the secret: `--mail.key-file FILE`.
///
/// Unless T has a field `server`, the table `[server]` of the file and variables such as SHOP_SERVER__PORT set options
/// of `serve`. The command-line options of `serve` override them.
///
/// A struct may declare `static constexpr std::string_view reloadable[] = {"page_size"}`: the fields (by external name)
/// that SIGHUP reads again. The new values take effect together, and only if all sources are valid; changes of other
/// fields need a restart. Each change is logged, without secrets.
///
/// Construct the object on the thread that calls `serve`. This thread also reloads the configuration. Any thread may
/// read the values.
template <class T>
class config {
public:
    /// Reads all sources.
    /// Invalid values and unknown options do not throw: `report` prints them. Throws `std::logic_error` if two fields,
    /// or a field and an option of `serve`, have the same option or variable.
    config(int argc, char** argv, const config_options& options = {})
        : state_(detail::read_config(detail::readable_table<T>(), detail::reloadable_fields<T>::at,
                                     detail::reloadable_fields<T>::count, argc, argv, options)),
          current_(detail::current_config(*state_)) {}

    /// Creates a configuration with these values, without reading sources: for tests.
    explicit config(T value)
        : state_(detail::initial_config(detail::readable_table<T>())), current_(detail::current_config(*state_)) {
        *static_cast<T*>(const_cast<void*>(*current_)) = std::move(value);
    }

    config(const config&) = delete;
    config& operator=(const config&) = delete;

    /// The current values.
    /// The reference refers to the same values after a reload; call the operator again for the new values. It is valid
    /// for at least 24 hours after the reload that replaces them. A reference that was taken before the first reload is
    /// valid as long as this object. Code that runs for longer than a day, such as a background task or a WebSocket
    /// session, must call the operator again, or copy the values. After an error, the values are unspecified.
    const T& operator*() const noexcept { return *static_cast<const T*>(__atomic_load_n(current_, __ATOMIC_ACQUIRE)); }
    const T* operator->() const noexcept { return &**this; }

    /// Whether the program can continue.
    /// True if all values are valid and the command line has no option such as `--help`. `serve` tests this too, so
    /// only programs that use settings before calling `serve` need the test.
    explicit operator bool() const noexcept { return detail::is_usable(*state_); }

    /// Prints the errors, or the output of `--help` and the `--config-...` options.
    /// Returns the exit status: 2 after an error.
    int report() const { return detail::report_config(*state_); }

private:
    template <class Make, class Settings>
    friend int serve(Make make, const config<Settings>& settings, serve_options defaults);

    detail::owned_parts<detail::config_state> state_;
    const void* const* current_;
};

/// Serves with the options in the configuration, and reloads it on SIGHUP; see serve.hpp.
/// `make` may take the configuration, its values (`const T&`), or nothing. If the configuration is invalid, prints its
/// errors and returns exit status 2, without calling `make` or `serve_options::prepare`.
template <class Make, class T>
int serve(Make make, const config<T>& settings, serve_options defaults = {}) {
    const auto call = [&] {
        if constexpr (requires { make(settings); }) return make(settings);
        else if constexpr (requires { make(*settings); }) return make(*settings);
        else return make();
    };
    return detail::serve_config(detail::make_with(call), *settings.state_, static_cast<serve_options&&>(defaults));
}

}  // namespace apus
