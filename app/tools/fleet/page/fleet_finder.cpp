#include "app/tools/fleet/page/fleet_finder.h"

#include "core/summary/run_id.h"
#include "ui/format/qt_text.h"

#include <QFile>
#include <QFileInfo>

#include <filesystem>
#include <utility>
#include <vector>

namespace highwater::ui {
namespace {

constexpr int kFleetThreads = 6; ///< leaves threads for other queries if one does not end
constexpr std::size_t kMostStacks = 200;

Result<FleetAnswer> answerTo(fleet::FleetStore& store, const FleetQuestion& question, const std::stop_token& stop) {
    const auto& samples = question.samples;
    const auto answer = [&](auto found) -> Result<FleetAnswer> {
        auto value = TRY(std::move(found));
        return FleetAnswer{question, std::move(value)};
    };
    const fleet::RunFilter runs{question.toBuild, samples.machine, samples.scenario, {}};
    switch (question.kind) {
    case FleetKind::Grew: {
        fleet::GrewQuestion grew{question.fromBuild, question.toBuild, samples};
        grew.leastGrowth = leastOf(question);
        grew.most = kMostStacks;
        return answer(store.grew(grew, stop));
    }
    case FleetKind::New:
    case FleetKind::Gone: {
        fleet::PresenceQuestion presence{question.fromBuild, question.toBuild, samples};
        presence.isGone = question.kind == FleetKind::Gone;
        presence.least = leastOf(question);
        presence.most = kMostStacks;
        return answer(store.presence(presence, stop));
    }
    case FleetKind::Slope:
        return answer(store.slopes(question.toBuild, samples, kMostStacks, stop));
    case FleetKind::Health:
        return answer(store.health(runs, stop));
    case FleetKind::Runs:
        break;
    }
    return answer(store.runs(runs, stop));
}

FleetReach reachOf(const FleetRun& run) {
    FleetReach reach;
    std::vector<std::filesystem::path> paths;
    for (const auto& file : filesOf(run.facts)) {
        QFile opened(file);
        if (!QFileInfo(file).isFile() || !opened.open(QIODevice::ReadOnly)) reach.missing << file;
        paths.push_back(toPath(file));
    }
    if (!reach.missing.isEmpty()) return reach;
    const auto id = summary::runIdOf(paths);
    reach.isOther = !id.hasValue() || id.value() != run.facts.run;
    return reach;
}

} // namespace

QStringList filesOf(const summary::RunFacts& facts) {
    return toQString(facts.trace).split(QLatin1Char(';'), Qt::SkipEmptyParts);
}

FleetFinder::FleetFinder(OpenFleetFunction open, QObject* parent)
    : QObject(parent),
      open_(std::move(open)),
      contents_(
          *this, pools_,
          [this](const auto& request, const std::stop_token& stop) -> Result<FleetContents> {
              auto store = TRY(open_(request.place));
              const auto runs = TRY(store->runs({}, stop));
              return contentsOf(runs);
          },
          [this](const auto& request, auto answer) { deliver(Asked::Contents, request, std::move(answer)); }),
      answers_(
          *this, pools_,
          [this](const auto& request, const std::stop_token& stop) -> Result<FleetAnswer> {
              auto store = TRY(open_(request.place));
              return answerTo(*store, request.question, stop);
          },
          [this](const auto& request, auto answer) { deliver(Asked::Answer, request, std::move(answer)); }),
      histories_(
          *this, pools_,
          [this](const auto& request, const std::stop_token& stop) -> Result<fleet::HistoryAnswer> {
              auto store = TRY(open_(request.place));
              return store->history(request.question, stop);
          },
          [this](const auto& request, auto answer) { deliver(Asked::History, request, std::move(answer)); }),
      worst_(
          *this, pools_,
          [this](const auto& request, const std::stop_token& stop) -> Result<FleetWorst> {
              auto store = TRY(open_(request.place));
              auto worst = TRY(store->worst(request.question.question, stop));
              return FleetWorst{request.question.question, request.question.stack, std::move(worst.runs),
                                worst.runsUnknown};
          },
          [this](const auto& request, auto answer) { deliver(Asked::Worst, request, std::move(answer)); }),
      reach_(
          *this, pools_, [](const FleetRun& run, const std::stop_token&) -> Result<FleetReach> { return reachOf(run); },
          [this](const FleetRun& run, const Result<FleetReach>& reach) {
              if (reach.hasValue()) emit reachAnswered(run, reach.value());
          }) {
    pools_.setMaxThreadCount(kFleetThreads);
    contents_.onBusyChange([this] { emit busyChanged(Asked::Contents, contents_.isBusy()); });
    answers_.onBusyChange([this] { emit busyChanged(Asked::Answer, answers_.isBusy()); });
    histories_.onBusyChange([this] { emit busyChanged(Asked::History, histories_.isBusy()); });
    worst_.onBusyChange([this] { emit busyChanged(Asked::Worst, worst_.isBusy()); });
    reach_.onBusyChange([this] { emit busyChanged(Asked::Reach, reach_.isBusy()); });
}

FleetFinder::~FleetFinder() {
    const QSignalBlocker silent(this);
    cancel();
    pools_.waitForDone();
}

void FleetFinder::setPlace(const FleetPlace& place) {
    cancel();
    place_ = place;
}

void FleetFinder::cancel() {
    contents_.cancel();
    answers_.cancel();
    histories_.cancel();
    worst_.cancel();
    reach_.cancel();
}

bool FleetFinder::isBusy() const {
    return contents_.isBusy() || answers_.isBusy() || histories_.isBusy() || worst_.isBusy() || reach_.isBusy();
}

void FleetFinder::askContents(const FleetPlace& place) { contents_.ask({place, {}}, Urgency::Now); }
void FleetFinder::ask(const FleetQuestion& question) { answers_.ask({place_, question}, Urgency::Now); }
void FleetFinder::askHistory(const fleet::HistoryQuestion& question) {
    histories_.ask({place_, question}, Urgency::Now);
}
void FleetFinder::askWorst(const fleet::WorstQuestion& question, const fleet::FleetStack& stack) {
    worst_.ask({place_, {question, stack}}, Urgency::Now);
}
void FleetFinder::askReach(const FleetRun& run) { reach_.ask(run, Urgency::Now); }

template <typename Request, typename Answer>
void FleetFinder::deliver(Asked asked, const Request& request, const Result<Answer>& answer) {
    if (answer.hasValue()) return tell(request, answer.value());
    fail(asked, answer.error());
}

void FleetFinder::fail(Asked asked, const Error& error) {
    if (error.kind != ErrorKind::Cancelled) emit failed(asked, error.kind, toQString(error.message));
}

void FleetFinder::tell(const Placed<FleetQuestion>&, FleetAnswer answer) {
    emit answered(std::make_shared<const FleetAnswer>(std::move(answer)));
}

void FleetFinder::tell(const Placed<fleet::HistoryQuestion>& request, fleet::HistoryAnswer answer) {
    emit historyAnswered(std::make_shared<const fleet::HistoryAnswer>(std::move(answer)),
                         request.question.samples.measure);
}

void FleetFinder::tell(const Placed<StackRuns>&, FleetWorst answer) {
    emit worstAnswered(std::make_shared<const FleetWorst>(std::move(answer)));
}

} // namespace highwater::ui

#include "moc_fleet_finder.cpp"
