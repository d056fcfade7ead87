#include "core/analysis/balance/mapping_kinds.h"

#include "core/base/text.h"
#include "core/event/mapping_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unordered_set>

namespace highwater::analysis {
namespace {

using namespace mapping_flag;

/// Memory that the system maps beside the program.
constexpr std::array<std::string_view, 6> kOfSystem{"[vdso]",    "[vvar",     "[vsyscall]",
                                                    "[vectors]", "[sigpage]", "[uprobes]"};

/// Names that a process gives its anonymous memory (PR_SET_VMA_ANON_NAME), by a part of it. The first that fits.
struct NamedMemory {
    std::string_view part; ///< in lower case
    MemoryLayer layer;     ///< Returnable: the heap of an allocator
};
constexpr std::array<NamedMemory, 23> kNamedMemory{{
    {"stack", MemoryLayer::Stacks}, // "glibc: pthread stack: 12", "stack_and_tls:12"
    {".bss", MemoryLayer::Images},
    {"glibc: loader malloc", MemoryLayer::Images},
    {"malloc", MemoryLayer::Returnable}, // "glibc: malloc arena", "libc_malloc", "WebKit Malloc"
    {"jemalloc", MemoryLayer::Returnable},
    {"tcmalloc", MemoryLayer::Returnable},
    {"mimalloc", MemoryLayer::Returnable},
    {"scudo", MemoryLayer::Returnable},
    {"partition_alloc", MemoryLayer::Returnable},
    {"v8", MemoryLayer::Code},
    {"js", MemoryLayer::Code},
    {"jit", MemoryLayer::Code},
    {"dalvik", MemoryLayer::Code},
    {"go:", MemoryLayer::Code},
    {"java", MemoryLayer::Code},
    {"jvm", MemoryLayer::Code},
    {"hotspot", MemoryLayer::Code},
    {"clr", MemoryLayer::Code},
    {"dotnet", MemoryLayer::Code},
    {"python", MemoryLayer::Code},
    {"ruby", MemoryLayer::Code},
    {"lua", MemoryLayer::Code},
    {"hermes", MemoryLayer::Code},
}};

bool beginsWithAny(std::string_view name, std::span<const std::string_view> starts) {
    return std::ranges::any_of(starts, [&](std::string_view start) { return name.starts_with(start); });
}

std::optional<MemoryLayer> layerOfNamedMemory(std::string_view name) {
    if (!name.starts_with("[anon")) return std::nullopt;
    const auto text = lowered(name);
    for (const auto& [part, layer] : kNamedMemory) {
        if (text.find(part) != std::string::npos) return layer;
    }
    return std::nullopt;
}

bool isInaccessible(const Mapping& mapping) { return (mapping.flags & (kRead | kWrite | kExecute)) == 0; }

/// Finds the kinds of one sample, whose mappings depend on each other.
class KindFinder {
  public:
    KindFinder(const ResidentSample& sample, const PageRanges& images) : sample_(sample), images_(images) {
        for (const auto& mapping : sample.mappings) {
            if ((mapping.flags & kExecute) != 0 && (mapping.flags & kFile) != 0)
                withCode_.insert(sample.nameOf(mapping));
        }
    }

