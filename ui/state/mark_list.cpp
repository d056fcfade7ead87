#include "ui/state/mark_list.h"

#include <algorithm>

namespace highwater::ui {

void MarkList::clear() {
    edits_.clear();
    show({});
}

void MarkList::setTraceMarks(std::vector<Mark> marks) {
    for (const auto& edit : edits_) {
        applyEdit(edit, marks);
    }
    show(std::move(marks));
}

void MarkList::show(std::vector<Mark> marks) {
    if (marks == *marks_) return;
    marks_ = std::make_shared<const std::vector<Mark>>(std::move(marks));
    emit changed();
}

std::optional<TimeRange> MarkList::between(const std::vector<Mark>& marks) {
    if (marks.empty()) return std::nullopt;
    const auto [first, last] =
        std::minmax_element(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.time < b.time; });
    if (!(first->time < last->time)) return std::nullopt;
    return TimeRange{first->time, last->time};
}

void MarkList::rename(qint64 ticks, const QString& name) {
    const auto wanted = name.trimmed().toStdString();
    const auto isIt = [&](const Mark& mark) { return mark.ticks == ticks && mark.name != wanted; };
    if (wanted.empty() || std::none_of(marks_->begin(), marks_->end(), isIt)) return;
    edit({ticks, wanted});
}

void MarkList::remove(qint64 ticks) { edit({ticks, {}}); }

void MarkList::edit(MarkEdit edit) {
    auto marks = *marks_;
    applyEdit(edit, marks);
    edits_.push_back(edit);
    show(std::move(marks));
    emit edited(edit.ticks, QString::fromStdString(edit.name));
}

} // namespace highwater::ui
