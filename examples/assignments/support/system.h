// What drivers ask of the operating system.
#pragma once

namespace plainformer::course {

// The time that this thread has spent on the processor, in a unit of the system's: for ratios.
double processor_time();

}  // namespace plainformer::course
