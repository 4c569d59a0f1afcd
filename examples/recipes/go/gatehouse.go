package main

// Sign-in with Gatehouse. Wrap your handler in withSignIn; it answers /login, /auth/callback and /logout.

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

type User struct {
	ID            int
	Email         string
	Name, Picture *string
}

type answer struct {
	User         *User
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	Error        struct{ Code string }
}

var (
	service, tenant = setting("GATEHOUSE_URL", "base_url", ".service"), setting("GATEHOUSE_TENANT", "tenant_id", ".service")
	secret          = setting("GATEHOUSE_SECRET", "GATEHOUSE_SECRET", ".service.secret")
	edge            = service + "/edge/auth/" + tenant
	client          = http.Client{Timeout: 10 * time.Second}
	verified        sync.Map // Users by access token, for 10 seconds: then a sign-out at another server takes effect.
	errUnavailable  = errors.New("Sign-in isn’t available right now. Try again in a moment.")
	problems        = map[string]string{
		"access_denied": "You cancelled the sign-in, so nothing was shared with this app.",
		"expired":       "This sign-in took too long, was already used, or was started in another browser.",
	}
	onThisMachine = regexp.MustCompile(`^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$`)
	insidePath    = regexp.MustCompile(`^/([!-.0-\[\]-~][!-\[\]-~]{0,1000})?$`)
)

func setting(variable, name, file string) string {
	text, _ := os.ReadFile(file)
	return or(os.Getenv(variable), string(regexp.MustCompile(`(?m)^` + name + `=(\S+)|\z`).FindSubmatch(text)[1]))
}

func or(value, otherwise string) string {
	if value != "" {
		return value
	}
	return otherwise
}

// call is sent again if there is no response: with the same Idempotency-Key, the service repeats its response. Without any, it
// panics with errUnavailable, and withSignIn answers 503. The cookies stay.
func call(action string, body map[string]string, key string) (result answer) {
	sent, _ := json.Marshal(body)
	headers := http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {or(key, fmt.Sprintf("%x", sha256.Sum256(sent)))}}
	for try := 0; try < 2; try++ {
		request, err := http.NewRequest("POST", edge+"/"+action, bytes.NewReader(sent))
		if err != nil {
			log.Panic(err)
		}
		request.Header = headers
		if response, err := client.Do(request); err == nil {
			defer response.Body.Close()
			status, err := response.StatusCode, json.NewDecoder(response.Body).Decode(&result)
			if err == nil && (status == 200 || status == 400 || status == 401) {
				return result
			}
		}
	}
	panic(errUnavailable)
}

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

// origin is where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header.
func origin(r *http.Request) string {
	scheme := "https://"
	if onThisMachine.MatchString(r.Host) {
		scheme = "http://"
	}
	return or(os.Getenv("APP_URL"), scheme+r.Host)
}

// prefix: no subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port.
func prefix(r *http.Request) string {
	if strings.HasPrefix(origin(r), "https:") {
		return "__Host-gh_"
	}
	return "gh_" + origin(r)[strings.LastIndex(origin(r), ":")+1:] + "_"
}

func cookie(r *http.Request, name string) string {
	if found, err := r.Cookie(prefix(r) + name); err == nil {
		return found.Value
	}
	return ""
}

func keep(w http.ResponseWriter, r *http.Request, name, value string, seconds int) {
	w.Header().Set("Cache-Control", "no-store")
	http.SetCookie(w, &http.Cookie{Name: prefix(r) + name, Value: value, MaxAge: seconds, Path: "/", HttpOnly: true,
		Secure: strings.HasPrefix(origin(r), "https:"), SameSite: http.SameSiteLaxMode})
}

// inside returns a path inside this app. Browsers take //evil.example and /\evil.example for another site.
func inside(path string) string { return or(insidePath.FindString(path), "/") }

func verify(token string) *User {
	known, found := verified.Load(token)
	if !found && token != "" {
		known = call("verify", map[string]string{"access_token": token}, "").User
		verified.Store(token, known)
		time.AfterFunc(10*time.Second, func() { verified.Delete(token) })
	}
	user, _ := known.(*User)
	return user
}

