// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"
#include "server/core_thread.hpp"
#include "server/task_listing.hpp"

#include <apus/channel.hpp>
#include <apus/query.hpp>
#include <apus/rules.hpp>
#include <apus/task.hpp>

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace apus::server {

/// The query of `/debug/tasks`.
struct task_query {
    std::optional<one_of<"json", "text">> format;  ///< Default: by `Accept`.
    integer<0, task_snapshot::max_tasks> limit{200};
};

/// Collects the suspended tasks of all cores for `/debug/tasks`.
/// Each core copies its own tasks, when it reads its mailbox; so neither locks nor idle cores' time are needed until
/// someone asks. A core that does not respond in time is listed as such. Used by the administration's thread, except
/// `close`. Must outlive the loops of the cores.
class task_collector {
public:
    static constexpr std::string_view path = "/debug/tasks";
    static constexpr duration answer_time = apus::milliseconds(250);  ///< Time for the cores to respond.

    explicit task_collector(shared_state& served) noexcept : served_(served) {}
    task_collector(const task_collector&) = delete;
    task_collector& operator=(const task_collector&) = delete;
    ~task_collector() = default;

    /// Responds to a request for the tasks. `on` is the administration's thread.
    /// Concurrent calls share a collection: a call waits at most for the collection in progress and the next one.
    task<response> respond(core_thread& on, const request&, task_query);

    /// Makes cores drop their responses.
    /// Call from any thread before the administration's loop is destroyed.
    void close() noexcept { use(nullptr); }

private:
    struct letter : runtime::posted_call {
        task_collector* of = nullptr;
        core_thread* core = nullptr;
        std::size_t number = 0;
        std::unique_ptr<task_snapshot> tasks{};
        bool is_away = false;     // owned by the core, or in a mailbox
        bool is_awaited = false;  // by the collection in progress
    };
    struct collection {
        task_listing found{};
        bool complete = false;
        channel<bool> end{0};                                         // closed at the end
        std::map<std::pair<bool, std::size_t>, std::string> texts{};  // by format (is text) and limit
    };
    struct running;

    void use(runtime::loop*) noexcept;
    task<std::shared_ptr<collection>> collect(core_thread& on);
    task<> run();
    task<> gather(collection&);
    void send_letters();
    task_listing::thread take(letter&);
    static void read(runtime::posted_call&) noexcept;
    static void arrived(runtime::posted_call&) noexcept;

    shared_state& served_;
    std::deque<letter> letters_;
    std::shared_ptr<collection> next_;
    bool runs_ = false;
    std::size_t missing_ = 0;
    channel<bool> all_here_{1};
    std::mutex open_mutex_;
    runtime::loop* administration_ = nullptr;  // null: closed, or not used yet
};

}  // namespace apus::server
