#include "core/pipeline/index/index_check.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace highwater::pipeline {
namespace {

using store::ChunkedColumn, store::CodeColumns, store::CodeEntry, store::ProcessTable;

/// Number of epochs that leave no trace in an index: executed programs, unloaded images.
constexpr std::uint64_t kMostHiddenEpochs = std::uint64_t{1} << 16;

bool isTimes(TimeRange range) { return isTimeOrNone(range.start) && isTimeOrNone(range.end); }

/// Bytes other than 0 and 1 are not valid truth values, and reading them as bool is undefined behaviour.
bool isTruth(const void* value) {
    unsigned char byte = 0;
    std::memcpy(&byte, value, 1);
    return byte <= 1;
}

// Stacks, sites and heaps.

struct StackCheck {
    const store::PublishedTrace& trace;
    bool areRight = true;

    template <typename Cell>
    void operator()(const ChunkedColumn<Cell>& column) {
        if constexpr (requires(const Cell& cell) { cell.leaf; })
            for (std::uint64_t i = 0; i < trace.stackCount && areRight; ++i)
                areRight = column[i].leaf < trace.nodeCount;
    }
};

bool areNodesRight(const store::PublishedTrace& trace) {
    const auto processes = trace.processes->processes().size();
    const auto& stacks = trace.columns->stacks;
    return holdsForAll(trace.nodeCount, [&](std::uint64_t first, std::uint64_t last) {
        for (auto i = std::max<std::uint64_t>(first, 1); i < last; ++i) {
            const auto& node = stacks.node(FrameNodeId{static_cast<std::uint32_t>(i)});
            if (node.parent.value >= i) return false; // also prevents cycles
            const bool isRoot = node.parent.value == 0;
            if (isRoot && unpackRoot(node).process.value >= processes) return false;
            if (node.depth != (isRoot ? 0 : stacks.node(node.parent).depth + 1)) return false;
        }
        return true;
    });
}

bool areStacksRight(const store::PublishedTrace& trace) {
    StackCheck check{trace};
    store::StackTable::eachColumn(trace.columns->stacks, check);
    return trace.stackCount > 0 && trace.nodeCount > 0 && check.areRight && areNodesRight(trace);
}

enum class SiteOf { Begin, End };

bool areSitesRight(const store::SiteTable& sites, std::uint32_t count, SiteOf of, const store::PublishedTrace& trace) {
    const auto heaps = trace.columns->heaps.size();
    return holdsForAll(count, [&](std::uint64_t first, std::uint64_t last) {
        for (; first < last; ++first) {
            const auto& site = sites[SiteId{static_cast<std::uint32_t>(first)}];
            const bool isKind = of == SiteOf::Begin || site.kind < store::kEndKinds;
            if (site.stack.value >= trace.stackCount || site.heap.value >= heaps || !isKind) return false;
        }
        return true;
    });
}

bool areHeapsRight(const store::PublishedTrace& trace) {
    const auto& heaps = trace.columns->heaps;
    const auto processes = std::max<std::size_t>(trace.processes->processes().size(), 1); // the placeholder refers to
                                                                                          // one
    for (std::uint64_t i = 0; i < heaps.size(); ++i)
        if (heaps[i].process.value >= processes) return false;
    return true;
}

bool isTableRight(const store::TableView& view, const store::PublishedTrace& trace) {
    return (view.rows == 0 || !trace.processes->processes().empty()) &&
           areSitesRight(view.columns->sites, view.sites, SiteOf::Begin, trace) &&
           areSitesRight(view.columns->endSites, view.endSites, SiteOf::End, trace) && areRowsRight(view);
}

// Events and blocks that are not rows.

bool areEventsRight(const store::PublishedTrace& trace) {
    const auto& names = *trace.columns->names;
    for (std::uint64_t i = 0; i < trace.heapEvents; ++i) {
        const auto& event = names.heapEvents[i];
        if (!isTimeOrNone(event.time) || event.stack.value >= trace.stackCount ||
            static_cast<std::size_t>(event.operation) >= kMemoryOperationCount)
            return false;
    }
    for (std::uint64_t i = 0; i < trace.addressEvents; ++i) {
        const auto& event = names.addressEvents[i];
        if (!isTimeOrNone(event.time) || event.kind > store::AddressEvent::Kind::StackEnded) return false;
    }
    return holdsForAll(trace.snapshotBlocks, [&](std::uint64_t first, std::uint64_t last) {
        for (; first < last; ++first)
            if (names.snapshotBlocks[first].site.value >= trace.heap.sites) return false;
        return true;
    });
}

bool areSnapshotsRight(const store::PublishedTrace& trace) {
    if (trace.snapshotBlocks > 0 && trace.processes->processes().empty()) return false;
    if (!trace.snapshots) return true;
    std::uint32_t before = 0;
    for (const auto& snapshot : *trace.snapshots) {
        if (snapshot.number <= before || !isIndexedTime(snapshot.time)) return false;
        before = snapshot.number;
    }
    return before <= std::numeric_limits<std::uint32_t>::max() / 2; // later instants get higher numbers
}

/// Null in the list would be a sample or picture that is not there.
bool areMeasurementsRight(const auto& list) {
    return !list || std::ranges::all_of(*list, [](const auto& measured) {
        return measured && isIndexedTime(measured->time) && isValid(*measured);
    });
}

// Code.

/// The places in a column of NUL-terminated texts where one text may begin, and where two may begin.
struct TextPlaces {
    explicit TextPlaces(const ChunkedColumn<char>& text) {
        if (text.size() == 0 || text[text.size() - 1] != '\0') return;
        one = text.size();
        auto at = text.size() - 1;
        while (at > 0 && text[at - 1] != '\0')
            --at;
        two = at;
    }
    std::uint64_t one = 0; ///< exclusive limit
    std::uint64_t two = 0;
};

bool isEntryRight(const CodeEntry& entry, const TextPlaces& places, const store::PublishedTrace& trace) {
    using Kind = CodeEntry::Kind;
    const auto& processes = trace.processes->processes();
    if (!isTruth(&entry.isPrecompiled)) return false;
    switch (entry.kind) {
    case Kind::ModuleName:
        return entry.text < places.one;
    case Kind::ModulePdb:
        return entry.size < trace.processes->modules().size();
    case Kind::Function:
    case Kind::EarlierFunction:
    case Kind::EntryPoint:
        if (entry.text >= places.two) return false;
        [[fallthrough]];
    case Kind::Nothing:
    case Kind::Runtime:
        return entry.process.value < processes.size() && entry.firstEpoch <= processes[entry.process.value].epoch;
    }
    return false;
}

bool areMethodsRight(const CodeColumns& code, const store::PublishedTrace& trace) {
    const auto bodies = trace.codeMethods + trace.codeIlMaps;
    for (std::uint64_t i = 0; i < trace.codeMethods; ++i)
        if (code.methods[i].entry >= trace.codeEntries || code.methods[i].body >= bodies) return false;
    for (std::uint64_t i = 0; i < trace.codeIlMaps; ++i) {
        const auto& map = code.maps[i];
        if (map.body >= bodies || map.at > code.ilMaps.size() || map.bytes > code.ilMaps.size() - map.at) return false;
    }
    return true;
}

bool areNamesRight(const CodeColumns& code, const TextPlaces& places, const store::PublishedTrace& trace) {
    for (std::uint64_t i = 0; i < trace.codeNamed; ++i) {
        const auto& named = code.named[i];
        const auto functions = code.functions.size();
        if (named.process.value >= trace.processes->processes().size() || named.first > functions ||
            named.count > functions - named.first)
            return false;
    }
    for (std::uint64_t i = 0; i < code.functions.size(); ++i) {
        const auto& function = code.functions[i];
        if (function.name >= places.one || (function.file != store::NamedFrame::kNoText && function.file >= places.one))
            return false;
    }
    return true;
}

bool isCodeRight(const store::PublishedTrace& trace) {
    const auto& code = trace.columns->names->code;
    const TextPlaces places(code.text);
    for (std::uint64_t i = 0; i < trace.codeEntries; ++i)
        if (!isEntryRight(code.entries[i], places, trace)) return false;
    return areMethodsRight(code, trace) && areNamesRight(code, places, trace);
}

struct TypeCheck {
    const ChunkedColumn<std::uint32_t>* starts = nullptr;
    const ChunkedColumn<char>* text = nullptr;
    void operator()(const ChunkedColumn<std::uint32_t>& column) { starts = &column; }
    void operator()(const ChunkedColumn<char>& column) { text = &column; }
};

bool areTypesRight(const store::ManagedTypes& types) {
    TypeCheck check;
    store::ManagedTypes::eachColumn(types, check);
    const TextPlaces places(*check.text);
    for (std::uint64_t i = 0; i < check.starts->size(); ++i)
        if ((*check.starts)[i] >= places.one) return false;
    return true;
}

// Processes and threads.

bool isImageRight(const store::LoadedImage& image, const store::ProcessInstance& process, std::size_t modules) {
    const auto most = std::uint64_t{process.epoch} + 1;
    const bool goesOn = image.lastEpoch == std::numeric_limits<std::uint32_t>::max();
    return image.module.value < modules && isTimeOrNone(image.loaded) && isTimeOrNone(image.unloaded) &&
           image.firstEpoch <= most && (goesOn || image.lastEpoch <= most);
}

/// Readers build indexes of all epochs of a process table. It must not claim more epochs than possible.
bool areProcessesRight(const store::PublishedTrace& trace) {
    const auto modules = trace.processes->modules().size();
    std::uint64_t epochs = 0, images = 0;
    for (const auto& process : trace.processes->processes()) {
        if (!isTimeOrNone(process.start) || !isTimeOrNone(process.end)) return false;
        epochs += process.epoch;
        images += process.images.size();
        for (const auto& image : process.images)
            if (!isImageRight(image, process, modules)) return false;
    }
    return epochs <= images + trace.codeEntries + kMostHiddenEpochs;
}

/// For the maps and lists that a table has for its readers.
struct MapsWithin {
    bool areRight = true;
    std::size_t processes = 0;

