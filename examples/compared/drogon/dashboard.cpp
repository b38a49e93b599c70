// SPDX-License-Identifier: Apache-2.0
// One timer measures the load; every browser gets each value.
#include <drogon/drogon.h>

#include <cstdlib>
#include <list>
#include <mutex>

using namespace drogon;

namespace {

using Send = std::function<void(const HttpResponsePtr&)>;

constexpr const char* page = R"(<!doctype html>
<meta charset="utf-8"><title>Load</title><h1>?</h1>
<script>
new EventSource("/load").onmessage = e => document.querySelector("h1").textContent = JSON.parse(e.data).load;
</script>
)";

class Samples {
public:
    void put(const std::string& event) {
        std::lock_guard hold(lock_);
        latest_ = event;
        browsers_.remove_if([&](const ResponseStreamPtr& to) { return !to->send(event); });
    }

    void add(ResponseStreamPtr browser) {
        std::lock_guard hold(lock_);
        if (latest_.empty() || browser->send(latest_)) browsers_.push_back(std::move(browser));
    }

private:
    std::mutex lock_;  // several threads add browsers
    std::string latest_;
    std::list<ResponseStreamPtr> browsers_;
};

std::string measure(int number) {
    Json::Value sample;
    sample["number"] = number;
    double load = 0;
    if (getloadavg(&load, 1) != 1) throw std::runtime_error("no load average");
    sample["load"] = load;
    Json::StreamWriterBuilder compact;
    compact["indentation"] = "";
    return "id: " + std::to_string(number) + "\ndata: " + Json::writeString(compact, sample) + "\n\n";
}

}  // namespace

int main(int, char** argv) {
    Samples samples;
    app().registerHandler("/",
                          [](const HttpRequestPtr&, Send&& send) {
                              auto res = HttpResponse::newHttpResponse();
                              res->setBody(page);
                              send(res);
                          },
                          {Get});
    app().registerHandler("/load",
                          [&](const HttpRequestPtr&, Send&& send) {
                              auto res = HttpResponse::newAsyncStreamResponse(
                                  [&](ResponseStreamPtr browser) { samples.add(std::move(browser)); }, true);
                              res->setContentTypeCodeAndCustomString(CT_CUSTOM, "text/event-stream");
                              res->addHeader("Cache-Control", "no-store");
                              send(res);
                          },
                          {Get});
    app().getLoop()->runEvery(0.1, [&, number = 0]() mutable { samples.put(measure(++number)); });
    app().addListener("127.0.0.1", std::stoi(argv[1])).run();
}
