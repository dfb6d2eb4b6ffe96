# SPDX-License-Identifier: MIT
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy, get
from conan.tools.gnu import Autotools, AutotoolsDeps, AutotoolsToolchain
from conan.tools.layout import basic_layout

required_conan_version = ">=2.0"


class StammaConan(ConanFile):
    name = "stamma"
    description = "Archives of chess games, restored byte for byte, and encodings of chess moves"
    license = "MIT"
    homepage = "@ADDRESS@"
    topics = ("chess", "pgn", "compression")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False]}
    default_options = {"fPIC": True}
    languages = ("C",)

    def layout(self):
        basic_layout(self, src_folder="src")

    def requirements(self):
        self.requires("bzip2/1.0.8")
        self.requires("xxhash/0.8.2")
        self.requires("zstd/1.5.5")

    def validate(self):
        if self.settings.compiler == "msvc":
            raise ConanInvalidConfiguration("the weights of the predictor are embedded with directives of the GNU assembler")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        AutotoolsDeps(self).generate()
        AutotoolsToolchain(self).generate()

    def build(self):
        Autotools(self).make(target=self._library, args=self._arguments)

    @property
    def _library(self):
        return os.path.join(self.build_folder, "libstamma.a")

    @property
    def _arguments(self):
        return ["-C", self.source_folder, "BUILD=" + self.build_folder]

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.h", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))
        copy(self, "libstamma.a", self.build_folder, os.path.join(self.package_folder, "lib"))

    def package_info(self):
        self.cpp_info.libs = ["stamma"]
        self.cpp_info.set_property("pkg_config_name", "stamma")
