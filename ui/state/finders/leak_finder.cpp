#include "ui/state/finders/leak_finder.h"

#include "ui/format/qt_text.h"

namespace highwater::ui {

Result<LeakAnswer> answerLeaks(const LeakRequest& request, std::stop_token stop) {
    auto report = TRY(analysis::findLeaks(*request.trace, *request.labels, request.query, stop));
    return LeakAnswer{request.query.table, std::move(report), !request.query.filter.isEmpty()};
}

LeakFinder::LeakFinder(QObject* parent, LeakFunction find)
    : QObject(parent), lane_(*this, pools_, std::move(find), [this](const LeakRequest&, Result<LeakAnswer> answer) {
          if (answer.hasValue()) {
              emit answered(std::make_shared<const LeakAnswer>(std::move(answer).value()));
          } else if (answer.error().kind != ErrorKind::Cancelled) {
              emit failed(toQString(answer.error().message));
          }
      }) {
    pools_.setMaxThreadCount(1);
    lane_.onBusyChange([this] { emit busyChanged(lane_.isBusy()); });
}

LeakFinder::~LeakFinder() {
    lane_.cancel();
    pools_.waitForDone();
}

void LeakFinder::ask(LeakRequest request, Urgency urgency) { lane_.ask(std::move(request), urgency); }

} // namespace highwater::ui

#include "moc_leak_finder.cpp"
