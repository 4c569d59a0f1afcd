from flask import Flask
from markupsafe import escape
from gatehouse import current_user, gatehouse, sign_in_required

app = Flask(__name__)
app.register_blueprint(gatehouse)

@app.get("/")
def home():
    user = current_user()
    return f"<p>Hello, {escape(user['email'])}</p>" if user else '<p>Not signed in. <a href="/login">Sign in</a></p>'

@app.get("/notes")
@sign_in_required
def notes():
    return f"""<h1>Notes of {escape(current_user()["email"])}</h1>
<form method="post" action="/logout"><button>Sign out</button></form>"""
