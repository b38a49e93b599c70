// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::disk {

/// The value of Content-Disposition that has a browser save a file under `name` (RFC 6266): in
/// ASCII for all, and in UTF-8 by RFC 8187 where the name is more than that. Directories before the
/// name are cut off, and control bytes and quotes replaced. Bytes that are no UTF-8 become '_'.
std::string attachment(std::string_view name);

}  // namespace apus::disk
