#pragma once

#include "core/source/agent/agent_channel_linux.h"
#include "core/source/agent/agent_launch_linux.h"
#include "core/source/contract/found_processes.h"
#include "core/source/contract/record_source.h"
#include "core/source/generated_code/code_watch_linux.h"
#include "core/source/generated_code/runtime_options_linux.h"
#include "core/source/records/batch_builder.h"

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace highwater::source {

/// Records a Linux program through an agent that is loaded into it, either from its first instruction or later. Ends
/// when the program (and its children, if they are recorded) has ended, or when it is stopped, after which the program
/// continues unrecorded.
class AgentSource final : public RecordSource {
  public:
    /// Starts the program. Fails if it cannot be recorded or started.
    static Result<std::unique_ptr<AgentSource>> launch(const AgentOptions& options, const AgentLaunch& launch);
    /// Loads the agent into a running process (see attachAgent).
    static Result<std::unique_ptr<AgentSource>> attach(const AgentOptions& options, std::uint32_t pid,
                                                       const std::stop_token& stop);

    [[nodiscard]] const TraceProperties& properties() const override { return properties_; }
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override;
    [[nodiscard]] std::vector<std::uint32_t> targets() const override {
        return {static_cast<std::uint32_t>(target_.pid())};
    }
    [[nodiscard]] std::function<std::vector<std::uint32_t>()> foundProcesses() const override { return found_.taker(); }
    void whenProcessWaits(std::function<void(std::uint32_t pid)> waits) override;
    [[nodiscard]] std::function<void(std::uint32_t pid)> letsEnd() const override;
    [[nodiscard]] std::optional<ProgramEnd> programEnd() const override { return programEnd_; }
    [[nodiscard]] std::function<std::int64_t()> clock() const override;
    [[nodiscard]] int pid() const { return target_.pid(); }

  private:
    enum class Relation { Child, Stranger };
    AgentSource(std::unique_ptr<AgentChannel> channel, AgentTarget target, Relation relation, std::int64_t startNs);
    class Delivery;
    class Reading;
    [[nodiscard]] std::int64_t endTicks() const;
    void finishCode(Delivery& delivery);
    void noteRuntimeOptions(BatchBuilder& own) const;
    void addLosses(BatchBuilder& own) const;
    void addEnd(BatchBuilder& own);
    void noteEnd();

    std::unique_ptr<AgentChannel> channel_;
    FoundProcesses found_;
    AgentTarget target_;
    Relation relation_;
    TraceProperties properties_;
    std::optional<ProgramEnd> programEnd_;
    RuntimeOptions runtimeOptions_; ///< options that the program was started with
    std::optional<CodeWatch> code_;
};

} // namespace highwater::source
