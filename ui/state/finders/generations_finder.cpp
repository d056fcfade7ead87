#include "ui/state/finders/generations_finder.h"

#include "ui/format/qt_text.h"

namespace highwater::ui {

Result<GenerationsAnswer> answerGenerations(const GenerationsRequest& request, std::stop_token stop) {
    auto report = TRY(analysis::countGenerations(*request.trace, *request.labels, request.query, stop));
    return GenerationsAnswer{request.query.table, std::move(report)};
}

GenerationsFinder::GenerationsFinder(QObject* parent, GenerationsFunction find)
    : QObject(parent),
      lane_(*this, pools_, std::move(find), [this](const GenerationsRequest&, Result<GenerationsAnswer> answer) {
          if (answer.hasValue()) {
              emit answered(std::make_shared<const GenerationsAnswer>(std::move(answer).value()));
          } else if (answer.error().kind != ErrorKind::Cancelled) {
              emit failed(toQString(answer.error().message));
          }
      }) {
    pools_.setMaxThreadCount(1);
    lane_.onBusyChange([this] { emit busyChanged(lane_.isBusy()); });
}

GenerationsFinder::~GenerationsFinder() {
    lane_.cancel();
    pools_.waitForDone();
}

} // namespace highwater::ui

#include "moc_generations_finder.cpp"
