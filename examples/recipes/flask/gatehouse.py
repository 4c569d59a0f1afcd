"""Sign-in with Gatehouse. Add it with app.register_blueprint(gatehouse); it answers /login, /auth/callback and /logout."""
import base64, functools, hashlib, hmac, html, json, os, re, secrets, time
from concurrent.futures import Future
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen
from flask import Blueprint, abort, g, redirect, request

def setting(variable, name, file=".service"):
    text = open(file).read() if os.path.exists(file) else ""
    return os.environ.get(variable) or "".join(re.findall(rf"^{name}=(\S+)", text, re.M)[:1])

SERVICE, TENANT = setting("GATEHOUSE_URL", "base_url"), setting("GATEHOUSE_TENANT", "tenant_id")
SECRET = setting("GATEHOUSE_SECRET", "GATEHOUSE_SECRET", ".service.secret")
if not SERVICE or not TENANT:
    raise SystemExit("Start the app in the folder of .service, or set GATEHOUSE_URL and GATEHOUSE_TENANT.")
EDGE = f"{SERVICE}/edge/auth/{TENANT}"
CACHE_SECONDS = 10  # A sign-out at another server takes effect after at most this time.
PROBLEMS = {
    "access_denied": "You cancelled the sign-in, so nothing was shared with this app.",
    "expired": "This sign-in took too long, was already used, or was started in another browser.",
    "login_failed": "The sign-in failed, or this app doesn’t accept the account that you chose.",
}
verified, flights = {}, {}
gatehouse = Blueprint("gatehouse", __name__)

def call(action, body, key=""):
    """Sent again if there is no response: with the same Idempotency-Key, the service repeats its response."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": key or secrets.token_urlsafe(16)}
    for _ in range(2):
        try:
            with urlopen(Request(f"{EDGE}/{action}", json.dumps(body).encode(), headers), timeout=10) as response:
                return json.load(response)
        except HTTPError as error:
            if error.code in (400, 401):
                return json.load(error)
        except (OSError, HTTPException, ValueError):
            pass
    abort(503, "Sign-in isn’t available right now. Try again in a moment.")  # The cookies stay.

def sha256(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()

def origin():
    """Where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header."""
    local = re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", request.host)
    return os.environ.get("APP_URL") or f"{'http' if local else 'https'}://{request.host}"

def prefix():
    """No subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port."""
    return "__Host-gh_" if origin().startswith("https:") else f"gh_{request.host.rpartition(':')[2]}_"

def cookie(name):
    return request.cookies.get(prefix() + name, "")

def keep(name, value, seconds):
    g.setdefault("gatehouse_cookies", {})[name] = (value, seconds)

def keep_session(pair, bind):
    keep("access", pair.get("access_token", ""), 3600 if pair else 0)
    keep("refresh", pair.get("refresh_token", ""), 2592000 if pair else 0)
    keep("bind", bind, 2592000 if pair else 0)

def inside(path):
    """A path inside this app. Browsers take //evil.example, /\\evil.example and /<tab>/evil.example for another site."""
    return path if path and len(path) <= 1024 and re.fullmatch(r"/([!-.0-\[\]-~][!-\[\]-~]*)?", path) else "/"

def verify(token):
    user, until = verified.get(token, (None, 0))
    if token and time.monotonic() >= until:
        user = call("verify", {"access_token": token}).get("user")
        if len(verified) >= 10_000:
            verified.clear()
        verified[token] = user, time.monotonic() + CACHE_SECONDS
    return user

def refresh(token, bind):
    """Requests at the same time share one call. Other processes derive the same key, and get the same pair."""
    mac = hmac.new((SECRET or bind).encode(), f"{TENANT}\0{bind}\0{token}".encode(), "sha256").digest()
    key = ("gh1_" if SECRET else "") + base64.urlsafe_b64encode(mac).rstrip(b"=").decode()
    own = Future()
    flight = flights.setdefault(key, own)
    if flight is own:
        try:
            flight.set_result(call("refresh", {"refresh_token": token}, key))
        except Exception as error:
            flight.set_exception(error)
        del flights[key]
    return flight.result()

