#include "app/recording/growth_watch.h"

#include "app/recording/recording_session.h"

#include <algorithm>

namespace highwater::app {
namespace {

constexpr qint64 kLeastRestMs = 3000;

Result<MissingGrowth> findMissing(const GrowthQuestion& question, const std::stop_token&) {
    return missingGrowth(pipeline::unrecordedMemory(*question.trace, *question.notes), question.missedBefore);
}

} // namespace

MissingGrowth missingGrowth(const std::vector<pipeline::UnrecordedMemory>& ofProcesses,
                            const std::set<std::string>& missedBefore) {
    MissingGrowth missing;
    ByteCount most = 0;
    for (const auto& memory : ofProcesses) {
        const bool isMissing = missedBefore.contains(memory.process) ? pipeline::isGrowthStillMissing(memory)
                                                                     : pipeline::isGrowthMissing(memory);
        if (!isMissing) continue;
        missing.processes.insert(memory.process);
        missing.bytes += memory.grownUnrecorded;
        if (memory.grownUnrecorded > most) missing.sentence = pipeline::describeGrowth(memory);
        most = std::max(most, memory.grownUnrecorded);
    }
    return missing;
}

GrowthWatch::GrowthWatch(RecordingSession& session, QObject* parent)
    : QObject(parent),
      session_(session),
      finder_(*this, findMissing, [this](const GrowthQuestion&, const Result<MissingGrowth>& missing) {
          if (missing.hasValue()) take(missing.value());
      }) {
    connect(&session, &RecordingSession::beginning, this, [this] {
        finder_.cancel();
        newest_ = {};
        missing_ = {};
        restMs_ = kLeastRestMs;
        sinceAnswer_.start();
    });
    connect(&session, &RecordingSession::published, this, [this](const auto& trace) {
        newest_.trace = trace;
        look();
    });
    connect(&session, &RecordingSession::noted, this, [this](const auto& notes) { newest_.notes = notes; });
    connect(&session, &RecordingSession::ended, this, [this] {
        finder_.cancel(); // the trace itself now contains it
        newest_ = {};
    });
}

std::shared_ptr<const store::PublishedTrace>
GrowthWatch::withNote(const std::shared_ptr<const store::PublishedTrace>& trace) const {
    if (missing_.bytes == 0 || trace->health.unrecordedGrowth > 0) return trace;
    auto noted = std::make_shared<store::PublishedTrace>(*trace);
    noted->health.notes.push_back(missing_.sentence);
    noted->health.unrecordedGrowth = missing_.bytes;
    return noted;
}

void GrowthWatch::look() {
    if (!session_.isRecording() || !newest_.notes || !newest_.trace->isOfAgent) return;
    if (finder_.isBusy() || (sinceAnswer_.isValid() && sinceAnswer_.elapsed() < restMs_)) return;
    sinceQuestion_.start();
    newest_.missedBefore = missing_.processes;
    finder_.ask(newest_, ui::Urgency::Now);
}

void GrowthWatch::take(const MissingGrowth& missing) {
    restMs_ = std::max(kLeastRestMs, sinceQuestion_.elapsed() * ui::kRestPerWork);
    sinceAnswer_.start();
    missing_ = missing;
}

} // namespace highwater::app

#include "moc_growth_watch.cpp"
