// Is each element closed, in order? Enough of XML for what we write: no comments, no ">" in attributes.
#pragma once

#include <string>
#include <vector>

namespace plainformer {

inline bool is_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (auto at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::string tag = svg.substr(at + 1, svg.find('>', at) - at - 1);
    const std::string name = tag.substr(0, tag.find(' '));
    if (tag.back() == '/') continue;
    if (tag[0] != '/') {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty() && svg.rfind("<svg ", 0) == 0;
}

}  // namespace plainformer
