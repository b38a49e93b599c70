// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/core.hpp"
#include "runtime/stream.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

namespace apus::http {

/// A connection of a core, whatever is spoken on it: in the core's list and inside its gate while
/// it is there. Deletes itself when closed.
class connection : public runtime::stream {
public:
    virtual void start() = 0;             ///< Begins to receive.
    virtual void drain() = 0;             ///< Answers what is under way, and closes.
    virtual void abandon() noexcept = 0;  ///< Closes at once, whatever is under way.
    virtual void review_input() = 0;      ///< Whether it is read from may have changed with the pressure on memory.
    connection* next() const noexcept { return next_; }

    // For the memory guard.
    std::size_t held() const noexcept { return held_; }      ///< Bytes on the core's account, as of its last event.
    std::uint32_t moved() const noexcept { return moved_; }  ///< Bytes that came and went lately.
    void forget_half_moved() noexcept { moved_ = (moved_ / 2) & most_moved; }
    bool favoured() const noexcept { return favoured_; }  ///< Read from though it holds much.
    void favour(bool on) noexcept { favoured_ = on; }
    bool was_cut() const noexcept { return cut_; }  ///< Closed for lack of memory; still there for a moment.
    void mark_cut() noexcept { cut_ = true; }
    bool held_back() const noexcept { return held_back_; }  ///< Not read from, for what it holds.
    void go_last(core&) noexcept;                           ///< Of those that are held back.
    /// Of one that is idle, and for the state of its record layer.
    std::size_t idle_memory() const noexcept { return layer() ? 512 + secure_memory() : 512; }

    /// What is told of the peer in place of its socket's address: a proxy has said who it stands for.
    void name_peer(std::string address);

    std::uint64_t key = 0;  ///< For its owner: the address it is counted under.

protected:
    connection(core&, int fd);
    connection(core&, connection& before);  // in place of it: the stream is to be handed over
    ~connection();

    /// What it holds now, in bytes.
    void hold(core&, std::size_t bytes) noexcept;
    void count_moved(std::size_t bytes) noexcept {
        moved_ = static_cast<std::uint32_t>(std::min<std::size_t>(moved_ + bytes, most_moved)) & most_moved;
    }
    /// Whether it is not to be read from for now.
    bool hold_back(core& c) noexcept {
        const bool back = c.guard.exhausted() || c.guard.holds_back(*this);
        if (back && !held_back_) go_last(c);
        return held_back_ = back;
    }

    void tell_closed(core&) noexcept;           // to who watches, unless another has taken the stream over
    void write_address(std::string& to) const;  // of the peer
    void probe_peer() noexcept;           // it sends no more: from now on the kernel asks whether it still listens
    bool peer_has_left() const noexcept;  // by a reset, or it does not answer any more

private:
    std::size_t secure_memory() const noexcept;
    void link(core&) noexcept;
    void unlink() noexcept;

    runtime::gate::pass inside_;
    connection* next_ = nullptr;
    connection** at_ = nullptr;
    std::unique_ptr<const std::string> peer_;
    static constexpr std::uint32_t most_moved = (1U << 29) - 1;
    std::uint32_t held_ = 0;
    std::uint32_t moved_ : 29 = 0;
    bool held_back_ : 1 = false;
    bool favoured_ : 1 = false;
    bool cut_ : 1 = false;
};

}  // namespace apus::http
