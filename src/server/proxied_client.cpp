// SPDX-License-Identifier: Apache-2.0
#include "server/proxied_client.hpp"

#include <string_view>
#include <utility>

namespace apus::server {

proxied_client::proxied_client(owner& by, runtime::loop& on, int fd, connection_options follows, std::uint64_t due)
    : owner_(by), loop_(on), connection_(std::make_unique<http::connection>(fd)), then_(follows) {
    connection_->set_receiver(*this);
    deadline_.of = end_.of = this;
    deadline_.fire = [](runtime::timer& t) noexcept {
        static_cast<decltype(deadline_)&>(t).of->reject("the PROXY header did not arrive in time");
    };
    end_.run = [](runtime::loop_end& e) noexcept { static_cast<decltype(end_)&>(e).of->reject(nullptr); };
    loop_.timers().add(deadline_, due);
    loop_.at_end(end_);
}

void proxied_client::start() { loop_.io().receive(*connection_); }

proxied_client::~proxied_client() {
    loop_.timers().remove(deadline_);
    runtime::loop::take_out(end_);
}

void proxied_client::reject(const char* why) noexcept {
    if (std::exchange(over_, true)) return;
    loop_.timers().remove(deadline_);
    owner_.rejected(why);
    connection_->decide_traffic(loop_.io(), http::connection::unknown_traffic);
    loop_.io().close(*connection_);
}

void proxied_client::received(runtime::received_bytes bytes) {
    if (over_) return;
    const std::size_t before = held_.size();
    std::string_view in(bytes.data, bytes.size);
    if (before) in = held_.append(in.substr(0, codec::proxy::longest_header));
    const auto read = codec::proxy::read_header(in);
    const bool is_done = read.state == codec::outcome::done;
    const std::size_t taken = is_done ? read.used - before : bytes.size;
    connection_->count_traffic(taken);
    if (read.state == codec::outcome::bad) return reject(read.why->reason);
    if (!is_done) {
        if (!before) held_ = in;
        return;
    }
    if (!owner_.open(*connection_, then_, read.value)) return reject("the server has no room for the connection");
    auto& io = loop_.io();
    owner& by = owner_;
    auto& opened = *connection_.release();
    delete this;
    by.start(opened);
    io.deliver_rest(opened, {bytes.data + taken, bytes.size - taken});
}

}  // namespace apus::server
