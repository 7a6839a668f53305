# The C tests: every header by itself in C and C++, every program of Tests/ABI plain and under valgrind (label
# "valgrind"), and the demo. The programs find their servers by scripts/with-peers, which `ctest` as a whole may run
# under; else each program gets servers of its own.
enable_language(CXX)
set(warnings -Wall -Wextra -pedantic -Werror)
set(NETCORE_TEST_SECONDS 120 CACHE STRING "Seconds after which ctest ends a C program")

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

# Programs that take more than 3 s of CPU time or 4.5 s under valgrind, but for request, response and reading, on which all
# else rests. They have the label "long", which scripts/test leaves out; scripts/check runs them.
set(long_under_valgrind
  alt_svc application_loop auth auth_digest auth_netrc bad_input bad_strings body body_faults body_gzip
  breakers building_cases cache cache_cases cache_lives cache_manage cache_modes cache_race cache_rules
  cache_values cached_values callbacks callbacks_end cases cassettes challenges challenges_large client_key
  content_coding cookie_file cookies cookies_cache cookies_manage defaults downloads driving driving_race
  driving_streams duplicates early early_reuse early_servers errors exits failover faults filters fork
  fork_cookies fork_driving fork_locks group_cases group_rules half_sent hedge_streams hedging hsts ids
  ids_early intervals keep_alive lifecycle limits modes multipart odd_answers own_connection own_threads proxy
  proxy_tls pump_and_queue race rates redirects refused_options releases resend response_filters
  response_limits response_more retries retry_faults route set_up socks sqlite_late stream_events streams
  structs stubs thread_cancel timeouts tls tokens tokens_wait transfer transports trust unasked unload
  validation versions wait)

