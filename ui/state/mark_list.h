#pragma once

#include "core/event/trace_notes.h"

#include <QList>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// Marks of the current trace under the user's names, and marks that the user made here. While recording, the trace
/// reports its marks repeatedly; the user's changes stay in effect. GUI thread only.
class MarkList : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Removes everything for another trace.
    void clear();
    /// The current marks of the trace.
    void setTraceMarks(std::vector<Mark> marks);

    /// In the order of time.
    [[nodiscard]] const std::vector<Mark>& marks() const { return *marks_; }
    /// A snapshot that does not change with the list.
    [[nodiscard]] SharedMarks shared() const { return marks_; }
    /// From the first to the last of these marks. Nothing: they have fewer than two distinct times.
    [[nodiscard]] static std::optional<TimeRange> between(const std::vector<Mark>& marks);

    /// An unused name such as "Mark 3".
    [[nodiscard]] QString freeName() const;
    /// Makes a mark that is not in a trace record. Its ticks are unique.
    Mark make(TraceTime time);
    /// Whether make() created it, so that no file contains it.
    [[nodiscard]] bool isMadeHere(qint64 ticks) const;
    /// Has no effect if the name is empty or unchanged.
    void rename(qint64 ticks, const QString& name);
    void remove(const QList<qint64>& ticks);
    /// Restores marks that were removed since clear(), under their names at that time.
    void restore(const QList<qint64>& ticks);

    /// The user's changes, to be stored.
    struct Kept {
        std::vector<Mark> made;       ///< marks that no file contains, with their names; their ticks are meaningless
                                      ///< elsewhere
        std::vector<MarkEdit> edited; ///< changes to the trace's marks: the name of each; an empty name: deleted
        [[nodiscard]] bool isEmpty() const { return made.empty() && edited.empty(); }
    };
    [[nodiscard]] Kept kept() const;
    /// Reapplies stored changes in addition to changes made here. Does not emit renamed() and removed().
    void adopt(const Kept& kept);

  signals:
    void changed();
    /// The user changed a mark of the trace. An empty name: deleted; a name after that: restored.
    void edited(qint64 ticks, const QString& name);
    /// The user renamed any mark.
    void renamed(qint64 ticks, const QString& from, const QString& to);
    /// The user removed these marks.
    void removed(const std::vector<highwater::Mark>& marks);

  private:
    [[nodiscard]] const Mark* find(qint64 ticks) const;
    void edit(MarkEdit edit);
    void show();

    std::vector<Mark> ofTrace_;
    std::vector<Mark> made_; ///< made by the user
    std::vector<Mark> gone_; ///< marks of the trace when they were removed, because it may not report them again
    SharedMarks marks_ = std::make_shared<const std::vector<Mark>>();
    std::vector<MarkEdit> edits_; ///< the user's, in order
};

} // namespace highwater::ui
