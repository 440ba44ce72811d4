// plainformer plot: the pictures of the documentation.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "command_line/command_support.h"
#include "io/atomic_file.h"
#include "lab/commands.h"
#include "lab/plot/plots.h"
#include "platform/platform.h"

namespace plainformer {

namespace {

std::string list_of_plots() {
  std::size_t width = 0;
  for (const Plot& plot : plots()) width = std::max(width, std::string(plot.name).size());
  std::string text = "Names:\n";
  for (const Plot& plot : plots()) {
    const std::string name = plot.name;
    text += "  " + name + std::string(width + 2 - name.size(), ' ') + plot.summary + "\n";
  }
  return text;
}

CommandLine bind(std::string* out, std::string* data) {
  CommandLine line("plainformer plot NAME > picture.svg\n       plainformer plot all --out DIR",
                   "Draws one of the documentation's pictures as SVG.");
  line.option("--out", "FILE", out,
              "write this file ('-' is standard output); with 'all', NAME.svg for each name in this folder");
  line.option(
      "--data", "DIR", data,
      "the folder docs/pictures: it holds the recorded runs (break-it.json, attention.json), and the other "
      "records, the pages and docs/page-model are found from there");
  return line;
}

const Plot& plot_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Plot& plot : plots()) {
    if (plot.name == name) return plot;
    names.push_back(plot.name);
  }
  throw UsageError("unknown picture \"" + name + "\"" + did_you_mean(name, names));
}

void draw_all(const std::string& folder, const std::string& data) {
  if (folder.empty()) throw UsageError("'all' needs --out DIR");
  std::filesystem::create_directories(to_path(folder));
  for (const Plot& plot : plots()) {
    const std::string path = to_text(to_path(folder) / (std::string(plot.name) + ".svg"));
    write_file_atomically(path, plot.draw(data));
    std::cerr << path << "\n";
  }
}

}  // namespace

int plot_command(const Arguments& arguments) {
  std::string out, data = "docs/pictures";
  CommandLine line = bind(&out, &data);
  if (wants_help(arguments)) {
    std::cout << line.help() << "\n" << list_of_plots();
    return finish_output();
  }
  const Arguments names = line.parse(arguments);
  if (names.size() > 1) throw UsageError("unexpected argument \"" + names[1] + "\"");
  if (names.empty()) {
    if (!out.empty()) throw UsageError("--out needs the name of a picture before it");
    std::cout << list_of_plots();
  } else if (names[0] == "all") {
    draw_all(out, data);
  } else if (out.empty()) {
    std::cout << plot_named(names[0]).draw(data);
  } else {
    require_no_input(out, {data + "/break-it.json", data + "/attention.json"});
    write_output(out, plot_named(names[0]).draw(data));
  }
  return finish_output();
}

}  // namespace plainformer
