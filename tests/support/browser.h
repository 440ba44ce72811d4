// Opens pages in a headless Chromium, as their readers do, and returns what they become, write to the console
// and ask the network for.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/program.h"

namespace plainformer {

// This machine's Chromium; "" if there is none.
inline std::string browser_program() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    const std::string program = program_in_path(name);
    if (!program.empty()) return program;
  }
  return "";
}

struct BrowserVisit {
  std::string dom;                    // the page after its script ran, as HTML
  std::string console;                // the lines that the page wrote to the console, errors among them
  std::vector<std::string> requests;  // the addresses that the page asked for
  int exit_code = -1;
};

// The addresses that a page from a file asked for, by the browser's log of its network. (The browser also
// asks for updates.)
inline std::vector<std::string> requests_in(const std::string& net_log) {
  std::vector<std::string> requests;
  std::ifstream lines(net_log);
  const std::string key = "\"url\":\"";
  for (std::string line; std::getline(lines, line);) {
    const bool by_page = line.find("\"network_isolation_key\":\"file:") != std::string::npos ||
                         line.find("\"request_type\":\"main frame\"") != std::string::npos;
    const std::size_t url = line.find(key);
    if (!by_page || url == std::string::npos) continue;
    requests.push_back(line.substr(url + key.size(), line.find('"', url + key.size()) - url - key.size()));
  }
  return requests;
}

// Opens a page from a file. The browser finds no host, and keeps its profile in a folder of its own.
//   fragment   what follows the file's name in the address: "#record-3"
//   more       a further option of the browser: "--window-size=390,800"
inline BrowserVisit open_in_browser(const std::string& path, const std::string& fragment = "",
                                    const std::string& more = "--hide-scrollbars") {
  const TemporaryFolder folder;
  const ProgramResult program = run_program(
      {"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
       "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
       "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--v=0",
       "--user-data-dir=" + folder.path_of("profile"), "--log-net-log=" + folder.path_of("net.json"), more,
       "--dump-dom", "file://" + path + fragment},
      {.program = browser_program()});
  BrowserVisit result;
  result.exit_code = program.exit_code;
  result.dom = program.out;
  std::istringstream lines(program.err);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("CONSOLE") != std::string::npos) result.console += line + "\n";
  }
  result.requests = requests_in(folder.path_of("net.json"));
  return result;
}

// A page with a script at its end, which may evaluate text and returns text.
struct TriedPage {
  std::string result;  // as HTML: "&lt;" for "<"
  BrowserVisit visit;
};

// Expects that the page writes nothing to the console and asks for nothing.
inline TriedPage try_page(std::string page, const std::string& script, const std::string& fragment = "",
                          const std::string& more = "--window-size=1200,900") {
  const TemporaryFolder folder;
  const std::string policy = "script-src 'unsafe-inline'";
  page.insert(page.find(policy) + policy.size(), " 'unsafe-eval'");
  page.insert(
      page.rfind("</body>"),
      "<script>{\nconst tell = text => document.body.append(Object.assign(document.createElement('pre'), "
      "{id: 'result', textContent: text}));\nconst wanted = (() => {" +
          script + "})();\nif (wanted !== undefined) tell(wanted);\n}</script>\n");
  TriedPage tried;
  tried.visit = open_in_browser(folder.write("page.html", page), fragment, more);
  const std::string begin = "<pre id=\"result\">";
  const std::size_t at = tried.visit.dom.find(begin);
  if (at != std::string::npos)
    tried.result =
        tried.visit.dom.substr(at + begin.size(), tried.visit.dom.find("</pre>", at) - at - begin.size());
  EXPECT_EQ(tried.visit.exit_code, 0);
  EXPECT_EQ(tried.visit.console, "");
  EXPECT_TRUE(tried.visit.requests.empty()) << tried.visit.requests.front();
  return tried;
}

// The first line of a test that needs the browser.
#define SKIP_WITHOUT_BROWSER()                \
  if (plainformer::browser_program().empty()) \
  GTEST_SKIP() << "there is no Chromium on this machine (Debian: apt install chromium)"

}  // namespace plainformer
