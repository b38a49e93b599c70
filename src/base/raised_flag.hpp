// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace apus::base {

/// Sets a flag, and resets it at the end of the scope, also after an exception.
/// `Flag`: bool, or an atomic bool.
template <class Flag>
class raised_flag {
public:
    explicit raised_flag(Flag& flag) noexcept : flag_(flag) { flag_ = true; }
    raised_flag(const raised_flag&) = delete;
    raised_flag& operator=(const raised_flag&) = delete;
    ~raised_flag() { flag_ = false; }

private:
    Flag& flag_;
};

}  // namespace apus::base
