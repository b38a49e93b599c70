// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"

namespace load {

/// Raises the limit of open files to the maximum. Ends the program if the maximum is too low.
void make_room_for(unsigned connections);

/// Creates sockets that are ready to connect.
class socket_source {
public:
    explicit socket_source(const options&);

    /// Returns a descriptor, or a negative errno.
    int make();

private:
    bool spread_;
    std::uint32_t next_ = 0;
};

}  // namespace load
