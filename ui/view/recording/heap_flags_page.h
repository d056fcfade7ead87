#pragma once

#include <QDialog>
#include <QList>
#include <QStringList>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace highwater::ui {

/// A program whose heaps Windows traces from its start.
struct HeapFlagRow {
    QString program;
    bool isRecording = false; ///< set by a running Highwater, which clears the flag itself
};

/// Lists all flagged programs, with a button that clears their flags. Does not access the registry: the caller provides
/// the programs and executes the requests. GUI thread only.
class HeapFlagsPage : public QDialog {
    Q_OBJECT
  public:
    explicit HeapFlagsPage(QWidget* parent = nullptr);

    /// Keeps the selection by name.
    void setPrograms(const QList<HeapFlagRow>& programs);
    /// Why something failed; empty: no problem.
    void setProblem(const QString& sentence);

  signals:
    void clearWanted(const QStringList& programs);

  private:
    void build();
    void follow();
    [[nodiscard]] QStringList selected() const;

    QLabel* words_;
    QTreeWidget* list_;
    QLabel* problem_;
    QPushButton* clear_;
};

} // namespace highwater::ui
