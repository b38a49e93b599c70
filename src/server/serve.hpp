// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"

#include <apus/serve.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace apus::server {

/// Reloads of settings since the process started.
/// Written by the thread that called `serve`, read by any thread.
struct reload_counts {
    base::counter changed, unchanged;
    base::counter refused;  ///< The current values were kept because of an error.
};

/// Settings of a program. Its functions are called on the thread that called `serve`.
class reload_handler {
public:
    reload_counts counts{};

    virtual void reload() noexcept = 0;                       ///< Called on SIGHUP.
    virtual std::vector<std::string> files_read() const = 0;  ///< Paths of the files that `reload` reads.
    /// Returns the current settings as TOML, each with its source. Secrets are masked.
    virtual std::string shown() const = 0;

protected:
    ~reload_handler() = default;
};

/// Serves with the options of a command line; see apus/serve.hpp.
/// `on_reload` may be null, and must outlive the call.
int serve(detail::maker, int argc, char** argv, serve_options defaults, reload_handler* on_reload);

int print(std::string_view text);                 ///< To standard output. Returns the exit status.
int report(const std::string& what, int status);  ///< An error, to standard error. Returns `status`.

}  // namespace apus::server
