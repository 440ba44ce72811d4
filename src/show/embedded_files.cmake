# The parts of the pages, the model that fits on a page, and the sources that the step page quotes: a target that compiles
# show/html_page.cpp holds them in itself. Sets embedded_folder, in which the compiler finds embedded_files.inc.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH embedded_root)
set(embedded_files show/page.css show/page.js ../docs/page-model/bpe.codes ../docs/page-model/vocabulary.txt)
foreach(name IN ITEMS attention/page.html attention/page.css attention/page.js attention/film.html attention/film.css
        attention/film.js attention/learning.js steps/page.html steps/page.css steps/formulas.js steps/tables.js
        steps/panes.js steps/page.js steps/notes.json steps/page_weights.txt)
  list(APPEND embedded_files show/${name})
endforeach()
foreach(name IN ITEMS attention_mask cross_entropy elementwise embedding_lookup layer_norm linear reductions
        scaled_dot_product_attention softmax)
  list(APPEND embedded_files ops/${name}.cpp)
endforeach()
foreach(name IN ITEMS decoder embedding encoder feed_forward multi_head_attention positional_encoding
        residual_layer_norm transformer)
  list(APPEND embedded_files transformer/${name}.cpp)
endforeach()
set(embedded "")
foreach(name IN LISTS embedded_files)
  file(READ ${embedded_root}/${name} text)
  string(APPEND embedded "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${embedded_root}/${name})
endforeach()
set(embedded_folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
file(CONFIGURE OUTPUT ${embedded_folder}/embedded_files.inc CONTENT "${embedded}" @ONLY)
