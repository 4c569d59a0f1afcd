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
	"html"
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

type verification struct {
	user  *User
	until time.Time
}

type flight struct {
	done   chan struct{}
	result answer
	err    error
}

var (
	service, tenant = setting("GATEHOUSE_URL", "base_url", ".service"), setting("GATEHOUSE_TENANT", "tenant_id", ".service")
	secret          = setting("GATEHOUSE_SECRET", "GATEHOUSE_SECRET", ".service.secret")
	edge            = service + "/edge/auth/" + tenant
	errUnavailable  = errors.New("Sign-in isn’t available right now. Try again in a moment.")
	client          = http.Client{Timeout: 10 * time.Second}
	lock            sync.Mutex
	verified        = map[string]verification{} // For 10 seconds: a sign-out at another server takes effect after that.
	flights         = map[string]*flight{}
	problems        = map[string]string{
		"access_denied": "You cancelled the sign-in, so nothing was shared with this app.",
		"expired":       "This sign-in took too long, was already used, or was started in another browser.",
		"login_failed":  "The sign-in failed, or this app doesn’t accept the account that you chose.",
	}
	onThisMachine = regexp.MustCompile(`^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$`)
	insidePath    = regexp.MustCompile(`^/([!-.0-\[\]-~][!-\[\]-~]*)?$`)
)

func setting(variable, name, file string) string {
	text, _ := os.ReadFile(file)
	found := regexp.MustCompile(`(?m)^` + name + `=(\S+)`).FindSubmatch(text)
	if value := os.Getenv(variable); value != "" || found == nil {
		return value
	}
	return string(found[1])
}

// call is sent again if there is no response: with the same Idempotency-Key, the service repeats its response.
func call(action string, body map[string]string, key string) (result answer, err error) {
	sent, _ := json.Marshal(body)
	for try := 0; try < 2; try++ {
		request, err := http.NewRequest("POST", edge+"/"+action, bytes.NewReader(sent))
		if err != nil {
			return result, err
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", key)
		response, err := client.Do(request)
		if err != nil {
			continue
		}
		err = json.NewDecoder(response.Body).Decode(&result)
		response.Body.Close()
		if err == nil && (response.StatusCode == 200 || response.StatusCode == 400 || response.StatusCode == 401) {
			return result, nil
		}
	}
	return answer{}, errUnavailable // The cookies stay.
}

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// origin is where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header.
func origin(r *http.Request) string {
	if address := os.Getenv("APP_URL"); address != "" {
		return address
	}
	if onThisMachine.MatchString(r.Host) {
		return "http://" + r.Host
	}
	return "https://" + r.Host
}

// cookieName: no subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port.
func cookieName(r *http.Request, name string) string {
	address := origin(r)
	if strings.HasPrefix(address, "https:") {
		return "__Host-gh_" + name
	}
	return "gh_" + address[strings.LastIndex(address, ":")+1:] + "_" + name
}

func cookie(r *http.Request, name string) string {
	if found, err := r.Cookie(cookieName(r, name)); err == nil {
		return found.Value
	}
	return ""
}

func keep(w http.ResponseWriter, r *http.Request, name, value string, seconds int) {
	if value == "" {
		seconds = -1
	}
	w.Header().Set("Cache-Control", "no-store")
	http.SetCookie(w, &http.Cookie{Name: cookieName(r, name), Value: value, MaxAge: seconds, Path: "/", HttpOnly: true,
		Secure: strings.HasPrefix(origin(r), "https:"), SameSite: http.SameSiteLaxMode})
}

func keepSession(w http.ResponseWriter, r *http.Request, pair answer, bind string) {
	keep(w, r, "access", pair.AccessToken, 3600)
	keep(w, r, "refresh", pair.RefreshToken, 2592000)
	keep(w, r, "bind", bind, 2592000)
}

// inside returns a path inside this app. Browsers take //evil.example and /\evil.example for another site.
func inside(path string) string {
	if len(path) <= 1024 && insidePath.MatchString(path) {
		return path
	}
	return "/"
}

func verify(token string) (*User, error) {
	lock.Lock()
	known, found := verified[token]
	lock.Unlock()
	if token == "" || found && time.Now().Before(known.until) {
		return known.user, nil
	}
	result, err := call("verify", map[string]string{"access_token": token}, random())
	if err != nil {
		return nil, err
	}
	lock.Lock()
	defer lock.Unlock()
	if len(verified) >= 10_000 {
		verified = map[string]verification{}
	}
	verified[token] = verification{result.User, time.Now().Add(10 * time.Second)}
	return result.User, nil
}

// refresh: requests at the same time share one call. Other processes derive the same key, and get the same pair.
func refresh(token, bind string) (answer, error) {
	prefix, hmacKey := "gh1_", secret
	if secret == "" {
		prefix, hmacKey = "", bind
	}
	mac := hmac.New(sha256.New, []byte(hmacKey))
	mac.Write([]byte(tenant + "\x00" + bind + "\x00" + token))
	key := prefix + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	lock.Lock()
	shared, found := flights[key]
	if found {
		lock.Unlock()
		<-shared.done
		return shared.result, shared.err
	}
	own := &flight{done: make(chan struct{})}
	flights[key] = own
	lock.Unlock()
	own.result, own.err = call("refresh", map[string]string{"refresh_token": token}, key)
	lock.Lock()
	delete(flights, key)
	lock.Unlock()
	close(own.done)
	return own.result, own.err
}

// currentUser is nil for a user who isn't signed in. It refreshes a session whose access token has expired: call it once, before
// you write to w. An error says nothing about the session.
func currentUser(w http.ResponseWriter, r *http.Request) (*User, error) {
	w.Header().Set("Cache-Control", "no-store")
	user, err := verify(cookie(r, "access"))
	token, bind := cookie(r, "refresh"), cookie(r, "bind")
	if err != nil || user != nil || token == "" {
		return user, err
	}
	if bind == "" {
		bind = random()
	}
	pair, err := refresh(token, bind)
	if err != nil {
		return nil, err
	}
	if pair.AccessToken != "" {
		keepSession(w, r, pair, bind)
		return verify(pair.AccessToken)
	}
	if pair.Error.Code != "refreshTokenSuperseded" { // Then another response sets the new cookies.
		keepSession(w, r, answer{}, "")
	}
	return nil, nil
}

func signInRequired(page func(http.ResponseWriter, *http.Request, *User)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, err := currentUser(w, r)
		if err != nil {
			http.Error(w, err.Error(), 503)
		} else if user == nil {
			http.Redirect(w, r, "/login?return_to="+url.QueryEscape(r.URL.RequestURI()), 303)
		} else {
			page(w, r, user)
		}
	}
}

