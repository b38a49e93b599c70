// SPDX-License-Identifier: Apache-2.0
#include <billing/bill.hpp>
#include "store.hpp"
