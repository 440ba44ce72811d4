// The everyday subcommands of the program (see Command).
#pragma once

#include "report/command_line.h"

namespace plainformer {

int train_command(const Arguments& arguments);
int check_command(const Arguments& arguments);
int translate_command(const Arguments& arguments);
int score_command(const Arguments& arguments);
int bleu_command(const Arguments& arguments);
int treebank_generate_command(const Arguments& arguments);
int treebank_sentences_command(const Arguments& arguments);
int parse_command(const Arguments& arguments);
int f1_command(const Arguments& arguments);
int bpe_learn_command(const Arguments& arguments);
int bpe_apply_command(const Arguments& arguments);
int inspect_command(const Arguments& arguments);
int average_command(const Arguments& arguments);
int export_command(const Arguments& arguments);
int import_command(const Arguments& arguments);

}  // namespace plainformer
