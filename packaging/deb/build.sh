#!/bin/sh
# build.sh PROGRAM VERSION FOLDER [ARCHITECTURE]: makes FOLDER/postrider_VERSION_ARCHITECTURE.deb of a published program; without
# ARCHITECTURE for this machine.
set -eu
program=$1 version=$2 folder=$3 architecture=${4:-$(dpkg --print-architecture)}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 0755 "$tree"
install -D -m 0755 "$program" "$tree/usr/bin/postrider"
install -D -m 0644 "$here/postrider.service" "$tree/usr/lib/systemd/system/postrider.service"
install -D -m 0640 "$here/postrider.conf" "$tree/etc/postrider/postrider.conf"
install -D -m 0644 "$here/../../LICENSE" "$tree/usr/share/doc/postrider/copyright"
install -D -m 0644 "$here/../../NOTICE" "$tree/usr/share/doc/postrider/NOTICE"
install -d "$tree/DEBIAN"
for script in postinst prerm postrm; do install -m 0755 "$here/$script" "$tree/DEBIAN/$script"; done
echo /etc/postrider/postrider.conf > "$tree/DEBIAN/conffiles"
cat > "$tree/DEBIAN/control" <<CONTROL
Package: postrider
Version: $version
Architecture: $architecture
Maintainer: The Postrider authors <postrider@localhost>
Section: net
Priority: optional
Depends: libc6, libssl3t64 | libssl3, passwd
Installed-Size: $(du -sk --exclude=DEBIAN "$tree" | cut -f1)
Description: NATS broker, and a client for any NATS server
 A message broker that speaks the NATS protocol, with streams, accounts, leaf
 nodes and clusters, in one native program.
CONTROL
mkdir -p "$folder"
dpkg-deb --root-owner-group --build "$tree" "$folder/postrider_${version}_$architecture.deb"
