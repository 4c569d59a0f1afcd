"""Sign-in with Gatehouse. Put "gatehouse.SignIn" first into MIDDLEWARE; it answers /login, /auth/callback and /logout."""
import base64, functools, hashlib, hmac, json, os, re, secrets, time
from http.client import HTTPException
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen
from django.http import HttpResponse, HttpResponseRedirect as redirect

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
Unavailable = type("Unavailable", (Exception,), {})

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
    raise Unavailable("Sign-in isn’t available right now. Try again in a moment.")  # The cookies stay.

def origin(request):
    """Where the user is: https, except on this machine. Set APP_URL behind a proxy that replaces the Host header."""
    local = re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", request.get_host())
    return os.environ.get("APP_URL") or f"{'http' if local else 'https'}://{request.get_host()}"

def prefix(request):
    """No subdomain can set a __Host- cookie. Ports share cookies, so the names of local apps have the port."""
    return "__Host-gh_" if origin(request).startswith("https:") else f"gh_{origin(request).rpartition(':')[2]}_"

def cookie(request, name):
    return request.COOKIES.get(prefix(request) + name, "")

def keep(request, name, value, seconds=2592000):
    request.gatehouse_cookies[prefix(request) + name] = (value, seconds if value else 0)

def inside(path):
    """A path inside this app. Browsers take //evil.example, /\\evil.example and /<tab>/evil.example for another site."""
    return path if path and len(path) <= 1024 and re.fullmatch(r"/([!-.0-\[\]-~][!-\[\]-~]*)?", path) else "/"

@functools.lru_cache(10_000)
def verify(access_token, ten_seconds):
    """Remembered for ten seconds at most: then a sign-out at another server takes effect."""
    return call("verify", {"access_token": access_token}).get("user")

def current_user(request):
    """A dict with id, email, name and picture, or None. Refreshes a session whose access token has expired."""
    if not hasattr(request, "gatehouse_user"):
        access, token, bind = (cookie(request, "session") + "~~").split("~")[:3]
        request.gatehouse_user = verify(access, time.monotonic() // 10) if access else None
        if token and not request.gatehouse_user:
            # Requests at the same time derive the same key, in every process: the service refreshes once, for all of them.
            mac = hmac.new((SECRET or bind).encode(), f"{TENANT}\0{bind}\0{token}".encode(), "sha256").hexdigest()
            pair = call("refresh", {"refresh_token": token}, f"gh1_{mac}" if SECRET else mac)
            if "access_token" in pair:
                keep(request, "session", f"{pair['access_token']}~{pair['refresh_token']}~{bind}")
                request.gatehouse_user = verify(pair["access_token"], time.monotonic() // 10)
            elif pair["error"]["code"] != "refreshTokenSuperseded":  # Then another response sets the new cookie.
                keep(request, "session", "")
    return request.gatehouse_user

def sign_in_required(view):
    @functools.wraps(view)
    def guarded(request, *args, **kwargs):
        here = quote(request.get_full_path(), safe="")
        return view(request, *args, **kwargs) if current_user(request) else redirect(f"/login?return_to={here}")
    return guarded

def login(request):
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    keep(request, f"login_{challenge[:8]}", verifier, 900)  # The code contains these characters: only this browser can use it.
    return redirect(f"{EDGE}/google?" + urlencode({
        "redirect_uri": f"{origin(request)}/auth/callback", "return_to": inside(request.GET.get("return_to")),
        "response_type": "code", "code_challenge": challenge, "code_challenge_method": "S256"}))

def callback(request):
    code, back = request.GET.get("code", ""), inside(request.GET.get("return_to"))
    if "error" in request.GET:
        logins = [name for name in request.COOKIES if name.startswith(prefix(request) + "login_")]
        if len(logins) == 1:  # With more, those in other tabs go on.
            keep(request, logins[0].removeprefix(prefix(request)), "")
        return HttpResponse(f"""<!doctype html><html lang="en"><meta name="robots" content="noindex">
<title>You’re not signed in</title><h1>You’re not signed in</h1><p>{PROBLEMS.get(request.GET["error"], PROBLEMS["login_failed"])}</p>
<p><a href="/login?return_to={quote(back, safe='')}">Sign in again</a> <a href="/">Go to the start page</a></p></html>""")
    login, verifier = f"login_{code[7:15]}", cookie(request, f"login_{code[7:15]}")
    pair = call("token", {"code": code, "code_verifier": verifier}) if verifier else {}
    if "access_token" not in pair:
        return redirect(f"/auth/callback?error=expired&return_to={quote(back, safe='')}")
    keep(request, login, "")
    keep(request, "session", f"{pair['access_token']}~{pair['refresh_token']}~{secrets.token_urlsafe(16)}")
    return redirect(back)

def logout(request):
    keep(request, "session", "")
    verify.cache_clear()
    if "~" in cookie(request, "session"):
        call("logout", {"refresh_token": cookie(request, "session").split("~")[1]})
    return redirect("/")

class SignIn:
    routes = {"GET /login": login, "GET /auth/callback": callback, "POST /logout": logout}

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        request.gatehouse_cookies = {}
        same = request.headers.get("Sec-Fetch-Site") == "same-origin" or request.headers.get("Origin") == origin(request)
        reads = request.method in ("GET", "HEAD", "OPTIONS") or not cookie(request, "session")
        try:
            view = self.routes.get(f"{request.method} {request.path_info}", self.get_response)
            response = view(request) if same or reads else HttpResponse(status=403)  # A POST of another site.
        except Unavailable as error:
            response = HttpResponse(str(error), status=503)
        for name, (value, seconds) in request.gatehouse_cookies.items():
            response.set_cookie(name, value, seconds, secure=name.startswith("__Host-"), httponly=True, samesite="Lax")
        if request.gatehouse_cookies or getattr(request, "gatehouse_user", None):
            response["Cache-Control"] = "no-store"
        return response

    def process_exception(self, request, exception):
        return HttpResponse(str(exception), status=503) if isinstance(exception, Unavailable) else None
