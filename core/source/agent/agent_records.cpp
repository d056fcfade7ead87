#include "core/source/agent/agent_records.h"

#include "core/agent_linux/channel_layout.h"
#include "core/base/text.h"
#include "core/event/memory_events.h"
#include "core/event/module_identity.h"
#include "core/event/opcodes.h"

#include <fmt/format.h>

#include <cstring>

namespace highwater::source {
namespace {

constexpr Address kHeap = 1; ///< the only heap
/// The last field of heap records, with the padding to a word.
constexpr std::uint64_t kNoSource = 0;
constexpr std::uint32_t kSourceBytes = 4;

// Values of Linux on all processors except a few that are not supported here.
constexpr std::uint8_t kProtectionWrite = 2;
constexpr std::uint32_t kMapShared = 1, kMapFixed = 0x10, kMapAnonymous = 0x20;
constexpr std::uint32_t kMapTypeMask = 0xF;

using State = AgentPages::State;

State stateOfMapping(const AgentEvent& event) {
    const bool isPrivate = (event.flags & kMapTypeMask) != kMapShared;
    const bool isAnonymous = (event.flags & kMapAnonymous) != 0;
    const bool isWritable = (event.protection & kProtectionWrite) != 0;
    return isWritable && (isPrivate || isAnonymous) ? State::Committed : State::Reserved;
}

} // namespace

/// The header fields of a record.
struct AgentRecords::Shape {
    std::uint8_t group = 0;
    std::uint8_t opcode = 0;
    std::uint16_t version = kVersion2;
    etl::HeaderType header = etl::HeaderType::Compact64;
};

AgentRecords::AgentRecords(TraceHealth& health, AskProgram askProgram)
    : health_(health), askProgram_(std::move(askProgram)) {}

void AgentRecords::translate(std::span<const AgentEvent> events, etl::RecordBatch& batch) {
    batch_ = &batch;
    payloads_.clear();
    offsets_.clear();
    // An event and its stack; the receiver of the previous batch took its memory.
    batch.records.reserve(events.size() * 2);
    for (const auto& event : events) {
        translateOne(event);
    }
    // From here on the payloads do not move.
    auto memory = std::make_shared<std::vector<std::byte>>(payloads_);
    for (std::size_t i = 0; i < batch.records.size(); ++i) {
        batch.records[i].payload = memory->data() + offsets_[i];
    }
    batch.memory.push_back(std::move(memory));
}

void AgentRecords::translateOne(const AgentEvent& event) {
    switch (event.op) {
    case AgentOp::Allocate:
        return heapAlloc(event);
    case AgentOp::Free:
        return heapFree(event);
    case AgentOp::Reallocate:
        return heapReAlloc(event);
    case AgentOp::ReallocateRelease:
        // Written with the second half, so that one block ends at the instant at which the other one starts.
        moving_[{event.pid, event.address}] = false;
        return;
    case AgentOp::ReallocateMake:
        return makeOfReallocate(event);
    case AgentOp::Map:
    case AgentOp::Unmap:
    case AgentOp::Protect:
    case AgentOp::Break:
        return virtualMemory(event);
    case AgentOp::Remap:
        return remap(event);
    case AgentOp::Advise:
        return; // the pages still belong to the program and stay committed
    case AgentOp::Stack:
        return stackDefinition(event);
    case AgentOp::Module:
        return imageLoad(event);
    case AgentOp::ModuleGone:
        return imageUnload(event);
    case AgentOp::ThreadStart:
        return thread(event, lifetime_opcode::kStart);
    case AgentOp::ThreadEnd:
        return thread(event, lifetime_opcode::kEnd);
    case AgentOp::ThreadName:
        return threadName(event);
    case AgentOp::ProcessStart:
        return processStart(event);
    case AgentOp::ProcessEnd:
        return processEnd(event);
    case AgentOp::Lost:
        return lost(event);
    }
}

/// Records the position of the loss, so that it is also reported when the file is opened.
void AgentRecords::lost(const AgentEvent& event) {
    health_.count(Loss::EventsLost, event.size);
    auto& record = add(event, {.opcode = highwater_opcode::kLossPlace, .header = etl::HeaderType::Full64});
    record.kind = etl::RawRecord::Kind::Provider;
    record.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
    put(static_cast<std::int64_t>(event.oldAddress));
    put(static_cast<std::int64_t>(event.address));
    put(std::uint64_t{event.size});
    put(event.flags);
    endPayload();
}

// ---- heap ----

void AgentRecords::heapAlloc(const AgentEvent& event) {
    if (!moving_.empty()) {
        const auto moved = moving_.find({event.pid, event.address});
        if (moved != moving_.end() && !moved->second) {
            // Another thread got the address that a realloc gave up, before that realloc returned.
            moved->second = true;
            auto freed = event;
            freed.stackKey = 0;
            heapFree(freed);
        }
    }
    addWords(event, {.group = group::kHeap, .opcode = heap_opcode::kAlloc},
             std::array{kHeap, event.size, event.address, kNoSource}, 3 * sizeof(Address) + kSourceBytes);
    reference(event);
}

void AgentRecords::heapFree(const AgentEvent& event) {
    addWords(event, {.group = group::kHeap, .opcode = heap_opcode::kFree}, std::array{kHeap, event.address, kNoSource},
             2 * sizeof(Address) + kSourceBytes);
    reference(event);
}

void AgentRecords::heapReAlloc(const AgentEvent& event) {
    add(event, {.group = group::kHeap, .opcode = heap_opcode::kReAlloc});
    put(kHeap);
    put(event.address);
    put(event.op == AgentOp::Reallocate ? event.address : event.oldAddress);
    put(event.size);
    put(ByteCount{0}); // readers know the previous size from the old block
    put(std::uint32_t{0});
    endPayload();
    reference(event);
}

void AgentRecords::makeOfReallocate(const AgentEvent& event) {
    const auto moved = moving_.find({event.pid, event.oldAddress});
    const bool isTaken = moved != moving_.end() && moved->second;
    if (moved != moving_.end()) moving_.erase(moved);
    return isTaken ? heapAlloc(event) : heapReAlloc(event);
}

// ---- virtual memory ----

void AgentRecords::virtualMemory(const AgentEvent& event) {
    auto& pages = processes_[event.pid].pages;
    switch (event.op) {
    case AgentOp::Map:
        // A fixed mapping replaces existing ones; otherwise the system chose free pages.
        if ((event.flags & kMapFixed) != 0) writeChanges(event, pages.setKnown(event.address, event.size, State::Free));
        return writeChanges(event, pages.set(event.address, event.size, stateOfMapping(event)));
    case AgentOp::Unmap:
        return writeChanges(event, pages.setKnown(event.address, event.size, State::Free));
    case AgentOp::Protect:
        if ((event.protection & kProtectionWrite) != 0) {
            return writeChanges(event, pages.setKnown(event.address, event.size, State::Committed));
        }
        // Memory without access is not in use; read-only memory keeps its contents.
        if (event.protection == 0) writeChanges(event, pages.setKnown(event.address, event.size, State::Reserved));
        return;
    case AgentOp::Break:
        if (event.address > event.oldAddress) {
            const auto grown = event.address - event.oldAddress;
            return writeChanges(event, pages.set(event.oldAddress, grown, State::Committed));
        }
        return writeChanges(event, pages.setKnown(event.address, event.oldAddress - event.address, State::Free));
    default:
        return;
    }
}

void AgentRecords::remap(const AgentEvent& event) {
    auto& pages = processes_[event.pid].pages;
    const auto state = pages.at(event.oldAddress);
    if (state == State::Free) return; // a mapping made before the recording
    if (event.address == event.oldAddress) {
        if (event.size >= event.oldSize) {
            const auto grown = pages.set(event.address + event.oldSize, event.size - event.oldSize, state);
            return writeChanges(event, grown);
        }
        const auto shrunk = pages.setKnown(event.address + event.size, event.oldSize - event.size, State::Free);
        return writeChanges(event, shrunk);
    }
    writeChanges(event, pages.setKnown(event.oldAddress, event.oldSize, State::Free));
    writeChanges(event, pages.set(event.address, event.size, state));
}

void AgentRecords::writeChanges(const AgentEvent& event, const std::vector<AgentPages::Change>& changes) {
    using namespace virtual_flag;
    for (const auto& change : changes) {
        const auto write = [&](std::uint8_t opcode, std::uint32_t flags) {
            writeRegion(event, opcode, change.address, change.size, flags);
        };
        switch (change.to) {
        case State::Committed:
            write(virtual_opcode::kAlloc, change.from == State::Free ? kReserve | kCommit : kCommit);
            break;
        case State::Reserved:
            change.from == State::Free ? write(virtual_opcode::kAlloc, kReserve)
                                       : write(virtual_opcode::kFree, kDecommit);
            break;
        case State::Free:
            write(virtual_opcode::kFree, kRelease);
            break;
        }
    }
}

void AgentRecords::writeRegion(const AgentEvent& event, std::uint8_t opcode, Address address, ByteCount size,
                               std::uint32_t flags) {
    add(event, {.group = group::kMemory, .opcode = opcode});
    put(address);
    put(size);
    put(event.pid);
    put(flags);
    endPayload();
    reference(event);
}

// ---- stacks ----

/// Frames are return addresses. Readers expect this of all frames except the first, which in a Windows record is the
/// address of the processor. For that frame the last byte of the call is written.
void AgentRecords::stackDefinition(const AgentEvent& event) {
    if (event.detail == nullptr || event.detail->frames.empty()) return;
    add(event, {.group = group::kStackWalk, .opcode = stack_opcode::kKeyCreate, .header = etl::HeaderType::PerfInfo64});
    put(event.stackKey);
    const auto& frames = event.detail->frames;
    put(frames.front() - 1);
    put(frames.data() + 1, (frames.size() - 1) * sizeof(Address));
    endPayload();
}

void AgentRecords::reference(const AgentEvent& event) {
    if (event.stackKey == 0) return;
    const auto thread = std::uint64_t{event.pid} | std::uint64_t{event.tid} << 32;
    addWords(event,
             {.group = group::kStackWalk, .opcode = stack_opcode::kUserKey, .header = etl::HeaderType::PerfInfo64},
             std::array{static_cast<std::uint64_t>(event.timeNs), thread, event.stackKey}, 3 * sizeof(std::uint64_t));
}

// ---- processes, threads, images ----

/// A fork has the program that its parent had then. Other processes are queried, which is late: meanwhile they may run
/// another program or have ended. Their module event has the correct program (imageLoad).
AgentProgram AgentRecords::programOf(const AgentEvent& start) {
    auto noted = noted_.extract(start.pid);
    if (static_cast<agent::Origin>(start.flags) == agent::Origin::Fork) {
        const auto parent = processes_.find(static_cast<std::uint32_t>(start.oldAddress));
        if (parent != processes_.end() && !parent->second.program.name.empty()) return parent->second.program;
    }
    auto program = noted ? std::move(noted.mapped()) : askProgram_(start.pid);
    if (start.detail != nullptr) program.startedAs = start.detail->path;
    return program;
}

void AgentRecords::processStart(const AgentEvent& event) {
    const auto origin = static_cast<agent::Origin>(event.flags);
    const bool ranBefore = origin == agent::Origin::Attached;
    const auto before = processes_.find(event.pid);
    const bool isExec = origin == agent::Origin::Program && before != processes_.end() && before->second.isReplaced;
    processes_[event.pid] = Process{{}, programOf(event), static_cast<std::uint32_t>(event.oldAddress), false};
    if (isExec) return writeChange(event, process_change::kExecuted);
    writeProcess(event, ranBefore ? lifetime_opcode::kRundownStart : lifetime_opcode::kStart);
    if (origin == agent::Origin::Fork) writeChange(event, process_change::kForked);
    if (ranBefore) writeChange(event, process_change::kAttached);
}

/// A process that executes another program stays the same process; that is recorded when the program starts.
void AgentRecords::processEnd(const AgentEvent& event) {
    forgetSpace(event.pid);
    if (event.flags == 1) {
        processes_[event.pid].isReplaced = true;
        return;
    }
    writeProcess(event, lifetime_opcode::kEnd);
    processes_.erase(event.pid);
}

/// A realloc that has not returned yet never will.
void AgentRecords::forgetSpace(std::uint32_t pid) {
    moving_.erase(moving_.lower_bound({pid, 0}), moving_.upper_bound({pid, ~Address{0}}));
}

void AgentRecords::writeProcess(const AgentEvent& event, std::uint8_t opcode) {
    const auto& process = processes_[event.pid];
    add(event, {.group = group::kProcess, .opcode = opcode, .version = kVersion4});
    put(std::uint64_t{event.pid}); // key
    put(event.pid);
    put(process.parent);
    put(std::uint32_t{0}); // session
    put(std::uint32_t{0}); // exit status
    put(std::uint64_t{0}); // page directory
    put(std::uint32_t{0}); // flags
    put(std::uint32_t{0}); // no SID
    putText(process.program.shownName());
    appendUtf16(payloads_, process.program.commandLine);
    appendUtf16(payloads_, {}); // package
    appendUtf16(payloads_, {}); // application
    endPayload();
}

void AgentRecords::writeChange(const AgentEvent& event, std::uint32_t change) {
    const auto& program = processes_[event.pid].program;
    auto& record = add(event, {.opcode = highwater_opcode::kProcess, .header = etl::HeaderType::Full64});
    record.kind = etl::RawRecord::Kind::Provider;
    record.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
    put(event.pid);
    put(change);
    putText(program.shownName());
    putText(program.commandLine);
    endPayload();
}

void AgentRecords::thread(const AgentEvent& event, std::uint8_t opcode) {
    constexpr std::size_t kThreadBytes = 72;
    add(event, {.group = group::kThread, .opcode = opcode, .version = kVersion3});
    put(event.pid);
    put(event.tid);
    const std::vector<std::byte> rest(kThreadBytes - 2 * sizeof(std::uint32_t));
    put(rest.data(), rest.size());
    endPayload();
}

void AgentRecords::threadName(const AgentEvent& event) {
    if (event.detail == nullptr) return;
    add(event, {.group = group::kThread, .opcode = thread_opcode::kSetName, .version = kVersion2});
    put(event.pid);
    put(event.tid);
    appendUtf16(payloads_, event.detail->path);
    endPayload();
}

void AgentRecords::imageLoad(const AgentEvent& event) {
    if (event.detail == nullptr) return;
    const bool isProgram = event.flags == 1;
    auto& program = processes_[event.pid].program;
    if (const std::string name(fileName(event.detail->path)); isProgram && program.name != name) {
        // The known command line belongs to another program.
        program = {name, program.name.empty() ? std::string() : event.detail->path, program.startedAs};
        writeChange(event, process_change::kNamed);
    }
    writeImage(event, group::kProcess, image_opcode::kLoad, event.detail->path);
    if (!event.detail->buildId.empty()) writeBuildId(event);
}

void AgentRecords::imageUnload(const AgentEvent& event) {
    writeImage(event, group::kImage, image_opcode::kUnload,
               event.detail != nullptr ? event.detail->path : std::string());
}

void AgentRecords::writeImage(const AgentEvent& event, std::uint8_t group, std::uint8_t opcode,
                              const std::string& path) {
    add(event, {.group = group, .opcode = opcode, .version = kVersion2});
    put(event.address);
    put(event.size);
    put(event.pid);
    put(std::uint32_t{0}); // checksum
    put(std::uint32_t{0}); // time stamp
    put(std::uint32_t{0});
    put(event.address); // default base
    put(std::uint64_t{0});
    put(std::uint64_t{0});
    appendUtf16(payloads_, path);
    endPayload();
}

void AgentRecords::writeBuildId(const AgentEvent& event) {
    auto& record = add(event, {.opcode = image_id_opcode::kRsds, .header = etl::HeaderType::Full64});
    record.kind = etl::RawRecord::Kind::Provider;
    record.provider = reinterpret_cast<const std::byte*>(&kImageIdProvider);
    const auto name = buildIdAsPdb(event.detail->buildId);
    put(event.address);
    put(event.pid);
    put(buildIdAsGuid(event.detail->buildId));
    put(std::uint32_t{0}); // age
    putText(name);
    endPayload();
}

// ---- bytes ----

etl::RawRecord& AgentRecords::add(const AgentEvent& event, const Shape& shape) {
    etl::RawRecord record;
    record.ticks = event.timeNs;
    record.pid = event.pid;
    record.tid = event.tid;
    record.group = shape.group;
    record.opcode = shape.opcode;
    record.version = shape.version;
    record.header = shape.header;
    batch_->records.push_back(record);
    offsets_.push_back(payloads_.size());
    return batch_->records.back();
}

/// Writes the most frequent records in one step. The payload ends after `bytes` of the words.
template <std::size_t Count>
void AgentRecords::addWords(const AgentEvent& event, const Shape& shape, const std::array<std::uint64_t, Count>& words,
                            std::uint32_t bytes) {
    add(event, shape).payloadBytes = bytes;
    put(words.data(), sizeof(words));
}

void AgentRecords::put(const void* bytes, std::size_t count) {
    const auto* from = static_cast<const std::byte*>(bytes);
    payloads_.insert(payloads_.end(), from, from + count);
}

/// Includes the NUL.
void AgentRecords::putText(const std::string& text) { put(text.c_str(), text.size() + 1); }

void AgentRecords::endPayload() {
    auto& record = batch_->records.back();
    record.payloadBytes = static_cast<std::uint32_t>(payloads_.size() - offsets_.back());
    payloads_.resize((payloads_.size() + 7) & ~std::size_t{7}); // frames are read in place
}

} // namespace highwater::source
