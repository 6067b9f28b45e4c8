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
                message(STATUS "Kernels for ${isa}: no, the compiler does not take \"${CMAKE_REQUIRED_FLAGS}\" for this target")
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
