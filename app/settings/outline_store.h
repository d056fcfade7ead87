#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace highwater::app {

/// Thumbnails of the outstanding amount over time for the list of recent traces: one file per trace with one byte per
/// slice. Missing or damaged files have no outline. GUI thread only.
class OutlineStore {
  public:
    static constexpr int kSlices = 160;
    static constexpr int kHighest = 255;

    explicit OutlineStore(QString folder) : folder_(std::move(folder)) {}
    /// kSlices values from 0 to kHighest, the maximum of each slice; empty if not stored.
    [[nodiscard]] QList<qint64> load(const QString& trace) const;
    /// Amounts per slice, in any number of slices, possibly negative. There is no outline if none is positive.
    void save(const QString& trace, const QList<qint64>& amounts);
    /// Deletes the outlines of all other traces.
    void keepOnly(const QStringList& traces);

  private:
    [[nodiscard]] QString fileOf(const QString& trace) const;

    QString folder_;
};

} // namespace highwater::app
