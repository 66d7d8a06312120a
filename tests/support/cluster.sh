# shellcheck shell=bash
# A throwaway PostgreSQL for tests/run: find or install the server, start it, stop it.
# Sourced, not run. Everything lives in `folder`, which the caller makes.
# Kept to bash 3.2, which is what macOS ships.

PG_VERSION_MIN=14
PG_START_ATTEMPTS_MAX=20
PG_START_TIMEOUT_S=60
PG_STOP_TIMEOUT_S=30

bindir=      # where the server's programs are, see find_server
server_user= # whom root lends the server to, see choose_server_user
port=        # where the server listens, see start_cluster

say() { printf 'tests/run: %s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# Folders that may hold the server's own programs. `initdb` and `pg_ctl` on PATH may be links or a
# distribution's wrappers, so they only point at candidates; `server_major` looks for the server.
candidate_bindirs() {
    local tool
    for tool in pg_config /usr/lib/postgresql/*/bin/pg_config; do
        if command -v "$tool" >/dev/null 2>&1; then "$tool" --bindir 2>/dev/null || true; fi
    done
    for tool in postgres initdb pg_ctl; do
        tool=$(command -v "$tool" 2>/dev/null) || continue
        dirname "$(readlink -f "$tool" 2>/dev/null || printf '%s' "$tool")"
    done
    printf '%s\n' /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /usr/local/pgsql/bin \
        /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin \
        /Applications/Postgres.app/Contents/Versions/*/bin
}

# Prints the major version of the server in a folder; fails where no complete server is.
server_major() {
    local program words
    for program in postgres initdb pg_ctl; do
        [ -x "$1/$program" ] || return 1
    done
    # "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)", "… 18beta1"
    words=$("$1/postgres" --version 2>/dev/null) || return 1
    printf '%s\n' "$words" | sed -nE 's/^.*PostgreSQL\) ([0-9]+).*$/\1/p'
}

# Sets `bindir` to the newest server's folder, or leaves it empty.
find_server() {
    local candidate major newest=0
    bindir=
    while IFS= read -r candidate; do
        major=$(server_major "$candidate") || continue
        if [ -n "$major" ] && [ "$major" -ge "$PG_VERSION_MIN" ] && [ "$major" -gt "$newest" ]; then
            newest=$major
            bindir=$candidate
        fi
    done <<CANDIDATES
$(candidate_bindirs)
CANDIDATES
}

# True on Debian and its family when packages can be installed without asking anybody.
can_apt() {
    command -v apt-get >/dev/null 2>&1 || return 1
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >&2
}

# SQLite is compiled from source, and Rust links with the C compiler.
ensure_compiler() {
    command -v "${CC:-cc}" >/dev/null 2>&1 && return
    if can_apt; then
        say "no C compiler found (SQLite is compiled from source): installing gcc"
        as_root apt-get update -q >&2 && apt_install gcc libc6-dev && return
    fi
    fail "a C compiler is needed, because SQLite is compiled from source:" \
        "install gcc or clang (Debian: gcc libc6-dev; Fedora: gcc; macOS: xcode-select --install)"
}

# Debian's package creates and starts a cluster of its own. Nobody asked for that one, so the
# packaging tools are told to leave it out while the server is installed, and only then.
install_server() {
    local policy=/etc/postgresql-common/createcluster.d/idem-tests.conf status=0
    as_root apt-get update -q >&2 || return 1
    apt_install postgresql-common || return 1
    as_root mkdir -p "${policy%/*}" || return 1
    printf 'create_main_cluster = false\n' | as_root tee "$policy" >/dev/null || return 1
    apt_install postgresql || status=$?
    as_root rm -f "$policy"
    as_root rmdir "${policy%/*}" 2>/dev/null || true
    return "$status"
}

ensure_server() {
    find_server
    [ -z "$bindir" ] || return 0
    if can_apt; then
        say "no PostgreSQL server found: installing Debian's package"
        install_server || say "apt-get could not install postgresql"
        find_server
    fi
    [ -n "$bindir" ] || fail "PostgreSQL $PG_VERSION_MIN or newer is needed:" \
        "install the server (Debian: postgresql; Fedora: postgresql-server;" \
        "macOS: brew install postgresql@17), or set DATABASE_URL to a server" \
        "on which you may create databases"
}

# The server refuses to run as root, so root lends it a user that exists anyway.
choose_server_user() {
    server_user=
    [ "$(id -u)" -eq 0 ] || return 0
    for server_user in postgres nobody; do
        if id "$server_user" >/dev/null 2>&1; then return; fi
    done
    fail "PostgreSQL does not run as root, and neither user postgres nor nobody exists here"
}

# Runs a command as the server's user, from a folder that this user may enter. The server must not
# inherit the pipe by which the watchdog knows that the script is alive (descriptor 9).
as_server_user() (
    cd / || exit 1
    exec 9>&-
    if [ -z "$server_user" ]; then
        exec "$@"
    elif command -v setpriv >/dev/null 2>&1; then
        exec setpriv --reuid="$server_user" --regid="$(id -g "$server_user")" --clear-groups "$@"
    elif command -v runuser >/dev/null 2>&1; then
        exec runuser -u "$server_user" -- "$@"
    else
        # shellcheck disable=SC2016 # the inner shell expands these
        exec su -s /bin/sh "$server_user" -c 'exec "$@"' -- sh "$@"
    fi
)

# Durability stays at its defaults (fsync and synchronous_commit on): Idem refuses less.
# Only initdb's own files are not synced; nobody will read them after a power cut.
create_cluster() {
    mkdir "$folder/pg"
    if [ -n "$server_user" ]; then
        chmod 711 "$folder"
        chown "$server_user" "$folder/pg"
    fi
    as_server_user "$bindir/initdb" -D "$folder/pg/data" -U postgres -A trust -E UTF8 \
        --no-locale --no-sync >"$folder/initdb.log" 2>&1 || {
        tail -n 20 "$folder/initdb.log" >&2
        fail "initdb failed; its last lines are above"
    }
    as_server_user tee -a "$folder/pg/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = '$folder/pg'
max_connections = 200
CONF
}

# Sets `port`. The server itself finds out whether a port is free, by binding it: nothing can take
# the port between a look and its use. Below 32768 no system hands ports to outgoing connections.
start_cluster() {
    local attempt log="$folder/pg/server.log"
    create_cluster
    for attempt in $(seq "$PG_START_ATTEMPTS_MAX"); do
        port=$((20000 + RANDOM % 12000))
        rm -f "$log"
        if as_server_user "$bindir/pg_ctl" -D "$folder/pg/data" -l "$log" -o "-p $port" \
            -w -t "$PG_START_TIMEOUT_S" start >/dev/null 2>&1; then
            return
        fi
        grep -qs -e 'could not bind' -e 'Address already in use' "$log" || break
    done
    tail -n 20 "$log" >&2 2>/dev/null || true
    fail "PostgreSQL did not start (attempt $attempt); the end of its log is above"
}

# Stops the server at once. It is thrown away, so nothing is worth a checkpoint.
stop_cluster() {
    local pidfile="$folder/pg/data/postmaster.pid" pid
    [ -e "$pidfile" ] || return 0
    pid=$(head -n 1 "$pidfile")
    as_server_user "$bindir/pg_ctl" -D "$folder/pg/data" -m immediate -w \
        -t "$PG_STOP_TIMEOUT_S" stop >/dev/null 2>&1 && return
    kill -0 "$pid" 2>/dev/null || return 0
    say "the server (process $pid) did not stop in $PG_STOP_TIMEOUT_S s: killing it"
    kill -KILL "$pid"
}
