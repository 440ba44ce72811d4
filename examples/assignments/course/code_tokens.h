// Reads the body of a function as clang-format lays it out: its tokens, operands and statements.
//
// It knows no types. Where C++ needs them, it reads the layout: a binary operator has a space on both sides, a
// unary one, a reference and the bracket of a template do not.
#pragma once

#include <string>
#include <vector>

namespace plainformer::course {

struct Token {
  std::string text;
  std::size_t begin, end;  // in the source
};

enum class StatementKind { kPlain, kDeclaration, kFor, kIf, kWhile };

// Tokens first to last - 1. Of a loop or an if, `body` is the first token of what it governs; otherwise it is `last`.
struct Statement {
  StatementKind kind;
  std::size_t first, body, last;
  int loop;  // the index of the innermost `for` around it, or -1
};

struct Variable {
  std::string name, type;  // "Real": double and float too. "Tensor": and those that write one
  std::size_t token;       // where it is declared; 0: a parameter
  bool counts = false;     // of a `for`
};

class Code {
 public:
  // parameters   the text of the signature
  Code(const std::string& parameters, const std::string& body);

  const std::string& body() const { return body_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  const std::vector<Statement>& statements() const { return statements_; }
  const std::vector<Variable>& variables() const { return variables_; }

  bool is(std::size_t token, const char* text) const {
    return token < tokens_.size() && tokens_[token].text == text;
  }
  bool is_name(std::size_t token) const;
  bool is_binary(std::size_t token) const;  // an operator between two operands
  bool is_member(std::size_t token) const;  // what stands behind . -> ::
  std::size_t partner(std::size_t bracket) const { return partners_[bracket]; }

  // The operand that begins, or ends, with this token: "x(row, i)", "(a + b)", "-static_cast<Real>(n)".
  std::size_t operand_end(std::size_t first) const;  // one past its last token
  std::size_t operand_begin(std::size_t last) const;
  // The product of operands that begins, or ends, with it.
  std::size_t product_end(std::size_t first) const;
  std::size_t product_begin(std::size_t last) const;

  // Tokens first to last - 1 as they stand in the source.
  std::string text(std::size_t first, std::size_t last) const;

  // The innermost plain statement or header around a token, as an index of statements().
  std::size_t statement_at(std::size_t token) const;

 private:
  void read_tokens();
  void pair_brackets();
  bool begins_with_type(std::size_t first) const;
  std::size_t read_statement(std::size_t first, int loop);
  void read_statements_within(std::size_t first, std::size_t last, int loop);
  void read_variables(const std::vector<Token>& tokens, bool parameters);

  std::string body_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> partners_;
  std::vector<Statement> statements_;
  std::vector<Variable> variables_;
};

}  // namespace plainformer::course
