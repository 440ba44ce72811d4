#include "slides.h"

#include <iostream>

#include "commands.h"
#include "core/input_error.h"
#include "io/atomic_file.h"
#include "io/base64.h"
#include "text.h"

namespace plainformer::course {

namespace {

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--paper:#ffffff;--ink:#1c1c1a;--soft:#6b6b66;--line:#d8d8d2;--accent:#9a3412}
@media(prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#ececea;--soft:#a3a39d;--line:#3a3a37;--accent:#fdba74}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.25rem/1.45 Georgia,serif}
section{max-width:62rem;margin:0 auto;padding:2.5rem 1.5rem;border-bottom:1px solid var(--line)}
h1{font-size:2.4rem;line-height:1.15}h2{font-size:1.75rem;line-height:1.2;margin:0 0 1rem}
ul{padding-left:1.2em}li{margin:.4em 0}
img{display:block;max-width:100%;max-height:70vh;margin:1rem auto}
figcaption,.number{color:var(--soft);font-size:.85rem;text-align:center}figure{margin:0}
code,pre{font-family:ui-monospace,monospace;font-size:.85em}pre{overflow-x:auto;border-left:3px solid var(--line);padding-left:1em}
a{color:var(--accent)}aside{display:none;color:var(--soft);border-left:3px solid var(--accent);padding-left:1em;font-size:1rem}
.notes aside{display:block}
.shown section{display:none;min-height:100vh;border:0;flex-direction:column;justify-content:center}
.shown section.now{display:flex}
@media print{.shown section{display:block;page-break-after:always;min-height:0}}
)";

// Without a script all slides stand below each other.
constexpr const char* kScript = R"(
const slides=[...document.querySelectorAll('section')];let at=0;
const show=i=>{at=Math.max(0,Math.min(slides.length-1,i));slides.forEach((s,j)=>s.classList.toggle('now',j===at));
history.replaceState(null,'','#'+(at+1));scrollTo(0,0)};
document.body.classList.add('shown');show((parseInt(location.hash.slice(1))||1)-1);
addEventListener('keydown',e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;
const step={ArrowRight:1,PageDown:1,' ':1,ArrowLeft:-1,PageUp:-1}[e.key];
if(step){e.preventDefault();show(at+step)}else if(e.key==='Home')show(0);else if(e.key==='End')show(slides.length-1);
else if(e.key==='n')document.body.classList.toggle('notes')});
let from=null;addEventListener('touchstart',e=>from=e.touches[0].clientX);
addEventListener('touchend',e=>{const by=e.changedTouches[0].clientX-from;if(Math.abs(by)>60)show(at+(by<0?1:-1))});
)";

// What stands between two of these marks, as an element: `x` -> <code>x</code>.
std::string with_element(const std::string& text, char mark, const std::string& element) {
  std::string html;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find(mark, at);
    const std::size_t close = open == std::string::npos ? open : text.find(mark, open + 1);
    if (close == std::string::npos) return html + text.substr(at);
    html += text.substr(at, open - at) + "<" + element + ">" + text.substr(open + 1, close - open - 1) +
            "</" + element + ">";
    at = close + 1;
  }
}

std::string with_links(std::string text) {
  for (std::size_t middle = text.find("](https://"); middle != std::string::npos;
       middle = text.find("](https://", middle)) {
    const std::size_t open = text.rfind('[', middle), close = text.find(')', middle);
    if (open == std::string::npos || close == std::string::npos) break;
    const std::string name = text.substr(open + 1, middle - open - 1),
                      address = text.substr(middle + 2, close - middle - 2);
    text.replace(open, close + 1 - open, "<a href=\"" + address + "\">" + name + "</a>");
    middle = open + 1;
  }
  return text;
}

std::string line_html(const std::string& text) {
  return with_links(with_element(with_element(escaped_for_xml(text), '`', "code"), '*', "em"));
}

class SlidesWriter {
 public:
  explicit SlidesWriter(fs::path pictures) : pictures_(std::move(pictures)) {}

