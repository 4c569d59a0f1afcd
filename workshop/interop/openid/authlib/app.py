import os

from authlib.integrations.base_client import OAuthError
from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]

oauth = OAuth(app)
oauth.register(
    "gatehouse",
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256"},
)


@app.get("/")
def home():
    user = session.get("user")
    return f"Signed in as {user['email']}" if user else "Signed out"


@app.get("/login")
def login():
    return oauth.gatehouse.authorize_redirect(os.environ["APP_URL"] + "/callback")


@app.get("/callback")
def callback():
    token = oauth.gatehouse.authorize_access_token()
    session["user"] = token.pop("userinfo")
    session["token"] = token
    return redirect("/")


@app.get("/refresh")
def refresh():
    expired = dict(session["token"], expires_at=1)
    session["user"] = oauth.gatehouse.userinfo(token=expired)
    return redirect("/")


@app.get("/logout")
def logout():
    session.clear()
    return redirect("/")


@app.errorhandler(OAuthError)
def failed(error):
    return f"Sign-in failed: {error.description or error.error}", 400
