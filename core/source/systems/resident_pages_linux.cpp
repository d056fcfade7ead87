#include "core/source/systems/resident_pages_linux.h"

#include "core/files/owned_file_linux.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace highwater::source {
namespace {

// From linux/fs.h, which older systems have without them.

struct PageRegion {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t categories = 0;
};
struct PageScan {
    std::uint64_t size = sizeof(PageScan);
    std::uint64_t flags = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t walkEnd = 0; ///< where the kernel stopped
    std::uint64_t regions = 0; ///< address of PageRegion
    std::uint64_t mostRegions = 0;
    std::uint64_t mostPages = 0;
    std::uint64_t inverted = 0; ///< categories that a page must not have
    std::uint64_t asked = 0;    ///< categories that decide
    std::uint64_t askedAny = 0;
    std::uint64_t returned = 0;
};
static_assert(sizeof(PageScan) == 96);
constexpr unsigned long kPagemapScan = _IOWR('f', 16, PageScan);
constexpr std::uint64_t kIsPresent = 1u << 3, kIsSwapped = 1u << 4, kIsSharedZero = 1u << 5;

constexpr std::uint64_t kPresentBit = std::uint64_t{1} << 63, kSwappedBit = std::uint64_t{1} << 62;
constexpr std::size_t kRegionsAtOnce = 4096;
constexpr std::size_t kRoomNumbers = kRegionsAtOnce * sizeof(PageRegion) / sizeof(std::uint64_t);

std::uint64_t pageBytes() {
    static const auto bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return bytes;
}

PageScan scanOf(Address begin, Address end, std::uint64_t wanted, std::vector<std::uint64_t>& room) {
    PageScan scan;
    scan.start = begin;
    scan.end = end;
    scan.regions = reinterpret_cast<std::uintptr_t>(room.data());
    scan.mostRegions = kRegionsAtOnce;
    scan.asked = kIsSharedZero;
    scan.inverted = kIsSharedZero;
    scan.askedAny = wanted;
    scan.returned = wanted;
    return scan;
}

} // namespace

ResidentPages::By ResidentPages::best() {
    static const By best = [] {
        const OwnedFile own(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
        const bool canScan = own.isOpen() && ResidentPages(own.number(), By::Scan).of(0, pageBytes());
        return canScan ? By::Scan : By::Bits;
    }();
    return best;
}

std::optional<ResidentRuns> ResidentPages::of(Address begin, Address end) {
    room_.resize(kRoomNumbers);
    RunJoiner runs(begin);
    if (!(by_ == By::Scan ? scan(begin, end, runs) : readBits(begin, end, runs))) return std::nullopt;
    return runs.take();
}

/// The kernel's walkEnd may be before the end of the last region (seen in 6.18), and even if all were found.
bool ResidentPages::scan(Address begin, Address end, RunJoiner& runs) {
    const auto wanted = which_ == Which::Touched ? kIsPresent | kIsSwapped : kIsPresent;
    for (auto from = begin; from < end;) {
        auto scan = scanOf(from, end, wanted, room_);
        const int found = ::ioctl(pagemap_, kPagemapScan, &scan);
        if (found < 0) return false;
        const auto* regions = reinterpret_cast<const PageRegion*>(room_.data());
        for (int i = 0; i < found; ++i)
            runs.add(regions[i].start, std::min<Address>(regions[i].end, end));
        if (static_cast<std::size_t>(found) < kRegionsAtOnce) return true;
        from = std::max<Address>(scan.walkEnd, regions[found - 1].end);
    }
    return true;
}

bool ResidentPages::readBits(Address begin, Address end, RunJoiner& runs) {
    const auto bytes = pageBytes();
    if ((end - begin) / bytes > kMostPagesByBits) return false;
    const auto asked = which_ == Which::Touched ? kPresentBit | kSwappedBit : kPresentBit;
    for (auto from = begin; from < end;) {
        const auto wanted = std::min<std::uint64_t>((end - from) / bytes, room_.size());
        const auto got = ::pread(pagemap_, room_.data(), wanted * sizeof(std::uint64_t),
                                 static_cast<off_t>(from / bytes * sizeof(std::uint64_t)));
        if (got < static_cast<ssize_t>(sizeof(std::uint64_t))) return false;
        const auto pages = static_cast<std::uint64_t>(got) / sizeof(std::uint64_t);
        for (std::uint64_t i = 0; i < pages; ++i)
            if ((room_[i] & asked) != 0) runs.add(from + i * bytes, from + (i + 1) * bytes);
        from += pages * bytes;
    }
    return true;
}

bool ResidentPages::isAlive(Address address) const {
    std::uint64_t bits = 0;
    return ::pread(pagemap_, &bits, sizeof(bits), static_cast<off_t>(address / pageBytes() * sizeof(bits))) ==
           static_cast<ssize_t>(sizeof(bits));
}

} // namespace highwater::source
