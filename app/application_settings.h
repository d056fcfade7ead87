#pragma once

#include "ui/view/start_page.h"

#include <QByteArray>
#include <QList>
#include <QSettings>
#include <QString>

namespace highwater::app {

/// What is kept from one run to the next. GUI thread only.
class ApplicationSettings {
  public:
    /// The user's own settings; or, in tests, a file.
    ApplicationSettings();
    explicit ApplicationSettings(const QString& file);

    /// Newest first; only traces whose files are all there.
    [[nodiscard]] QList<ui::RecentTrace> recentTraces() const;
    void addRecentTrace(const QStringList& paths);

    [[nodiscard]] QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray& geometry);

  private:
    QSettings settings_;
};

} // namespace highwater::app
