#include "core/analysis/balance/process_memory.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace highwater::analysis {
namespace {

using namespace mapping_flag;

ByteCount bytesOf(PageRange range) { return (range.last - range.first) * kResidentPageBytes; }

/// Divides the mappings of one sample, in their order.
class MappingDivider {
  public:
    struct Rows {
        const PageRanges& mapped;
        const PageRanges& partlyMapped;
        BlockPages& blocks;
        const ChangedPages& changed;
    };
    MappingDivider(const ResidentSample& sample, const ImagePages& images, const Rows& rows)
        : readUntil_(endOfReading(sample.time)),
          rows_(rows),
          mapped_(rows.mapped),
          whole_(rows.blocks.wholePages()),
          partlyMapped_(rows.partlyMapped),
          agent_(images.agent),
          images_(images.others),
          changedBlocks_(rows.changed.blocks),
          changedRows_(rows.changed.rows) {}

    /// The layers of the mapping. Their sum is its resident size.
    LayerBytes divide(const Mapping& mapping, const MappingKind& kind) {
        LayerBytes bytes;
        if (!kind.isDivided || !arePagesKnown(mapping)) {
            bytes[kind.isDivided ? layerWithoutPages(mapping, kind) : kind.layer] = mapping.resident;
            return bytes;
        }
        const auto pages = pagesOf(mapping);
        mayBeRows_ = !isHeapInRows(mapping, kind);
        const auto arena = kind.arena / kResidentPageBytes;
        const auto ofArena = layerOfRest({arena, pages.last}, kind.layer);
        const auto ofRest = layerOfRest({pages.first, arena}, kind.layer);
        LayerBytes inArena;
        eachResidentRun(mapping, [&](PageRange run) {
            addRun({run.first, std::min(run.last, arena)}, ofRest, bytes);
            addRun({std::max(run.first, arena), run.last}, ofArena, inArena);
        });
        bytes += inArena;
        if (arena < pages.last) {
            ++threadHeaps_.count;
            threadHeaps_.free += inArena[MemoryLayer::HeldFree] + inArena[MemoryLayer::Returnable];
        }
        const bool isOneLayer = arena == pages.last && ofRest != MemoryLayer::Returnable;
        fit(mapping.resident, isOneLayer ? ofRest : MemoryLayer::Unknown, bytes);
        return bytes;
    }
    /// The heaps in the mappings that were added so far.
    [[nodiscard]] const ThreadHeaps& threadHeaps() const { return threadHeaps_; }

  private:
    /// A heap is recognised by the blocks that it has had.
    [[nodiscard]] MemoryLayer layerOfRest(PageRange pages, MemoryLayer otherwise) const {
        return rows_.blocks.isHeapBefore(pages, readUntil_) ? MemoryLayer::Returnable : otherwise;
    }
    static PageRange pagesOf(const Mapping& mapping) {
        return {mapping.begin / kResidentPageBytes, mapping.end / kResidentPageBytes};
    }
    /// Whether rows of VirtualAlloc are the requests of a heap for this mapping. Windows never merges a heap with other
    /// memory.
    [[nodiscard]] bool isHeapInRows(const Mapping& mapping, const MappingKind& kind) const {
        return kind.mayBeHeapInRows && rows_.blocks.isHeapBefore(pagesOf(mapping), readUntil_);
    }
    /// Which pages are resident is not known, but all of them may be of the same kind.
    [[nodiscard]] MemoryLayer layerWithoutPages(const Mapping& mapping, const MappingKind& kind) const {
        const auto pages = pagesOf(mapping);
        const auto next = std::ranges::upper_bound(rows_.mapped, pages.first, {}, &PageRange::first);
        const bool isInRows = next != rows_.mapped.begin() && std::prev(next)->last >= pages.last;
        if (isInRows && !isHeapInRows(mapping, kind)) return MemoryLayer::Mapped;
        const auto layer = layerOfRest(pages, kind.layer);
        return layer == MemoryLayer::Returnable ? MemoryLayer::Unknown : layer;
    }

