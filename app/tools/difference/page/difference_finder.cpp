#include "app/tools/difference/page/difference_finder.h"

#include "core/analysis/difference/difference_sentences.h"
#include "ui/format/qt_text.h"

namespace highwater::ui {
namespace {

using analysis::Difference, analysis::Measure;

DifferenceRow rowOf(const Difference& difference, Difference::NodeId node) {
    DifferenceRow row;
    row.text = difference.text(node);
    row.column = difference.column(node);
    row.state = difference.state(node);
    row.change = difference.change(node, difference.query().decides);
    row.count = difference.change(node, Measure::Count);
    row.node = node;
    return row;
}

/// Adds rows level by level. Returns false when stopped.
bool addRows(Difference& difference, DifferenceAnswer& answer, const std::stop_token& stop) {
    answer.rows.push_back(rowOf(difference, Difference::kRoot));
    for (std::uint32_t parent = 0; parent < answer.rows.size(); ++parent) {
        if (stop.stop_requested()) return false;
        const auto node = answer.rows[parent].node;
        if (!difference.hasChildren(node)) continue;
        if (answer.rows.size() >= kMostDifferenceRows) {
            answer.isCut = true;
            continue;
        }
        for (const auto child : difference.children(node)) {
            auto row = rowOf(difference, child);
            row.parent = parent;
            row.place = static_cast<std::uint32_t>(answer.rows[parent].children.size());
            answer.rows[parent].children.push_back(static_cast<std::uint32_t>(answer.rows.size()));
            answer.rows.push_back(std::move(row));
        }
    }
    return true;
}

Result<analysis::DifferenceTimeline> answerLines(const DifferenceLines& asked, std::stop_token stop) {
    std::vector<Difference::NodeId> nodes;
    for (const auto row : asked.rows)
        nodes.push_back(asked.answer->rows[row].node);
    return asked.answer->all->timeline(nodes, kDifferenceSlices, stop);
}

Result<FlameAnswer> answerDifferenceFlames(const DifferenceFlames& asked, std::stop_token stop) {
    auto tree = TRY(asked.answer->all->flames(analysis::FlameQuery::kMostFrames, stop));
    analysis::FlameQuery query;
    query.table = asked.answer->table;
    query.measure = asked.answer->decides == Measure::Count ? analysis::Column::Count : analysis::Column::Size;
    return FlameAnswer{std::move(query), std::move(tree)};
}

} // namespace

Result<DifferenceAnswer> answerDifference(const analysis::DifferenceQuery& query, std::stop_token stop) {
    auto difference = TRY(Difference::compute(query, stop));
    DifferenceAnswer answer;
    answer.table = query.table;
    answer.decides = query.decides;
    answer.all = difference;
    if (!addRows(*answer.all, answer, stop)) return Error{ErrorKind::Cancelled, "The computation was cancelled."};
    for (const auto& note : analysis::notesOf(*answer.all, stop))
        answer.notes.push_back(note.sentence);
    answer.suggestions = TRY(answer.all->suggestedRenames(stop));
    return answer;
}

DifferenceFinder::DifferenceFinder(QObject* parent, DifferenceFunction find)
    : QObject(parent),
      lane_(*this, pools_, std::move(find),
            [this](const analysis::DifferenceQuery&, Result<DifferenceAnswer> answer) {
                if (answer.hasValue()) {
                    emit answered(std::make_shared<const DifferenceAnswer>(std::move(answer).value()));
                } else if (answer.error().kind != ErrorKind::Cancelled) {
                    emit failed(toQString(answer.error().message));
                }
            }),
      paths_(
          *this, pools_,
          [](const DifferencePathsRequest& request, std::stop_token) -> Result<std::vector<analysis::KeyPath>> {
              const auto node = request.answer->rows[request.row].node;
              return request.answer->all->paths(node, analysis::Side::After, 0);
          },
          [this](const DifferencePathsRequest& request, Result<std::vector<analysis::KeyPath>> paths) {
              if (paths.hasValue()) emit pathsAnswered(request, paths.value());
          }),
      lines_(*this, pools_, answerLines,
             [this](const DifferenceLines& asked, Result<analysis::DifferenceTimeline> timeline) {
                 if (timeline.hasValue())
                     emit linesAnswered({asked.answer, asked.rows, std::move(timeline).value()});
                 else if (timeline.error().kind != ErrorKind::Cancelled)
                     emit failed(toQString(timeline.error().message));
             }),
      flames_(
          *this, pools_, answerDifferenceFlames,
          [this](const DifferenceFlames& asked, Result<FlameAnswer> flames) {
              if (flames.hasValue())
                  emit flamesAnswered({asked.answer, std::make_shared<const FlameAnswer>(std::move(flames).value())});
              else if (flames.error().kind != ErrorKind::Cancelled)
                  emit failed(toQString(flames.error().message));
          }),
      searches_(*this, pools_, searchFlames, [this](const FlameSearch&, Result<FlameSearch> search) {
          if (search.hasValue()) emit searchDone(std::make_shared<const FlameSearch>(std::move(search).value()));
      }) {
    pools_.setMaxThreadCount(1);
    lane_.onBusyChange([this] { emit busyChanged(lane_.isBusy()); });
}

DifferenceFinder::~DifferenceFinder() {
    cancel();
    pools_.waitForDone();
}

void DifferenceFinder::cancel() {
    lane_.cancel();
    paths_.cancel();
    lines_.cancel();
    flames_.cancel();
    searches_.cancel();
}

} // namespace highwater::ui

#include "moc_difference_finder.cpp"
