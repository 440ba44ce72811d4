# The page of `plainformer trace --steps`, and the sources that it quotes: who compiles embedded_files.cpp holds them in
# itself. Sets embedded_folder, in which the compiler finds embedded_files.inc.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH embedded_root)
cmake_path(GET embedded_root PARENT_PATH embedded_root)
set(embedded_files show/steps/page.html show/steps/page.css show/steps/formulas.js show/steps/tables.js show/steps/panes.js
    show/steps/page.js)
foreach(name IN ITEMS add_rows attention_mask cross_entropy elementwise embedding_lookup layer_norm linear relu
        scaled_dot_product_attention softmax top_k)
  list(APPEND embedded_files ops/${name}.cpp)
endforeach()
foreach(name IN ITEMS decoder decoder_layer embedding encoder_layer feed_forward multi_head_attention position_embedding
        positional_encoding residual_layer_norm transformer)
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
