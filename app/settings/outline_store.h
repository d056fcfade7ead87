#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace highwater::app {

/// How much was outstanding over time in traces that were shown, small: a byte for each of some slices, a file for each
/// trace, for the list of recent ones. A file that is missing or damaged is no outline. GUI thread only.
class OutlineStore {
  public:
    static constexpr int kSlices = 160;
    static constexpr int kHighest = 255;

    explicit OutlineStore(QString folder) : folder_(std::move(folder)) {}
    /// kSlices values from 0 to kHighest, the highest of each slice; empty: none is known.
    [[nodiscard]] QList<qint64> load(const QString& trace) const;
    /// Amounts of as many slices as there are, also below zero. Nothing above zero has no outline.
    void save(const QString& trace, const QList<qint64>& amounts);
    /// Deletes those of all others.
    void keepOnly(const QStringList& traces);

  private:
    [[nodiscard]] QString fileOf(const QString& trace) const;

    QString folder_;
};

} // namespace highwater::app
