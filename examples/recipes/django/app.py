import secrets, sys
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.urls import path
from django.utils.html import escape

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY=secrets.token_hex(),
                   MIDDLEWARE=["django.middleware.security.SecurityMiddleware", "gatehouse.SignIn"])
from gatehouse import current_user, sign_in_required

def home(request):
    user = current_user(request)
    return HttpResponse(f"Hello, {escape(user['email'])}" if user else 'Not signed in. <a href="/login">Sign in</a>')

@sign_in_required
def notes(request):
    return HttpResponse(f"""<h1>Notes of {escape(current_user(request)["email"])}</h1>
<form method="post" action="/logout"><button>Sign out</button></form>""")

urlpatterns = [path("", home), path("notes", notes)]
if __name__ == "__main__":
    execute_from_command_line(sys.argv)
