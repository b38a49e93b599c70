// SPDX-License-Identifier: Apache-2.0
#include "server/proxied_client.hpp"

#include <string_view>
#include <utility>

namespace apus::server {

proxied_client::proxied_client(owner& by, runtime::loop& on, int fd, sequel follows, std::uint64_t due)
    : stream(fd), then(follows), owner_(by), loop_(on) {
    deadline_.of = end_.of = this;
    deadline_.fire = [](runtime::timer& t) noexcept {
        static_cast<decltype(deadline_)&>(t).of->give_up("the PROXY header did not come in time");
    };
    end_.run = [](runtime::loop_end& e) noexcept { static_cast<decltype(end_)&>(e).of->give_up(nullptr); };
    loop_.timers().add(deadline_, due);
    loop_.at_end(end_);
    loop_.io().receive(*this);
}

proxied_client::~proxied_client() {
    loop_.timers().remove(deadline_);
    runtime::loop::take_out(end_);
}

void proxied_client::give_up(const char* why) noexcept {
    if (std::exchange(over_, true)) return;
    loop_.timers().remove(deadline_);
    owner_.given_up(*this, why);
    loop_.io().close(*this);
}

void proxied_client::received(runtime::received_bytes bytes) {
    if (over_) return;
    const std::size_t before = held_.size();
    std::string_view in(bytes.data, bytes.size);
    if (before) in = held_.append(in.substr(0, codec::proxy::longest_header));
    const auto read = codec::proxy::read_header(in);
    if (read.state == codec::outcome::bad) return give_up(read.why->reason);
    if (read.state == codec::outcome::partial) {
        if (!before) held_ = in;
        return;
    }
    runtime::stream* const next = owner_.take_over(*this, read.value);
    if (!next) return give_up("the server has no room for the connection");
    over_ = true;
    loop_.timers().remove(deadline_);
    loop_.io().hand_over(*this, *next);
    owner_.begin(*next);
    const std::size_t taken = read.used - before;
    loop_.io().pass_on(*next, {bytes.data + taken, bytes.size - taken});
}

}  // namespace apus::server
