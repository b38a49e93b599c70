// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/gofiber/fiber/v3"
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

// readItems returns nothing if the file is missing: only /json/:count needs the items.
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

func listItems(items []item) fiber.Handler {
	return func(c fiber.Ctx) error {
		count := fiber.Params[int](c, "count", -1)
		if count < 0 {
			return fiber.NewError(fiber.StatusBadRequest, "the count is no number")
		}
		if items == nil {
			return fiber.NewError(fiber.StatusServiceUnavailable, "there is no data set")
		}
		factor := fiber.Query(c, "m", 1)

		priced := make([]pricedItem, min(count, len(items)))
		for i := range priced {
			priced[i] = pricedItem{items[i], items[i].Price * items[i].Quantity * factor}
		}
		return c.JSON(itemList[pricedItem]{priced, len(priced)})
	}
}
