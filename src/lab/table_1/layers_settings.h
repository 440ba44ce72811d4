// The options of `plainformer layers`.
#pragma once

#include <set>

#include "command_line/command_line.h"
#include "lab/table_1/distance_training.h"

namespace plainformer {

// The options as the user gives them.
struct LayersOptions {
  std::string only = "cost,time,path";
  std::string kinds = "all";
  Index d = 64, head_width = 32, kernel = 3, neighbors = 9, global = 1, n = 1024;
  std::string lengths = "256,512,1024,2048,4096", widths = "64,128,256,512";
  std::string path_lengths = "16,64,256,1024", distances = "2,4,8,16,32";
  Index steps = 1000, seed = 1, threads = 0;
  double seconds = 0.5;
  std::string plain, svg;
  bool csv = false;
};

CommandLine bind(LayersOptions& options);

// The settings as the command uses them: checked.
struct LayersSettings {
  std::set<std::string> parts;  // cost, time, path, copy, recall
  std::vector<LayerKind> kinds;
  LayerSizes sizes;
  Index n = 0, head_width = 0;
  std::vector<Index> lengths, widths, path_lengths, distances;  // ascending
  double seconds = 0;                                           // for each measurement
  DistanceTrainingOptions training;

  // The sizes at another width: the heads stay as wide as they are.
  LayerSizes sizes_at(Index d) const;
};

// Checks the options. input_error if a number is out of its range; UsageError if names are wrong, if options
// contradict each other, or if an option belongs to a part that --only leaves out.
LayersSettings checked_settings(const LayersOptions& options, const CommandLine& line);

}  // namespace plainformer
