#include "ui/state/mark_list.h"

#include <algorithm>
#include <limits>

namespace highwater::ui {

void MarkList::clear() {
    edits_.clear();
    ofTrace_.clear();
    made_.clear();
    gone_.clear();
    show();
}

void MarkList::setTraceMarks(std::vector<Mark> marks) {
    ofTrace_ = std::move(marks);
    show();
}

void MarkList::show() {
    auto marks = ofTrace_;
    for (const auto& mark : gone_) {
        const auto isThere = [&](const Mark& other) { return other.ticks == mark.ticks; };
        if (std::none_of(marks.begin(), marks.end(), isThere)) marks.push_back(mark);
    }
    marks.insert(marks.end(), made_.begin(), made_.end());
    for (const auto& edit : edits_)
        applyEdit(edit, marks);
    std::stable_sort(marks.begin(), marks.end(), comesBefore);
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

const Mark* MarkList::find(qint64 ticks) const {
    const auto found =
        std::find_if(marks_->begin(), marks_->end(), [&](const Mark& mark) { return mark.ticks == ticks; });
    return found == marks_->end() ? nullptr : &*found;
}

QString MarkList::freeName() const {
    auto number = marks_->size();
    QString name;
    do
        name = tr("Mark %1").arg(++number);
    while (std::any_of(marks_->begin(), marks_->end(),
                       [&, wanted = name.toStdString()](const Mark& mark) { return mark.name == wanted; }));
    return name;
}

Mark MarkList::make(TraceTime time) {
    // Far from the values of a clock, although a file may contain any value.
    auto ticks = made_.empty() ? std::numeric_limits<qint64>::min() : made_.back().ticks + 1;
    while (std::any_of(ofTrace_.begin(), ofTrace_.end(), [&](const Mark& mark) { return mark.ticks == ticks; }))
        ++ticks;
    const auto mark = made_.emplace_back(Mark{ticks, time, freeName().toStdString()});
    show();
    return mark;
}

bool MarkList::isMadeHere(qint64 ticks) const {
    return std::any_of(made_.begin(), made_.end(), [&](const Mark& mark) { return mark.ticks == ticks; });
}

void MarkList::rename(qint64 ticks, const QString& name) {
    const auto wanted = name.trimmed().toStdString();
    const auto* mark = find(ticks);
    if (wanted.empty() || mark == nullptr || mark->name == wanted) return;
    const auto before = QString::fromStdString(mark->name);
    edit({ticks, wanted});
    emit renamed(ticks, before, name.trimmed());
}

void MarkList::remove(const QList<qint64>& ticks) {
    std::vector<Mark> gone;
    for (const auto one : ticks) {
        const auto* mark = find(one);
        if (mark == nullptr) continue;
        gone.push_back(*mark);
        std::erase_if(gone_, [one](const Mark& known) { return known.ticks == one; });
        if (!isMadeHere(one)) gone_.push_back(gone.back());
        edit({one, {}});
    }
    if (!gone.empty()) emit removed(gone);
}

void MarkList::restore(const QList<qint64>& ticks) {
    std::erase_if(edits_, [&](const MarkEdit& edit) { return edit.name.empty() && ticks.contains(edit.ticks); });
    std::vector<MarkEdit> back;
    for (const auto& mark : gone_) {
        if (ticks.contains(mark.ticks)) back.push_back({mark.ticks, mark.name});
    }
    show();
    for (const auto& [one, name] : back)
        emit edited(one, QString::fromStdString(name));
}

MarkList::Kept MarkList::kept() const {
    Kept kept;
    for (const auto& mark : *marks_) {
        if (isMadeHere(mark.ticks)) kept.made.push_back(mark);
    }
    for (auto edit = edits_.rbegin(); edit != edits_.rend(); ++edit) { // the last edit of each mark counts
        const auto isSame = [&](const MarkEdit& later) { return later.ticks == edit->ticks; };
        if (!isMadeHere(edit->ticks) && std::none_of(kept.edited.begin(), kept.edited.end(), isSame))
            kept.edited.push_back(*edit);
    }
    return kept;
}

void MarkList::adopt(const Kept& kept) {
    for (const auto& mark : kept.made) {
        const auto isSame = [&](const Mark& other) { return other.time == mark.time && other.name == mark.name; };
        if (std::any_of(marks_->begin(), marks_->end(), isSame)) continue;
        edit({make(mark.time).ticks, mark.name});
    }
    for (const auto& mark : kept.edited) {
        const auto* known = find(mark.ticks);
        if (known == nullptr) continue;
        if (mark.name.empty() && !isMadeHere(mark.ticks)) gone_.push_back(*known);
        edit(mark);
    }
}

void MarkList::edit(MarkEdit edit) {
    edits_.push_back(edit);
    show();
    if (!isMadeHere(edit.ticks)) emit edited(edit.ticks, QString::fromStdString(edit.name));
}

} // namespace highwater::ui

#include "moc_mark_list.cpp"
