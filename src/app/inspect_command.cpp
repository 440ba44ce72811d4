// plainformer inspect: what a model folder holds, and what this machine computes with.
#include <iomanip>
#include <iostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/model_folder.h"
#include "core/thread_pool.h"
#include "kernels/kernels.h"

namespace plainformer {

namespace {

void print_row(const std::string& name, const std::string& value) {
  std::cout << "  " << std::left << std::setw(24) << name << value << "\n";
}

void print_parameters(Transformer& model) {
  std::size_t width = 0;
  for (const NamedParameter& p : model.parameters()) width = std::max(width, p.name.size());
  Index total = 0;
  std::cout << "\nParameters\n";
  for (const NamedParameter& p : model.parameters()) {
    const Tensor& value = p.parameter->value;
    total += value.size();
    std::cout << "  " << std::left << std::setw(static_cast<int>(width)) << p.name << "  " << std::setw(14)
              << value.shape().to_string() << std::right << std::setw(12) << value.size() << "\n";
  }
  std::cout << "  " << std::left << std::setw(static_cast<int>(width) + 16) << "total" << std::right
            << std::setw(12) << total << "\n";
}

}  // namespace

int inspect_command(const Arguments& arguments) {
  std::string folder;
  CommandLine line(
      "plainformer inspect --model DIR",
      "Lists a model's configuration and its parameters by name and shape, and the kernels in use.");
  line.option("--model", "DIR", &folder, "the model folder");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return finish_output();
  }
  expect_no_more(line.parse(arguments));
  require_option("--model", folder);

  const LoadedModel model = load_model(ModelFolder(folder));
  std::cout << "Configuration\n";
  for (const auto& [key, value] : model.transformer->config().to_metadata()) print_row(key, value);
  print_row("merges", std::to_string(model.byte_pairs.merges()));
  print_parameters(*model.transformer);

  std::cout << "\nThis machine\n";
  print_row("kernels in use", kernels().name);
  std::string supported;
  for (const std::string& name : supported_kernels()) supported += (supported.empty() ? "" : ", ") + name;
  print_row("kernels supported", supported);
  print_row("threads", std::to_string(threads()));
  return finish_output();
}

}  // namespace plainformer