    [[nodiscard]] MappingKind kindOf(std::size_t i) const {
        const auto& mapping = sample_.mappings[i];
        MappingKind kind{MemoryLayer::Unknown, false, mapping.end, isOfWindows(mapping), {}};
        if (const auto layer = layerByName(mapping)) {
            kind.layer = *layer;
            kind.isDivided = layer == MemoryLayer::Returnable && isAnonymous(sample_, mapping);
            return kind;
        }
        kind.isDivided = !isInaccessible(mapping);
        if (kind.isDivided) {
            kind.layer = layerByNeighbour(i);
            kind.arena = arenaIn(i);
        } else if (i > 0 && arenaIn(i - 1) != sample_.mappings[i - 1].end) {
            kind.layer = MemoryLayer::Returnable; // the rest of an arena
        }
        return kind;
    }
    /// `below`: the kind of the mapping before. Data of a module that is not in its file follows the rest directly.
    [[nodiscard]] std::string_view moduleOf(std::size_t i, const MappingKind& kind, const MappingKind& below) const {
        const auto& mapping = sample_.mappings[i];
        const std::string_view name = sample_.nameOf(mapping);
        if ((mapping.flags & kFile) != 0) return isOfModules(kind.layer) ? name : std::string_view();
        // Other names, such as [vdso], are of the system.
        const bool mayBeData = (mapping.flags & kShared) == 0 && (name.empty() || name.starts_with("[anon"));
        const bool isBuffer = kind.layer == MemoryLayer::Highwater && below.layer != MemoryLayer::Highwater;
        const bool follows = i > 0 && sample_.mappings[i - 1].end == mapping.begin;
        return mayBeData && follows && !isBuffer ? below.module : std::string_view();
    }

  private:
    [[nodiscard]] bool isOfWindows(const Mapping& mapping) const { return sample_.nameOf(mapping) == kPrivateMemory; }
    /// Nothing: private memory whose name does not indicate its use.
    [[nodiscard]] std::optional<MemoryLayer> layerByName(const Mapping& mapping) const {
        const std::string_view name = sample_.nameOf(mapping);
        if (isAgentMapping(name)) return MemoryLayer::Highwater;
        if (name == "[heap]") return MemoryLayer::Returnable;
        if (name.starts_with("[stack")) return MemoryLayer::Stacks; // also kStackMemory
        if (beginsWithAny(name, kOfSystem)) return MemoryLayer::Images;
        if (!isAnonymous(sample_, mapping)) return layerOfFile(mapping);
        if ((mapping.flags & kExecute) != 0) return MemoryLayer::Code;
        return layerOfNamedMemory(name);
    }
    /// Files, and memory that can be shared. A runtime writes code through a second mapping of the same shared memory.
    [[nodiscard]] MemoryLayer layerOfFile(const Mapping& mapping) const {
        const std::string_view name = sample_.nameOf(mapping);
        const bool hasCode = withCode_.contains(name);
        if (isInImage(mapping) || name == kUnnamedImage) return MemoryLayer::Images;
        if (isSharedMemoryName(name)) return hasCode ? MemoryLayer::Code : MemoryLayer::Shared;
        if (hasCode) return MemoryLayer::Images;
        if ((mapping.flags & kFile) != 0) return MemoryLayer::Files;
        return (mapping.flags & kExecute) != 0 ? MemoryLayer::Code : MemoryLayer::Shared;
    }
    [[nodiscard]] bool isInImage(const Mapping& mapping) const {
        const auto page = mapping.begin / kResidentPageBytes;
        const auto next = std::ranges::upper_bound(images_, page, {}, &PageRange::first);
        return next != images_.begin() && std::prev(next)->last > page;
    }
    /// The stack of a thread is above a guard. Data of a module that is not in its file (.bss) follows the rest.
    [[nodiscard]] MemoryLayer layerByNeighbour(std::size_t i) const {
        constexpr ByteCount kLargestGuard = 64 * 1024;
        constexpr ByteCount kMostAgentData = 1024 * 1024; // a larger mapping is merged with memory of the program
        if (i == 0 || isOfWindows(sample_.mappings[i])) return MemoryLayer::Unknown;
        const auto& below = sample_.mappings[i - 1];
        if (below.end != sample_.mappings[i].begin) return MemoryLayer::Unknown;
        if (isAnonymous(sample_, below))
            return isInaccessible(below) && below.end - below.begin <= kLargestGuard ? MemoryLayer::Stacks
                                                                                     : MemoryLayer::Unknown;
        if (isAgentMapping(sample_.nameOf(below))) {
            const auto bytes = sample_.mappings[i].end - below.end;
            return !isInImage(below) && bytes <= kMostAgentData ? MemoryLayer::Highwater : MemoryLayer::Unknown;
        }
        // If the loader has reported the range of the module, its pages are known.
        const bool isModule = withCode_.contains(sample_.nameOf(below)) && !isInImage(below);
        return isModule ? MemoryLayer::Images : MemoryLayer::Unknown;
    }
    /// A heap of glibc for threads begins at a multiple of 64 MB, and the rest of these 64 MB is inaccessible. Another
    /// mapping may end there, and be one with it.
    [[nodiscard]] Address arenaIn(std::size_t i) const {
        constexpr Address kArenaBytes = Address{64} << 20;
        const auto& mapping = sample_.mappings[i];
        const auto start = (mapping.end - 1) / kArenaBytes * kArenaBytes;
        const auto used = mapping.end - start;
        if (isInaccessible(mapping) || !isAnonymous(sample_, mapping) || start < mapping.begin || used == kArenaBytes ||
            i + 1 == sample_.mappings.size() || isOfWindows(mapping))
            return mapping.end;
        const auto& rest = sample_.mappings[i + 1];
        const bool isRest = rest.begin == mapping.end && isInaccessible(rest) && isAnonymous(sample_, rest) &&
                            rest.end - rest.begin >= kArenaBytes - used;
        return isRest ? start : mapping.end;
    }

