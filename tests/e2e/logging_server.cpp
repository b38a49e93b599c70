// SPDX-License-Identifier: Apache-2.0
// Handlers that log from each place where a handler's code may run. For https, the server uses a self-signed
// certificate.
#include <apus/app.hpp>
#include <apus/blocking.hpp>
#include <apus/log.hpp>
#include <apus/request_id.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/tls.hpp>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

namespace log = apus::log;

apus::task<> pause() { co_await apus::sleep_for(apus::milliseconds(2)); }

apus::task<int> inner(int id) {
    co_await pause();
    log::info("deeper", {"id", id});
    co_return id;
}

apus::task<std::string> late(int id) {
    log::info("before", {"id", id});
    co_await pause();
    log::add({"step", 1});
    const int same = co_await inner(id);
    log::add({"step", 2});
    log::info("behind", {"id", same});
    co_return "late\n";
}

apus::task<std::string> receive(apus::request& req, int id) {
    std::size_t bytes = 0;
    while (true) {
        const auto piece = co_await req.read();
        if (piece.empty()) break;
        bytes += piece.size();
    }
    log::info("received", {"id", id}, {"bytes", bytes});
    co_return "received\n";
}

apus::response in_pieces(int id) {
    return apus::stream("text/plain", [id](apus::writer& out) -> apus::task<> {
        log::info("streams", {"id", id});
        co_await out.write("a");
        co_await pause();
        co_await out.write("b");
        log::info("streamed", {"id", id});
    });
}

apus::task<std::string> throw_late(int) {
    co_await pause();
    throw std::runtime_error("thrown late");
}

struct witness {
    int id;
    ~witness() { log::info("destroyed", {"id", id}); }
};

apus::task<std::string> wait_long(int id) {
    const witness seen{id};
    log::info("waits", {"id", id});
    co_await apus::sleep_for(apus::seconds(20));
    co_return "waited\n";
}

apus::task<std::string> on_a_thread(int id) {
    co_await apus::blocking([](int same) { log::info("on a thread", {"id", same}); }, id);
    log::add({"step", 1});
    co_await apus::blocking([](int same) { log::info("on a thread again", {"id", same}); }, id);
    co_return "done\n";
}

apus::task<std::string> outlived(int id) {
    const witness seen{id};
    co_await apus::blocking(
        [](int same) {
            log::info("waits", {"id", same});  // from now on, the call runs to its end
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
            log::info("outlived", {"id", same});
        },
        id);
    co_return "done\n";
}

apus::task<apus::response> around(apus::request& req, apus::next_handler next) {
    log::add({"tenant", req.header("x-tenant")});
    log::info("outside");
    auto res = co_await next(req);
    log::info("outside again");
    co_return res;
}

apus::app make_app() {
    apus::app app;
    app.use(apus::request_ids());
    app.use(around);
    app.get("/late/{id}", late);
    app.post("/receive/{id}", receive);
    app.get("/stream/{id}", in_pieces);
    app.get("/throws/{id}", throw_late);
    app.get("/long/{id}", wait_long);
    app.get("/thread/{id}", on_a_thread);
    app.get("/outlived/{id}", outlived);
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    apus::server_tls_options tls;
    tls.self_signed = true;
    apus::serve_options options;
    options.tls = apus::server_tls(tls);
    options.access_log = true;
    // The test opens 20 connections before it sends on the first one, which takes long on a loaded machine.
    options.limits.hello = options.limits.handshake = options.limits.head = options.limits.idle = apus::seconds(60);
    return apus::serve(make_app, argc, argv, options);
}
