#include "show/trace/trace_html.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "show/pictures/html_page.h"
#include "show/pictures/svg.h"
#include "show/trace/trace_number.h"
#include "show/trace/trace_page_style.h"
#include "show/trace/trace_text.h"
#include "report/number_format.h"
#include "report/terminal.h"

namespace plainformer {

namespace {

constexpr int kWidestLabel = 24, kWidestTracedSentence = 2000;
constexpr int kTints = 9;

std::string element(const std::string& tag, const std::string& content) {
  return "<" + tag + ">" + content + "</" + tag.substr(0, tag.find(' ')) + ">";
}

std::string token(const std::string& text) {
  return isolated(truncate_to_width(printable(text), kWidestLabel));
}

std::string last_part(const std::string& name) {
  return name.substr(name.rfind('.') + 1);
}

// "w1" to "w9" for positive values, "c1" to "c9" for negative ones, by their share of the largest.
std::string tint(double value, double largest) {
  if (value == 0 || !(largest > 0) || !std::isfinite(value)) return value == 0 ? "z" : "";
  const int step = std::clamp(static_cast<int>(std::ceil(kTints * std::abs(value) / largest)), 1, kTints);
  return (value > 0 ? "w" : "c") + std::to_string(step);
}

double largest_of(const Tensor& values) {
  double largest = 0;
  for (Index i = 0; i < values.size(); ++i) {
    const double magnitude = std::abs(static_cast<double>(values.data()[i]));
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  }
  return largest;
}

class TracePage {
 public:
  explicit TracePage(const Trace& trace) : trace_(trace) {
    for (const TraceRecord& record : trace.records) names_.insert(record.name);
  }

  std::string write() {
    out_ = "<header>\n<h1>One sentence through the model</h1>\n";
    about();
    out_ += "</header>\n";
    tools();
    out_ += "<main>\n";
    for (std::size_t i = 0; i < trace_.records.size(); ++i) record_in_place(i);
    close_parts(0);
    out_ += "</main>\n";
    return html_page("Trace: " + truncate_to_width(printable(trace_.source_text), 60), kTracePageStyle, out_,
                     kTracePageScript);
  }

 private:
  void about() {
    const auto entry = [&](const std::string& name, const std::string& content) {
      out_ += "<dt>" + name + "</dt><dd>" + content + "</dd>\n";
    };
    const auto sentence = [](const std::string& text) {
      const std::string shown = truncate_to_width(printable(text), kWidestTracedSentence);
      return element("span class=\"sentence\"", text.empty() ? "(empty)" : isolated(shown));
    };
    out_ += "<dl class=\"about\">\n";
    entry("Source", sentence(trace_.source_text));
    entry("Target", sentence(trace_.target_text) + " <span class=\"soft\">(" +
                        svg::escape(describe_target(trace_)) + ")</span>");
    entry("Loss", describe_loss(trace_));
    entry("Model", isolated(describe_model(trace_)));
    entry("Tensors",
          std::to_string(trace_.records.size()) +
              ", from the tokens to the loss and back; statistics are over all of a tensor's values");
    entry("Names", kNamesInEquations);
    entry("Cells",
          "<span class=\"key c6\">negative</span> <span class=\"key z\">0</span> "
          "<span class=\"key w6\">positive</span>; larger values of a tensor have a stronger tint; "
          "<span class=\"z\">0</span> is exact, 0.000 is rounded");
    out_ += "</dl>\n";
  }

  // Hidden until the script shows it, because it does nothing without the script.
  void tools() {
    out_ +=
        "<div class=\"tools\" hidden>\n<button type=\"button\" id=\"open\">Open all</button>\n"
        "<button type=\"button\" id=\"close\">Close all</button>\n"
        "<input id=\"find\" type=\"search\" aria-label=\"Find tensors by name\" "
        "placeholder=\"Find: decoder weights\" autocomplete=\"off\" spellcheck=\"false\">\n"
        "<output id=\"found\" for=\"find\"></output>\n</div>\n";
  }

  void record_in_place(std::size_t i) {
    const std::vector<std::string>& path = trace_.records[i].path;
    std::size_t same = 0;
    while (same < path_.size() && same < path.size() && path_[same] == path[same]) ++same;
    close_parts(same);
    for (std::size_t level = same; level < path.size(); ++level) open_part(i, level);
    path_ = path;
    record(trace_.records[i]);
  }

  void close_parts(std::size_t level) {
    for (std::size_t at = path_.size(); at > level; --at) out_ += "</details>\n";
    path_.resize(std::min(path_.size(), level));
  }

  void open_part(std::size_t i, std::size_t level) {
    constexpr const char* kClasses[] = {"pass", "layer", "part"};
    const std::vector<std::string>& path = trace_.records[i].path;
    const auto in_part = [&](const TraceRecord& record) {
      return std::equal(path.begin(), path.begin() + level + 1, record.path.begin());
    };
    const auto end = std::find_if_not(trace_.records.begin() + i, trace_.records.end(), in_part);
    const auto count = end - trace_.records.begin() - static_cast<std::ptrdiff_t>(i);
    const bool open = level == 0 || (path[0] == "Forward" && path[1] == "Prediction");
    out_ += "<details class=\"" + std::string(kClasses[std::min<std::size_t>(level, 2)]) + "\"" +
            (open ? " open" : "") + "><summary>" +
            element("h" + std::to_string(level + 2), svg::escape(path[level])) + "<span class=\"count\">" +
            count_of(count, "tensor") + "</span></summary>\n";
  }

