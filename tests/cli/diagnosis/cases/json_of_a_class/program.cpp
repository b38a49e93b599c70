// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/json.hpp>

class todo {
public:
    explicit todo(int id) : id_(id) {}
    int id() const { return id_; }

private:
    int id_;
};

void build(apus::app& app) {
    app.post("/todos", [](apus::json<todo> sent) { return sent->id() ? "old\n" : "new\n"; });
}
