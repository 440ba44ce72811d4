#include "train/json_lines.h"

#include <fstream>
#include <stdexcept>

#include "data/text.h"

namespace plainformer {

std::string kept_json_lines(const std::string& path, const std::function<bool(const JsonValue&)>& is_kept) {
  std::ifstream stream = open_text_file(path);
  std::string kept;
  for (std::string line; std::getline(stream, line);) {
    try {
      if (is_kept(parse_json(line, path))) kept += line + "\n";
    } catch (const std::runtime_error&) {
      break;
    }
  }
  return kept;
}

}  // namespace plainformer