func login(w http.ResponseWriter, r *http.Request) {
	verifier := random()
	challenge := hash(verifier)
	keep(w, r, "login_"+challenge[:8], verifier, 900) // The code contains these characters: only this browser can use it.
	query := url.Values{"redirect_uri": {origin(r) + "/auth/callback"}, "return_to": {inside(r.FormValue("return_to"))},
		"response_type": {"code"}, "code_challenge": {challenge}, "code_challenge_method": {"S256"}}
	http.Redirect(w, r, edge+"/google?"+query.Encode(), 303)
}

func callback(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	code, back := query.Get("code"), inside(query.Get("return_to"))
	if query.Has("error") {
		showProblem(w, r, query.Get("error"), back)
		return
	}
	name := "login_"
	if len(code) > 15 {
		name += code[7:15]
	}
	pair, verifier := answer{}, cookie(r, name)
	if verifier != "" {
		var err error
		exchange := map[string]string{"code": code, "code_verifier": verifier}
		if pair, err = call("token", exchange, hash("exchange "+verifier)); err != nil {
			http.Error(w, err.Error(), 503)
			return
		}
	}
	if pair.AccessToken == "" {
		http.Redirect(w, r, "/auth/callback?error=expired&return_to="+url.QueryEscape(back), 303)
		return
	}
	keep(w, r, name, "", 0)
	keepSession(w, r, pair, random()[:22])
	http.Redirect(w, r, back, 303)
}

func showProblem(w http.ResponseWriter, r *http.Request, code, back string) {
	var logins []string
	for _, sent := range r.Cookies() {
		if strings.HasPrefix(sent.Name, cookieName(r, "login_")) {
			logins = append(logins, strings.TrimPrefix(sent.Name, cookieName(r, "")))
		}
	}
	if len(logins) == 1 { // With more, those in other tabs go on.
		keep(w, r, logins[0], "", 0)
	}
	text := problems[code]
	if text == "" {
		text = problems["login_failed"]
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>You’re not signed in</title>
<h1>You’re not signed in</h1><p>%s</p><form action="/login"><input type="hidden" name="return_to"
value="%s"><button>Sign in again</button></form><a href="/">Go to the start page</a></html>`, text, html.EscapeString(back))
}

func logout(w http.ResponseWriter, r *http.Request) {
	lock.Lock()
	delete(verified, cookie(r, "access"))
	lock.Unlock()
	if token := cookie(r, "refresh"); token != "" {
		call("logout", map[string]string{"refresh_token": token}, random())
	}
	keepSession(w, r, answer{}, "")
	http.Redirect(w, r, "/", 303)
}

func withSignIn(app http.Handler) http.Handler {
	if service == "" || tenant == "" {
		log.Fatal("Start the app in the folder of .service, or set GATEHOUSE_URL and GATEHOUSE_TENANT.")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		same := r.Header.Get("Sec-Fetch-Site") == "same-origin" || r.Header.Get("Origin") == origin(r)
		reads := r.Method == "GET" || r.Method == "HEAD" || r.Method == "OPTIONS"
		switch route := r.Method + " " + r.URL.Path; {
		case !reads && cookie(r, "refresh") != "" && !same:
			http.Error(w, "This request comes from another site.", 403) // In the name of a signed-in user.
		case route == "GET /login":
			login(w, r)
		case route == "GET /auth/callback":
			callback(w, r)
		case route == "POST /logout":
			logout(w, r)
		default:
			app.ServeHTTP(w, r)
		}
	})
}
