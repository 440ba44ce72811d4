// Is this a build under AddressSanitizer or ThreadSanitizer? They take memory of their own.
#pragma once

namespace plainformer {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace plainformer
