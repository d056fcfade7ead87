#pragma once

#include "core/event/resident_sample.h"
#include "core/source/systems/memory_regions.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace highwater::tests {

using source::MemoryRegion, source::PageFacts;

inline constexpr ByteCount kPage = kResidentPageBytes;
inline constexpr Address kStart = 0x10000;

/// An address space that is made up, page by page.
class MadeUpMemory final : public source::MemoryRegions {
  public:
    MadeUpMemory& add(MemoryRegion::Kind kind, std::uint64_t pages, std::uint32_t access) {
        MemoryRegion region;
        region.begin = end_;
        region.end = end_ + pages * kPage;
        region.allocation = allocation_;
        region.kind = kind;
        region.isCommitted = true;
        region.access = access;
        end_ = region.end;
        regions_.push_back(region);
        return *this;
    }
    MadeUpMemory& addReserved(std::uint64_t pages, MemoryRegion::Kind kind = MemoryRegion::Kind::Private) {
        add(kind, pages, 0);
        regions_.back().isCommitted = false;
        return *this;
    }
    MadeUpMemory& addGuard(std::uint64_t pages) {
        add(MemoryRegion::Kind::Private, pages, mapping_flag::kRead | mapping_flag::kWrite);
        regions_.back().isGuard = true;
        return *this;
    }
    /// The last region is a view of a file whose pages are copied when the process writes to them.
    MadeUpMemory& setCopiedOnWrite() {
        regions_.back().isCopiedOnWrite = true;
        return *this;
    }
    /// The next regions are of another allocation, with free memory before it.
    MadeUpMemory& allocate(Address begin) {
        allocation_ = end_ = begin;
        return *this;
    }
    MadeUpMemory& setFile(const std::string& file) {
        files_[allocation_] = file;
        return *this;
    }
    /// Pages of the last region.
    MadeUpMemory& setResident(std::uint64_t first, std::uint64_t pages, PageFacts facts = {true, false, 0}) {
        for (auto page = first; page < first + pages; ++page)
            pages_[regions_.back().begin + page * kPage] = facts;
        return *this;
    }

    std::optional<MemoryRegion> regionAfter(Address address) override {
        if (isEndless) {
            return MemoryRegion{.begin = address, .end = address + kPage, .allocation = address};
        }
        const auto found =
            std::ranges::find_if(regions_, [address](const MemoryRegion& region) { return region.end > address; });
        return found == regions_.end() ? std::nullopt : std::optional(*found);
    }
    bool readPages(Address begin, std::span<PageFacts> pages) override {
        mostAtOnce = std::max(mostAtOnce, pages.size());
        pagesRead += pages.size();
        for (std::size_t i = 0; i < pages.size(); ++i)
            pages[i] = pageAt(begin + i * kPage);
        return !isRefused;
    }
    std::string fileAt(Address address) override {
        ++filesAsked;
        const auto file = files_.upper_bound(address);
        return file == files_.begin() ? std::string() : std::prev(file)->second;
    }
    ByteCount workingSet() override { return workingSetBytes; }

    [[nodiscard]] PageFacts pageAt(Address address) const {
        const auto page = pages_.find(address);
        return page == pages_.end() ? PageFacts{} : page->second;
    }
    [[nodiscard]] const std::vector<MemoryRegion>& regions() const { return regions_; }

    ByteCount workingSetBytes = 0;
    bool isRefused = false;
    bool isEndless = false;
    std::size_t mostAtOnce = 0, filesAsked = 0;
    std::uint64_t pagesRead = 0;

  private:
    std::vector<MemoryRegion> regions_;
    std::map<Address, PageFacts> pages_;
    std::map<Address, std::string> files_;
    Address allocation_ = kStart, end_ = kStart;
};

} // namespace highwater::tests
