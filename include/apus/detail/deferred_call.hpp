// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace apus::detail {

/// A call that runs after the core has handled its current event. Belongs to one core.
class deferred_call {
public:
    using function = void (*)(void* with) noexcept;

    deferred_call(function call, void* with) noexcept : call_(call), with_(with) {}
    deferred_call(const deferred_call&) = delete;
    deferred_call& operator=(const deferred_call&) = delete;
    ~deferred_call() {
        if (requested_) forget();
    }

    /// Requests the call, which runs once even if requested several times.
    /// `call` may destroy this object.
    void request() noexcept;

private:
    struct entry;
    void forget() noexcept;

    function call_;
    void* with_;
    bool requested_ = false;
    alignas(void*) unsigned char room_[4 * sizeof(void*)];  // an entry of the event loop's list
};

}  // namespace apus::detail
