// SPDX-License-Identifier: Apache-2.0
#include "arena/app.hpp"

#include "arena/sum.hpp"
#include "arena/upload.hpp"

namespace arena {

apus::app make_app() {
    apus::app app;
    add_sums(app);
    app.get("/pipeline", [] { return "ok"; });
    add_upload(app);
    return app;
}

}  // namespace arena