  void add(const std::string& line) {
    const bool is_code = line.starts_with("    "), is_point = line.starts_with("- ");
    enter(is_code ? "pre" : is_point ? "ul" : "");
    if (line.starts_with("# "))
      begin_slide("h1", line.substr(2));
    else if (line.starts_with("## "))
      begin_slide("h2", line.substr(3));
    else if (is_code)
      add_html(escaped_for_xml(line.substr(4)) + "\n");
    else if (is_point)
      add_html("<li>" + line_html(line.substr(2)) + "</li>\n");
    else if (line.starts_with("> "))
      add_html("<aside>" + line_html(line.substr(2)) + "</aside>\n");
    else if (line.starts_with("!["))
      add_picture(line);
    else if (!line.empty())
      add_html("<p>" + line_html(line) + "</p>\n");
  }

  std::string page() {
    end_slide();
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
           "content=\"width=device-width,initial-scale=1\">\n<title>" +
           escaped_for_xml(title_) + "</title>\n<style>" + kStyle + "</style></head>\n<body>\n" + slides_ +
           "<script>" + kScript + "</script>\n</body></html>\n";
  }

 private:
  // Lines of the same kind share an element: points a list, lines of code a block.
  void enter(const std::string& element) {
    if (element == element_) return;
    if (!element_.empty()) slides_ += "</" + element_ + ">\n";
    if (!element.empty()) slides_ += "<" + element + ">";
    element_ = element;
  }

  void end_slide() {
    enter("");
    if (count_ > 0) slides_ += "<p class=\"number\">" + std::to_string(count_) + "</p></section>\n";
  }

  void begin_slide(const std::string& heading, const std::string& text) {
    if (title_.empty()) title_ = text;
    end_slide();
    ++count_;
    slides_ += "<section><" + heading + ">" + line_html(text) + "</" + heading + ">\n";
  }

  void add_html(const std::string& html) {
    if (count_ == 0)
      throw input_error("slides", "there is text before the first slide", "begin with \"# TITLE\"");
    slides_ += html;
  }

  void add_picture(const std::string& line) {
    const std::size_t middle = line.find("]("), end = line.rfind(')');
    if (middle == std::string::npos || end == std::string::npos || end < middle)
      throw input_error("slides", line, "write ![caption](file.svg)");
    const std::string caption = line_html(line.substr(2, middle - 2));
    const std::string name = line.substr(middle + 2, end - middle - 2);
    const fs::path file = pictures_ / path_of(name).filename();
    const std::string picture = read_text(file);
    if (picture.empty()) throw input_error(text_of(file), "it is missing", "name a picture of the book");
    add_html("<figure><img alt=\"" + escaped_for_xml(line.substr(2, middle - 2)) +
             "\" src=\"data:image/svg+xml;base64," + base64(picture) + "\"><figcaption>" + caption +
             "</figcaption></figure>\n");
  }

  const fs::path pictures_;
  std::string slides_, element_, title_;
  int count_ = 0;
};

}  // namespace

std::string slides_page(const std::string& text, const fs::path& pictures) {
  SlidesWriter writer(pictures);
  for (const std::string& line : lines_of(text)) writer.add(line);
  return writer.page();
}

int slides_command(const Course& course, const Arguments& arguments) {
  CommandLine line(
      "course slides [WEEK ...] [options]",
      "Makes the slides of the four weeks from teaching/slides/ and the book's pictures. Each is one HTML "
      "file\nthat needs no other: arrows turn the slides, n shows the notes, printing makes a handout.");
  std::string out = "slides";
  line.option("--out", "DIR", &out, "where to write week-1.html and the others");
  if (wants_help(arguments)) {
    std::cout << line.help();
    return 0;
  }
  Arguments weeks = line.parse(arguments);
  if (weeks.empty()) weeks = {"1", "2", "3", "4"};
  const Settings& settings = course.tools.settings();
  fs::create_directories(path_of(out));
  for (const std::string& week : weeks) {
    const fs::path source = settings.course_dir() / "teaching" / "slides" / ("week-" + week + ".md");
    if (!fs::exists(source))
      throw input_error("week " + week, "there is no such week", "choose 1, 2, 3 or 4");
    const std::string page = slides_page(read_text(source), settings.source_dir / "docs" / "pictures");
    const std::string file = out + "/week-" + week + ".html";
    write_file_atomically(file, page);
    std::cout << file << '\n';
  }
  return 0;
}

}  // namespace plainformer::course
