# SPDX-License-Identifier: Apache-2.0
expr 1 + 1 = 2
