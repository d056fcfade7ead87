#pragma once

#include "core/event/trace_notes.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// The marks of the trace that is shown, as the reader wants them called. What the trace says comes again and again
/// while it is recorded: the reader's own names stay over it. GUI thread only.
class MarkList : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Another trace: nothing is left.
    void clear();
    /// As the trace has them by now, in the order of time.
    void setTraceMarks(std::vector<Mark> marks);

    [[nodiscard]] const std::vector<Mark>& marks() const { return *marks_; }
    /// Stays as it is when the list changes.
    [[nodiscard]] std::shared_ptr<const std::vector<Mark>> shared() const { return marks_; }
    /// From the first to the last of these marks; none: fewer than two times.
    [[nodiscard]] static std::optional<TimeRange> between(const std::vector<Mark>& marks);

    /// An empty name, or the one that it has, changes nothing.
    void rename(qint64 ticks, const QString& name);
    void remove(qint64 ticks);

  signals:
    void changed();
    /// By the reader; an empty name: deleted.
    void edited(qint64 ticks, const QString& name);

  private:
    void edit(MarkEdit edit);
    void show(std::vector<Mark> marks);

    std::shared_ptr<const std::vector<Mark>> marks_ = std::make_shared<const std::vector<Mark>>();
    std::vector<MarkEdit> edits_; ///< the reader's, in their order
};

} // namespace highwater::ui
