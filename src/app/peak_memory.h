// The most memory that the process has had so far.
#pragma once

namespace plainformer {

// Resident: in the machine's memory at one time. 1 MB is 2^20 bytes.
double peak_resident_megabytes();

}  // namespace plainformer
