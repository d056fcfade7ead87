#pragma once

#include "tests/etw_simulator/simulation_windows.h"

#include <atomic>
#include <deque>
#include <set>

namespace highwater::etw_simulator {

/// The consumer of a session, opened with OpenTraceW. The trace is played here, on the thread of ProcessTrace: the
/// records of a session are not needed until it is consumed.
///
/// Records *arrive* in the session's buffers when their time has come, if the session wants them and has room for them;
/// they are *delivered* when a buffer is full, at each flush timer, or when a controller flushes.
class Consumer {
  public:
    Consumer(std::shared_ptr<Simulation> simulation, const Session& session, const EVENT_TRACE_LOGFILEW& logFile);

    /// ProcessTrace. Blocks until the session has ended or close() was called.
    ULONG process(bool hasStartTime);
    /// CloseTrace, from any thread: 0, or 7007 while process() runs.
    ULONG close();
    [[nodiscard]] SessionKind kind() const { return session_.kind(); }

  private:
    /// An item that waits for delivery: a record of the trace, or a lost-event record (docs/etw.md 4.4).
    struct Arrival {
        const PlayedRecord* record = nullptr;
        std::int64_t ticks = 0; ///< performance counter
        std::uint8_t lostOpcode = 0;
    };

    bool refresh();
    ULONG drain();
    void arriveUntil(std::int64_t now);
    void arrive(const PlayedRecord& record, std::int64_t ticks);
    void arriveRundownEnd();
    void arriveCodeRundowns();
    void doIncidents(std::int64_t until);
    void doIncident(const Incident& incident);
    [[nodiscard]] bool wants(const PlayedRecord& record) const;
    [[nodiscard]] bool wantsOfKernel(const PlayedRecord& record) const;
    [[nodiscard]] bool wantsOfHeap(const PlayedRecord& record) const;
    [[nodiscard]] bool wantsOfProvider(const PlayedRecord& record) const;
    [[nodiscard]] bool isOfProcess(const EnabledProvider& provider, const PlayedRecord& record) const;
    [[nodiscard]] bool isArmed(std::uint8_t group, std::uint8_t opcode) const;
    void noticeProgram(const PlayedRecord& record);
    bool isLost(std::size_t bytes);
    void lose(std::uint32_t events, std::uint32_t buffers, std::uint8_t opcode, std::int64_t ticks);

    [[nodiscard]] bool isFlushDue(std::int64_t now) const;
    bool deliverAll();
    bool deliverBuffer();
    void deliver(const Arrival& arrival);
    void adjustPayload(const PlayedRecord& record);
    [[nodiscard]] std::uint32_t realPid(std::uint32_t pid) const;
    [[nodiscard]] std::int64_t clockOf(std::int64_t playedTicks) const;
    [[nodiscard]] std::int64_t timeStampOf(std::int64_t ticks) const;

    std::shared_ptr<Simulation> simulation_;
    std::shared_ptr<const PlayedTrace> trace_;
    const Scenario& scenario_;
    Session session_;
    EVENT_TRACE_LOGFILEW logFile_;
    std::atomic<bool> isProcessing_{false};
    std::atomic<bool> isClosing_{false};

    std::int64_t playedSince_ = 0;
    std::uint32_t target_ = 0; ///< the real pid of the scenario's target, once it is known
    bool hasStartTime_ = false;
    std::size_t nextRecord_ = 0;
    std::size_t nextIncident_ = 0;
    std::set<std::uint32_t> flaggedProcesses_; ///< started while the IFEO flag of their program was set
    std::deque<Arrival> arrivals_;
    std::size_t arrivedBytes_ = 0;
    std::int64_t flushedAt_ = 0;
    std::uint32_t eventsToLose_ = 0;
    bool isOverflowing_ = false;
    bool wasStoppedByOthers_ = false;
    std::uint32_t codeRundowns_ = 0; ///< the latest enabling that was answered
    Losses lost_;
    std::vector<std::byte> payload_;
};

} // namespace highwater::etw_simulator
