#include "core/analysis/balance/balance.h"

#include "core/analysis/balance/allocator_rules.h"
#include "core/analysis/balance/sample_sweep.h"
#include "core/analysis/columns/trace_lacks.h"
#include "core/event/mapping_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

namespace highwater::analysis {
namespace {

/// The samples that the query asks for.
std::vector<SampledMemory> samplesFor(const store::PublishedTrace& trace, const BalanceQuery& query) {
    auto processes = samplesIn(trace, query.interval);
    std::erase_if(processes, [&](const SampledMemory& memory) { return !isMeant(trace, query, memory.process); });
    return processes;
}

ByteCount programPeakOf(const std::vector<SharedResidentSample>& samples) {
    ByteCount highest = 0;
    for (const auto& sample : samples)
        highest = std::max(highest, sample->residentOfProgram());
    return highest;
}

using ChooseSample = std::function<SharedResidentSample(const std::vector<SharedResidentSample>&)>;

SharedResidentSample newestOf(const std::vector<SharedResidentSample>& samples) { return samples.back(); }

/// Answers two questions in one sweep: the balance of each process at one of its samples, and the courses.
class BalanceSweep {
  public:
    explicit BalanceSweep(const store::PublishedTrace& trace) : trace_(trace) {}

    void askCourses(const BalanceQuery& query) {
        for (auto& samples : samplesFor(trace_, query)) {
            auto& asked = asked_[samples.process.value];
            asked.course = {samples.samples.front()->time, samples.samples.back()->time};
            asked.memory = std::move(samples);
        }
    }
    /// After askCourses().
    void askBalances(const BalanceQuery& query, const ChooseSample& choose) {
        for (const auto& samples : samplesFor(trace_, query)) {
            auto& asked = asked_[samples.process.value];
            asked.detailed = choose(samples.samples);
            asked.memory.process = samples.process;
            auto& all = asked.memory.samples;
            if (std::ranges::find(all, asked.detailed) != all.end()) continue;
            const auto later = std::ranges::upper_bound(
                all, asked.detailed->time, {}, [](const SharedResidentSample& sample) { return sample->time; });
            all.insert(later, asked.detailed);
        }
    }
    Result<BalanceWithCourses> run(const std::stop_token& stop) {
        if (auto refused = whyNoBalance(trace_)) return *std::move(refused);
        std::vector<SampledMemory> processes;
        std::vector<Answer> answers;
        for (const auto& [number, asked] : asked_) {
            processes.push_back(asked.memory);
            answers.push_back(answerFor(asked));
        }
        const auto answer = [&](std::size_t i, const ResidentSample& sample, ProcessMemory& memory) {
            addTo(answers[i], sample, memory);
        };
        TRY(sweepSamples(trace_, processes, answer, stop));
        return sorted(std::move(answers));
    }

  private:
    struct Asked {
        SampledMemory memory;
        SharedResidentSample detailed;                         ///< the sample to divide into layers; null: none
        std::optional<std::pair<TraceTime, TraceTime>> course; ///< its first and last sample
    };
    struct Answer {
        Asked asked;
        Balance balance;
        BalanceCourse course;
        std::shared_ptr<ResidentPeaks> peaks = {}; ///< of the course; null: none is asked for
    };

    [[nodiscard]] Answer answerFor(const Asked& asked) const {
        const auto process = asked.memory.process;
        Answer answer{asked, {}, {}};
        answer.balance.process = process;
        answer.balance.name = trace_.processes->key(process);
        answer.balance.whyIncomplete = whyUnrecorded(trace_, process);
        answer.balance.hasOtherAllocator = hasOtherAllocator(*trace_.processes, process);
        if (asked.course) answer.peaks = std::make_shared<ResidentPeaks>();
        answer.balance.peaks = answer.peaks;
        answer.course = {process, answer.balance.name, {}, (*trace_.processes)[process].end, answer.peaks};
        return answer;
    }
    void addTo(Answer& answer, const ResidentSample& sample, ProcessMemory& memory) const {
        auto& [asked, balance, course, peaks] = answer;
        const auto images = imagesAt(*trace_.processes, balance.process, sample.time);
        const auto free = balance.isIncomplete() ? ProcessMemory::Free::Unknown : ProcessMemory::Free::Known;
        const bool isDetailed = &sample == asked.detailed.get();
        const bool isInCourse =
            asked.course && asked.course->first <= sample.time && sample.time <= asked.course->second;
        ProcessMemory::Details details;
        if (isDetailed) details = {&balance.parts, &balance.modules};
        if (isInCourse) details.peaks = peaks.get();
        const auto point = memory.pointAt(sample, images, free, details);
        if (isDetailed) {
            balance.point = point;
            balance.hasOtherAllocator |= std::ranges::count(sample.names, kPrivateMemory) > 0;
        }
        if (isInCourse) course.points.push_back(point);
    }
    [[nodiscard]] static BalanceWithCourses sorted(std::vector<Answer> answers) {
        BalanceWithCourses found;
        for (auto& answer : answers) {
            if (answer.asked.detailed) found.balances.push_back(std::move(answer.balance));
            if (answer.asked.course) found.courses.push_back(std::move(answer.course));
        }
        std::ranges::stable_sort(found.balances, std::ranges::greater(),
                                 [](const Balance& balance) { return balance.point.resident; });
        std::ranges::stable_sort(found.courses, std::ranges::greater(), [](const BalanceCourse& course) {
            return std::ranges::max(course.points, {}, &BalancePoint::resident).resident;
        });
        return found;
    }

