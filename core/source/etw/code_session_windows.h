#pragma once

#include "core/base/progress.h"
#include "core/source/etw/etw_consumer_windows.h"
#include "core/source/etw/etw_session_windows.h"
#include "core/source/records/code_rundown.h"
#include "core/source/records/live_ring.h"

#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::source {

/// The session in which the runtimes of recorded processes (the CLR, V8, Chakra) report generated code, so that it has
/// names (docs/etw.md 2.7). A recording continues without it; sentences report missing names. One thread.
class CodeSession {
  public:
    explicit CodeSession(const EtwApi& api);
    ~CodeSession();
    CodeSession(const CodeSession&) = delete;
    CodeSession& operator=(const CodeSession&) = delete;

    /// `ranBefore`: also request code generated before the start. Call it once.
    void start(std::vector<std::uint32_t> pids, bool ranBefore);
    /// Adds processes that have just started.
    void add(const std::vector<std::uint32_t>& pids, const std::set<std::uint32_t>& running);
    [[nodiscard]] bool isRunning() const { return session_ != nullptr; }
    /// Receives the records of the session.
    [[nodiscard]] LiveRing& ring() { return ring_; }

    /// Records of the recorded processes that have been delivered.
    void note(const etl::RawRecord& record);
    void noteImage(std::uint32_t pid, std::string_view path) { rundown_.noteImage(pid, path); }

    void flush();
    /// Detects that another program has stopped the session.
    void look();
    /// Sentences since the last call.
    [[nodiscard]] std::vector<std::string> takeSentences() { return std::exchange(sentences_, {}); }

    /// Requests a rundown from the runtimes of running processes, then ends the session. `deliver` takes the records
    /// from the ring. Waits for the rundown until it is complete or skipped; meanwhile progress has a total.
    void finish(const std::set<std::uint32_t>& running, const std::stop_token& skip, Progress& progress,
                const std::function<void()>& deliver);

  private:
    Result<void> open();
    Result<void> enable(const std::vector<std::uint32_t>& pids);
    void collect(ULONGLONG keywords, const std::stop_token& skip, const std::function<void()>& deliver);
    void reportNamesLost();

    const EtwApi& api_;
    LiveRing ring_;
    std::unique_ptr<EtwSession> session_;
    std::unique_ptr<EtwConsumer> consumer_; ///< destroyed after the session, before the ring
    std::vector<std::uint32_t> pids_;
    bool ranBefore_ = false;
    CodeRundown rundown_;
    std::vector<std::string> sentences_;
};

} // namespace highwater::source
