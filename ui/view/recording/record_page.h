#pragma once

#include "ui/model/process_list_model.h"
#include "ui/state/record_choices.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/recording/launch_form.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QSpinBox;
class QTabWidget;
class QTreeView;
class QVBoxLayout;

namespace highwater::ui {

class SnapshotPlanBox;

/// Page with the recording choices: a program to launch or a running process on the left, options on the right.
/// Independent of sources: the caller provides the processes and uses the choices. GUI thread only.
class RecordPage : public QDialog {
    Q_OBJECT
  public:
    /// Whether running processes can be recorded.
    enum class Attach { No, Experimental, Yes };
    /// Fields that may contain an error.
    using Field = LaunchForm::Field;

    explicit RecordPage(Attach attach, QWidget* parent = nullptr);

    [[nodiscard]] RecordChoices choices() const;
    void setChoices(const RecordChoices& choices);
    /// Shows the list of running processes instead of the last choice.
    void showRunning();
    void setProcesses(const QList<ListedProcess>& processes);
    /// Previously launched programs, newest first.
    void setFormerTargets(const QList<LaunchTarget>& targets);
    /// Shows an error next to its field, or next to the process list, until something is edited.
    void showProblem(const QString& sentence, Field field = Field::Program, MessageLink link = {});

  signals:
    /// The receiver closes the page or shows an error.
    void startWanted(const highwater::ui::RecordChoices& choices);
    void formerTargetsChanged(const QList<highwater::ui::LaunchTarget>& targets);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build();
    [[nodiscard]] QWidget* makeProcessTab();
    [[nodiscard]] QWidget* makeOptions();
    [[nodiscard]] QWidget* makeKinds();
    [[nodiscard]] QWidget* makeStop();
    [[nodiscard]] QWidget* makeFile();
    void connectAll();
    /// Emits the choices if they pass the checks of this page.
    void start();
    /// Uses the command line of the selected process for a launch.
    void takeCommandLine();
    /// Handles a key in the process list; returns whether it did.
    bool press(const QKeyEvent& key);
    void search();
    void showFound();
    void selectRow(int row);
    void follow();
    [[nodiscard]] QString cost() const;
    [[nodiscard]] QString fileCost() const;
    [[nodiscard]] int bytesPerAllocation() const;
    [[nodiscard]] const ListedProcess* selectedProcess() const;

    Attach attach_;
    ProcessListModel* model_; ///< outlives the dialog's hiding, when its list measures the rows once more
    QSortFilterProxyModel* sorted_;
    QTabWidget* tabs_;
    LaunchForm* launch_;
    QLineEdit* search_;
    QVBoxLayout* processColumn_ = nullptr;
    QTreeView* processes_;
    QLabel *noProcess_, *why_, *cost_;
    MessageStrip* problem_;
    QPushButton *take_, *start_;
    QCheckBox *heap_, *virtualAlloc_, *stacksOnFree_, *children_, *managedNames_;
    QCheckBox *stopsAtBytes_, *stopsAfter_, *compressed_, *keepsLast_;
    QComboBox *stopWhen_, *keepUnit_;
    QSpinBox *stopMegabytes_, *stopSeconds_, *keepMinutes_, *keepMegabytes_;
    QLabel* fileCost_;
    SnapshotPlanBox* snapshots_;
};

} // namespace highwater::ui
