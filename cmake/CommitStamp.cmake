# The commit of the sources as a macro: cmake -DSOURCE=folder -DOUTPUT=file.h -P this
# "<40 hex digits>", with " changed" where files differ from the commit; "unknown" outside of a git checkout. The file is
# written only when that has changed. What tools/slow_tests.py writes is no change.

# The first line of its answer is empty when SOURCE is the checkout and not a folder in another project's.
execute_process(COMMAND git rev-parse --show-prefix HEAD WORKING_DIRECTORY ${SOURCE}
                OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
set(commit unknown)
if(NOT failed AND answer MATCHES "^\n([0-9a-f]+)$")
  set(commit ${CMAKE_MATCH_1})
  execute_process(COMMAND git --no-optional-locks status --porcelain -- . ":!tests/slow_tests.csv" WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit " changed")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define RIFFLE_COMMIT \"${commit}\"\n" @ONLY)
