package main

// Sign-in with Gatehouse. Wrap your handler in withSignIn; it answers /login, /auth/callback and /logout.

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
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
	once         sync.Once
	arrived      bool
}

const (
	unavailable = "Sign-in isn’t available right now. Try again in a moment."
	signedOut   = `{"error":{"code":"signedOut","message":"Sign in first.","login":"/login"}}`
	failed      = "The sign-in failed, or this app doesn’t accept the account that you chose."
	page        = `<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>You’re not signed in</title>
<meta name="viewport" content="width=device-width"><main><h1>You’re not signed in</h1><p>%s</p>
<p><a href="/login?return_to=%s">Sign in again</a> <a href="/">Go to the start page</a></p></main></html>`
)

var (
	tenant   = setting("GATEHOUSE_TENANT", "tenant_id", ".service")
	edge     = strings.TrimRight(setting("GATEHOUSE_URL", "base_url", ".service"), "/") + "/edge/auth/" + tenant
	secret   = setting("GATEHOUSE_SECRET", "GATEHOUSE_SECRET", ".service.secret")
	client   = http.Client{Timeout: 10 * time.Second}
	calls    sync.Map // Answers of the last ten seconds, by Idempotency-Key.
	problems = map[string]string{
		"access_denied": "You cancelled the sign-in, so nothing was shared with this app.",
		"expired":       "This sign-in took too long, was already used, or was started in another browser.",
	}
	onThisMachine = regexp.MustCompile(`^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$`)
	insidePath    = regexp.MustCompile(`^/([!-.0-\[\]-~][!-\[\]-~]{0,1000})?$`)
)

func setting(variable, name, file string) string {
	found := regexp.MustCompile(`(?m)^` + name + `=(\S+)|\z`).FindSubmatch(readSettings(file))
	return or(os.Getenv(variable), string(found[1]))
}

// readSettings finds the file beside the program, beside this source or up to two folders above it, wherever the program was
// started.
func readSettings(name string) []byte {
	_, source, _, _ := runtime.Caller(0)
	program, _ := os.Executable()
	for _, place := range []string{program, source, filepath.Dir(source), filepath.Dir(filepath.Dir(source))} {
		if text, err := os.ReadFile(filepath.Join(filepath.Dir(place), name)); err == nil {
			return text
		}
	}
	return nil
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func or(value, otherwise string) string {
	if value != "" {
		return value
	}
	return otherwise
}

// call makes one call of equal ones at the same time, and remembers for ten seconds what the service confirmed:
// then a sign-out elsewhere takes effect. A refusal is forgotten at once, so that made-up cookies fill no memory.
// Without a response it panics with unavailable, and withSignIn answers 503. The cookies stay.
func call(action, key string, body map[string]string) *answer {
	sent, _ := json.Marshal(body)
	key = or(key, sum(string(sent)))
	found, _ := calls.LoadOrStore(key, &answer{})
	result := found.(*answer)
	result.once.Do(func() {
		// With the same Idempotency-Key, the service repeats its response.
		result.arrived = send(action, key, sent, result) || send(action, key, sent, result)
		if result.User != nil || result.AccessToken != "" {
			time.AfterFunc(10*time.Second, func() { calls.Delete(key) })
		} else {
			calls.Delete(key)
		}
	})
	if !result.arrived {
		panic(unavailable)
	}
	return result
}

func send(action, key string, sent []byte, result *answer) bool {
	request, _ := http.NewRequest("POST", edge+"/"+action, bytes.NewReader(sent))
	request.Header = http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {key}}
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	isResult := map[int]bool{200: true, 400: true, 401: true}[response.StatusCode]
	return isResult && json.NewDecoder(response.Body).Decode(result) == nil
}

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

// origin is where the user is: https, except on this machine. Set APP_URL if a proxy replaces the Host header.
func origin(r *http.Request) string {
	scheme := map[bool]string{true: "http://", false: "https://"}[onThisMachine.MatchString(r.Host)]
	return or(strings.TrimRight(os.Getenv("APP_URL"), "/"), scheme+r.Host)
}

