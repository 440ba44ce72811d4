// Bytes as text, for pages that carry their data in themselves.
#pragma once

#include <string>

namespace plainformer {

// Four characters for each three bytes, filled up with "=" (RFC 4648, section 4).
std::string base64(const std::string& bytes);

}  // namespace plainformer
