// SPDX-License-Identifier: Apache-2.0
// error: a handler may take the body once: a form with files is read as a stream
#include <apus/app.hpp>
#include <apus/form.hpp>
#include <apus/uploaded_file.hpp>

struct picture {
    apus::uploaded_file image;
};

void build(apus::app& app) {
#ifdef OK
    app.post("/", [](apus::form<picture>, apus::request&) {});
#else
    app.post("/", [](apus::form<picture>, apus::body_text) {});
#endif
}
