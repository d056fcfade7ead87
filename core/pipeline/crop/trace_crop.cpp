#include "core/pipeline/crop/trace_crop.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/decode/record_decoder.h"
#include "core/decode/records/clock.h"
#include "core/decode/records/remark_record.h"
#include "core/decode/records/retained_range_record.h"
#include "core/event/opcodes.h"
#include "core/pipeline/crop/crop_processes.h"
#include "core/pipeline/crop/record_cut.h"
#include "core/pipeline/spool/carry_over.h"
#include "core/pipeline/spool/saved_file.h"
#include "core/pipeline/spool/spool.h"
#include "core/source/etl_files/etl_file_source.h"
#include "core/source/profiles/profile_files.h"
#include "core/source/records/batch_builder.h"
#include "core/source/records/system_records.h"
#include "core/store/trace_store.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <system_error>

namespace highwater::pipeline {
namespace {

namespace fs = std::filesystem;
using etl::RawRecord;

constexpr std::uint32_t kBufferBytes = 131072; ///< large enough for the longest possible record
constexpr std::size_t kMostPidsNamed = 20;

TickRange ticksOf(const TraceProperties& properties, TimeRange interval) {
    const decode::Clock clock(properties);
    TickRange range{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    if (interval.start.ns > 0) {
        range.first = clock.ticksAt(interval.start);
        // The new trace covers the whole interval even if it starts between two ticks.
        if (clock.toTime(range.first) > interval.start) --range.first;
    }
    if (interval.end != kNever) range.end = clock.ticksAt(interval.end);
    return range;
}

/// The start of a trace that was only partly kept. Nothing if the record does not contain it.
std::optional<TraceTime> startOfKeptPart(const RawRecord& record, const decode::Clock& clock) {
    if (record.kind != RawRecord::Kind::Provider || record.opcode != highwater_opcode::kWindow) return std::nullopt;
    if (record.providerGuid() != kHighwaterProvider) return std::nullopt;
    const auto kept = decode::decodeRetainedRange(record, clock);
    return kept && kept->start > TraceTime{0} ? std::optional(kept->start) : std::nullopt;
}

/// Allocations that ended before the start of the trace are unknown. A crop from an earlier time would claim to be
/// complete.
std::optional<Error> refusalOf(const TimeRange& interval, TraceTime begin) {
    if (interval.end <= begin)
        return Error{ErrorKind::Usage, fmt::format("The range is outside the trace because only part of the recording "
                                                   "was kept, starting at {} s.",
                                                   secondsText(begin))};
    if (interval.start == kBeforeTrace || interval.start >= begin) return std::nullopt;
    return Error{ErrorKind::Usage, fmt::format("The range starts at {} s, before the start of the trace. Only part of "
                                               "the recording was kept, starting at {} s.",
                                               secondsText(interval.start), secondsText(begin))};
}

/// Processor numbers that no record of the trace uses, for records at the start and end of the interval, and for the
/// outstanding allocations, which are written last.
struct OwnProcessors {
    explicit OwnProcessors(const TraceProperties& properties)
        : notes(std::min<std::uint16_t>(Spool::ownProcessor(properties), 0xFFF0u)),
          outstanding(static_cast<std::uint16_t>(notes + 1u)) {}
    std::uint16_t notes;
    std::uint16_t outstanding;
};

/// Copies the records of a trace that belong to the crop, and collects the allocations outstanding at its start.
class Crop final : public etl::RecordSink {
  public:
    Crop(const TraceProperties& properties, const TimeRange& interval, const CropProcesses& processes,
         etl::EtlWriter& writer, std::stop_token stop)
        : properties_(properties),
          clock_(properties),
          interval_(interval),
          range_(ticksOf(properties, interval)),
          processes_(processes),
          writer_(writer),
          stop_(std::move(stop)),
          own_(properties),
          cut_(range_, processes),
          store_(health_),
          decoder_(properties, store_, health_) {
        if (hasStart()) store_.notePagesAt(clock_.toTime(range_.first));
    }

    void onBatch(etl::RecordBatch& batch) override {
        if (stop_.stop_requested() || error_) ends_.request_stop();
        if (ends_.stop_requested()) return;
        startRecords_.clear();
        for (const auto& record : batch.records) {
            if (const auto begin = startOfKeptPart(record, clock_); begin && !error_)
                error_ = refusalOf(interval_, *begin);
            hasInside_ = hasInside_ || (record.ticks >= range_.first && record.ticks < range_.end);
            lastTicks_ = std::max(lastTicks_, record.ticks);
            if (hasStart() && cut_.affectsStartState(record)) startRecords_.push_back(record);
            for (const auto& kept : cut_.cut(record))
                write(kept);
            if (error_) return;
        }
        if (!hasStart() || batch.records.empty()) return;
        decoder_.decode(startRecords_);
        decoder_.reach(batch.records.back().ticks);
    }

    /// Writes the last part: allocations outstanding at the start of the interval, and losses of the whole trace.
    Result<void> finish(const HealthReport& sourceHealth, const source::EtlFileFacts& facts) {
        if (error_) return *error_;
        if (!hasInside_) return nothingInside();
        if (hasStart()) {
            for (const auto& record : cut_.stackKeys().used(range_.first - 1, own_.notes))
                write(record);
            decoder_.finish();
            TRY(writeOutstanding());
        }
        writeNotes(sourceHealth, facts);
        if (error_) return *error_;
        const auto end = properties_.startFileTime + clock_.endAfter(lastInside()).ns / 100;
        return writer_.finish(end, properties_.eventsLost, properties_.buffersLost);
    }

    [[nodiscard]] const CropResult& result() const { return result_; }
    /// Stops the source when no more records are needed.
    [[nodiscard]] std::stop_token ends() const { return ends_.get_token(); }

  private:
    [[nodiscard]] bool hasStart() const { return range_.first != std::numeric_limits<std::int64_t>::min(); }
    [[nodiscard]] bool hasEnd() const { return range_.end <= lastTicks_; }
    [[nodiscard]] std::int64_t lastInside() const { return std::min(range_.end - 1, lastTicks_); }

    void write(const RawRecord& record) {
        const auto written = writer_.write(record);
        if (written.hasValue()) {
            ++result_.records;
        } else if (written.error().kind == ErrorKind::Usage) {
            ++result_.recordsLeftOut; // the record is invalid; the file continues without it
        } else {
            error_ = written.error();
        }
    }

    Result<void> writeOutstanding() {
        const CarryOver state{.startTicks = range_.first,
                              .trace = store_.publish(),
                              .pages = store_.notedPages(),
                              .pids = processes_.areAll() ? std::nullopt : std::optional(processes_.pids())};
        if (!state.pages) return nothingInside();
        const auto write = [this](std::span<const RawRecord> records) -> Result<void> {
            for (const auto& record : records) {
                TRY(writer_.write(record));
            }
            return {};
        };
        result_.outstanding = TRY(writeCarryOver(state, properties_, own_.outstanding, write));
        return {};
    }

    void writeNote(const std::string& sentence, Severity severity) {
        source::BatchBuilder builder;
        source::addRemark(builder, lastInside(), severity, sentence);
        etl::RecordBatch batch;
        builder.moveTo(batch);
        for (auto& record : batch.records) {
            record.processor = own_.notes;
            write(record);
        }
    }

    /// Also records the place of the loss, up to the end of the new trace.
    void writeLoss(const source::LostTicks& lost) {
        const auto payload = decode::encodeRemark(
            {describeLoss(lost), true,
             decode::RemarkPlace{lost.first, std::min(lost.last, hasEnd() ? range_.end : lost.last), lost.count,
                                 lost.isStartCertain, lost.startEdge, lost.endEdge, lost.what}});
        RawRecord record;
        record.kind = RawRecord::Kind::Provider;
        record.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
        record.header = etl::HeaderType::Full64;
        record.opcode = highwater_opcode::kRemark;
        record.ticks = lastInside();
        record.processor = own_.notes;
        record.payload = payload.data();
        record.payloadBytes = static_cast<std::uint32_t>(payload.size());
        write(record);
    }

    /// At the last instant of the interval, so that the new trace extends to it.
    void writeNotes(const HealthReport& sourceHealth, const source::EtlFileFacts& facts) {
        writeNote(describeCrop(), Severity::Note);
        for (const auto& lost : facts.lost) {
            if (lost.first > lastInside()) continue;
            writeLoss(lost);
        }
        if (!facts.lost.empty()) return;
        for (const auto& entry : sourceHealth.entries()) {
            if (entry.severity != Severity::Bound || isInHeader(entry)) continue;
            writeNote("In the original trace: " + entry.text(), Severity::Bound);
        }
    }
    [[nodiscard]] std::string describeLoss(const source::LostTicks& lost) const {
        const auto from = clock_.toTime(lost.first);
        if (lost.what == kEndOfFile)
            return fmt::format("The original trace was cut off: its end is missing, from {:.3f} s on.", from.seconds());
        const auto to = clock_.toTime(lost.last);
        return fmt::format("The original trace lacks data {}: {}.", betweenText(from, to, 3),
                           countedLoss({from, to, lost.what, lost.count}));
    }
    /// The header of the new file also has these counts.
    static bool isInHeader(const HealthEntry& entry) {
        return entry.name == describe(Loss::EventsLost).name || entry.name == describe(Loss::BuffersLost).name;
    }

    [[nodiscard]] std::string describeCrop() const {
        auto sentence = fmt::format("Cropped from a longer trace: from {} to {}",
                                    hasStart() ? secondsText(clock_.toTime(range_.first)) + " s" : "its start",
                                    hasEnd() ? secondsText(clock_.toTime(range_.end)) + " s" : "its end");
        if (processes_.areAll()) return sentence + ".";
        const auto pids = processes_.pids();
        if (pids.size() > kMostPidsNamed) return sentence + fmt::format(", {} of its processes.", pids.size());
        return sentence +
               fmt::format(", {} {} only.", byNumber(pids.size(), "process", "processes"), fmt::join(pids, ", "));
    }

    [[nodiscard]] Error nothingInside() const {
        constexpr auto kLatestPlausibleNs = std::int64_t{1} << 61; // 73 years; only damaged records are later
        std::string sentence = "The trace contains nothing in that range";
        const auto end = clock_.endAfter(lastTicks_);
        if (lastTicks_ == std::numeric_limits<std::int64_t>::min())
            sentence += " because it has no readable events";
        else if (end.ns > 0 && end.ns < kLatestPlausibleNs)
            sentence += fmt::format(" because it ends at {} s", secondsText(end));
        return {ErrorKind::Usage, sentence + '.'};
    }

    const TraceProperties& properties_;
    decode::Clock clock_;
    TimeRange interval_;
    TickRange range_;
    const CropProcesses& processes_;
    etl::EtlWriter& writer_;
    std::stop_token stop_; ///< from the caller
    std::stop_source ends_;
    OwnProcessors own_;
    RecordCut cut_;
    TraceHealth health_; ///< only for records decoded here; the new trace has its own
    store::TraceStore store_;
    decode::RecordDecoder decoder_;
    std::vector<RawRecord> startRecords_;
    CropResult result_;
    std::optional<Error> error_;
    std::int64_t lastTicks_ = std::numeric_limits<std::int64_t>::min();
    bool hasInside_ = false;
};

Result<CropResult> writeCrop(const CropRequest& request, const CropProcesses& processes, etl::ByteOutput& output,
                             const std::stop_token& stop, Progress& progress) {
    TraceHealth health;
    auto opened = TRY(source::EtlFileSource::open(request.traces, health));
    auto& source = *opened;
    auto described = source.properties();
    described.processors = OwnProcessors(described).outstanding + 1u;
    auto writer = TRY(
        etl::EtlWriter::create(output, described, {.bufferBytes = kBufferBytes, .compression = request.compression}));
    Crop crop(source.properties(), request.interval, processes, *writer, stop);
    const auto read = source.run(crop, health, crop.ends(), progress);
    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "Cropping was cancelled; no file was written."};
    if (!read.hasValue() && read.error().kind != ErrorKind::Cancelled) return read.error();
    TRY(crop.finish(health.report(), source.facts()));
    return crop.result();
}

/// Files of other profilers are handled elsewhere.
Error told(Error error) {
    if (error.kind == ErrorKind::NotATrace) error.message += " Only event traces (.etl) can be cropped.";
    return error;
}

Result<void> checkFiles(const CropRequest& request) {
    for (const auto& trace : request.traces) {
        if (source::isProfile(trace))
            return Error{
                ErrorKind::NotATrace,
                fmt::format("{} is a file of another profiler. Only event traces (.etl) can be cropped.", utf8(trace))};
        std::error_code failed;
        if (fs::equivalent(trace, request.output, failed)) {
            return Error{ErrorKind::Usage,
                         fmt::format("{} is the trace itself. Choose another name for the cropped trace.",
                                     utf8(request.output))};
        }
    }
    if (request.interval.isEmpty()) return Error{ErrorKind::Usage, "The range is empty. It must start before it ends."};
    return {};
}

} // namespace

std::vector<std::string> sentencesOf(const CropResult& result, std::string_view name) {
    std::vector<std::string> sentences{fmt::format("Saved {} ({}).", name, bytesText(result.bytes))};
    if (result.outstanding > 0)
        sentences.push_back(
            fmt::format("It includes {} from before the interval.", counted(result.outstanding, "allocation")));
    if (result.recordsLeftOut > 0)
        sentences.push_back(fmt::format(
            "{} {} left out because {} damaged or of an unsupported kind.", counted(result.recordsLeftOut, "record"),
            byNumber(result.recordsLeftOut, "was", "were"), byNumber(result.recordsLeftOut, "it is", "they are")));
    return sentences;
}

Result<CropResult> cropTrace(const CropRequest& request, std::stop_token stop, Progress& progress) {
    TRY(checkFiles(request));
    const auto place = TRY(OutputFile::placeFor(request.output));
    const auto processes = request.pids.empty() ? findProcesses(request.traces, request.processes, stop)
                                                : Result(CropProcesses(request.pids));
    if (!processes.hasValue()) return told(processes.error());
    CropResult result;
    auto written = writeBeside(place, [&](std::unique_ptr<OutputFile> file) -> Result<void> {
        const auto output = etl::outputTo(std::move(file));
        result = TRY(writeCrop(request, processes.value(), *output, stop, progress));
        result.bytes = output->size();
        return output->sync();
    });
    if (!written.hasValue()) return told(written.error());
    return result;
}

} // namespace highwater::pipeline