    const store::PublishedTrace& trace_;
    std::map<std::uint32_t, Asked> asked_; ///< by process
};

/// The balance of each process at one of its samples.
Result<std::vector<Balance>> balancesAt(const store::PublishedTrace& trace, const BalanceQuery& query,
                                        const ChooseSample& choose, const std::stop_token& stop) {
    BalanceSweep sweep(trace);
    sweep.askBalances(query, choose);
    auto found = TRY(sweep.run(stop));
    return std::move(found.balances);
}

} // namespace

bool isMeant(const store::PublishedTrace& trace, const BalanceQuery& query, ProcessIndex process) {
    if (query.runningAt && (*trace.processes)[process].end < *query.runningAt) return false;
    return !query.only || std::ranges::find(*query.only, process) != query.only->end();
}

/// A fork that has executed a program (it has another name) has no blocks of its parent.
std::string_view whyUnrecorded(const store::PublishedTrace& trace, ProcessIndex index) {
    const auto& process = (*trace.processes)[index];
    const bool hasHeap = trace.heap.rows > 0 || trace.heap.evicted.rows > 0;
    if (!hasHeap && !process.isAttached) return "the recording has no heap events";
    const bool hasBlocksOfParent = process.isFork && process.forkName.empty();
    // Windows lists running processes without their start. Elsewhere, a process that executes has no blocks from
    // before.
    const bool isOnlyListed = !trace.isOfAgent && process.namesBefore.empty() && process.start == kBeforeTrace;
    if (hasBlocksOfParent && !process.isAttached) return "blocks inherited from the parent process were not recorded";
    return process.isAttached || isOnlyListed ? "blocks from before the recording were not recorded"
                                              : std::string_view();
}

bool hasUnrecordedBlocks(const store::PublishedTrace& trace, ProcessIndex process) {
    return !whyUnrecorded(trace, process).empty();
}

TimeRange upTo(TraceTime instant) { return {kBeforeTrace, instant == kNever ? kNever : TraceTime{instant.ns + 1}}; }

std::optional<Error> whyNoBalance(const store::PublishedTrace& trace) {
    if (trace.residentSamples && !trace.residentSamples->empty()) return std::nullopt;
    if (auto refused = whyNoAnswer(AnswerKind::Balance, trace.lacks)) return refused;
    return Error{
        ErrorKind::Unsupported,
        fmt::format(
            "This trace has no balance of resident memory because it contains no samples of resident "
            "memory. {}",
            trace.isOfAgent
                ? "It ended before the first sample, an earlier version of Highwater recorded it, or the samples are "
                  "in a missing part of it."
                : "It was not recorded by Highwater, or by an earlier version, or it ended before the first sample.")};
}

std::vector<SampledProcess> sampledProcesses(const store::PublishedTrace& trace, TimeRange interval) {
    std::vector<SampledProcess> list;
    for (const auto& samples : samplesIn(trace, interval)) {
        const auto highest = highestOf(samples.samples);
        const auto process = samples.process;
        list.push_back({process, trace.processes->key(process), samples.samples.size(), highest->resident(),
                        highest->time, programPeakOf(samples.samples), hasUnrecordedBlocks(trace, process)});
    }
    std::ranges::stable_sort(list, std::ranges::greater(), &SampledProcess::peak);
    return list;
}

Result<std::vector<Balance>> balanceAt(const store::PublishedTrace& trace, const BalanceQuery& query,
                                       const std::stop_token& stop) {
    return balancesAt(trace, query, newestOf, stop);
}

Result<std::vector<Balance>> balanceAtPeak(const store::PublishedTrace& trace, const BalanceQuery& query,
                                           const std::stop_token& stop) {
    return balancesAt(trace, query, highestOf, stop);
}

Result<std::vector<BalanceCourse>> balanceCourses(const store::PublishedTrace& trace, const BalanceQuery& query,
                                                  const std::stop_token& stop) {
    BalanceSweep sweep(trace);
    sweep.askCourses(query);
    auto found = TRY(sweep.run(stop));
    return std::move(found.courses);
}

Result<BalanceWithCourses> balanceWithCourses(const store::PublishedTrace& trace, const BalanceQuery& query,
                                              TimeRange courses, const std::stop_token& stop) {
    BalanceSweep sweep(trace);
    sweep.askCourses({courses, query.only});
    sweep.askBalances(query, newestOf);
    return sweep.run(stop);
}

Result<BalanceWithCourses> balanceAtPeakWithCourses(const store::PublishedTrace& trace, const BalanceQuery& query,
                                                    const std::stop_token& stop) {
    BalanceSweep sweep(trace);
    sweep.askCourses(query);
    sweep.askBalances(query, highestOf);
    return sweep.run(stop);
}

double explainedShare(const BalancePoint& point) {
    if (point.resident == 0) return 1;
    return 1 - static_cast<double>(point.layers[MemoryLayer::Unknown]) / static_cast<double>(point.resident);
}

} // namespace highwater::analysis