// prefix: no subdomain can set a __Host- cookie. Ports share cookies, so names of local apps have the port.
func prefix(r *http.Request) string {
	if strings.HasPrefix(origin(r), "https:") {
		return "__Host-gh_"
	}
	return "gh_" + or(regexp.MustCompile(`:(\d+)$|$`).FindStringSubmatch(origin(r))[1], "80") + "_"
}

func cookie(r *http.Request, name string) string {
	if found, err := r.Cookie(prefix(r) + name); err == nil {
		return found.Value
	}
	return ""
}

// refreshToken also returns the random characters for the Idempotency-Key of a refresh.
func refreshToken(r *http.Request) (token, bind string) {
	parts := strings.Split(cookie(r, "refresh")+"~", "~")
	return parts[0], parts[1]
}

func keep(w http.ResponseWriter, r *http.Request, name, value string, seconds int) {
	w.Header().Set("Cache-Control", "no-store")
	http.SetCookie(w, &http.Cookie{Name: prefix(r) + name, Value: value, MaxAge: seconds, Path: "/",
		HttpOnly: true, Secure: prefix(r) == "__Host-gh_", SameSite: http.SameSiteLaxMode})
}

// keepSession keeps each token in a cookie that lives as long as it does.
func keepSession(w http.ResponseWriter, r *http.Request, pair *answer, bind string) {
	keep(w, r, "access", pair.AccessToken, 3600)
	keep(w, r, "refresh", pair.RefreshToken+"~"+bind, 2592000)
}

func dropSession(w http.ResponseWriter, r *http.Request) {
	keep(w, r, "access", "", -1)
	keep(w, r, "refresh", "", -1)
}

func hasSession(r *http.Request) bool { return cookie(r, "access")+cookie(r, "refresh") != "" }

// inside returns a path inside this app. For browsers, //evil.example and /\evil.example are another site.
func inside(path string) string { return or(insidePath.FindString(path), "/") }

func verify(token string) *User {
	if token == "" {
		return nil
	}
	return call("verify", sum(token), map[string]string{"access_token": token}).User
}

// currentUser is nil for a user who isn't signed in. It refreshes a session with an expired access token: call
// it once, before you write to w.
func currentUser(w http.ResponseWriter, r *http.Request) *User {
	w.Header().Set("Cache-Control", "no-store")
	user := verify(cookie(r, "access"))
	token, bind := refreshToken(r)
	if user != nil || token == "" {
		return user
	}
	// Every process derives the same key: the service refreshes once, and repeats its response to the others.
	mac := hmac.New(sha256.New, []byte(or(secret, bind)))
	fmt.Fprintf(mac, "%s\x00%s\x00%s", tenant, bind, token)
	key := fmt.Sprintf("%x", mac.Sum(nil))
	if secret != "" {
		key = "gh1_" + key
	}
	pair := call("refresh", key, map[string]string{"refresh_token": token})
	if pair.AccessToken != "" {
		keepSession(w, r, pair, bind)
	} else if pair.Error.Code != "refreshTokenSuperseded" { // Then another response sets the new cookies.
		dropSession(w, r)
	}
	return verify(pair.AccessToken)
}

// isNavigation: the browser will show the response. A script can't follow a redirect to the login on another site.
func isNavigation(r *http.Request) bool {
	if mode := r.Header.Get("Sec-Fetch-Mode"); mode != "" {
		return mode == "navigate"
	}
	accept := r.Header.Get("Accept")
	takesHTML := strings.Contains(accept, "text/html") || !strings.Contains(accept, "json")
	return takesHTML && r.Header.Get("X-Requested-With") == ""
}

// signInRequired: other users sign in first, and return: to this page, or to / if this isn't a GET. Scripts get 401.
func signInRequired(page func(http.ResponseWriter, *http.Request, *User)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if user := currentUser(w, r); user != nil {
			page(w, r, user)
		} else if !isNavigation(r) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(401)
			fmt.Fprint(w, signedOut)
		} else if r.Method == "GET" {
			http.Redirect(w, r, "/login?return_to="+url.QueryEscape(r.URL.RequestURI()), 303)
		} else {
			http.Redirect(w, r, "/login", 303)
		}
	}
}

