# riffle_commit_stamp(TARGET): the file of TARGET, a library of objects, may include "commit_stamp.h", which defines RIFFLE_COMMIT
# (CommitStamp.cmake). Every build looks at the commit, and only this library is compiled when it has changed.
function(riffle_commit_stamp target)
  set(folder ${PROJECT_BINARY_DIR}/commit)
  if(NOT TARGET riffle_commit_stamp)
    add_custom_target(riffle_commit_stamp
      COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${folder}/commit_stamp.h
              -P ${PROJECT_SOURCE_DIR}/cmake/CommitStamp.cmake
      BYPRODUCTS ${folder}/commit_stamp.h
      COMMENT "Looking at the commit")
  endif()
  target_include_directories(${target} PRIVATE ${folder})
  add_dependencies(${target} riffle_commit_stamp)
endfunction()