// currentUser is nil for a user who isn't signed in. It refreshes a session whose access token has expired: call it once, before
// you write to w.
func currentUser(w http.ResponseWriter, r *http.Request) *User {
	w.Header().Set("Cache-Control", "no-store")
	session := strings.Split(cookie(r, "session")+"~~", "~")
	user, token, bind := verify(session[0]), session[1], session[2]
	if user != nil || token == "" {
		return user
	}
	// Requests at the same time derive the same key, in every process: the service refreshes once, for all of them.
	mac := hmac.New(sha256.New, []byte(or(secret, bind)))
	fmt.Fprintf(mac, "%s\x00%s\x00%s", tenant, bind, token)
	key := fmt.Sprintf("%x", mac.Sum(nil))
	if secret != "" {
		key = "gh1_" + key
	}
	pair := call("refresh", map[string]string{"refresh_token": token}, key)
	if pair.AccessToken != "" {
		keep(w, r, "session", pair.AccessToken+"~"+pair.RefreshToken+"~"+bind, 2592000)
	} else if pair.Error.Code != "refreshTokenSuperseded" { // Then another response sets the new cookie.
		keep(w, r, "session", "", -1)
	}
	return verify(pair.AccessToken)
}

func signInRequired(page func(http.ResponseWriter, *http.Request, *User)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if user := currentUser(w, r); user != nil {
			page(w, r, user)
		} else {
			http.Redirect(w, r, "/login?return_to="+url.QueryEscape(r.URL.RequestURI()), 303)
		}
	}
}

func login(w http.ResponseWriter, r *http.Request) {
	verifier := random()
	sum := sha256.Sum256([]byte(verifier))
	challenge := base64.RawURLEncoding.EncodeToString(sum[:])
	keep(w, r, "login_"+challenge[:8], verifier, 900) // The code contains these characters: only this browser can use it.
	query := url.Values{"redirect_uri": {origin(r) + "/auth/callback"}, "return_to": {inside(r.FormValue("return_to"))},
		"response_type": {"code"}, "code_challenge": {challenge}, "code_challenge_method": {"S256"}}
	http.Redirect(w, r, edge+"/google?"+query.Encode(), 303)
}

func callback(w http.ResponseWriter, r *http.Request) {
	code, back := r.FormValue("code"), inside(r.FormValue("return_to"))
	name := "login_" + fmt.Sprintf("%-15.15s", code)[7:]
	if r.Form.Has("error") {
		showProblem(w, r, r.FormValue("error"), url.QueryEscape(back))
	} else if pair := exchange(code, cookie(r, name)); pair.AccessToken != "" {
		keep(w, r, name, "", -1)
		keep(w, r, "session", pair.AccessToken+"~"+pair.RefreshToken+"~"+random(), 2592000)
		http.Redirect(w, r, back, 303)
	} else {
		http.Redirect(w, r, "/auth/callback?error=expired&return_to="+url.QueryEscape(back), 303)
	}
}

func exchange(code, verifier string) (pair answer) {
	if verifier != "" {
		pair = call("token", map[string]string{"code": code, "code_verifier": verifier}, "")
	}
	return pair
}

func showProblem(w http.ResponseWriter, r *http.Request, problem, again string) {
	logins := regexp.MustCompile(regexp.QuoteMeta(prefix(r))+`(login_[\w-]+)`).FindAllStringSubmatch(r.Header.Get("Cookie"), -1)
	if len(logins) == 1 { // With more, those in other tabs go on.
		keep(w, r, logins[0][1], "", -1)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>You’re not signed in</title>
<h1>You’re not signed in</h1><p>%s</p><p><a href="/login?return_to=%s">Sign in again</a> <a href="/">Go to the start page</a></p></html>`,
		or(problems[problem], "The sign-in failed, or this app doesn’t accept the account that you chose."), again)
}

func logout(w http.ResponseWriter, r *http.Request) {
	session := strings.Split(cookie(r, "session")+"~", "~")
	verified.Delete(session[0])
	keep(w, r, "session", "", -1)
	if session[1] != "" {
		call("logout", map[string]string{"refresh_token": session[1]}, "")
	}
	http.Redirect(w, r, "/", 303)
}

func withSignIn(app http.Handler) http.Handler {
	if service == "" || tenant == "" {
		log.Fatal("Start the app in the folder of .service, or set GATEHOUSE_URL and GATEHOUSE_TENANT.")
	}
	routes := map[string]http.HandlerFunc{"GET /login": login, "GET /auth/callback": callback, "POST /logout": logout}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if reason := recover(); reason == errUnavailable {
				http.Error(w, errUnavailable.Error(), 503)
			} else if reason != nil {
				panic(reason)
			}
		}()
		same := r.Header.Get("Sec-Fetch-Site") == "same-origin" || r.Header.Get("Origin") == origin(r)
		reads := r.Method == "GET" || r.Method == "HEAD" || r.Method == "OPTIONS"
		if !reads && !same && cookie(r, "session") != "" {
			http.Error(w, "This request comes from another site.", 403) // In the name of a signed-in user.
		} else if route, found := routes[r.Method+" "+r.URL.Path]; found {
			route(w, r)
		} else {
			app.ServeHTTP(w, r)
		}
	})
}