    void addRun(PageRange run, MemoryLayer rest, LayerBytes& bytes) {
        if (run.isEmpty()) return;
        if (!mayBeRows_) return addBlocks(run, rest, bytes);
        mapped_.split(
            run, [&](PageRange part) { bytes[MemoryLayer::Mapped] += bytesOf(part); },
            [&](PageRange part) { addBlocks(part, rest, bytes); });
    }
    void addBlocks(PageRange run, MemoryLayer rest, LayerBytes& bytes) {
        const auto addUse = [&](PageUse use) {
            bytes[MemoryLayer::Live] += use.live;
            bytes[MemoryLayer::Rounding] += use.rounding;
            bytes[MemoryLayer::HeldFree] += kResidentPageBytes - use.live - use.rounding;
        };
        whole_.split(
            run, [&](PageRange part) { bytes[MemoryLayer::Live] += bytesOf(part); },
            [&](PageRange part) {
                rows_.blocks.countIn(part, addUse, [&](PageRange gap) { addRest(gap, rest, bytes); });
            });
    }
    static auto adding(MemoryLayer layer, LayerBytes& bytes) {
        return [&bytes, layer](PageRange part) { bytes[layer] += bytesOf(part); };
    }
    void addRest(PageRange gap, MemoryLayer rest, LayerBytes& bytes) {
        const auto addUnexplained = [&](PageRange part) {
            rest == MemoryLayer::Unknown ? addChanged(part, bytes) : adding(rest, bytes)(part);
        };
        const auto addOther = [&](PageRange part) {
            agent_.split(part, adding(MemoryLayer::Highwater, bytes), [&](PageRange other) {
                images_.split(other, adding(MemoryLayer::Images, bytes), addUnexplained);
            });
        };
        if (!mayBeRows_) return addOther(gap);
        partlyMapped_.split(gap, adding(MemoryLayer::Mapped, bytes), addOther);
    }
    void addChanged(PageRange part, LayerBytes& bytes) {
        changedBlocks_.split(part, adding(MemoryLayer::Live, bytes), [&](PageRange other) {
            changedRows_.split(other, adding(MemoryLayer::Mapped, bytes), adding(MemoryLayer::Unknown, bytes));
        });
    }

    /// Pages are read a moment later than the resident size, which is right.
    static void fit(ByteCount resident, MemoryLayer missing, LayerBytes& bytes) {
        const auto sum = bytes.sum();
        if (sum <= resident) {
            bytes[missing] += resident - sum;
            return;
        }
        auto surplus = sum - resident;
        constexpr std::array kFirst{MemoryLayer::Returnable, MemoryLayer::HeldFree, MemoryLayer::Live,
                                    MemoryLayer::Rounding, MemoryLayer::Mapped};
        const auto take = [&](MemoryLayer layer) {
            const auto taken = std::min(surplus, bytes[layer]);
            bytes[layer] -= taken;
            surplus -= taken;
        };
        std::ranges::for_each(kFirst, take);
        std::ranges::for_each(allMemoryLayers(), take);
    }

    TraceTime readUntil_;
    Rows rows_;
    RangeCursor mapped_, whole_, partlyMapped_, agent_, images_, changedBlocks_, changedRows_;
    bool mayBeRows_ = true; ///< the pages of the mapping that is divided may be rows of VirtualAlloc
    ThreadHeaps threadHeaps_;
};

/// The part of `all` that `bytes` of `allBytes` have. Not above `all`; the product may need 128 bits.
ByteCount shareOf(ByteCount all, ByteCount bytes, ByteCount allBytes) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<ByteCount>(static_cast<Wide>(all) * bytes / allBytes);
}

/// Adds up the parts of one sample by layer and name.
class PartSums {
  public:
    explicit PartSums(PartsBy by) : by_(by) {}

