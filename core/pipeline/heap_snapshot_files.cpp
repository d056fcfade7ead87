#include "core/pipeline/heap_snapshot_files.h"

#include "core/base/text.h"
#include "core/decode/snapshots/snapshot_pieces.h"
#include "core/event/opcodes.h"
#include "core/files/output_file.h"
#include "core/source/etl_files/etl_file_source.h"

#include <fmt/format.h>

#include <optional>
#include <stop_token>
#include <system_error>

namespace highwater::pipeline {
namespace {

constexpr std::size_t kMostFiles = 1000; ///< users do not look at more, and a trace may claim any number

/// Writes snapshots as they are completed. After an error it stops the source.
class SnapshotFiles final : public etl::RecordSink {
  public:
    explicit SnapshotFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void onBatch(etl::RecordBatch& batch) override {
        for (const auto& record : batch.records) {
            const bool isOurs =
                record.kind == etl::RawRecord::Kind::Provider && record.providerGuid() == kHeapSnapshotProvider;
            if (isOurs) (void)pieces_.add(record);
        }
        writeReady();
    }
    void finish() {
        pieces_.finish();
        writeReady();
    }
    [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    [[nodiscard]] const SavedHeapSnapshots& saved() const { return saved_; }

  private:
    void writeReady() {
        while (pieces_.hasReady()) {
            const auto snapshot = pieces_.takeReady();
            if (error_) continue;
            if (snapshot.state == decode::SnapshotState::TooLarge || saved_.files.size() >= kMostFiles) {
                ++saved_.notSaved;
                continue;
            }
            const auto written = write(snapshot);
            if (written.hasValue()) continue;
            error_ = written.error();
            stop_.request_stop();
        }
    }

    Result<void> write(const decode::SnapshotBytes& snapshot) {
        const bool isWhole = snapshot.state == decode::SnapshotState::Whole;
        const auto name = fmt::format("heap-snapshot-{}-{}", snapshot.pid, snapshot.instance);
        auto made = TRY(createBeside(folder_ / name, isWhole ? ".bin" : ".incomplete.bin"));
        TRY(made.file->append(snapshot.bytes));
        saved_.files.push_back(made.path);
        saved_.bytes += snapshot.bytes.size();
        return {};
    }

    std::filesystem::path folder_;
    decode::SnapshotPieces pieces_;
    SavedHeapSnapshots saved_;
    std::optional<Error> error_;
    std::stop_source stop_;
};

} // namespace

Result<SavedHeapSnapshots> saveHeapSnapshots(const std::vector<std::filesystem::path>& traces,
                                             const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (!std::filesystem::is_directory(folder))
        return Error{ErrorKind::Io, fmt::format("Cannot create the folder {}: {}.", utf8(folder), failed.message())};
    TraceHealth health;
    auto source = TRY(source::EtlFileSource::open(traces, health));
    SnapshotFiles files(folder);
    Progress progress;
    const auto read = source->run(files, health, files.stop(), progress);
    files.finish();
    if (files.error()) return *files.error();
    TRY(read);
    return files.saved();
}

} // namespace highwater::pipeline
