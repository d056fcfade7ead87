#pragma once

#include "core/pipeline/recording.h"
#include "core/source/etl_files/etl_file_source.h"

#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace highwater {

/// Plays a trace in small batches, with pauses that let the other threads follow.
class SmallBatches final : public source::RecordSource {
  public:
    static constexpr std::size_t kRecords = 25;

    SmallBatches(std::unique_ptr<source::EtlFileSource> file, std::function<void()> beforeEach)
        : file_(std::move(file)), beforeEach_(std::move(beforeEach)) {}
    [[nodiscard]] const TraceProperties& properties() const override { return file_->properties(); }
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override {
        Cutter cutter(sink, beforeEach_);
        return file_->run(cutter, health, stop, progress);
    }

  private:
    class Cutter final : public etl::RecordSink {
      public:
        Cutter(etl::RecordSink& sink, const std::function<void()>& beforeEach) : sink_(sink), beforeEach_(beforeEach) {}
        void onBatch(etl::RecordBatch& batch) override {
            for (std::size_t i = 0; i < batch.records.size(); i += kRecords) {
                if (beforeEach_) beforeEach_();
                etl::RecordBatch part;
                const auto first = batch.records.begin() + static_cast<std::ptrdiff_t>(i);
                const auto count = std::min(kRecords, batch.records.size() - i);
                part.records.assign(first, first + static_cast<std::ptrdiff_t>(count));
                part.memory = batch.memory;
                sink_.onBatch(part);
                std::this_thread::sleep_for(std::chrono::microseconds(500));
            }
        }

      private:
        etl::RecordSink& sink_;
        const std::function<void()>& beforeEach_;
    };

    std::unique_ptr<source::EtlFileSource> file_;
    std::function<void()> beforeEach_;
};

/// `beforeEach`: called before each batch, on the thread of the source.
inline pipeline::Recording::OpenSource smallBatches(std::vector<std::byte> bytes,
                                                    std::function<void()> beforeEach = {}) {
    return [bytes = std::move(bytes),
            beforeEach = std::move(beforeEach)](TraceHealth& health) -> Result<std::unique_ptr<source::RecordSource>> {
        auto file = TRY(source::EtlFileSource::fromMemory(bytes, "example.etl", health));
        return std::unique_ptr<source::RecordSource>(std::make_unique<SmallBatches>(std::move(file), beforeEach));
    };
}

/// For a recording whose file is never far behind its source, however busy the machine is.
inline pipeline::RecordingOptions keeping(const QTemporaryDir& folder, std::optional<pipeline::KeepLast> keep) {
    return {.spool = folder.filePath("spool.etl").toStdString(),
            .flushEvery = std::chrono::milliseconds(20),
            .mostBatchesWaiting = 4,
            .keepLast = keep};
}

} // namespace highwater
