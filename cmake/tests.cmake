# The C tests: every header by itself in C and C++, every program of Tests/ABI plain and under valgrind (label
# "valgrind"), and the demo. The programs find their servers by scripts/with-peers, which `ctest` as a whole may run
# under; else each program gets servers of its own.
enable_language(CXX)
set(warnings -Wall -Wextra -pedantic -Werror)

file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/include/netcore/*.h)
foreach(header ${headers})
  add_test(NAME header.c99.${header} COMMAND ${CMAKE_C_COMPILER} -std=c99 ${warnings} -fsyntax-only -x c
    ${PROJECT_SOURCE_DIR}/include/${header})
  add_test(NAME header.c++11.${header} COMMAND ${CMAKE_CXX_COMPILER} -std=c++11 ${warnings} -fsyntax-only -x c++
    ${PROJECT_SOURCE_DIR}/include/${header})
endforeach()

set(run ${PROJECT_SOURCE_DIR}/cmake/run-test)
# "Possibly lost" is what Swift's runtime points to from its caches with marked pointers. A forked child has what the
# parent's threads pointed to, without these threads: it says nothing, and fork.c asks how many other errors it had.
set(valgrind valgrind --quiet --error-exitcode=99 --num-callers=40 --fair-sched=yes --child-silent-after-fork=yes
  --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite
  --suppressions=${PROJECT_SOURCE_DIR}/cmake/valgrind.supp)
# The library with debug information, so that valgrind can name functions.
set(debug_library ${PROJECT_SOURCE_DIR}/build/swift-release/release)

function(netcore_add_program name source)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE Netcore::netcore)
  target_compile_options(${name} PRIVATE -std=c99 -g ${warnings})
  set_target_properties(${name} PROPERTIES NO_SYSTEM_FROM_IMPORTED TRUE)
endfunction()

file(GLOB programs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/Tests/ABI/*.c)
foreach(program ${programs})
  get_filename_component(name ${program} NAME_WE)
  netcore_add_program(${name} ${program})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/abi)
  add_test(NAME abi.${name} COMMAND ${run} $<TARGET_FILE:${name}>)
  set_tests_properties(abi.${name} PROPERTIES TIMEOUT 120)
  add_test(NAME valgrind.${name} COMMAND ${run} ${valgrind} $<TARGET_FILE:${name}>)
  set_tests_properties(valgrind.${name} PROPERTIES TIMEOUT 240 LABELS valgrind
    ENVIRONMENT "NETCORE_TEST_SLOW=1;LD_LIBRARY_PATH=${debug_library}")
endforeach()

# It loads the library itself, by dlopen().
target_link_options(unload PRIVATE -Wl,--as-needed)

netcore_add_program(demo ${PROJECT_SOURCE_DIR}/examples/c/demo.c)

# The proofs of the cache's disk level: small ones, and in full with `ctest -C proofs` (label "proofs").
foreach(program origin visitor)
  netcore_add_program(proof_${program} ${PROJECT_SOURCE_DIR}/Tests/Proofs/${program}.c)
  target_compile_definitions(proof_${program} PRIVATE _GNU_SOURCE)
  set_target_properties(proof_${program} PROPERTIES OUTPUT_NAME ${program}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/proofs)
endforeach()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
function(netcore_add_proof name seconds script)
  cmake_parse_arguments(PARSE_ARGV 3 proof "IS_FULL" "" "")
  set(configuration)
  if(proof_IS_FULL)
    set(configuration CONFIGURATIONS proofs)
  endif()
  add_test(NAME ${name} ${configuration}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/Tests/Proofs/${script}.py ${proof_UNPARSED_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${seconds} SKIP_RETURN_CODE 77
    ENVIRONMENT "NETCORE_PROOFS=${PROJECT_BINARY_DIR}/proofs;PYTHONDONTWRITEBYTECODE=1")
  if(proof_IS_FULL)
    set_tests_properties(${name} PROPERTIES LABELS proofs)
  endif()
endfunction()

netcore_add_proof(proof.kills 60 kills --kills 6)
netcore_add_proof(proof.kills_of_two 60 kills --kills 6 --processes 2)
netcore_add_proof(proof.flips 60 flips --flips 10)
netcore_add_proof(proofs.kills 600 kills --kills 300 IS_FULL)
netcore_add_proof(proofs.kills_of_two 600 kills --kills 300 --processes 2 IS_FULL)
netcore_add_proof(proofs.flips 600 flips --flips 500 IS_FULL)
netcore_add_proof(proofs.full 300 full IS_FULL)
