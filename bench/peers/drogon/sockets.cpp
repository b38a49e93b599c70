// SPDX-License-Identifier: Apache-2.0

#include <drogon/PubSubService.h>
#include <drogon/WebSocketController.h>

#include <string>
#include <utility>

namespace {

using drogon::HttpRequestPtr;
using drogon::WebSocketConnectionPtr;
using drogon::WebSocketMessageType;

bool is_message(WebSocketMessageType type) {
    return type == WebSocketMessageType::Text || type == WebSocketMessageType::Binary;
}

}  // namespace

class echo : public drogon::WebSocketController<echo> {
public:
    void handleNewMessage(const WebSocketConnectionPtr& socket, std::string&& message,
                          const WebSocketMessageType& type) override {
        if (is_message(type)) socket->send(message, type);
    }
    void handleNewConnection(const HttpRequestPtr&, const WebSocketConnectionPtr&) override {}
    void handleConnectionClosed(const WebSocketConnectionPtr&) override {}
    WS_PATH_LIST_BEGIN
    WS_PATH_ADD("/ws");
    WS_PATH_LIST_END
};

class broadcast : public drogon::WebSocketController<broadcast> {
public:
    void handleNewMessage(const WebSocketConnectionPtr&, std::string&& message,
                          const WebSocketMessageType& type) override {
        if (is_message(type)) all_.publish("everybody", {std::move(message), type});
    }
    void handleNewConnection(const HttpRequestPtr&, const WebSocketConnectionPtr& socket) override {
        socket->setContext(std::make_shared<drogon::SubscriberID>(all_.subscribe(
            "everybody", [socket](const std::string&, const said& what) { socket->send(what.text, what.type); })));
    }
    void handleConnectionClosed(const WebSocketConnectionPtr& socket) override {
        all_.unsubscribe("everybody", socket->getContextRef<drogon::SubscriberID>());
    }
    WS_PATH_LIST_BEGIN
    WS_PATH_ADD("/broadcast");
    WS_PATH_LIST_END

private:
    struct said {
        std::string text;
        WebSocketMessageType type;
    };
    drogon::PubSubService<said> all_;
};
