#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example in Java finds the same games as the command. Skipped without Java and JNA (Debian's libjna-java). The example
# in C# has the same declarations, and is compiled if there is dotnet.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "the virtual machine has no sanitizers"; exit 77; }
root=$PWD build=$(realpath "${BUILD:-build}") jna=${JNA:-/usr/share/java/jna.jar}
command -v java >/dev/null && [ -e "$jna" ] || { echo "there is no Java with JNA"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$STAMMA" pack -q -o games.stamma "$root/data/games.pgn"
for query in '{"mate": true}' '{"sequence": [{"captured": "Q"}, {"mate": true}], "gap": 8}' '{"player": "Anderssen"}'; do
    "$STAMMA" find games.stamma --query "$query" --matches >expected
    [ -s expected ]
    java -Djna.library.path="$build" -cp "$jna" "$root/examples/java/FindGames.java" games.stamma "$query" >found
    diff expected found
done
! java -Djna.library.path="$build" -cp "$jna" "$root/examples/java/FindGames.java" "$root/data/games.pgn" '{}' 2>error
grep -q 'no Stamma archive' error || { cat error; exit 1; }

if command -v dotnet >/dev/null; then
    dotnet new console -o find >/dev/null
    cp "$root/examples/csharp/FindGames.cs" find/Program.cs
    sed -i 's|<PropertyGroup>|<PropertyGroup><AllowUnsafeBlocks>true</AllowUnsafeBlocks>|' find/find.csproj
    LD_LIBRARY_PATH=$build dotnet run --project find -- games.stamma '{"player": "Anderssen"}' | diff expected -
fi
