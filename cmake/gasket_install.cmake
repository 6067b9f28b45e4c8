# What cmake --install puts where: libraries, headers, programs, and the package with which others generate kernels.
include(CMakePackageConfigHelpers)

set(gasket_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gasket)
set(gasket_data_dir ${CMAKE_INSTALL_DATADIR}/gasket)

set(targets gasket gasket_static gasket_headers gasket_abi)
if(TARGET gasket-gen)
    list(APPEND targets gasket-gen)
    set_target_properties(gasket-gen PROPERTIES EXPORT_NAME gen)
endif()
set_target_properties(gasket_headers PROPERTIES EXPORT_NAME headers)
set_target_properties(gasket_abi PROPERTIES EXPORT_NAME abi)
install(TARGETS ${targets} EXPORT gasketTargets)
install(TARGETS gasket-cli)
if(TARGET gasket_llvm)
    install(TARGETS gasket_llvm LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gasket)
endif()
install(EXPORT gasketTargets NAMESPACE gasket:: DESTINATION ${gasket_package_dir})

install(DIRECTORY include/gasket generated/gasket DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
install(DIRECTORY runtime/abi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gasket)
install(DIRECTORY templates DESTINATION ${gasket_data_dir})
install(FILES cmake/gasket_kernels.cmake cmake/gasket_units.cmake DESTINATION ${gasket_data_dir}/cmake)

set(gasket_needs_openmp ${OpenMP_C_FOUND})
configure_package_config_file(cmake/gasketConfig.cmake.in ${PROJECT_BINARY_DIR}/package/gasketConfig.cmake
    INSTALL_DESTINATION ${gasket_package_dir} PATH_VARS gasket_data_dir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/gasketConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/gasketConfig.cmake ${PROJECT_BINARY_DIR}/package/gasketConfigVersion.cmake
    DESTINATION ${gasket_package_dir})

set(gasket_private_libraries -lm)
if(OpenMP_C_FOUND)
    string(APPEND gasket_private_libraries " ${OpenMP_C_FLAGS}")
endif()
# Relative to the file itself, so that a tree that is moved stays right.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
    OUTPUT_VARIABLE gasket_pc_prefix)
configure_file(cmake/gasket.pc.in package/gasket.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/gasket.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
