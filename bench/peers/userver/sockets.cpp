// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <userver/concurrent/mpsc_queue.hpp>
#include <userver/concurrent/variable.hpp>
#include <userver/engine/shared_mutex.hpp>
#include <userver/server/websocket/websocket_handler.hpp>
#include <userver/utils/async.hpp>

#include <memory>
#include <unordered_set>
#include <utility>

namespace {

using userver::server::websocket::Message;
using userver::server::websocket::WebSocketConnection;
using userver::server::websocket::WebsocketHandlerBase;

class echo final : public WebsocketHandlerBase {
public:
    using WebsocketHandlerBase::WebsocketHandlerBase;
    void Handle(WebSocketConnection& socket, peer::context&) const override {
        for (Message message;;) {
            socket.Recv(message);
            if (message.close_status) return;
            socket.Send(message);
        }
    }
};

using shared_message = std::shared_ptr<const Message>;
using queue = userver::concurrent::MpscQueue<std::unique_ptr<shared_message>>;  // ordered; supports only unique_ptr
using inbox = queue::MultiProducer;

// Sends from a separate coroutine, so that a slow client does not delay the others.
class broadcast final : public WebsocketHandlerBase {
public:
    using WebsocketHandlerBase::WebsocketHandlerBase;

    void Handle(WebSocketConnection& socket, peer::context&) const override {
        const auto waiting = queue::Create();
        const inbox own = waiting->GetMultiProducer();
        auto sender = userver::utils::Async("broadcast", [&socket, from = waiting->GetConsumer()] {
            for (std::unique_ptr<shared_message> message; from.Pop(message);) socket.Send(**message);
        });
        const membership joined(everybody_, own);
        for (Message message; receive(socket, message);) {
            const auto shared = std::make_shared<const Message>(std::move(message));
            const auto members = everybody_.SharedLock();
            for (const auto* member : *members) (void)member->PushNoblock(std::make_unique<shared_message>(shared));
        }
    }

private:
    using room = userver::concurrent::Variable<std::unordered_set<const inbox*>, userver::engine::SharedMutex>;

    struct membership {
        membership(room& where, const inbox& who) : where_(where), who_(who) {
            auto members = where_.Lock();
            members->insert(&who_);
        }
        ~membership() {
            auto members = where_.Lock();
            members->erase(&who_);
        }
        membership(const membership&) = delete;
        membership& operator=(const membership&) = delete;

    private:
        room& where_;
        const inbox& who_;
    };

    static bool receive(WebSocketConnection& socket, Message& message) {
        socket.Recv(message);
        return !message.close_status;
    }

    mutable room everybody_;
};

}  // namespace

namespace peer {

void add_sockets(service& to) {
    to.add_handler<echo>("echo", "/ws", "GET", {"max-remote-payload: 1048576"});
    to.add_handler<broadcast>("broadcast", "/broadcast", "GET", {"max-remote-payload: 1048576"});
}

}  // namespace peer