func login(w http.ResponseWriter, r *http.Request) {
	if r.Method == "HEAD" { // Programs that check links start no login.
		w.Header().Set("Allow", "GET")
		w.WriteHeader(405)
		return
	}
	verifier := random()
	sum := sha256.Sum256([]byte(verifier))
	challenge := base64.RawURLEncoding.EncodeToString(sum[:])
	keep(w, r, "login_"+challenge[:8], verifier, 900) // The code contains these characters.
	query := url.Values{
		"redirect_uri": {origin(r) + "/auth/callback"}, "return_to": {inside(r.FormValue("return_to"))},
		"response_type": {"code"}, "code_challenge": {challenge}, "code_challenge_method": {"S256"}}
	http.Redirect(w, r, edge+"/google?"+query.Encode(), 303)
}

func callback(w http.ResponseWriter, r *http.Request) {
	code, back := r.FormValue("code"), inside(r.FormValue("return_to"))
	to := "/auth/callback?error=expired&return_to=" + url.QueryEscape(back)
	name := "login_" + fmt.Sprintf("%-15.15s", code)[7:]
	if r.Form.Has("error") {
		logins := regexp.MustCompile(prefix(r)+`(login_[\w-]+)`).FindAllStringSubmatch(r.Header.Get("Cookie"), -1)
		if len(logins) == 1 { // With more, those in other tabs go on.
			keep(w, r, logins[0][1], "", -1)
		}
		if currentUser(w, r) == nil { // Others tried another account, or reloaded this page.
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, page, or(problems[r.FormValue("error")], failed), url.QueryEscape(back))
			return
		}
		to = back
	} else if verifier := cookie(r, name); verifier != "" { // Only the browser that started the login has it.
		if pair := call("token", "", map[string]string{"code": code, "code_verifier": verifier}); pair.AccessToken != "" {
			keep(w, r, name, "", -1)
			keepSession(w, r, pair, random())
			to = back
		}
	}
	http.Redirect(w, r, to, 303)
}

func logout(w http.ResponseWriter, r *http.Request) {
	dropSession(w, r)
	calls.Delete(sum(cookie(r, "access")))
	token, _ := refreshToken(r)
	call("logout", "", map[string]string{"refresh_token": token})
	http.Redirect(w, r, "/", 303)
}

func isForeign(r *http.Request) bool {
	site, sender := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	if site != "" {
		return site != "same-origin" && site != "none"
	} else if sender == "" { // A program, or a browser that sends neither: SameSite lets the cookies out for this site only.
		return !hasSession(r)
	}
	// A proxy may end TLS or replace the host.
	forwarded, _, _ := strings.Cut(or(r.Header.Get("X-Forwarded-Host"), r.Host), ",")
	host := hostIn(sender)
	return host != hostIn(origin(r)) && host != r.Host && host != strings.TrimSpace(forwarded)
}

func hostIn(url string) string { return url[strings.LastIndex(url, "/")+1:] }

func withSignIn(app http.Handler) http.Handler {
	if _, err := url.ParseRequestURI(edge); err != nil || tenant == "" {
		log.Fatal("No .service. Run npx --@gatehouse-auth:registry=<service>/packages/npm/ @gatehouse-auth/local init or set GATEHOUSE_URL and GATEHOUSE_TENANT")
	}
	mine := map[string]http.HandlerFunc{"GET /login": login, "HEAD /login": login,
		"GET /auth/callback": callback, "POST /logout": logout}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if reason := recover(); reason == unavailable {
				http.Error(w, unavailable, 503)
			} else if reason != nil {
				panic(reason)
			}
		}()
		reads := r.Method == "GET" || r.Method == "HEAD" || r.Method == "OPTIONS"
		// A sign-out needs the check without the cookie, too: SameSite keeps it back, and the response would remove it.
		concernsUser := hasSession(r) || r.URL.Path == "/logout"
		if !reads && concernsUser && isForeign(r) {
			http.Error(w, "No Origin of this app.", 403)
		} else if route, found := mine[r.Method+" "+r.URL.Path]; found {
			route(w, r)
		} else {
			app.ServeHTTP(w, r)
		}
	})
}
