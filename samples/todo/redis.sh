# The password goes into a file, since everybody on a machine can read a command line.
umask 077
printf 'requirepass %s\nappendonly yes\ndir /data\nport 6379\n' "$REDIS_PASSWORD" > /tmp/redis.conf
exec redis-server /tmp/redis.conf
