# Copies headers so that they include each other as "plainformer/core/tensor.h". Does not touch correct files.
#   HEADERS   their paths below FROM
#   FROM, TO  the folders
string(REPLACE "[" "[[]" pattern "${TO}/*.h")  # a bracket in a folder's name would begin a set of characters
file(GLOB_RECURSE old RELATIVE "${TO}" "${pattern}")
foreach(header IN LISTS HEADERS)
  list(REMOVE_ITEM old ${header})
  file(READ ${FROM}/${header} text)
  string(REGEX REPLACE "#include \"([a-z_]+/)" "#include \"plainformer/\\1" text "${text}")
  set(copy "")
  if(EXISTS ${TO}/${header})
    file(READ ${TO}/${header} copy)
  endif()
  if(NOT text STREQUAL copy)
    file(WRITE ${TO}/${header} "${text}")
  endif()
endforeach()
foreach(header IN LISTS old)  # deleted or renamed in FROM
  file(REMOVE ${TO}/${header})
endforeach()
