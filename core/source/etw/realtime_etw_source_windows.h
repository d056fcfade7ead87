#pragma once

#include "core/source/contract/capture.h"
#include "core/source/contract/record_source.h"
#include "core/source/etw/etw_api_windows.h"

#include <memory>

namespace highwater::source {

/// Records a program live on Windows (docs/etw.md): merges the records of a kernel session and a heap session by time,
/// and adds modules that were loaded before, with their PDBs. Ends when the program (and its children, if they are
/// recorded) has ended, when it is stopped, or when another program stops a session, which is reported in a remark.
///
/// Only one recording at a time in a program: the next one waits until the previous one has been destroyed.
class RealtimeEtwSource final : public RecordSource {
  public:
    /// The program is running when this returns, and its events are being recorded. After an error nothing is left
    /// behind.
    static Result<std::unique_ptr<RealtimeEtwSource>> launch(const EtwApi& api, const CaptureLaunch& launch,
                                                             const CaptureOptions& options);
    static Result<std::unique_ptr<RealtimeEtwSource>> attach(const EtwApi& api, std::uint32_t pid,
                                                             const CaptureOptions& options);
    ~RealtimeEtwSource() override;

    [[nodiscard]] const TraceProperties& properties() const override;
    [[nodiscard]] std::vector<std::uint32_t> targets() const override;
    [[nodiscard]] std::function<std::vector<std::uint32_t>()> foundProcesses() const override;
    [[nodiscard]] std::optional<ProgramEnd> programEnd() const override;
    [[nodiscard]] std::function<std::int64_t()> clock() const override;
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override;

  private:
    class Impl;
    explicit RealtimeEtwSource(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::source
