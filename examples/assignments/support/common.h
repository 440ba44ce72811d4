// The headers that students' files include most. `course` compiles them once, so that a check after an edit
// is quick.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/parameter.h"
#include "core/tensor.h"
#include "core/writable_tensor.h"
