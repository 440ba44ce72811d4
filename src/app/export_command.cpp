// plainformer export: a model's weights for another program.
#include "app/commands.h"
#include "app/pytorch_names.h"
#include "core/input_error.h"
#include "io/output.h"
#include "model_folder/model_folder.h"
#include "model_folder/weights.h"
#include "report/command_line.h"

namespace plainformer {

int export_command(const Arguments& arguments) {
  std::string to, from, out;
  CommandLine line("plainformer export --to pytorch --model DIR --out FILE",
                   "Writes a model's weights as a safetensors file with the names and shapes of the state "
                   "dict of torch.nn.Transformer (docs/appendix-pytorch.md).");
  line.required("--to", "PROGRAM", &to, "pytorch");
  line.required("--model", "DIR", &from, "the model folder");
  line.required("--out", "FILE", &out, "the safetensors file to write");
  if (!line.read(arguments)) return finish_output();
  if (to != "pytorch") throw UsageError("--to takes pytorch, not \"" + to + "\"");

  const ModelFolder folder(from);
  const LoadedModel model = load_model(folder);
  require_no_input(out, folder.model_files());
  const ModelConfig& config = model.transformer->config();
  if (config.heads * config.head_d_k() != config.d_model ||
      config.heads * config.head_d_v() != config.d_model)
    throw input_error(folder.weights(),
                      "its heads have d_k = " + std::to_string(config.head_d_k()) + " and d_v = " +
                          std::to_string(config.head_d_v()) + ", but PyTorch's have d_model / heads columns",
                      "train it without --d-k and --d-v");
  write_tensor_file(out, to_pytorch_names(weights_of(*model.transformer), config), metadata_of(model));
  return finish_output();
}

}  // namespace plainformer