  void record(const TraceRecord& record) {
    const std::string name = svg::escape(record.name);
    out_ += "<details class=\"record\" id=\"" + name + "\"" + (record.name == "best" ? " open" : "") +
            "><summary><code>" + svg::escape(short_name(record.name)) + "</code><span class=\"equation\">" +
            svg::escape(record.equation) + "</span><span class=\"shape\">" + svg::escape(record.shape()) +
            "</span><span class=\"section\">" + svg::escape(record.section) +
            "</span></summary>\n<div class=\"body\">\n";
    statistics(record.statistics);
    const double largest = largest_of(record.shown);
    const NumberStyle style = NumberStyle::of(record.shown);
    if (record.axes.size() == 3)
      heads(record, {.begin = 0, .end = record.matrices()}, style, largest);
    else
      for (Index i = 0; i < record.matrices(); ++i) matrix(record, i, style, largest);
    notes(record);
    out_ += "</div>\n</details>\n";
  }

  // Below its sub-layer's heading, a parameter's gradient is "w_q.grad", and every other tensor one word.
  static std::string short_name(const std::string& name) {
    const std::string last = last_part(name);
    if (last != "grad") return last;
    return last_part(name.substr(0, name.size() - last.size() - 1)) + ".grad";
  }

  void statistics(const TensorStatistics& all) {
    out_ += "<dl class=\"all\">";
    for (const auto& [name, number] : write_statistics(all))
      out_ += "<div><dt>" + name + "</dt><dd>" + number + "</dd></div>";
    out_ += "</dl>\n";
  }

  struct Heads {
    Index begin, end;
  };

  // Halves of halves: where a row is too narrow for all heads, each line gets as many as every other.
  void heads(const TraceRecord& record, Heads part, const NumberStyle& style, double largest) {
    const Index count = part.end - part.begin, middle = part.begin + count / 2;
    out_ += "<div class=\"heads\">\n";
    if (count % 2 == 0 && count > 2) {
      heads(record, {part.begin, middle}, style, largest);
      heads(record, {middle, part.end}, style, largest);
    } else {
      for (Index i = part.begin; i < part.end; ++i) matrix(record, i, style, largest);
    }
    out_ += "</div>\n";
  }

  // Each head unfolds separately. Its caption repeats the heading, for readers who cannot see the layout.
  void matrix(const TraceRecord& record, Index matrix, const NumberStyle& style, double largest) {
    const bool is_head = record.axes.size() == 3;
    const std::string caption =
        is_head ? "head " + std::to_string(matrix)
                : "rows: " + row_words(record) + ", columns: " + record.column_axis().name;
    if (is_head) out_ += "<details class=\"head\" open><summary>" + caption + "</summary>\n";
    out_ += "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" + svg::escape(record.name) +
            ", " + caption + "\"><table><caption" + (is_head ? " class=\"unseen\"" : "") + ">" + caption +
            "</caption>\n<tr>";
    if (record.row_axis()) out_ += "<td>";
    for (Index column = 0; column < record.columns(); ++column)
      out_ += "<th scope=col>" + label(record.column_axis(), column);
    for (Index row = 0; row < record.rows(); ++row) {
      out_ += "\n<tr>";
      if (record.row_axis()) out_ += "<th scope=row>" + label(*record.row_axis(), row);
      for (Index column = 0; column < record.columns(); ++column) {
        const double value = record.value(matrix, row, column);
        const std::string shade = tint(value, largest);
        out_ += shade.empty() ? "<td>" : "<td class=" + shade + ">";
        if (!record.cell_words.empty()) out_ += token(record.cell_words[row * record.columns() + column]);
        out_ += style.write(value);
      }
    }
    out_ += is_head ? "</table></div></details>\n" : "</table></div>\n";
  }

  // Only tokens need isolation.
  static std::string label(const TraceAxis& axis, Index index) {
    return axis.words ? token(axis.label(index)) : axis.label(index);
  }

  static std::string row_words(const TraceRecord& record) {
    return record.row_axis() ? record.row_axis()->name : "one";
  }

  // The part that is not shown, and the way to the gradient or back.
  void notes(const TraceRecord& record) {
    std::string text;
    if (!record.left_out().empty()) text = svg::escape(record.left_out() + " are shown. ");
    const std::string last = last_part(record.name),
                      place = record.name.substr(0, record.name.size() - last.size());
    const bool is_gradient = last.starts_with("grad_");
    const std::string other = place + (is_gradient ? last.substr(5) : "grad_" + last);
    if (names_.count(other)) {
      text += "<a href=\"#" + svg::escape(other) + "\">" + (is_gradient ? "The tensor: " : "Its gradient: ") +
              svg::escape(last_part(other)) + "</a>";
    }
    if (!text.empty()) out_ += "<p class=\"soft\">" + text + "</p>\n";
  }

  const Trace& trace_;
  std::unordered_set<std::string> names_;
  std::vector<std::string> path_;
  std::string out_;
};

}  // namespace

std::string to_html(const Trace& trace) {
  return TracePage(trace).write();
}

}  // namespace plainformer
