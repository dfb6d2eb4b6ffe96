# SPDX-License-Identifier: MIT
# The library without the command.
vcpkg_download_distfile(ARCHIVE
    URLS "@ADDRESS@/stamma-@VERSION@.tar.xz"
    FILENAME "stamma-@VERSION@.tar.xz"
    SHA512 @SHA512@
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")
vcpkg_find_acquire_program(PYTHON3)
vcpkg_cmake_get_vars(variables)
include("${variables}")

set(OPTIONS "CC=${VCPKG_DETECTED_CMAKE_C_COMPILER}" "AR=${VCPKG_DETECTED_CMAKE_AR}" "PYTHON=${PYTHON3}"
    "CPPFLAGS=-I${CURRENT_INSTALLED_DIR}/include" "BUILD=${CURRENT_BUILDTREES_DIR}/${TARGET_TRIPLET}-rel")
vcpkg_execute_build_process(
    COMMAND make -j ${VCPKG_CONCURRENCY} -C "${SOURCE_PATH}" ${OPTIONS} "CFLAGS=${VCPKG_COMBINED_C_FLAGS_RELEASE} -O3"
            "${CURRENT_BUILDTREES_DIR}/${TARGET_TRIPLET}-rel/libstamma.a"
    WORKING_DIRECTORY "${SOURCE_PATH}"
    LOGNAME "build-${TARGET_TRIPLET}-rel"
)
file(INSTALL "${SOURCE_PATH}/include/" DESTINATION "${CURRENT_PACKAGES_DIR}/include")
file(INSTALL "${CURRENT_BUILDTREES_DIR}/${TARGET_TRIPLET}-rel/libstamma.a" DESTINATION "${CURRENT_PACKAGES_DIR}/lib")
set(VCPKG_BUILD_TYPE release)
set(VCPKG_POLICY_MISMATCHED_NUMBER_OF_BINARIES enabled)
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
