# A throw-away copy of this machine's root: an overlay whose upper layer lies in memory. Called in
# namespaces of their own with an empty folder; when standard input ends, the namespaces end with
# all that runs in them, and nothing is left of the copy.
# shellcheck shell=sh
set -eu
layers=$1
mount -t tmpfs -o mode=755 tmpfs "$layers"
mkdir "$layers/upper" "$layers/work" "$layers/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$layers/upper,workdir=$layers/work" "$layers/root"
mount -t proc proc "$layers/root/proc"
mount --rbind /dev "$layers/root/dev"
mkdir -p "$layers/root/tmp/.X11-unix"
mount --bind /tmp/.X11-unix "$layers/root/tmp/.X11-unix"
echo ready
exec cat >/dev/null
