#include "core/pipeline/core_files/core_picture.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/within_memory.h"
#include "core/pipeline/core_files/core_instant.h"
#include "core/pipeline/core_files/core_modules.h"
#include "core/pipeline/frame_names.h"
#include "core/pipeline/older_blocks.h"
#include "core/pipeline/picture_variables.h"
#include "core/references/heap_chunks.h"
#include "core/references/mapping_search.h"
#include "core/references/references.h"
#include "core/store/published/processes_by_pid.h"
#include "core/store/trace_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace highwater::pipeline {
namespace {

using store::PublishedTrace;

/// A trace with the process of the core file alone, of which no block was recorded.
std::shared_ptr<const PublishedTrace> emptyTrace(const CoreFile& core) {
    TraceHealth health;
    store::TraceStore store(health);
    store.setOfAgent();
    ProcessEvent process;
    process.occasion = Occasion::Attached;
    process.pid = core.pid();
    process.name = core.program();
    store.onProcess(process);
    auto trace = std::make_shared<PublishedTrace>(*store.publish());
    trace->health = {}; // nothing was recorded that could be incomplete
    return trace;
}

std::string processText(const CoreFile& core) {
    return core.program().empty() ? fmt::format("process {}", core.pid())
                                  : fmt::format("{} ({})", core.program(), core.pid());
}

Result<ProcessIndex> processOf(const CoreFile& core, const PublishedTrace& trace, TraceTime last) {
    if (!trace.isOfAgent)
        return Error{ErrorKind::Usage,
                     "The trace was not made by Highwater on Linux, so that its blocks cannot be those "
                     "of the core file. Specify a recording of the process, or only the core file."};
    const auto process = store::ProcessesByPid(*trace.processes).at(core.pid(), last);
    if (!process)
        return Error{ErrorKind::Usage,
                     fmt::format("The core file is that of {}, which is not in the trace. Specify the "
                                 "recording of this process, or only the core file.",
                                 processText(core))};
    return *process;
}

/// The system does not store the names of threads in core files. Ids that several threads had, have no name.
void addThreadNames(const PublishedTrace& trace, std::vector<CopiedThread>& threads) {
    if (!trace.threadNames) return;
    const auto& names = *trace.threadNames;
    for (auto& thread : threads) {
        const ThreadId id{thread.tid};
        if (names.of(id, 1).value == 0 && names.of(id, 0).value != 0) thread.name = names.text(names.of(id, 0));
    }
}

class CorePictureMaker {
  public:
    CorePictureMaker(const CoreFile& core, std::shared_ptr<const PublishedTrace> trace)
        : core_(core),
          hasTrace_(trace != nullptr),
          trace_(hasTrace_ ? std::move(trace) : emptyTrace(core)),
          modules_([&core](Address from, std::span<std::byte> to) { return core.read(from, to); }),
          memory_(PictureVariables([this](const std::string& file, Address begin) {
                      return modules_.variablesOf(file, begin);
                  }).memoryOf(core, [this](Address from, std::span<std::byte> to) { return read(from, to); })) {}

    Result<CorePicture> make(std::optional<TraceTime> last, const std::stop_token& stop) {
        const auto until = std::min(last.value_or(trace_->horizon), trace_->horizon);
        const auto process = TRY(processOf(core_, *trace_, until));
        const auto end = std::min(until, (*trace_->processes)[process].end); // which ends all its rows
        auto chunks = references::findHeapChunks(memory_.mappings, memory_.read, stop);
        auto found = blocksAtCore(*trace_, process, end, BlocksInMemory(chunks, memory_.mappings));
        const bool isWhole = hasTrace_ && !mayHaveOlderBlocks((*trace_->processes)[process], found.time);
        addRemarks(found, end, isWhole && untraced(chunks, found) > 0);
        memory_.blocks = std::move(found.blocks);
        // Without a heap that can be followed, the trace alone has the blocks, for example if a heap is damaged.
        memory_.hasUnknownBlocks = !isWhole || !chunks.heaps.empty();
        memory_.chunks = std::move(chunks);
        addThreadNames(*trace_, memory_.threads);
        auto picture = TRY(references::findReferences(std::move(memory_), stop));
        picture.time = found.time;
        picture.pid = core_.pid();
        nameFrames(picture);
        picture.unreadBytes += core_.missing();
        addMemoryRemarks(picture);
        auto result = std::make_shared<PublishedTrace>(*trace_);
        result->pictures = std::make_shared<const std::vector<SharedMemoryPicture>>(
            1, std::make_shared<const MemoryPicture>(std::move(picture)));
        return CorePicture{std::move(result), std::move(remarks_)};
    }

