"""A PostgreSQL of this machine for the time that a process lives: the program that runs in place of one of a cloud."""

PROGRAM = r"""
import glob, os, pwd, shutil, signal, subprocess, sys, tempfile

def found(name):
    here = sorted(p for f in ("/usr/lib/postgresql/*/bin/", "/usr/pgsql-*/bin/") for p in glob.glob(f + name))
    path = shutil.which(name) or (here[-1] if here else sys.exit(name + " is not installed: PostgreSQL has it"))
    return os.path.realpath(path)  # beside it are the others that it needs

def humble():
    for name in ("postgres", "nobody"):  # it refuses to run as root
        try:
            who = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}, who
    sys.exit("PostgreSQL does not run as root, and there is no user postgres or nobody")

def lives(pid):
    try:
        os.kill(int(pid), 0)
    except (OSError, ValueError):
        return False
    return True

stem = os.path.join(tempfile.gettempdir(), "ulna-postgres-%d-" % os.getuid())
for old in glob.glob(stem + "*"):
    if not lives(old[len(stem):]):  # it was killed
        shutil.rmtree(old, ignore_errors=True)
home = stem + str(os.getpid())
os.mkdir(home, 0o700)
who = {}
if os.getuid() == 0:
    who, user = humble()
    os.chown(home, user.pw_uid, user.pw_gid)
data, word = os.path.join(home, "data"), os.path.join(home, "word")
server = None

def stop(number, frame):
    if server is not None:
        server.send_signal(signal.SIGINT)  # at once, and in order

signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGINT, stop)
try:
    with os.fdopen(os.open(word, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
        file.write(os.environ.pop("POSTGRES_PASSWORD"))
    if who:
        os.chown(word, user.pw_uid, user.pw_gid)
    login = os.environ.pop("POSTGRES_USER")
    made = subprocess.run(
        [found("initdb"), "-D", data, "-U", login, "-A", "scram-sha-256", "-E", "UTF8", "--no-locale", "--no-sync", "--pwfile", word],
        cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **who)
    if made.returncode:
        sys.exit(made.stderr.strip() or "initdb failed")
    os.unlink(word)
    options = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"]
    server = subprocess.Popen(
        [found("postgres"), "-D", data, "-p", os.environ["PORT"], *(w for o in options for w in ("-c", o))], cwd=home, **who)
    code = server.wait()
finally:
    shutil.rmtree(home, ignore_errors=True)
sys.exit(code)
"""
"""Reads POSTGRES_USER, POSTGRES_PASSWORD and PORT; `initdb` and `postgres` are searched on the path and where systems put them."""
