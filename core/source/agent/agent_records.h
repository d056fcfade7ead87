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

/// Facts about a process, queried from the system when it is first seen.
struct AgentProgram {
    std::string name; ///< name of its file, with links resolved; "": not known, or not any more
    std::string commandLine;
    std::string startedAs{}; ///< the name it was started as, reported by the process; "": not reported
    [[nodiscard]] const std::string& shownName() const { return startedAs.empty() ? name : startedAs; }
};

/// Converts events of the Linux agent to the records that Windows would write, so that later stages treat them alike:
/// heap records of one heap (handle 1) per process, VirtualAlloc records, stack keys defined before use (StackWalk
/// opcode 34), process, thread and image records, and the build-id of an image as its ImageID (see buildIdAsPdb).
/// Events without a Windows equivalent, such as exec and fork, use a record of Highwater's own
/// (highwater_opcode::kProcess). Ticks are the nanoseconds of the events. One thread.
class AgentRecords {
  public:
    using AskProgram = std::function<AgentProgram(std::uint32_t pid)>;
    AgentRecords(TraceHealth& health, AskProgram askProgram);

    /// Queries a new process now, because it may have ended by the time its start event arrives.
    void noteProcess(std::uint32_t pid) { noted_.insert_or_assign(pid, askProgram_(pid)); }

    /// Appends the records of these events, in the same order, to an empty batch.
    void translate(std::span<const AgentEvent> events, etl::RecordBatch& batch);

  private:
    struct Process {
        AgentPages pages;
        AgentProgram program;
        std::uint32_t parent = 0;
        bool isReplaced = false; ///< it executes another program that has not started yet
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
    std::map<std::uint32_t, AgentProgram> noted_; ///< processes whose start event is still to come
    /// Blocks that a realloc is moving, and whether another thread has got their address meanwhile.
    std::map<std::pair<std::uint32_t, Address>, bool> moving_;
    etl::RecordBatch* batch_ = nullptr;
    std::vector<std::byte> payloads_;  ///< payloads of the batch; records point into it once it is complete
    std::vector<std::size_t> offsets_; ///< offsets of the payloads
};

} // namespace highwater::source
