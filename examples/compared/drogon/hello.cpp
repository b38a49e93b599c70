// SPDX-License-Identifier: Apache-2.0
#include <drogon/drogon.h>

using namespace drogon;

int main(int, char** argv) {
    app().registerHandler("/",
                          [](const HttpRequestPtr&, std::function<void(const HttpResponsePtr&)>&& send) {
                              auto res = HttpResponse::newHttpResponse();
                              res->setContentTypeCode(CT_TEXT_PLAIN);
                              res->setBody("Hello, world!\n");
                              send(res);
                          },
                          {Get});
    app().addListener("127.0.0.1", std::stoi(argv[1])).run();
}
