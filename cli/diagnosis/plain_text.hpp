// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::cli::diagnosis {

/// A line without colours and control characters, with each kind of quote as `'`, `> >` as `>>`, and cut after 2000
/// bytes: so that one pattern fits what each compiler says in each locale.
std::string plain(std::string_view line);

}  // namespace apus::cli::diagnosis
