// plainformer export: a model's weights for another program.
#include <iostream>

#include "app/commands.h"
#include "app/full_heads.h"
#include "app/pytorch_names.h"
#include "command_line/command_support.h"
#include "model_folder/metadata.h"
#include "model_folder/model_folder.h"
#include "model_folder/weights.h"

namespace plainformer {

int export_command(const Arguments& arguments) {
  std::string to, from, out;
  CommandLine line("plainformer export --to pytorch --model DIR --out FILE",
                   "Writes a model's weights as a safetensors file with the names and shapes of the state "
                   "dict of "
                   "torch.nn.Transformer (docs/appendix-pytorch.md).");
  line.option("--to", "PROGRAM", &to, "pytorch");
  line.option("--model", "DIR", &from, "the model folder");
  line.option("--out", "FILE", &out, "the safetensors file to write");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  expect_no_more(line.parse(arguments));
  require_option("--to", to);
  if (to != "pytorch") throw UsageError("--to takes pytorch, not \"" + to + "\"");
  require_option("--model", from);
  require_option("--out", out);

  const ModelFolder folder(from);
  const LoadedModel model = load_model(folder);
  require_no_input(out, folder.model_files());
  const auto [config, weights] =
      with_full_heads(weights_of(*model.transformer), model.transformer->config(), folder.weights());
  Metadata metadata = metadata_of(config);
  const Metadata text = text_metadata(model.byte_pairs, model.vocabulary, model.words);
  metadata.insert(metadata.end(), text.begin(), text.end());
  write_tensor_file(out, to_pytorch_names(weights, config), metadata);
  return finish_output();
}

}  // namespace plainformer
