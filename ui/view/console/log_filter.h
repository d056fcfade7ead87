#pragma once

#include "core/log/log_level.h"

#include <QSortFilterProxyModel>

namespace highwater::ui {

/// Lines of at least a level whose sentence, area or time contains a text, ignoring case. GUI thread only.
class LogFilter : public QSortFilterProxyModel {
    Q_OBJECT
  public:
    explicit LogFilter(QObject* parent = nullptr);

    void setLeast(LogLevel level);
    void setText(const QString& text);

  protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    LogLevel least_ = LogLevel::Debug;
    QString text_;
};

} // namespace highwater::ui
