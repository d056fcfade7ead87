#include "core/source/systems/copied_process.h"

#include "core/base/text.h"
#include "core/base/within_memory.h"
#include "core/source/systems/region_names.h"
#include "core/source/systems/run_joiner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace highwater::source {
namespace {

using Kind = MemoryRegion::Kind;

/// Readable memory of the process.
struct Part {
    Address begin = 0;
    Address end = 0;
    bool isWritable = false;
    bool isLost = false;            ///< it could not be read
    std::vector<std::byte> bytes{}; ///< empty: it is read when it is asked for
};

/// A copy that was made while all threads were stopped.
class CopiedProcess final : public ProcessCopy {
  public:
    [[nodiscard]] std::optional<std::int64_t> ticks() const override { return ticks_; }
    [[nodiscard]] const ResidentSample& mappings() const override { return mappings_; }
    [[nodiscard]] const std::vector<CopiedThread>& threads() const override { return threads_; }
    [[nodiscard]] std::uint32_t unreadThreads() const override { return unreadThreads_; }
    [[nodiscard]] std::size_t read(Address from, std::span<std::byte> to) const override {
        std::size_t done = 0;
        while (done < to.size() && from + done >= from) {
            const auto wanted = to.subspan(done, std::min(to.size() - done, reachOf(from + done)));
            const auto got = readWithin(from + done, wanted);
            done += got;
            if (wanted.empty() || got < wanted.size()) break;
        }
        return done;
    }

    std::optional<std::int64_t> ticks_;
    ResidentSample mappings_;
    std::vector<CopiedThread> threads_;
    std::uint32_t unreadThreads_ = 0;
    std::vector<Part> parts_;                   ///< by address
    std::unique_ptr<StoppableProcess> process_; ///< read_ may read it
    StoppableProcess::Read read_;

  private:
    /// The first part that ends above the address.
    [[nodiscard]] std::vector<Part>::const_iterator partAfter(Address address) const {
        return std::ranges::upper_bound(parts_, address, {}, &Part::end);
    }
    /// Bytes from the address on that are all in one part, or all in no part of a mapping whose pages are known; 0:
    /// neither.
    [[nodiscard]] std::size_t reachOf(Address address) const {
        const auto part = partAfter(address);
        if (part != parts_.end() && part->begin <= address) return part->isLost ? 0 : part->end - address;
        const auto mapping = std::ranges::upper_bound(mappings_.mappings, address, {}, &Mapping::end);
        if (mapping == mappings_.mappings.end() || mapping->begin > address) return 0;
        if ((mapping->flags & mapping_flag::kPages) == 0) return 0;
        return (part == parts_.end() ? mapping->end : std::min(part->begin, mapping->end)) - address;
    }
    [[nodiscard]] std::size_t readWithin(Address from, std::span<std::byte> to) const {
        const auto part = partAfter(from);
        if (part == parts_.end() || part->begin > from) {
            std::ranges::fill(to, std::byte{0});
            return to.size();
        }
        if (part->bytes.empty()) return read_(from, to);
        std::memcpy(to.data(), part->bytes.data() + (from - part->begin), to.size());
        return to.size();
    }
};

/// Each heap of Windows consists of segments, which begin with a header (_HEAP_SEGMENT, or _SEGMENT_HEAP of the newer
/// kind) that has its signature at the same place in all versions.
bool isHeapSegment(Address begin, const StoppableProcess& process) {
    constexpr Address kSignatureAt = 16;
    constexpr std::uint32_t kSegment = 0xFFEE'FFEE, kSegmentHeap = 0xDDEE'DDEE;
    std::uint32_t signature = 0;
    const auto got = process.read(begin + kSignatureAt, std::as_writable_bytes(std::span(&signature, 1)));
    return got == sizeof signature && (signature == kSegment || signature == kSegmentHeap);
}

/// Lists the mappings and the readable parts of a stopped process.
class LayoutReader {
  public:
    LayoutReader(StoppableProcess& process, const std::vector<MemoryRegion>& regions)
        : process_(process), regions_(regions), names_(process.regions(), regions) {}

    void readInto(CopiedProcess& copy) {
        for (std::size_t i = 0, next = 0; i < regions_.size(); i = next) {
            next = i + 1;
            while (next < regions_.size() && isSameAllocation(regions_[next - 1], regions_[next]))
                ++next;
            addMapping(std::span(regions_).subspan(i, next - i), copy);
        }
        copy.mappings_.names = names_.takeNames();
        copy.mappings_.pid = process_.pid();
    }

  private:
    [[nodiscard]] static bool isSameAllocation(const MemoryRegion& region, const MemoryRegion& next) {
        return region.kind == Kind::Private && next.kind == Kind::Private && region.end == next.begin &&
               region.allocation == next.allocation;
    }
    [[nodiscard]] static bool isReadable(const MemoryRegion& region) {
        return region.isCommitted && !region.isGuard && (region.access & mapping_flag::kRead) != 0;
    }
    void addMapping(std::span<const MemoryRegion> regions, CopiedProcess& copy) {
        auto mapping = names_.mappingOf(regions.front());
        RunJoiner pages(mapping.begin);
        for (const auto& region : regions) {
            mapping.end = region.end;
            if (!isReadable(region)) continue;
            mapping.flags |= region.access;
            pages.add(region.begin, region.end);
            copy.parts_.push_back({region.begin, region.end, (region.access & mapping_flag::kWrite) != 0});
        }
        if (regions.front().kind == Kind::Private) {
            mapping.pages = pages.take();
            mapping.flags |= mapping_flag::kPages;
            if (!names_.isOfStack(regions.front()) && isHeapSegment(mapping.begin, process_))
                mapping.name = names_.numberOf("[heap]");
        }
        copy.mappings_.mappings.push_back(std::move(mapping));
    }

