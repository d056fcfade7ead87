#pragma once

#include <QDialog>
#include <QList>
#include <QStringList>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace highwater::ui {

/// A program that Windows traces the heaps of as soon as it starts.
struct HeapFlagRow {
    QString program;
    bool isRecording = false; ///< by a Highwater that runs, and takes the flag back itself
};

/// All of them, with a button that ends it. Knows no registry: whoever shows it fills in the programs and does what is
/// asked. GUI thread only.
class HeapFlagsPage : public QDialog {
    Q_OBJECT
  public:
    explicit HeapFlagsPage(QWidget* parent = nullptr);

    /// The selection is kept by name.
    void setPrograms(const QList<HeapFlagRow>& programs);
    /// Why something was not done; empty: nothing to say.
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
