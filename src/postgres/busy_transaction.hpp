// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/session.hpp"
#include "sql/failure.hpp"

namespace apus::postgres {

/// Stops the idle timer while a statement of the transaction runs.
class busy_transaction {
public:
    explicit busy_transaction(transaction& t) noexcept : of_(t) {
        if (of_.in_) of_.pool_.loop().timers().remove(of_.idle_);
    }
    busy_transaction(const busy_transaction&) = delete;
    busy_transaction& operator=(const busy_transaction&) = delete;
    ~busy_transaction() {
        if (!of_.in_) return;
        auto& loop = of_.pool_.loop();
        const auto longest = of_.pool_.options().idle_transaction_timeout.milliseconds();
        loop.timers().add(of_.idle_, loop.now() + static_cast<std::uint64_t>(longest));
    }

    result<connection*> in() const {
        if (of_.in_) return of_.in_;
        return failure(sql::make_error({.state = of_.state_, .message = of_.why_}));
    }

private:
    transaction& of_;
};

}  // namespace apus::postgres
