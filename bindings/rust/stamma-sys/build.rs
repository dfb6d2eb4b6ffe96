// SPDX-License-Identifier: MIT
//! Compiles the library from the sources of the repository, or from the folder `library` of a published crate. If the
//! environment has STAMMA_LIBRARY, the path of a libstamma.a, this library is used instead.
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let list = |path: &Path| std::fs::read_dir(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rooms = list(folder).map(|room| room.unwrap().path()).filter(|room| room.is_dir());
    let mut files: Vec<_> = rooms
        .flat_map(|room| list(&room).map(|file| file.unwrap().path()).collect::<Vec<_>>())
        .filter(|file| file.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

fn main() {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap());
    let published = here.join("library");
    let root = if published.exists() { published } else { here.join("../../..").canonicalize().unwrap() };
    println!("cargo:rerun-if-changed={}", root.join("src").display());
    println!("cargo:rerun-if-changed={}", root.join("include").display());
    println!("cargo:include={}", root.join("include").display());
    println!("cargo:rerun-if-env-changed=STAMMA_LIBRARY");
    match std::env::var_os("STAMMA_LIBRARY") {
        Some(library) => link(Path::new(&library)),
        None => compile(&root, &here),
    }
}

fn link(library: &Path) {
    println!("cargo:rerun-if-changed={}", library.display());
    println!("cargo:rustc-link-search=native={}", library.parent().unwrap().display());
    println!("cargo:rustc-link-lib=static=stamma");
}

fn compile(root: &Path, here: &Path) {
    let mut build = cc::Build::new();
    build
        .std("c11")
        .opt_level(3)
        .warnings(false)
        .flag("-fvisibility=hidden")
        .includes([root.join("include"), root.join("src"), here.join("include")])
        .files(sources(&root.join("src")));
    for library in ["DEP_ZSTD_INCLUDE", "DEP_BZIP2_INCLUDE"] {
        let folders = std::env::var_os(library).unwrap_or_else(|| panic!("{library} is not set"));
        build.includes(std::env::split_paths(&folders));
    }
    build.compile("stamma");
}
