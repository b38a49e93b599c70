// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operations/health_board.hpp"
#include "runtime/blocking.hpp"
#include "server/core_thread.hpp"
#include "server/inherited_sockets.hpp"
#include "server/request_board.hpp"
#include "server/task_collector.hpp"

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace apus::server {

/// Responds to health probes and metrics scrapes, on its own thread with an event loop and an app.
/// So responses do not depend on busy or blocked cores, and use no time of a core. The thread exists only if
/// `serve_options::admin` names a listener or the program's app mounts the endpoints. Reads the counters of the cores,
/// and runs health checks on core 0.
class administration final : public web::process_reporter, operations::health_board::runner {
public:
    administration(shared_state& served, const runtime::blocking_threads&);
    administration(const administration&) = delete;
    administration& operator=(const administration&) = delete;
    ~administration();

    // For the supervisor's thread.
    /// Opens the listener, or takes it over from an earlier process if the address is the same.
    std::expected<void, std::string> open(const std::vector<inherited_socket>& = {});
    int fd() const noexcept { return listeners_.empty() ? -1 : listeners_[0].fd(); }  ///< Before `start`.
    void start();                          ///< Starts the thread if it is needed. Requires all cores to be ready.
    void set_settings(std::string shown);  ///< Sets the response of `/debug/config`; until then, the status is 404.
    void begin();  ///< Starts to accept. Health endpoints report from now on that the process serves.
    bool is(core_thread::state s) const noexcept { return thread_ && thread_->now() == s; }
    const std::string& failure() const noexcept { return thread_->failure(); }
    const std::string& url() const noexcept { return url_; }  ///< Empty without a listener.
    /// See `core_thread::own_listeners`.
    void own_listener() noexcept {
        if (thread_) thread_->own_listeners();
    }
    /// See `core_thread::set_accepting`.
    void set_accepting(bool on) noexcept {
        if (thread_) thread_->set_accepting(on);
    }
    void set_draining() noexcept { board_.enter(operations::process_state::draining); }
    void drain(http::drain_cause = http::drain_cause::stop) noexcept;
    bool has_drained() const noexcept;
    void end_when_empty() noexcept;
    void abort() noexcept;  ///< Ends the thread soon.
    void join() noexcept;   ///< Waits for the end of the thread.

    task<web::process_report> report(web::report_kind, web::report_format) override;

private:
    struct remote_report;

    app create_app();  // not named `make_app`, so that a breakpoint on `make_app` stops only in the program's function
    task<web::process_report> report_here(web::report_kind, web::report_format);
    void start_check(std::size_t number) override;
    std::string stalled() override;
    std::shared_ptr<const std::string> metrics(web::report_format);
    result<response> settings();

    shared_state& served_;
    const runtime::blocking_threads& blocking_;
    serve_options options_;  // of the administration's thread, not of the cores
    std::optional<shared_state> shared_;
    operations::health_board board_;
    task_collector tasks_;
    std::vector<net::listener> listeners_;
    std::string url_;
    request_board requests_{served_};
    /// A document of metrics, which scrapes share until `due`.
    struct rendered {
        std::shared_ptr<const std::string> text;
        std::uint64_t due = 0;  // in milliseconds of the loop's clock
    };
    std::array<rendered, 3> rendered_;  // by `operations::exposition_format`
    std::unique_ptr<core_thread> thread_;
    std::mutex settings_mutex_;
    std::string settings_;
    bool drains_ = false;
};

}  // namespace apus::server
