#include "core/symbols/store/symbol_fetcher.h"
#include "core/symbols/store/symbol_file_opener.h"
#include "tests/symbol_names/symbol_names.h"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>

using namespace highwater;

namespace {

symbols::Rva numberIn(std::string_view word) {
    symbols::Rva number = 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    return number;
}

bool writeText(const char* path, const std::string& text) {
    std::FILE* out = std::fopen(path, "wb");
    if (out == nullptr) return false;
    const bool isWritten = std::fwrite(text.data(), 1, text.size(), out) == text.size();
    return std::fclose(out) == 0 && isWritten;
}

int writeNames(char** words) {
    const auto file = symbols::openSymbolFile(words[0]);
    if (!file.hasValue()) {
        std::fprintf(stderr, "%s\n", file.error().message.c_str());
        return 2;
    }
    return writeText(words[3], tests::symbolNames(*file.value(), numberIn(words[1]), numberIn(words[2]))) ? 0 : 2;
}

int fetch(char** words) {
    const std::filesystem::path target(words[1]);
    const auto bytes = numberIn(words[2]);
    return writeText(words[3], tests::fetchedText(words[0], target, bytes)) ? 0 : 2;
}

} // namespace

/// Output for comparing two builds of core/symbols; runs under Wine, for windows_symbols_test:
///   symbol-names names FILE END STEP OUT      writes what symbolNames() says
///   symbol-names fetch URL TARGET BYTES OUT   downloads; writes what fetchedText() says
int main(int argc, char** argv) {
    if (argc != 6) return 1;
    if (std::string_view(argv[1]) == "names") return writeNames(argv + 2);
    if (std::string_view(argv[1]) == "fetch") return fetch(argv + 2);
    return 1;
}
