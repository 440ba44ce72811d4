// The step page: what it says about each tensor, and what it does in a browser.
#include "show/steps/steps_page.h"

#include <gtest/gtest.h>

#include <set>

#include "io/json.h"
#include "promises/repository.h"
#include "show/steps/traced_page_model.h"
#include "show/trace/trace_writers.h"
#include "support/browser.h"
#include "support/pattern.h"
#include "support/program.h"

namespace plainformer {
namespace {

TEST(StepsPage, EachTensorHasANoteAndEachNoteATensor) {
  std::set<std::string> kinds = {"position_embedding",
                                 "input.position_embedding.grad"};  // of learned positions
  for (const TraceRecord& record : traced_page_model().records) kinds.insert(kind_of(record.name));
  std::set<std::string> notes;
  for (const StepNote& note : step_notes()) EXPECT_TRUE(notes.insert(note.kind).second) << note.kind;
  EXPECT_EQ(kinds, notes);
}

// Byte for byte, with the numbers of the lines.
TEST(StepsPage, QuotesTheSources) {
  for (const StepNote& note : step_notes())
    for (const CodePlace& place : note.code) {
      const QuotedFunction quoted = quote_function(place.file, place.symbol);
      const Lines lines = lines_of(kRoot / "src" / place.file);
      ASSERT_GE(lines.size(), quoted.first_line - 1 + quoted.lines.size());
      for (std::size_t i = 0; i < quoted.lines.size(); ++i)
        ASSERT_EQ(quoted.lines[i], lines[quoted.first_line - 1 + i]) << place.file;
      const auto [first, last] = lines_of_step(quoted, place.step);
      EXPECT_NE(quoted.lines[first].find(place.step), std::string::npos) << note.kind;
      EXPECT_LE(last - first, 20) << note.kind;
      bool has_code = false;
      for (int i = first; i <= last; ++i) has_code = has_code || !Pattern("^ *//").first_in(quoted.lines[i]);
      EXPECT_TRUE(has_code) << note.kind << " lights no code in " << place.symbol;
    }
}

TEST(StepsPage, EachFormulaOfThePaperIsInThePage) {
  const std::string page = steps_page(traced_page_model());
  for (const StepNote& note : step_notes())
    EXPECT_TRUE(note.paper.empty() || contains(page, "<template id=\"paper-" + note.paper + "\">"));
}

TEST(StepsCommand, WritesAPageAndSaysHowToOpenIt) {
  const TemporaryFolder folder;
  const std::string page = folder.path_of("steps.html");
  const ProgramResult result = run_program({"trace", "--steps", page});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, page + ": 191 steps, forward and back. Open it in a browser; it needs no network.\n");
  EXPECT_TRUE(folder.read("steps.html").starts_with("<!DOCTYPE html>"));
  EXPECT_EQ(run_program({"trace", "--steps", "-"}).out, folder.read("steps.html"));
}

// ---- in a browser

// The arithmetic of every cell, as it is written, gives the digits that are shown, and those are the trace's.
TEST(SlowStepsPage, TheArithmeticOfEveryCellGivesTheCell) {
  SKIP_WITHOUT_BROWSER();
  for (const double smoothing : {0.0, 0.1}) {
    const Trace trace = traced_page_model(smoothing);
    JsonArray texts;
    for (const TraceRecord& record : trace.records)
      for (Index i = 0; i < record.shown.size(); ++i)
        texts.push_back(NumberStyle::of(record.shown).write(static_cast<double>(record.shown.data()[i])));
    const std::string script = "const texts = " + to_json(texts) + R"(;
const largest = (rank, ...all) => all.sort((a, b) => b - a)[rank - 1];
const javascript = text => text.replace(/\u2212/g, '-').replace(/ \u00b7 /g, ' * ').replace(/\u00b2/g, '**2')
    .replace(/\^/g, '**').replace(/\u221a/g, 'Math.sqrt').replace(/\b(exp|sin|cos)\(/g, 'Math.$1(')
    .replace(/\bln\(/g, 'Math.log(');
globalThis.largest = largest;
let at = 0, cells = 0, about = 0;
const wrong = [];
for (const tensor of tensors)
  for (let offset = 0; offset !== tensor.size; ++offset, ++at) {
    if (shown(tensor, tensor.values[offset]) !== texts[at]) wrong.push(tensor.name + ' shows no ' + texts[at]);
    if (tensor.formula === undefined) continue;
    const {parts, digits, agrees} = arithmetic(tensor, offset);
    const text = parts.reduce((text, part) => text + (typeof part === 'string' ? part : operandText(part, digits, text)), '');
    ++cells;
    if (!agrees) ++about;
    else if (shown(tensor, (0, eval)(javascript(text))) !== texts[at]) wrong.push(tensor.name + ': ' + text);
  }
return `${cells} cells, ${texts.length} texts, ${at} values, about ${about}, wrong: ${wrong.slice(0, 5).join('; ')}`;
)";
    const TriedPage tried = try_page(steps_page(trace), script);
    EXPECT_EQ(tried.result, "7484 cells, 8422 texts, 8422 values, about 1, wrong: ") << smoothing;
  }
}

TEST(SlowStepsPage, KeysAndAddressesLeadThroughIt) {
  SKIP_WITHOUT_BROWSER();
  const std::string script = R"(
const lines = [], press = (key, target = document.body) =>
    target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
const say = () => lines.push(tensors[step].name + ' ' + chosen);
say();
for (const key of ['ArrowRight', 'ArrowLeft', 'b', 'f', 'ArrowUp', 'ArrowDown', 'End', 'ArrowRight', 'Home']) { press(key); say(); }
go(numberOf.get('encoder.0.self_attention.scores'));
press('Enter');
press('ArrowDown', document.activeElement); say();
press('Enter', document.activeElement); say();
lines.push(document.activeElement.textContent + ' ' + location.hash);
byId('next').click(); say();
lines.push(byId('count').textContent, byId('functions').querySelectorAll('.lit').length > 0, document.querySelectorAll('.box.lit').length);
return lines.join('\n');
)";
  const TriedPage tried =
      try_page(steps_page(traced_page_model()), script, "#decoder.0.self_attention.scores:1,2,3");
  EXPECT_EQ(tried.result,
            "decoder.0.self_attention.scores 66\n"
            "decoder.0.self_attention.mask 0\n"
            "decoder.0.self_attention.scores 0\n"
            "decoder.0.self_attention.grad_scores 0\n"
            "decoder.0.self_attention.scores 0\n"
            "target.ids 0\n"
            "decoder.0.self_attention.w_q 0\n"
            "embedding.grad_rows 0\n"
            "embedding.grad_rows 0\n"
            "source.ids 0\n"
            "encoder.0.self_attention.scores 7\n"
            "encoder.0.self_attention.products 7\n"
            "1.31 #encoder.0.self_attention.products:0,1,0\n"
            "encoder.0.self_attention.scores 0\n"
            "step 14 of 191\ntrue\n1");
}

// Each step can be shown, on a phone too: the page itself never scrolls sideways.
TEST(SlowStepsPage, EveryStepFitsAPhone) {
  SKIP_WITHOUT_BROWSER();
  const std::string script = R"(
const wide = [];
for (let number = 0; number !== tensors.length; ++number) {
  go(number, tensors[number].size - 1);
  if (document.documentElement.scrollWidth > innerWidth) wide.push(tensors[number].name);
  if (!byId('cells').querySelector('.chosen')) wide.push(tensors[number].name + ' has no cell');
  if (!document.querySelector('.box.lit')) wide.push(tensors[number].name + ' has no box');
}
const nameless = [...document.querySelectorAll('button, select, section')].filter(each =>
    !each.ariaLabel && !each.textContent.trim()).length;
return `${innerWidth} ${nameless} ${wide.join(' ')}`;
)";
  EXPECT_EQ(try_page(steps_page(traced_page_model()), script, "", "--window-size=500,800").result, "500 0 ");
}