    void add(const Mapping& mapping, const MappingKind& kind, const PartNames& names, const LayerBytes& bytes) {
        auto left = wholeOf(mapping);
        if (mapping.resident == 0) {
            const bool mayHaveBlocks = kind.layer == MemoryLayer::Returnable && mapping.swapped > 0;
            left.layer = mayHaveBlocks ? MemoryLayer::Live : kind.layer;
            return add(left, names);
        }
        for (const auto layer : allMemoryLayers()) {
            if (bytes[layer] == 0) continue;
            add(takeFrom(left, layer, bytes[layer]), names);
        }
    }
    [[nodiscard]] std::vector<BalancePart> sorted() const {
        std::vector<BalancePart> list;
        for (const auto& [key, part] : parts_)
            list.push_back(part);
        std::ranges::stable_sort(list, std::ranges::greater(), [](const BalancePart& part) {
            return std::tuple(part.resident, part.swapped, part.reserved);
        });
        return list;
    }

  private:
    static BalancePart wholeOf(const Mapping& mapping) {
        return {.name = {},
                .resident = mapping.resident,
                .proportional = mapping.proportional,
                .privateDirty = mapping.privateDirty,
                .swapped = mapping.swapped,
                .reserved = mapping.end - mapping.begin,
                .mappings = 1};
    }
    /// The last share is the remainder, so shares add up to the whole.
    static BalancePart takeFrom(BalancePart& left, MemoryLayer layer, ByteCount bytes) {
        const auto take = [bytes, all = left.resident](ByteCount& of) {
            const auto share = shareOf(of, bytes, all);
            of -= share;
            return share;
        };
        BalancePart part{.layer = layer, .name = {}, .resident = bytes, .mappings = 1};
        part.proportional = take(left.proportional);
        part.privateDirty = take(left.privateDirty);
        part.swapped = take(left.swapped);
        part.reserved = take(left.reserved);
        left.resident -= bytes;
        return part;
    }
    void add(const BalancePart& part, const PartNames& names) {
        const auto name = names.of(by_, part.layer);
        auto& sum = parts_[{part.layer, name}];
        sum.layer = part.layer;
        if (sum.name.empty()) sum.name = name;
        sum += part;
    }

    PartsBy by_;
    std::map<std::pair<MemoryLayer, std::string_view>, BalancePart> parts_;
};

} // namespace

BalancePoint ProcessMemory::pointAt(const ResidentSample& sample, const ImagePages& images, Free free,
                                    const Details& details) {
    const auto kinds = kindsOf(sample, unionOf(images.agent, images.others));
    MappingDivider divider(sample, images, {mapped_.merged(), partlyMapped_.merged(), blocks_, changed_});
    PartSums parts(PartsBy::Mapping), modules(PartsBy::Module);
    BalancePoint point{sample.time, sample.resident(), sample.swapped(), {}, {}};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const auto& mapping = sample.mappings[i];
        auto bytes = divider.divide(mapping, kinds[i]);
        if (free == Free::Unknown) {
            for (const auto layer : {MemoryLayer::HeldFree, MemoryLayer::Returnable})
                bytes[MemoryLayer::Unknown] += std::exchange(bytes[layer], 0);
        }
        point.layers += bytes;
        const PartNames names(sample.nameOf(mapping), kinds[i].module);
        if (details.parts != nullptr) parts.add(mapping, kinds[i], names, bytes);
        if (details.modules != nullptr) modules.add(mapping, kinds[i], names, bytes);
        if (details.peaks != nullptr) details.peaks->add(names, bytes);
    }
    if (free == Free::Known) point.threadHeaps = divider.threadHeaps();
    if (details.parts != nullptr) *details.parts = parts.sorted();
    if (details.modules != nullptr) *details.modules = modules.sorted();
    if (details.peaks != nullptr) details.peaks->endSample(point);
    return point;
}

} // namespace highwater::analysis
