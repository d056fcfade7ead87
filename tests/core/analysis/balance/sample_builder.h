#pragma once

#include "core/analysis/balance/balance.h"
#include "core/event/resident_sample.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace highwater::tests {

inline constexpr std::uint32_t kAnonymous = mapping_flag::kRead | mapping_flag::kWrite;
inline constexpr std::uint32_t kDivided = kAnonymous | mapping_flag::kPages;
inline constexpr std::uint32_t kFileData = kAnonymous | mapping_flag::kFile;
inline constexpr std::uint32_t kFileCode = mapping_flag::kRead | mapping_flag::kExecute | mapping_flag::kFile;
inline constexpr std::uint32_t kSharedData = kAnonymous | mapping_flag::kShared;
inline constexpr ByteCount kPage = kResidentPageBytes;
inline constexpr Address kArenaStart = 0x7f0000000000; ///< a multiple of its size
inline constexpr ByteCount kArenaBytes = ByteCount{64} << 20;

/// A sample, mapping by mapping.
class SampleBuilder {
  public:
    using Runs = std::vector<std::pair<std::uint64_t, std::uint64_t>>; ///< first page, pages

    explicit SampleBuilder(std::int64_t time = 0, std::uint32_t pid = 100) {
        sample_->time = TraceTime{time};
        sample_->pid = pid;
    }
    /// A mapping of which all pages are resident.
    SampleBuilder& map(Address begin, ByteCount bytes, std::uint32_t flags, const std::string& name = {}) {
        return map(begin, bytes, flags, name, Runs{{0, bytes / kPage}});
    }
    /// A mapping with these resident pages.
    SampleBuilder& map(Address begin, ByteCount bytes, std::uint32_t flags, const std::string& name, const Runs& runs) {
        Mapping mapping;
        mapping.begin = begin;
        mapping.end = begin + bytes;
        mapping.flags = flags;
        mapping.name = static_cast<std::uint32_t>(sample_->names.size());
        sample_->names.push_back(name);
        std::uint64_t reached = 0;
        for (const auto& [first, pages] : runs) {
            mapping.resident += pages * kPage;
            if ((flags & mapping_flag::kPages) != 0) mapping.pages.append(first - reached, pages);
            reached = first + pages;
        }
        mapping.proportional = mapping.resident;
        sample_->mappings.push_back(mapping);
        return *this;
    }
    /// Changes the last mapping.
    Mapping& last() { return sample_->mappings.back(); }
    [[nodiscard]] SharedResidentSample done() const { return sample_; }

  private:
    std::shared_ptr<ResidentSample> sample_ = std::make_shared<ResidentSample>();
};

/// "live 100, held_free 3996"
inline std::string textOf(const analysis::LayerBytes& layers) {
    std::string text;
    for (const auto layer : analysis::allMemoryLayers()) {
        if (layers[layer] == 0) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", analysis::layerId(layer), layers[layer]);
    }
    return text;
}

} // namespace highwater::tests
