#!/usr/bin/env bash
# Signs and notarizes the app for macOS, and makes the dmg of it: sign.sh FOLDER, with the `.app.tar.gz` and the dmg of a
# build, which are replaced. Without APPLE_CERTIFICATE both stay as they are.
#
# Only programs of the system are used: the job that runs this has the certificate.
set -euo pipefail
cd "$1"
archive=$(ls -- *.app.tar.gz) dmg=$(ls -- *.dmg)
if [ -z "${APPLE_CERTIFICATE:-}" ]; then
    echo "No certificate is given: $dmg stays unsigned"
    exit
fi

work=$(mktemp -d)
keychain="$work/sign.keychain-db" password=$(uuidgen)
trap 'security delete-keychain "$keychain" || true; rm -rf "$work"' EXIT

echo "$APPLE_CERTIFICATE" | base64 --decode > "$work/certificate.p12"
security create-keychain -p "$password" "$keychain"
security set-keychain-settings -t 3600 -u "$keychain"
security unlock-keychain -p "$password" "$keychain"
security import "$work/certificate.p12" -k "$keychain" -P "$APPLE_CERTIFICATE_PASSWORD" -T /usr/bin/codesign
security set-key-partition-list -S apple-tool:,apple: -s -k "$password" "$keychain" > "$work/partitions"
# shellcheck disable=SC2046 # One argument for each keychain that is searched already.
security list-keychains -d user -s "$keychain" $(security list-keychains -d user | tr -d '"')

notarize() {
    xcrun notarytool submit "$1" --wait --apple-id "$APPLE_ID" --password "$APPLE_PASSWORD" --team-id "$APPLE_TEAM_ID"
}

mkdir "$work/dmg"
tar -xzf "$archive" -C "$work/dmg"
app=$(ls -d "$work"/dmg/*.app)
codesign --force --options runtime --timestamp --keychain "$keychain" --sign "$APPLE_SIGNING_IDENTITY" "$app"
ditto -c -k --keepParent "$app" "$work/app.zip"
notarize "$work/app.zip"
xcrun stapler staple "$app"
tar -czf "$archive" -C "$work/dmg" "$(basename "$app")"

ln -s /Applications "$work/dmg/Applications"
hdiutil create -volname "Site Steward" -srcfolder "$work/dmg" -format UDZO -ov "$dmg"
codesign --force --timestamp --keychain "$keychain" --sign "$APPLE_SIGNING_IDENTITY" "$dmg"
notarize "$dmg"
xcrun stapler staple "$dmg"
