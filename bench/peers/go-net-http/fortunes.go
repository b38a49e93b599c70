// SPDX-License-Identifier: Apache-2.0

package main

import (
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var fortunePage = template.Must(template.New("fortunes").Parse(`<!DOCTYPE html>
<html>
<head><title>Fortunes</title></head>
<body>
<table>
<tr><th>id</th><th>message</th></tr>
{{range .}}<tr><td>{{.ID}}</td><td>{{.Message}}</td></tr>
{{end}}</table>
</body>
</html>
`))

type fortune struct {
	ID      int32
	Message string
}

func fortunes(pool *pgxpool.Pool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rows, err := pool.Query(r.Context(), "SELECT id, message FROM fortune")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[fortune])
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		all = append(all, fortune{0, "Additional fortune added at request time."})
		slices.SortFunc(all, func(a, b fortune) int { return strings.Compare(a.Message, b.Message) })
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		// Fails for a client that has disconnected.
		_ = fortunePage.Execute(w, all)
	}
}
