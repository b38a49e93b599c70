// SPDX-License-Identifier: Apache-2.0
// Explicit instantiations of common templates, which reduce the compile time of programs.
#include <apus/task.hpp>

namespace apus {

template class result<std::string>;
template class detail::late<result<void>>;
template class detail::late<result<bool>>;
template class detail::late<result<std::string>>;
template class task<void>;
template struct task<void>::awaiter<true>;
template class task<bool>;
template struct task<bool>::awaiter<true>;
template class task<std::string>;
template struct task<std::string>::awaiter<true>;

}  // namespace apus
