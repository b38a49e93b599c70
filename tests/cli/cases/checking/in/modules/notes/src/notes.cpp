// SPDX-License-Identifier: Apache-2.0
#include "notes/gone.hpp"
