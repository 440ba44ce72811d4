// Slides of one week, made from a short text and the book's pictures: one HTML file that needs no other.
#pragma once

#include <filesystem>
#include <string>

namespace plainformer::course {

// text: a subset of Markdown. "# " is the title of the week and "## " begins a slide; "- " is a point, "> " what the
// speaker says (hidden until the key n), "![caption](file.svg)" a picture, "    " code; other lines are paragraphs.
// `code`, *emphasis* and [links](https://...) stand within lines.
//   pictures   the folder of the pictures' files: of a picture's path, only the name counts
//   std::runtime_error for a picture that is missing, or for text before the first slide
std::string slides_page(const std::string& text, const std::filesystem::path& pictures);

}  // namespace plainformer::course
