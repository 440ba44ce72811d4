// A number as text that loses nothing: for files, and whatever else is read back.
#pragma once

#include <string>

namespace plainformer {

// The fewest digits that std::from_chars reads back as the same number of that type: "0.1", "1e-09", "inf";
// the same in every locale.
std::string shortest_text(float number);
std::string shortest_text(double number);

}  // namespace plainformer