    const ResidentSample& sample_;
    const PageRanges& images_;
    std::unordered_set<std::string_view> withCode_; ///< names of files with an executable mapping
};

/// The instance from which a process was forked; null: it is not a fork, or has executed another program.
const store::ProcessInstance* forkedFrom(const store::ProcessTable& processes, const store::ProcessInstance& process) {
    if (!process.isFork || !process.forkName.empty()) return nullptr;
    const auto& all = processes.processes();
    const auto found = std::ranges::find_if(all, [&](const store::ProcessInstance& other) {
        return other.pid == process.parentPid && other.start <= process.start && process.start <= other.end;
    });
    return found == all.end() || &*found == &process ? nullptr : &*found;
}

/// A fork keeps the modules of its parent, which are not reported again.
void addImages(const store::ProcessTable& processes, const store::ProcessInstance& process, TraceTime time,
               int mostForks, ImagePages& pages) {
    for (const auto& image : process.images) {
        if (image.loaded > time || image.unloaded <= time) continue;
        const auto& path = processes.module(image.module).path;
        (isAgentMapping(path) ? pages.agent : pages.others).push_back(pagesOf(image.base, image.size));
    }
    const auto* const parent = mostForks > 0 ? forkedFrom(processes, process) : nullptr;
    if (parent != nullptr) addImages(processes, *parent, process.start, mostForks - 1, pages);
}

} // namespace

bool isAnonymous(const ResidentSample& sample, const Mapping& mapping) {
    const auto& name = sample.nameOf(mapping);
    if ((mapping.flags & kShared) != 0) return false;
    return name == kZeroDevice || ((mapping.flags & kFile) == 0 && !name.starts_with('/'));
}

std::vector<MappingKind> kindsOf(const ResidentSample& sample, const PageRanges& images) {
    const KindFinder finder(sample, images);
    std::vector<MappingKind> kinds;
    kinds.reserve(sample.mappings.size());
    for (std::size_t i = 0; i < sample.mappings.size(); ++i) {
        auto kind = finder.kindOf(i);
        kind.module = finder.moduleOf(i, kind, kinds.empty() ? MappingKind() : kinds.back());
        kinds.push_back(kind);
    }
    return kinds;
}

ImagePages imagesAt(const store::ProcessTable& processes, ProcessIndex process, TraceTime time) {
    constexpr int kMostForks = 16;
    ImagePages pages;
    addImages(processes, processes[process], time, kMostForks, pages);
    return {unionOf(std::move(pages.agent)), unionOf(std::move(pages.others))};
}

} // namespace highwater::analysis
