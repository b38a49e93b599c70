// SPDX-License-Identifier: Apache-2.0

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Rating {
    score: i32,
    count: i32,
}

#[derive(Serialize, Deserialize)]
pub struct Item {
    id: i32,
    name: String,
    category: String,
    price: i32,
    quantity: i32,
    active: bool,
    tags: Vec<String>,
    rating: Rating,
}

#[derive(Serialize)]
pub struct PricedItem {
    #[serde(flatten)]
    item: &'static Item,
    total: i64,
}

#[derive(Serialize)]
pub struct ItemList {
    items: Vec<PricedItem>,
    count: usize,
}

/// Returns nothing if the file is missing: only `/json/{count}` needs the items.
pub fn read(path: &Path) -> io::Result<Option<&'static [Item]>> {
    match fs::read(path) {
        Ok(content) => {
            let items: Vec<Item> = serde_json::from_slice(&content)?;
            Ok(Some(items.leak()))
        }
        Err(_) => Ok(None),
    }
}

/// Returns the count and the factor of `/json/{count}?m={factor}`.
pub fn asked_for(path: &str) -> Option<(usize, i64)> {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let count = path.strip_prefix("/json/")?.parse().ok()?;
    let factor = query.split('&').find_map(|pair| pair.strip_prefix("m="));
    match factor {
        Some(factor) => Some((count, factor.parse().ok()?)),
        None => Some((count, 1)),
    }
}

pub fn price(items: &'static [Item], count: usize, factor: i64) -> ItemList {
    let priced: Vec<_> = items
        .iter()
        .take(count)
        .map(|item| PricedItem {
            item,
            total: i64::from(item.price) * i64::from(item.quantity) * factor,
        })
        .collect();
    ItemList {
        count: priced.len(),
        items: priced,
    }
}
