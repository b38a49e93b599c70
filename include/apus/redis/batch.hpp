// SPDX-License-Identifier: Apache-2.0
#pragma once

// Several Redis commands in one round trip, and their replies.

#include <apus/detail/redis_command.hpp>
#include <apus/detail/redis_reply.hpp>

#include <vector>

namespace apus::redis {

/// Commands that are sent together: `run` sends a pipeline, `run_atomically` a transaction.
class batch {
public:
    /// Adds a command. Arguments are as for `executor::command`: they are copied.
    template <class... A>
    batch& add(std::string_view name, const A&... arguments) {
        commands_.push_back(detail::make_command(name, arguments...));
        return *this;
    }
    std::size_t size() const noexcept { return commands_.size(); }
    const std::vector<detail::command_text>& commands() const noexcept { return commands_; }  ///< Used by the library.

private:
    std::vector<detail::command_text> commands_;
};

/// Replies to the commands of a batch, in the order of the commands.
class replies {
public:
    /// Used by the library. `ends` contains the end of each reply in `bytes`.
    replies(std::string bytes, std::vector<std::size_t> ends, std::vector<std::string> names, bool hidden)
        : bytes_(std::move(bytes)), ends_(std::move(ends)), names_(std::move(names)), hidden_(hidden) {}

    std::size_t size() const noexcept { return ends_.size(); }

    /// Converts the reply to command `index`, or returns its error. `index` must be less than `size()`.
    template <class T = void>
    result<T> at(std::size_t index) const {
        return detail::convert_reply<T>(bytes_of(index), names_[index], hidden_);
    }

private:
    std::string_view bytes_of(std::size_t index) const {
        const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
        return std::string_view(bytes_).substr(begin, ends_[index] - begin);
    }

    std::string bytes_;
    std::vector<std::size_t> ends_;
    std::vector<std::string> names_;
    bool hidden_;
};

}  // namespace apus::redis
