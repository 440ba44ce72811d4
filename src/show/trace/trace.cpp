#include "show/trace/trace.h"

#include <algorithm>

#include "core/input_error.h"

namespace plainformer {

std::string TraceAxis::label(Index index) const {
  return words ? (*words)[index] : std::to_string(index);
}

std::string TraceRecord::shape() const {
  std::string text;
  for (const TraceAxis& axis : axes)
    text += (text.empty() ? "[" : ", ") + axis.name + "=" + std::to_string(axis.extent);
  return text + "]";
}

std::string TraceRecord::left_out() const {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Index extent = shown.dim(static_cast<int>(i));
    if (extent == axes[i].extent) continue;
    text += (text.empty() ? "the first " : ", ") + std::to_string(extent) + " of " +
            std::to_string(axes[i].extent) + " " + axes[i].name;
  }
  return text;
}

void keep_only(Trace& trace, const std::vector<std::string>& names) {
  const auto has_name = [](const TraceRecord& record, const std::string& name) {
    return record.name == name || record.name.starts_with(name + ".");
  };
  for (const std::string& name : names) {
    const auto& records = trace.records;
    if (std::any_of(records.begin(), records.end(), [&](const auto& each) { return has_name(each, name); }))
      continue;
    throw input_error("--only", "no tensor is called \"" + name + "\"",
                      "without --only the trace shows the names of all");
  }
  std::erase_if(trace.records, [&](const TraceRecord& record) {
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string& name) { return has_name(record, name); });
  });
}

const TraceRecord* find_record(const Trace& trace, const std::string& name) {
  const auto found = std::find_if(trace.records.begin(), trace.records.end(),
                                  [&](const TraceRecord& record) { return record.name == name; });
  return found == trace.records.end() ? nullptr : &*found;
}

}  // namespace plainformer
