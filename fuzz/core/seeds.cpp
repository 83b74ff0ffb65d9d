// Writes the inputs that fuzzing begins with: `seeds FOLDER` makes a folder for each target that reads a
// model.
#include <sys/stat.h>

#include <fstream>
#include <iostream>

#include "models/small_models.hpp"

int main(int count, char** arguments) {
  using namespace metaphrase::fuzz;
  if (count != 2) {
    std::cerr << "usage: seeds FOLDER\n";
    return 2;
  }
  const auto write = [&](const std::string& target, const std::string& name, const std::string& content) {
    const std::string folder = arguments[1] + ("/" + target);
    ::mkdir(folder.c_str(), 0777);
    std::ofstream file(folder + "/" + name, std::ios::binary);
    if (!(file << content)) {
      std::cerr << "cannot write into " << folder << '\n';
      std::exit(1);
    }
  };
  write("analyser", "plain", small_analyser(false));
  write("analyser", "inflected", small_analyser(true));
  write("parser", "small", small_parser());
  write("labeller", "runs", small_labeller(true));
  write("labeller", "plain", small_labeller(false));
  write("wordnet", "small", small_wordnet());
  write("paraphrases", "small", small_paraphrases());
  write("phrase_trie", "small", small_phrase_trie());
  write("language_model", "wide", small_language_model(32));
  write("language_model", "narrow", small_language_model(16));
  write("pretrained", "small", small_pretrained({32, 1, 2, 32, 8, 0, 1, 2}));
  write("pivots", "small", small_pivots());
  write("arpa", "small",
        "\\data\\\nngram 1=4\nngram 2=2\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\t-0.5\n-1\t</s>\n"
        "-0.7\ta\t-0.2\n\n\\2-grams:\n-0.3\t<s> a\n-0.4\ta </s>\n\n\\end\\\n");
}
