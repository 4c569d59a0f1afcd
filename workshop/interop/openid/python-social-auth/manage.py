import os
import sys

from django import setup
from django.core.management import call_command, execute_from_command_line

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
setup()
call_command("migrate", verbosity=0)
execute_from_command_line(sys.argv)
