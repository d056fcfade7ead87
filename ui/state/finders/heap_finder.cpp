#include "ui/state/finders/heap_finder.h"

#include "ui/format/qt_text.h"

namespace highwater::ui {

Result<HeapAnswer> answerHeaps(const HeapRequest& request, std::stop_token stop) {
    auto list = TRY(analysis::findHeaps(*request.trace, *request.labels, request.query, stop));
    return HeapAnswer{std::move(list), !request.query.filter.isEmpty()};
}

HeapFinder::HeapFinder(QObject* parent, HeapFunction find)
    : QObject(parent), lane_(*this, pools_, std::move(find), [this](const HeapRequest&, Result<HeapAnswer> answer) {
          if (answer.hasValue()) {
              emit answered(std::make_shared<const HeapAnswer>(std::move(answer).value()));
          } else if (answer.error().kind != ErrorKind::Cancelled) {
              emit failed(toQString(answer.error().message));
          }
      }) {
    pools_.setMaxThreadCount(1);
    lane_.onBusyChange([this] { emit busyChanged(lane_.isBusy()); });
}

HeapFinder::~HeapFinder() {
    lane_.cancel();
    pools_.waitForDone();
}

void HeapFinder::ask(HeapRequest request, Urgency urgency) { lane_.ask(std::move(request), urgency); }

} // namespace highwater::ui

#include "moc_heap_finder.cpp"
