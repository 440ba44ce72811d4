// plainformer import: a model folder from another program's weights.
#include <iostream>

#include "app/commands.h"
#include "app/pytorch_names.h"
#include "core/input_error.h"
#include "io/output.h"
#include "model_folder/model_folder.h"
#include "model_folder/weights.h"
#include "report/command_line.h"

namespace plainformer {

namespace {

TensorFile read_pytorch_weights(const std::string& path) {
  TensorFile file = read_tensor_file(path);
  if (!file.find_metadata("d_model")) {
    throw input_error(path, "has no configuration (d_model, heads, ...) in its metadata",
                      "save it with the metadata of the exported file, as in docs/appendix-pytorch.md");
  }
  const ModelConfig config = config_from(file.metadata, path);
  file.tensors = from_pytorch_names(file, config);
  return file;
}

}  // namespace

int import_command(const Arguments& arguments) {
  std::string from, source, out;
  TextFiles text;
  CommandLine line(
      "plainformer import --from pytorch --source FILE --bpe CODES --vocabulary FILE --out DIR",
      "Makes a model folder from weights in the format of 'plainformer export --to pytorch', for "
      "example after further training in PyTorch (docs/appendix-pytorch.md).");
  line.required("--from", "PROGRAM", &from, "pytorch");
  line.required("--source", "FILE", &source, "a safetensors file, with the configuration in its metadata");
  line.required("--bpe", "CODES", &text.codes, "the bpe.codes of the model that was exported");
  line.required("--vocabulary", "FILE", &text.vocabulary, "its vocabulary.txt");
  line.required("--out", "DIR", &out, "the model folder to make");
  if (!line.read(arguments)) return finish_output();
  if (from != "pytorch") throw UsageError("--from takes pytorch, not \"" + from + "\"");

  save_model(assemble_model(read_pytorch_weights(source), text), ModelFolder(out));
  return finish_output();
}

}  // namespace plainformer
