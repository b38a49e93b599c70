// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace apus::server {

/// Reports the server's status to its service manager, with the protocol of sd_notify(3).
/// Does nothing without NOTIFY_SOCKET. Errors are ignored, since the server does not depend on the manager.
class service_status {
public:
    service_status();  ///< Reads NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID and FDSTORE.

    void ready() const noexcept { send("READY=1"); }
    void stopping() const noexcept { send("STOPPING=1"); }
    void reloading() const noexcept;              ///< Call `ready` when the reload is complete.
    void set_main_process(pid_t) const noexcept;  ///< Also completes a reload, without a call of `ready`.
    void alive() const noexcept { send("WATCHDOG=1"); }

    /// Stores duplicates of these sockets in the manager's descriptor store, under one name.
    void store(std::span<const int> sockets, std::string_view name) const noexcept;
    void remove_stored(std::string_view name) const noexcept;

    /// Maximum number of descriptors that the manager stores for this service; 0: not supported.
    unsigned store_size() const noexcept { return store_size_; }
    /// Interval for `alive`, in milliseconds: half of the manager's timeout. 0: no watchdog.
    std::uint64_t watchdog_interval() const noexcept { return watchdog_interval_; }

private:
    void send(std::string_view message, std::span<const int> descriptors = {}) const noexcept;

    std::string address_;  // empty: no manager; begins with a null byte for an abstract address
    unsigned store_size_ = 0;
    std::uint64_t watchdog_interval_ = 0;
};

}  // namespace apus::server
