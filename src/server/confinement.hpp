// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/sandbox.hpp"
#include "server/serve.hpp"

#include <apus/serve.hpp>

#include <expected>
#include <memory>
#include <string>

namespace apus::server {

/// Returns the rights that a server with these options gets in the sandbox.
/// These are rights for the paths and ports of the options, and rights that the library needs: for certificates and
/// other files to reload, name resolution, temporary files, removal of the PID file and of Unix sockets, and statistics
/// of the process.
/// `on_reload` may be null.
sandbox::plan plan_of_sandbox(const serve_options&, const reload_handler* on_reload = nullptr);

/// The sandbox of a server.
class confinement {
public:
    /// `on_reload` may be null, and must outlive this object.
    confinement(const serve_options& options, const reload_handler* on_reload)
        : options_(options), on_reload_(on_reload) {}

    // Both functions return a message on failure; the server must then not serve.
    std::expected<void, std::string> prepare();      ///< Call before the server reports that it is ready.
    std::expected<void, std::string> enter() const;  ///< Confines all threads of the process, and logs the result.

private:
    const serve_options& options_;
    const reload_handler* on_reload_;
    std::unique_ptr<sandbox::prepared_sandbox> sandbox_;  // null: no sandbox
};

}  // namespace apus::server
