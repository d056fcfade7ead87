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

/// What to record, on one page: a program to launch or a running process on the left, what of it on the right. Knows no
/// source: whoever shows it fills in the processes and takes the choices. GUI thread only.
class RecordPage : public QDialog {
    Q_OBJECT
  public:
    /// Whether processes that run already can be recorded.
    enum class Attach { No, Experimental, Yes };
    /// Where something may be wrong.
    using Field = LaunchForm::Field;

    explicit RecordPage(Attach attach, QWidget* parent = nullptr);

    [[nodiscard]] RecordChoices choices() const;
    void setChoices(const RecordChoices& choices);
    /// The list of running processes, instead of what was chosen the last time.
    void showRunning();
    void setProcesses(const QList<ListedProcess>& processes);
    /// Programs that were launched before, newest first.
    void setFormerTargets(const QList<LaunchTarget>& targets);
    /// Why what was chosen cannot be recorded: told beside the field, or else the list of processes, until something is
    /// changed.
    void showProblem(const QString& sentence, Field field = Field::Program, MessageLink link = {});

  signals:
    /// Who takes the choices closes the page, or says what is wrong with them.
    void startWanted(const highwater::ui::RecordChoices& choices);
    void formerTargetsChanged(const QList<highwater::ui::LaunchTarget>& targets);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build();
    [[nodiscard]] QWidget* makeProcessTab();
    [[nodiscard]] QWidget* makeOptions();
    [[nodiscard]] QWidget* makeWhat();
    [[nodiscard]] QWidget* makeStop();
    [[nodiscard]] QWidget* makeFile();
    void connectAll();
    /// Tells the choices, if nothing is wrong with them that can be seen here.
    void start();
    /// The command line of the process that is selected, for a launch.
    void takeCommandLine();
    /// A key in the list of processes; whether it was for that.
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
    ProcessListModel* model_; ///< lives until the dialog is hidden: then its list measures the rows once more
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
