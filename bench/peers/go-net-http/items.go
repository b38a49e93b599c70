// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"
)

type rating struct {
	Score int `json:"score"`
	Count int `json:"count"`
}

type item struct {
	ID       int      `json:"id"`
	Name     string   `json:"name"`
	Category string   `json:"category"`
	Price    int      `json:"price"`
	Quantity int      `json:"quantity"`
	Active   bool     `json:"active"`
	Tags     []string `json:"tags"`
	Rating   rating   `json:"rating"`
}

type pricedItem struct {
	item
	Total int `json:"total"`
}

type itemList[Item any] struct {
	Items []Item `json:"items"`
	Count int    `json:"count"`
}

// readItems returns nothing if the file is missing: only /json/{count} needs the items.
func readItems(path string) []item {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var items []item
	if err := json.Unmarshal(content, &items); err != nil {
		log.Fatalf("%s is not a list of items: %v", path, err)
	}
	return items
}

func listItems(items []item) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		count, err := strconv.Atoi(r.PathValue("count"))
		if err != nil || count < 0 {
			http.Error(w, "the count is no number", http.StatusBadRequest)
			return
		}
		if items == nil {
			http.Error(w, "there is no data set", http.StatusServiceUnavailable)
			return
		}
		factor := number(r, "m", 1)

		priced := make([]pricedItem, min(count, len(items)))
		for i := range priced {
			priced[i] = pricedItem{items[i], items[i].Price * items[i].Quantity * factor}
		}
		sendJSON(w, itemList[pricedItem]{priced, len(priced)})
	}
}

func number(r *http.Request, name string, otherwise int) int {
	value, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil {
		return otherwise
	}
	return value
}
