#include "tests/symbol_names/symbol_names.h"

#include "core/symbols/demangling/function_name.h"
#include "core/symbols/store/symbol_fetcher.h"

#include <fmt/format.h>

#include <iterator>

namespace highwater::tests {

using namespace symbols;

std::string symbolNames(SymbolFile& file, Rva end, Rva step) {
    std::vector<Rva> addresses;
    for (Rva address = 0; address < end; address += step)
        addresses.push_back(address);
    const auto found = file.resolve(addresses);
    std::string text = fmt::format("{}\n", toString(file.identity()));
    const auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        if (found.firstFrame[i] == found.firstFrame[i + 1]) continue;
        fmt::format_to(out, "{:#x}", addresses[i]);
        for (auto k = found.firstFrame[i]; k < found.firstFrame[i + 1]; ++k) {
            const auto& frame = found.frames[k];
            const auto& name = found.functions[frame.function].linkageName;
            fmt::format_to(out, " | {} | {} | {}:{}", readableName(name, NameStyle::Short),
                           readableName(name, NameStyle::Full),
                           frame.file == kNoFile ? "" : found.files[frame.file].c_str(), frame.line);
        }
        text += '\n';
    }
    return text;
}

std::string fetchedText(const std::string& url, const std::filesystem::path& target, std::uint64_t bytes) {
    using namespace std::chrono_literals;
    SymbolFetcher fetcher(FetchOptions{5000ms, 1500ms, 2, 20ms, 200ms});
    const auto check = [&](const std::filesystem::path& file) -> Result<void> {
        std::error_code error;
        if (std::filesystem::file_size(file, error) == bytes) return {};
        return Error{ErrorKind::NotFound, "it is another file"};
    };
    Progress progress;
    const auto answer = fetcher.fetch(url, target, check, progress, {});
    const auto words = answer.sentence.substr(0, answer.sentence.find(':'));
    return fmt::format("{}: {}; {} bytes", static_cast<int>(answer.outcome), words, progress.done.load());
}

} // namespace highwater::tests
