# What everything in this tree is compiled with: warnings, the language, sanitizers, OpenMP, DLPack.
include_guard(GLOBAL)

find_path(DLPACK_INCLUDE_DIR dlpack/dlpack.h REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_package(Threads REQUIRED)

add_library(gasket_build INTERFACE)
target_compile_features(gasket_build INTERFACE c_std_11)
target_compile_options(gasket_build INTERFACE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    $<$<BOOL:${GASKET_WERROR}>:-Werror>)
if(GASKET_SANITIZE)
    list(JOIN GASKET_SANITIZE "," sanitizers)
    set(sanitizers -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(gasket_build INTERFACE ${sanitizers})
    target_link_options(gasket_build INTERFACE ${sanitizers})
endif()

# What both libraries link. A program that links the static one links it as well.
set(gasket_libraries m Threads::Threads ${CMAKE_DL_LIBS})
if(GASKET_OPENMP)
    find_package(OpenMP COMPONENTS C)
    if(OpenMP_C_FOUND)
        list(APPEND gasket_libraries OpenMP::OpenMP_C)
    else()
        message(WARNING "No OpenMP for this compiler: one thread, unless the caller gives a parallel-for")
    endif()
endif()

# Code that goes into both libraries.
function(gasket_add_objects target)
    add_library(${target} OBJECT ${ARGN})
    target_link_libraries(${target} PRIVATE gasket_build gasket_headers gasket_abi)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden
        LINKER_LANGUAGE C)
endfunction()

# Variable `result`: the C files of a folder, except those named after it.
macro(gasket_sources result folder)
    file(GLOB ${result} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.c)
    foreach(gasket_excluded ${ARGN})
        list(REMOVE_ITEM ${result} ${PROJECT_SOURCE_DIR}/${folder}/${gasket_excluded})
    endforeach()
endmacro()
