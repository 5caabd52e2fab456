# The commit of the sources as a macro: cmake -DSOURCE=folder -DOUTPUT=file.h -P this
# "<40 hex digits>", with " changed" where files differ from the commit; "unknown" outside of a git checkout. The file is
# written only when that has changed. What tools/slow_tests.py writes is no change.

execute_process(COMMAND git rev-parse HEAD WORKING_DIRECTORY ${SOURCE}
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
if(failed)
  set(commit unknown)
else()
  execute_process(COMMAND git status --porcelain -- . ":!tests/slow_tests.csv" WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit " changed")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define RIFFLE_COMMIT \"${commit}\"\n" @ONLY)