    StoppableProcess& process_;
    const std::vector<MemoryRegion>& regions_;
    RegionNames names_;
};

/// Continues the threads, whatever happens.
class StoppedThreads {
  public:
    explicit StoppedThreads(StoppableProcess& process) : process_(process) {}
    ~StoppedThreads() { process_.resume(); }
    StoppedThreads(const StoppedThreads&) = delete;
    StoppedThreads& operator=(const StoppedThreads&) = delete;

    /// Threads that still run may start others, so this ends only when the system lists no new one.
    void stopAll() {
        constexpr int kMostRounds = 100; // of a program that starts threads faster than they can be stopped
        bool isAnyNew = true;
        for (int round = 0; isAnyNew && round < kMostRounds; ++round) {
            isAnyNew = false;
            for (const auto tid : process_.threads()) {
                if (!known_.insert(tid).second) continue;
                isAnyNew = true;
                const auto stopped = process_.stop(tid);
                if (stopped == StoppableProcess::Stop::Stopped) stopped_.push_back(tid);
                if (stopped == StoppableProcess::Stop::Refused) ++refused_;
            }
        }
        if (isAnyNew) ++refused_;
    }
    void readInto(CopiedProcess& copy) const {
        copy.unreadThreads_ = refused_;
        for (const auto tid : stopped_) {
            if (auto state = process_.stateOf(tid))
                copy.threads_.push_back(*std::move(state));
            else
                ++copy.unreadThreads_;
        }
    }

  private:
    StoppableProcess& process_;
    std::set<std::uint32_t> known_;
    std::vector<std::uint32_t> stopped_;
    std::uint32_t refused_ = 0;
};

Error notCopied(const StoppableProcess& process, ErrorKind kind, std::string_view why) {
    return {kind, fmt::format("{} was not copied because {}", process.title(), why)};
}

/// Copies the part from `at` on into pieces of their own, because pages may be unreadable.
void copyPart(const StoppableProcess& process, const Part& part, std::vector<Part>& to) {
    constexpr ByteCount kPieceBytes = 16 << 20;
    for (auto at = part.begin; at < part.end;) {
        Part piece{at, std::min(part.end, at + kPieceBytes), true};
        piece.bytes.resize(piece.end - at);
        const auto got = process.read(at, piece.bytes) / kResidentPageBytes * kResidentPageBytes;
        if (got == 0) {
            to.push_back({at, at + kResidentPageBytes, true, true});
            at += kResidentPageBytes;
            continue;
        }
        piece.bytes.resize(got);
        at = piece.end = at + got;
        to.push_back(std::move(piece));
    }
}

/// `why`: why there is no clone.
Result<void> copyBytes(const StoppableProcess& process, CopiedProcess& copy, std::string_view why, ByteCount most,
                       const std::stop_token& stop) {
    ByteCount writable = 0;
    for (const auto& part : copy.parts_)
        if (part.isWritable) writable += part.end - part.begin;
    if (writable > most)
        return notCopied(process, ErrorKind::Unsupported,
                         fmt::format("Windows did not clone it ({}). Without a clone, Highwater only copies programs "
                                     "with at most {} of writable memory, and this one has {}. Take the picture while "
                                     "the program uses less memory.",
                                     why, bytesText(most), bytesText(writable)));
    std::vector<Part> parts;
    for (const auto& part : copy.parts_) {
        if (stop.stop_requested()) return notCopied(process, ErrorKind::Cancelled, "a stop was requested.");
        if (part.isWritable)
            copyPart(process, part, parts);
        else
            parts.push_back(part);
    }
    copy.parts_ = std::move(parts);
    copy.read_ = [&process](Address from, std::span<std::byte> to) { return process.read(from, to); };
    return {};
}

Result<std::unique_ptr<ProcessCopy>> makeCopy(std::unique_ptr<StoppableProcess> process,
                                              const std::function<std::int64_t()>& clock, const std::stop_token& stop,
                                              ByteCount mostCopied) {
    auto copy = std::make_unique<CopiedProcess>();
    {
        StoppedThreads threads(*process);
        threads.stopAll();
        if (clock) copy->ticks_ = clock();
        threads.readInto(*copy);
        const auto regions = regionsOf(process->regions());
        if (regions.empty()) return notCopied(*process, ErrorKind::NotFound, "it has ended.");
        if (copy->threads_.empty())
            return notCopied(*process, ErrorKind::AccessDenied, "Windows did not stop its threads.");
        if (regions.size() >= kMostSampledRegions)
            return notCopied(*process, ErrorKind::Unsupported,
                             fmt::format("its memory has {} regions or more.", kMostSampledRegions));
        LayoutReader(*process, regions).readInto(*copy);
        if (stop.stop_requested()) return notCopied(*process, ErrorKind::Cancelled, "a stop was requested.");
        auto clone = process->clone();
        if (clone.hasValue())
            copy->read_ = std::move(clone).value();
        else
            TRY(copyBytes(*process, *copy, clone.error().message, mostCopied, stop));
    }
    copy->process_ = std::move(process);
    return std::unique_ptr<ProcessCopy>(std::move(copy));
}

} // namespace

Result<std::unique_ptr<ProcessCopy>> copyStopped(std::unique_ptr<StoppableProcess> process,
                                                 const std::function<std::int64_t()>& clock,
                                                 const std::stop_token& stop, ByteCount mostCopied) {
    return withinMemory([&] { return makeCopy(std::move(process), clock, stop, mostCopied); });
}

} // namespace highwater::source
