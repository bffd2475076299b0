# cmake --install: headers, both libraries, a CMake package and a pkg-config file. Installs what was configured; the
# default target builds all of it.
include(CMakePackageConfigHelpers)
install(TARGETS corten_shared corten_static EXPORT cortenTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/corten DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT cortenTargets NAMESPACE corten:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/corten)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cortenConfig.cmake.in cortenConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/corten)
write_basic_package_version_file(cortenConfigVersion.cmake COMPATIBILITY SameMinorVersion)
if(CORTEN_SINGLE)
  set(CORTEN_PC_CFLAGS " -DCT_SINGLE")
endif()
# the file finds its prefix from its own place, wherever it was installed to
file(RELATIVE_PATH CORTEN_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/corten.pc.in corten.pc @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/corten-mujoco.pc.in corten-mujoco.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cortenConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/cortenConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/corten)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/corten.pc ${CMAKE_CURRENT_BINARY_DIR}/corten-mujoco.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