def current_user():
    """A dict with id, email, name and picture, or None. Refreshes a session whose access token has expired."""
    if "gatehouse_user" not in g:
        g.gatehouse_user = verify(cookie("access"))
        if not g.gatehouse_user and cookie("refresh"):
            bind = cookie("bind") or secrets.token_urlsafe(16)
            pair = refresh(cookie("refresh"), bind)
            if "access_token" in pair:
                keep_session(pair, bind)
                g.gatehouse_user = verify(pair["access_token"])
            elif pair["error"]["code"] != "refreshTokenSuperseded":  # Then another response sets the new cookies.
                keep_session({}, "")
    return g.gatehouse_user

def sign_in_required(view):
    @functools.wraps(view)
    def guarded(*args, **kwargs):
        here = quote(request.full_path.rstrip("?"), safe="")
        return view(*args, **kwargs) if current_user() else redirect(f"/login?return_to={here}", 303)
    return guarded

@gatehouse.get("/login")
def login():
    verifier = secrets.token_urlsafe(32)
    challenge = sha256(verifier)
    keep(f"login_{challenge[:8]}", verifier, 900)  # The code contains these characters: only this browser can use it.
    return redirect(f"{EDGE}/google?" + urlencode({
        "redirect_uri": f"{origin()}/auth/callback", "return_to": inside(request.args.get("return_to")),
        "response_type": "code", "code_challenge": challenge, "code_challenge_method": "S256"}), 303)

@gatehouse.get("/auth/callback")
def callback():
    code, back = request.args.get("code", ""), inside(request.args.get("return_to"))
    if "error" in request.args:
        logins = [name for name in request.cookies if name.startswith(prefix() + "login_")]
        if len(logins) == 1:  # With more, those in other tabs go on.
            keep(logins[0].removeprefix(prefix()), "", 0)
        text = PROBLEMS.get(request.args["error"], PROBLEMS["login_failed"])
        return f"""<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>You’re not signed in</title>
<h1>You’re not signed in</h1><p>{text}</p><form action="/login"><input type="hidden" name="return_to"
value="{html.escape(back)}"><button>Sign in again</button></form><a href="/">Go to the start page</a></html>"""
    login = f"login_{code[7:15]}"
    verifier = cookie(login)
    pair = call("token", {"code": code, "code_verifier": verifier}, sha256(f"exchange {verifier}")) if verifier else {}
    if "access_token" not in pair:
        return redirect(f"/auth/callback?error=expired&return_to={quote(back, safe='')}", 303)
    keep(login, "", 0)
    keep_session(pair, secrets.token_urlsafe(16))
    return redirect(back, 303)

@gatehouse.post("/logout")
def logout():
    verified.pop(cookie("access"), None)
    keep_session({}, "")
    if cookie("refresh"):
        call("logout", {"refresh_token": cookie("refresh")})
    return redirect("/", 303)

@gatehouse.before_app_request
def check_origin():
    """Rejects a POST of another site in the name of a signed-in user."""
    same = request.headers.get("Sec-Fetch-Site") == "same-origin" or request.headers.get("Origin") == origin()
    if request.method not in ("GET", "HEAD", "OPTIONS") and cookie("refresh") and not same:
        abort(403)

@gatehouse.after_app_request
def set_cookies(response):
    for name, (value, seconds) in g.get("gatehouse_cookies", {}).items():
        secure = origin().startswith("https:")
        response.set_cookie(prefix() + name, value, seconds, secure=secure, httponly=True, samesite="Lax")
    if g.get("gatehouse_user") or "gatehouse_cookies" in g:
        response.headers["Cache-Control"] = "no-store"
    return response
