#pragma once

#include <QTreeWidget>

namespace highwater::ui {

struct RecentTrace;

/// Recently opened traces, one per line: an outline of the outstanding memory, name, folder, size, duration, date.
/// Enter or a double click opens a trace, Del removes it from the list. GUI thread only.
class RecentList : public QTreeWidget {
    Q_OBJECT
  public:
    enum Column { Name, Folder, Size, Duration, Date };

    explicit RecentList(QWidget* parent = nullptr);
    void setTraces(const QList<RecentTrace>& traces);

  signals:
    void openWanted(const QStringList& paths);
    void removeWanted(const QStringList& paths);

  private:
    void build();
    void addTrace(const RecentTrace& trace);
    void showMenu(QPoint position);

    QAction* open_;
    QAction* remove_;
};

} // namespace highwater::ui
