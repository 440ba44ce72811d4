#include "show/curve/svg.h"

#include "core/check.h"
#include "report/numbers.h"
#include "show/html_page.h"

namespace plainformer {

namespace {

constexpr const char* kStyle =
    "<style>\n"
    ".paper{fill:#ffffff}.ink{fill:#1f2328}.soft{fill:#59636e}.axis{stroke:#6e7781}.grid{stroke:#e4e8ec}\n"
    ".c0{color:#0969da}.c1{color:#cf4a00}.c2{color:#1a7f37}.c3{color:#8250df}.c4{color:#bf3989}"
    ".c5{color:#7d6100}.c6{color:#59636e}.mark{stroke:#ffffff}\n"
    "@media (prefers-color-scheme:dark){\n"
    ".paper{fill:#0d1117}.ink{fill:#e6edf3}.soft{fill:#9198a1}.axis{stroke:#8b949e}.grid{stroke:#262c33}\n"
    ".c0{color:#58a6ff}.c1{color:#f0883e}.c2{color:#56d364}.c3{color:#bc8cff}.c4{color:#f778ba}"
    ".c5{color:#d4a72c}.c6{color:#9198a1}.mark{stroke:#0d1117}\n"
    "}\n"
    "text{font-family:system-ui,sans-serif;font-size:12px}\n"
    ".title{font-size:16px;font-weight:600}.heading{font-size:13px;font-weight:600}.small{font-size:11px}\n"
    ".code{font-family:ui-monospace,monospace;font-size:11px}.name{font-weight:600}\n"
    ".line{fill:none;stroke:currentColor;stroke-linejoin:round;stroke-linecap:round}\n"
    ".thin{stroke-width:1.2;stroke-opacity:.85}.marked{stroke-width:2}.dashed{stroke-dasharray:7 "
    "5}.dotted{stroke-dasharray:1 3}.mark,.fill{fill:currentColor}\n"
    ".box{fill:currentColor;fill-opacity:.12;stroke:currentColor;rx:6px}\n"
    ".arrow,.frame{fill:none;stroke:currentColor;stroke-width:1.2}.frame{stroke-dasharray:3 3;rx:10px}\n"
    ".cells{fill:none;stroke:currentColor;shape-rendering:crispEdges}\n"
    "</style>\n";

}  // namespace

std::string color_class(int color) {
  CHECK(color >= 0 && color <= kPictureInk, "color=", color);
  return " c" + std::to_string(color);
}

std::string framed(const PictureFrame& frame, const std::string& content) {
  CHECK(frame.width >= 1 && frame.height >= 1, "width=", frame.width, " height=", frame.height);
  const std::string width = format_fixed(frame.width, 0), height = format_fixed(frame.height, 0);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height + "\" width=\"" +
         width + "\" height=\"" + height + "\" role=\"img\">\n" +              //
         "<title>" + escape_markup(frame.title) + "</title>\n" +               //
         "<desc>" + escape_markup(frame.description) + "</desc>\n" + kStyle +  //
         "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" +          //
         svg::text("ink title", {frame.left, kTitleBaseline}, "start", frame.title) + content + "</svg>\n";
}

namespace svg {

namespace {

std::string pixels(double value) {
  return format_fixed(value, 1);
}

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + value + "\"";
}

}  // namespace

std::string text(const std::string& classes, ChartPoint at, const std::string& anchor,
                 const std::string& content) {
  return "<text" + attribute("class", classes) + attribute("x", pixels(at.x)) + attribute("y", pixels(at.y)) +
         attribute("text-anchor", anchor) + ">" + escape_markup(content) + "</text>\n";
}

std::string line(const std::string& classes, ChartPoint from, ChartPoint to) {
  return "<line" + attribute("class", classes) + attribute("x1", pixels(from.x)) +
         attribute("y1", pixels(from.y)) + attribute("x2", pixels(to.x)) + attribute("y2", pixels(to.y)) +
         "/>\n";
}

std::string path(const std::string& classes, const std::string& commands) {
  return "<path" + attribute("class", classes) + attribute("d", commands) + "/>\n";
}

std::string command(char name, ChartPoint to) {
  return name + pixels(to.x) + " " + pixels(to.y);
}

}  // namespace svg
}  // namespace plainformer
