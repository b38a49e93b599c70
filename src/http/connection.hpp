// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/core.hpp"
#include "runtime/stream.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace apus::http {

/// A connection of a core, whatever is spoken on it: in the core's list and inside its gate while
/// it is there. Deletes itself when closed.
class connection : public runtime::stream {
public:
    virtual void start() = 0;                 ///< Begins to receive.
    virtual void drain() = 0;                 ///< Answers what is under way, and closes.
    virtual void abandon() noexcept = 0;      ///< Closes at once, whatever is under way.
    connection* next() const noexcept { return next_; }

    /// What is told of the peer in place of its socket's address: a proxy has said who it stands for.
    void name_peer(std::string address);

    std::uint64_t key = 0;        ///< For its owner: the address it is counted under.

protected:
    connection(core&, int fd);
    connection(core&, connection& before);    // in place of it: the stream is to be handed over
    ~connection() { unlink(); }

    void tell_closed(core&) noexcept;         // to who watches, unless another has taken the stream over
    void write_address(std::string& to) const;  // of the peer

private:
    void link(core&) noexcept;
    void unlink() noexcept;

    runtime::gate::pass inside_;
    connection* next_ = nullptr;
    connection** at_ = nullptr;
    std::unique_ptr<const std::string> peer_;
};

}  // namespace apus::http
