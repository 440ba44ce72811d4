// How the functions of the module talk to engine.js: it writes text or bytes into `typed`, and reads JSON.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>

#include "io/json.h"

namespace plainformer {

inline std::string typed;   // what engine.js wrote last
inline std::string answer;  // stays until the next call
inline std::string parcel;  // stays until the next one is made

// The answer as JSON, or {"error": ...}. A question may answer with JSON that is text already.
template <typename Question>
const char* answer_to(const Question& question) {
  try {
    if constexpr (std::is_same_v<decltype(question()), std::string>)
      answer = question();
    else
      answer = to_json(question());
  } catch (const std::exception& error) {
    answer = to_json(JsonObject{{"error", error.what()}});
  }
  return answer.c_str();
}

// Where engine.js finds the bytes.
inline JsonObject place_of_parcel(std::string bytes) {
  parcel = std::move(bytes);
  return {{"address", reinterpret_cast<std::uintptr_t>(parcel.data())}, {"bytes", parcel.size()}};
}

}  // namespace plainformer