// A page that can break the code (examples/browser) says which lines it replaced: in the function, or beside
// it.
TEST(SlowStepsPage, ReplacedLinesAreShown) {
  SKIP_WITHOUT_BROWSER();
  const std::string script = R"(
replacements = [
  {file: 'src/ops/softmax.cpp', sound: ['    Real sum = 0;'], broken: ['    Real sum = 1;', '    // <b>']},
  {file: 'src/ops/cross_entropy.cpp', sound: ['a'], broken: []}];
go(numberOf.get('encoder.0.self_attention.weights'));
const texts = name => Array.from(byId('functions').querySelectorAll('.' + name), line => line.textContent.trim()).join();
const titles = Array.from(byId('functions').querySelectorAll('p'), title => title.textContent);
replacements = [];
const lines = [texts('sound').replace(/\d/, ''), texts('broken'), titles.pop()];
drawCode(data.notes[tensors[step].note]);
return [...lines, texts('sound') + texts('broken') === ''].join('\n');
)";
  const std::string result = try_page(steps_page(traced_page_model()), script).result;
  EXPECT_TRUE(contains(result,
                       "Real sum = 0;,a\nReal sum = 1;,// &lt;b&gt;\n"
                       "Broken elsewhere, in src/ops/cross_entropy.cpp\ntrue"))
      << result;
}

