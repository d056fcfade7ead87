#include "app/recording/resident_watch.h"

#include "app/recording/recording_session.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"

#include <algorithm>
#include <ranges>

namespace highwater::app {
namespace {

using analysis::Balance, analysis::MemoryLayer;

constexpr ByteCount kLeastPart = 20; ///< a twentieth of Rss

QString bytesText(ByteCount bytes) { return ui::formatBytes(static_cast<SignedByteCount>(bytes)); }

/// In the order of the layers.
const QStringList& layerWords() {
    static const QStringList kAll{
        ResidentWatch::tr("%1 live"),           ResidentWatch::tr("%1 rounding"),
        ResidentWatch::tr("%1 free but held"),  ResidentWatch::tr("%1 free"),
        ResidentWatch::tr("%1 mapped"),         ResidentWatch::tr("%1 stacks"),
        ResidentWatch::tr("%1 generated code"), ResidentWatch::tr("%1 program and libraries"),
        ResidentWatch::tr("%1 files"),          ResidentWatch::tr("%1 shared"),
        ResidentWatch::tr("%1 Highwater"),      ResidentWatch::tr("%1 unknown"),
    };
    return kAll;
}

/// The newest sample in the published part; nothing: there is none.
std::optional<TraceTime> newestSample(const store::PublishedTrace& trace) {
    if (!trace.residentSamples) return std::nullopt;
    const auto end = trace.wholeRange().end;
    for (const auto& sample : std::views::reverse(*trace.residentSamples))
        if (sample->time < end) return sample->time;
    return std::nullopt;
}

} // namespace

QString ResidentWatch::wordsOf(const std::vector<Balance>& balances) {
    if (balances.empty()) return {};
    const auto& point = balances.front().point;
    QStringList parts;
    auto other = point.resident;
    for (const auto layer : analysis::allMemoryLayers()) {
        const auto bytes = point.layers[layer];
        if (bytes == 0 || bytes < point.resident / kLeastPart) continue;
        parts << layerWords()[static_cast<qsizetype>(layer)].arg(bytesText(bytes));
        other -= std::min(other, bytes);
    }
    if (other > 0) parts << tr("%1 other").arg(bytesText(other));
    const auto layers = parts.join(QStringLiteral(", "));
    if (balances.size() == 1) return tr("Rss %1: %2").arg(bytesText(point.resident), layers);
    return tr("Rss of %1 %2: %3").arg(ui::lineText(balances.front().name), bytesText(point.resident), layers);
}

Result<std::vector<Balance>> ResidentWatch::answer(const Question& question, const std::stop_token& stop) {
    return analysis::balanceAt(*question.trace, {question.trace->wholeRange(), {}, question.sample}, stop);
}

ResidentWatch::ResidentWatch(RecordingSession& session, QObject* parent)
    : QObject(parent),
      session_(session),
      finder_(*this, answer, [this](const Question&, const Result<std::vector<Balance>>& balances) {
          restMs_ = sinceQuestion_.elapsed() * ui::kRestPerWork;
          sinceAnswer_.start();
          if (balances.hasValue()) emit changed(wordsOf(balances.value()));
      }) {
    connect(&session, &RecordingSession::beginning, this, &ResidentWatch::clear);
    connect(&session, &RecordingSession::published, this, &ResidentWatch::look);
    connect(&session, &RecordingSession::ended, this, &ResidentWatch::clear);
}

void ResidentWatch::look(const std::shared_ptr<const store::PublishedTrace>& trace) {
    if (!session_.isRecording() || finder_.isBusy()) return;
    if (sinceAnswer_.isValid() && sinceAnswer_.elapsed() < restMs_) return;
    const auto sample = newestSample(*trace);
    if (!sample || *sample == asked_) return;
    asked_ = *sample;
    sinceQuestion_.start();
    finder_.ask({trace, *sample}, ui::Urgency::Now);
}

void ResidentWatch::clear() {
    finder_.cancel();
    asked_ = kBeforeTrace;
    sinceAnswer_.invalidate();
    emit changed({});
}

} // namespace highwater::app

#include "moc_resident_watch.cpp"
