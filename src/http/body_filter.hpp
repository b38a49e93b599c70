// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace apus::http {

struct exchange;

/// Stands between the body of a request as it comes and those who read it: takes a content coding
/// off, say.
class body_filter {
public:
    /// Takes what came in `exchange::body`, asks the carrier for more where it needs it, and puts
    /// what it makes into `exchange::body`. True: there it is, or nothing since the body has ended.
    /// False: it waits for the carrier, which calls this when something came; or it has refused
    /// the body by `carrier::refuse_body`.
    virtual bool next(exchange&) noexcept = 0;

protected:
    ~body_filter() = default;
};

}  // namespace apus::http
