#include "core/pipeline/crop/crop_processes.h"

#include "core/base/text.h"
#include "core/decode/records/heap_range_record.h"
#include "core/decode/records/image_id_record.h"
#include "core/decode/records/image_record.h"
#include "core/decode/records/process_record.h"
#include "core/decode/records/stack_record.h"
#include "core/decode/records/thread_record.h"
#include "core/decode/records/virtual_memory_record.h"
#include "core/event/opcodes.h"
#include "core/source/etl_files/etl_file_source.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>

namespace highwater::pipeline {
namespace {

using etl::RawRecord;
using Pid = std::optional<std::uint32_t>;

constexpr std::size_t kMostNamesListed = 12; ///< in a message

template <typename Decoded>
Pid pidOf(const std::optional<Decoded>& decoded) {
    return decoded ? Pid(decoded->pid) : std::nullopt;
}

Pid headerPid(const RawRecord& record) { return record.pid == etl::kNoId ? std::nullopt : Pid(record.pid); }

Pid firstWord(const RawRecord& record) { return ByteReader(record.payloadSpan()).take<std::uint32_t>(); }

Pid pidOfPages(const RawRecord& record) {
    switch (record.opcode) {
    case virtual_opcode::kAlloc:
        return pidOf(decode::decodeVirtualAlloc(record));
    case virtual_opcode::kFree:
        return pidOf(decode::decodeVirtualFree(record));
    case virtual_opcode::kRundownStart:
        return pidOf(decode::decodeVirtualRundownStart(record));
    case virtual_opcode::kRundownEnd:
        return pidOf(decode::decodeVirtualRundownEnd(record));
    case heap_range_opcode::kRundown: {
        const auto rundown = decode::HeapRangeRundown::decode(record);
        return rundown && rundown->size() > 0 ? Pid(rundown->range(0).pid) : std::nullopt;
    }
    case process_memory_opcode::kSample:
        return std::nullopt; // for all processes at once
    default:
        return headerPid(record);
    }
}

Pid pidOfClassic(const RawRecord& record) {
    switch (record.group) {
    case group::kMemory:
        return pidOfPages(record);
    case group::kProcess:
        return record.opcode == image_opcode::kLoad ? pidOf(decode::decodeImage(record))
                                                    : pidOf(decode::decodeProcess(record));
    case group::kImage:
        return pidOf(decode::decodeImage(record));
    case group::kThread:
        return record.opcode == thread_opcode::kSetName        ? pidOf(decode::decodeThreadName(record))
               : record.opcode <= lifetime_opcode::kRundownEnd ? pidOf(decode::decodeThread(record))
                                                               : headerPid(record);
    case group::kPerfInfo:
        return record.opcode == perf_info_opcode::kMark ? std::nullopt : headerPid(record);
    default:
        return headerPid(record);
    }
}

Pid pidOfOwn(const RawRecord& record) {
    const bool isOfProcess = record.opcode == highwater_opcode::kProcess || record.opcode == highwater_opcode::kCode ||
                             record.opcode == highwater_opcode::kResident ||
                             record.opcode == highwater_opcode::kPicture;
    return isOfProcess ? firstWord(record) : std::nullopt;
}

/// Maps lower-case names to their spelling.
struct BeforeInSmallLetters {
    bool operator()(const std::string& a, const std::string& b) const { return lowered(a) < lowered(b); }
};
using PidsByName = std::multimap<std::string, std::uint32_t, BeforeInSmallLetters>;

/// Collects the process names of a trace.
class NameSink final : public etl::RecordSink {
  public:
    void onBatch(etl::RecordBatch& batch) override {
        for (const auto& record : batch.records)
            take(record);
    }
    [[nodiscard]] const PidsByName& names() const { return names_; }
    [[nodiscard]] bool has(std::uint32_t pid) const { return std::binary_search(sorted_.begin(), sorted_.end(), pid); }
    void finish() {
        for (const auto& [name, pid] : names_)
            sorted_.push_back(pid);
        std::sort(sorted_.begin(), sorted_.end());
    }

