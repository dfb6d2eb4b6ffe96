# SPDX-License-Identifier: MIT
class Stamma < Formula
  desc "Archives of chess games: compression, search and a web explorer"
  homepage "@ADDRESS@"
  url "@ADDRESS@/stamma-@VERSION@.tar.xz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "make" => :build
  depends_on "pkgconf" => :build
  depends_on "python@3.13" => :build
  depends_on "civetweb"
  depends_on "libmd"
  depends_on "sqlite"
  depends_on "xxhash"
  depends_on "xz"
  depends_on "zstd"

  uses_from_macos "bzip2"
  uses_from_macos "zlib"

  def install
    system "gmake", "install", "PREFIX=#{prefix}", "PYTHON=python3.13"
  end

  test do
    (testpath/"games.pgn").write "[White \"Reti\"]\n[Black \"Tartakower\"]\n\n1. e4 c6 2. d4 d5 1-0\n\n"
    system bin/"stamma", "pack", "games.pgn"
    assert_match "Reti", shell_output("#{bin}/stamma find games.stamma --player Reti")
  end
end
