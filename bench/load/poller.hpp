// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "event.hpp"

struct sockaddr_in;

namespace load {

/// One thread's sockets on epoll, the fallback if io_uring is unavailable.
/// Makes one system call per operation. The members have the same meaning as in `ring`.
class poller {
public:
    explicit poller(unsigned connections);
    ~poller();
    poller(const poller&) = delete;
    poller& operator=(const poller&) = delete;

    // Life cycle of a socket.
    void attach(std::uint32_t slot, int descriptor);
    void connect(std::uint32_t slot, const sockaddr_in&);

    // Output.
    void send(std::uint32_t slot, std::string_view);

    // Input; one operation at a time.
    void receive(std::uint32_t slot);
    void receive_once(std::uint32_t slot);
    void discard(std::uint32_t slot, std::uint64_t bytes);
    void stop_receiving(std::uint32_t slot);

    void wait(std::uint64_t nanoseconds);

    template <class Callback>
    void each_event(Callback&& callback) {
        const auto told = std::exchange(known_, {});
        for (const event& e : told) callback(e);
        for (int i = 0; i < ready_; ++i) {
            const auto slot = std::uint32_t(happened_[i].data.u64);
            // Skips a socket that an earlier event of this batch has ended.
            if (places_[slot].generation != std::uint32_t(happened_[i].data.u64 >> 32)) continue;
            event e{};
            if (look_at(slot, happened_[i].events, e)) callback(e);
        }
    }

private:
    enum class wants : std::uint8_t {
        nothing,
        connection,
        all,      // receive()
        a_piece,  // receive_once()
        to_drop   // discard()
    };

    struct place {
        int descriptor = -1;
        std::uint32_t generation = 0;  // number of the slot's current use
        std::uint32_t watched = 0;     // events registered with epoll; 0: the descriptor is not registered
        wants what = wants::nothing;
        std::uint64_t dropped_at_most = 0;
        std::vector<std::string_view> unsent{};
    };

    bool look_at(std::uint32_t slot, std::uint32_t events, event& e);
    void receive_now(place&, event& e);
    void watch(std::uint32_t slot, std::uint32_t events);
    void flush(std::uint32_t slot);

    static constexpr std::size_t buffer_bytes = 16'384;
    static constexpr int most_at_once = 512;

    int epoll_;
    bool has_precise_wait_ = true;
    int ready_ = 0;
    std::vector<place> places_;
    std::vector<event> known_{};  // results that are known without checking the socket
    std::unique_ptr<char[]> buffer_;
    epoll_event happened_[most_at_once]{};
};

}  // namespace load
