// SPDX-License-Identifier: Apache-2.0
// A chat with rooms that span all cores: open http://127.0.0.1:8080/ twice.
#include <apus/hub.hpp>

#include <string>

constexpr const char* page = R"(<!doctype html>
<meta charset="utf-8">
<title>Chat</title>
<form><input name="room" value="lobby"><input name="text" autofocus autocomplete="off"><button>Send</button></form>
<pre></pre>
<script src="/chat.js"></script>
)";

constexpr const char* script = R"(const form = document.forms[0], seen = document.querySelector("pre");
let socket;
function join() {
    socket?.close();
    socket = new WebSocket(`ws://${location.host}/chat/${encodeURIComponent(form.room.value)}`);
    socket.onmessage = (event) => { seen.append(event.data, "\n"); };
}
form.room.onchange = join;
form.onsubmit = (event) => {
    event.preventDefault();
    socket.send(form.text.value);
    form.text.value = "";
};
join();
)";

apus::app make_app(apus::hub& rooms) {
    apus::app app;
    app.websocket("/chat/{room}", [&rooms](apus::websocket peer, std::string room) -> apus::task<> {
        auto seat = rooms.join(room, peer);  // until the end of this scope
        while (auto message = co_await peer.receive()) rooms.send(room, *message);
    });
    app.get("/", [] { return apus::response::html(page); });
    app.get("/chat.js", [] {
        apus::response res;
        res.body(script, "text/javascript");
        return res;
    });
    return app;
}

int main(int argc, char** argv) {
    apus::hub rooms;  // created outside make_app: shared by all cores
    return apus::serve([&rooms] { return make_app(rooms); }, argc, argv);
}
