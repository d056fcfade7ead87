#include "core/symbols/answers/address_answers.h"

#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

namespace highwater::symbols {
namespace {

/// Most frames repeat texts of other frames, at the same place in memory. Looking up the place saves hashing the text.
class TextIds {
  public:
    std::uint32_t idOf(std::string_view text) {
        const auto [entry, isNew] = byPlace_.try_emplace({text.data(), text.size()}, 0u);
        if (isNew) entry.value() = ids_.idOf(text);
        return entry->second;
    }
    [[nodiscard]] const StringIds& ids() const { return ids_; }

  private:
    struct Place {
        const char* begin;
        std::size_t size;
        friend bool operator==(const Place&, const Place&) = default;
    };
    struct PlaceHash {
        std::size_t operator()(const Place& p) const noexcept {
            return static_cast<std::size_t>(seededHash(reinterpret_cast<std::uintptr_t>(p.begin), p.size));
        }
    };
    StringIds ids_;
    tsl::robin_map<Place, std::uint32_t, PlaceHash> byPlace_;
};

class Merger {
  public:
    void add(const FrameAnswer& frame) {
        out.frames.push_back({functionId(frame), frame.file.empty() ? kNoFile : files_.idOf(frame.file), frame.line,
                              frame.offset, frame.isInlined});
    }
    void finish() {
        const auto& files = files_.ids().texts();
        out.files.assign(files.begin(), files.end());
    }
    ResolvedAddresses out;

  private:
    std::uint32_t functionId(const FrameAnswer& frame) {
        // One name may come from several origins. Those are different functions here.
        const auto key = (std::uint64_t{names_.idOf(frame.function)} << 32) | (std::uint64_t{frame.foldedWith} << 2) |
                         static_cast<std::uint64_t>(frame.origin);
        const auto [entry, isNew] = functions_.try_emplace(key, static_cast<std::uint32_t>(out.functions.size()));
        if (isNew) out.functions.push_back({std::string(frame.function), frame.origin, frame.foldedWith});
        return entry->second;
    }
    TextIds names_, files_;
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> functions_;
};

} // namespace

ResolvedAddresses mergeAnswers(std::size_t addressCount, std::span<AddressAnswers> parts) {
    struct Place {
        const AddressAnswers* part = nullptr;
        std::size_t address = 0;
    };
    std::vector<Place> places(addressCount);
    for (const auto& part : parts) {
        for (std::size_t i = 0; i < part.addresses.size(); ++i)
            places[part.addresses[i].index] = {&part, i};
    }
    Merger merger;
    merger.out.firstFrame.reserve(addressCount + 1);
    for (const auto& place : places) {
        if (place.part != nullptr) {
            const auto& address = place.part->addresses[place.address];
            for (auto i = address.firstFrame; i < address.endFrame; ++i)
                merger.add(place.part->frames[i]);
        }
        merger.out.firstFrame.push_back(static_cast<std::uint32_t>(merger.out.frames.size()));
    }
    merger.finish();
    return std::move(merger.out);
}

} // namespace highwater::symbols
