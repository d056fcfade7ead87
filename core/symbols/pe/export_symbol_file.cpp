#include "core/symbols/pe/export_symbol_file.h"

#include "core/symbols/answers/address_answers.h"

#include <algorithm>

namespace highwater::symbols {

ExportSymbolFile::ExportSymbolFile(PeImage image, std::shared_ptr<const void> owner)
    : owner_(std::move(owner)),
      image_(std::move(image)),
      exports_(image_.exports()),
      functionBegins_(image_.functionBegins()) {}

Result<std::unique_ptr<SymbolFile>> ExportSymbolFile::open(ByteSpan bytes, std::shared_ptr<const void> owner) {
    auto image = TRY(PeImage::open(bytes));
    return std::unique_ptr<SymbolFile>(new ExportSymbolFile(std::move(image), std::move(owner)));
}

ResolvedAddresses ExportSymbolFile::resolve(std::span<const Rva> addresses, std::stop_token stop) {
    AddressAnswers answers;
    for (std::size_t i = 0; i < addresses.size() && !stop.stop_requested(); ++i) {
        const auto address = addresses[i];
        const auto after = std::upper_bound(exports_.begin(), exports_.end(), address,
                                            [](Rva a, const auto& e) { return a < e.begin; });
        if (after == exports_.begin() || address >= image_.imageBytes()) continue;
        const auto& nearest = *std::prev(after);
        const auto function = std::upper_bound(functionBegins_.begin(), functionBegins_.end(), address);
        if (function != functionBegins_.begin() && *std::prev(function) > nearest.begin) continue;
        const auto first =
            std::lower_bound(exports_.begin(), after, nearest.begin, [](const auto& e, Rva a) { return e.begin < a; });
        const auto same = after - first;
        FrameAnswer frame{.function = nearest.name, .origin = NameOrigin::Export};
        frame.offset = static_cast<std::uint32_t>(address - nearest.begin);
        frame.foldedWith = static_cast<std::uint32_t>(same - 1);
        answers.frames.push_back(frame);
        answers.addresses.push_back({i, answers.frames.size() - 1, answers.frames.size()});
    }
    return mergeAnswers(addresses.size(), std::span(&answers, 1));
}

} // namespace highwater::symbols
