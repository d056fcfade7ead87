#include "core/symbols/portable/portable_pdb_file.h"

#include "core/symbols/answers/address_answers.h"
#include "core/symbols/answers/il_address.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

namespace highwater::symbols {
namespace {

// Methods may share the bytes of their lines. Only in crafted files do they share more than this.
constexpr std::uint64_t kAlwaysReadBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kTimesRead = 4;

/// The last point at or before the offset. Its line extends to the next point.
const SequencePoint* pointAt(const std::vector<SequencePoint>& points, std::uint32_t offset) {
    const auto after = std::upper_bound(points.begin(), points.end(), offset,
                                        [](std::uint32_t o, const auto& point) { return o < point.ilOffset; });
    return after == points.begin() ? nullptr : &*std::prev(after);
}

} // namespace

PortablePdbFile::PortablePdbFile(PortableMetadata metadata, std::uint64_t bytes, std::shared_ptr<const void> owner)
    : owner_(std::move(owner)), metadata_(std::move(metadata)), bytes_(bytes) {
    identity_.pdbGuid = metadata_.guid();
    identity_.pdbAge = 1;
}

Result<std::unique_ptr<SymbolFile>> PortablePdbFile::open(ByteSpan bytes, std::shared_ptr<const void> owner) {
    auto metadata = TRY(PortableMetadata::open(bytes));
    return std::unique_ptr<SymbolFile>(new PortablePdbFile(std::move(metadata), bytes.size(), std::move(owner)));
}

ResolvedAddresses PortablePdbFile::resolve(std::span<const Rva> addresses, std::stop_token stop) {
    std::vector<std::size_t> order(addresses.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return addresses[a] < addresses[b]; });
    AddressAnswers answers;
    std::map<std::uint32_t, std::string> documents;
    std::vector<SequencePoint> points;
    std::uint32_t pointsOf = 0;
    auto left = kAlwaysReadBytes + bytes_ * kTimesRead;
    for (const auto i : order) {
        if (stop.stop_requested()) break;
        const auto place = ilPlaceOf(addresses[i]);
        if (!place || methodRow(place->token) == 0) continue;
        if (std::exchange(pointsOf, place->token) != place->token)
            points = metadata_.sequencePoints(methodRow(place->token), left);
        const auto* point = pointAt(points, place->offset);
        if (point == nullptr) continue;
        const auto [path, isNew] = documents.try_emplace(point->document);
        if (isNew) path->second = metadata_.document(point->document);
        if (path->second.empty()) continue;
        FrameAnswer frame;
        frame.file = path->second;
        frame.line = point->line;
        answers.frames.push_back(frame);
        answers.addresses.push_back({i, answers.frames.size() - 1, answers.frames.size()});
    }
    return mergeAnswers(addresses.size(), std::span(&answers, 1));
}

} // namespace highwater::symbols
