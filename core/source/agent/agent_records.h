#pragma once

#include "core/etl/raw_record.h"
#include "core/event/trace_health.h"
#include "core/source/agent/agent_event.h"
#include "core/source/agent/agent_pages.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace highwater::source {

/// What the system says of a process, asked when it is first heard of.
struct AgentProgram {
    std::string name; ///< of its file, behind all links; "": not known (any more)
    std::string commandLine;
    std::string startedAs{}; ///< the name that it was started by, as the process said it; "": it did not
    [[nodiscard]] const std::string& shownName() const { return startedAs.empty() ? name : startedAs; }
};

/// Writes events of the Linux agent down as the records that Windows would have made of them, so that nothing behind
/// the source knows the difference: heap records of one heap (handle 1) per process, VirtualAlloc records, stack keys
/// defined before use (StackWalk opcode 34), process, thread and image records, and the build-id of an image as its
/// ImageID (see buildIdAsPdb). What Windows has no records for, a process that executes another program or is a fork,
/// is a record of Highwater's own (highwater_opcode::kProcess). Ticks are the nanoseconds of the events. One thread.
class AgentRecords {
  public:
    using AskProgram = std::function<AgentProgram(std::uint32_t pid)>;
    AgentRecords(TraceHealth& health, AskProgram askProgram);

    /// A process that was found; its start may come much later, when there is nobody to ask any more.
    void noteProcess(std::uint32_t pid) { noted_.insert_or_assign(pid, askProgram_(pid)); }

    /// Appends the records of these events, in their order, to an empty batch.
    void translate(std::span<const AgentEvent> events, etl::RecordBatch& batch);

  private:
    struct Process {
        AgentPages pages;
        AgentProgram program;
        std::uint32_t parent = 0;
        bool isReplaced = false; ///< it executed another program, which is yet to begin
    };
    struct Shape;

    void translateOne(const AgentEvent& event);
    void heapAlloc(const AgentEvent& event);
    void heapFree(const AgentEvent& event);
    void heapReAlloc(const AgentEvent& event);
    void makeOfReallocate(const AgentEvent& event);
    void virtualMemory(const AgentEvent& event);
    void remap(const AgentEvent& event);
    void writeChanges(const AgentEvent& event, const std::vector<AgentPages::Change>& changes);
    void writeRegion(const AgentEvent& event, std::uint8_t opcode, Address address, ByteCount size,
                     std::uint32_t flags);
    void stackDefinition(const AgentEvent& event);
    void processStart(const AgentEvent& event);
    void processEnd(const AgentEvent& event);
    [[nodiscard]] AgentProgram programOf(const AgentEvent& start);
    void forgetSpace(std::uint32_t pid);
    void writeProcess(const AgentEvent& event, std::uint8_t opcode);
    void writeChange(const AgentEvent& event, std::uint32_t change);
    void thread(const AgentEvent& event, std::uint8_t opcode);
    void threadName(const AgentEvent& event);
    void imageLoad(const AgentEvent& event);
    void imageUnload(const AgentEvent& event);
    void writeImage(const AgentEvent& event, std::uint8_t group, std::uint8_t opcode, const std::string& path);
    void writeBuildId(const AgentEvent& event);
    void reference(const AgentEvent& event);

    template <std::size_t Count>
    void addWords(const AgentEvent& event, const Shape& shape, const std::array<std::uint64_t, Count>& words,
                  std::uint32_t bytes);
    etl::RawRecord& add(const AgentEvent& event, const Shape& shape);
    void put(const void* bytes, std::size_t count);
    template <typename T>
    void put(const T& value) {
        put(&value, sizeof(value));
    }
    void putText(const std::string& text);
    void endPayload();

    void lost(const AgentEvent& event);

    TraceHealth& health_;
    AskProgram askProgram_;
    std::map<std::uint32_t, Process> processes_;
    std::map<std::uint32_t, AgentProgram> noted_; ///< of processes that are yet to start here
    /// Blocks that a realloc is moving away from, and whether somebody else has got their address meanwhile.
    std::map<std::pair<std::uint32_t, Address>, bool> moving_;
    etl::RecordBatch* batch_ = nullptr;
    std::vector<std::byte> payloads_;  ///< of the batch; records point into it when it is complete
    std::vector<std::size_t> offsets_; ///< of the records' payloads
};

} // namespace highwater::source
