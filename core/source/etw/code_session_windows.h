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

/// The session in which runtimes of recorded processes (the CLR, V8, Chakra) tell which code they generate, so that it
/// has names (docs/etw.md 2.7). A recording goes on without it: what is missing is said in sentences. One thread.
class CodeSession {
  public:
    explicit CodeSession(const EtwApi& api);
    ~CodeSession();
    CodeSession(const CodeSession&) = delete;
    CodeSession& operator=(const CodeSession&) = delete;

    /// `ranBefore`: they are asked for what they have generated already. Once.
    void start(std::vector<std::uint32_t> pids, bool ranBefore);
    /// Further processes that have just begun.
    void add(const std::vector<std::uint32_t>& pids, const std::set<std::uint32_t>& running);
    [[nodiscard]] bool isRunning() const { return session_ != nullptr; }
    /// Where its records come to.
    [[nodiscard]] LiveRing& ring() { return ring_; }

    /// Of recorded processes, as far as they have been delivered.
    void note(const etl::RawRecord& record);
    void noteImage(std::uint32_t pid, std::string_view path) { rundown_.noteImage(pid, path); }

    void flush();
    /// Notices when somebody else has stopped it.
    void look();
    /// What has to be said since the last call.
    [[nodiscard]] std::vector<std::string> takeSentences() { return std::exchange(sentences_, {}); }

    /// Has the runtimes of those who still run tell what they have generated, and ends the session. `deliver` takes
    /// what is in the ring. Waits, as long as they tell, and as nobody skips it; progress has a total meanwhile.
    void finish(const std::set<std::uint32_t>& running, const std::stop_token& skip, Progress& progress,
                const std::function<void()>& deliver);

  private:
    Result<void> open();
    Result<void> enable(const std::vector<std::uint32_t>& pids);
    void collect(ULONGLONG keywords, const std::stop_token& skip, const std::function<void()>& deliver);
    void sayLosses();

    const EtwApi& api_;
    LiveRing ring_;
    std::unique_ptr<EtwSession> session_;
    std::unique_ptr<EtwConsumer> consumer_; ///< goes after the session, before the ring
    std::vector<std::uint32_t> pids_;
    bool ranBefore_ = false;
    CodeRundown rundown_;
    std::vector<std::string> sentences_;
};

} // namespace highwater::source