file(GLOB programs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/Tests/ABI/*.c)
foreach(program ${programs})
  get_filename_component(name ${program} NAME_WE)
  netcore_add_program(${name} ${program})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/abi)
  add_test(NAME abi.${name} COMMAND ${run} $<TARGET_FILE:${name}>)
  set_tests_properties(abi.${name} PROPERTIES TIMEOUT ${NETCORE_TEST_SECONDS})
  add_test(NAME valgrind.${name} COMMAND ${run} ${valgrind} $<TARGET_FILE:${name}>)
  set(labels valgrind)
  if(name IN_LIST long_under_valgrind)
    list(APPEND labels long)
  endif()
  set_tests_properties(valgrind.${name} PROPERTIES TIMEOUT 620 LABELS "${labels}"
    ENVIRONMENT "NETCORE_TEST_SLOW=1;LD_LIBRARY_PATH=${debug_library}")
endforeach()

# The same programs, with more rounds or longer pauses: with `ctest -C long` (label "long").
function(netcore_add_long name program seconds)
  add_test(NAME long.${name} CONFIGURATIONS long COMMAND ${run} $<TARGET_FILE:${program}>)
  set_tests_properties(long.${name} PROPERTIES TIMEOUT ${seconds} LABELS long ENVIRONMENT "${ARGN}")
endfunction()

netcore_add_long(early_servers early_servers 900 NETCORE_TEST_ROUNDS=100)
netcore_add_long(driving_race driving_race 1800 NETCORE_TEST_ROUNDS=140)
netcore_add_long(unasked_1500ms unasked 900 NETCORE_TEST_PAUSE_MS=1500)
netcore_add_long(unasked_70s unasked 900 NETCORE_TEST_PAUSE_MS=70000 NETCORE_TEST_STEP=14)

# They stand in for functions that the library, OpenSSL or libcurl call.
foreach(name driving early_reuse exhausted fork_locks half_sent refused_options set_up sqlite_late trust)
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS TRUE)
  target_link_libraries(${name} PRIVATE ${CMAKE_DL_LIBS})
endforeach()

# It loads the library itself, by dlopen().
target_link_options(unload PRIVATE -Wl,--as-needed)

netcore_add_program(demo ${PROJECT_SOURCE_DIR}/examples/c/demo.c)
netcore_add_program(download ${PROJECT_SOURCE_DIR}/examples/c/download.c)
netcore_add_program(shop ${PROJECT_SOURCE_DIR}/examples/shop/shop.c)
target_link_libraries(shop PRIVATE jansson)

# The proofs of the cache's disk level: small ones, and in full with `ctest -C proofs` (label "proofs").
foreach(program origin visitor)
  netcore_add_program(proof_${program} ${PROJECT_SOURCE_DIR}/Tests/Proofs/${program}.c)
  target_compile_definitions(proof_${program} PRIVATE _GNU_SOURCE)
  set_target_properties(proof_${program} PROPERTIES OUTPUT_NAME ${program}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/proofs)
endforeach()

add_library(no_locks MODULE ${PROJECT_SOURCE_DIR}/Tests/Proofs/no_locks.c)
target_compile_definitions(no_locks PRIVATE _GNU_SOURCE)
set_target_properties(no_locks PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/proofs)

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
netcore_add_proof(proof.downloads 300 downloads --faults 25 --kills 4 --pairs 2)
netcore_add_proof(proof.streams 60 streams --mib 64 --seconds 1)
netcore_add_proof(proofs.kills 600 kills --kills 300 IS_FULL)
netcore_add_proof(proofs.kills_of_two 600 kills --kills 300 --processes 2 IS_FULL)
netcore_add_proof(proofs.flips 600 flips --flips 500 IS_FULL)
netcore_add_proof(proofs.full 300 full IS_FULL)
netcore_add_proof(proofs.downloads 2400 downloads --faults 1000 --kills 200 --pairs 100 IS_FULL)
netcore_add_proof(proofs.streams 900 streams --mib 4096 --seconds 10 IS_FULL)
netcore_add_proof(proofs.sdks 600 sdks IS_FULL)
netcore_add_proof(proofs.delivery 900 delivery --tasks 10000 --storm 12 --keys 1000000 IS_FULL)
foreach(name proof.downloads proofs.downloads proof.streams proofs.streams proofs.sdks proofs.delivery)
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "NETCORE_LIBRARY=${PROJECT_SOURCE_DIR}/build/libnetcore.so")
endforeach()

# The fuzzers (docs/reliability.md): briefly and by one seed, so that a test tells the same each time; scripts/fuzz runs them
# for long. Those that other parts bring along are taken in where they are there.
set(fuzz ${PROJECT_BINARY_DIR}/fuzz)
set(fuzz_calls ${fuzz}/calls.inc)
list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/include/ OUTPUT_VARIABLE header_paths)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
add_custom_command(
  OUTPUT ${fuzz_calls}
  COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/Tests/Fuzz/calls.py ${fuzz_calls}
  DEPENDS ${PROJECT_SOURCE_DIR}/Tests/Fuzz/calls.py ${PROJECT_SOURCE_DIR}/scripts/generating/headers.py ${header_paths}
  VERBATIM)

function(netcore_add_fuzzer name)
  add_executable(fuzz_${name} ${PROJECT_SOURCE_DIR}/Tests/Fuzz/${name}.c ${ARGN})
  if(NOT name STREQUAL resources) # its faults.so does the same
    target_sources(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/Tests/Fuzz/loopback.c)
  endif()
  target_link_libraries(fuzz_${name} PRIVATE Netcore::netcore OpenSSL::SSL ZLIB::ZLIB brotlienc zstd ${CMAKE_DL_LIBS} pthread)
  target_include_directories(fuzz_${name} PRIVATE ${fuzz} ${PROJECT_SOURCE_DIR}/Tests/Fuzz)
  target_compile_options(fuzz_${name} PRIVATE -std=gnu11 -g -O1 ${warnings} -Wno-format-truncation -Wno-pedantic)
  target_compile_definitions(fuzz_${name} PRIVATE _GNU_SOURCE)
  set_target_properties(fuzz_${name} PROPERTIES OUTPUT_NAME ${name} NO_SYSTEM_FROM_IMPORTED TRUE
    RUNTIME_OUTPUT_DIRECTORY ${fuzz} ENABLE_EXPORTS TRUE)
endfunction()

function(netcore_add_fuzz_test name)
  add_test(NAME fuzz.${name} COMMAND ${ARGN} --seconds 6 --seed 1)
  set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT 120 LABELS fuzz)
endfunction()

foreach(name answers calls resources files)
  if(EXISTS ${PROJECT_SOURCE_DIR}/Tests/Fuzz/${name}.c)
    set(generated)
    if(name STREQUAL calls)
      set(generated ${fuzz_calls})
    endif()
    netcore_add_fuzzer(${name} ${generated})
    netcore_add_fuzz_test(${name} $<TARGET_FILE:fuzz_${name}>)
  endif()
endforeach()
add_library(fuzz_faults MODULE ${PROJECT_SOURCE_DIR}/Tests/Fuzz/faults.c)
target_compile_options(fuzz_faults PRIVATE -std=gnu11 -g -O1 ${warnings} -Wno-pedantic) # it stands in for functions of glibc
target_compile_definitions(fuzz_faults PRIVATE _GNU_SOURCE)
target_include_directories(fuzz_faults PRIVATE ${PROJECT_SOURCE_DIR}/Tests/Fuzz)
set_target_properties(fuzz_faults PROPERTIES OUTPUT_NAME faults PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${fuzz})
if(EXISTS ${PROJECT_SOURCE_DIR}/Tests/Fuzz/cache_rows.py)
  netcore_add_program(fuzz_cache_visitor ${PROJECT_SOURCE_DIR}/Tests/Fuzz/cache_visitor.c)
  target_compile_definitions(fuzz_cache_visitor PRIVATE _GNU_SOURCE)
  set_target_properties(fuzz_cache_visitor PROPERTIES OUTPUT_NAME cache_visitor RUNTIME_OUTPUT_DIRECTORY ${fuzz})
  add_test(NAME fuzz.cache_rows
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/Tests/Fuzz/cache_rows.py --seconds 6 --seed 1)
  set_tests_properties(fuzz.cache_rows PROPERTIES TIMEOUT 120 LABELS fuzz
    ENVIRONMENT "NETCORE_BUILD=${PROJECT_BINARY_DIR};PYTHONDONTWRITEBYTECODE=1")
endif()
