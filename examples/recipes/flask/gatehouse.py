"""Sign-in with Gatehouse. Add it with app.register_blueprint(gatehouse); it answers /login, /auth/callback and /logout."""
import base64, functools, hashlib, hmac, json, os, re, secrets, time
from http.client import HTTPException
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen
from flask import Blueprint, abort, g, redirect, request

FILES = [open(file).read() for file in (".service", ".service.secret") if os.path.exists(file)]
TEXT = "\n".join(FILES).replace("base_url=", "GATEHOUSE_URL=").replace("tenant_id=", "GATEHOUSE_TENANT=")
SETTINGS = {**dict(re.findall(r"^(GATEHOUSE_\w+)=(\S+)", TEXT, re.M)), **os.environ}
SERVICE, TENANT, SECRET = (SETTINGS.get(f"GATEHOUSE_{name}", "") for name in ("URL", "TENANT", "SECRET"))
if not SERVICE or not TENANT:
    raise SystemExit("Start the app in the folder of .service, or set GATEHOUSE_URL and GATEHOUSE_TENANT.")
EDGE = f"{SERVICE}/edge/auth/{TENANT}"
PROBLEMS = {
    "access_denied": "You cancelled the sign-in, so nothing was shared with this app.",
    "expired": "This sign-in took too long, was already used, or was started in another browser.",
    "login_failed": "The sign-in failed, or this app doesn’t accept the account that you chose.",
}
gatehouse = Blueprint("gatehouse", __name__)

def call(action, body, key=""):
    """Sent again if there is no response: with the same Idempotency-Key, the service repeats its response."""
    sent = json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Idempotency-Key": key or hashlib.sha256(sent).hexdigest()}
    for _ in range(2):
        try:
            with urlopen(Request(f"{EDGE}/{action}", sent, headers), timeout=10) as response:
                return json.load(response)
        except (OSError, HTTPException, ValueError) as error:
            if getattr(error, "code", 0) in (400, 401):
                return json.load(error)
    abort(503, "Sign-in isn’t available right now. Try again in a moment.")  # The cookies stay.

def origin():
    """Where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header."""
    local = re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", request.host)
    return os.environ.get("APP_URL") or f"{'http' if local else 'https'}://{request.host}"

def prefix():
    """No subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port."""
    return "__Host-gh_" if origin().startswith("https:") else f"gh_{origin().rpartition(':')[2]}_"

def cookie(name):
    return request.cookies.get(prefix() + name, "")

def keep(name, value, seconds=2592000):
    g.setdefault("gatehouse_cookies", {})[prefix() + name] = (value, seconds if value else 0)

def inside(path):
    """A path inside this app. Browsers take //evil.example, /\\evil.example and /<tab>/evil.example for another site."""
    return path if path and len(path) <= 1024 and re.fullmatch(r"/([!-.0-\[\]-~][!-\[\]-~]*)?", path) else "/"

@functools.lru_cache(10_000)
def verify(access_token, ten_seconds):
    """Remembered for ten seconds at most: then a sign-out at another server takes effect."""
    return call("verify", {"access_token": access_token}).get("user")

def current_user():
    """A dict with id, email, name and picture, or None. Refreshes a session whose access token has expired."""
    if "gatehouse_user" not in g:
        access, token, bind = (cookie("session") + "~~").split("~")[:3]
        g.gatehouse_user = verify(access, time.monotonic() // 10) if access else None
        if token and not g.gatehouse_user:
            # Requests at the same time derive the same key, in every process: the service refreshes once, for all of them.
            mac = hmac.new((SECRET or bind).encode(), f"{TENANT}\0{bind}\0{token}".encode(), "sha256").hexdigest()
            pair = call("refresh", {"refresh_token": token}, f"gh1_{mac}" if SECRET else mac)
            if "access_token" in pair:
                keep("session", f"{pair['access_token']}~{pair['refresh_token']}~{bind}")
                g.gatehouse_user = verify(pair["access_token"], time.monotonic() // 10)
            elif pair["error"]["code"] != "refreshTokenSuperseded":  # Then another response sets the new cookie.
                keep("session", "")
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
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    keep(f"login_{challenge[:8]}", verifier, 900)  # The code contains these characters: only this browser can use it.
    return redirect(f"{EDGE}/google?" + urlencode({
        "redirect_uri": f"{origin()}/auth/callback", "return_to": inside(request.args.get("return_to")),
        "response_type": "code", "code_challenge": challenge, "code_challenge_method": "S256"}), 303)

@gatehouse.get("/auth/callback")
def callback():
    code, back = request.args.get("code", ""), inside(request.args.get("return_to"))
    if "error" in request.args:
        logins = [name.removeprefix(prefix()) for name in request.cookies if name.startswith(prefix() + "login_")]
        if len(logins) == 1:  # With more, those in other tabs go on.
            keep(logins[0], "")
        return f"""<!doctype html><html lang="en"><meta name="robots" content="noindex">
<title>You’re not signed in</title><h1>You’re not signed in</h1><p>{PROBLEMS.get(request.args["error"], PROBLEMS["login_failed"])}</p>
<p><a href="/login?return_to={quote(back, safe='')}">Sign in again</a> <a href="/">Go to the start page</a></p></html>"""
    login, verifier = f"login_{code[7:15]}", cookie(f"login_{code[7:15]}")
    pair = call("token", {"code": code, "code_verifier": verifier}) if verifier else {}
    if "access_token" not in pair:
        return redirect(f"/auth/callback?error=expired&return_to={quote(back, safe='')}", 303)
    keep(login, "")
    keep("session", f"{pair['access_token']}~{pair['refresh_token']}~{secrets.token_urlsafe(16)}")
    return redirect(back, 303)

@gatehouse.post("/logout")
def logout():
    keep("session", "")
    verify.cache_clear()
    if "~" in cookie("session"):
        call("logout", {"refresh_token": cookie("session").split("~")[1]})
    return redirect("/", 303)

@gatehouse.before_app_request
def check_origin():
    """Rejects a POST of another site in the name of a signed-in user."""
    same = request.headers.get("Sec-Fetch-Site") == "same-origin" or request.headers.get("Origin") == origin()
    if request.method not in ("GET", "HEAD", "OPTIONS") and cookie("session") and not same:
        abort(403)

@gatehouse.after_app_request
def set_cookies(response):
    for name, (value, seconds) in g.get("gatehouse_cookies", {}).items():
        response.set_cookie(name, value, seconds, secure=name.startswith("__Host-"), httponly=True, samesite="Lax")
    if g.get("gatehouse_user") or "gatehouse_cookies" in g:
        response.headers["Cache-Control"] = "no-store"
    return response