    void operator()(const std::vector<store::ProcessInstance>& list, const std::vector<store::Module>&,
                    const auto& latestOfPid, const store::VolumeNames&, const Guid&) {
        for (const auto& [pid, process] : latestOfPid)
            areRight = areRight && process < list.size();
    }
    void operator()(const auto& ofThreads, const std::vector<std::shared_ptr<const std::string>>& names) {
        areRight = areRight && !names.empty() && std::ranges::none_of(names, [](const auto& name) { return !name; });
        for (const auto& [thread, name] : ofThreads)
            areRight = areRight && name.value < names.size();
    }
};

bool areMapsRight(const store::PublishedTrace& trace) {
    MapsWithin check;
    ProcessTable::forReaders(*trace.processes, check);
    if (trace.threadNames) store::ThreadNames::forReaders(*trace.threadNames, check);
    return check.areRight;
}

bool isHealthRight(const store::PublishedTrace& trace) {
    const auto& health = trace.health;
    return trace.passingNotes <= health.notes.size() && health.remarksWithZone <= health.remarks.size() &&
           std::ranges::all_of(health.zones, [](const LostZone& zone) {
               return isTimeOrNone(zone.start) && isTimeOrNone(zone.end) && zone.start <= zone.end;
           });
}

} // namespace

bool refersWithin(const store::PublishedTrace& trace) {
    return isTimeOrNone(trace.horizon) && isTimeOrNone(trace.retainedFrom) && isTimes(trace.rundown.begin) &&
           isTimes(trace.rundown.end) && isHealthRight(trace) && areProcessesRight(trace) && areMapsRight(trace) &&
           areHeapsRight(trace) && areStacksRight(trace) && isTableRight(trace.heap, trace) &&
           isTableRight(trace.virtualAlloc, trace) && isTableRight(trace.managed, trace) &&
           isTableRight(trace.gcHeap, trace) && areEventsRight(trace) && areSnapshotsRight(trace) &&
           areMeasurementsRight(trace.residentSamples) && areMeasurementsRight(trace.pictures) && isCodeRight(trace) &&
           areTypesRight(trace.columns->names->managedTypes);
}

bool refersWithin(const store::PublishedTrace& trace, const TraceFacts& facts, const TraceNotes& notes) {
    const auto isTimed = [](const auto& one) { return isTimeOrNone(one.time); };
    return facts.properties.ticksPerSecond > 0 && !facts.properties.paths.empty() &&
           std::ranges::all_of(notes.marks, isTimed) && std::ranges::all_of(notes.privateBytes, isTimed) &&
           refersWithin(trace);
}

} // namespace highwater::pipeline
