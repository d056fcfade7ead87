#pragma once

#include "core/event/trace_notes.h"

#include <QList>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// The marks of the trace that is shown, as the reader wants them called, and those that the reader made here. What the
/// trace says comes again and again while it is recorded: the reader's own names stay over it. GUI thread only.
class MarkList : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Another trace: nothing is left.
    void clear();
    /// As the trace has them by now.
    void setTraceMarks(std::vector<Mark> marks);

    /// In the order of time.
    [[nodiscard]] const std::vector<Mark>& marks() const { return *marks_; }
    /// Stays as it is when the list changes.
    [[nodiscard]] SharedMarks shared() const { return marks_; }
    /// From the first to the last of these marks; none: fewer than two times.
    [[nodiscard]] static std::optional<TimeRange> between(const std::vector<Mark>& marks);

    /// "Mark 3", or what no mark is called yet.
    [[nodiscard]] QString freeName() const;
    /// A mark that no record tells of, with such a name; its ticks tell it from all others.
    Mark make(TraceTime time);
    /// make() made it: no file knows it.
    [[nodiscard]] bool isMadeHere(qint64 ticks) const;
    /// An empty name, or the one that it has, changes nothing.
    void rename(qint64 ticks, const QString& name);
    void remove(const QList<qint64>& ticks);
    /// They are there again, as they were called, if they were removed since clear().
    void restore(const QList<qint64>& ticks);

    /// What the reader has done, for who keeps it.
    struct Kept {
        std::vector<Mark> made;       ///< that no file knows, as they are called; their ticks mean nothing elsewhere
        std::vector<MarkEdit> edited; ///< of the trace's marks: what each is called; an empty name: deleted
        [[nodiscard]] bool isEmpty() const { return made.empty() && edited.empty(); }
    };
    [[nodiscard]] Kept kept() const;
    /// Does the same again, beside what was done here. renamed() and removed() say nothing of it.
    void adopt(const Kept& kept);

  signals:
    void changed();
    /// By the reader, of the trace's own marks; an empty name: deleted; a name after that: it is there again.
    void edited(qint64 ticks, const QString& name);
    /// By the reader, of any mark.
    void renamed(qint64 ticks, const QString& from, const QString& to);
    /// By the reader; what they were.
    void removed(const std::vector<highwater::Mark>& marks);

  private:
    [[nodiscard]] const Mark* find(qint64 ticks) const;
    void edit(MarkEdit edit);
    void show();

    std::vector<Mark> ofTrace_;
    std::vector<Mark> made_; ///< by the reader
    std::vector<Mark> gone_; ///< of the trace, as they were when they were removed: it may tell of them no more
    SharedMarks marks_ = std::make_shared<const std::vector<Mark>>();
    std::vector<MarkEdit> edits_; ///< the reader's, in their order
};

} // namespace highwater::ui
