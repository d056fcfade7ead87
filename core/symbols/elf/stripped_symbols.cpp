#include "core/symbols/elf/stripped_symbols.h"

#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/elf/mini_debug.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace highwater::symbols {

StrippedSymbols::StrippedSymbols(const ElfContents& file) : file_(file) {
    if (!file.hasOnlyExports() || file.miniDebugInfo().empty()) return;
    // In memory, symbols take several times their size in the file; a browser has 100 MB of them.
    constexpr std::uint64_t kMostBytes = std::uint64_t{128} << 20;
    const auto packed = file.miniDebugInfo();
    auto unpacked = unpackMiniDebugInfo(packed, std::min(kMostBytes, ElfContents::mostExpandedBytes(packed.size())));
    if (!unpacked) return;
    unpacked_ = std::move(*unpacked);
    auto mini = ElfContents::open(unpacked_);
    const bool isOfFile = mini.hasValue() && (mini.value()->buildId().empty() || file.buildId().empty() ||
                                              mini.value()->buildId() == file.buildId());
    if (isOfFile && !mini.value()->hasOnlyExports()) mini_ = std::move(mini).value();
}

std::vector<ElfSymbol> StrippedSymbols::all() const {
    auto symbols = file_.symbols();
    if (mini_ == nullptr) return symbols;
    const auto more = mini_->symbols();
    symbols.insert(symbols.end(), more.begin(), more.end());
    return symbols;
}

std::string StrippedSymbols::remark() const {
    if (!file_.hasOnlyExports() || mini_ != nullptr) return {};
    if (file_.miniDebugInfo().empty()) return kOnlyExportsRemark;
    const std::string why = readsMiniDebugInfo() ? "is damaged or too large" : "is not supported on this system";
    return "its MiniDebugInfo " + why + "; " + kOnlyExportsRemark;
}

} // namespace highwater::symbols
