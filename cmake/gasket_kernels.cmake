# Compiling what gasket-gen makes, in this tree and in other projects.
include_guard(GLOBAL)
include(CheckCSourceCompiles)

# What the compiler has to be told for kernels of an instruction set, and the macro of the machines that have it.
function(gasket_isa_flags isa flags machine)
    set(${machine} __x86_64__ PARENT_SCOPE)
    if(isa STREQUAL avx2)
        set(${flags} -mavx2 -mf16c -mbmi2 PARENT_SCOPE)
    elseif(isa STREQUAL avx512)
        set(${flags} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mf16c -mbmi2 -mprefer-vector-width=512 PARENT_SCOPE)
    elseif(isa STREQUAL neon)
        set(${flags} "" PARENT_SCOPE)
        set(${machine} __aarch64__ PARENT_SCOPE)
    else()
        message(FATAL_ERROR "GASKET_ISAS: no instruction set is called ${isa}; there are avx2, avx512 and neon")
    endif()
endfunction()

# The instruction sets beside the baseline that this build gets: wanted, of the target machine, known to the compiler.
function(gasket_usable_isas result)
    if(NOT DEFINED GASKET_ISAS)
        set(GASKET_ISAS avx2 avx512 neon)
    endif()
    set(usable "")
    foreach(isa ${GASKET_ISAS})
        gasket_isa_flags(${isa} flags machine)
        list(JOIN flags " " CMAKE_REQUIRED_FLAGS)
        set(CMAKE_REQUIRED_QUIET ON)
        if(NOT DEFINED GASKET_HAS_${isa})
            check_c_source_compiles("
                #if !defined(${machine})
                #error another machine
                #endif
                int main(void) { return 0; }" GASKET_HAS_${isa})
            if(GASKET_HAS_${isa})
                message(STATUS "Kernels for ${isa}: yes")
            else()
                message(STATUS "Kernels for ${isa}: no (another machine, or the compiler is too old)")
            endif()
        endif()
        if(GASKET_HAS_${isa})
            list(APPEND usable ${isa})
        endif()
    endforeach()
    set(${result} ${usable} PARENT_SCOPE)
endfunction()

# Options of a target that compiles kernels of one instruction set. They come after those of the project, so that a
# -march of its own does not weaken or widen them.
function(gasket_kernel_options target isa)
    if(GASKET_SANITIZE)
        set(optimise -O1)
    else()
        set(optimise -O3)
    endif()
    set(flags "")
    if(NOT isa STREQUAL base)
        gasket_isa_flags(${isa} flags machine)
    endif()
    target_compile_options(${target} PRIVATE ${optimise} -ffp-contract=off
        $<$<C_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns> ${flags})
endfunction()

# The macros with which a table leaves out the kernels that are not compiled.
function(gasket_absent_isas target)
    gasket_usable_isas(usable)
    foreach(isa avx2 avx512 neon)
        if(NOT isa IN_LIST usable)
            string(TOUPPER ${isa} name)
            target_compile_definitions(${target} PRIVATE GASKET_WITHOUT_${name})
        endif()
    endforeach()
endfunction()

# gasket_add_kernels(TARGET name SPECS a.lua ... [DTYPES f32 ...] [INDEX i32 ...] [PREFIX set])
#
# Generates kernels from specs while the project is built, and adds a static library `name` with them, for every
# instruction set of the target machine. DTYPES and INDEX narrow the value and index types of all specs. The set is
# called `name` if PREFIX is not given. A program that links `name`, and gasket::gasket or gasket::gasket_static beside
# it, includes "<set>/table.h", registers <set>_kernel_set, and may use the typed functions of "<set>/operations.h".
function(gasket_add_kernels)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;PREFIX" "SPECS;DTYPES;INDEX")
    if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES OR NOT arg_TARGET OR NOT arg_SPECS)
        message(FATAL_ERROR "gasket_add_kernels(TARGET name SPECS a.lua ... [DTYPES ...] [INDEX ...] [PREFIX set])")
    endif()
    if(NOT TARGET gasket::gen)
        message(FATAL_ERROR "gasket_add_kernels: no gasket::gen; when cross-compiling, import the one of this machine")
    endif()
    if(NOT arg_PREFIX)
        set(arg_PREFIX ${arg_TARGET})
    endif()

    # Which files the generator writes depends on the specs; what is compiled is one unit per instruction set, which
    # includes them.
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}_kernels)
    set(set_folder ${folder}/${arg_PREFIX})
    set(outputs ${set_folder}/table.c ${set_folder}/table.h ${set_folder}/${arg_PREFIX}/operations.h)
    gasket_usable_isas(isas)
    foreach(isa base ${isas})
        list(APPEND outputs ${folder}/${isa}.c)
    endforeach()

    cmake_path(SET templates NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../templates)
    set(specs "")
    set(options "")
    foreach(spec ${arg_SPECS})
        cmake_path(ABSOLUTE_PATH spec)
        list(APPEND specs ${spec})
        list(APPEND options --specs ${spec})
    endforeach()
    foreach(list DTYPES INDEX)
        if(arg_${list})
            list(JOIN arg_${list} "," names)
            string(TOLOWER ${list} option)
            list(APPEND options --${option} ${names})
        endif()
    endforeach()
    list(JOIN isas "," isa_list)
    add_custom_command(OUTPUT ${outputs}
        COMMAND gasket::gen ${options} --templates ${templates} --out ${set_folder} --set ${arg_PREFIX}
            --depfile ${set_folder}/table.c.d
        COMMAND ${CMAKE_COMMAND} -D FOLDER=${folder} -D SET=${arg_PREFIX} -D ISAS=base,${isa_list}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/gasket_units.cmake
        DEPENDS gasket::gen ${specs} DEPFILE ${set_folder}/table.c.d
        COMMENT "Generating the kernels of ${arg_PREFIX}" VERBATIM)
    add_custom_target(${arg_TARGET}_generated DEPENDS ${outputs})

    add_library(${arg_TARGET} STATIC ${set_folder}/table.c)
    add_dependencies(${arg_TARGET} ${arg_TARGET}_generated)
    gasket_absent_isas(${arg_TARGET})
    target_include_directories(${arg_TARGET} PUBLIC ${folder} ${set_folder})
    target_link_libraries(${arg_TARGET} PUBLIC gasket::headers gasket::abi)
    set_target_properties(${arg_TARGET} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    foreach(isa base ${isas})
        set(unit ${arg_TARGET}_${isa})
        add_library(${unit} OBJECT ${folder}/${isa}.c)
        target_include_directories(${unit} PRIVATE ${set_folder})
        target_link_libraries(${unit} PRIVATE gasket::headers gasket::abi)
        set_target_properties(${unit} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
        gasket_kernel_options(${unit} ${isa})
        target_sources(${arg_TARGET} PRIVATE $<TARGET_OBJECTS:${unit}>)
        add_dependencies(${unit} ${arg_TARGET}_generated)
    endforeach()
endfunction()
