// The most memory that the process has used so far.
#pragma once

namespace plainformer {

// Resident means in the machine's main memory at one time. 1 MB is 2^20 bytes.
double peak_resident_megabytes();

}  // namespace plainformer
