// What stands for a function of the fast way in the counting build.
#pragma once

#include <stdexcept>

namespace plainformer {

template <typename Function>
struct NoFastWay;

template <typename Result, typename... Arguments>
struct NoFastWay<Result(Arguments...)> {
  Result operator()(Arguments...) const {
    throw std::logic_error("the counting build has the plain way alone");
  }
};

}  // namespace plainformer
