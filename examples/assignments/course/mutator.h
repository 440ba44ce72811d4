// The operators of mutation, for mutation.cpp.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "code_tokens.h"
#include "mutation.h"

namespace plainformer::course {

struct TextEdit {
  std::size_t begin, end;  // in the body
  std::string text;        // in its place
};

// "where `now` stands for `before`"
std::string stands_for(const std::string& now, const std::string& before);

// Collects the mutations of one function.
class Mutator {
 public:
  // source   the file: it tells which members its objects have
  Mutator(std::string function, const std::string& signature, const std::string& body,
          const std::string& source);

  std::vector<Mutation> all();

 private:
  // --- expressions (mutation_of_expressions.cpp) ---
  void change_sum(std::size_t sign);
  void change_product(std::size_t sign);
  void change_comparison(std::size_t sign);
  void change_condition(std::size_t sign);
  void change_number(std::size_t token);
  void change_function(std::size_t token);
  void exchange_arguments(std::size_t open);
  void change_name(std::size_t token);
  void change_member(std::size_t token);
  bool measures_time(std::size_t token) const;
  void rename_everywhere(const Variable& from, const Variable& to);
  void change_brackets(std::size_t sign);
  void replace_call(std::size_t open);
  void change_order(std::size_t statement);

  // --- elements and their indices (mutation_of_elements.cpp) ---
  void change_element(std::size_t token);
  void shift_index(std::size_t token);
  void shift_computed_index(std::size_t token);
  void shift_index_and_loop(std::size_t token, const std::string& shift, const TextEdit& of_loop);

  // --- statements (mutation_of_statements.cpp) ---
  void change_assignment(std::size_t sign);
  void change_value(std::size_t first, std::size_t last);
  void change_statement(const Statement& statement);
  void change_loop(const Statement& loop);
  void move_statement(std::size_t index);
  void declare_before_loops(const Statement& declaration);
  void guard_statement(const Statement& statement);
  void move_to_front(const Statement& statement);
  void change_results();

  // --- a variable, and what it stands for (mutation_of_uses.cpp) ---
  void change_uses();
  void change_uses_of_element(std::size_t statement);
  void change_uses_of_sum(std::size_t statement);
  std::vector<std::string> parts_of(std::size_t first, std::size_t last) const;
  bool is_in_scope(std::size_t declared, std::size_t use) const;

  // Tokens first to last - 1, replaced. The same change is also tried wherever the same statement stands.
  void replace(std::size_t first, std::size_t last, const std::string& text, const std::string& why);
  // The same, and once more wherever these tokens stand in the statement, and in the function.
  void lose(std::size_t first, std::size_t last, const std::string& why);
  // changed: the text that the sentence quotes; empty: the statement around the first edit, with the edits
  void add(std::vector<TextEdit> edits, const std::string& changed, const std::string& why);

  bool is(std::size_t token, const char* text) const { return code_.is(token, text); }
  std::string text(std::size_t first, std::size_t last) const { return code_.text(first, last); }
  std::string step_before(std::size_t offset) const;  // " in step 2"
  std::string with(const std::vector<TextEdit>& edits, std::size_t begin, std::size_t end) const;
  bool is_declared_before(const Variable& variable,
                          std::size_t token) const;  // not in the statement of `token`
  bool is_extent(const std::string& name) const;
  std::set<std::string> objects_with(const std::string& name) const;
  bool is_function(std::size_t name) const;
  std::size_t read_element_end(std::size_t token) const;
  bool is_in_index(std::size_t token) const;  // between the parentheses of x(i, j), or the brackets of x[i]
  std::vector<std::string> loops_around(std::size_t token) const;  // the variables that count there

  std::string function_;
  Code code_;
  std::vector<Token> source_tokens_;
  std::set<std::string> known_;  // bodies
  std::vector<Mutation> mutations_;
};

}  // namespace plainformer::course
