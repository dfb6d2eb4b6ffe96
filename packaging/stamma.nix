# SPDX-License-Identifier: MIT
# nix-build -E 'with import <nixpkgs> {}; callPackage ./stamma.nix {}'
{ lib, stdenv, fetchurl, pkg-config, python3, bzip2, civetweb, libmd, sqlite, xxHash, xz, zlib, zstd }:

stdenv.mkDerivation rec {
  pname = "stamma";
  version = "@VERSION@";
  src = fetchurl {
    url = "@ADDRESS@/stamma-${version}.tar.xz";
    sha256 = "@SHA256@";
  };
  nativeBuildInputs = [ pkg-config python3 ];
  buildInputs = [ bzip2 civetweb libmd sqlite xxHash xz zlib zstd ];
  postPatch = "patchShebangs scripts";
  makeFlags = [ "PREFIX=${placeholder "out"}" ];
  enableParallelBuilding = true;
  doCheck = true;
  checkPhase = "scripts/demo build/stamma";
  meta = {
    description = "Archives of chess games: compression, search and a web explorer";
    homepage = "@ADDRESS@";
    license = lib.licenses.mit;
    mainProgram = "stamma";
    platforms = lib.platforms.unix;
  };
}