  private:
    /// The system leaves out pages of files that were not changed.
    std::size_t read(Address from, std::span<std::byte> to) const {
        const auto bytes = core_.read(from, to);
        if (bytes > 0) return bytes;
        const auto* const mapping = references::mappingAt(core_.mappings(), from);
        const bool mayBeChanged = mapping == nullptr || (mapping->flags & mapping_flag::kWrite) != 0;
        return mayBeChanged ? 0 : modules_.readMapped(core_.files(), from, to);
    }
    /// Functions have names only where variables have some.
    void nameFrames(MemoryPicture& picture) const {
        auto mappings = core_.mappings();
        for (auto& mapping : mappings.mappings)
            if (!modules_.isSame(mappings.nameOf(mapping))) mapping.flags &= ~mapping_flag::kFile;
        FrameNames().name(picture, mappings);
    }
    /// Blocks in memory that are no rows; few are malloc's own.
    static std::uint64_t untraced(const references::HeapChunks& chunks, const CoreBlocks& found) {
        constexpr std::uint64_t kOfMalloc = 100;
        const auto all = chunks.blocks.size() - std::min<std::uint64_t>(chunks.blocks.size(), found.checked);
        return all > kOfMalloc && all > chunks.blocks.size() / 100 ? all : 0;
    }

    void addRemarks(const CoreBlocks& found, TraceTime end, bool isTraceShort) {
        if (!hasTrace_) {
            remarks_.emplace_back(
                "No trace of the process was specified, so the functions that allocated the blocks are unknown.");
            return;
        }
        if (found.time < end)
            remarks_.push_back(
                fmt::format("The blocks are those that were outstanding at {} s of the trace, where most of "
                            "them are also in the core file. The trace continues after the core file was "
                            "written.",
                            secondsText(found.time)));
        if (found.gone > 0)
            remarks_.push_back(fmt::format("{} in {} of the trace {} not in the core file and {} left out.",
                                           bytesText(found.goneBytes), counted(found.gone, "block"),
                                           byNumber(found.gone, "is", "are"), byNumber(found.gone, "is", "are")));
        if (found.gone > found.blocks.size())
            remarks_.emplace_back(
                "Most blocks of the trace are not in the core file, so the trace is probably of another run of the "
                "program.");
        else if (isTraceShort)
            remarks_.emplace_back(
                "The core file contains many blocks that are not in the trace, because the trace ended before the core "
                "file was written or because events were lost.");
    }
    void addMemoryRemarks(const MemoryPicture& picture) {
        if (core_.cutOff() > 0)
            remarks_.push_back(
                fmt::format("The core file is truncated: {} are missing at its end.", bytesText(core_.cutOff())));
        else if (picture.unreadBytes > 0)
            remarks_.emplace_back(
                "Memory that could not be read is not in the core file because it was never used, the "
                "program excludes it (MADV_DONTDUMP), or the system leaves it out "
                "(/proc/PID/coredump_filter).");
        if (core_.invalidMappings() > 0)
            remarks_.push_back(fmt::format("The core file is damaged: {} {} left out.",
                                           counted(core_.invalidMappings(), "invalid mapping"),
                                           byNumber(core_.invalidMappings(), "is", "are")));
        for (auto& remark : modules_.remarks())
            remarks_.push_back(std::move(remark));
    }

    const CoreFile& core_;
    bool hasTrace_;
    std::shared_ptr<const PublishedTrace> trace_;
    CoreModules modules_;
    references::Memory memory_;
    std::vector<std::string> remarks_;
};

} // namespace

Result<CorePicture> pictureOfCore(const CoreFile& core, std::shared_ptr<const PublishedTrace> trace,
                                  std::optional<TraceTime> last, const std::stop_token& stop) {
    return withinMemory([&] { return CorePictureMaker(core, std::move(trace)).make(last, stop); });
}

} // namespace highwater::pipeline