  private:
    void take(const RawRecord& record) {
        std::optional<ProcessEvent> event;
        const bool isClassic = record.kind == RawRecord::Kind::Classic;
        if (isClassic && record.group == group::kProcess && record.opcode <= lifetime_opcode::kRundownEnd)
            event = decode::decodeProcess(record);
        else if (record.kind == RawRecord::Kind::Provider && record.opcode == highwater_opcode::kProcess &&
                 record.providerGuid() == kHighwaterProvider)
            event = decode::decodeProcessChange(record);
        if (event) add(std::string(fileName(event->name)), event->pid);
    }
    void add(std::string name, std::uint32_t pid) {
        const auto [first, last] = names_.equal_range(name);
        if (std::none_of(first, last, [pid](const auto& known) { return known.second == pid; }))
            names_.emplace(std::move(name), pid);
    }

    PidsByName names_;
    std::vector<std::uint32_t> sorted_;
};

std::optional<std::uint32_t> asNumber(const std::string& word) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return number;
}

/// "name (pid)", as tables show processes. Nothing if the text has another form.
std::optional<std::pair<std::string, std::uint32_t>> asShown(const std::string& word) {
    const auto open = word.rfind(" (");
    if (open == std::string::npos || !word.ends_with(')')) return std::nullopt;
    const auto pid = asNumber(word.substr(open + 2, word.size() - open - 3));
    return pid ? std::optional(std::pair(word.substr(0, open), *pid)) : std::nullopt;
}

Error noSuchProcess(const std::string& word, const NameSink& found) {
    auto sentence = fmt::format("The trace has no process named {}.", word);
    std::size_t listed = 0;
    for (const auto& [name, pid] : found.names()) {
        if (name.empty()) continue;
        if (listed == kMostNamesListed) {
            sentence += ", ...";
            break;
        }
        sentence += fmt::format("{}{} ({})", listed++ == 0 ? " Its processes: " : ", ", name, pid);
    }
    return {ErrorKind::Usage, std::move(sentence)};
}

} // namespace

CropProcesses::CropProcesses(std::vector<std::uint32_t> pids) {
    std::sort(pids.begin(), pids.end());
    pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
    pids_ = std::move(pids);
}

bool CropProcesses::contains(std::uint32_t pid) const {
    return !pids_ || std::binary_search(pids_->begin(), pids_->end(), pid);
}

std::optional<std::uint32_t> processOf(const RawRecord& record) {
    if (record.kind == RawRecord::Kind::Classic) return pidOfClassic(record);
    if (record.kind != RawRecord::Kind::Provider) return headerPid(record);
    const auto provider = record.providerGuid();
    if (provider == kHighwaterProvider) return pidOfOwn(record);
    if (provider == kSystemConfigProvider) return std::nullopt;
    if (provider == kImageIdProvider && record.opcode == image_id_opcode::kImage)
        return pidOf(decode::decodeImageIdImage(record));
    if (provider == kImageIdProvider && record.opcode == image_id_opcode::kRsds)
        return pidOf(decode::decodeImageIdRsds(record));
    return headerPid(record);
}

Result<CropProcesses> findProcesses(const std::vector<std::filesystem::path>& traces,
                                    const std::vector<std::string>& words, std::stop_token stop) {
    if (words.empty()) return CropProcesses();
    TraceHealth health;
    Progress progress;
    auto source = TRY(source::EtlFileSource::open(traces, health));
    NameSink found;
    TRY(source->run(found, health, std::move(stop), progress));
    found.finish();
    std::vector<std::uint32_t> pids;
    for (const auto& word : words) {
        const auto before = pids.size();
        if (const auto pid = asNumber(word); pid && found.has(*pid)) pids.push_back(*pid);
        const auto [first, last] = found.names().equal_range(word);
        for (auto named = first; named != last; ++named)
            pids.push_back(named->second);
        const auto shown = asShown(word);
        const auto [begin, end] = found.names().equal_range(shown ? shown->first : std::string());
        if (shown && std::any_of(begin, end, [&](const auto& named) { return named.second == shown->second; }))
            pids.push_back(shown->second);
        if (pids.size() == before) return noSuchProcess(word, found);
    }
    return CropProcesses(std::move(pids));
}

} // namespace highwater::pipeline
