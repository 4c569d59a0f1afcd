package main

import (
	"fmt"
	"html"
	"log"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if user := currentUser(w, r); user != nil {
			fmt.Fprintf(w, "<p>Hello, %s</p>", html.EscapeString(user.Email))
		} else {
			fmt.Fprint(w, `<p>Not signed in. <a href="/login">Sign in</a></p>`)
		}
	})
	http.HandleFunc("/notes", signInRequired(func(w http.ResponseWriter, r *http.Request, user *User) {
		fmt.Fprintf(w, `<h1>Notes of %s</h1>
<form method="post" action="/logout"><button>Sign out</button></form>`, html.EscapeString(user.Email))
	}))
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	log.Fatal(http.ListenAndServe("localhost:"+port, withSignIn(http.DefaultServeMux)))
}
