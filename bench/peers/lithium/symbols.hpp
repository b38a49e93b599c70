// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <lithium_http_server.hh>

#ifndef LI_SYMBOL_a
#define LI_SYMBOL_a
LI_SYMBOL(a)
#endif
#ifndef LI_SYMBOL_active
#define LI_SYMBOL_active
LI_SYMBOL(active)
#endif
#ifndef LI_SYMBOL_b
#define LI_SYMBOL_b
LI_SYMBOL(b)
#endif
#ifndef LI_SYMBOL_category
#define LI_SYMBOL_category
LI_SYMBOL(category)
#endif
#ifndef LI_SYMBOL_count
#define LI_SYMBOL_count
LI_SYMBOL(count)
#endif
#ifndef LI_SYMBOL_id
#define LI_SYMBOL_id
LI_SYMBOL(id)
#endif
#ifndef LI_SYMBOL_items
#define LI_SYMBOL_items
LI_SYMBOL(items)
#endif
#ifndef LI_SYMBOL_m
#define LI_SYMBOL_m
LI_SYMBOL(m)
#endif
#ifndef LI_SYMBOL_message
#define LI_SYMBOL_message
LI_SYMBOL(message)
#endif
#ifndef LI_SYMBOL_name
#define LI_SYMBOL_name
LI_SYMBOL(name)
#endif
#ifndef LI_SYMBOL_ok
#define LI_SYMBOL_ok
LI_SYMBOL(ok)
#endif
#ifndef LI_SYMBOL_price
#define LI_SYMBOL_price
LI_SYMBOL(price)
#endif
#ifndef LI_SYMBOL_quantity
#define LI_SYMBOL_quantity
LI_SYMBOL(quantity)
#endif
#ifndef LI_SYMBOL_rating
#define LI_SYMBOL_rating
LI_SYMBOL(rating)
#endif
#ifndef LI_SYMBOL_score
#define LI_SYMBOL_score
LI_SYMBOL(score)
#endif
#ifndef LI_SYMBOL_tags
#define LI_SYMBOL_tags
LI_SYMBOL(tags)
#endif
#ifndef LI_SYMBOL_total
#define LI_SYMBOL_total
LI_SYMBOL(total)
#endif
