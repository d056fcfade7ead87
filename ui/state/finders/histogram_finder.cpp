#include "ui/state/finders/histogram_finder.h"

#include "ui/format/qt_text.h"

namespace highwater::ui {

Result<HistogramAnswer> answerHistogram(const HistogramRequest& request, std::stop_token stop) {
    auto histogram = TRY(analysis::computeHistogram(*request.trace, *request.labels, request.query, stop));
    return HistogramAnswer{request.query, std::move(histogram)};
}

HistogramFinder::HistogramFinder(QObject* parent, HistogramFunction find)
    : QObject(parent),
      lane_(*this, pools_, std::move(find), [this](const HistogramRequest&, Result<HistogramAnswer> answer) {
          if (answer.hasValue()) {
              emit answered(std::make_shared<const HistogramAnswer>(std::move(answer).value()));
          } else if (answer.error().kind != ErrorKind::Cancelled) {
              emit failed(toQString(answer.error().message));
          }
      }) {
    pools_.setMaxThreadCount(1);
    lane_.onBusyChange([this] { emit busyChanged(lane_.isBusy()); });
}

HistogramFinder::~HistogramFinder() {
    lane_.cancel();
    pools_.waitForDone();
}

void HistogramFinder::ask(HistogramRequest request, Urgency urgency) { lane_.ask(std::move(request), urgency); }

} // namespace highwater::ui

#include "moc_histogram_finder.cpp"