// The gradient of a tensor is found, and the way back leads to the forward pass: also in a browser that takes
// no more addresses.
TEST(SlowStepsPage, ForwardAndBackwardLeadToTheOtherPass) {
  SKIP_WITHOUT_BROWSER();
  const std::string script = R"(
history.pushState = () => { throw new DOMException('more than 100 in 30 seconds', 'SecurityError'); };
const lost = [];
for (const [number, tensor] of tensors.entries()) {
  const isForward = tensor.path[0] === 'Forward';
  go(number);
  (isForward ? goBackward : goForward)();
  if (isForward === (tensors[step].path[0] === 'Forward')) lost.push(tensor);
}
const pairs = ['embedding', 'encoder.0.feed_forward_norm.output', 'decoder.0.self_attention.output', 'logits', 'source.input']
    .map(name => tensors[gradientOf(tensors[numberOf.get(name)])].name);
const back = ['source.grad_input', 'encoder.0.self_attention.grad_concat'].map(name => {
  go(numberOf.get(name));
  goForward();
  return tensors[step].name;
});
return [...lost.map(tensor => tensor.name), ...pairs, ...back].join();
)";
  EXPECT_EQ(try_page(steps_page(traced_page_model()), script).result,
            "embedding.grad,grad_memory,decoder.0.self_attention_norm.grad_sum,grad_logits,source.grad_input,"
            "source.input,encoder.0.self_attention.concat");
}

TEST(SlowStepsPage, HostileWordsAreText) {
  SKIP_WITHOUT_BROWSER();
  const TemporaryFolder folder;
  const std::string hostile =
      "</script> <!-- <img/src=http://picture.example/a.png> ' & \u2028 \u202eabc onload=alert(1)";
  LoadedModel model = page_model();
  WordCounts words;
  for (int i = 0; i < 2; ++i) count_words(hostile, words);
  model.byte_pairs = BytePairEncoding::learn(words, /*merges=*/500);  // each of them is one piece
  const WaysInScope plain(plain_ways("all", "test"));
  const Trace trace =
      trace_sentence(model, {.model = "hostile", .source = hostile, .values = 0}, [](const std::string&) {});
  const std::string page = folder.write("page.html", steps_page(trace));
  const BrowserVisit visited = open_in_browser(page, "#source.embedding:1,0");
  EXPECT_EQ(visited.console, "");
  EXPECT_TRUE(visited.requests.empty()) << visited.requests.front();
  EXPECT_TRUE(contains(visited.dom, "<bdi>&lt;/script&gt; &lt;!"));
  EXPECT_TRUE(contains(visited.dom, "&lt;img/src"));
  EXPECT_FALSE(contains(visited.dom, "<img"));
}

}  // namespace
}  // namespace plainformer
