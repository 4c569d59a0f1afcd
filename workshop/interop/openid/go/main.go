package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"net/http"
	"os"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func random() string {
	bytes := make([]byte, 32)
	rand.Read(bytes)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func setCookie(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true})
}

func cookie(r *http.Request, name string) string {
	if found, err := r.Cookie(name); err == nil {
		return found.Value
	}
	return ""
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// The emails of signed-in users, by session.
var sessions = map[string]string{}

func main() {
	ctx := context.Background()
	provider := must(oidc.NewProvider(ctx, os.Getenv("ISSUER")))
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  os.Getenv("APP_URL") + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "email", "profile"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if email := sessions[cookie(r, "session")]; email != "" {
			fmt.Fprintf(w, "Signed in as %s", html.EscapeString(email))
			return
		}
		fmt.Fprint(w, "Signed out")
	})

	http.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		state, nonce, secret := random(), random(), random()
		setCookie(w, "login", state+"."+nonce+"."+secret)
		challenge := sha256.Sum256([]byte(secret))
		http.Redirect(w, r, config.AuthCodeURL(state, oidc.Nonce(nonce),
			oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(challenge[:])),
			oauth2.SetAuthURLParam("code_challenge_method", "S256")), http.StatusFound)
	})

	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		email, err := signIn(ctx, config, verifier, r)
		if err != nil {
			http.Error(w, "Sign-in failed: "+err.Error(), http.StatusBadRequest)
			return
		}
		session := random()
		sessions[session] = email
		setCookie(w, "session", session)
		http.Redirect(w, r, "/", http.StatusFound)
	})

	http.HandleFunc("/logout", func(w http.ResponseWriter, r *http.Request) {
		delete(sessions, cookie(r, "session"))
		http.Redirect(w, r, "/", http.StatusFound)
	})

	panic(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}

func signIn(ctx context.Context, config oauth2.Config, verifier *oidc.IDTokenVerifier, r *http.Request) (string, error) {
	query := r.URL.Query()
	if query.Get("error") != "" {
		return "", errors.New(query.Get("error_description"))
	}
	var state, nonce, secret string
	if _, err := fmt.Sscanf(cookie(r, "login"), "%43s.%43s.%43s", &state, &nonce, &secret); err != nil {
		return "", err
	}
	if state != query.Get("state") {
		return "", errors.New("another sign-in was started in this browser")
	}
	token, err := config.Exchange(ctx, query.Get("code"), oauth2.SetAuthURLParam("code_verifier", secret))
	if err != nil {
		return "", err
	}
	rawIDToken, _ := token.Extra("id_token").(string)
	idToken, err := verifier.Verify(ctx, rawIDToken)
	if err != nil {
		return "", err
	}
	if idToken.Nonce != nonce {
		return "", errors.New("the nonce is another")
	}
	var claims struct{ Email string }
	err = idToken.Claims(&claims)
	return claims.Email, err
}
