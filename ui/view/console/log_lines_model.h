#pragma once

#include "core/log/log_line.h"
#include "core/log/log_listening.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

namespace highwater::ui {

/// The newest log lines, oldest first. Lines arrive from any thread, which never waits for this one, and are added in
/// batches about four times a second. GUI thread only.
class LogLinesModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { kTime, kLevel, kArea, kSentence, kColumns };
    /// The LogLevel of a row, as int.
    static constexpr int kLevelRole = Qt::UserRole;
    static constexpr std::size_t kMostLines = 10'000;

    explicit LogLinesModel(QObject* parent = nullptr, std::size_t mostLines = kMostLines);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// A row as text, with tabs between its cells.
    [[nodiscard]] QString lineText(int row) const;
    /// Adds the pending lines now.
    void takeNew();

  private:
    void add(const LogLine& line);
    void removeOldest(std::size_t count);

    std::size_t mostLines_;
    std::deque<LogLine> lines_;
    QTimer batch_;
    std::mutex mutex_; ///< guards waiting_
    std::deque<LogLine> waiting_;
    LogListening listening_; ///< last member, because it calls from other threads
};

} // namespace highwater::ui
